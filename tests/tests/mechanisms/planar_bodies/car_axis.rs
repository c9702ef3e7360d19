//! The car axis problem of the Test Set for IVP Solvers (index 3, stiff springs, a constraint that depends on time).

// Numbers as published.
#![allow(clippy::excessive_precision)]

use costate::simulate::Scheme;
use costate::{Run, Simulation};

use super::standard::CarAxis;

/// x and y of the left and the right end at t = 3 s.
const PUBLISHED: [f64; 4] =
    [0.493455784275402809122e-1, 0.496989460230171153861, 0.104174252488542151681e1, 0.373911027265361256927];

#[test]
fn published_solution() {
    let model = CarAxis::default();
    let solve = |steps: usize| {
        let run = Simulation::new(&model).step(3.0 / steps as f64).until(3.0).scheme(Scheme::Undamped).run().unwrap();
        [CarAxis::LEFT_X, CarAxis::LEFT_Y, CarAxis::RIGHT_X, CarAxis::RIGHT_Y].map(|q| run.coordinate(q)[steps])
    };
    const STEPS: usize = 12_000;
    let (coarse, fine) = (solve(STEPS), solve(2 * STEPS));
    let error = |values: &[f64; 4]| {
        values
            .iter()
            .zip(PUBLISHED)
            .map(|(value, published)| ((value - published) / published).abs())
            .fold(0.0, f64::max)
    };
    let extrapolated: [f64; 4] = std::array::from_fn(|i| fine[i] + (fine[i] - coarse[i]) / 3.0);
    let (coarse, fine, extrapolated) = (error(&coarse), error(&fine), error(&extrapolated));
    let order = (coarse / fine).log2();
    assert!((order - 2.0).abs() < 0.1, "order {order}, errors {coarse:e} and {fine:e}");
    assert!(extrapolated < 1e-7, "{extrapolated:e}");
}

/// A motion without kinks takes hardly more steps when they adapt than when they are constant.
#[test]
fn adaptive_steps_are_few() {
    let model = CarAxis::default();
    let simulation = || Simulation::new(&model).until(3.0).error_limit(None);
    let error = |run: &Run<CarAxis>| {
        let found = [CarAxis::LEFT_X, CarAxis::LEFT_Y, CarAxis::RIGHT_X, CarAxis::RIGHT_Y]
            .map(|q| run.coordinate(q).last().copied().unwrap());
        found.iter().zip(PUBLISHED).map(|(value, published)| (value - published).abs()).fold(0.0, f64::max)
    };
    let adaptive = simulation().step(0.03).adaptive(3e-6).run().unwrap();
    let steps = adaptive.trajectory().steps();
    let constant = |steps: usize| error(&simulation().step(3.0 / steps as f64).run().unwrap());
    // as accurate with constant steps: errors fall with their square
    let at = steps.div_ceil(100) * 100;
    let equal = at as f64 * (constant(at) / error(&adaptive)).sqrt();
    assert!(steps as f64 <= 1.2 * equal, "{steps} adaptive steps, {equal} constant ones of the same accuracy");
}
