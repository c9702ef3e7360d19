//! The innovations of a Kalman filter over a record, and their likelihood.

use std::f64::consts::TAU;

use costate_numerics::linalg::factor::solve_lower;
use costate_numerics::scalar::out_of_range::require;
use costate_system::state_space::{FilterError, StateSpace, check_size};
use nalgebra::DMatrix;

use crate::kalman::KalmanFilter;
use crate::run::row;

/// The innovations e_i = y_i - h(x_i-) of a filter, their covariances S_i and -2 log L.
#[derive(Debug, Clone, PartialEq)]
pub struct Innovations {
    signals: usize,
    values: Vec<f64>,
    covariances: Vec<f64>,
    squares: Vec<f64>,
    deviance: f64,
}

impl Innovations {
    /// Returns the number of samples, the first included.
    pub fn samples(&self) -> usize {
        self.squares.len()
    }

    /// Returns e_i, one number for each signal in its unit; NaN where nothing was measured, empty if there is no such
    /// sample.
    pub fn innovation(&self, i: usize) -> &[f64] {
        row(&self.values, self.signals, i)
    }

    /// Returns S_i (signals x signals); NaN in rows and columns of signals without a measurement, empty if there is no
    /// such sample.
    pub fn covariance(&self, i: usize) -> DMatrix<f64> {
        let entries = row(&self.covariances, self.signals * self.signals, i);
        let size = if entries.is_empty() { 0 } else { self.signals };
        DMatrix::from_row_slice(size, size, entries)
    }

    /// Returns the normalised innovations squared e_i^T S_i^-1 e_i (NIS), which have the mean m_i of the number of
    /// measured signals where the model is right; 0 where nothing was measured.
    pub fn squares(&self) -> &[f64] {
        &self.squares
    }

    /// Returns -2 log L.
    pub fn deviance(&self) -> f64 {
        self.deviance
    }
}

/// Filters a record from the filter's estimate on, and returns its innovations with their likelihood; `inputs` and
/// `measurements` hold one row per sample, NaN where nothing was measured. Other than for [`run`](crate::run), the
/// measurement of the first sample is used: the filter's estimate is that before it.
///
/// Exact for linear systems; extended and unscented filters take innovations as Gaussian (KE 1.45 to 1.48).
///
/// ```
/// use costate_filter::{FilterError, Gaussian, KalmanFilter, KalmanMethod, LinearSystem, innovations};
/// use nalgebra::DMatrix;
///
/// # fn main() -> Result<(), FilterError> {
/// // A constant of variance 1 with errors of variance 1: two measurements have the covariance [[2, 1], [1, 2]].
/// let system = LinearSystem::new(DMatrix::identity(1, 1), DMatrix::identity(1, 1))?;
/// let start = Gaussian::independent(&[0.0], &[1.0])?;
/// let (none, noise) = (DMatrix::zeros(1, 1), DMatrix::identity(1, 1));
/// let mut filter = KalmanFilter::new(system, KalmanMethod::Extended, 0.1, &start, &none, &noise)?;
/// let found = innovations(&mut filter, &[], &[1.0, 0.0])?;
/// let exact = 2.0 / 3.0 + 3.0_f64.ln() + 2.0 * std::f64::consts::TAU.ln();
/// assert!((found.deviance() - exact).abs() < 1e-12);
/// # Ok(())
/// # }
/// ```
///
/// # Errors
/// [`FilterError`]; a filter that diverges is an error, since a part of a record has no likelihood.
pub fn innovations<P: StateSpace>(
    filter: &mut KalmanFilter<P>,
    inputs: &[f64],
    measurements: &[f64],
) -> Result<Innovations, FilterError> {
    let (signals, width) = (filter.process().measurements(), filter.process().inputs());
    check_size("measurements", measurements.len() % signals.max(1), 0)?;
    let samples = measurements.len() / signals.max(1);
    check_size("inputs", inputs.len(), samples * width)?;
    require("samples", samples as f64, samples > 0, "1 or more")?;
    let mut found = Innovations {
        signals,
        values: vec![f64::NAN; samples * signals],
        covariances: vec![f64::NAN; samples * signals * signals],
        squares: vec![0.0; samples],
        deviance: 0.0,
    };
    for i in 0..samples {
        let (inputs, measured) = (&inputs[i * width..(i + 1) * width], row(measurements, signals, i));
        match i {
            0 => filter.start(filter.time(), inputs)?,
            _ => filter.predict(inputs)?,
        }
        filter.correct(measured)?;
        let (present, factor) = filter.innovation_factor();
        let mut whitened = Vec::with_capacity(present.len());
        for (a, &j) in present.iter().enumerate() {
            let innovation = measured[j] - filter.predicted_measurement()[j];
            found.values[i * signals + j] = innovation;
            whitened.push(innovation);
            for (b, &k) in present.iter().enumerate() {
                let entry = (0..=a.min(b)).map(|c| factor[(a, c)] * factor[(b, c)]).sum();
                found.covariances[(i * signals + j) * signals + k] = entry;
            }
            found.deviance += 2.0 * factor[(a, a)].abs().ln() + TAU.ln();
        }
        let factor = factor.view((0, 0), (whitened.len(), whitened.len())).into_owned();
        solve_lower(&factor, &mut whitened);
        found.squares[i] = whitened.iter().map(|value| value * value).sum();
        found.deviance += found.squares[i];
    }
    Ok(found)
}
