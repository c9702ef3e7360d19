//! Filtering of whole records.

use nalgebra::{DMatrix, DVector};

use costate_contract::machine::{OutOfMemory, Room, bytes};
use costate_numerics::scalar::out_of_range::require;

use super::recorded::{Filter, LastSample, Recorded};
use super::storage::Storage;
use costate_system::state_space::{Divergence, FilterError, Gaussian, check_size};

/// The estimates of a run, one for each sample.
#[derive(Debug, Clone)]
pub struct FilterRun {
    /// Number of states n.
    pub(super) states: usize,
    pub(super) signals: usize,
    pub(super) means: Vec<f64>,
    /// Lower triangles of the factors S, by rows.
    pub(super) factors: Vec<f64>,
    pub(super) predicted_means: Vec<f64>,
    /// x_{i-1} that belongs to the predicted mean; empty if it is the estimate.
    pub(super) means_before: Vec<f64>,
    pub(super) gains: Vec<f64>,
    pub(super) gain_factors: Vec<f64>,
    predicted: Vec<f64>,
    corrected: Vec<f64>,
    /// Standard deviations of the innovations.
    deviations: Vec<f64>,
    interval: f64,
    truncations: usize,
    stopped: Option<Divergence>,
    keep: Storage,
}

/// Filters a record with a Kalman filter or a particle filter: `inputs` and `measurements` hold one row per sample, NaN
/// where nothing was measured. The first sample fixes the start only; its measurement is not used.
///
/// # Errors
/// [`FilterError`] for data that cannot be used. A filter that diverges is stopped, and the run contains the
/// results until then, see [`FilterRun::stopped`].
pub fn run<F: Filter>(
    filter: &mut F,
    inputs: &[f64],
    measurements: &[f64],
    keep: Storage,
) -> Result<FilterRun, FilterError> {
    run_any(filter, inputs, measurements, keep)
}

/// Runs any filter; compiled once.
fn run_any(
    filter: &mut dyn Recorded,
    inputs: &[f64],
    measurements: &[f64],
    keep: Storage,
) -> Result<FilterRun, FilterError> {
    run_watched(filter, inputs, measurements, keep, |_, _| Ok(()))
}

/// Runs a filter over a record as [`run`] does, calling `watch` with the number of each sample before the
/// sample's prediction, and after the last one: to change the noise, or to stop the run by an error with a
/// [`Divergence`].
///
/// # Errors
/// As [`run`], and other errors that `watch` returns.
pub fn run_with<F: Filter>(
    filter: &mut F,
    inputs: &[f64],
    measurements: &[f64],
    keep: Storage,
    watch: impl FnMut(usize, &mut F) -> Result<(), FilterError>,
) -> Result<FilterRun, FilterError> {
    run_watched(filter, inputs, measurements, keep, watch)
}

fn run_watched<F: Recorded + ?Sized>(
    filter: &mut F,
    inputs: &[f64],
    measurements: &[f64],
    keep: Storage,
    mut watch: impl FnMut(usize, &mut F) -> Result<(), FilterError>,
) -> Result<FilterRun, FilterError> {
    let (n, signals, width) = (filter.process().states(), filter.process().measurements(), filter.process().inputs());
    check_size("measurements", measurements.len() % signals.max(1), 0)?;
    let samples = measurements.len() / signals.max(1);
    check_size("inputs", inputs.len(), samples * width)?;
    require("samples", samples as f64, samples > 0, "1 or more")?;
    filter.keep(keep)?;
    filter.begin(&inputs[..width])?;
    let means_before = filter.last().back.is_some_and(|back| back.mean_before.is_some());
    let mut result = FilterRun::new(n, signals, samples, filter.interval(), keep, means_before)?;
    result.store(&filter.last(), true);
    for i in 1..=samples {
        let stepped = watch(i, filter).and_then(|()| {
            if i == samples {
                return Ok(());
            }
            filter.step(&inputs[i * width..(i + 1) * width], &measurements[i * signals..(i + 1) * signals])
        });
        match stepped {
            Ok(()) if i == samples => {}
            Ok(()) => result.store(&filter.last(), false),
            Err(FilterError::Diverged(divergence)) => {
                result.stopped = Some(divergence);
                break;
            }
            Err(error) => return Err(error),
        }
    }
    Ok(result)
}

impl FilterRun {
    /// Creates a run of n states and `signals` signals; `means_before` is true if the filter has means
    /// x_{i-1} of its own.
    fn new(
        n: usize,
        signals: usize,
        samples: usize,
        interval: f64,
        keep: Storage,
        means_before: bool,
    ) -> Result<Self, OutOfMemory> {
        let remedy = "keep less (`Storage::Means`), or take fewer samples or states";
        let data = Room { what: "the filter run", count: samples, counted: "samples", remedy };
        let numbers = |each: usize, wanted: Storage| if keep >= wanted { each.saturating_mul(samples) } else { 0 };
        let (triangle, square) = (n.saturating_mul(n.saturating_add(1)) / 2, n.saturating_mul(n));
        let before = if means_before { n } else { 0 };
        let all = [
            numbers(n, Storage::Means),
            numbers(signals, Storage::Means),
            numbers(signals, Storage::Means),
            numbers(signals, Storage::Means),
            numbers(triangle, Storage::Covariances),
            numbers(n, Storage::Gains),
            numbers(before, Storage::Gains),
            numbers(square, Storage::Gains),
            numbers(triangle, Storage::Gains),
        ];
        let all = all.into_iter().fold(0, usize::saturating_add);
        data.check(bytes(all, size_of::<f64>()))?;
        let room = |each: usize, wanted: Storage| data.take(numbers(each, wanted));
        Ok(Self {
            states: n,
            signals,
            means: room(n, Storage::Means)?,
            factors: room(triangle, Storage::Covariances)?,
            predicted_means: room(n, Storage::Gains)?,
            means_before: room(before, Storage::Gains)?,
            gains: room(square, Storage::Gains)?,
            gain_factors: room(triangle, Storage::Gains)?,
            predicted: room(signals, Storage::Means)?,
            corrected: room(signals, Storage::Means)?,
            deviations: room(signals, Storage::Means)?,
            interval,
            truncations: 0,
            stopped: None,
            keep,
        })
    }

    fn store(&mut self, last: &LastSample<'_>, is_first: bool) {
        self.means.extend_from_slice(last.mean);
        let first = self.deviations.len();
        self.deviations.extend(std::iter::repeat_n(f64::NAN, self.signals));
        if let (false, Some((present, factor))) = (is_first, last.innovations) {
            for (row, signal) in present.iter().enumerate() {
                let variance: f64 = (0..=row).map(|k| factor[(row, k)].powi(2)).sum();
                self.deviations[first + signal] = variance.sqrt();
            }
        }
        // nothing is predicted for the first sample
        if is_first {
            self.predicted.extend(std::iter::repeat_n(f64::NAN, self.signals));
            self.corrected.extend(std::iter::repeat_n(f64::NAN, self.signals));
        } else {
            self.predicted.extend_from_slice(last.predicted);
            self.corrected.extend_from_slice(last.corrected);
            self.truncations += usize::from(last.was_truncated);
        }
        if let (true, Some(factor)) = (self.keep >= Storage::Covariances, last.factor) {
            store_triangle(factor, &mut self.factors);
        }
        if let (true, Some(back)) = (self.keep >= Storage::Gains, &last.back) {
            self.predicted_means.extend_from_slice(back.predicted_mean);
            self.means_before.extend_from_slice(back.mean_before.unwrap_or_default());
            self.gains.extend_from_slice(back.gain);
            store_triangle(back.factor, &mut self.gain_factors);
        }
    }

    /// Returns the number of samples that were filtered, the first included.
    pub fn samples(&self) -> usize {
        self.means.len() / self.states.max(1)
    }

    /// Returns the number of states n.
    pub fn states(&self) -> usize {
        self.states
    }

    /// Returns the time between two samples in s.
    pub fn interval(&self) -> f64 {
        self.interval
    }

    /// Returns the state at sample `i`; empty if there is no such sample.
    pub fn mean(&self, i: usize) -> &[f64] {
        row(&self.means, self.states, i)
    }

    /// Returns one state at all samples; NaN if there is no such state.
    pub fn state(&self, k: usize) -> impl ExactSizeIterator<Item = f64> + '_ {
        (0..self.samples()).map(move |i| self.mean(i).get(k).copied().unwrap_or(f64::NAN))
    }

    /// Returns the covariance of two states at sample `i`; `None` if only means were kept, or there are no
    /// such states.
    pub fn covariance_entry(&self, i: usize, row: usize, column: usize) -> Option<f64> {
        let factor = triangle(&self.factors, self.states, i)?;
        (row < self.states && column < self.states).then(|| product(factor, row, column))
    }

    /// Returns the covariance at sample `i`; `None` if only means were kept.
    pub fn covariance(&self, i: usize) -> Option<DMatrix<f64>> {
        let factor = triangle(&self.factors, self.states, i)?;
        Some(DMatrix::from_fn(self.states, self.states, |row, column| product(factor, row, column)))
    }

    /// Returns the lower triangular factor of the covariance at sample `i`; `None` if only means were kept.
    #[doc(hidden)]
    pub fn factor(&self, i: usize) -> Option<DMatrix<f64>> {
        let factor = triangle(&self.factors, self.states, i)?;
        let mut matrix = DMatrix::zeros(self.states, self.states);
        let places = (0..self.states).flat_map(|row| (0..=row).map(move |column| (row, column)));
        places.zip(factor).for_each(|(place, entry)| matrix[place] = *entry);
        Some(matrix)
    }

    /// Returns state and covariance at sample `i`; `None` if only means were kept.
    pub fn estimate(&self, i: usize) -> Option<Gaussian> {
        let covariance = self.covariance(i)?;
        Some(Gaussian { mean: DVector::from_column_slice(self.mean(i)), covariance })
    }

    /// Returns the predicted measurements at sample `i`; NaN at the first one.
    pub fn predicted_measurement(&self, i: usize) -> &[f64] {
        row(&self.predicted, self.signals, i)
    }

    /// Returns the measurements of the corrected state at sample `i`; NaN at the first one.
    pub fn corrected_measurement(&self, i: usize) -> &[f64] {
        row(&self.corrected, self.signals, i)
    }

    /// Returns the standard deviations that the errors of the predicted measurements have at sample `i` if the system
    /// and its noise are right; NaN at the first sample, where nothing was measured, and of a particle filter.
    pub fn innovation_deviation(&self, i: usize) -> &[f64] {
        row(&self.deviations, self.signals, i)
    }

    /// Returns the number of samples at which the bounds changed the estimate of an extended filter.
    pub fn truncations(&self) -> usize {
        self.truncations
    }

    /// Returns the reason why the filter was stopped before the last sample; `None` if it was not.
    pub fn stopped(&self) -> Option<&Divergence> {
        self.stopped.as_ref()
    }
}

fn store_triangle(factor: &DMatrix<f64>, to: &mut Vec<f64>) {
    for i in 0..factor.nrows() {
        to.extend((0..=i).map(|k| factor[(i, k)]));
    }
}

/// Returns the numbers of sample `i`, `width` per sample; empty if there is no such sample.
pub(super) fn row(numbers: &[f64], width: usize, i: usize) -> &[f64] {
    let end = i.saturating_add(1).saturating_mul(width);
    numbers.get(end.saturating_sub(width)..end).unwrap_or_default()
}

/// Returns the triangle of sample `i`.
pub(super) fn triangle(factors: &[f64], n: usize, i: usize) -> Option<&[f64]> {
    let size = n * (n + 1) / 2;
    let triangle = row(factors, size, i);
    (triangle.len() == size && !factors.is_empty()).then_some(triangle)
}

/// Returns an entry of S S^T.
pub(super) fn product(triangle: &[f64], row: usize, column: usize) -> f64 {
    let start = |i: usize| i * (i + 1) / 2;
    let (a, b) = (&triangle[start(row)..start(row) + row + 1], &triangle[start(column)..start(column) + column + 1]);
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}
