//! The operations of a filter that a run over a record needs.

use nalgebra::DMatrix;

use super::smoothing_gain::SmoothingGain;
use super::storage::Storage;
use costate_system::state_space::{FilterError, StateSpace};

/// A filter that [`run`](super::run) takes over a record: a [`KalmanFilter`](super::KalmanFilter) or a
/// [`ParticleFilter`](super::ParticleFilter).
pub trait Filter: Recorded {}

impl<F: Recorded> Filter for F {}

/// The steps of a run.
pub trait Recorded {
    /// Returns the system.
    fn process(&self) -> &dyn StateSpace;
    /// Returns the time between two samples in s.
    fn interval(&self) -> f64;
    /// Computes from now on the data of each sample that are to be kept.
    fn keep(&mut self, keep: Storage) -> Result<(), FilterError>;
    /// Takes the present estimate as that of sample 0, with the inputs u_0.
    fn begin(&mut self, inputs: &[f64]) -> Result<(), FilterError>;
    /// Advances to the next sample.
    fn step(&mut self, inputs: &[f64], measurements: &[f64]) -> Result<(), FilterError>;
    /// Returns the results of the last sample.
    fn last(&self) -> LastSample<'_>;
}

/// The results of a filter at a sample.
#[derive(Debug, Clone)]
pub struct LastSample<'a> {
    /// x.
    pub mean: &'a [f64],
    /// Lower triangular S with P = S S^T; `None` if it is not computed.
    pub factor: Option<&'a DMatrix<f64>>,
    /// The measurement before and after the correction.
    pub predicted: &'a [f64],
    pub corrected: &'a [f64],
    /// The signals that were measured, and the lower triangular factor of the covariance of their innovations, in its
    /// first rows; `None` if it is not computed.
    pub innovations: Option<(&'a [usize], &'a DMatrix<f64>)>,
    /// True if bounds have changed the estimate.
    pub was_truncated: bool,
    /// The distribution of the state before, given this one; `None` if it is not computed.
    pub back: Option<Back<'a>>,
}

/// x_{i-1} given x_i has the mean x_{i-1} + K^S (x_i - x_i-).
#[derive(Debug, Clone)]
pub struct Back<'a> {
    /// Mean of x_{i-1} over the samples of x_i-; `None` if it is the estimate.
    pub mean_before: Option<&'a [f64]>,
    /// x_i-.
    pub predicted_mean: &'a [f64],
    /// K^S (n x n) by columns.
    pub gain: &'a [f64],
    /// Lower triangular factor of the covariance.
    pub factor: &'a DMatrix<f64>,
}

impl<'a> Back<'a> {
    pub(super) fn new(mean_before: Option<&'a [f64]>, predicted_mean: &'a [f64], smoothing: &'a SmoothingGain) -> Self {
        Self { mean_before, predicted_mean, gain: smoothing.gain.as_slice(), factor: &smoothing.factor }
    }
}
