//! Positions and weights of sigma points (KE appendix D).

use costate_numerics::scalar::out_of_range::require;
use costate_system::state_space::FilterError;

/// The scaled sigma points of the unscented transformation.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SigmaPoints {
    /// Spread p_alpha in [1e-4, 1].
    pub alpha: f64,
    /// p_beta, what is known of the distribution; 2 is best for a normal one.
    pub beta: f64,
    /// p_kappa, 0 in filters; above -n.
    pub kappa: f64,
}

impl Default for SigmaPoints {
    /// alpha = 1, beta = 2, kappa = 0: all weights are positive, so that no covariance can lose its definiteness.
    fn default() -> Self {
        Self { alpha: 1.0, beta: 2.0, kappa: 0.0 }
    }
}

/// Weights of 2n + 1 sigma points.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SigmaWeights {
    /// Distance of the points from the mean in columns of the covariance's factor, sqrt(n + lambda) (KE D.1).
    pub spread: f64,
    /// Weight of the central point in means (KE D.3).
    pub central_mean: f64,
    /// Weight of the central point in covariances (KE D.4).
    pub central_covariance: f64,
    /// Weight of all other points (KE D.5).
    pub other: f64,
}

impl SigmaPoints {
    /// The weights for a random vector of length `n`.
    ///
    /// # Errors
    /// [`FilterError::OutOfRange`].
    pub fn weights(&self, n: usize) -> Result<SigmaWeights, FilterError> {
        let n = n as f64;
        require("alpha", self.alpha, (1e-4..=1.0).contains(&self.alpha), "between 1e-4 and 1")?;
        require("beta", self.beta, self.beta.is_finite(), "finite")?;
        let has_weight = n + self.kappa > 0.0 && self.kappa.is_finite();
        require("kappa", self.kappa, has_weight, "finite and above -n, n the number of states")?;
        let alpha2 = self.alpha * self.alpha;
        // n + lambda
        let sum = alpha2 * (n + self.kappa);
        let central_mean = (sum - n) / sum;
        Ok(SigmaWeights {
            spread: sum.sqrt(),
            central_mean,
            central_covariance: central_mean - alpha2 + self.beta + 1.0,
            other: 0.5 / sum,
        })
    }
}
