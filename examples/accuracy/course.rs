//! The largest errors over whole runs, including the first steps, and the error estimates of the runs.

use anyhow::Result;
use costate::simulate::{Problem, SimulationError, Trajectory};
use costate::{Model, Simulation};
use serde::Serialize;

use crate::models::motions::{self, Loaded, Swinging, Turning};
use crate::study::Kinds;

/// Number of runs that are compared, each with steps half as long as those of the one before.
const RUNS: u32 = 4;

/// The errors of one run.
#[derive(Debug, Clone, Copy, Serialize)]
pub struct Errors {
    /// Number of steps.
    pub steps: usize,
    /// Errors relative to the largest value of the kind.
    #[serde(flatten)]
    pub of: Kinds,
}

/// Results for a motion with a scheme.
#[derive(Debug, Clone, Serialize)]
pub struct Course {
    /// Orders by the last halving.
    pub order: Kinds,
    /// Errors from the longest steps to the shortest ones.
    pub error: Vec<Errors>,
    /// The estimated worst error of each of these runs, by [`Run::accuracy`], over the true error.
    pub estimate_over_true: Vec<f64>,
}

/// The reference: q, v, a and lambda, then the outputs, at equidistant times.
struct Reference {
    rows: Vec<Vec<f64>>,
}

/// Computes the results of all motions, by their names.
pub fn courses() -> Result<Vec<(&'static str, Course)>> {
    let (swinging, loaded) = (Swinging::default(), Loaded::default());
    let swing = || Simulation::new(&swinging).until(1.0).error_limit(None);
    let under = |load: fn(f64) -> f64| motions::loaded(&loaded, load).error_limit(None);
    let constant = |k: u32| swing().step(4e-3 / f64::from(1 << k)).problem();
    // the steps chosen for one tolerance, then each divided into two, four and eight
    let planned = swing().step(0.02).adaptive(1e-6).problem()?;
    let adaptive = |k: u32| (0..k).try_fold(planned.clone(), |problem, _| problem.refined());
    let finest = RUNS - 1 + 4;
    // without constraints, whose multipliers would contain the rounding of short steps
    let turning = Turning::default();
    let fine = Simulation::new(&turning).until(1.0).step(4e-3 / f64::from(1 << finest)).run()?;
    let rows = (0..fine.outputs().samples()).map(|k| fine.outputs().row(k).to_vec());
    let exact = Reference { rows: rows.collect() };
    let mut all = vec![
        ("start_in_motion", course::<Swinging>(constant, &exact)?),
        ("adaptive", course::<Swinging>(adaptive, &exact)?),
    ];
    let loads = [("jump", motions::jump as fn(f64) -> f64), ("kink", motions::kink), ("impulse", motions::impulse)];
    for (name, load) in loads {
        let step = |k: u32| under(load).step(1e-3 / f64::from(1 << k));
        let fine = step(finest).run()?;
        let step = |k: u32| step(k).problem();
        let row = |k: usize| [fine.trajectory().stored(k), fine.outputs().row(k)].concat();
        let fine = Reference { rows: (0..fine.outputs().samples()).map(row).collect() };
        all.push((name, course::<Loaded>(step, &fine)?));
    }
    Ok(all)
}

/// Computes the errors of runs with respect to the reference.
fn course<M: Model + Default>(
    problem: impl Fn(u32) -> Result<Problem, SimulationError>,
    reference: &Reference,
) -> Result<Course> {
    let (mut error, mut estimate_over_true) = (Vec::new(), Vec::new());
    for k in 0..RUNS {
        let problem = problem(k)?;
        let run = problem.forward(M::default().parameters().as_ref())?;
        error.push(Errors { steps: run.steps(), of: errors(&run, reference) });
        let own = run.outputs();
        let accuracy = problem.accuracy(&run, &own)?;
        let output = (0..accuracy.outputs.len())
            .max_by(|&a, &b| accuracy.outputs[a].relative().total_cmp(&accuracy.outputs[b].relative()));
        let output = output.unwrap_or_default();
        let every = (reference.rows.len() - 1) / (own.samples() - 1);
        let right = |i: usize| reference.rows[every * i][run.stored(0).len() + output];
        let differences = (0..own.samples()).map(|i| (own.row(i)[output] - right(i)).abs());
        estimate_over_true.push(accuracy.outputs[output].error / differences.fold(0.0, f64::max));
    }
    let [long, short] = [error[error.len() - 2], error[error.len() - 1]];
    let shorter = (short.steps as f64 / long.steps as f64).ln();
    let order = long.of.with(&short.of, |long, short| (long / short).ln() / shorter);
    Ok(Course { order, error, estimate_over_true })
}

/// Computes the largest differences at all samples of a run.
fn errors(own: &Trajectory, reference: &Reference) -> Kinds {
    let every = (reference.rows.len() - 1) / (own.samples() - 1);
    let n = own.coordinates(0).len();
    let part = |from: usize, to: usize| {
        let (mut largest, mut difference) = (0f64, 0f64);
        for k in 0..own.samples() {
            let rows = (own.stored(own.step_of_sample(k)), &reference.rows[every * k]);
            for (a, b) in rows.0[from..to].iter().zip(&rows.1[from..to]) {
                (largest, difference) = (largest.max(b.abs()), difference.max((a - b).abs()));
            }
        }
        difference / largest
    };
    let end = own.stored(0).len();
    let lambda = (end > 3 * n).then(|| part(3 * n, end));
    Kinds { q: part(0, n), v: part(n, 2 * n), a: part(2 * n, 3 * n), lambda, gradient: None }
}
