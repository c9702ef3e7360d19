//! Compares unscented Kalman filters and particle filters of compiled models with their points in SIMD lanes and
//! one after the other.
//! Both run alternately on one thread; the shortest times count, as other programs disturb them least.
//!
//! `cargo bench -p costate-models --bench sigma_points`

#[path = "../../tests/src/one_by_one.rs"]
mod one_by_one;

use std::time::Instant;

use costate::filter::{
    Filter, FilterError, Gaussian, ImplicitModel, KalmanFilter, KalmanMethod, ParticleFilter, RungeKutta,
    RungeKuttaModel, SigmaPoints, StateSpace, Storage, run,
};
use costate::simulate::Problem;
use costate::{Model, Simulation};
use costate_models::{EngineMount, PendulumOnCart, engine_mount, pendulum_on_cart};
use nalgebra::DMatrix;
use one_by_one::OneByOne;

/// Number of runs in lanes and of runs one after the other, alternately.
const RUNS: usize = 15;

/// Number of samples of a record.
const SAMPLES: usize = 400;

/// Number of particles of a particle filter.
const PARTICLES: usize = 200;

const POINTS: SigmaPoints = SigmaPoints { alpha: 1.0, beta: 2.0, kappa: 0.0 };

fn main() -> Result<(), Box<dyn std::error::Error>> {
    println!("{:<42} {:>6} {:>12} {:>12} {:>7}", "", "points", "one by one", "in lanes", "ratio");
    println!("{:<42} {:>6} {:>12} {:>12} {:>7}", "", "", "us/sample", "us/sample", "");
    pendulum()?;
    mount()?;
    Ok(())
}

/// Measures a model without constraints, by Runge-Kutta steps.
fn pendulum() -> Result<(), Box<dyn std::error::Error>> {
    let model = PendulumOnCart::default();
    let problem = Simulation::new(&model)
        .input(PendulumOnCart::FORCE, |t: f64| 5.0 * (2.0 * t).sin())
        .step(pendulum_on_cart::STEP)
        .until(pendulum_on_cart::STEP * SAMPLES as f64)
        .problem()?;
    let process = || -> Result<_, FilterError> {
        let process = RungeKuttaModel::new(&problem, &model)?;
        Ok(process.estimate([PendulumOnCart::M_P, PendulumOnCart::D_P]).formula(RungeKutta::Fourth))
    };
    let record = Record::of(&problem, &model, process()?.input_rows(), 0.02)?;
    let initial = Gaussian::independent(&process()?.initial_mean()?, &[0.05, 0.05, 0.1, 0.1, 0.05, 0.005])?;
    record.compare("pendulum on a cart", &initial, process)
}

/// Measures a model with a constraint and a coordinate without mass, by steps of the HHT method.
fn mount() -> Result<(), Box<dyn std::error::Error>> {
    let model = EngineMount::default();
    let problem = Simulation::new(&model)
        .input(EngineMount::DRIVE, engine_mount::sweep)
        .step(engine_mount::STEP)
        .until(engine_mount::STEP * SAMPLES as f64)
        .alpha(engine_mount::ALPHA)
        .problem()?;
    let process = || -> Result<_, FilterError> {
        Ok(ImplicitModel::new(&problem, &model).estimate([EngineMount::C_E1, EngineMount::D_E]))
    };
    let initial = process()?.initial_by_parameters(&[5e3, 1.0])?;
    let record = Record::of(&problem, &model, process()?.input_rows(), 0.05)?;
    record.compare("engine mount", &initial, process)
}

/// Inputs and simulated measurements.
struct Record {
    interval: f64,
    inputs: Vec<f64>,
    outputs: Vec<f64>,
    noise: DMatrix<f64>,
}

impl Record {
    /// Simulates the outputs.
    fn of<M: Model>(problem: &Problem, model: &M, inputs: Vec<f64>, deviation: f64) -> Result<Self, FilterError> {
        let outputs = problem.outputs(model.parameters().as_ref()).map_err(FilterError::of_model)?;
        let signals = outputs.width();
        Ok(Self {
            interval: outputs.step(),
            inputs,
            outputs: (0..outputs.samples()).flat_map(|i| outputs.row(i).to_vec()).collect(),
            noise: DMatrix::identity(signals, signals) * (deviation * deviation),
        })
    }

    fn compare<P: StateSpace>(
        &self,
        name: &str,
        initial: &Gaussian,
        process: impl Fn() -> Result<P, FilterError>,
    ) -> Result<(), Box<dyn std::error::Error>> {
        let n = initial.mean.len();
        let noise = &initial.covariance * 1e-4;
        for (method, what) in [
            (KalmanMethod::Unscented(POINTS), "unscented"),
            (KalmanMethod::SquareRootUnscented(POINTS), "unscented, square root"),
        ] {
            let filter = |process| KalmanFilter::new(process, method, self.interval, initial, &noise, &self.noise);
            let other = |process| KalmanFilter::new(process, method, self.interval, initial, &noise, &self.noise);
            self.measure(&format!("{name}, {what}"), 2 * n + 1, || other(OneByOne(process()?)), || filter(process()?))?;
        }
        let filter = |process| ParticleFilter::new(process, PARTICLES, self.interval, initial, &noise, &self.noise, 1);
        let other = |process| ParticleFilter::new(process, PARTICLES, self.interval, initial, &noise, &self.noise, 1);
        self.measure(&format!("{name}, particles"), PARTICLES, || other(OneByOne(process()?)), || filter(process()?))
    }

    fn measure<A: Filter, B: Filter>(
        &self,
        name: &str,
        points: usize,
        one_by_one: impl Fn() -> Result<A, FilterError>,
        in_lanes: impl Fn() -> Result<B, FilterError>,
    ) -> Result<(), Box<dyn std::error::Error>> {
        let mut least = [f64::INFINITY; 2];
        for _ in 0..RUNS {
            least[0] = least[0].min(self.seconds(one_by_one()?)?);
            least[1] = least[1].min(self.seconds(in_lanes()?)?);
        }
        let [one, lanes] = least.map(|time| time * 1e6 / SAMPLES as f64);
        println!("{name:<42} {points:>6} {one:>12.2} {lanes:>12.2} {:>7.2}", one / lanes);
        Ok(())
    }

    fn seconds<F: Filter>(&self, mut filter: F) -> Result<f64, FilterError> {
        let start = Instant::now();
        let result = run(&mut filter, &self.inputs, &self.outputs, Storage::Means)?;
        let seconds = start.elapsed().as_secs_f64();
        match result.stopped() {
            Some(stopped) => Err(stopped.clone().into()),
            None => Ok(seconds),
        }
    }
}
