//! Results of every method for a record, and their errors.

use anyhow::Result;
use costate::restoring_force::{
    APriori, CurveSettings, Exponents, RestoringForceCurve, RestoringForceIdentification, RestoringForceModel, Sensor,
    SeriesError, SurfaceSettings,
};
use costate_examples::{COMPARED_PLACES, compared, completed, extent, spaced};
use costate_models::restoring_force::{INTERVAL, MASS, cases};
use costate_publications::classical::{
    Band, Motion, SurfaceMethod, Vibration, VibrationSettings, forced_vibration, free_vibration,
};
use serde::Serialize;

use crate::experiment::{CASE, Experiment};

/// Frequency bands of integrals and derivatives, for the sweep from 100 to 400 Hz and for the free vibration,
/// which is short and faster; they include harmonics.
const SWEEP: Band = Band { low: 80.0, high: 2500.0 };
const FREE: Band = Band { low: 150.0, high: 2500.0 };

/// The methods that are compared, in the order of the report.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Method {
    Filter,
    Surface,
    Hilbert,
}

impl Method {
    pub const ALL: [Self; 3] = [Self::Filter, Self::Surface, Self::Hilbert];

    pub fn name(self, is_free: bool) -> &'static str {
        match (self, is_free) {
            (Self::Filter, _) => "Kalman filter",
            (Self::Surface, _) => "surface method",
            (Self::Hilbert, true) => "FREEVIB",
            (Self::Hilbert, false) => "FORCEVIB",
        }
    }
}

/// Results of a method.
pub struct Found {
    pub method: Method,
    pub elastic: RestoringForceCurve,
    pub dissipative: RestoringForceCurve,
    /// Amplitude and natural frequency; by the Hilbert transform only.
    pub backbone: Vec<(f64, f64)>,
    pub errors: Errors,
}

/// Errors as in KE appendix B.
#[derive(Debug, Clone, Serialize)]
pub struct Errors {
    pub experiment: &'static str,
    pub method: Method,
    pub noise: f64,
    /// e_RMS% of the curves.
    pub elastic_percent: f64,
    pub dissipative_percent: f64,
    /// e_M% of the curves.
    pub elastic_bias_percent: f64,
    pub dissipative_bias_percent: f64,
    /// Part of the deformations and of the rates of the record that the curves cover.
    pub covered: [f64; 2],
}

/// Applies a method to an experiment.
pub fn find(experiment: &Experiment, method: Method, noise: f64, seed: u64) -> Result<Found> {
    let measured = experiment.measured(noise, seed)?;
    let base = &experiment.truth.base;
    let (elastic, dissipative, backbone) = match method {
        Method::Filter => {
            let (elastic, dissipative) = by_filter(experiment, &measured)?;
            (elastic, dissipative, Vec::new())
        }
        Method::Surface => {
            let forces = SurfaceMethod::new(model()?)?.run(&[motion(experiment, &measured)?], base)?;
            let (elastic, dissipative) = forces.curves(0, &SurfaceSettings::default())?;
            (elastic, dissipative, Vec::new())
        }
        Method::Hilbert => {
            let (vibration, nodes) = (by_hilbert_transform(experiment, &measured)?, 30);
            (vibration.elastic_curve(nodes)?, vibration.dissipative_curve(nodes)?, vibration.backbone())
        }
    };
    let (of_elastic, covered_z) = compare(&elastic, |z| CASE.elastic(z), &experiment.truth.deformations)?;
    let (of_dissipative, covered_v) = compare(&dissipative, |v| CASE.dissipative(v), &experiment.truth.rates)?;
    let errors = Errors {
        experiment: experiment.name,
        method,
        noise,
        elastic_percent: of_elastic.percent(),
        dissipative_percent: of_dissipative.percent(),
        elastic_bias_percent: of_elastic.mean_percent(),
        dissipative_bias_percent: of_dissipative.mean_percent(),
        covered: [covered_z, covered_v],
    };
    Ok(Found { method, elastic, dissipative, backbone, errors })
}

fn model() -> Result<RestoringForceModel> {
    Ok(RestoringForceModel::on_moving_base(MASS)?.with_scale(cases::SCALE)?)
}

fn by_filter(experiment: &Experiment, measured: &[f64]) -> Result<(RestoringForceCurve, RestoringForceCurve)> {
    let (stiffness, damping) = CASE.a_priori;
    let expected = vec![APriori { stiffness, damping }];
    let model = match experiment.has_displacement {
        true => model()?.with_sensors(vec![Sensor::displacement(0)])?,
        false => model()?,
    };
    let mut identification =
        RestoringForceIdentification::new(model, INTERVAL, expected)?.exponents(Exponents::new(3.0, 1.0));
    if !experiment.has_displacement {
        identification = identification.lowest_stiffness(&[CASE.lowest_stiffness])?;
    }
    let forces = completed(identification.run(&experiment.truth.base, measured)?)?;
    let settings = CurveSettings::default();
    Ok(forces.curves(0, &settings)?.into())
}

/// Computes the whole motion from the measured signal: by integration of the acceleration relative to the base,
/// which the accelerometer does not measure, or by differentiation.
fn motion(experiment: &Experiment, measured: &[f64]) -> Result<Motion> {
    let band = if experiment.is_free { FREE } else { SWEEP };
    if experiment.has_displacement {
        return Ok(Motion::from_deformations(INTERVAL, measured, band)?);
    }
    let base = &experiment.truth.base;
    let relative: Vec<f64> = measured.iter().zip(base).map(|(y, u)| y - u).collect();
    Ok(Motion::from_accelerations(INTERVAL, &relative, band)?)
}

fn by_hilbert_transform(experiment: &Experiment, measured: &[f64]) -> Result<Vibration> {
    let (model, motion) = (model()?, motion(experiment, measured)?);
    let settings = VibrationSettings::default();
    Ok(match experiment.is_free {
        true => free_vibration(&model, &motion, &settings)?,
        false => forced_vibration(&model, &motion, &experiment.truth.base, &settings)?,
    })
}

/// Computes the error of a curve over the visited range, except its ends, where the curve is known; and the part
/// of the record that it covers.
fn compare(curve: &RestoringForceCurve, truth: impl Fn(f64) -> f64, visited: &[f64]) -> Result<(SeriesError, f64)> {
    let [low, high] = extent(visited);
    let margin = 0.05 * (high - low);
    let [first, last] = curve.range();
    let (from, to) = (first.max(low + margin), last.min(high - margin));
    let error = compared(&curve.table()?, truth, spaced([from, to], COMPARED_PLACES))?;
    Ok((error, (to - from) / (high - low)))
}
