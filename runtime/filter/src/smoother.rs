//! The fixed-interval smoother of Rauch, Tung and Striebel (KE 1.49, 1.50).

use nalgebra::{DMatrix, DVector};

use super::run::{FilterRun, product, row, triangle};
use costate_contract::machine::{OutOfMemory, Room, bytes};
use costate_system::state_space::{FilterError, Gaussian};

/// Smoothed estimates, one for each sample of a run.
#[derive(Debug, Clone)]
pub struct Smoothed {
    states: usize,
    means: Vec<f64>,
    /// By columns.
    covariances: Vec<f64>,
}

/// Goes back from the last sample of a run with [`Storage::Gains`](super::Storage::Gains), of any method.
///
/// With the gain K^S, the filter keeps a factor of the covariance P^c of x_{i-1} given x_i. Then P^S_{i-1} = P^c +
/// K^S P^S_i K^S^T, which stays symmetric and positive definite, and equals KE (1.50).
///
/// For a [`ParticleFilter`](super::ParticleFilter) these are moments of its weighted particles: K^S = C P-^+ with the
/// covariance C of the particles before and after a step (with its noise and bounds), P- of those after it, and P^c of
/// what K^S leaves of those before. In place of x_{i-1} stands the mean of the particles that took the step, which
/// drawing again has moved a little. In the limit of many particles this is exact for linear systems with normal noise;
/// otherwise it is the best estimate that is linear in the state after the step.
///
/// It misleads where a density has several modes or follows a strongly curved surface: a mean between the modes, or
/// beside the surface, is no likely state, and what decides for one mode later does not take weight from the particles
/// of the others before (constraints are satisfied to second order in the deviations). Particles that count must
/// outnumber the states by far at every sample: a gain that can explain them all leaves too small a covariance.
///
/// # Errors
/// [`FilterError::NothingKept`]; [`FilterError::OutOfMemory`] for covariances that the machine cannot hold beside the
/// run.
pub fn smooth(run: &FilterRun) -> Result<Smoothed, FilterError> {
    let (n, samples) = (run.states, run.samples());
    let last = samples.checked_sub(1).and_then(|last| run.estimate(last));
    let (Some(last), true) = (last, run.gains.len() == samples * n * n) else {
        return Err(FilterError::NothingKept);
    };
    let mut smoothed = Smoothed::empty(n, samples)?;
    let mut state = last;
    smoothed.store(samples - 1, &state.mean, &state.covariance);
    for i in (1..samples).rev() {
        let gain = DMatrix::from_column_slice(n, n, &run.gains[i * n * n..(i + 1) * n * n]);
        let predicted = DVector::from_column_slice(&run.predicted_means[i * n..(i + 1) * n]);
        let before = run.means_before.get(i * n..(i + 1) * n).unwrap_or_else(|| run.mean(i - 1));
        let rest = triangle(&run.gain_factors, n, i)
            .map(|factor| DMatrix::from_fn(n, n, |row, column| product(factor, row, column)));
        let before = DVector::from_column_slice(before);
        state = step_back(&state, (&before, &predicted), &gain, &rest.unwrap_or_else(|| DMatrix::zeros(n, n)));
        smoothed.store(i - 1, &state.mean, &state.covariance);
    }
    Ok(smoothed)
}

/// Returns x_{i-1} given x_i, with the means of x_{i-1} and of x_i- before the correction, and with P^c.
pub(super) fn step_back(
    state: &Gaussian,
    (before, predicted): (&DVector<f64>, &DVector<f64>),
    gain: &DMatrix<f64>,
    rest: &DMatrix<f64>,
) -> Gaussian {
    let covariance = gain * &state.covariance * gain.transpose() + rest;
    Gaussian {
        mean: before + gain * (&state.mean - predicted),
        // rounding of the product
        covariance: (&covariance + covariance.transpose()) * 0.5,
    }
}

impl Smoothed {
    /// Zeros, if there is memory for them.
    pub(super) fn empty(states: usize, samples: usize) -> Result<Self, OutOfMemory> {
        let remedy = "take fewer samples or states, or a machine with more memory";
        let room = Room { what: "the smoothed run", count: samples, counted: "samples", remedy };
        let square = states.saturating_mul(states);
        let zeros = |each: usize| {
            let count = each.saturating_mul(samples);
            let mut numbers = room.take(count)?;
            numbers.resize(count, 0.0);
            Ok(numbers)
        };
        room.check(bytes(square.saturating_add(states).saturating_mul(samples), size_of::<f64>()))?;
        Ok(Self { states, means: zeros(states)?, covariances: zeros(square)? })
    }

    /// Leaves out the samples from this number on.
    pub(super) fn truncate(&mut self, samples: usize) {
        self.means.truncate(samples * self.states);
        self.covariances.truncate(samples * self.states * self.states);
    }

    pub(super) fn store(&mut self, i: usize, mean: &DVector<f64>, covariance: &DMatrix<f64>) {
        let n = self.states;
        self.means[i * n..(i + 1) * n].copy_from_slice(mean.as_slice());
        self.covariances[i * n * n..(i + 1) * n * n].copy_from_slice(covariance.as_slice());
    }

    /// Number of samples.
    pub fn samples(&self) -> usize {
        self.means.len() / self.states.max(1)
    }

    /// The state at sample `i`; nothing where there is no such sample.
    pub fn mean(&self, i: usize) -> &[f64] {
        row(&self.means, self.states, i)
    }

    /// One state at all samples; NaN where there is no such state.
    pub fn state(&self, k: usize) -> impl ExactSizeIterator<Item = f64> + '_ {
        (0..self.samples()).map(move |i| self.mean(i).get(k).copied().unwrap_or(f64::NAN))
    }

    /// The covariance at sample `i`; without rows where there is no such sample.
    pub fn covariance(&self, i: usize) -> DMatrix<f64> {
        let entries = row(&self.covariances, self.states * self.states, i);
        let n = if entries.is_empty() { 0 } else { self.states };
        DMatrix::from_column_slice(n, n, entries)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_no_machine_can_hold_is_refused() {
        let error = Smoothed::empty(1 << 16, 1 << 20).unwrap_err();
        assert_eq!((error.count, error.counted), (1 << 20, "samples"));
        assert_eq!(Smoothed::empty(usize::MAX, 2).unwrap_err().needed, u64::MAX);
        assert_eq!(Smoothed::empty(2, 3).unwrap().covariance(2), DMatrix::zeros(2, 2));
    }
}
