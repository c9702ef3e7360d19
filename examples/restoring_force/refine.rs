//! Refinement of the curves of a filter: a fit to the whole record finds their values at knots anew.

use anyhow::{Result, bail};
use costate::identify::{self, Experiment, FittedTable, Refined, StartingTable, UnknownParameter};
use costate::restoring_force::RestoringForces;
use costate::simulate::{InputError, Scheme};
use costate::table::prior::{Break, BreakKind, Shape};
use costate::table::{Curve, Extension};
use costate::{Identification, Record, Simulation};
use costate_models::restoring_force::{Case, IdentifiedOscillator, cases};
use serde::Serialize;

use crate::measurement::Measurement;
use crate::study::{Refining, relative_error, response, sensitive_response};

/// A typical force in N: that of the excitation.
const TYPICAL_FORCE: f64 = 20.0;

/// Number of places where a curve is compared with the true one.
const PLACES: usize = 400;

/// Part of the range at each end that is not compared, as there are hardly any samples there.
const ENDS: f64 = 0.05;

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
    pub moved: Option<f64>,
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
    /// response tells little about the curves; `None` for others.
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
    let segments = segment.map_or_else(|| Ok(Vec::new()), |length| record.segments(length))?;
    let identification = match segment {
        Some(_) => in_segments(case, measurement, &segments, forces)?,
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
    let record = record(measurement)?;
    // the ends do not matter: the fit places knots where the model moves
    let line = |slope: f64| {
        let end = cases::SCALE.recip();
        Curve::new(vec![-end, end], vec![-slope * end, slope * end], Extension::Linear)
    };
    let (stiffness, damping) = case.a_priori;
    let refined = identify::Refinement::new(identification(case, measurement, &record)?)
        .table(
            StartingTable::curve(IdentifiedOscillator::ELASTIC, line(stiffness * cases::SCALE)?)
                .shape(Shape::ThroughOrigin)
                .typical(TYPICAL_FORCE),
        )
        .table(
            StartingTable::curve(IdentifiedOscillator::DISSIPATIVE, line(damping * cases::SCALE)?)
                .shape(Shape::ThroughOrigin)
                .typical(TYPICAL_FORCE),
        )
        .run()?;
    Refinement::of(case, measurement, refined, false)
}

fn record(measurement: &Measurement) -> Result<Record> {
    let times = (0..measurement.base.len()).map(|i| i as f64 * measurement.interval).collect();
    let record = Record::new(times)?.named("accelerometer");
    Ok(record.with_channel("acceleration", Some("m/s^2"), measurement.accelerations.clone())?)
}

/// Sets up the identification with everything that is known except the curves; the initial state is unknown.
fn identification(
    case: &Case,
    measurement: &Measurement,
    record: &Record,
) -> Result<Identification<IdentifiedOscillator>> {
    let simulation =
        Simulation::new(&IdentifiedOscillator::default()).until(measurement.end()).scheme(Scheme::Undamped);
    let sweep = case.sweep;
    let simulation = match measurement.truth {
        Some(_) => simulation.input(IdentifiedOscillator::BASE, move |t: f64| sweep.at(t)),
        None => simulation.input(IdentifiedOscillator::BASE, measurement.sampled_base()?),
    };
    Ok(Identification::new(&simulation)
        .unknown([
            UnknownParameter::from(IdentifiedOscillator::Z_0).linear(1e-7),
            UnknownParameter::from(IdentifiedOscillator::V_0).linear(1e-4),
        ])
        .measured(IdentifiedOscillator::ACCELERATION, record))
}

/// Sets up the identification in pieces with their own starts, near the states of the filter.
fn in_segments(
    case: &Case,
    measurement: &Measurement,
    segments: &[(f64, Record)],
    forces: &RestoringForces,
) -> Result<Identification<IdentifiedOscillator>> {
    let common = Simulation::new(&IdentifiedOscillator::default()).scheme(Scheme::Undamped);
    let sweep = case.sweep;
    let since = |begin: f64| {
        let simulation = common.clone();
        Ok::<_, InputError>(match measurement.truth {
            Some(_) => simulation.input(IdentifiedOscillator::BASE, move |t: f64| sweep.at(begin + t)),
            None => simulation.input(IdentifiedOscillator::BASE, measurement.base_since(begin)?),
        })
    };
    let starts = [[IdentifiedOscillator::Z_0, IdentifiedOscillator::V_0]];
    let outputs = [IdentifiedOscillator::ACCELERATION];
    let identification = Identification::new(&common).unknown_per_experiment([
        UnknownParameter::from(IdentifiedOscillator::Z_0).linear(1e-7),
        UnknownParameter::from(IdentifiedOscillator::V_0).linear(1e-4),
    ]);
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
        let [elastic, dissipative] = &self.curves;
        let fitted = &self.fitted;
        let response_percent = relative_error(&self.response, measurement.compared());
        RefinedErrors {
            elastic_percent: curve_error(elastic, |z| case.elastic(z)),
            dissipative_percent: curve_error(dissipative, |v| case.dissipative(v)),
            response_percent,
            covered_percent: [covered(&fitted[0], |z| case.elastic(z)), covered(&fitted[1], |v| case.dissipative(v))],
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
pub fn covered(table: &FittedTable, truth: impl Fn(f64) -> f64) -> f64 {
    let told = (0..table.values.len()).filter(|k| table.told_by_data[*k] > 0.5 && table.standard_deviations[*k] > 0.0);
    let within: Vec<bool> = told
        .map(|k| {
            let off = table.values[k] - truth(table.knots[0][k]);
            off.abs() <= 2.0 * table.standard_deviations[k]
        })
        .collect();
    100.0 * within.iter().filter(|within| **within).count() as f64 / within.len().max(1) as f64
}

/// Computes the relative RMS error of a curve in percent.
pub fn curve_error(curve: &Curve, truth: impl Fn(f64) -> f64) -> f64 {
    let [first, last] = curve.range();
    let at = |k: usize| {
        let part = ENDS + (1.0 - 2.0 * ENDS) * k as f64 / (PLACES - 1) as f64;
        first + part * (last - first)
    };
    let places: Vec<f64> = (0..PLACES).map(at).collect();
    let found: Vec<f64> = places.iter().map(|x| curve.value(*x)).collect();
    let exact: Vec<f64> = places.iter().map(|x| truth(*x)).collect();
    relative_error(&found, &exact)
}
