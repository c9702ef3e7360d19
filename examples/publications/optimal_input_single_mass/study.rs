//! The switching time, and identifications with it.

use anyhow::Result;
use costate::cost::Quadrature;
use costate::experiment::{Noise, RepetitionSettings, Repetitions, RepetitionsError, Sensitivities};
use costate::optimize::{Method, OptimizerSettings};
use costate::simulate::Interrupt;
use costate::{Identification, Record, Simulation};
use costate_publications::switching::{Bound, Extremal, SwitchingError, SwitchingProblem};

use crate::Options;
use crate::model::{BOUNDS, END, SingleMass};

/// Steps of a simulation and samples of a measurement.
const STEPS: f64 = 500.0;

/// State and sensitivity (OB 5.23) of the compiled model, h = -1/2 x_c^2.
pub fn switching_problem() -> Result<SwitchingProblem> {
    let model = SingleMass::default();
    let problem = Simulation::new(&model).input(SingleMass::U, 0.0).step(END / STEPS).until(END).problem()?;
    let noise = Noise::independent([(SingleMass::POSITION, 1.0)])?;
    Ok(SwitchingProblem::of_model(&problem, &model, [SingleMass::C], &noise, SingleMass::U, BOUNDS)?)
}

/// J and f over t_1, their minimum and root.
pub struct Scan {
    /// (t_1, J).
    pub cost: Vec<(f64, f64)>,
    /// (t_1, f), OB (5.27).
    pub condition: Vec<(f64, f64)>,
    /// The minimum of J on the grid, refined by golden sections.
    pub minimum: (f64, f64),
    /// By Newton's method.
    pub extremal: Extremal,
    /// (t, p_2, u).
    pub path: Vec<(f64, f64, f64)>,
    /// Largest difference of the Hamiltonian from its value at the start.
    pub hamiltonian_change: f64,
}

impl Scan {
    pub fn new(problem: &SwitchingProblem) -> Result<Self, SwitchingError> {
        let end = problem.end();
        let intervals = 1000;
        let grid: Vec<f64> = (0..=intervals).map(|i| end * f64::from(i) / f64::from(intervals)).collect();
        let (mut cost, mut condition) = (Vec::new(), Vec::new());
        for &t in &grid {
            cost.push((t, problem.cost(Bound::Upper, &[t])?));
            condition.push((t, problem.switching_conditions(Bound::Upper, &[t], &[])?[0]));
        }
        let best = cost.iter().copied().min_by(|a, b| a.1.total_cmp(&b.1)).map_or(0.0, |(t, _)| t);
        let width = end / f64::from(intervals);
        let minimum = refined(problem, (best - width).max(0.0), (best + width).min(end))?;
        let extremal = problem.extremal(Bound::Upper, &[best])?;
        let points = problem.path(extremal.first, &extremal.switching_times, &extremal.multipliers, &grid)?;
        let first = points.first().map_or(0.0, |point| point.hamiltonian);
        let change = points.iter().map(|point| (point.hamiltonian - first).abs()).fold(0.0, f64::max);
        let path = points.iter().map(|point| (point.time, point.switching_function, point.input)).collect();
        Ok(Self { cost, condition, minimum, extremal, path, hamiltonian_change: change })
    }
}

/// The minimum of J(t_1) by golden sections.
fn refined(problem: &SwitchingProblem, mut low: f64, mut high: f64) -> Result<(f64, f64), SwitchingError> {
    let part = 0.5 * (5.0_f64.sqrt() - 1.0);
    while high - low > 1e-9 {
        let (a, b) = (high - part * (high - low), low + part * (high - low));
        let smaller = problem.cost(Bound::Upper, &[a])? < problem.cost(Bound::Upper, &[b])?;
        (low, high) = if smaller { (low, b) } else { (a, high) };
    }
    let t = 0.5 * (low + high);
    Ok((t, problem.cost(Bound::Upper, &[t])?))
}

/// Identifications of c with an input that switches from the upper to the lower bound, or not at all.
pub fn repeated(
    switching_time: Option<f64>,
    options: &Options,
    interrupt: &Interrupt,
) -> Result<Repetitions<SingleMass>, RepetitionsError> {
    let input = move |t: f64| if switching_time.is_none_or(|t1| t < t1) { BOUNDS.1 } else { BOUNDS.0 };
    let truth = SingleMass::default();
    let problem = Simulation::new(&truth).input(SingleMass::U, input).step(END / STEPS).until(END).problem();
    let known = Sensitivities::simulate(
        &problem.map_err(costate::experiment::InformationError::from)?,
        &truth,
        [SingleMass::C],
    )?;
    let noise = Noise::independent([(SingleMass::POSITION, options.noise)])
        .map_err(costate::experiment::InformationError::from)?;
    let settings = RepetitionSettings::new(options.repetitions, options.seed).with_interrupt(interrupt.clone());
    known.repeat(&noise, &settings, |record| identification(record, input), |_| ())
}

/// Starts 10 % above the true value.
fn identification(record: &Record, input: impl Fn(f64) -> f64 + Send + Sync + 'static) -> Identification<SingleMass> {
    let simulation = Simulation::new(&SingleMass { c: 1.1 * SingleMass::default().c })
        .input(SingleMass::U, input)
        .step(END / STEPS)
        .until(END);
    Identification::new(&simulation)
        .unknown([SingleMass::C])
        .measured(SingleMass::POSITION, record)
        .quadrature(Quadrature::Sum)
        .optimizer(OptimizerSettings::default().with_method(Method::GaussNewton))
}
