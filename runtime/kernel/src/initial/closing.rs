//! Closing a mechanism from far away, where Newton's method fails.
//!
//! The open positions x_o minimise the augmented Lagrangian |x_o - n_o|^2/2 + kappa^T c + rho |c|^2/2, so
//! that the solution is near to n_o; the multipliers kappa are updated with the constraints c, whose rows are
//! scaled once. Each minimum is sought within a trust region with all second derivatives: they lead away from
//! stretched positions, where a search with first derivatives stops.

use nalgebra::{DMatrix, DVector, SymmetricEigen};

use costate_numerics::linalg::dense;
use costate_numerics::scalar::Scalar;
use costate_system::model::{Argument, Function, Group};
use costate_system::system::StateVectors;

use super::level::Level;
use super::system::StartSystem;

/// Gradient that is left at a minimum, relative to the violation at the beginning: minima for multipliers that are not
/// yet those of the solution need no more.
const MAX_GRADIENT: f64 = 1e-3;

/// Moves open positions from `near` until they nearly satisfy the constraints; returns true if they do. The
/// state's multipliers are then approximately those of the projection.
pub(super) fn close<S: Scalar>(
    system: &StartSystem<'_, S>,
    open: &[usize],
    near: &[S],
    state: &mut StateVectors<S>,
) -> bool {
    /// Largest number of open positions: eigenvalues of larger full matrices take too long.
    const MAX_OPEN: usize = 300;
    /// Largest relative increase of n_o, which grows with the order of coordinates: equal parts with equal values
    /// separate by this order, not by rounding.
    const MAX_INCREASE: f64 = 1e-6;
    if open.is_empty() || open.len() > MAX_OPEN {
        return false;
    }
    for (&j, near) in open.iter().zip(near) {
        state.coordinates[j] = *near;
    }
    state.multipliers.fill(S::default());
    let ordered = |(i, near): (usize, &S)| near.real() * (1.0 + MAX_INCREASE * (i + 1) as f64 / open.len() as f64);
    let near = DVector::from_iterator(open.len(), near.iter().enumerate().map(ordered));
    let jacobian = system.matrices(Group::Linearization, state).matrix(Function::Constraint, Argument::Coordinates);
    let norms = jacobian.select_columns(open).row_norms().into_iter();
    let scales = norms.map(|norm| if norm > 0.0 && norm.is_finite() { 1.0 / norm } else { 1.0 });
    let mut search = Search { system, open, near, scales: DVector::from_iterator(jacobian.rows(), scales), state };
    search.run().unwrap_or(false)
}

struct Search<'a, S: Scalar> {
    system: &'a StartSystem<'a, S>,
    open: &'a [usize],
    near: DVector<f64>,
    scales: DVector<f64>,
    state: &'a mut StateVectors<S>,
}

impl<S: Scalar> Search<'_, S> {
    /// Returns true if the constraints are nearly satisfied, `None` where something is not finite.
    fn run(&mut self) -> Option<bool> {
        /// Largest number of minima sought one after another.
        const MAX_ROUNDS: usize = 40;
        /// Violation from which the projection continues, relative to the violation at the beginning.
        const MAX_VIOLATION: f64 = 1e-7;
        /// Factor by which the violation must fall in a round; else its weight grows.
        const REQUIRED_DECREASE: f64 = 0.25;
        const WEIGHT_GROWTH: f64 = 10.0;
        const MAX_WEIGHT: f64 = 1e9;
        let mut x = self.near.clone();
        let start = self.violation(&x)?.norm();
        let mut kappa = DVector::zeros(self.scales.len());
        let (mut weight, mut before, mut region) = (1.0, start, start);
        for _ in 0..MAX_ROUNDS {
            self.minimise(&mut x, &kappa, weight, start, &mut region)?;
            let violation = self.violation(&x)?;
            kappa += &violation * weight;
            let left = violation.norm();
            if left <= MAX_VIOLATION * start || weight > MAX_WEIGHT {
                let multipliers = kappa.component_mul(&self.scales);
                for (multiplier, kappa) in self.state.multipliers.iter_mut().zip(multipliers.iter()) {
                    multiplier.set_component(0, *kappa);
                }
                return Some(left <= MAX_VIOLATION * start);
            }
            if left > REQUIRED_DECREASE * before {
                weight *= WEIGHT_GROWTH;
            }
            before = left;
            region = region.max(MAX_GRADIENT * start);
        }
        Some(false)
    }

    /// Moves x to a minimum for these multipliers.
    fn minimise(
        &mut self,
        x: &mut DVector<f64>,
        kappa: &DVector<f64>,
        weight: f64,
        size: f64,
        region: &mut f64,
    ) -> Option<()> {
        /// Largest number of steps towards a minimum.
        const MAX_STEPS: usize = 100;
        for _ in 0..MAX_STEPS {
            let violation = self.violation(x)?;
            let multipliers = kappa + &violation * weight;
            let (jacobian, curvature) = self.derivatives(&multipliers);
            let gradient = &*x - &self.near + jacobian.tr_mul(&multipliers);
            if gradient.norm() <= MAX_GRADIENT * size || *region <= f64::EPSILON * size {
                break;
            }
            let second = DMatrix::identity(x.len(), x.len()) + jacobian.tr_mul(&jacobian) * weight + curvature;
            let step = within(&gradient, &second, *region)?;
            let foreseen = -(gradient.dot(&step) + 0.5 * step.dot(&(&second * &step)));
            let value = self.value(x, &violation, kappa, weight);
            let next = &*x + &step;
            let gain = match self.violation(&next) {
                Some(violation) => value - self.value(&next, &violation, kappa, weight),
                None => f64::NEG_INFINITY,
            };
            if gain < 0.25 * foreseen {
                *region = 0.25 * step.norm();
            } else if gain > 0.75 * foreseen {
                *region = region.max(2.0 * step.norm());
            }
            if gain > 0.1 * foreseen {
                *x = next;
            } else {
                self.violation(x)?;
                if foreseen <= f64::EPSILON * value.abs() {
                    break;
                }
            }
        }
        Some(())
    }

    fn value(&self, x: &DVector<f64>, violation: &DVector<f64>, kappa: &DVector<f64>, weight: f64) -> f64 {
        0.5 * (x - &self.near).norm_squared() + kappa.dot(violation) + 0.5 * weight * violation.norm_squared()
    }

    /// Evaluates the scaled constraints at x, and sets the state to x; `None` where one is not finite.
    fn violation(&mut self, x: &DVector<f64>) -> Option<DVector<f64>> {
        for (&j, x) in self.open.iter().zip(x.iter()) {
            self.state.coordinates[j].set_component(0, *x);
        }
        let constraint = Level::Positions.constraint(self.system, self.state);
        let scaled = constraint.iter().zip(self.scales.iter()).map(|(value, scale)| value.real() * scale);
        let scaled = DVector::from_iterator(self.scales.len(), scaled);
        scaled.iter().all(|value| value.is_finite()).then_some(scaled)
    }

    /// Evaluates the scaled C_o, and the second derivatives of the constraints with these multipliers.
    fn derivatives(&mut self, multipliers: &DVector<f64>) -> (DMatrix<f64>, DMatrix<f64>) {
        let scaled = multipliers.component_mul(&self.scales);
        for (multiplier, scaled) in self.state.multipliers.iter_mut().zip(scaled.iter()) {
            multiplier.set_component(0, *scaled);
        }
        let matrices = self.system.matrices(Group::Linearization, self.state);
        let mut jacobian = matrices.matrix(Function::Constraint, Argument::Coordinates).select_columns(self.open);
        jacobian.scale_rows(self.scales.as_slice());
        let curvature = matrices.matrix(Function::ConstraintForce, Argument::Coordinates).select(self.open);
        (jacobian.dense(), curvature.dense())
    }
}

/// Returns the step of at most this length to the least value of a quadratic function; `None` where something
/// is not finite.
fn within(gradient: &DVector<f64>, second: &DMatrix<f64>, region: f64) -> Option<DVector<f64>> {
    const HALVINGS: usize = 100;
    if second.iter().chain(gradient.iter()).any(|entry| !entry.is_finite()) {
        return None;
    }
    let SymmetricEigen { eigenvalues, eigenvectors } = dense::symmetric_eigen(second.clone());
    let along = eigenvectors.tr_mul(gradient);
    let step = |shift: f64| along.zip_map(&eigenvalues, |along, value| -along / (value + shift));
    let least = eigenvalues.min();
    let free = step(0.0);
    if least > 0.0 && free.norm() <= region {
        return Some(eigenvectors * free);
    }
    // the shift that gives the largest allowed step lies between these
    let (mut low, mut high) = ((-least).max(0.0), (-least).max(0.0) + gradient.norm() / region);
    for _ in 0..HALVINGS {
        let middle = 0.5 * (low + high);
        if middle <= low || middle >= high {
            break;
        }
        let length = step(middle).norm();
        if length <= region { high = middle } else { low = middle }
    }
    let step = step(high);
    step.iter().all(|entry| entry.is_finite()).then(|| eigenvectors * step)
}

#[cfg(test)]
mod tests {
    use nalgebra::{DMatrix, DVector};

    use super::within;

    fn vector(entries: [f64; 2]) -> DVector<f64> {
        DVector::from_row_slice(&entries)
    }

    #[test]
    fn steps_go_to_the_minimum_or_to_the_rim() {
        let (gradient, convex) = (vector([2.0, -1.0]), DMatrix::from_row_slice(2, 2, &[4.0, 0.0, 0.0, 1.0]));
        assert!((within(&gradient, &convex, 2.0).unwrap() - vector([-0.5, 1.0])).norm() < 1e-14);
        let short = within(&gradient, &convex, 0.1).unwrap();
        assert!((short.norm() - 0.1).abs() < 1e-12 && short.dot(&gradient) < 0.0, "{short}");
        // away from a saddle, along the direction that falls, and further than the gradient alone would lead
        let saddle = within(&vector([0.0, 1e-3]), &DMatrix::from_row_slice(2, 2, &[1.0, 0.0, 0.0, -1.0]), 0.5).unwrap();
        assert!((saddle - vector([0.0, -0.5])).norm() < 1e-12);
        assert_eq!(within(&vector([f64::NAN, 0.0]), &convex, 1.0), None);
    }
}
