//! Andrews' squeezing mechanism, seven bodies, with the data and the solution of the test set of Hairer, Wanner and
//! Mazzia (Test Set for IVP Solvers, problem Andrews; Hairer, Wanner: Solving ODEs II, VII.7).

// Numbers as published.
#![allow(clippy::excessive_precision)]

use costate::simulate::Scheme;
use costate::{Model, Simulation};

use super::andrews::Andrews;
use super::standard::Squeezer;

/// beta, Theta, gamma, Phi, delta, Omega, epsilon at t = 0.03 s.
const PUBLISHED: [f64; 7] = [
    0.1581077119629904e2,
    -0.1575637105984298e2,
    0.4082224013073101e-1,
    -0.5347301163226948,
    0.5244099658805304,
    0.5347301163226948,
    0.1048080741042263e1,
];

/// Published accelerations of beta and Theta at t = 0.
const PUBLISHED_ACCELERATIONS: [f64; 2] = [14222.4439199541138705911625887, -10666.8329399655854029433719415];

/// Published multipliers of the first two constraints at t = 0, with the sign of C_q^T lambda on the left of the
/// equation.
const PUBLISHED_MULTIPLIERS: [f64; 2] = [98.5668703962410896057654982170, -6.12268834425566265503114393122];

const END: f64 = 0.03;

fn by_energies(steps: usize) -> [f64; 7] {
    let model = Andrews::default();
    let problem =
        Simulation::new(&model).step(END / steps as f64).until(END).scheme(Scheme::Undamped).problem().unwrap();
    let trajectory = problem.forward(&model.parameters()).unwrap();
    trajectory.coordinates(steps).try_into().unwrap()
}

fn by_bodies(steps: usize) -> [f64; 7] {
    let model = Squeezer::default();
    let run = Simulation::new(&model).step(END / steps as f64).until(END).scheme(Scheme::Undamped).run().unwrap();
    [
        Squeezer::BETA,
        Squeezer::THETA,
        Squeezer::GAMMA,
        Squeezer::PHI,
        Squeezer::DELTA,
        Squeezer::OMEGA,
        Squeezer::EPSILON,
    ]
    .map(|output| run.output(output)[steps])
}

/// Checks the errors with a step and with half of it, and of both extrapolated to h = 0 with the order 2 of the scheme.
fn check(solve: impl Fn(usize) -> [f64; 7], name: &str) {
    const STEPS: usize = 30_000;
    let (coarse, fine) = (solve(STEPS), solve(2 * STEPS));
    let error = |values: &[f64; 7]| {
        values
            .iter()
            .zip(PUBLISHED)
            .map(|(value, published)| ((value - published) / published).abs())
            .fold(0.0, f64::max)
    };
    let extrapolated: [f64; 7] = std::array::from_fn(|i| fine[i] + (fine[i] - coarse[i]) / 3.0);
    let (coarse, fine, extrapolated) = (error(&coarse), error(&fine), error(&extrapolated));
    let order = (coarse / fine).log2();
    assert!((order - 2.0).abs() < 0.1, "{name}: order {order}, errors {coarse:e} and {fine:e}");
    assert!(extrapolated < 1e-8, "{name}: {extrapolated:e}");
}

#[test]
fn seven_bodies_against_the_published_solution() {
    check(by_bodies, "bodies");
}

#[test]
fn energies_against_the_published_solution() {
    check(by_energies, "energies");
}

#[test]
fn published_start() {
    let model = Andrews::default();
    let run = Simulation::new(&model).step(1e-6).until(1e-6).run().unwrap();
    let accelerations = [Andrews::BETA, Andrews::THETA].map(|q| run.acceleration(q)[0]);
    let multipliers = [Andrews::G_1, Andrews::G_2].map(|g| run.multiplier(g)[0]);
    let bodies = Squeezer::default();
    let bodies = Simulation::new(&bodies).step(1e-6).until(1e-6).run().unwrap();
    let beta = bodies.acceleration(Squeezer::CRANK_ANGLE)[0];
    for (computed, published) in accelerations
        .into_iter()
        .chain([beta])
        .zip(PUBLISHED_ACCELERATIONS.into_iter().chain([PUBLISHED_ACCELERATIONS[0]]))
    {
        assert!((computed / published - 1.0).abs() < 1e-11, "{computed}, published {published}");
    }
    for (computed, published) in multipliers.into_iter().zip(PUBLISHED_MULTIPLIERS) {
        assert!((computed / published - 1.0).abs() < 1e-10, "{computed}, published {published}");
    }
}

/// Checks that there are at most 1.7 times as many adaptive steps as constant ones of the same accuracy.
#[test]
fn adaptive_steps_are_few() {
    let model = Andrews::default();
    let error = |end: &[f64]| end.iter().zip(PUBLISHED).map(|(q, published)| (q - published).abs()).fold(0.0, f64::max);
    let simulation = || Simulation::new(&model).until(END).error_limit(None);
    let adaptive = simulation().step(END / 300.0).adaptive(1e-8).run().unwrap();
    let steps = adaptive.trajectory().steps();
    let constant = |steps: usize| {
        let run = simulation().step(END / steps as f64).run().unwrap();
        error(run.trajectory().coordinates(steps))
    };
    let equal = steps as f64 * (constant(steps) / error(adaptive.trajectory().coordinates(steps))).sqrt();
    assert!(
        // the motion is equally fast everywhere: errors of steps of different lengths do not cancel as those of
        // equal ones do
        steps as f64 <= 1.7 * equal,
        "{steps} adaptive steps, {equal} constant ones of the same accuracy"
    );
}
