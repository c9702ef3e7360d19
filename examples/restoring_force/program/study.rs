//! An experiment with one degree of freedom, and the results of its identification.

use anyhow::Result;
use costate::filter::KalmanMethod;
use costate::restoring_force::{
    APriori, CurveSettings, Exponents, RestoringForceCurve, RestoringForceIdentification, RestoringForceModel,
    RestoringForceSurface, RestoringForces, Sensor, SurfaceSettings, TuningSearch,
};
use costate::simulate::Scheme;
use costate::table::{Curve, Surface};
use costate::{Input, Model, Output, Simulation};
use costate_examples::{completed, curve_rows, relative_error};
use costate_models::restoring_force::{Case, CoupledOscillator, IdentifiedOscillator, MASS, Sweep, cases};
use serde::Serialize;

use super::Options;
use super::measurement::Measurement;
use super::refine::{RefinedErrors, Refinement, refine, refine_lines};

/// A way to filter a record and to refine its curves.
#[derive(Debug, Clone, Copy)]
pub struct Way {
    /// Name of the way.
    pub name: &'static str,
    /// The filter.
    pub method: KalmanMethod,
    /// q_s and q_d.
    pub exponents: (f64, f64),
    /// True if displacements are filtered instead of accelerations.
    pub displacements: bool,
    /// Number of samples that a cell of the surface needs.
    pub fewest: usize,
    /// Settings of the refinement of the curves.
    pub refining: Refining,
}

impl Way {
    /// Filters accelerations, with the usual settings.
    pub fn new(name: &'static str, method: KalmanMethod, exponents: (f64, f64)) -> Self {
        Self { name, method, exponents, displacements: false, fewest: 5, refining: Refining::default() }
    }
}

/// Settings of the refinement of curves of a filter.
#[derive(Debug, Clone, Copy, Default)]
pub struct Refining {
    /// Length in s of the pieces of the record that have their own starts; `None` to fit the record as a whole.
    pub segment: Option<f64>,
    /// Ranges of deformations in m, in each of which the elastic curve has a kink.
    pub kinks: &'static [(f64, f64)],
    /// True if the dissipative curve may jump at rest, as with dry friction.
    pub sticks: bool,
}

/// A measurement, and the results of its identification.
pub struct Study {
    pub case: &'static Case,
    pub way: Way,
    pub measurement: Measurement,
    pub forces: RestoringForces,
    pub elastic: RestoringForceCurve,
    pub dissipative: RestoringForceCurve,
    pub surface: RestoringForceSurface,
    /// Accelerations of the models with the curves, and with the surface; empty if the model cannot be simulated.
    pub response: Vec<f64>,
    pub coupled_response: Vec<f64>,
    /// Result of the fit that refines the curves; `None` if that is not wanted or fails.
    pub refined: Option<Refinement>,
    /// Reasons to doubt the result.
    pub warnings: Vec<String>,
}

/// The result that is written to a file.
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
    /// Relative RMS errors in percent; `None` for a free motion, whose start is not that of the models.
    response_error: Option<f64>,
    coupled_response_error: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    refined: Option<RefinedErrors>,
}

impl Study {
    /// Identifies the force from the measurement; from displacements if the way says so.
    pub fn carry_out(case: &'static Case, way: Way, measurement: &Measurement, options: &Options) -> Result<Self> {
        let measured = match &measurement.deformations {
            Some(deformations) if way.displacements => deformations,
            _ => &measurement.accelerations,
        };
        let mut model = RestoringForceModel::on_moving_base(MASS)?.with_scale(cases::SCALE)?;
        if way.displacements {
            model = model.with_sensors(vec![Sensor::displacement(0)])?;
        }
        let (stiffness, damping) = case.a_priori;
        let mut identification =
            RestoringForceIdentification::new(model, measurement.interval, vec![APriori { stiffness, damping }])?
                .method(way.method)
                .exponents(Exponents::new(way.exponents.0, way.exponents.1));
        if !way.displacements {
            identification = identification.lowest_stiffness(&[case.lowest_stiffness])?;
        }
        let forces = completed(match options.search {
            true => TuningSearch::default().run(&identification, &measurement.base, measured)?.0,
            false => identification.run(&measurement.base, measured)?,
        })?;
        let [elastic, dissipative] = forces.curves(0, &CurveSettings::default())?;
        let surface = forces.surface(0, &SurfaceSettings { fewest: way.fewest, ..SurfaceSettings::default() })?;
        let mut warnings: Vec<_> = forces.warnings().iter().map(ToString::to_string).collect();
        let mut or_warning = |with: &str, response: Result<Vec<f64>>| {
            let warn = |error| warnings.push(format!("the simulation with the {with} fails: {error:#}"));
            response.map_err(warn).unwrap_or_default()
        };
        let response = or_warning("curves", response(case, measurement, elastic.table()?, dissipative.table()?));
        let coupled_response = or_warning("surface", coupled_response(case, measurement, surface.table()?));
        let mut refined = None;
        if options.refine && way.method == KalmanMethod::Extended && !way.displacements {
            let found = match options.straight {
                true => refine_lines(case, measurement),
                false => refine(case, way.refining, measurement, &forces),
            };
            let warn = |error| warnings.push(format!("the curves cannot be refined: {error:#}"));
            refined = found.map_err(warn).ok();
        }
        let measurement = measurement.clone();
        Ok(Self {
            case,
            way,
            measurement,
            forces,
            elastic,
            dissipative,
            surface,
            response,
            coupled_response,
            refined,
            warnings,
        })
    }

    /// Computes the errors of the refined curves and of their response; `None` without refinement.
    pub fn refined_errors(&self) -> Option<RefinedErrors> {
        self.refined.as_ref().map(|refined| refined.errors(self.case, &self.measurement))
    }

    /// Computes the relative RMS error of a response in percent.
    pub fn response_error(&self, response: &[f64]) -> f64 {
        relative_error(response, self.measurement.compared())
    }

    pub fn summary(&self) -> Summary {
        let (exponents, convergence) = (self.forces.exponents(), self.forces.convergence());
        let is_driven = self.case.sweep.amplitude > 0.0;
        Summary {
            experiment: self.case.name,
            filter: self.way.name,
            stiffness_exponent: exponents.stiffness,
            damping_exponent: exponents.damping,
            measurement_error: convergence.measurement_error,
            good_samples: convergence.good_part(),
            warnings: self.warnings.clone(),
            elastic: curve_rows(&self.elastic),
            dissipative: curve_rows(&self.dissipative),
            response_error: is_driven.then(|| self.response_error(&self.response)),
            coupled_response_error: is_driven.then(|| self.response_error(&self.coupled_response)),
            refined: self.refined_errors(),
        }
    }
}

/// Number of simulation steps per sample.
pub const STEPS_PER_SAMPLE: usize = 20;

/// Simulates the acceleration of the model with these curves.
pub fn response(case: &Case, measurement: &Measurement, elastic: Curve, dissipative: Curve) -> Result<Vec<f64>> {
    let simulation = with_curves(case, measurement, elastic, dissipative)?;
    in_steps(simulation, IdentifiedOscillator::ACCELERATION, measurement, STEPS_PER_SAMPLE)
}

/// Simulates the acceleration as [`response`] does, for a motion that is sensitive even to the error of small
/// steps; also returns its change with half the steps, in percent.
pub fn sensitive_response(
    case: &Case,
    measurement: &Measurement,
    elastic: Curve,
    dissipative: Curve,
) -> Result<(Vec<f64>, f64)> {
    let simulation = with_curves(case, measurement, elastic, dissipative)?.error_limit(None);
    let output = IdentifiedOscillator::ACCELERATION;
    let coarse = in_steps(simulation.clone(), output, measurement, STEPS_PER_SAMPLE)?;
    let fine = in_steps(simulation, output, measurement, 2 * STEPS_PER_SAMPLE)?;
    let moved = relative_error(&coarse, &fine);
    Ok((fine, moved))
}

fn with_curves(
    case: &Case,
    measurement: &Measurement,
    elastic: Curve,
    dissipative: Curve,
) -> Result<Simulation<IdentifiedOscillator>> {
    let simulation = Simulation::new(&IdentifiedOscillator::default())
        .table(IdentifiedOscillator::ELASTIC, elastic)
        .table(IdentifiedOscillator::DISSIPATIVE, dissipative);
    driven(simulation, IdentifiedOscillator::BASE, case.sweep, measurement)
}

fn coupled_response(case: &Case, measurement: &Measurement, surface: Surface) -> Result<Vec<f64>> {
    let (z_0, v_0) = if case.sweep.amplitude == 0.0 { (1e-6, 1e-3) } else { (0.0, 0.0) };
    let oscillator = CoupledOscillator { z_0, v_0, ..CoupledOscillator::default() };
    let simulation = Simulation::new(&oscillator).table(CoupledOscillator::RESTORING, surface);
    let simulation = driven(simulation, CoupledOscillator::BASE, case.sweep, measurement)?;
    in_steps(simulation, CoupledOscillator::ACCELERATION, measurement, STEPS_PER_SAMPLE)
}

/// Runs a simulation with so many steps per sample, and returns the samples of an output.
fn in_steps<M: Model>(
    simulation: Simulation<M>,
    output: Output<M>,
    measurement: &Measurement,
    steps: usize,
) -> Result<Vec<f64>> {
    let run = simulation.step(measurement.interval / steps as f64).run()?;
    Ok(run.output(output).into_iter().step_by(steps).collect())
}

/// Drives a simulation by the base of the experiment over the whole record.
pub fn driven<M: Model>(
    simulation: Simulation<M>,
    base: Input<M>,
    sweep: Sweep,
    measurement: &Measurement,
) -> Result<Simulation<M>> {
    let step = measurement.interval / STEPS_PER_SAMPLE as f64;
    let simulation = measurement.drive(simulation, base, sweep, 0.0)?;
    Ok(simulation.step(step).until(measurement.end()).scheme(Scheme::Undamped))
}
