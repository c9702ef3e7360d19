//! An experiment with one degree of freedom, and the results of its identification.

use anyhow::Result;
use costate::filter::KalmanMethod;
use costate::restoring_force::{
    APriori, CurveSettings, Exponents, RestoringForceCurve, RestoringForceIdentification, RestoringForceModel,
    RestoringForceSurface, RestoringForces, Sensor, SeriesError, SurfaceSettings, TuningSearch,
};
use costate::simulate::Scheme;
use costate::table::{Curve, Surface};
use costate::{Input, Model, Simulation};
use costate_models::restoring_force::{Case, CoupledOscillator, IdentifiedOscillator, MASS, Sweep, cases};
use serde::Serialize;

use crate::measurement::Measurement;
use crate::options::Options;
use crate::refine::{RefinedErrors, Refinement, refine, refine_lines};

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
    /// Relative RMS errors in percent.
    response_error: f64,
    coupled_response_error: f64,
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
        let forces = if options.search {
            TuningSearch::default().run(&identification, &measurement.base, measured)?.0
        } else {
            identification.run(&measurement.base, measured)?
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
        let response = or_warning("curves", response(case, measurement, elastic.table()?, dissipative.table()?));
        let coupled_response = or_warning("surface", coupled_response(case, measurement, surface.table()?));
        Ok(Self {
            case,
            way,
            measurement: measurement.clone(),
            forces,
            elastic,
            dissipative,
            surface,
            response,
            coupled_response,
            refined: None,
            warnings,
        }
        .refined(options))
    }

    /// Refines the curves of an extended filter by a fit, if that is wanted.
    fn refined(mut self, options: &Options) -> Self {
        if options.refine && self.way.method == KalmanMethod::Extended && !self.way.displacements {
            let refined = match options.straight {
                true => refine_lines(self.case, &self.measurement),
                false => refine(self.case, self.way.refining, &self.measurement, &self.forces),
            };
            match refined {
                Ok(refined) => self.refined = Some(refined),
                Err(error) => self.warnings.push(format!("the curves cannot be refined: {error:#}")),
            }
        }
        self
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
            refined: self.refined_errors(),
        }
    }
}

/// Computes e_RMS% of KE appendix B; infinite where there is nothing to compare.
pub fn relative_error(found: &[f64], truth: &[f64]) -> f64 {
    SeriesError::new(found, truth).map_or(f64::INFINITY, |error| error.percent())
}

/// Number of simulation steps per sample.
pub const FINER: usize = 20;

/// Simulates the acceleration of the model with these curves.
pub fn response(case: &Case, measurement: &Measurement, elastic: Curve, dissipative: Curve) -> Result<Vec<f64>> {
    let oscillator = IdentifiedOscillator::default();
    let simulation = Simulation::new(&oscillator)
        .table(IdentifiedOscillator::ELASTIC, elastic)
        .table(IdentifiedOscillator::DISSIPATIVE, dissipative);
    let simulation = driven(simulation, IdentifiedOscillator::BASE, case.sweep, measurement)?;
    let run = simulation.run()?;
    Ok(run.output(IdentifiedOscillator::ACCELERATION).into_iter().step_by(FINER).collect())
}

/// Simulates the acceleration as [`response`] does, for a motion that is sensitive even to the error of small
/// steps; also returns its change with half the steps, in percent.
pub fn sensitive_response(
    case: &Case,
    measurement: &Measurement,
    elastic: Curve,
    dissipative: Curve,
) -> Result<(Vec<f64>, f64)> {
    let oscillator = IdentifiedOscillator::default();
    let simulation = Simulation::new(&oscillator)
        .table(IdentifiedOscillator::ELASTIC, elastic)
        .table(IdentifiedOscillator::DISSIPATIVE, dissipative);
    let simulation = driven(simulation, IdentifiedOscillator::BASE, case.sweep, measurement)?.error_limit(None);
    let in_steps = |simulation: Simulation<IdentifiedOscillator>, finer: usize| -> Result<Vec<f64>> {
        let run = simulation.step(measurement.interval / finer as f64).run()?;
        Ok(run.output(IdentifiedOscillator::ACCELERATION).into_iter().step_by(finer).collect())
    };
    let coarse = in_steps(simulation.clone(), FINER)?;
    let fine = in_steps(simulation, 2 * FINER)?;
    let moved = relative_error(&coarse, &fine);
    Ok((fine, moved))
}

fn coupled_response(case: &Case, measurement: &Measurement, surface: Surface) -> Result<Vec<f64>> {
    let start = if case.sweep.amplitude == 0.0 { (1e-6, 1e-3) } else { (0.0, 0.0) };
    let oscillator = CoupledOscillator { z_0: start.0, v_0: start.1, ..CoupledOscillator::default() };
    let simulation = Simulation::new(&oscillator).table(CoupledOscillator::RESTORING, surface);
    let simulation = driven(simulation, CoupledOscillator::BASE, case.sweep, measurement)?;
    let run = simulation.run()?;
    Ok(run.output(CoupledOscillator::ACCELERATION).into_iter().step_by(FINER).collect())
}

/// Drives a simulation by the base of the experiment: by the sweep of a simulated one, by the measured base of any
/// other.
pub fn driven<M: Model>(
    simulation: Simulation<M>,
    base: Input<M>,
    sweep: Sweep,
    measurement: &Measurement,
) -> Result<Simulation<M>> {
    let simulation = match measurement.truth {
        Some(_) => simulation.input(base, move |t: f64| sweep.at(t)),
        None => simulation.input(base, measurement.sampled_base()?),
    };
    let step = measurement.interval / FINER as f64;
    Ok(simulation.step(step).until(measurement.end()).scheme(Scheme::Undamped))
}
