//! The efficiency of losses for Gaussian noise.

use std::f64::consts::TAU;

use crate::residuals::loss::Loss;

impl Loss {
    /// E[psi^2] / E[psi']^2 for Gaussian noise: the variance of estimates over that of least squares, where samples are
    /// many.
    ///
    /// Standard deviations of parameters from least squares are larger by its root. NaN for losses that
    /// [`check`](Loss::check) refuses.
    pub fn variance_factor(&self) -> f64 {
        if self.check().is_err() {
            return f64::NAN;
        }
        let square = self.expectation(|x| self.psi(x).powi(2));
        let slope = self.expectation(|x| self.psi_prime(x));
        square / (slope * slope)
    }

    /// The efficiency of estimates for Gaussian noise, 1 over the [`variance_factor`](Loss::variance_factor): which
    /// share of the samples would do for least squares.
    pub fn efficiency(&self) -> f64 {
        1.0 / self.variance_factor()
    }

    /// The expectation of an even function under the standard normal distribution, by Gauss and Legendre's quadrature
    /// in v with x = s sinh v, which resolves both the loss's scale and the density's; the threshold of Huber's loss is
    /// an end of panels.
    fn expectation(&self, function: impl Fn(f64) -> f64) -> f64 {
        /// The argument at which the density of the standard normal distribution has vanished.
        const VANISHED_ARGUMENT: f64 = 40.0;
        let (scale, kink) = match *self {
            Self::Squares => (1.0, 1.0),
            Self::Huber { threshold } => (threshold.min(1.0), threshold.min(VANISHED_ARGUMENT)),
            Self::Cauchy { scale } => (scale.min(1.0), 1.0),
            Self::Student { degrees_of_freedom } => (degrees_of_freedom.sqrt().min(1.0), 1.0),
        };
        let integrand = |v: f64| {
            let x = scale * v.sinh();
            function(x) * (-0.5 * x * x).exp() * scale * v.cosh()
        };
        let to_v = |x: f64| (x / scale).asinh();
        let half = integral(integrand, 0.0, to_v(kink)) + integral(integrand, to_v(kink), to_v(VANISHED_ARGUMENT));
        2.0 * half / TAU.sqrt()
    }
}

/// The integral by panels of five nodes.
fn integral(function: impl Fn(f64) -> f64, from: f64, to: f64) -> f64 {
    /// Panels of the quadrature on each side of a threshold.
    const PANELS: usize = 200;
    let root = |sign: f64| (5.0 + sign * 2.0 * (10.0_f64 / 7.0).sqrt()).sqrt() / 3.0;
    let weight = |sign: f64| (322.0 + sign * 13.0 * 70.0_f64.sqrt()) / 900.0;
    let nodes = [
        (-root(1.0), weight(-1.0)),
        (-root(-1.0), weight(1.0)),
        (0.0, 128.0 / 225.0),
        (root(-1.0), weight(1.0)),
        (root(1.0), weight(-1.0)),
    ];
    let half = 0.5 * (to - from) / PANELS as f64;
    let panel = |k: usize| {
        let middle = from + (2 * k + 1) as f64 * half;
        nodes.iter().map(|(node, weight)| weight * function(middle + half * node)).sum::<f64>()
    };
    half * (0..PANELS).map(panel).sum::<f64>()
}

#[cfg(test)]
mod tests {
    use statrs::distribution::{Continuous, ContinuousCDF, Normal};

    use super::*;

    #[test]
    fn hubers_factor_in_closed_form() {
        let normal = Normal::standard();
        for k in [0.01, 0.5, 1.345, 3.0, 60.0] {
            let inside = 1.0 - 2.0 * normal.sf(k);
            let square = inside - 2.0 * k * normal.pdf(k) + 2.0 * k * k * normal.sf(k);
            let found = Loss::Huber { threshold: k }.variance_factor();
            assert!((found * inside * inside / square - 1.0).abs() < 1e-10, "{k}: {found}");
        }
        let sign = Loss::Huber { threshold: 1e-12 }.variance_factor();
        assert!((sign - 0.25 * TAU).abs() < 1e-9, "{sign}");
    }

    #[test]
    fn usual_constants_give_95_per_cent() {
        let five_percent = |loss: Loss| (loss.efficiency() - 0.95).abs() < 5e-4;
        assert!(five_percent(Loss::huber()), "{}", Loss::huber().efficiency());
        assert!(five_percent(Loss::cauchy()), "{}", Loss::cauchy().efficiency());
        assert!(five_percent(Loss::student(5.69)));
        assert!((Loss::Squares.efficiency() - 1.0).abs() < 1e-12);
        assert!((Loss::student(1e12).efficiency() - 1.0).abs() < 1e-9);
        assert!(Loss::student(-1.0).efficiency().is_nan());
    }

    #[test]
    fn cauchys_factor_in_closed_form() {
        // With psi = x / (1 + x^2/c^2) integrals over the normal law are by Mills' ratio; c = 1:
        // E[1/(1 + x^2)] = R, R = sqrt(pi/2) e^(1/2) erfc(1/sqrt 2) with erfc = 0.3173...,
        // and E[1/(1 + x^2)^2] = 1/2, both known in closed form.
        let ratio = 0.5 * TAU.sqrt() * 0.5_f64.exp() * 0.317_310_507_862_914_1;
        // psi^2 = 1/(1 + x^2) - 1/(1 + x^2)^2, psi' = 2/(1 + x^2)^2 - 1/(1 + x^2).
        let wanted = (ratio - 0.5) / (1.0 - ratio).powi(2);
        let found = Loss::Cauchy { scale: 1.0 }.variance_factor();
        assert!((found / wanted - 1.0).abs() < 1e-10, "{found} {wanted}");
    }
}
