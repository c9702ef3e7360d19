//! Convergence of a running filter (KE 2.52): measurement, prediction and synchronisation error.

use nalgebra::DMatrix;

/// Normalised mean square errors over a moving window: e_p of predictions, e_s of corrected states.
#[derive(Debug, Clone)]
pub struct ConvergenceMonitor {
    channels: usize,
    window: usize,
    /// y, (y - y^)^2, (y - y^+)^2 of the samples in the window.
    ring: Vec<[f64; 3]>,
    filled: usize,
    next: usize,
    /// Sums over the window: y, y^2, and the two squares.
    sums: Vec<[f64; 4]>,
}

impl ConvergenceMonitor {
    /// Creates a monitor of this many signals with this many samples in the window; KE leaves their number open, 500
    /// average over all oscillations of its examples.
    pub fn new(channels: usize, window: usize) -> Self {
        let window = window.max(2);
        Self {
            channels,
            window,
            ring: vec![[0.0; 3]; channels * window],
            filled: 0,
            next: 0,
            sums: vec![[0.0; 4]; channels],
        }
    }

    /// Adds the next sample: its measured values (NaN for a gap), the predicted ones, and those after the correction.
    /// Missing channels are gaps.
    pub fn push(&mut self, measured: &[f64], predicted: &[f64], corrected: &[f64]) {
        let start = self.next * self.channels;
        for j in 0..self.channels {
            let at = |values: &[f64]| values.get(j).copied().unwrap_or(f64::NAN);
            let (y, predicted, corrected) = (at(measured), at(predicted), at(corrected));
            // A gap has neither size nor error.
            let entry = if y.is_finite() { [y, (y - predicted).powi(2), (y - corrected).powi(2)] } else { [0.0; 3] };
            let old = std::mem::replace(&mut self.ring[start + j], entry);
            let sums = &mut self.sums[j];
            sums[0] += entry[0] - old[0];
            sums[1] += entry[0] * entry[0] - old[0] * old[0];
            sums[2] += entry[1] - old[1];
            sums[3] += entry[2] - old[2];
        }
        self.filled = (self.filled + 1).min(self.window);
        self.next = (self.next + 1) % self.window;
        if self.next == 0 {
            self.sum_anew();
        }
    }

    /// Computes the sums again once per window, so that rounding errors do not accumulate.
    fn sum_anew(&mut self) {
        for (j, sums) in self.sums.iter_mut().enumerate() {
            *sums = [0.0; 4];
            for entry in self.ring.iter().skip(j).step_by(self.channels) {
                sums[0] += entry[0];
                sums[1] += entry[0] * entry[0];
                sums[2] += entry[1];
                sums[3] += entry[2];
            }
        }
    }

    fn error(&self, part: usize) -> f64 {
        let count = self.filled as f64;
        let errors = self.sums.iter().map(|sums| sums[part].max(0.0) / (sums[1] - sums[0] * sums[0] / count));
        errors.sum::<f64>() / self.channels as f64
    }

    /// Returns e_p over the last window.
    pub fn prediction_error(&self) -> f64 {
        self.error(2)
    }

    /// Returns e_s over the last window.
    pub fn synchronisation_error(&self) -> f64 {
        self.error(3)
    }

    /// Returns true if the window is full.
    pub fn is_full(&self) -> bool {
        self.filled == self.window
    }
}

/// The errors of a run, for the convergence plot.
#[derive(Debug, Clone, PartialEq)]
pub struct Convergence {
    /// e_m: the noise R over the variance of the signals, their mean.
    pub measurement_error: f64,
    /// e_p at each sample; NaN at the first one.
    pub prediction_errors: Vec<f64>,
    /// e_s at each sample; NaN until the window is full.
    pub synchronisation_errors: Vec<f64>,
    /// Mean of e^T P_y^-1 e per signal over the window, of the innovations e and their covariance P_y (KE 1.46 to
    /// 1.48): 1 while the system is that of the filter and R is right. NaN at the first sample, and where nothing was
    /// measured.
    pub innovation_squares: Vec<f64>,
    /// Part of the window's samples at which a bound changed the estimate; NaN at the first sample.
    pub bounded_parts: Vec<f64>,
    /// Number of samples in the window.
    pub window: usize,
}

impl Convergence {
    /// Largest e_s, as a part of e_m, at which estimates are used (KE 2.2.6).
    pub const THRESHOLD: f64 = 0.5;

    /// Largest part of a window in which stiffnesses are at their bound: there the deformation does not show in
    /// accelerations (KE 2.34), and the filter may follow any motion. Filters that have lost the system reach 0.6 to
    /// 0.9; few samples per period alone lead to 0.4.
    pub const MAX_BOUNDED_PART: f64 = 0.5;

    /// Part of a window with stiffnesses at their bound from which estimates are in doubt: windows of 160 filters of KE
    /// 3.1.1 that find the curve stay below 0.15, those that follow another motion are above 0.25.
    const DOUBTFUL_BOUNDED_PART: f64 = 0.2;

    /// Returns true if the estimate at a sample is good enough: in the window that ends there, and in that which begins
    /// there, as errors of a filter that loses the system show later than they arise. In both, e_s is low, the
    /// innovations pass a test by chi squared, and bounds act at half of the samples at most.
    pub fn is_good(&self, sample: usize) -> bool {
        let last = self.synchronisation_errors.len().saturating_sub(1);
        let later = sample.saturating_add(self.window.saturating_sub(1)).min(last);
        self.is_window_good(sample) && self.is_window_good(later)
    }

    /// Returns true for the window that ends at this sample.
    fn is_window_good(&self, end: usize) -> bool {
        let at = |values: &[f64]| values.get(end).copied().unwrap_or(f64::NAN);
        at(&self.synchronisation_errors) <= Self::THRESHOLD * self.measurement_error
            && at(&self.innovation_squares) <= largest_mean_square(self.window)
            && at(&self.bounded_parts) <= Self::MAX_BOUNDED_PART
    }

    /// Returns the part of the good samples around which stiffnesses are often at their bound.
    pub(super) fn bounded_part(&self) -> f64 {
        let good = (0..self.bounded_parts.len()).filter(|&sample| self.is_good(sample));
        let (count, bounded) = good.fold((0_usize, 0_usize), |(count, bounded), sample| {
            (count + 1, bounded + usize::from(self.bounded_parts[sample] > Self::DOUBTFUL_BOUNDED_PART))
        });
        bounded as f64 / count.max(1) as f64
    }

    /// Returns the lists with a value for each sample.
    pub(super) fn at_samples(&mut self) -> [&mut Vec<f64>; 4] {
        let Self { prediction_errors, synchronisation_errors, innovation_squares, bounded_parts, .. } = self;
        [prediction_errors, synchronisation_errors, innovation_squares, bounded_parts]
    }

    /// Returns the part of the samples that are good enough.
    pub fn good_part(&self) -> f64 {
        let samples = self.synchronisation_errors.len();
        (0..samples).filter(|&i| self.is_good(i)).count() as f64 / samples.max(1) as f64
    }
}

/// Returns the largest mean of this many squares of independent normal variables that is likely: four standard
/// deviations of Wilson's and Hilferty's approximation of chi squared, exceeded once in 3e4 windows.
fn largest_mean_square(count: usize) -> f64 {
    const DEVIATIONS: f64 = 4.0;
    let variance = 2.0 / (9.0 * count.max(1) as f64);
    (1.0 - variance + DEVIATIONS * variance.sqrt()).powi(3)
}

/// Returns e_m of signals in rows (KE 2.52 with the noise R instead of a moving average), and their variances; gaps
/// do not count.
pub(super) fn measurement_error(signals: &[f64], noise: &DMatrix<f64>) -> (f64, Vec<f64>) {
    let channels = noise.nrows();
    let variances: Vec<f64> = (0..channels)
        .map(|j| {
            let values = || signals.iter().skip(j).step_by(channels).filter(|value| value.is_finite());
            let count = values().count().max(1) as f64;
            let mean = values().sum::<f64>() / count;
            values().map(|value| (value - mean).powi(2)).sum::<f64>() / count
        })
        .collect();
    let error = variances.iter().enumerate().map(|(j, variance)| noise[(j, j)] / variance).sum::<f64>();
    (error / channels.max(1) as f64, variances)
}
