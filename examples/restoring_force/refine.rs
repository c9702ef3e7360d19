//! From the curves of a filter to a fit: their values at knots are found once more, on the whole record.

use anyhow::Result;
use costate::identify::{Fit, Measurement as Measured, UnknownParameter, UnknownTable, Weighting};
use costate::optimize::{Method, OptimizerSettings};
use costate::restoring_force::RestoringForceCurve;
use costate::simulate::Scheme;
use costate::table::prior::Shape;
use costate::table::{Curve, Extension, Table};
use costate::{Identification, Record};
use costate_models::restoring_force::{Case, IdentifiedOscillator};
use serde::Serialize;

use crate::measurement::Measurement;
use crate::study::{relative_error, response};

/// Knots of each curve.
const KNOTS: usize = 40;

/// Steps of the fit from one sample to the next.
const STEPS: usize = 2;

/// Places of a curve where it is compared with the true one.
const PLACES: usize = 400;

/// Part of the range at each end that is not compared, as hardly anything was measured there.
const ENDS: f64 = 0.05;

/// What a fit makes of the curves of a filter.
pub struct Refined {
    pub fit: Fit<IdentifiedOscillator>,
    /// Acceleration of the model with the new curves; empty where it cannot be simulated.
    pub response: Vec<f64>,
}

/// Errors of the curves and of the response beside the true ones in percent, as in KE appendix B; `null` without truth.
#[derive(Debug, Clone, Serialize)]
pub struct RefinedErrors {
    pub elastic_percent: f64,
    pub dissipative_percent: f64,
    pub response_percent: f64,
}

/// Refines the curves.
pub fn refine(
    case: &Case,
    measurement: &Measurement,
    [elastic, dissipative]: [&RestoringForceCurve; 2],
) -> Result<Refined> {
    let times = (0..measurement.base.len()).map(|i| i as f64 * measurement.interval).collect();
    let record = Record::new(times)?.named("accelerometer");
    let record = record.with_channel("acceleration", Some("m/s^2"), measurement.accelerations.clone())?;
    let [elastic, dissipative] = [at_knots(elastic)?, at_knots(dissipative)?];
    let [of_elastic, of_dissipative] = [height(&elastic), height(&dissipative)];
    let identification = Identification::new(IdentifiedOscillator::default())
        .unknown([
            UnknownParameter::from(IdentifiedOscillator::Z_0).linear(1e-7),
            UnknownParameter::from(IdentifiedOscillator::V_0).linear(1e-4),
        ])
        .table(IdentifiedOscillator::ELASTIC, elastic)
        .table(IdentifiedOscillator::DISSIPATIVE, dissipative)
        // accelerations tell neither where the deformation is zero, which is where the structure rests, nor which curve has a
        // constant part
        .unknown_table(through_origin(IdentifiedOscillator::ELASTIC, of_elastic))
        .unknown_table(through_origin(IdentifiedOscillator::DISSIPATIVE, of_dissipative))
        .measurement(Measured::new(IdentifiedOscillator::ACCELERATION, &record))
        .weighting(Weighting::Likelihood)
        .step(measurement.interval / STEPS as f64)
        .until(measurement.end())
        .scheme(Scheme::Undamped)
        // the curves of a filter may make a model that is harder to follow than the one that is found
        .error_limit(None)
        .optimizer(OptimizerSettings::default().with_method(Method::GaussNewton));
    let sweep = case.sweep;
    let identification = match measurement.truth {
        Some(_) => identification.input(IdentifiedOscillator::BASE, move |t| sweep.at(t)),
        None => identification.signal(IdentifiedOscillator::BASE, measurement.sampled_base()?),
    };
    let fit = identification.run()?;
    let [elastic, dissipative] = [IdentifiedOscillator::ELASTIC, IdentifiedOscillator::DISSIPATIVE]
        .map(|table| Curve::clone(&fit.tables().curve(table)));
    // empty where it cannot be simulated
    let response = response(case, measurement, elastic, dissipative).unwrap_or_default();
    Ok(Refined { fit, response })
}

impl Refined {
    /// Beside the truth.
    pub fn errors(&self, case: &Case, measurement: &Measurement) -> RefinedErrors {
        let curve = |table| self.fit.tables().curve(table);
        let response_percent = relative_error(&self.response, measurement.compared());
        RefinedErrors {
            elastic_percent: error(&curve(IdentifiedOscillator::ELASTIC), |z| case.elastic(z)),
            dissipative_percent: error(&curve(IdentifiedOscillator::DISSIPATIVE), |v| case.dissipative(v)),
            response_percent,
        }
    }
}

fn through_origin(
    table: Table<IdentifiedOscillator, Curve>,
    typical: f64,
) -> UnknownTable<IdentifiedOscillator> {
    UnknownTable::new(table, typical).shape(Shape::ThroughOrigin).smooth()
}

/// The curve at equidistant knots over its range.
fn at_knots(curve: &RestoringForceCurve) -> Result<Curve> {
    let [first, last] = curve.range();
    let table = curve.table()?;
    let knots: Vec<f64> =
        (0..KNOTS).map(|k| first + (last - first) * k as f64 / (KNOTS - 1) as f64).collect();
    let values = knots.iter().map(|x| table.value(*x)).collect();
    Ok(Curve::new(knots, values, Extension::Linear)?)
}

/// Half of the distance of the smallest and the largest value.
fn height(curve: &Curve) -> f64 {
    let values = curve.values();
    let least = values.iter().copied().fold(f64::INFINITY, f64::min);
    let most = values.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    (0.5 * (most - least)).max(f64::MIN_POSITIVE)
}

/// Relative RMS error of a curve in percent.
fn error(curve: &Curve, truth: impl Fn(f64) -> f64) -> f64 {
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
