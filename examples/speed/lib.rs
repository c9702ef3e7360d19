//! Times of forward runs and gradients per step.

use std::time::Instant;

use costate::simulate::{NewtonSettings, Problem, Series, SimulationError};
use costate::{Model, Parameter, Simulation, gradient};
use serde::Serialize;

/// Largest number of parameters of gradients at the defaults.
const UNKNOWN: usize = 4;

/// Figures of one model; times are medians, in microseconds per step.
#[derive(Debug, Clone, Copy, Serialize)]
pub struct Figures {
    /// A forward run with the default settings.
    pub forward_us: f64,
    /// A forward run whose Newton iterations all end at rounding.
    pub forward_strict_us: f64,
    /// That run with the check of its accuracy.
    pub checked_us: f64,
    /// A gradient by the discrete adjoint, without the forward run.
    pub gradient_us: f64,
    /// Bytes of a stored step.
    pub bytes_per_step: f64,
    /// Newton iterations per step of the forward run, and of the strict one.
    #[serde(skip)]
    pub iterations: [f64; 2],
    /// Factorisations per step of the forward run.
    #[serde(skip)]
    pub factorizations: f64,
    /// Part of the factorisations of the strict run whose pivots are not those of the order that was chosen when the
    /// model was compiled.
    #[serde(skip)]
    pub pivoted: f64,
    /// Median of the ratios of a gradient to the strict forward run before it.
    #[serde(skip)]
    pub ratio: f64,
}

/// Times both forward runs and the gradient of 1/2 sum s^2 of the first output, one after the other, `runs` times.
/// `strict` is the problem with strict settings.
pub fn measure<M: Model>(
    problem: &Problem,
    strict: &Problem,
    model: &M,
    unknown: &[Parameter<M>],
    runs: usize,
) -> Result<Figures, SimulationError> {
    let parameters = model.parameters();
    let trajectory = problem.forward(parameters.as_ref())?;
    let outputs = trajectory.outputs();
    let mut output_gradient = Series::zeros(outputs.step(), outputs.width(), outputs.samples());
    for i in 0..outputs.samples() {
        output_gradient.row_mut(i)[0] = outputs.row(i)[0];
    }
    let strict_statistics = strict.forward(parameters.as_ref())?.statistics();
    let [mut forward, mut exact, mut checked, mut backward, mut ratios] = [const { Vec::new() }; 5];
    for _ in 0..runs.max(1) {
        let begin = Instant::now();
        let trajectory = strict.forward(parameters.as_ref())?;
        let strict_run = begin.elapsed().as_secs_f64();
        let outputs = trajectory.outputs();
        let begin = Instant::now();
        // whether it is accurate does not matter here
        let found = strict.check_accuracy(&trajectory, &outputs);
        checked.push(strict_run + begin.elapsed().as_secs_f64());
        if let Err(error) = found
            && !matches!(error, SimulationError::Inaccurate(_))
        {
            return Err(error);
        }
        drop(trajectory);
        let first = Instant::now();
        let trajectory = problem.forward(parameters.as_ref())?;
        let second = Instant::now();
        gradient(problem, &trajectory, &output_gradient, unknown)?;
        let [run, sweep] = [second - first, second.elapsed()].map(|time| time.as_secs_f64());
        exact.push(strict_run);
        forward.push(run);
        backward.push(sweep);
        ratios.push(sweep / strict_run);
    }
    let steps = problem.steps() as f64;
    let per_step = |times: Vec<f64>| median(times) / steps * 1e6;
    let statistics = trajectory.statistics();
    Ok(Figures {
        forward_us: per_step(forward),
        forward_strict_us: per_step(exact),
        checked_us: per_step(checked),
        gradient_us: per_step(backward),
        bytes_per_step: problem.memory().trajectory_bytes as f64 / (steps + 1.0),
        iterations: [statistics.iterations, strict_statistics.iterations].map(|count| count as f64 / steps),
        factorizations: statistics.factorizations as f64 / steps,
        pivoted: strict_statistics.pivoted as f64 / strict_statistics.factorizations as f64,
        ratio: median(ratios),
    })
}

/// Times a model at its default parameters, with the default scheme and the gradient with respect to its first
/// parameters.
pub fn measure_defaults<M: Model + Default>(step: f64, end: f64, runs: usize) -> Result<Figures, SimulationError> {
    let model = M::default();
    let problem = |newton| Simulation::new(&model).step(step).until(end).newton(newton).problem();
    let unknown: Vec<_> = Parameter::all().take(UNKNOWN).collect();
    measure(&problem(estimated())?, &problem(strict())?, &model, &unknown, runs)
}

/// Newton iterations that end when their estimated error is small enough.
pub fn estimated() -> NewtonSettings {
    NewtonSettings::default().with_estimate(true)
}

/// Newton iterations that end at rounding.
pub fn strict() -> NewtonSettings {
    NewtonSettings::default()
}

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}
