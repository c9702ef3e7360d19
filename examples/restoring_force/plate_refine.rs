//! Refinement of the curves of the filter by a fit of all six at once, with known and with unknown inertia.

use std::fmt::Write;

use anyhow::Result;
use costate::identify::{
    Experiment, FittedParameter, FoundBreak, Refined, Refinement, StartingTable, UnknownParameter,
};
use costate::simulate::Scheme;
use costate::table::prior::BreakKind;
use costate::table::{Curve, Table};
use costate::{Identification, Parameter, Record, Simulation};
use costate_examples::{channel, curve_error, relative_error};
use costate_models::restoring_force::IdentifiedPlate;
use nalgebra::DMatrix;
use serde::Serialize;

use crate::plate_figures::{true_damping, true_spring};
use crate::plate_inertia::{UNKNOWN, entries};
use crate::plate_model::{ACCELERATIONS, Adapted, SWEEP, respond};
use crate::program::measurement::Measurement;

pub const ELASTIC: [Table<IdentifiedPlate, Curve>; 3] =
    [IdentifiedPlate::ELASTIC_1, IdentifiedPlate::ELASTIC_2, IdentifiedPlate::ELASTIC_3];
pub const DISSIPATIVE: [Table<IdentifiedPlate, Curve>; 3] =
    [IdentifiedPlate::DISSIPATIVE_1, IdentifiedPlate::DISSIPATIVE_2, IdentifiedPlate::DISSIPATIVE_3];

/// The unknown entries of M^-1, in the order of [`UNKNOWN`].
const ENTRIES: [Parameter<IdentifiedPlate>; 5] = [
    IdentifiedPlate::MU_12,
    IdentifiedPlate::MU_13,
    IdentifiedPlate::MU_22,
    IdentifiedPlate::MU_23,
    IdentifiedPlate::MU_33,
];

/// Deformation and rate of every spring at the start.
const STARTS: [[Parameter<IdentifiedPlate>; 2]; 3] = [
    [IdentifiedPlate::Z_0_1, IdentifiedPlate::V_0_1],
    [IdentifiedPlate::Z_0_2, IdentifiedPlate::V_0_2],
    [IdentifiedPlate::Z_0_3, IdentifiedPlate::V_0_3],
];

/// Results of the fit: refined curves, and inertia.
pub struct RefinedPlate {
    pub refined: Refined<IdentifiedPlate>,
    /// M^-1.
    pub inverse_inertia: DMatrix<f64>,
    /// The accelerations of the model with the new curves.
    pub responses: Vec<Vec<f64>>,
}

/// Errors in percent, for each spring or its sensor, as in KE appendix B.
#[derive(Debug, Clone, Serialize)]
pub struct RefinedPlateErrors {
    /// Errors of the curves; `None` if the truth is not known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub elastic_percent: Option<Vec<f64>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub dissipative_percent: Option<Vec<f64>>,
    pub response_percent: Vec<f64>,
    /// Deformations at which the preload of each spring is lifted.
    pub lifted: Vec<FoundBreak>,
    /// mu12, mu13, mu22, mu23, mu33 in 1/kg, and their standard deviations where they were unknown.
    pub inverse_inertia: [f64; 5],
    #[serde(skip_serializing_if = "Option::is_none")]
    pub inverse_inertia_deviations: Option<Vec<f64>>,
}

/// Refines the results of a filter with this M^-1; its unknown entries are identified as well if the inertia
/// `is_unknown`.
pub fn refine(
    measurement: &Measurement,
    adapted: &Adapted,
    inverse: &DMatrix<f64>,
    is_unknown: bool,
) -> Result<RefinedPlate> {
    // pieces of 0.25 s, each with its own start: near the end of a resonance the motion depends on the curves so
    // strongly that a fit to the whole record takes hundreds of iterations to reach it
    let pieces = record(measurement)?.segments(0.25)?;
    let common = Simulation::new(&IdentifiedPlate::with_inverse_inertia(inverse)).scheme(Scheme::Undamped);
    let mut identification = Identification::new(&common).unknown_per_experiment(start());
    if is_unknown {
        let typical_change = 0.05;
        identification =
            identification.unknown(ENTRIES.map(|entry| UnknownParameter::from(entry).linear(typical_change)));
    }
    let since = |begin: f64| measurement.drive(common.clone(), IdentifiedPlate::BASE, SWEEP, begin);
    for experiment in Experiment::pieces_of(&adapted.forces, &pieces, &STARTS, &ACCELERATIONS, since)? {
        identification = identification.experiment(experiment);
    }
    let mut refinement = Refinement::new(identification);
    for (j, (elastic, dissipative)) in ELASTIC.into_iter().zip(DISSIPATIVE).enumerate() {
        let [elastic, dissipative] = StartingTable::curves_of(&adapted.forces, j, elastic, dissipative)?;
        // where the preload is lifted, in m
        refinement = refinement.table(elastic.break_within(BreakKind::Kink, 0.0, 5e-6)).table(dissipative);
    }
    let refined = refinement.run()?;
    let mut inverse_inertia = inverse.clone();
    for (at, entry) in UNKNOWN.into_iter().zip(ENTRIES) {
        if let Some(parameter) = of_entry(&refined, entry) {
            (inverse_inertia[at], inverse_inertia[(at.1, at.0)]) = (parameter.found, parameter.found);
        }
    }
    let curves = |tables: [Table<IdentifiedPlate, Curve>; 3]| {
        tables.map(|table| Curve::clone(&refined.fit.tables().curve(table)))
    };
    let responses = respond(measurement, &inverse_inertia, curves(ELASTIC), curves(DISSIPATIVE))?;
    Ok(RefinedPlate { refined, inverse_inertia, responses })
}

/// Returns the unknown state at the beginning of a piece.
fn start() -> Vec<UnknownParameter<IdentifiedPlate>> {
    let of_spring = |[deformation, rate]: [Parameter<IdentifiedPlate>; 2]| {
        [UnknownParameter::from(deformation).linear(1e-7), UnknownParameter::from(rate).linear(1e-4)]
    };
    STARTS.into_iter().flat_map(of_spring).collect()
}

/// Makes a record whose channels are named as the outputs of the model.
fn record(measurement: &Measurement) -> Result<Record> {
    let mut record = Record::new(measurement.times())?.named("accelerometers");
    for (j, output) in ACCELERATIONS.into_iter().enumerate() {
        let values = channel(&measurement.accelerations, j, 3);
        record = record.with_channel(output.name(), Some("m/s^2"), values)?;
    }
    Ok(record)
}

impl RefinedPlate {
    pub fn curve(&self, table: Table<IdentifiedPlate, Curve>) -> Curve {
        Curve::clone(&self.refined.fit.tables().curve(table))
    }

    /// Computes the errors with respect to the truth.
    pub fn errors(&self, measurement: &Measurement) -> RefinedPlateErrors {
        let is_known = measurement.truth.is_some();
        let error = |table, truth: &dyn Fn(f64) -> f64| {
            let curve = self.curve(table);
            curve_error(&curve, truth, curve.range()).unwrap_or(f64::INFINITY)
        };
        let elastic = (0..3).map(|j| error(ELASTIC[j], &|z| true_spring(j, z)));
        let dissipative = (0..3).map(|j| error(DISSIPATIVE[j], &true_damping));
        let response = |(j, found): (usize, &Vec<f64>)| relative_error(found, &channel(measurement.compared(), j, 3));
        RefinedPlateErrors {
            elastic_percent: is_known.then(|| elastic.collect()),
            dissipative_percent: is_known.then(|| dissipative.collect()),
            response_percent: self.responses.iter().enumerate().map(response).collect(),
            lifted: self.refined.breaks.clone(),
            inverse_inertia: entries(&self.inverse_inertia),
            inverse_inertia_deviations: self.deviations(),
        }
    }

    /// Returns the standard deviations of the entries of M^-1; `None` if they were known.
    fn deviations(&self) -> Option<Vec<f64>> {
        let of = |entry| Some(of_entry(&self.refined, entry)?.standard_deviation);
        ENTRIES.into_iter().map(of).collect()
    }
}

/// Returns an entry of M^-1; `None` if it was known.
fn of_entry(refined: &Refined<IdentifiedPlate>, entry: Parameter<IdentifiedPlate>) -> Option<&FittedParameter> {
    refined.fit.summary().parameters.iter().find(|parameter| parameter.name == entry.name())
}

/// Refinements with the known inertia, and from the inertia found by a filter; `None` where a fit fails.
pub struct Refinements {
    pub known: Option<RefinedPlate>,
    pub with_inertia: Option<RefinedPlate>,
    warnings: Vec<String>,
}

impl Refinements {
    /// Refines the curves with the `known` inertia, and those that were `found` with the inertia of a filter.
    pub fn of(measurement: &Measurement, known: (&Adapted, &DMatrix<f64>), found: (&Adapted, &DMatrix<f64>)) -> Self {
        let mut warnings = Vec::new();
        let mut or_warning = |(adapted, inverse), is_unknown, which: &str| {
            let refined = refine(measurement, adapted, inverse, is_unknown);
            refined.map_err(|error| warnings.push(format!("{which}: no refined curves: {error:#}"))).ok()
        };
        let known = or_warning(known, false, "inertia known");
        let with_inertia = or_warning(found, true, "inertia unknown");
        Self { known, with_inertia, warnings }
    }

    pub fn report(&self, measurement: &Measurement) -> Result<String> {
        let mut text = String::from("refined by a fit to the whole record, errors in percent\n");
        for (name, refined) in [("inertia known", &self.known), ("inertia from the SR-UKF on", &self.with_inertia)] {
            let Some(refined) = refined else { continue };
            let errors = refined.errors(measurement);
            writeln!(text, "{name}")?;
            if let (Some(elastic), Some(dissipative)) = (&errors.elastic_percent, &errors.dissipative_percent) {
                writeln!(text, "  elastic curves      {elastic:.2?}")?;
                writeln!(text, "  dissipative curves  {dissipative:.2?}")?;
            }
            writeln!(text, "  response            {:.2?}", errors.response_percent)?;
            if let Some(deviations) = &errors.inverse_inertia_deviations {
                writeln!(text, "  inverse inertia     {:.5?} 1/kg", errors.inverse_inertia)?;
                writeln!(text, "  deviations          {deviations:.5?} 1/kg")?;
            }
            for line in refined.refined.to_string().lines() {
                writeln!(text, "    {line}")?;
            }
        }
        for warning in &self.warnings {
            writeln!(text, "warning      {warning}")?;
        }
        Ok(text)
    }
}
