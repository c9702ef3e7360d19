//! A fit of the arm to torques with noise.

use std::path::Path;

use anyhow::{Result, ensure};
use costate::experiment::BaseParameters;
use costate::interpreted::{LoadedModel, load};
use costate::model::BodyInertia;
use costate::{Identification, Output, Parameter, Record, Simulation};
use costate_examples::add_noise;
use nalgebra::DMatrix;
use rand::rngs::SmallRng;
use rand::{Rng, SeedableRng};

use crate::drawing::{drawn, is_possible};

/// Deviation of the drawing from the arm.
const DRAWING: f64 = 0.2;

/// Deviation of the noise relative to the root mean square of each torque.
const NOISE: f64 = 0.02;

/// Step and end of the motion in s.
const STEP: f64 = 0.02;
const END: f64 = 3.0;

/// The arm with its links.
pub struct Arm {
    model: LoadedModel,
    truth: Vec<f64>,
    bodies: Vec<BodyInertia>,
    torques: Vec<Output>,
}

/// The result of a fit.
pub struct Found {
    /// Errors of the combinations that torques tell, in units of their deviations.
    pub errors: Vec<f64>,
    /// Bodies that are not possible.
    pub impossible: usize,
    pub iterations: usize,
}

impl Arm {
    /// Loads the model.
    pub fn load(path: &Path) -> Result<Self> {
        let model = load(path)?;
        let link = |i: usize| -> Result<BodyInertia> {
            let named = |name: &str| model.parameter(&format!("{name}[{i}]"));
            let three = |names: [&str; 3]| -> Result<[Parameter; 3]> {
                let [x, y, z] = names;
                Ok([named(x)?, named(y)?, named(z)?])
            };
            let body = BodyInertia::new(named("m")?, three(["i_xx", "i_yy", "i_zz"])?);
            Ok(body.products(three(["i_xy", "i_xz", "i_yz"])?).center(three(["c_x", "c_y", "c_z"])?))
        };
        let bodies = (1..=7).map(link).collect::<Result<Vec<_>>>()?;
        let torques = (1..=7).map(|i| Ok(model.output(&format!("torque[{i}]"))?)).collect::<Result<Vec<_>>>()?;
        let truth = model.simulation()?.description().model.parameters.clone();
        Ok(Self { model, truth, bodies, torques })
    }

    fn simulation(&self, parameters: Vec<f64>) -> Simulation {
        Simulation::of(self.model.system(), parameters).step(STEP).error_limit(None)
    }

    /// Finds the combinations of masses and inertias that torques tell.
    pub fn base(&self) -> Result<BaseParameters> {
        Ok(BaseParameters::find(&self.simulation(self.truth.clone()), [], self.bodies.iter().cloned())?)
    }

    fn record(&self, random: &mut SmallRng) -> Result<Record> {
        let run = self.simulation(self.truth.clone()).until(END).run()?;
        let mut record = Record::new(run.times())?;
        for &torque in &self.torques {
            let mut values = run.output(torque);
            add_noise(&mut values, NOISE, random.random())?;
            record = record.with_channel(torque.name(), Some("N*m"), values)?;
        }
        Ok(record)
    }

    /// Fits all inertias to the torques of one record, from one drawing.
    pub fn fitted(&self, base: &BaseParameters, seed: u64) -> Result<Found> {
        let mut random = SmallRng::seed_from_u64(seed);
        let record = self.record(&mut random)?;
        let mut start = self.truth.clone();
        let places = |body: &BodyInertia| body.parameters().iter().map(|of| of.index()).collect::<Vec<_>>();
        for body in &self.bodies {
            let own: Vec<f64> = places(body).iter().map(|&place| self.truth[place]).collect();
            places(body).into_iter().zip(drawn(&own, DRAWING, &mut random)).for_each(|(at, value)| start[at] = value);
        }
        let mut identification = Identification::of(self.model.system(), &self.simulation(start));
        for body in &self.bodies {
            identification = identification.unknown_inertia_near(body.clone(), DRAWING);
        }
        for &torque in &self.torques {
            identification = identification.measured(torque, &record);
        }
        let fit = identification.run()?;
        let summary = fit.summary();
        let mut found = self.truth.clone();
        for body in &self.bodies {
            for parameter in body.parameters() {
                found[parameter.index()] = fit.parameter(parameter).map_or(f64::NAN, |one| one.found);
            }
        }
        let is_wrong = |body: &&BodyInertia| {
            let own: Vec<f64> = places(body).iter().map(|&place| found[place]).collect();
            !is_possible(&own)
        };
        let of = |values: &[f64]| base.parameters().iter().map(|of| values[of.index()]).collect::<Vec<_>>();
        let names: Vec<&str> = base.parameters().iter().map(|of| of.name()).collect();
        let fitted: Vec<&str> = summary.parameters.iter().map(|one| one.name.as_str()).collect();
        ensure!(names == fitted, "the unknowns of the fit are in another order");
        let count = names.len();
        let covariance = DMatrix::from_fn(count, count, |row, column| summary.covariance[row][column]);
        let derivatives = base.derivatives(&of(&found));
        let spread = &derivatives * covariance * derivatives.transpose();
        let values = base.values(&of(&found)).into_iter().zip(base.values(&of(&self.truth)));
        let errors = values.enumerate().map(|(k, (found, truth))| (found - truth) / spread[(k, k)].sqrt()).collect();
        Ok(Found { errors, impossible: self.bodies.iter().filter(is_wrong).count(), iterations: summary.iterations })
    }
}
