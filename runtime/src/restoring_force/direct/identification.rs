//! Filters records by the direct model.

use nalgebra::{DMatrix, DVector};

use super::forces::DirectForces;
use super::model::DirectModel;
use crate::filter::{Gaussian, KalmanFilter, KalmanMethod, Keep, StateSpace, run};
use crate::out_of_range::require;
use crate::restoring_force::error::RestoringForceError;
use crate::restoring_force::moving_average::estimate_noise;

/// Beyond it a variance would vanish beside others, or be infinite.
const LARGEST_EXPONENT: f64 = 100.0;

/// What is expected of an element: root mean squares.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ExpectedForce {
    /// Deformation in m.
    pub deformation: f64,
    /// Rate in m/s.
    pub rate: f64,
    /// Force in N.
    pub force: f64,
}

/// Identification of restoring forces over time by the direct model.
///
/// To the model a force is constant from sample to sample, so that what is found from displacements lags behind by one to two samples: with
/// 25 samples per period of the fastest oscillation a surface was 21 % off, with 125 less than 10 %.
#[derive(Debug, Clone)]
pub struct DirectIdentification {
    model: DirectModel,
    interval: f64,
    expected: Vec<ExpectedForce>,
    exponent: f64,
    noise: Option<DMatrix<f64>>,
}

impl DirectIdentification {
    /// For samples every `interval` s, with what is expected of every element. The exponent of the process noise is 4 without
    /// further settings.
    ///
    /// # Errors
    /// [`RestoringForceError::OutOfRange`], [`RestoringForceError::Size`].
    pub fn new(
        model: DirectModel,
        interval: f64,
        expected: Vec<ExpectedForce>,
    ) -> Result<Self, RestoringForceError> {
        let positive = |field, value: f64| {
            require(field, value, value > 0.0 && value.is_finite(), "positive and finite")
        };
        positive("interval", interval)?;
        if expected.len() != model.elements() {
            let (given, expected) = (expected.len(), model.elements());
            return Err(RestoringForceError::Size { field: "expected", given, expected });
        }
        for of in &expected {
            positive("expected deformation", of.deformation)?;
            positive("expected rate", of.rate)?;
            positive("expected force", of.force)?;
        }
        Ok(Self { model, interval, expected, exponent: 4.0, noise: None })
    }

    /// The exponent q_f: the variance of a force grows by 10^q_f times its expected mean square per second, as in KE (2.51).
    #[must_use]
    pub fn exponent(mut self, exponent: f64) -> Self {
        self.exponent = exponent;
        self
    }

    /// The covariance R of the measurement noise, instead of its estimate from the record.
    #[must_use]
    pub fn measurement_noise(mut self, noise: DMatrix<f64>) -> Self {
        self.noise = Some(noise);
        self
    }

    /// Filters rows of inputs and of measurements in SI units, one per sample, NaN where nothing was measured.
    ///
    /// # Errors
    /// [`RestoringForceError`] for data that cannot be used; [`FilterError::Diverged`](crate::filter::FilterError::Diverged) in it if
    /// the filter was stopped.
    pub fn run(&self, inputs: &[f64], measurements: &[f64]) -> Result<DirectForces, RestoringForceError> {
        let (n, signals) = (self.model.elements(), self.model.measurements());
        require("exponent", self.exponent, self.exponent.abs() <= LARGEST_EXPONENT, "between -100 and 100")?;
        let noise = match &self.noise {
            Some(noise) => noise.clone(),
            None => estimate_noise(measurements, signals)?,
        };
        if noise.nrows() != signals || noise.ncols() != signals {
            let (field, given) = ("measurement_noise", noise.nrows());
            return Err(RestoringForceError::Size { field, given, expected: signals });
        }
        let mut variances = DVector::zeros(3 * n);
        let mut process = DMatrix::zeros(3 * n, 3 * n);
        for (j, expected) in self.expected.iter().enumerate() {
            variances[j] = expected.deformation.powi(2);
            variances[n + j] = expected.rate.powi(2);
            variances[2 * n + j] = expected.force.powi(2);
            process[(2 * n + j, 2 * n + j)] =
                self.interval * 10f64.powf(self.exponent) * expected.force.powi(2);
        }
        let initial = Gaussian::new(DVector::zeros(3 * n), DMatrix::from_diagonal(&variances))?;
        let mut filter = KalmanFilter::new(
            self.model.clone(),
            KalmanMethod::Extended,
            self.interval,
            &initial,
            &process,
            &noise,
        )?;
        let found = run(&mut filter, inputs, measurements, Keep::Covariances)?;
        if let Some(stopped) = found.stopped() {
            return Err(stopped.clone().into());
        }
        Ok(DirectForces::new(self.model.clone(), found))
    }
}
