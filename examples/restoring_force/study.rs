//! An experiment with one degree of freedom, and what is identified from it.

use anyhow::Result;
use costate::Simulation;
use costate::filter::KalmanMethod;
use costate::restoring_force::{
    APriori, CurveSettings, Exponents, RestoringForceCurve, RestoringForceIdentification,
    RestoringForceModel, RestoringForceSurface, RestoringForces, Sensor, SurfaceSettings, TuningSearch,
};
use costate::simulate::Scheme;
use costate::table::{Curve, Surface};
use costate_examples::add_noise;
use costate_models::restoring_force::{
    Case, CoupledOscillator, END, INTERVAL, IdentifiedOscillator, MASS, Motion, cases,
};
use serde::Serialize;

use crate::options::Options;

/// One way to filter a record.
#[derive(Debug, Clone, Copy)]
pub struct Way {
    /// What it is called.
    pub name: &'static str,
    /// The filter.
    pub method: KalmanMethod,
    /// q_s and q_d.
    pub exponents: (f64, f64),
    /// Displacements instead of accelerations.
    pub displacements: bool,
    /// Samples that a cell of the surface needs.
    pub fewest: usize,
}

/// What was measured, and what was found in it.
pub struct Study {
    pub case: &'static Case,
    pub way: Way,
    pub motion: Motion,
    pub forces: RestoringForces,
    pub elastic: RestoringForceCurve,
    pub dissipative: RestoringForceCurve,
    pub surface: RestoringForceSurface,
    /// Accelerations of the models with the curves, and with the surface; empty where it cannot be simulated.
    pub response: Vec<f64>,
    pub coupled_response: Vec<f64>,
    /// What is doubtful about the result.
    pub warnings: Vec<String>,
}

/// The result for a file.
#[derive(Debug, Serialize)]
pub struct Summary {
    experiment: &'static str,
    filter: &'static str,
    stiffness_exponent: f64,
    damping_exponent: f64,
    measurement_error: f64,
    good_samples: f64,
    warnings: Vec<String>,
    /// z in m, f in N, standard deviations of both.
    elastic: Vec<[f64; 4]>,
    /// v in m/s, f in N, standard deviations of both.
    dissipative: Vec<[f64; 4]>,
    /// Relative RMS errors in percent.
    response_error: f64,
    coupled_response_error: f64,
}

impl Study {
    /// Simulates, adds noise, and identifies.
    pub fn carry_out(case: &'static Case, way: Way, options: &Options) -> Result<Self> {
        let motion = (case.simulate)(case.sweep)?;
        let signal = if way.displacements { &motion.deformations } else { &motion.accelerations };
        let mut measured = signal.clone();
        add_noise(&mut measured, options.noise, options.seed)?;
        let mut model = RestoringForceModel::on_moving_base(MASS)?.with_scale(cases::SCALE)?;
        if way.displacements {
            model = model.with_sensors(vec![Sensor::displacement(0)])?;
        }
        let (stiffness, damping) = case.a_priori;
        let mut identification =
            RestoringForceIdentification::new(model, INTERVAL, vec![APriori { stiffness, damping }])?
                .method(way.method)
                .exponents(Exponents::new(way.exponents.0, way.exponents.1));
        if !way.displacements {
            identification = identification.lowest_stiffness(&[case.lowest_stiffness])?;
        }
        let forces = if options.search {
            TuningSearch::default().run(&identification, &motion.base, &measured)?.0
        } else {
            identification.run(&motion.base, &measured)?
        };
        if let Some(stopped) = forces.run().stopped() {
            return Err(stopped.clone().into());
        }
        let elastic = forces.elastic_curve(0, &CurveSettings::default())?;
        let dissipative = forces.dissipative_curve(0, &CurveSettings::default())?;
        let settings = SurfaceSettings { fewest: way.fewest, ..SurfaceSettings::default() };
        let surface = forces.surface(0, &settings)?;
        let mut warnings: Vec<_> = forces.warnings().iter().map(ToString::to_string).collect();
        let mut or_warning = |with: &str, response: Result<Vec<f64>>| {
            let warn = |error| warnings.push(format!("the simulation with the {with} fails: {error:#}"));
            response.map_err(warn).unwrap_or_default()
        };
        let response = or_warning("curves", response(case, elastic.table()?, dissipative.table()?));
        let coupled_response = or_warning("surface", coupled_response(case, surface.table()?));
        Ok(Self {
            case,
            way,
            motion,
            forces,
            elastic,
            dissipative,
            surface,
            response,
            coupled_response,
            warnings,
        })
    }

    /// Relative RMS error of a response in percent.
    pub fn response_error(&self, response: &[f64]) -> f64 {
        relative_error(response, &self.motion.accelerations)
    }

    pub fn summary(&self) -> Summary {
        let rows = |curve: &RestoringForceCurve| {
            let row = |point: &costate::restoring_force::CurvePoint| {
                [point.coordinate, point.force, point.coordinate_deviation, point.force_deviation]
            };
            curve.points.iter().map(row).collect()
        };
        let exponents = self.forces.exponents();
        Summary {
            experiment: self.case.name,
            filter: self.way.name,
            stiffness_exponent: exponents.stiffness,
            damping_exponent: exponents.damping,
            measurement_error: self.forces.convergence().measurement_error,
            good_samples: self.forces.convergence().good_part(),
            warnings: self.warnings.clone(),
            elastic: rows(&self.elastic),
            dissipative: rows(&self.dissipative),
            response_error: self.response_error(&self.response),
            coupled_response_error: self.response_error(&self.coupled_response),
        }
    }
}

/// Relative RMS error in percent; infinite where there is nothing to compare.
pub fn relative_error(found: &[f64], truth: &[f64]) -> f64 {
    if found.len() != truth.len() {
        return f64::INFINITY;
    }
    let mean = truth.iter().sum::<f64>() / truth.len() as f64;
    let (squares, variance) = found.iter().zip(truth).fold((0.0, 0.0), |(squares, variance), (a, b)| {
        (squares + (a - b) * (a - b), variance + (b - mean) * (b - mean))
    });
    100.0 * (squares / variance).sqrt()
}

/// Steps of a simulation from one sample to the next.
const FINER: usize = 5;

fn response(case: &Case, elastic: Curve, dissipative: Curve) -> Result<Vec<f64>> {
    let sweep = case.sweep;
    let run = Simulation::new(&IdentifiedOscillator::default())
        .table(IdentifiedOscillator::ELASTIC, elastic)
        .table(IdentifiedOscillator::DISSIPATIVE, dissipative)
        .input(IdentifiedOscillator::BASE, move |t| sweep.at(t))
        .step(INTERVAL / FINER as f64)
        .until(END)
        .scheme(Scheme::Undamped)
        .run()?;
    Ok(run.output(IdentifiedOscillator::ACCELERATION).into_iter().step_by(FINER).collect())
}

fn coupled_response(case: &Case, surface: Surface) -> Result<Vec<f64>> {
    let sweep = case.sweep;
    let start = if sweep.amplitude == 0.0 { (1e-6, 1e-3) } else { (0.0, 0.0) };
    let oscillator = CoupledOscillator { z_0: start.0, v_0: start.1, ..CoupledOscillator::default() };
    let run = Simulation::new(&oscillator)
        .table(CoupledOscillator::RESTORING, surface)
        .input(CoupledOscillator::BASE, move |t| sweep.at(t))
        .step(INTERVAL / FINER as f64)
        .until(END)
        .scheme(Scheme::Undamped)
        .run()?;
    Ok(run.output(CoupledOscillator::ACCELERATION).into_iter().step_by(FINER).collect())
}
