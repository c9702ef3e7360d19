//! Filters that run over the same record several times: for constant parameters (KE 4.1) and for the initial state
//! (KE 4.2).

use nalgebra::DVector;

use super::kalman::KalmanFilter;
use super::run::{FilterRun, run};
use super::smoother::smooth;
use super::storage::Storage;
use costate_contract::machine::{OutOfMemory, Room, bytes};
use costate_numerics::scalar::out_of_range::require;
use costate_system::state_space::{FilterError, Gaussian, StateSpace};

/// The globally iterated filter (KE 4.9, 4.10): every run starts with the mean and covariance at the end of the one
/// before, but for the states `kept`, which start from `initial` and without correlation to the others. The result is
/// the estimate at the end of each run.
///
/// # Errors
/// Those of [`run`], and [`FilterError::Diverged`].
pub fn globally_iterated<P: StateSpace>(
    filter: &mut KalmanFilter<P>,
    initial: &Gaussian,
    inputs: &[f64],
    measurements: &[f64],
    kept: &[usize],
    iterations: usize,
) -> Result<Vec<Gaussian>, FilterError> {
    iterate(filter, initial, kept, iterations, |filter| {
        check_complete(&run(filter, inputs, measurements, Storage::Means)?)?;
        let end = filter.estimate();
        let mut start = end.clone();
        for &k in kept {
            start.mean[k] = initial.mean[k];
        }
        Ok((end, start))
    })
}

/// The iterated smoother for the initial state (KE 4.2): filter and smoother run over the record again and again, each
/// time from the smoothed mean at the first sample. The states `kept`, whose start is wanted, have the covariance of
/// `initial` every time; all others take over the smoothed one, so that the filter soon works near the right values of
/// what multiplies the wanted states. The result is the smoothed initial state of each iteration.
///
/// # Errors
/// Those of [`run`], [`FilterError::Diverged`], and [`FilterError::OutOfRange`] for a state that does not exist.
pub fn iterated_smoother<P: StateSpace>(
    filter: &mut KalmanFilter<P>,
    initial: &Gaussian,
    inputs: &[f64],
    measurements: &[f64],
    kept: &[usize],
    iterations: usize,
) -> Result<Vec<Gaussian>, FilterError> {
    iterate(filter, initial, kept, iterations, |filter| {
        let run = run(filter, inputs, measurements, Storage::Gains)?;
        check_complete(&run)?;
        let smoothed = smooth(&run)?;
        let mean = DVector::from_column_slice(smoothed.mean(0));
        let start = Gaussian { mean, covariance: smoothed.covariance(0) };
        Ok((start.clone(), start))
    })
}

/// Runs again and again: `once` gives the estimate of a run, and the start of the next one, but for the covariances of
/// the states `kept`.
fn iterate<P: StateSpace>(
    filter: &mut KalmanFilter<P>,
    initial: &Gaussian,
    kept: &[usize],
    iterations: usize,
    mut once: impl FnMut(&mut KalmanFilter<P>) -> Result<(Gaussian, Gaussian), FilterError>,
) -> Result<Vec<Gaussian>, FilterError> {
    check_kept(kept, initial)?;
    let mut start = initial.clone();
    let mut estimates = room(iterations, start.mean.len())?;
    for _ in 0..iterations {
        filter.restart(&start)?;
        let (estimate, next) = once(filter)?;
        estimates.push(estimate);
        start = next;
        keep_covariances(&mut start, kept, initial);
    }
    Ok(estimates)
}

/// An empty list of estimates, if there is memory for all of them.
fn room(iterations: usize, states: usize) -> Result<Vec<Gaussian>, OutOfMemory> {
    let remedy = "take fewer iterations";
    let room = Room { what: "the estimates", count: iterations, counted: "iterations", remedy };
    let numbers = bytes(states.saturating_add(1).saturating_mul(states), size_of::<f64>());
    let each = numbers.saturating_add(size_of::<Gaussian>() as u64);
    room.check(each.saturating_mul(iterations as u64))?;
    room.take(iterations)
}

/// A run that was stopped is no estimate.
fn check_complete(run: &FilterRun) -> Result<(), FilterError> {
    run.stopped().map_or(Ok(()), |divergence| Err(divergence.clone().into()))
}

fn check_kept(kept: &[usize], initial: &Gaussian) -> Result<(), FilterError> {
    for &state in kept {
        let exists = state < initial.mean.len();
        require("state that is kept", state as f64, exists, "below the number of states")?;
    }
    Ok(())
}

/// The covariances of the states `kept` as in `initial`, without correlation to the others (KE 4.10).
fn keep_covariances(start: &mut Gaussian, kept: &[usize], initial: &Gaussian) {
    for &k in kept {
        for other in 0..start.mean.len() {
            let value = if kept.contains(&other) { initial.covariance[(k, other)] } else { 0.0 };
            start.covariance[(k, other)] = value;
            start.covariance[(other, k)] = value;
        }
    }
}
