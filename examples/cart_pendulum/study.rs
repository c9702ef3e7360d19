//! An identification with all signals that belong to it.

use anyhow::Result;
use costate::{Fit, Record};
use costate_models::CartPendulum;

use crate::experiment::{Experiment, angle_of};

/// An identification that has been carried out.
pub struct Study {
    pub experiment: &'static Experiment,
    pub measurement: Record,
    pub fit: Fit<CartPendulum>,
    /// phi_1 of the model at the start.
    pub start: Vec<f64>,
    /// phi_1 of the identified model.
    pub found: Vec<f64>,
}

impl Study {
    /// Measures, identifies, and simulates before and after.
    pub fn carry_out(experiment: &'static Experiment, seed: u64) -> Result<Self> {
        let measurement = experiment.measure(seed)?;
        let fit = experiment.identify(&measurement)?;
        let start = experiment.angle(&experiment.start())?;
        let found = experiment.angle(fit.model())?;
        Ok(Self { experiment, measurement, fit, start, found })
    }

    /// Times in s of all signals.
    pub fn times(&self) -> &[f64] {
        self.measurement.times()
    }

    /// The measured phi_1.
    pub fn measured(&self) -> &[f64] {
        angle_of(&self.measurement)
    }
}
