//! The experiment, and what is repeated.

use anyhow::{Result, ensure};
use costate::cost::Quadrature;
use costate::ensemble::Ensemble;
use costate::experiment::{
    Noise, RepetitionProgress, RepetitionSettings, Repetitions, RepetitionsError, Sensitivities,
};
use costate::identify::Measurement;
use costate::simulate::Interrupt;
use costate::{Identification, Parameter, Record, Simulation};
use costate_examples::rms;
use costate_models::{EngineMount, engine_mount};

use crate::options::Options;

/// The unknown parameters.
const UNKNOWN: [Parameter<EngineMount>; 4] =
    [EngineMount::C_E1, EngineMount::C_E2, EngineMount::D_E, EngineMount::D_H2];

/// The mount with its true parameters, driven by the published sweep, and its accelerometer.
pub struct Study {
    known: Sensitivities<EngineMount>,
    noise: Noise<EngineMount>,
    /// Standard deviation of the noise in m/s^2.
    pub deviation: f64,
}

impl Study {
    pub fn new(options: &Options) -> Result<Self> {
        let truth = EngineMount::default();
        let known = Sensitivities::simulate(&simulation(&truth).problem()?, &truth, UNKNOWN)?;
        let accelerations: Vec<f64> = known.outputs().output(EngineMount::ACCELERATION).into_iter().flatten().collect();
        let deviation = options.noise * rms(&accelerations);
        ensure!(deviation > 0.0, "without noise all identifications are the same; choose `--noise` above 0");
        let noise = Noise::independent([(EngineMount::ACCELERATION, deviation)])?;
        Ok(Self { known, noise, deviation })
    }

    /// The identifications. What is in the logs is not done again.
    pub fn repeat(
        &self,
        options: &Options,
        ensemble: Ensemble<'_>,
        interrupt: &Interrupt,
        progress: impl FnMut(RepetitionProgress) + Send,
    ) -> Result<Repetitions<EngineMount>, RepetitionsError> {
        let settings = RepetitionSettings::new(options.tasks, options.seed)
            .with_interrupt(interrupt.clone())
            .with_ensemble(ensemble);
        self.known.repeat(&self.noise, &settings, |record| self.identification(record), progress)
    }

    /// From the published start values, by least squares.
    fn identification(&self, record: &Record) -> Identification<EngineMount> {
        let measurement = Measurement::new(record).weight(self.deviation.powi(-2));
        Identification::new(&simulation(&EngineMount::start()))
            .unknown(UNKNOWN)
            .measured(EngineMount::ACCELERATION, measurement)
            .quadrature(Quadrature::Sum)
    }
}

/// Drives a mount by the published sweep.
fn simulation(mount: &EngineMount) -> Simulation<EngineMount> {
    Simulation::new(mount)
        .input(EngineMount::DRIVE, engine_mount::sweep)
        .step(engine_mount::STEP)
        .until(engine_mount::END)
        .alpha(engine_mount::ALPHA)
}
