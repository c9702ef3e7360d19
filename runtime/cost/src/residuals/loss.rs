//! Losses of residuals, robust ones among them.

use serde::{Deserialize, Serialize};

use crate::residuals::error::ResidualError;

/// A loss rho of a residual in units of its standard deviation, x = r/sigma, with rho = x^2/2 near zero.
///
/// Least squares follow outliers; the other losses limit the influence of a residual far from zero (Huber, Ronchetti,
/// Robust Statistics; Holland, Welsch, Comm. Statist. A 6, 1977). With its usual constant each has 95 % of the
/// efficiency of least squares if the noise is Gaussian after all ([`efficiency`](Loss::efficiency)). The standard
/// deviation has to be that of the good samples, such as [`normalised_mad`](crate::residuals::normalised_mad).
///
/// Thresholds and scales are positive ([`check`](Loss::check)); with others values are meaningless, but no
/// function panics.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub enum Loss {
    /// rho = x^2/2.
    Squares,
    /// Huber's loss: x^2/2 up to the threshold k, k |x| - k^2/2 above; convex.
    Huber {
        /// The threshold k, in standard deviations.
        threshold: f64,
    },
    /// Cauchy's loss (Lorentz's): c^2/2 ln(1 + (x/c)^2); residuals far from zero have no influence in the limit.
    Cauchy {
        /// The scale c, in standard deviations.
        scale: f64,
    },
    /// Student's loss: nu/2 ln(1 + x^2/nu). It is the negative logarithm of the density of Student's distribution
    /// with scale sigma, (nu + 1)/2 ln(1 + x^2/nu), times nu/(nu + 1), so that it is x^2/2 near zero; it equals
    /// Cauchy's loss with c = sqrt(nu).
    Student {
        /// Degrees of freedom nu, not necessarily an integer.
        degrees_of_freedom: f64,
    },
}

impl Loss {
    /// Huber's loss with threshold 1.345: 95 % efficiency.
    pub const fn huber() -> Self {
        Self::Huber { threshold: 1.345 }
    }

    /// Cauchy's loss with scale 2.385: 95 % efficiency.
    pub const fn cauchy() -> Self {
        Self::Cauchy { scale: 2.385 }
    }

    /// Student's loss; 5.69 degrees of freedom give 95 % efficiency.
    pub const fn student(degrees_of_freedom: f64) -> Self {
        Self::Student { degrees_of_freedom }
    }

    /// Refuses a threshold, scale or number of degrees of freedom that is not positive and finite.
    ///
    /// # Errors
    /// [`ResidualError::OutOfRange`].
    pub fn check(&self) -> Result<(), ResidualError> {
        let (field, value) = match *self {
            Self::Squares => return Ok(()),
            Self::Huber { threshold } => ("threshold of Huber's loss", threshold),
            Self::Cauchy { scale } => ("scale of Cauchy's loss", scale),
            Self::Student { degrees_of_freedom } => ("degrees of freedom of Student's loss", degrees_of_freedom),
        };
        if value > 0.0 && value < f64::INFINITY {
            return Ok(());
        }
        Err(ResidualError::OutOfRange { field, value, limit: "positive and finite" })
    }

    /// Evaluates rho(x).
    pub fn rho(&self, x: f64) -> f64 {
        match self.shape() {
            Shape::Squares => 0.5 * x * x,
            Shape::Huber(k) if x.abs() > k => k * (x.abs() - 0.5 * k),
            Shape::Huber(_) => 0.5 * x * x,
            Shape::Cauchy(c) => 0.5 * c * c * logarithm(x / c),
        }
    }

    /// Evaluates psi(x) = rho'(x), the influence of a residual.
    pub fn psi(&self, x: f64) -> f64 {
        match self.shape() {
            Shape::Squares => x,
            Shape::Huber(k) if x.abs() > k => k.copysign(x),
            Shape::Huber(_) => x,
            Shape::Cauchy(c) => {
                let t = x / c;
                if t.abs() <= 1.0 { x / (1.0 + t * t) } else { c * (1.0 / t) / (1.0 + (1.0 / t).powi(2)) }
            }
        }
    }

    /// Evaluates psi'(x) = rho''(x); for Huber's loss it jumps at the threshold, where it is 1.
    pub fn psi_prime(&self, x: f64) -> f64 {
        match self.shape() {
            Shape::Squares => 1.0,
            Shape::Huber(k) if x.abs() > k => 0.0,
            Shape::Huber(_) => 1.0,
            Shape::Cauchy(c) => {
                let t = x / c;
                if t.abs() <= 1.0 {
                    (1.0 - t) * (1.0 + t) / (1.0 + t * t).powi(2)
                } else {
                    let q = 1.0 / t;
                    q * q * (q - 1.0) * (q + 1.0) / (1.0 + q * q).powi(2)
                }
            }
        }
    }

    /// Evaluates sign(x) sqrt(2 rho(x)): the residual whose least squares are this loss.
    pub fn signed_root(&self, x: f64) -> f64 {
        match self.shape() {
            Shape::Squares => x,
            Shape::Huber(k) if x.abs() > k => huber_root(x.abs(), k).copysign(x),
            Shape::Huber(_) => x,
            // By the quotient near zero: the square of x underflows long before x does.
            Shape::Cauchy(c) if (x / c).abs() <= 1.0 => x * quotient(x / c).sqrt(),
            Shape::Cauchy(c) => (c * logarithm(x / c).sqrt()).copysign(x),
        }
    }

    /// Evaluates the derivative of [`signed_root`](Loss::signed_root), psi(x) over the root: 1 at zero.
    pub fn signed_root_derivative(&self, x: f64) -> f64 {
        match self.shape() {
            Shape::Squares => 1.0,
            Shape::Huber(k) if x.abs() > k => k / huber_root(x.abs(), k),
            Shape::Huber(_) => 1.0,
            Shape::Cauchy(c) if (x / c).abs() <= 1.0 => {
                let t = x / c;
                1.0 / ((1.0 + t * t) * quotient(t).sqrt())
            }
            Shape::Cauchy(_) => self.psi(x.abs()) / self.signed_root(x.abs()),
        }
    }

    /// Reduces the loss to one of three formulas.
    fn shape(&self) -> Shape {
        match *self {
            Self::Squares => Shape::Squares,
            Self::Huber { threshold } => Shape::Huber(threshold),
            Self::Cauchy { scale } => Shape::Cauchy(scale),
            Self::Student { degrees_of_freedom } => Shape::Cauchy(degrees_of_freedom.sqrt()),
        }
    }
}

/// Formula of a loss, with its constant.
#[derive(Debug, Clone, Copy)]
enum Shape {
    Squares,
    Huber(f64),
    Cauchy(f64),
}

/// Evaluates sqrt(2 k |x| - k^2) for |x| > k, by factors that do not overflow.
fn huber_root(magnitude: f64, k: f64) -> f64 {
    k.sqrt() * (magnitude + (magnitude - k)).sqrt()
}

/// Evaluates ln(1 + t^2), also where the square of t overflows.
fn logarithm(t: f64) -> f64 {
    if t.abs() <= 1.0 { (t * t).ln_1p() } else { 2.0 * t.abs().ln() + (1.0 / t).powi(2).ln_1p() }
}

/// Evaluates ln(1 + t^2) / t^2, 1 at zero; the logarithm of 1 + s has all digits for small s.
fn quotient(t: f64) -> f64 {
    let square = t * t;
    if square == 0.0 { 1.0 } else { square.ln_1p() / square }
}
