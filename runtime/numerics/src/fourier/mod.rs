//! The discrete Fourier transform of signals of any length.
//!
//! It is that of `rustfft`, whose algorithms are generic: every crate that used them would compile all of them once
//! more.

use std::fmt;
use std::sync::Arc;

use rustfft::{Fft, FftPlanner};

pub use rustfft::num_complex::Complex;

/// The transform of one length and direction, without a factor: forward and backward together multiply by the length.
pub struct Transform {
    plan: Arc<dyn Fft<f64>>,
    scratch: Vec<Complex<f64>>,
}

impl Transform {
    /// X_k = sum_j x_j exp(-2 pi i j k / length).
    pub fn forward(length: usize) -> Self {
        Self::of(FftPlanner::new().plan_fft_forward(length))
    }

    /// x_j = sum_k X_k exp(2 pi i j k / length).
    pub fn backward(length: usize) -> Self {
        Self::of(FftPlanner::new().plan_fft_inverse(length))
    }

    fn of(plan: Arc<dyn Fft<f64>>) -> Self {
        let scratch = vec![Complex::default(); plan.get_inplace_scratch_len()];
        Self { plan, scratch }
    }

    /// Transforms every whole length of `values` in place; values after the last one stay as they are.
    pub fn apply(&mut self, values: &mut [Complex<f64>]) {
        let length = self.plan.len().max(1);
        let whole = values.len() / length * length;
        if let Some(whole) = values.get_mut(..whole) {
            self.plan.process_with_scratch(whole, &mut self.scratch);
        }
    }
}

impl fmt::Debug for Transform {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Transform").field("length", &self.plan.len()).finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_line_and_back() {
        for length in [1, 2, 7, 12, 64] {
            let line = 3 % length;
            let turn = |j: usize| 2.0 * std::f64::consts::PI * (j * line) as f64 / length as f64;
            let signal: Vec<Complex<f64>> = (0..length).map(|j| Complex::from_polar(1.0, turn(j))).collect();
            let mut values = signal.clone();
            Transform::forward(length).apply(&mut values);
            for (k, value) in values.iter().enumerate() {
                let expected = if k == line { length as f64 } else { 0.0 };
                assert!((value - expected).norm() < 1e-12 * length as f64, "{length}, line {k}: {value}");
            }
            Transform::backward(length).apply(&mut values);
            for (value, before) in values.iter().zip(&signal) {
                assert!((value / length as f64 - before).norm() < 1e-14 * length as f64);
            }
        }
    }

    #[test]
    fn what_is_shorter_stays() {
        let mut values = vec![Complex::new(1.0, 0.0); 3];
        Transform::forward(4).apply(&mut values);
        assert_eq!(values, [Complex::new(1.0, 0.0); 3]);
        Transform::forward(0).apply(&mut values);
    }
}
