//! Active bounds, and no evaluation outside.

use costate_optimize::{Method, Scaling, Stop, Variable};
use proptest::prelude::*;

use crate::problems::*;

#[test]
fn rosenbrock_at_active_bounds() {
    for (method, step_size) in combinations() {
        let settings = settings(method, step_size).with_maximum_iterations(3000);
        // With x <= 0.5 the minimum is at x = 0.5, y = 0.25.
        let variables = vec![linear("x", -1.2).within(-2.0, 0.5), linear("y", 1.0).within(-1.0, 2.0)];
        let state = run(variables, settings.clone(), rosenbrock);
        report("Rosenbrock, x <= 0.5", method, step_size, &state);
        assert_eq!(state.at_bound(), [true, false], "{method}, {step_size}: {:?}", state.parameters());
        assert!((state.parameters()[1] - 0.25).abs() < 1e-6, "{method}, {step_size}: {state:?}");
        // With y >= 1.5 it is at y = 1.5, near x = sqrt(1.5).
        let variables = vec![Variable::new("x", 2.0).positive(), Variable::new("y", 3.0).within(1.5, 9.0)];
        let state = run(variables, settings, rosenbrock);
        report("Rosenbrock, y >= 1.5", method, step_size, &state);
        let p = state.parameters();
        assert_eq!(p[1], 1.5, "{method}, {step_size}");
        let (r, columns) = rosenbrock(&p);
        let slope: f64 = columns[0].iter().zip(&r).map(|(d, r)| d * r).sum();
        assert!(slope.abs() < 1e-4, "{method}, {step_size}: dJ/dx = {slope}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 48, failure_persistence: None, ..Default::default() })]

    /// Random residuals, linear but for a square, in a random box; `Squares` asserts that no evaluation leaves it.
    #[test]
    fn no_evaluation_leaves_the_box(
        unknowns in prop::collection::vec(
            (0.01..5.0_f64, 0.0..1.0_f64, 0.0..5.0_f64, -3.0..8.0_f64, any::<bool>()), 1..5,
        ),
        mixing in -0.4..0.4_f64,
        bend in 0.0..0.1_f64,
    ) {
        let variables = || unknowns.iter().map(|&(lower, part, width, _, logarithmic)| {
            let variable = Variable::new("p", lower + part * width).within(lower, lower + width + 1e-3);
            if logarithmic { variable } else { variable.scaled(Scaling::Linear { typical: 1.0 }) }
        }).collect::<Vec<_>>();
        let residuals = |p: &[f64]| {
            let n = p.len();
            let x: Vec<f64> = (0..n).map(|k| p[k] - unknowns[k].3).collect();
            let mut columns = vec![vec![0.0; n]; n];
            for k in 0..n {
                columns[k][k] += 1.0 + 2.0 * bend * x[k].abs();
                columns[(k + 1) % n][k] += mixing;
            }
            ((0..n).map(|k| x[k] + bend * x[k] * x[k].abs() + mixing * x[(k + 1) % n]).collect(), columns)
        };
        for (method, step_size) in combinations() {
            let settings = settings(method, step_size).with_maximum_iterations(500);
            let state = run(variables(), settings, residuals);
            let p = state.parameters();
            let (r, columns) = residuals(&p);
            for (k, variable) in state.variables().iter().enumerate() {
                let gradient: f64 = columns[k].iter().zip(&r).map(|(d, r)| d * r).sum();
                let (lower, upper) = variable.bounds();
                let (above, below) = (p[k] > lower * (1.0 + 1e-9), p[k] < upper * (1.0 - 1e-9));
                let downhill = (above && gradient > 1e-3) || (below && gradient < -1e-3);
                // Steepest descent may zigzag on; it then says so.
                let zigzags = method == Method::SteepestDescent && state.stop() == Some(Stop::MaximumIterations);
                prop_assert!(
                    !downhill || zigzags,
                    "{method}, {step_size}: {p:?} {gradient} {:?}", state.stop(),
                );
            }
        }
    }
}
