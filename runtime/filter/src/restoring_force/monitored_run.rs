//! A filter's run over a record, whose errors are watched (KE 2.2.6).

use std::collections::VecDeque;

use nalgebra::DMatrix;

use costate_system::state_space::{Divergence, DivergenceReason, FilterError, StateSpace};

use super::convergence::{Convergence, ConvergenceMonitor};
use super::error::RestoringForceError;
use crate::{FilterRun, KalmanFilter, Storage, run_with};

/// The settings with which errors are watched.
#[derive(Debug, Clone, Copy)]
pub(super) struct Monitoring {
    /// Samples in the window of the moving errors.
    pub window: usize,
    /// The prediction error in percent beyond which a run is stopped.
    pub largest_error: f64,
}

/// Filters rows of inputs and of measurements; `watch` is called with the errors of every sample, and stops the run by
/// `false`.
///
/// # Errors
/// [`RestoringForceError::Filter`] for data that cannot be used.
pub(super) fn run_monitored<P: StateSpace>(
    filter: &mut KalmanFilter<P>,
    (inputs, measurements): (&[f64], &[f64]),
    measurement_error: f64,
    monitoring: Monitoring,
    watch: &mut dyn FnMut(&ConvergenceMonitor) -> bool,
) -> Result<(FilterRun, Convergence), RestoringForceError> {
    let Monitoring { window, largest_error } = monitoring;
    let signals = filter.process().measurements();
    let mut monitor = ConvergenceMonitor::new(signals, window);
    let mut tested = VecDeque::with_capacity(window + 1);
    let samples = measurements.len() / signals;
    let mut convergence = Convergence {
        measurement_error,
        prediction_errors: Vec::with_capacity(samples),
        synchronisation_errors: Vec::with_capacity(samples),
        innovation_squares: Vec::with_capacity(samples),
        bounded_parts: Vec::with_capacity(samples),
        window,
    };
    // Called before each sample: the one before it is complete then.
    let run = run_with(filter, inputs, measurements, Storage::Covariances, |next, filter| {
        let i = next - 1;
        if i == 0 {
            for values in convergence.at_samples() {
                values.push(f64::NAN);
            }
            return Ok(());
        }
        let measured = &measurements[i * signals..(i + 1) * signals];
        monitor.push(measured, filter.predicted_measurement(), filter.corrected_measurement());
        let error = monitor.prediction_error();
        convergence.prediction_errors.push(error);
        // Until the window is full the filter is still finding its way.
        let known = if monitor.is_full() { monitor.synchronisation_error() } else { f64::NAN };
        convergence.synchronisation_errors.push(known);
        let (present, factor) = filter.innovation_factor();
        let innovations = present.iter().map(|&j| measured[j] - filter.predicted_measurement()[j]);
        tested.push_back((squared(innovations, factor), present.len(), filter.was_truncated()));
        if tested.len() > window.max(2) {
            tested.pop_front();
        }
        let (mut square, mut signals, mut bounded) = (0.0, 0, 0);
        for &(own, present, is_bounded) in &tested {
            (square, signals, bounded) = (square + own, signals + present, bounded + usize::from(is_bounded));
        }
        convergence.innovation_squares.push(square / signals as f64);
        convergence.bounded_parts.push(bounded as f64 / tested.len() as f64);
        let stop = |reason| {
            let divergence = Divergence { sample: i, time: filter.time(), reason };
            Err(FilterError::Diverged(divergence))
        };
        if monitor.is_full() && (error.is_nan() || error > largest_error) {
            return stop(DivergenceReason::PredictionError { error, limit: largest_error, window });
        }
        if !watch(&monitor) {
            return stop(DivergenceReason::Interrupted);
        }
        Ok(())
    })?;
    Ok((run, convergence))
}

/// Returns e^T P_y^-1 e of the innovations e and the lower triangular factor of P_y.
fn squared(innovations: impl Iterator<Item = f64>, factor: &DMatrix<f64>) -> f64 {
    let mut scaled: Vec<f64> = Vec::with_capacity(factor.nrows());
    for (row, e) in innovations.enumerate() {
        let known: f64 = scaled.iter().enumerate().map(|(k, x)| factor[(row, k)] * x).sum();
        scaled.push((e - known) / factor[(row, row)]);
    }
    scaled.iter().map(|x| x * x).sum()
}
