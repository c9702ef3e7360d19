//! Measures the cost of the gradient of an experiment's information with respect to its inputs, in forward runs.
//!
//! `cargo bench -p costate-models --bench information`; RAYON_NUM_THREADS=1 for one core.

use std::time::Instant;

use costate::differentiate::input_gradient;
use costate::experiment::{Criterion, InformationError, Noise, information_gradient};
use costate::model::{Dual, Scalar, Vector};
use costate::simulate::Problem;
use costate::{Model, Parameter, Simulation};
use costate_models::{CartPendulum, PendulumOnCart, TwoMasses, cart_pendulum};

/// Number of runs of each case; the medians count.
const RUNS: usize = 21;

fn main() -> Result<(), InformationError> {
    println!(
        "{:<22} {:>10} {:>14} {:>14} {:>24}",
        "model", "forward", "in duals", "dual adjoint", "gradient, per parameter"
    );
    println!("{:<22} {:>10} {:>14} {:>14} {:>24}", "", "ms", "runs", "runs", "runs");
    let model = TwoMasses::default();
    let problem = Simulation::new(&model).input(TwoMasses::FORCE, |t: f64| (50.0 * t).sin()).step(2e-4).until(1.0);
    let noise = Noise::independent([(TwoMasses::POSITION, 1e-4)])?;
    measure("two masses", &problem.problem()?, &model, &[TwoMasses::C_2], &noise)?;

    let model = PendulumOnCart::default();
    let problem =
        Simulation::new(&model).input(PendulumOnCart::FORCE, |t: f64| 3.0 * (4.0 * t).sin()).step(1e-3).until(4.0);
    let noise = Noise::independent([(PendulumOnCart::ANGLE, 1e-2)])?;
    let unknown = [PendulumOnCart::S_P, PendulumOnCart::D_P];
    measure("pendulum on a cart", &problem.problem()?, &model, &unknown, &noise)?;

    let model = cart_pendulum::OB.model();
    let problem =
        Simulation::new(&model).input(CartPendulum::DRIVE, |t: f64| cart_pendulum::OB.force(t)).step(2e-3).until(8.0);
    let noise = Noise::independent([(CartPendulum::ANGLE, 1e-3)])?;
    let unknown = [CartPendulum::C_F, CartPendulum::D_F];
    measure("triple pendulum, DAE", &problem.alpha(cart_pendulum::ALPHA).problem()?, &model, &unknown, &noise)
}

fn measure<M: Model>(
    name: &str,
    problem: &Problem,
    model: &M,
    unknown: &[Parameter<M>],
    noise: &Noise<M>,
) -> Result<(), InformationError> {
    let parameters = model.parameters();
    let forward = median(|| Ok(problem.run(parameters.as_ref())?))?;
    let mut directed = M::Parameters::<Dual>::zeros(M::DESCRIPTION.parameters.len());
    for (to, from) in directed.as_mut().iter_mut().zip(parameters.as_ref()) {
        *to = Dual::constant(*from);
    }
    directed.as_mut()[unknown[0].index()].derivative = 1.0;
    let dual = median(|| Ok(costate::simulate::run_in::<M, Dual>(problem, &directed)?))?;
    let mut run = costate::simulate::run_in::<M, Dual>(problem, &directed)?;
    let weights = run.outputs().clone();
    let adjoint = median(|| Ok(input_gradient::<M, Dual>(problem, &mut run, &weights, None)?))?;
    let criterion = Criterion::TraceOfInverse;
    let all = median(|| information_gradient(problem, model, unknown.iter().copied(), noise, criterion))?;
    println!(
        "{name:<22} {:>10.3} {:>14.2} {:>14.2} {:>24.2}",
        1e3 * forward,
        dual / forward,
        adjoint / forward,
        all / forward / unknown.len() as f64
    );
    Ok(())
}

/// Measures the median time of `RUNS` calls in s.
fn median<T>(mut work: impl FnMut() -> Result<T, InformationError>) -> Result<f64, InformationError> {
    let mut times = Vec::new();
    for _ in 0..RUNS {
        let start = Instant::now();
        work()?;
        times.push(start.elapsed().as_secs_f64());
    }
    times.sort_by(f64::total_cmp);
    Ok(times[RUNS / 2])
}
