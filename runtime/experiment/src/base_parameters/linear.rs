//! The numbers in which equations of motion are linear, made of the parameters of a model.

use nalgebra::DMatrix;

use costate_system::body_inertia::BodyInertia;
use costate_system::identifiers::Parameter;

/// One of the numbers in which forces are linear: a parameter, or the first moment or the inertia about the origin of a
/// body.
#[derive(Debug, Clone, PartialEq)]
pub struct LinearParameter {
    /// Name, such as `m`, `m*c_x` or `i_xx at the origin`.
    pub name: String,
    /// Unit.
    pub unit: String,
    /// Value with the parameters of the simulation.
    pub value: f64,
}

/// Row and column of the entries of a matrix of inertia, in the order xx, yy, zz, xy, xz, yz.
const ENTRIES: [(usize, usize); 6] = [(0, 0), (1, 1), (2, 2), (0, 1), (0, 2), (1, 2)];

/// The unknown parameters, each of which is linear itself or one of the ten of a body.
#[derive(Debug, Clone)]
pub(super) struct LinearForm {
    /// All unknown parameters, in the order of rows and columns.
    pub parameters: Vec<Parameter>,
    /// Places of the ten parameters of every body with all of them: mass, six entries of the inertia, centre.
    bodies: Vec<[usize; 10]>,
}

impl LinearForm {
    /// Collects parameters, and bodies of which those with all ten parameters are transformed.
    pub fn new(unknown: Vec<Parameter>, bodies: &[BodyInertia]) -> Self {
        let (mut parameters, mut found) = (unknown, Vec::new());
        for body in bodies {
            let places = body.parameters().into_iter().map(|parameter| {
                let known = parameters.iter().position(|other| *other == parameter);
                known.unwrap_or_else(|| {
                    parameters.push(parameter);
                    parameters.len() - 1
                })
            });
            found.extend(<[usize; 10]>::try_from(places.collect::<Vec<_>>()));
        }
        Self { parameters, bodies: found }
    }

    /// Returns the linear numbers at these values of the unknown parameters.
    pub fn values(&self, values: &[f64]) -> Vec<f64> {
        let mut linear = values.to_vec();
        for body in &self.bodies {
            let Body { mass, center, .. } = Body::of(body, values);
            for (&place, c) in body[7..].iter().zip(center) {
                linear[place] = mass * c;
            }
            for (&place, steiner) in body[1..7].iter().zip(steiner(center)) {
                linear[place] += mass * steiner;
            }
        }
        linear
    }

    /// Returns the derivatives of the linear numbers by the parameters, at these values of the parameters.
    pub fn derivatives(&self, values: &[f64]) -> DMatrix<f64> {
        let mut matrix = DMatrix::identity(values.len(), values.len());
        for body in &self.bodies {
            let Body { mass, center, .. } = Body::of(body, values);
            for (&row, steiner) in body[1..7].iter().zip(steiner(center)) {
                matrix[(row, body[0])] = steiner;
            }
            for axis in 0..3 {
                let column = body[7 + axis];
                matrix[(column, column)] = mass;
                matrix[(column, body[0])] = center[axis];
                for (&row, slope) in body[1..7].iter().zip(steiner_slope(center, axis)) {
                    matrix[(row, column)] = mass * slope;
                }
            }
        }
        matrix
    }

    /// Returns the place of the mass of a body that has none, and therefore no centre.
    pub fn massless(&self, values: &[f64]) -> Option<usize> {
        self.bodies.iter().map(|body| body[0]).find(|&mass| values[mass] == 0.0)
    }

    /// Names the linear numbers.
    pub fn named(&self, values: &[f64]) -> Vec<LinearParameter> {
        let own = |(parameter, value): (&Parameter, f64)| LinearParameter {
            name: parameter.name().to_owned(),
            unit: parameter.quantity().unit.to_owned(),
            value,
        };
        let mut named: Vec<_> = self.parameters.iter().zip(self.values(values)).map(own).collect();
        for body in &self.bodies {
            let mass = named[body[0]].name.clone();
            for &place in &body[1..7] {
                named[place].name += " at the origin";
            }
            for &place in &body[7..] {
                let of = &mut named[place];
                (of.name, of.unit) = (format!("{mass}*{}", of.name), "kg*m".to_owned());
            }
        }
        named
    }
}

/// Mass and centre of a body.
struct Body {
    mass: f64,
    center: [f64; 3],
}

impl Body {
    fn of(places: &[usize; 10], values: &[f64]) -> Self {
        Self { mass: values[places[0]], center: [7, 8, 9].map(|place| values[places[place]]) }
    }
}

/// Returns the inertia about the origin of a unit mass at c, c.c 1 - c c^T.
fn steiner(c: [f64; 3]) -> [f64; 6] {
    let square: f64 = c.iter().map(|c| c * c).sum();
    ENTRIES.map(|(row, column)| if row == column { square - c[row] * c[row] } else { -c[row] * c[column] })
}

/// Returns the derivative of [`steiner`] by one coordinate of c.
fn steiner_slope(c: [f64; 3], axis: usize) -> [f64; 6] {
    let unit = |index: usize| if index == axis { 1.0 } else { 0.0 };
    ENTRIES.map(|(row, column)| {
        let square = if row == column { 2.0 * c[axis] } else { 0.0 };
        square - unit(row) * c[column] - c[row] * unit(column)
    })
}
