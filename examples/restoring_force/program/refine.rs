//! Refinement of the curves of a filter: a fit to the whole record finds their values at knots again.

use anyhow::{Result, bail};
use costate::identify::{self, Experiment, FittedTable, Refined, StartingTable, UnknownParameter};
use costate::restoring_force::RestoringForces;
use costate::simulate::Scheme;
use costate::table::prior::{Break, BreakKind, Shape};
use costate::table::{Curve, Extension, Table};
use costate::{Identification, Record, Simulation};
use costate_examples::{curve_error, relative_error};
use costate_models::restoring_force::{Case, IdentifiedOscillator, cases};
use serde::Serialize;

use super::measurement::Measurement;
use super::study::{Refining, response, sensitive_response};

/// Results of the fit that refines the curves of a filter.
pub struct Refinement {
    pub refined: Refined<IdentifiedOscillator>,
    /// The fitted elastic and dissipative curve, with deformations relative to the middle of a clearance:
    /// accelerations do not determine where in the clearance, in which no force acts, they are zero.
    pub fitted: [FittedTable; 2],
    /// The fitted curves as tables of a model.
    curves: [Curve; 2],
    /// Acceleration of the model with the new curves.
    pub response: Vec<f64>,
    /// Change of the response with half the steps in percent, for a motion that is so sensitive; `None` for others.
    moved: Option<f64>,
}

/// Errors of the curves and of the response with respect to the true ones in percent, as in KE appendix B; `null`
/// if the truth is not known.
#[derive(Debug, Clone, Serialize)]
pub struct RefinedErrors {
    pub elastic_percent: f64,
    pub dissipative_percent: f64,
    pub response_percent: f64,
    /// Part of the values of both curves that are within two of their standard deviations of the truth.
    pub covered_percent: [f64; 2],
    /// Change of the response with half the steps, for a motion that depends on its start so strongly that the
    /// response says little about the curves; `None` for others.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub response_by_steps_percent: Option<f64>,
}

/// Refines the curves of a filter.
pub fn refine(
    case: &Case,
    refining: Refining,
    measurement: &Measurement,
    forces: &RestoringForces,
) -> Result<Refinement> {
    let record = record(measurement)?;
    let Refining { segment, kinks, sticks } = refining;
    let identification = match segment {
        Some(length) => in_segments(case, measurement, &record.segments(length)?, forces)?,
        None => identification(case, measurement, &record)?,
    };
    let [elastic, dissipative] =
        StartingTable::curves_of(forces, 0, IdentifiedOscillator::ELASTIC, IdentifiedOscillator::DISSIPATIVE)?;
    let with_kink = |curve: StartingTable<_>, (from, to): &(f64, f64)| curve.break_within(BreakKind::Kink, *from, *to);
    let refined = identify::Refinement::new(identification)
        .table(kinks.iter().fold(elastic, with_kink))
        .table(if sticks { dissipative.break_at(Break::Jump(0.0)) } else { dissipative })
        .run()?;
    Refinement::of(case, measurement, refined, segment.is_some())
}

/// Refines straight lines with the expected stiffness and damping, without a filter.
pub fn refine_lines(case: &Case, measurement: &Measurement) -> Result<Refinement> {
    // the ends do not matter: the fit places knots where the model moves; forces are as large as the excitation, 20 N
    let line = |table: Table<IdentifiedOscillator, Curve>, slope: f64| -> Result<_> {
        let end = cases::SCALE.recip();
        let line = Curve::new(vec![-end, end], vec![-slope * end, slope * end], Extension::Linear)?;
        Ok(StartingTable::curve(table, line).shape(Shape::ThroughOrigin).typical(20.0))
    };
    let (stiffness, damping) = case.a_priori;
    let refined = identify::Refinement::new(identification(case, measurement, &record(measurement)?)?)
        .table(line(IdentifiedOscillator::ELASTIC, stiffness * cases::SCALE)?)
        .table(line(IdentifiedOscillator::DISSIPATIVE, damping * cases::SCALE)?)
        .run()?;
    Refinement::of(case, measurement, refined, false)
}

fn record(measurement: &Measurement) -> Result<Record> {
    let record = Record::new(measurement.times())?.named("accelerometer");
    Ok(record.with_channel("acceleration", Some("m/s^2"), measurement.accelerations.clone())?)
}

/// Returns the initial state, which is unknown.
fn initial_state() -> [UnknownParameter<IdentifiedOscillator>; 2] {
    [
        UnknownParameter::from(IdentifiedOscillator::Z_0).linear(1e-7),
        UnknownParameter::from(IdentifiedOscillator::V_0).linear(1e-4),
    ]
}

fn simulation() -> Simulation<IdentifiedOscillator> {
    Simulation::new(&IdentifiedOscillator::default()).scheme(Scheme::Undamped)
}

/// Sets up the identification with everything that is known except the curves; the initial state is unknown.
fn identification(
    case: &Case,
    measurement: &Measurement,
    record: &Record,
) -> Result<Identification<IdentifiedOscillator>> {
    let simulation = simulation().until(measurement.end());
    let simulation = measurement.drive(simulation, IdentifiedOscillator::BASE, case.sweep, 0.0)?;
    Ok(Identification::new(&simulation).unknown(initial_state()).measured(IdentifiedOscillator::ACCELERATION, record))
}

/// Sets up the identification in pieces with their own starts, near the states of the filter.
fn in_segments(
    case: &Case,
    measurement: &Measurement,
    segments: &[(f64, Record)],
    forces: &RestoringForces,
) -> Result<Identification<IdentifiedOscillator>> {
    let since = |begin: f64| measurement.drive(simulation(), IdentifiedOscillator::BASE, case.sweep, begin);
    let starts = [[IdentifiedOscillator::Z_0, IdentifiedOscillator::V_0]];
    let identification = Identification::new(&simulation()).unknown_per_experiment(initial_state());
    let outputs = [IdentifiedOscillator::ACCELERATION];
    let experiments = Experiment::pieces_of(forces, segments, &starts, &outputs, since)?;
    Ok(experiments.into_iter().fold(identification, Identification::experiment))
}

impl Refinement {
    fn of(
        case: &Case,
        measurement: &Measurement,
        refined: Refined<IdentifiedOscillator>,
        is_sensitive: bool,
    ) -> Result<Self> {
        let [elastic, dissipative] = &refined.fit.summary().tables[..] else {
            bail!("there are two curves, and {} were fitted", refined.fit.summary().tables.len());
        };
        let mut fitted = [elastic.clone(), dissipative.clone()];
        if let [one, other] = &refined.breaks[..] {
            let middle = 0.5 * (one.place + other.place);
            fitted[0].knots.iter_mut().flatten().for_each(|z| *z -= middle);
        }
        let curves = [table(&fitted[0])?, table(&fitted[1])?];
        let [elastic, dissipative] = curves.clone();
        let (response, moved) = if is_sensitive {
            let (response, moved) = sensitive_response(case, measurement, elastic, dissipative)?;
            (response, Some(moved))
        } else {
            (response(case, measurement, elastic, dissipative)?, None)
        };
        Ok(Self { refined, fitted, curves, response, moved })
    }

    /// Computes the errors with respect to the truth.
    pub fn errors(&self, case: &Case, measurement: &Measurement) -> RefinedErrors {
        let laws: [&dyn Fn(f64) -> f64; 2] = [&|z| case.elastic(z), &|v| case.dissipative(v)];
        let error = |k: usize| {
            let curve = &self.curves[k];
            curve_error(curve, laws[k], curve.range()).unwrap_or(f64::INFINITY)
        };
        RefinedErrors {
            elastic_percent: error(0),
            dissipative_percent: error(1),
            response_percent: relative_error(&self.response, measurement.compared()),
            covered_percent: [0, 1].map(|k| covered(&self.fitted[k], laws[k])),
            response_by_steps_percent: self.moved,
        }
    }
}

/// Converts a fitted curve to a table of a model.
fn table(fitted: &FittedTable) -> Result<Curve> {
    Ok(Curve::new(fitted.knots[0].clone(), fitted.values.clone(), Extension::Linear)?)
}

/// Computes the part of the values in percent that are within two standard deviations of the truth, among those
/// that the data determine.
fn covered(table: &FittedTable, truth: impl Fn(f64) -> f64) -> f64 {
    let is_known = |k: &usize| table.told_by_data[*k] > 0.5 && table.standard_deviations[*k] > 0.0;
    let known: Vec<usize> = (0..table.values.len()).filter(is_known).collect();
    let is_within = |k: &&usize| {
        let off = table.values[**k] - truth(table.knots[0][**k]);
        off.abs() <= 2.0 * table.standard_deviations[**k]
    };
    100.0 * known.iter().filter(is_within).count() as f64 / known.len().max(1) as f64
}
