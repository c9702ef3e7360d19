//! Moments of weighted particles: the factor of their covariance, and the data of a step for a smoother.

use nalgebra::DMatrix;

use costate_numerics::linalg::factor::triangularize;

use crate::smoothing_gain::SmoothingGain;

/// The moments that a run keeps besides the means. A column of deviations has an entry for each particle,
/// because sums of products would lose the digits that distinguish a direction without variance from one with
/// little.
#[derive(Debug, Clone)]
pub(super) struct Moments {
    /// Length of the columns.
    rows: usize,
    work: Vec<f64>,
    /// Lower triangular S of the estimate.
    pub factor: DMatrix<f64>,
    pub back: Option<StepBack>,
}

/// Moments of the pairs (x_{i-1}, x_i-).
#[derive(Debug, Clone)]
pub(super) struct StepBack {
    /// Mean of x_{i-1}, which resampling has moved a little from the estimate.
    pub mean_before: Vec<f64>,
    /// Mean of x_i-.
    pub predicted_mean: Vec<f64>,
    /// Factor of P-.
    predicted_factor: DMatrix<f64>,
    pub smoothing: SmoothingGain,
}

impl Moments {
    /// Returns the number of entries of the deviations and of the matrices; at most `usize::MAX`.
    pub fn numbers(n: usize, particles: usize, with_gains: bool) -> usize {
        let (columns, matrices) = if with_gains { (2 * n, 5) } else { (n, 1) };
        let deviations = particles.max(columns).saturating_mul(columns);
        deviations.saturating_add(n.saturating_mul(n).saturating_mul(matrices))
    }

    /// Creates the moments for n states, with or without the data of a smoother.
    pub fn new(n: usize, particles: usize, with_gains: bool) -> Self {
        let columns = if with_gains { 2 * n } else { n };
        let rows = particles.max(columns);
        let back = with_gains.then(|| StepBack {
            mean_before: vec![0.0; n],
            predicted_mean: vec![0.0; n],
            predicted_factor: DMatrix::zeros(n, n),
            smoothing: SmoothingGain::new(n),
        });
        Self { rows, work: vec![0.0; rows * columns], factor: DMatrix::zeros(n, n), back }
    }

    /// Computes the factor of the covariance.
    pub fn take_estimate(&mut self, particles: &[f64], weights: &[f64], mean: &[f64]) {
        let work = &mut self.work[..self.rows * mean.len()];
        fill_deviations(work, self.rows, particles, weights, mean);
        triangularize(work, self.rows, mean.len());
        read_factor(work, self.rows, &mut self.factor);
    }

    /// Computes the smoothing gain from the particles x_{i-1} and x_i-, and the weights of both. The array of
    /// their deviations becomes [S-, 0; B, S^S] with P- = S- S-^T, C = B S-^T and K^S = C P-^+ (KE 1.49); the
    /// remainder of x_{i-1} has the covariance S^S S^S^T, to which the part of B outside of the rows of S- is
    /// added.
    pub fn take_step(&mut self, before: &[f64], predicted: &[f64], weights: &[f64]) {
        let Some(back) = &mut self.back else { return };
        let (n, rows) = (back.mean_before.len(), self.rows);
        weighted_mean(before, weights, &mut back.mean_before);
        weighted_mean(predicted, weights, &mut back.predicted_mean);
        let (new, old) = self.work.split_at_mut(n * rows);
        fill_deviations(new, rows, predicted, weights, &back.predicted_mean);
        fill_deviations(old, rows, before, weights, &back.mean_before);
        triangularize(&mut self.work, rows, 2 * n);
        let (new, old) = self.work.split_at_mut(n * rows);
        read_factor(new, rows, &mut back.predicted_factor);
        back.smoothing.take(&back.predicted_factor, old, rows);
    }
}

/// Computes the mean from the differences to one of the particles: where all agree, the mean has no rounding.
pub(super) fn weighted_mean(particles: &[f64], weights: &[f64], mean: &mut [f64]) {
    let n = mean.len();
    let counting = || particles.chunks_exact(n).zip(weights).filter(|(_, weight)| **weight > 0.0);
    let Some((first, _)) = counting().next() else { return };
    mean.fill(0.0);
    for (particle, weight) in counting() {
        for ((mean, x), first) in mean.iter_mut().zip(particle).zip(first) {
            *mean += weight * (x - first);
        }
    }
    mean.iter_mut().zip(first).for_each(|(mean, first)| *mean += first);
}

/// Fills a column for each state: w^(1/2) (x - mean), then zeros.
fn fill_deviations(columns: &mut [f64], rows: usize, particles: &[f64], weights: &[f64], mean: &[f64]) {
    let n = mean.len();
    columns.fill(0.0);
    for (j, (particle, weight)) in particles.chunks_exact(n).zip(weights).enumerate() {
        if *weight > 0.0 {
            let root = weight.sqrt();
            for (k, (x, mean)) in particle.iter().zip(mean).enumerate() {
                columns[k * rows + j] = root * (x - mean);
            }
        }
    }
}

/// Copies the lower triangle from the columns of R.
fn read_factor(columns: &[f64], rows: usize, factor: &mut DMatrix<f64>) {
    for i in 0..factor.nrows() {
        for k in 0..=i {
            factor[(i, k)] = columns[i * rows + k];
        }
    }
}
