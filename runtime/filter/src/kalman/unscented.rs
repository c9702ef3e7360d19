//! Prediction and correction of the unscented filters. The square-root form triangularises the weighted
//! deviations of the sigma points; a central point with negative weight is subtracted afterwards.

use super::{DivergenceReason, KalmanFilter, KalmanMethod, StateSpace};
use costate_numerics::linalg::factor::{downdate, semidefinite, triangularize};

impl KalmanFilter<dyn StateSpace + '_> {
    pub(super) fn predict_sigma_points(&mut self) -> Result<(), DivergenceReason> {
        self.draw_points(true);
        self.advance_points()?;
        let by_factors = self.takes_factors();
        if self.smoothing.is_some() && self.process.is_constrained() {
            self.linearize_prediction();
            self.triangularize_prediction(false)?;
        } else if by_factors || self.smoothing.is_some() {
            self.triangularize_prediction(self.smoothing.is_some())?;
        }
        if !by_factors {
            self.sum_prediction()?;
        }
        Ok(())
    }

    /// Returns true if factors are updated instead of covariances. The covariances of a process with
    /// constraints are singular, and the rounding of their sums would make them indefinite.
    fn takes_factors(&self) -> bool {
        matches!(self.method, KalmanMethod::SquareRootUnscented(_)) || self.process.is_constrained()
    }

    /// Computes the smoother's gain on a manifold from the differences of opposite points: the common part of
    /// opposite points is the manifold's curvature, which is no direction that a state could have come from.
    fn linearize_prediction(&mut self) {
        let n = self.mean.len();
        let weight = (0.5 * self.weights.other).sqrt();
        let rows = self.deviation_rows(n);
        for i in 0..n {
            for k in 0..n {
                let (plus, minus) = ((1 + k) * n + i, (1 + n + k) * n + i);
                self.work[i * rows + k] = weight * (self.next_points[plus] - self.next_points[minus]);
                self.work[(n + i) * rows + k] = weight * (self.points[plus] - self.points[minus]);
            }
            self.add_noise_row(i, rows, n);
            self.work[(n + i) * rows + n..(n + i + 1) * rows].fill(0.0);
        }
        self.finish_prediction(rows);
    }

    /// Computes S- from the deviations and, if `joint`, the smoother's gain with the deviations before the
    /// step.
    fn triangularize_prediction(&mut self, joint: bool) -> Result<(), DivergenceReason> {
        let n = self.mean.len();
        let central = self.weights.central_covariance;
        let (other, middle) = (self.weights.other.sqrt(), central.abs().sqrt());
        let rows = self.deviation_rows(2 * n + 1);
        for i in 0..n {
            for k in 0..=2 * n {
                let weight = match k {
                    0 if central > 0.0 => middle,
                    0 => 0.0,
                    _ => other,
                };
                self.work[i * rows + k] = weight * (self.next_points[k * n + i] - self.mean[i]);
                if joint {
                    self.work[(n + i) * rows + k] = weight * (self.points[k * n + i] - self.points[i]);
                }
            }
            self.add_noise_row(i, rows, 2 * n + 1);
            if joint {
                self.work[(n + i) * rows + 2 * n + 1..(n + i + 1) * rows].fill(0.0);
            }
        }
        let columns = if joint { 2 * n } else { n };
        triangularize(&mut self.work[..rows * columns], rows, columns);
        if central < 0.0 {
            let deviation = &mut self.deviation[..columns];
            deviation.fill(0.0);
            for (i, entry) in deviation.iter_mut().enumerate().take(n) {
                *entry = middle * (self.next_points[i] - self.mean[i]);
            }
            downdate(&mut self.work, rows, columns, deviation)
                .map_err(|(row, _)| DivergenceReason::NotDefinite { field: "the prediction", row })?;
        }
        self.take_prediction(rows, joint);
        Ok(())
    }

    /// Computes P- as the sum of KE (1.41) and Q, and its factor.
    fn sum_prediction(&mut self) -> Result<(), DivergenceReason> {
        let n = self.mean.len();
        for i in 0..n {
            for j in 0..=i {
                let term = |k: usize| {
                    (self.next_points[k * n + i] - self.mean[i]) * (self.next_points[k * n + j] - self.mean[j])
                };
                let others: f64 = (1..=2 * n).map(term).sum();
                let noise: f64 =
                    self.process_columns.iter().map(|&k| self.process_noise[(i, k)] * self.process_noise[(j, k)]).sum();
                let sum = self.weights.central_covariance * term(0) + self.weights.other * others + noise;
                self.factor[(i, j)] = sum;
            }
        }
        semidefinite(&mut self.factor)
            .map_err(|(row, _)| DivergenceReason::NotDefinite { field: "the prediction", row })?;
        for i in 0..n {
            for j in i + 1..n {
                self.factor[(i, j)] = 0.0;
            }
        }
        Ok(())
    }

    pub(super) fn correct_sigma_points(&mut self, measurements: &[f64]) -> Result<(), DivergenceReason> {
        self.draw_points(false);
        self.measure_points();
        if self.present.is_empty() {
            Ok(())
        } else if self.takes_factors() {
            self.correct_square_root(measurements)
        } else {
            self.correct_joseph(measurements)
        }
    }

    fn correct_square_root(&mut self, measurements: &[f64]) -> Result<(), DivergenceReason> {
        let (n, signals, present) = (self.mean.len(), self.predicted.len(), self.present.len());
        let central = self.weights.central_covariance;
        let (other, middle) = (self.weights.other.sqrt(), central.abs().sqrt());
        let (rows, columns) = (2 * n + 1 + signals, present + n);
        for (column, &j) in self.present.iter().enumerate() {
            let array = &mut self.work[column * rows..(column + 1) * rows];
            for (k, entry) in array[..=2 * n].iter_mut().enumerate() {
                let weight = match k {
                    0 if central > 0.0 => middle,
                    0 => 0.0,
                    _ => other,
                };
                *entry = weight * (self.measured_points[k * signals + j] - self.predicted[j]);
            }
            for (k, entry) in array[2 * n + 1..].iter_mut().enumerate() {
                *entry = self.measurement_noise[(j, k)];
            }
        }
        // The points were drawn around the mean: their deviations are columns of S-.
        for i in 0..n {
            let array = &mut self.work[(present + i) * rows..(present + i + 1) * rows];
            array.fill(0.0);
            let weight = other * self.weights.spread;
            for k in 0..=i {
                array[1 + k] = weight * self.factor[(i, k)];
                array[1 + n + k] = -weight * self.factor[(i, k)];
            }
        }
        triangularize(&mut self.work[..rows * columns], rows, columns);
        if central < 0.0 {
            let deviation = &mut self.deviation[..columns];
            deviation.fill(0.0);
            for (entry, &j) in deviation.iter_mut().zip(&self.present) {
                *entry = middle * (self.measured_points[j] - self.predicted[j]);
            }
            downdate(&mut self.work, rows, columns, deviation)
                .map_err(|(row, _)| DivergenceReason::NotDefinite { field: "the correction", row })?;
        }
        self.take_correction(rows, measurements);
        Ok(())
    }

    /// Corrects with the statistical linearisation H = P_XY^T (P-)^-1:
    /// P+ = (1 - K H) P- (1 - K H)^T + K (P_Y - H P- H^T) K^T.
    fn correct_joseph(&mut self, measurements: &[f64]) -> Result<(), DivergenceReason> {
        let (n, signals, present) = (self.mean.len(), self.predicted.len(), self.present.len());
        let difference = self.weights.other * self.weights.spread;
        // H S-, and P_Y in the second part of the working memory; the first part has the contribution of R
        // and of h's curvature.
        for (row, &j) in self.present.iter().enumerate() {
            for k in 0..n {
                let (plus, minus) = (1 + k, 1 + n + k);
                self.measurement[(row, k)] =
                    difference * (self.measured_points[plus * signals + j] - self.measured_points[minus * signals + j]);
            }
        }
        let (rest, covariance) = self.work.split_at_mut(present * present);
        for (row, &i) in self.present.iter().enumerate() {
            for (column, &j) in self.present.iter().enumerate() {
                let term = |k: usize| {
                    (self.measured_points[k * signals + i] - self.predicted[i])
                        * (self.measured_points[k * signals + j] - self.predicted[j])
                };
                let others: f64 = (1..=2 * n).map(term).sum();
                let noise: f64 =
                    (0..signals).map(|k| self.measurement_noise[(i, k)] * self.measurement_noise[(j, k)]).sum();
                let sum = self.weights.central_covariance * term(0) + self.weights.other * others + noise;
                let linear: f64 = (0..n).map(|k| self.measurement[(row, k)] * self.measurement[(column, k)]).sum();
                covariance[row * present + column] = sum;
                rest[row * present + column] = sum - linear;
            }
        }
        let not_definite = |row| DivergenceReason::NotDefinite { field: "the predicted measurement", row };
        factorize(covariance, present).map_err(not_definite)?;
        for (row, entries) in covariance.chunks_exact(present).take(present).enumerate() {
            (0..=row).for_each(|k| self.innovation_factor[(row, k)] = entries[k]);
        }
        // K = S (H S)^T P_Y^-1, row by row.
        for i in 0..n {
            let gain = &mut self.innovation[..present];
            for (row, entry) in gain.iter_mut().enumerate() {
                *entry = (0..=i).map(|k| self.factor[(i, k)] * self.measurement[(row, k)]).sum();
            }
            solve(covariance, present, gain);
            for (row, &entry) in gain.iter().enumerate() {
                self.gain[(i, row)] = entry;
            }
            let correction =
                self.present.iter().zip(gain.iter()).map(|(&j, gain)| gain * (measurements[j] - self.predicted[j]));
            self.mean[i] += correction.sum::<f64>();
        }
        // (1 - K H) S-, in place: each column needs only itself and H S-
        for k in 0..n {
            for i in 0..n {
                let change: f64 = (0..present).map(|j| self.gain[(i, j)] * self.measurement[(j, k)]).sum();
                self.factor[(i, k)] -= change;
            }
        }
        for i in 0..n {
            for j in 0..=i {
                let mut sum: f64 = (0..n).map(|k| self.factor[(i, k)] * self.factor[(j, k)]).sum();
                for a in 0..present {
                    for b in 0..present {
                        sum += self.gain[(i, a)] * rest[a * present + b] * self.gain[(j, b)];
                    }
                }
                self.covariance[(i, j)] = sum;
            }
        }
        std::mem::swap(&mut self.factor, &mut self.covariance);
        semidefinite(&mut self.factor)
            .map_err(|(row, _)| DivergenceReason::NotDefinite { field: "the correction", row })?;
        for i in 0..n {
            for j in i + 1..n {
                self.factor[(i, j)] = 0.0;
            }
        }
        Ok(())
    }
}

/// Computes the Cholesky factor in the lower triangle of a matrix that is stored by rows; the error is the
/// row that fails.
fn factorize(matrix: &mut [f64], n: usize) -> Result<(), usize> {
    for j in 0..n {
        for i in j..n {
            let product: f64 = (0..j).map(|k| matrix[i * n + k] * matrix[j * n + k]).sum();
            let value = matrix[i * n + j] - product;
            matrix[i * n + j] = if i > j {
                value / matrix[j * n + j]
            } else if value > 0.0 {
                value.sqrt()
            } else {
                return Err(j);
            };
        }
    }
    Ok(())
}

/// Solves with the matrix that was factorised.
fn solve(factor: &[f64], n: usize, x: &mut [f64]) {
    for i in 0..n {
        let product: f64 = (0..i).map(|k| factor[i * n + k] * x[k]).sum();
        x[i] = (x[i] - product) / factor[i * n + i];
    }
    for i in (0..n).rev() {
        let product: f64 = (i + 1..n).map(|k| factor[k * n + i] * x[k]).sum();
        x[i] = (x[i] - product) / factor[i * n + i];
    }
}
