//! The exact solution over an interval of constant input.

use nalgebra::{DMatrix, DVector};

use super::error::SwitchingError;

/// Norm of the exponent at which the series is summed; longer intervals are doubled from there.
const MAX_SERIES_NORM: f64 = 0.5;

/// With e = (z, 1) and e' = F e: Phi = exp(F d) and G = int_0^d exp(F^T s) W exp(F s) ds.
///
/// F = [[A, b u + c], [0, 0]] suits an A without an inverse, as A^-1 b of OB (5.19) does not.
#[derive(Debug, Clone)]
pub(super) struct Flow {
    pub transition: DMatrix<f64>,
    pub gramian: DMatrix<f64>,
}

impl Flow {
    /// Over the time `duration` >= 0. G by Van Loan's exponential (IEEE Trans. Automatic Control 23, 1978) of a short
    /// time, doubled with G(2d) = G(d) + Phi(d)^T G(d) Phi(d): sums without the cancellation of exp(-F^T d) in a long
    /// one.
    pub fn new(system: &DMatrix<f64>, weight: &DMatrix<f64>, duration: f64) -> Self {
        let n = system.nrows();
        let norm = (0..n).map(|k| system.column(k).lp_norm(1) * duration).fold(0.0, f64::max);
        let doublings =
            if norm > MAX_SERIES_NORM { (norm / MAX_SERIES_NORM).log2().ceil().min(1000.0) as i32 } else { 0 };
        let short = duration * 2.0_f64.powi(-doublings);
        let mut exponent = DMatrix::zeros(2 * n, 2 * n);
        exponent.view_mut((0, 0), (n, n)).copy_from(&(system.transpose() * -short));
        exponent.view_mut((0, n), (n, n)).copy_from(&(weight * short));
        exponent.view_mut((n, n), (n, n)).copy_from(&(system * short));
        let exponential = exponent.exp();
        let mut transition = exponential.view((n, n), (n, n)).into_owned();
        let mut gramian = transition.transpose() * exponential.view((0, n), (n, n));
        for _ in 0..doublings {
            gramian += transition.transpose() * &gramian * &transition;
            transition = &transition * &transition;
        }
        Self { transition, gramian }
    }

    /// e at the end.
    pub fn forward(&self, state: &DVector<f64>) -> DVector<f64> {
        &self.transition * state
    }

    /// p at the start from p at the end and e at the start: p' = W e - F^T p.
    pub fn backward(&self, adjoint: &DVector<f64>, state: &DVector<f64>) -> DVector<f64> {
        self.transition.transpose() * adjoint - &self.gramian * state
    }

    /// -1/2 int e^T W e dt.
    pub fn cost(&self, state: &DVector<f64>) -> f64 {
        -0.5 * state.dot(&(&self.gramian * state))
    }

    pub fn check(&self) -> Result<(), SwitchingError> {
        let finite = self.transition.iter().chain(self.gramian.iter()).all(|entry| entry.is_finite());
        if finite { Ok(()) } else { Err(SwitchingError::Overflow) }
    }
}
