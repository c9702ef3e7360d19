//! Truncation of a normal distribution by bounds, through the unscented transformation (KE 2.53, 2.54).
//!
//! The points have the spread alpha = 1: the bound is a kink, and with points that lie close to the mean a single one
//! that is cut would move the mean by many standard deviations.

use nalgebra::DMatrix;

use costate_numerics::linalg::factor::triangularize;
use costate_system::state_space::FilterError;

use crate::bounds::Bounds;
use crate::transformation::{SigmaPoints, SigmaWeights};

/// Weights and work space for n states.
#[derive(Debug, Clone)]
pub(super) struct Truncation {
    weights: SigmaWeights,
    points: Vec<f64>,
    array: Vec<f64>,
}

impl Truncation {
    pub fn new(n: usize) -> Result<Self, FilterError> {
        let weights = SigmaPoints::default().weights(n)?;
        Ok(Self { weights, points: vec![0.0; (2 * n + 1) * n], array: vec![0.0; (2 * n + 1) * n] })
    }

    /// Truncates the distribution with this mean and factor; whether a sigma point lies outside, without which nothing
    /// changes.
    pub fn apply(&mut self, bounds: &Bounds, mean: &mut [f64], factor: &mut DMatrix<f64>) -> bool {
        let n = mean.len();
        let spread = self.weights.spread;
        let outside = bounds.bounded().iter().any(|&i| {
            (0..=i).any(|k| {
                let distance = spread * factor[(i, k)];
                !bounds.contain(i, mean[i] + distance) || !bounds.contain(i, mean[i] - distance)
            })
        });
        if !outside {
            return false;
        }
        for (k, point) in self.points.chunks_exact_mut(n).enumerate() {
            point.copy_from_slice(mean);
            if k > 0 {
                let (sign, column) = (if k <= n { spread } else { -spread }, (k - 1) % n);
                for i in column..n {
                    point[i] += sign * factor[(i, column)];
                }
            }
            bounds.clamp(point);
        }
        for (i, mean) in mean.iter_mut().enumerate() {
            let central = self.points[i];
            let sum: f64 = self.points.iter().skip(n + i).step_by(n).map(|x| x - central).sum();
            *mean = central + self.weights.other * sum;
        }
        let rows = 2 * n + 1;
        let (central, other) = (self.weights.central_covariance.sqrt(), self.weights.other.sqrt());
        for (i, mean) in mean.iter().enumerate() {
            for k in 0..rows {
                let weight = if k == 0 { central } else { other };
                self.array[i * rows + k] = weight * (self.points[k * n + i] - mean);
            }
        }
        triangularize(&mut self.array, rows, n);
        for i in 0..n {
            for k in 0..=i {
                factor[(i, k)] = self.array[i * rows + k];
            }
        }
        true
    }
}
