//! The roughness of a table, as a sum of squares of linear functions of its values.

use nalgebra::DMatrix;

use super::error::PriorError;
use super::form::LinearForm;
use crate::table::{Curve, Interpolation, Surface};

/// A sum of squares of linear functions of a table's values.
#[derive(Debug, Clone, PartialEq)]
pub struct Roughness {
    values: usize,
    residuals: Vec<LinearForm>,
}

impl Roughness {
    /// The functions whose squares are added: residuals of a least squares problem.
    pub fn residuals(&self) -> &[LinearForm] {
        &self.residuals
    }

    /// The sum for these values.
    pub fn value(&self, values: &[f64]) -> f64 {
        self.residuals.iter().map(|residual| residual.of(values).powi(2)).sum()
    }

    /// The derivatives of the roughness with respect to the values.
    pub fn gradient(&self, values: &[f64]) -> Vec<f64> {
        let mut gradient = vec![0.0; self.values];
        for residual in &self.residuals {
            let size = 2.0 * residual.of(values);
            residual.coefficients.iter().for_each(|&(i, factor)| gradient[i] += size * factor);
        }
        gradient
    }

    /// The Gram matrix R of the residuals: the sum is `values^T R values`.
    pub fn gram(&self) -> DMatrix<f64> {
        let mut gram = DMatrix::zeros(self.values, self.values);
        for residual in &self.residuals {
            for &(i, left) in &residual.coefficients {
                for &(j, right) in &residual.coefficients {
                    gram[(i, j)] += left * right;
                }
            }
        }
        gram
    }
}

/// The integral of the squared second derivative of a curve over its knots, exactly that of the spline. The last value
/// of a period counts as the first. A curve that is no spline has the roughness of the spline through its values.
pub fn roughness(curve: &Curve) -> Roughness {
    let curve = &curve.clone().interpolated(Interpolation::Spline);
    let residuals = curve.intervals().flat_map(|(interval, length)| {
        let second = |start: bool| {
            // of the cubic between value and slope at both ends
            let [at_start, at_end] = if start { [-4.0, -2.0] } else { [2.0, 4.0] };
            let of_value = if start { 6.0 } else { -6.0 } / (length * length);
            [-of_value, at_start / length, of_value, at_end / length]
        };
        let (a, b) = (second(true), second(false));
        // from a to b in a straight line: h/3 (a^2 + a b + b^2) = h/4 (a + b)^2 + h/12 (a - b)^2
        [(0.5 * length.sqrt(), 1.0), ((length / 12.0).sqrt(), -1.0)].map(|(factor, sign)| {
            let of_nodes: [f64; 4] = std::array::from_fn(|i| factor * (a[i] + sign * b[i]));
            LinearForm::new(curve.by_interval(interval, of_nodes).into_iter().enumerate())
        })
    });
    Roughness { values: curve.values().len(), residuals: residuals.collect() }
}

/// The integral of `f_xx^2 + 2 f_xy^2 + f_yy^2` of a surface over its knots by differences, of arguments in units of
/// the lengths `scales`.
///
/// # Errors
/// [`PriorError::Scale`] for a length that is not positive and finite.
pub fn surface_roughness(surface: &Surface, scales: [f64; 2]) -> Result<Roughness, PriorError> {
    for (value, axis) in scales.into_iter().zip(["first", "second"]) {
        if !(value > 0.0 && value.is_finite()) {
            return Err(PriorError::Scale { axis, value });
        }
    }
    let [x, y] = surface.knots();
    let scaled = |knots: &[f64], scale: f64| knots.iter().map(|knot| knot / scale).collect::<Vec<f64>>();
    let (x, y) = (scaled(&x, scales[0]), scaled(&y, scales[1]));
    let at = |i: usize, j: usize| i * y.len() + j;
    let mut residuals = Vec::new();
    for j in 0..y.len() {
        let width = share(&y, j);
        residuals.extend((1..x.len() - 1).map(|i| bend(&x, i, width, |i| at(i, j))));
    }
    for i in 0..x.len() {
        let width = share(&x, i);
        residuals.extend((1..y.len() - 1).map(|j| bend(&y, j, width, |j| at(i, j))));
    }
    for i in 1..x.len() {
        for j in 1..y.len() {
            let weight = (2.0 / ((x[i] - x[i - 1]) * (y[j] - y[j - 1]))).sqrt();
            residuals.push(LinearForm::new([
                (at(i - 1, j - 1), weight),
                (at(i - 1, j), -weight),
                (at(i, j - 1), -weight),
                (at(i, j), weight),
            ]));
        }
    }
    Ok(Roughness { values: x.len() * y.len(), residuals })
}

/// The length that a knot stands for.
fn share(knots: &[f64], i: usize) -> f64 {
    let before = if i > 0 { knots[i] - knots[i - 1] } else { 0.0 };
    let after = knots.get(i + 1).map_or(0.0, |next| next - knots[i]);
    0.5 * (before + after)
}

/// The second derivative at an inner knot, times the root of the area that it stands for.
fn bend(knots: &[f64], i: usize, width: f64, at: impl Fn(usize) -> usize) -> LinearForm {
    let (left, right) = (knots[i] - knots[i - 1], knots[i + 1] - knots[i]);
    let weight = (width / share(knots, i)).sqrt();
    let (before, after) = (weight / left, weight / right);
    LinearForm::new([(at(i - 1), before), (at(i), -before - after), (at(i + 1), after)])
}
