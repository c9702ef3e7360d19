//! Probabilistic transformation of random variables (KE 1.6.2): mean and covariance of Y = h(X), and the
//! cross covariance with X.

mod linearized;
mod monte_carlo;
mod sigma_points;
mod unscented;

use nalgebra::{DMatrix, DVector};

use costate_system::state_space::{FilterError, Gaussian, check_covariance, check_finite, check_matrices, entries};

pub use sigma_points::{SigmaPoints, SigmaWeights};

/// A random vector by its mean and a triangular factor S of its covariance S S^T, which may be singular.
#[derive(Debug)]
pub struct Factored<'a> {
    /// The mean.
    pub mean: &'a [f64],
    /// S of the covariance S S^T.
    pub factor: &'a DMatrix<f64>,
}

/// The function h of a transformation.
pub trait VectorFunction {
    /// Returns the length of y.
    fn length(&self) -> usize;
    /// Evaluates y = h(x).
    fn value(&self, x: &[f64], y: &mut [f64]);
    /// Evaluates H = dh/dx (length x n), for the linearised transformation only.
    fn jacobian(&self, x: &[f64], matrix: &mut DMatrix<f64>);
}

/// The result of a transformation Y = h(X) (KE 1.29).
#[derive(Debug, Clone, PartialEq)]
pub struct Transformed {
    /// Mean y.
    pub mean: DVector<f64>,
    /// Covariance P_Y.
    pub covariance: DMatrix<f64>,
    /// Cross covariance P_XY (n x length of y).
    pub cross_covariance: DMatrix<f64>,
}

/// The method of transforming a random vector, Phi of KE (1.29).
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Transformation {
    /// Linearisation of the function at the mean (KE 1.34 to 1.37): exact for linear functions.
    Linearized,
    /// 2n + 1 sigma points (KE 1.38 to 1.42): the mean is exact for polynomials of third degree.
    Unscented(SigmaPoints),
    /// Random samples of a normal distribution (KE 1.30 to 1.33); the error decreases with the root of their
    /// number.
    MonteCarlo {
        /// Number of samples, 2 or more.
        samples: usize,
        /// Seed of the generator; the same seed gives the same result.
        seed: u64,
    },
}

impl Transformation {
    /// Computes mean and covariance of h(X).
    ///
    /// # Errors
    /// [`FilterError`] for a mean and a covariance of no random vector, weights that cannot be used, fewer
    /// than two samples, and more components than the machine has memory for.
    pub fn transform(&self, x: &Gaussian, h: &impl VectorFunction) -> Result<Transformed, FilterError> {
        check_finite("mean", x.mean.as_slice())?;
        let (n, length) = (x.mean.len(), h.length());
        // values at all points, two covariances, the cross covariance, a factor
        let parts =
            [entries(length, 2 * n + 1), entries(2, entries(length, length)), entries(n, length), entries(n, n)];
        check_matrices((length, "components"), parts.into_iter().fold(0, usize::saturating_add))?;
        let factor = check_covariance("covariance", &x.covariance, n, false)?;
        self.transform_factored(&Factored { mean: x.mean.as_slice(), factor: &factor }, h)
    }

    /// Computes mean and covariance of h(X), where the factor of the covariance of X is known.
    #[doc(hidden)]
    pub fn transform_factored(&self, x: &Factored<'_>, h: &impl VectorFunction) -> Result<Transformed, FilterError> {
        match *self {
            Self::Linearized => Ok(linearized::transform(x, h)),
            Self::Unscented(points) => unscented::transform(x, h, points),
            Self::MonteCarlo { samples, seed } => monte_carlo::transform(x, h, samples, seed),
        }
    }
}
