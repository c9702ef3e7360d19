//! Unknowns that are mass and inertia of a body, which stay those of a possible body.
//!
//! A mass m and an inertia I about the centre of mass belong to a body if m > 0 and the second moments tr(I)/2 1 - I
//! are positive definite, that is m S S^T with an upper triangular S: log-Cholesky coordinates of the pseudo-inertia
//! (Rucker, Wensing, Smooth parameterization of rigid-body inertia, IEEE Robotics and Automation Letters 7, 2022). In
//! them the centre of mass is itself, so that it needs no place here. Scaled variables are ln(m/m_0), ln(S_ii/S_0ii)
//! and (S_ij - S_0ij)/sqrt(S_0ii S_0jj).

use nalgebra::{DMatrix, Matrix3};

use super::erased::{AnyError, Evaluated, Residuals};
use super::method::Method;
use super::objective::{LinearResiduals, Objective};
use super::variables::Variable;

/// Row and column of the entries of a symmetric matrix, in the order xx, yy, zz, xy, xz, yz.
const ENTRIES: [(usize, usize); 6] = [(0, 0), (1, 1), (2, 2), (0, 1), (0, 2), (1, 2)];

/// Places of the unknowns of a body among all: mass, xx, yy, zz, and xy, xz, yz or none of them.
#[derive(Debug, Clone)]
pub(super) struct Body {
    places: Vec<usize>,
    mass: f64,
    root: Matrix3<f64>,
}

/// Returns the bodies of which all of mass and inertia are variables, and which are possible at the start; the
/// variables of others are as all others.
pub(super) fn bodies(variables: &[Variable]) -> Vec<Body> {
    let is_mass = |variable: &&Variable| variable.inertia().is_some_and(|(_, entry)| entry == 0);
    variables.iter().filter(is_mass).filter_map(|mass| Body::of(variables, mass.inertia()?.0)).collect()
}

/// Returns S with m S S^T = tr(I)/2 1 - I of an inertia I; `None` where there is no such body. Entries are xx, yy, zz,
/// and xy, xz, yz or none of them.
fn root(mass: f64, entries: &[f64]) -> Option<Matrix3<f64>> {
    let entry = |k: usize| entries.get(k).copied().unwrap_or(0.0);
    let half = 0.5 * (entry(0) + entry(1) + entry(2));
    let moment = |k: usize| (if k < 3 { half - entry(k) } else { -entry(k) }) / mass;
    let pivot = |square: f64| (square > 0.0 && square.is_finite()).then(|| square.sqrt());
    let c = pivot(moment(2))?;
    let (q, r) = (moment(4) / c, moment(5) / c);
    let b = pivot(moment(1) - r * r)?;
    let p = (moment(3) - q * r) / b;
    let a = pivot(moment(0) - p * p - q * q)?;
    (mass > 0.0).then(|| Matrix3::new(a, p, q, 0.0, b, r, 0.0, 0.0, c))
}

/// Returns the entries of the inertia with these second moments.
fn inertia(moments: &Matrix3<f64>) -> [f64; 6] {
    ENTRIES.map(|(row, column)| if row == column { moments.trace() } else { 0.0 } - moments[(row, column)])
}

/// Checks whether a mass and an inertia, xx, yy, zz, and xy, xz, yz or none of them, belong to a body.
#[doc(hidden)]
pub fn is_possible_body(mass: f64, entries: &[f64]) -> bool {
    root(mass, entries).is_some()
}

/// Checks whether the values of variables that are inertias belong to bodies.
#[doc(hidden)]
pub fn are_possible_bodies(variables: &[Variable], values: &[f64]) -> bool {
    bodies(variables).iter().all(|body| {
        let own: Vec<f64> = body.places.iter().map(|&place| values[place]).collect();
        root(own[0], &own[1..]).is_some()
    })
}

impl Body {
    fn of(variables: &[Variable], body: &str) -> Option<Self> {
        let place = |entry: u8| variables.iter().position(|variable| variable.inertia() == Some((body, entry)));
        let moments: Vec<usize> = (0..4).filter_map(place).collect();
        let products: Vec<usize> = (4..7).filter_map(place).collect();
        if moments.len() != 4 || !matches!(products.len(), 0 | 3) {
            return None;
        }
        let places = [moments, products].concat();
        let start: Vec<f64> = places.iter().map(|&place| variables[place].start()).collect();
        let root = root(start[0], &start[1..])?;
        Some(Self { places, mass: start[0], root })
    }

    /// Replaces the values of the body by those at the scaled variables.
    pub fn set(&self, position: &[f64], values: &mut [f64]) {
        let mut root = self.root;
        for (&place, &(row, column)) in self.places[1..].iter().zip(&ENTRIES) {
            let x = position[place];
            match row == column {
                true => root[(row, row)] *= x.exp(),
                false => root[(row, column)] += x * self.width(row, column),
            }
        }
        let mass = self.mass * position[self.places[0]].exp();
        let entries = inertia(&(root * root.transpose() * mass));
        values[self.places[0]] = mass;
        self.places[1..].iter().zip(entries).for_each(|(&place, entry)| values[place] = entry);
    }

    /// Change of an entry of S beside the diagonal for a change of its scaled variable by 1.
    fn width(&self, row: usize, column: usize) -> f64 {
        (self.root[(row, row)] * self.root[(column, column)]).sqrt()
    }

    /// The derivatives of the values by the scaled variables, at these values; `None` where rounding has left no body.
    fn derivatives(&self, values: &[f64]) -> Option<DMatrix<f64>> {
        let own: Vec<f64> = self.places.iter().map(|&place| values[place]).collect();
        let root = root(own[0], &own[1..])?;
        let count = self.places.len();
        let mut matrix = DMatrix::zeros(count, count);
        matrix.column_mut(0).copy_from_slice(&own);
        for (column, &(i, j)) in (1..count).zip(&ENTRIES) {
            let mut change = Matrix3::zeros();
            change[(i, j)] = if i == j { root[(i, i)] } else { self.width(i, j) };
            let half = change * root.transpose() * own[0];
            let entries = inertia(&(half + half.transpose()));
            matrix.view_mut((1, column), (count - 1, 1)).copy_from_slice(&entries[..count - 1]);
        }
        Some(matrix)
    }
}

/// An objective in which derivatives by the numbers of a body are such that the slopes of its variables make
/// derivatives by its scaled variables of them.
pub(super) struct OfBodies<'a> {
    objective: &'a mut dyn Residuals,
    bodies: Vec<Body>,
    variables: Vec<Variable>,
}

impl<'a> OfBodies<'a> {
    pub fn new(objective: &'a mut dyn Residuals, bodies: Vec<Body>, variables: &[Variable]) -> Self {
        Self { objective, bodies, variables: variables.to_vec() }
    }

    /// Returns, per body, its places and the derivatives of its values by what the slopes of its variables make scaled.
    fn derivatives(&self, values: &[f64]) -> Vec<(&[usize], DMatrix<f64>)> {
        let of_body = |body: &'_ Body| {
            let mut matrix = body.derivatives(values)?;
            for (mut column, &place) in matrix.column_iter_mut().zip(&body.places) {
                column /= self.variables[place].slope(values[place]);
            }
            Some(matrix)
        };
        self.bodies.iter().filter_map(|body| Some((&body.places[..], of_body(body)?))).collect()
    }
}

impl Objective for OfBodies<'_> {
    type Error = AnyError;

    fn cost(&mut self, parameters: &[f64]) -> Evaluated<f64> {
        self.objective.cost(parameters)
    }

    fn announce(&mut self, parameters: &[Vec<f64>]) {
        self.objective.announce(parameters);
    }

    fn gradient(&mut self, parameters: &[f64], gradient: &mut [f64]) -> Evaluated<()> {
        self.objective.gradient(parameters, gradient)?;
        for (places, matrix) in self.derivatives(parameters) {
            let own: Vec<f64> = places.iter().map(|&place| gradient[place]).collect();
            for (column, &place) in matrix.column_iter().zip(places) {
                gradient[place] = column.iter().zip(&own).map(|(entry, own)| entry * own).sum();
            }
        }
        Ok(())
    }
}

impl Residuals for OfBodies<'_> {
    fn residuals(&mut self, parameters: &[f64]) -> Evaluated<Option<LinearResiduals>> {
        let Some(mut residuals) = self.objective.residuals(parameters)? else { return Ok(None) };
        // what does not fit is refused by the method
        if residuals.check(parameters.len()).is_err() {
            return Ok(Some(residuals));
        }
        for (places, matrix) in self.derivatives(parameters) {
            let own: Vec<Vec<f64>> = places.iter().map(|&at| std::mem::take(&mut residuals.derivatives[at])).collect();
            for (factors, &place) in matrix.column_iter().zip(places) {
                let mut sum = vec![0.0; residuals.values.len()];
                for (factor, column) in factors.iter().zip(&own).filter(|(factor, _)| **factor != 0.0) {
                    sum.iter_mut().zip(column).for_each(|(sum, entry)| *sum += factor * entry);
                }
                residuals.derivatives[place] = sum;
            }
        }
        Ok(Some(residuals))
    }

    fn residual_values(&mut self, parameters: &[f64]) -> Evaluated<Option<Vec<f64>>> {
        self.objective.residual_values(parameters)
    }

    fn are_counted(&self) -> bool {
        self.objective.are_counted()
    }

    fn are_there(&self, method: Method) -> bool {
        self.objective.are_there(method)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{OptimizerSettings, OptimizerState, Scaling};

    /// Mass and inertia of a skew body, or of one with principal axes.
    fn start(count: usize) -> Vec<f64> {
        [2.5, 0.05, 0.06, 0.04, 0.011, -0.007, 0.013][..count].to_vec()
    }

    fn variables(values: &[f64]) -> Vec<Variable> {
        let one = |(entry, value): (usize, &f64)| {
            let variable = Variable::new(format!("p{entry}"), *value).in_inertia("arm", entry as u8);
            if entry < 4 { variable.positive() } else { variable.scaled(Scaling::Linear { typical: 0.05 }) }
        };
        values.iter().enumerate().map(one).collect()
    }

    fn body(count: usize) -> Body {
        bodies(&variables(&start(count))).remove(0)
    }

    fn at(body: &Body, position: &[f64]) -> Vec<f64> {
        let mut values = vec![0.0; position.len()];
        body.set(position, &mut values);
        values
    }

    #[test]
    fn all_coordinates_are_those_of_a_possible_body() {
        for count in [4, 7] {
            let body = body(count);
            for (found, start) in at(&body, &vec![0.0; count]).iter().zip(start(count)) {
                assert!((found - start).abs() < 1e-15, "{found} {start}");
            }
            for seed in 0..200 {
                let position: Vec<f64> = (0..count).map(|k| 3.0 * (1.7 * (seed * 31 + k) as f64).sin()).collect();
                let values = at(&body, &position);
                let (mass, [xx, yy, zz]) = (values[0], [values[1], values[2], values[3]]);
                assert!(mass > 0.0 && xx < yy + zz && yy < xx + zz && zz < xx + yy, "{values:?}");
                assert!(is_possible_body(mass, &values[1..]), "{values:?}");
            }
        }
    }

    /// Central differences of fourth order know the derivatives to 1e-11 of the largest one.
    #[test]
    fn derivatives_are_exact() {
        for count in [4, 7] {
            let body = body(count);
            let position: Vec<f64> = (0..count).map(|k| 0.4 * (1.0 + k as f64).sin()).collect();
            let matrix = body.derivatives(&at(&body, &position)).unwrap();
            for k in 0..count {
                const H: f64 = 1e-3;
                let moved = |by: f64| {
                    let mut position = position.clone();
                    position[k] += by * H;
                    at(&body, &position)
                };
                let [far_back, back, forth, far_forth] = [-2.0, -1.0, 1.0, 2.0].map(moved);
                for row in 0..count {
                    let wide = far_back[row] - far_forth[row];
                    let found = (wide + 8.0 * (forth[row] - back[row])) / (12.0 * H);
                    let scale = matrix.row(row).amax();
                    assert!((matrix[(row, k)] - found).abs() < 1e-10 * scale, "{row} {k}: {found} {matrix}");
                }
            }
        }
    }

    /// Minimises the distance to numbers that no body has: i_zz > i_xx + i_yy.
    #[test]
    fn a_minimisation_ends_at_the_border_of_what_is_possible() {
        struct Distance;
        const WANTED: [f64; 4] = [2.0, 0.05, 0.05, 0.12];
        impl Objective for Distance {
            type Error = std::io::Error;
            fn cost(&mut self, p: &[f64]) -> Result<f64, crate::Failure<Self::Error>> {
                assert!(is_possible_body(p[0], &p[1..]), "{p:?}");
                Ok(p.iter().zip(WANTED).map(|(p, wanted)| 0.5 * (p - wanted).powi(2)).sum())
            }
            fn gradient(&mut self, p: &[f64], gradient: &mut [f64]) -> Result<(), crate::Failure<Self::Error>> {
                gradient.iter_mut().zip(p.iter().zip(WANTED)).for_each(|(g, (p, wanted))| *g = p - wanted);
                Ok(())
            }
        }
        impl crate::LeastSquaresObjective for Distance {
            fn residuals(&mut self, p: &[f64]) -> Result<LinearResiduals, crate::Failure<Self::Error>> {
                let unit = |k: usize| (0..4).map(|row| if row == k { 1.0 } else { 0.0 }).collect();
                let values = p.iter().zip(WANTED).map(|(p, wanted)| p - wanted).collect();
                Ok(LinearResiduals { values, derivatives: (0..4).map(unit).collect() })
            }
        }
        for method in [Method::LevenbergMarquardt, Method::Bfgs] {
            let settings = OptimizerSettings::default().with_method(method);
            let mut state = OptimizerState::new(variables(&start(4)), settings).unwrap();
            crate::minimize_least_squares(&mut Distance, &mut state, |_| Ok(())).unwrap();
            let found = state.parameters();
            // the nearest point of xx + yy = zz
            let nearest = [2.0, 0.05 + 0.02 / 3.0, 0.05 + 0.02 / 3.0, 0.12 - 0.02 / 3.0];
            let near = found.iter().zip(nearest).all(|(found, nearest)| (found - nearest).abs() < 1e-4);
            assert!(near, "{method}: {found:?}");
            assert_eq!(state.restarted().parameters(), found);
        }
    }
}
