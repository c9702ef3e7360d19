//! A modal test of the engine at rest, and the identification of springs and dampers from it.

use anyhow::Result;
use costate::identify::{IdentificationCheck, MeasuredNumbers, Prediction};
use costate::vibration::ModalPrediction;
use costate::{Fit, Identification, Model, Parameter};
use costate_examples::scale_by_noise;
use costate_models::FourCylinderEngine;

use crate::engine::{at_rest, simulation_at_rest, turned};
use crate::options::Options;

/// Springs and dampers, which a drawing does not determine well.
pub const ALL: &[Parameter<FourCylinderEngine>] = &[
    FourCylinderEngine::C_1,
    FourCylinderEngine::C_2,
    FourCylinderEngine::C_3,
    FourCylinderEngine::C_4,
    FourCylinderEngine::C_5,
    FourCylinderEngine::D,
    FourCylinderEngine::C_DMF,
    FourCylinderEngine::D_DMF,
    FourCylinderEngine::C_PW,
    FourCylinderEngine::D_PW,
    FourCylinderEngine::CS_PAR,
    FourCylinderEngine::CS_1,
    FourCylinderEngine::DS_1,
    FourCylinderEngine::CS_2,
    FourCylinderEngine::DS_2,
];

/// The unknowns of the identification; the Maxwell elements of the damper keep the values of its data sheet.
pub const UNKNOWN: &[Parameter<FourCylinderEngine>] = ALL.split_at(11).0;

/// The start of the identification: values of a first guess, all of them wrong.
pub fn start(truth: &FourCylinderEngine) -> FourCylinderEngine {
    FourCylinderEngine {
        c_1: 7e5,
        c_2: 4e5,
        c_3: 4e5,
        c_4: 5e5,
        c_5: 3.3e5,
        d: 2.2,
        c_dmf: 500.0,
        d_dmf: 10.0,
        c_pw: 700.0,
        d_pw: 0.35,
        cs_par: 1.7e4,
        ..*truth
    }
}

/// The results of a modal test.
pub struct ModalTest {
    /// Natural frequencies in Hz.
    pub frequencies: Vec<f64>,
    /// Damping ratios.
    pub ratios: Vec<f64>,
    /// The modes, by their measured shapes.
    prediction: ModalPrediction,
    angle: f64,
    noise: [f64; 2],
}

impl ModalTest {
    /// Simulates the test of this engine.
    pub fn of(truth: &FourCylinderEngine, options: &Options) -> Result<Self> {
        let search = at_rest(truth, options.angle);
        let modes = search.find()?.linearized().modes()?;
        let oscillations: Vec<usize> =
            (0..modes.len()).filter(|&index| modes.all()[index].eigenvalue.im > 0.0).collect();
        // shapes are those of the true engine, as they were measured, and not those of the start
        let prediction = search.predict_modes("modal test", &oscillations)?;
        let exact = |number: fn(&costate::vibration::Mode) -> f64| {
            oscillations.iter().map(|&index| number(&modes.all()[index])).collect::<Vec<f64>>()
        };
        let mut frequencies = exact(|mode| mode.frequency());
        let mut ratios = exact(|mode| mode.damping_ratio());
        scale_by_noise(&mut frequencies, options.noise, options.seed)?;
        scale_by_noise(&mut ratios, options.damping_noise, options.seed.wrapping_add(1 << 32))?;
        Ok(Self {
            frequencies,
            ratios,
            prediction,
            angle: options.angle,
            noise: [options.noise, options.damping_noise],
        })
    }

    fn numbers(&self) -> [MeasuredNumbers; 2] {
        let with_errors = |numbers: MeasuredNumbers, values: &[f64], noise: f64| match noise > 0.0 {
            true => numbers.deviations(values.iter().map(|value| noise * value).collect::<Vec<f64>>()),
            // errors in proportion, as large as the residuals are
            false => numbers.relative_deviations(values.to_vec()),
        };
        let frequencies = MeasuredNumbers::new("natural frequencies", self.frequencies.clone()).unit("Hz");
        let ratios = MeasuredNumbers::new("damping ratios", self.ratios.clone()).unit("1");
        [with_errors(frequencies, &self.frequencies, self.noise[0]), with_errors(ratios, &self.ratios, self.noise[1])]
    }

    fn identification(
        &self,
        start: &FourCylinderEngine,
        unknown: &[Parameter<FourCylinderEngine>],
    ) -> Identification<FourCylinderEngine> {
        Identification::new(&simulation_at_rest(start, self.angle))
            .unknown(unknown.iter().copied())
            .predicted(self.prediction.clone(), self.numbers())
    }

    /// Predicts how well the test determines all springs and dampers at once.
    pub fn check(&self, start: &FourCylinderEngine) -> Result<IdentificationCheck> {
        Ok(self.identification(start, ALL).check()?)
    }

    /// Identifies springs and dampers.
    pub fn fit(&self, start: &FourCylinderEngine) -> Result<Fit<FourCylinderEngine>> {
        Ok(self.identification(start, UNKNOWN).run()?)
    }

    /// Predicts frequencies in Hz of these parameters.
    pub fn predicted_frequencies(&self, engine: &FourCylinderEngine) -> Result<Vec<f64>> {
        let mut values = self.prediction.values(turned(engine, self.angle).parameters().as_ref())?;
        values.truncate(self.frequencies.len());
        Ok(values)
    }
}
