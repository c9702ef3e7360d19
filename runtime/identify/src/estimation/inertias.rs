//! Unknown inertias of bodies: variables that stay those of a possible body, and priors of them.

use costate_numerics::scalar::{Dual, Scalar};
use costate_optimize::{Scaling, is_possible_body};

use super::layout::Layout;
use crate::definition::error::SpecificationError;
use crate::definition::unknown_inertia::UnknownInertia;

/// Rows and columns of the upper triangular root S of second moments, in the order xx, yy, zz, xy, xz, yz.
const ENTRIES: [(usize, usize); 6] = [(0, 0), (1, 1), (2, 2), (0, 1), (0, 2), (1, 2)];

impl Layout {
    /// Makes the masses and inertias of bodies move together.
    ///
    /// # Errors
    /// [`SpecificationError::Inertia`].
    pub fn with_inertias(mut self, inertias: &[UnknownInertia]) -> Result<Self, SpecificationError> {
        for inertia in inertias {
            let body = inertia.body.mass().name();
            let refused = |limit| Err(SpecificationError::Inertia { body, limit });
            if inertia.deviation.is_some_and(|deviation| !(deviation > 0.0 && deviation.is_finite())) {
                return refused("has a prior deviation that is not a finite number above 0; give one, such as 0.1");
            }
            let Some(places) = self.places(inertia) else { continue };
            let start = |place: usize| self.unknowns[place].variable.start();
            let mass = start(places[0]);
            let count = inertia.body.entries().len();
            let entries: Vec<f64> = places[1..=count].iter().map(|&place| start(place)).collect();
            if !is_possible_body(mass, &entries) {
                return refused(
                    "does not begin as that of a body: give a mass above 0, and moments each of which is less than the \
                     sum of the two others about principal axes",
                );
            }
            let second = 0.5 * (entries[0] + entries[1] + entries[2]);
            for (part, &place) in places.iter().enumerate() {
                let variable = self.unknowns[place].variable.clone();
                self.unknowns[place].variable = match part {
                    0..=3 => variable.positive().scaled(Scaling::Logarithmic).in_inertia(body, part as u8),
                    _ if part <= count => {
                        variable.scaled(Scaling::Linear { typical: second }).in_inertia(body, part as u8)
                    }
                    _ => variable.scaled(Scaling::Linear { typical: (second / mass).sqrt() }),
                };
            }
        }
        Ok(self)
    }

    /// Returns the places of mass, inertia and centre among the unknowns; `None` where not all are there.
    fn places(&self, inertia: &UnknownInertia) -> Option<Vec<usize>> {
        let place = |index| self.unknowns.iter().position(|unknown| unknown.parameter == Some(index));
        inertia.body.parameters().into_iter().map(|parameter| place(parameter.index())).collect()
    }

    /// Returns the priors of inertias.
    pub fn priors_of_inertias(&self, inertias: &[UnknownInertia]) -> Vec<InertiaPrior> {
        let prior = |inertia: &UnknownInertia| {
            let (deviation, places) = (inertia.deviation?, self.places(inertia)?);
            let start: Vec<f64> = places.iter().map(|&place| self.unknowns[place].variable.start()).collect();
            Some(InertiaPrior { places, entries: inertia.body.entries().len(), start, deviation })
        };
        inertias.iter().filter_map(prior).collect()
    }
}

/// The prior of mass, inertia and centre of a body: ln m, the logarithms of the diagonal of S, its other entries over
/// sqrt(S_0ii S_0jj), and the centre over the radius of gyration, are normal about the start with one deviation.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct InertiaPrior {
    /// Mass, the entries of the inertia, the centre.
    pub places: Vec<usize>,
    /// Number of entries of the inertia.
    entries: usize,
    start: Vec<f64>,
    deviation: f64,
}

impl InertiaPrior {
    /// Returns the residuals, one per unknown.
    pub fn residuals<S: Scalar>(&self, unknowns: &[S]) -> Vec<S> {
        let values: Vec<S> = self.places.iter().map(|&place| unknowns[place]).collect();
        let (centre, first) = (self.entries + 1, &self.start);
        let [own, from] = [&values, &first.iter().map(|value| S::constant(*value)).collect()]
            .map(|values| root(values[0], &values[1..centre]));
        let mut residuals = vec![(values[0] / first[0]).ln()];
        for &(row, column) in &ENTRIES[..self.entries] {
            let change = match row == column {
                true => (own[row][row] / from[row][row]).ln(),
                false => (own[row][column] - from[row][column]) / (from[row][row] * from[column][column]).sqrt(),
            };
            residuals.push(change);
        }
        let radius = (0.5 * (first[1] + first[2] + first[3]) / first[0]).sqrt();
        residuals
            .extend(values[centre..].iter().zip(&first[centre..]).map(|(value, start)| (*value - *start) / radius));
        residuals.into_iter().map(|residual| residual / self.deviation).collect()
    }

    /// Returns the residuals, and their derivatives by each of the places.
    pub fn linear(&self, unknowns: &[f64]) -> (Vec<f64>, Vec<Vec<f64>>) {
        let plain: Vec<Dual> = unknowns.iter().map(|value| Dual::constant(*value)).collect();
        let by = |&place: &usize| {
            let mut seeded = plain.clone();
            seeded[place] = Dual::variable(unknowns[place]);
            self.residuals(&seeded).iter().map(|residual| residual.derivative).collect()
        };
        (self.residuals(unknowns), self.places.iter().map(by).collect())
    }
}

/// Returns S, upper triangular, with m S S^T = tr(I)/2 1 - I, whose logarithms are the variables of `costate-optimize`.
fn root<S: Scalar>(mass: S, entries: &[S]) -> [[S; 3]; 3] {
    let entry = |k: usize| entries.get(k).copied().unwrap_or_default();
    let half = (entry(0) + entry(1) + entry(2)) * 0.5;
    let moment = |k: usize| (if k < 3 { half - entry(k) } else { -entry(k) }) / mass;
    let c = moment(2).sqrt();
    let (q, r) = (moment(4) / c, moment(5) / c);
    let b = (moment(1) - r * r).sqrt();
    let p = (moment(3) - q * r) / b;
    let a = (moment(0) - p * p - q * q).sqrt();
    let zero = S::default();
    [[a, p, q], [zero, b, r], [zero, zero, c]]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn prior(entries: usize) -> InertiaPrior {
        let start = [&[2.5, 0.05, 0.06, 0.04, 0.011, -0.007, 0.013][..=entries], &[0.1, -0.2, 0.3]].concat();
        InertiaPrior { places: (1..start.len() + 1).collect(), entries, start, deviation: 0.2 }
    }

    fn at(prior: &InertiaPrior, factor: f64) -> Vec<f64> {
        let own = prior.start.iter().enumerate().map(|(k, value)| value * (1.0 + factor * (k as f64).sin()));
        [vec![7.0], own.collect()].concat()
    }

    /// A body of twice the mass with the same form: its gyration is the same.
    #[test]
    fn a_change_of_mass_alone_is_one_residual() {
        for entries in [3, 6] {
            let prior = prior(entries);
            let mut unknowns = at(&prior, 0.0);
            assert!(prior.residuals(&unknowns).iter().all(|residual| residual.abs() < 1e-14));
            unknowns[1..2 + entries].iter_mut().for_each(|value| *value *= 2.0);
            let residuals = prior.residuals(&unknowns);
            assert!((residuals[0] - 2.0_f64.ln() / 0.2).abs() < 1e-13);
            assert!(residuals[1..].iter().all(|residual| residual.abs() < 1e-12), "{residuals:?}");
        }
    }

    /// Central differences of fourth order know the derivatives to 1e-10 of the largest one.
    #[test]
    fn derivatives_are_exact() {
        for entries in [3, 6] {
            let prior = prior(entries);
            let unknowns = at(&prior, 0.1);
            let (_, derivatives) = prior.linear(&unknowns);
            for (column, &place) in derivatives.iter().zip(&prior.places) {
                let width = 1e-3 * unknowns[place].abs();
                let moved = |by: f64| {
                    let mut unknowns = unknowns.clone();
                    unknowns[place] += by * width;
                    prior.residuals(&unknowns)
                };
                let [far_back, back, forth, far_forth] = [-2.0, -1.0, 1.0, 2.0].map(moved);
                let scale = column.iter().fold(0.0, |most: f64, entry| most.max(entry.abs()));
                for (row, exact) in column.iter().enumerate() {
                    let found = (far_back[row] - far_forth[row] + 8.0 * (forth[row] - back[row])) / (12.0 * width);
                    assert!((found - exact).abs() < 1e-9 * scale, "{place} {row}: {found} {exact}");
                }
            }
        }
    }
}
