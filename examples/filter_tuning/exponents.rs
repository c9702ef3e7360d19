//! Effect of the exponents of the process noise on the effective stiffness (KE 2.7) and on the curves (KE 3.6).

use std::thread;

use anyhow::{Result, anyhow};
use costate::plot::color::{BLUE, ORANGE};
use costate::plot::{Axis, Figure, Line, Panel};
use costate::restoring_force::{CurveSettings, RestoringForceCurve, SurfaceSettings};
use costate_examples::{curve_error, extent};
use costate_models::restoring_force::{Case, cases};
use serde::Serialize;

use crate::record::{Record, error_of_state, identify};

const CASE: &Case = &cases::ADDITIVE;

/// Range and step of both exponents together, and values of each exponent.
const BOTH: (f64, f64, f64) = (-2.0, 5.0, 0.5);
const STIFFNESS: [f64; 4] = [2.0, 2.5, 3.0, 3.5];
const DAMPING: [f64; 12] = [0.0, 0.5, 1.0, 1.5, 2.0, 2.5, 3.0, 3.5, 4.0, 4.5, 5.0, 5.5];

/// A combination of exponents, and the errors of curves from the samples directly and from averaged slices of the
/// surface, in percent; `null` where there is no curve.
#[derive(Debug, Serialize)]
pub struct Trial {
    pub stiffness_exponent: f64,
    pub damping_exponent: f64,
    pub elastic_direct: Option<f64>,
    pub elastic_sliced: Option<f64>,
    pub dissipative_direct: Option<f64>,
    pub dissipative_sliced: Option<f64>,
}

#[derive(Debug, Serialize)]
pub struct ExponentStudy {
    /// Exponent, and e_M% and e_RMS% of the effective stiffness; `null` if the filter was stopped.
    pub both: Vec<(f64, [f64; 2])>,
    pub trials: Vec<Trial>,
}

/// Tries all exponents.
///
/// # Errors
/// Those of simulations and filters.
pub fn study(seed: u64) -> Result<ExponentStudy> {
    let record = Record::of_case(CASE, seed)?;
    let stiffness = record.stiffness(|z| CASE.elastic(z));
    let (first, last, step) = BOTH;
    let steps = ((last - first) / step + 0.5) as usize;
    let both = (0..=steps)
        .map(|k| {
            let exponent = first + k as f64 * step;
            let forces = identify(CASE, &record, (exponent, exponent))?;
            Ok((exponent, error_of_state(&forces, 2, &stiffness).map(|error| 100.0 * error)))
        })
        .collect::<Result<_>>()?;
    // one thread for each q_s
    let trials = thread::scope(|scope| {
        let threads = STIFFNESS.map(|stiffness| {
            let record = &record;
            scope.spawn(move || {
                DAMPING.iter().map(|&damping| trial(record, stiffness, damping)).collect::<Result<Vec<_>>>()
            })
        });
        let results = threads.map(|thread| thread.join().map_err(|_| anyhow!("a trial has panicked"))?);
        results.into_iter().collect::<Result<Vec<_>>>()
    })?;
    Ok(ExponentStudy { both, trials: trials.into_iter().flatten().collect() })
}

fn trial(record: &Record, stiffness: f64, damping: f64) -> Result<Trial> {
    let forces = identify(CASE, record, (stiffness, damping))?;
    let is_complete = forces.run().stopped().is_none();
    let settings = CurveSettings::default();
    let surface = forces.surface(0, &SurfaceSettings::default()).ok().filter(|_| is_complete);
    let (elastic, dissipative) = (|z| CASE.elastic(z), |v| CASE.dissipative(v));
    let (z, v) = (&record.motion.deformations, &record.motion.rates);
    let error = |curve: Option<RestoringForceCurve>, truth: &dyn Fn(f64) -> f64, visited: &[f64]| {
        let table = curve.filter(|_| is_complete)?.table().ok()?;
        curve_error(&table, truth, extent(visited)).ok()
    };
    Ok(Trial {
        stiffness_exponent: stiffness,
        damping_exponent: damping,
        elastic_direct: error(forces.elastic_curve(0, &settings).ok(), &elastic, z),
        elastic_sliced: error(surface.as_ref().and_then(|s| s.averaged_elastic_slice().ok()), &elastic, z),
        dissipative_direct: error(forces.dissipative_curve(0, &settings).ok(), &dissipative, v),
        dissipative_sliced: error(surface.as_ref().and_then(|s| s.averaged_dissipative_slice().ok()), &dissipative, v),
    })
}

impl ExponentStudy {
    /// Draws KE 2.7 and 3.6.
    pub fn figure(&self) -> Figure {
        let line = |name: &str, color, part: usize| {
            Line::new(name, color, self.both.iter().map(|(q, errors)| (*q, errors[part]))).marked()
        };
        let axes = || Axis::new("error").unit("%");
        let both =
            Panel::new("Effective stiffness", Axis::new("q_s = q_d"), Axis::new("error").unit("%").logarithmic())
                .line(line("bias", BLUE, 0))
                .line(line("root mean square", ORANGE, 1));
        let points = |error: &dyn Fn(&Trial) -> Option<f64>| -> Vec<_> {
            let of = |trial: &Trial| Some((trial.stiffness_exponent - trial.damping_exponent, error(trial)?));
            // errors of a filter that nearly diverged are outside of the scale
            self.trials.iter().filter_map(of).filter(|(_, error)| *error < 100.0).collect()
        };
        let panel = |title: &str, direct: Vec<(f64, f64)>, sliced: Vec<(f64, f64)>| {
            Panel::new(title, Axis::new("q_s - q_d"), axes())
                .line(Line::new("direct", BLUE, direct).scattered())
                .line(Line::new("averaged slices of the surface", ORANGE, sliced).scattered())
        };
        Figure::new(2, (480, 300))
            .panel(both)
            .panel(panel("Elastic curve", points(&|t| t.elastic_direct), points(&|t| t.elastic_sliced)))
            .panel(panel("Dissipative curve", points(&|t| t.dissipative_direct), points(&|t| t.dissipative_sliced)))
    }
}
