//! Eigenvalues of the equations about a state, in which zeros are told from numbers that are small beside the largest one.

use nalgebra::{Complex, DMatrix, DVector};

use crate::EquilibriumError;
use crate::minimal::Minimal;
use crate::model::Description;
use crate::state_matrix::StateMatrix;

/// Part of the largest eigenvalue below which an eigenvalue may be a zero: double zeros have the root of the rounding of numbers.
const SMALL: f64 = 1e-6;
/// Part of an eigenvalue above which its growth may be more than the rounding of its own size.
const GROWTH: f64 = 1e-10;
/// Part of the largest stiffness or damping, over masses, below which a motion has none.
const WITHOUT: f64 = 1e-12;

impl Minimal {
    /// Computes the eigenvalues in 1/s, both members of complex pairs.
    ///
    /// Those of motions without stiffness are exactly 0. The other small ones, and those that grow slowly beside the largest one, have lost
    /// digits to it, and are improved by their vectors.
    ///
    /// # Errors
    /// [`EquilibriumError::Undetermined`] for a motion without mass, damper and spring; [`EquilibriumError::NoEigenvalues`].
    pub fn eigenvalues(&self, model: &Description) -> Result<Vec<Complex<f64>>, EquilibriumError> {
        let none = DMatrix::zeros(self.degrees_of_freedom(), 0);
        let mut all = StateMatrix::of(self, &none, model)?.eigenvalues()?;
        all.sort_by(|one, other| one.norm().total_cmp(&other.norm()));
        let limit = SMALL * all.last().map_or(0.0, |value| value.norm());
        let small = all.iter().take_while(|value| value.norm() <= limit).count();
        let zeros = if small > 0 { self.zeros().min(small) } else { 0 };
        for (place, value) in all.iter_mut().enumerate() {
            if place < zeros {
                *value = Complex::new(0.0, 0.0);
            } else if place < small || (value.re > GROWTH * value.norm() && value.re <= limit) {
                *value = self.improved(*value);
            }
        }
        Ok(all)
    }

    /// Counts the zeros among the eigenvalues: one for every motion x with K x = 0, and another one if dampers do not act on it either.
    fn zeros(&self) -> usize {
        let size = self.degrees_of_freedom();
        // what is left where large terms cancel is small beside the others, not beside its own row
        let scale = |k: usize| {
            let of_row = |matrix: &DMatrix<f64>| matrix.row(k).amax();
            let sizes = [self.mass[(k, k)].abs(), of_row(&self.stiffness), of_row(&self.damping)];
            sizes.into_iter().find(|size| *size > 0.0).map_or(1.0, |size| 1.0 / size.sqrt())
        };
        let scales: Vec<f64> = (0..size).map(scale).collect();
        let scaled = |matrix: &DMatrix<f64>| {
            DMatrix::from_fn(size, size, |i, j| scales[i] * matrix[(i, j)] * scales[j])
        };
        let decomposed = scaled(&self.stiffness).svd(true, true);
        let values = &decomposed.singular_values;
        let free: Vec<usize> = (0..size).filter(|&k| values[k] <= WITHOUT * values.amax()).collect();
        if free.is_empty() {
            return 0;
        }
        let (u, v_t) = (decomposed.u.unwrap_or_default(), decomposed.v_t.unwrap_or_default());
        let left = DMatrix::from_fn(free.len(), size, |k, i| u[(i, free[k])]);
        let right = DMatrix::from_fn(size, free.len(), |i, k| v_t[(free[k], i)]);
        let damping = scaled(&self.damping);
        let terms = damping.amax();
        let damping = left * damping * right;
        let damped = damping.svd(false, false).singular_values;
        2 * free.len() - damped.iter().filter(|value| **value > WITHOUT * terms).count()
    }

    /// Improves an eigenvalue by the quotient of its two vectors; returns it as it is if this leads away.
    fn improved(&self, value: Complex<f64>) -> Complex<f64> {
        const ROUNDS: usize = 12;
        let mut s = value;
        for _ in 0..ROUNDS {
            let Some(change) = self.correction(s) else { return value };
            s -= change;
            if change.norm().is_nan() || (s - value).norm() > 0.5 * value.norm() {
                return value;
            }
            if change.norm() <= 1e-13 * s.norm() {
                break;
            }
        }
        if value.im == 0.0 { Complex::new(s.re, 0.0) } else { s }
    }

    /// y^T Q(s) x/y^T Q'(s) x, of the vectors x and y to which Q(s) = s^2 M + s D + K is nearly singular.
    fn correction(&self, s: Complex<f64>) -> Option<Complex<f64>> {
        let size = self.degrees_of_freedom();
        // beside s, where the matrix is regular
        let beside = self.dynamic_stiffness(s * Complex::new(1.0 + 1e-9, 0.7e-9));
        let largest = |k: usize| {
            let term = |j: usize| {
                let at = (k, j);
                let by_rates = s.norm() * (s.norm() * self.mass[at].abs() + self.damping[at].abs());
                by_rates + self.stiffness[at].abs()
            };
            (0..size).map(term).fold(0.0, f64::max)
        };
        let scale: Vec<f64> = (0..size).map(largest).collect();
        let scale: Vec<f64> =
            scale.into_iter().map(|term| if term > 0.0 { 1.0 / term.sqrt() } else { 1.0 }).collect();
        let scaled = |matrix: &DMatrix<Complex<f64>>| {
            DMatrix::from_fn(size, size, |i, j| matrix[(i, j)] * (scale[i] * scale[j]))
        };
        let null_vector = |matrix: DMatrix<Complex<f64>>| {
            let factors = matrix.lu();
            // any vector that no symmetry makes orthogonal to the wanted one
            let start =
                |k: usize, _| Complex::new(1.0 + (0.7 * k as f64).sin(), 0.3 * (1.3 * k as f64).cos());
            let mut vector = DVector::from_fn(size, start);
            for _ in 0..3 {
                vector = factors.solve(&vector)?;
                let norm = vector.norm();
                vector.unscale_mut(norm);
            }
            Some(vector)
        };
        let right = null_vector(scaled(&beside))?;
        let left = null_vector(scaled(&beside.transpose()))?;
        let slope = DMatrix::from_fn(size, size, |i, j| s * 2.0 * self.mass[(i, j)] + self.damping[(i, j)]);
        let form = |matrix: &DMatrix<Complex<f64>>| left.dot(&(scaled(matrix) * &right));
        Some(form(&self.dynamic_stiffness(s)) / form(&slope))
    }
}
