//! Sigma points of the unscented filters: drawing, moving and measuring them.

use super::{DivergenceReason, KalmanFilter, Sample, StateSpace, Step};

impl KalmanFilter<dyn StateSpace + '_> {
    /// Draws the points x, x + spread * S, x - spread * S (KE 1.38) of the last sample's estimate; with
    /// `is_next`, the inputs are already those of the next sample.
    pub(super) fn draw_points(&mut self, is_next: bool) {
        let inputs = if is_next { &self.inputs_before } else { &self.inputs };
        let n = self.mean.len();
        let at = Sample { time: self.start_time + self.sample as f64 * self.interval, inputs };
        for (k, point) in self.points.chunks_exact_mut(n).enumerate() {
            point.copy_from_slice(&self.mean);
            if k > 0 {
                let sign = if k <= n { self.weights.spread } else { -self.weights.spread };
                let column = (k - 1) % n;
                for (i, entry) in point.iter_mut().enumerate().skip(column) {
                    *entry += sign * self.factor[(i, column)];
                }
            }
        }
        self.process.admit_each(&at, &self.mean, &mut self.points[n..]);
    }

    /// Advances every point by one sample, within the bounds, and computes the mean.
    pub(super) fn advance_points(&mut self) -> Result<(), DivergenceReason> {
        let n = self.mean.len();
        let step = Step {
            time: self.start_time + self.sample as f64 * self.interval,
            interval: self.interval,
            inputs_before: &self.inputs_before,
            inputs: &self.inputs,
        };
        let advanced = self.process.advance_each(&step, &self.points, &mut self.next_points);
        advanced.map_err(DivergenceReason::Model)?;
        for next in self.next_points.chunks_exact_mut(n) {
            self.bounds.clamp(next);
        }
        mean_of(&self.next_points, self.weights.other, &mut self.mean);
        let at = Sample { time: step.time + step.interval, inputs: &self.inputs };
        self.process.admit(&at, &self.next_points[..n], &mut self.mean);
        Ok(())
    }

    /// Evaluates the measurements at every point, and their mean.
    pub(super) fn measure_points(&mut self) {
        let at = Sample { time: self.start_time + self.sample as f64 * self.interval, inputs: &self.inputs };
        self.process.measure_each(&at, &self.points, &mut self.measured_points);
        mean_of(&self.measured_points, self.weights.other, &mut self.predicted);
    }
}

/// Computes the weighted mean (KE 1.40) as the central point plus the others' deviations from it, since the
/// weights sum to 1.
fn mean_of(points: &[f64], weight: f64, mean: &mut [f64]) {
    let n = mean.len();
    let (central, others) = points.split_at(n);
    for (i, mean) in mean.iter_mut().enumerate() {
        let sum: f64 = others.iter().skip(i).step_by(n).map(|value| value - central[i]).sum();
        *mean = central[i] + weight * sum;
    }
}
