//! Every method finds the minimum, and the iterations that takes.

use costate_optimize::{Method, StepSize, Variable};

use crate::problems::*;

#[test]
fn rosenbrock_without_bounds() {
    for (method, step_size) in combinations() {
        let (iterations, error) = match method {
            Method::SteepestDescent => (4000, 0.1),
            Method::GaussNewton | Method::LevenbergMarquardt => (40, 1e-8),
            _ => (120, 1e-7),
        };
        let settings = settings(method, step_size).with_maximum_iterations(iterations);
        let state = run(vec![linear("x", -1.2), linear("y", 1.0)], settings, rosenbrock);
        report("Rosenbrock", method, step_size, &state);
        for p in state.parameters() {
            assert!((p - 1.0).abs() < error, "{method}, {step_size}: {p}");
        }
    }
}

#[test]
fn ill_conditioned_quadratic() {
    let steep = [1.0, 1e2, 1e4, 1e6, 1e8];
    let mild = [1.0, 2.0, 5.0, 10.0, 50.0];
    for (method, step_size) in combinations() {
        let (factors, iterations) = match method {
            Method::SteepestDescent => (mild, 2000),
            _ => (steep, 200),
        };
        let settings = settings(method, step_size).with_maximum_iterations(iterations);
        let state = run(five(), settings.with_gradient_tolerance(1e-15), quadratic(&factors, 0.2));
        report("quadratic", method, step_size, &state);
        for p in state.parameters() {
            assert!((p - 3.0).abs() < 1e-4, "{method}, {step_size}: {p} {:?}", state.stop());
        }
    }
}

#[test]
fn exponential_fit() {
    for (method, step_size) in combinations().filter(|(method, _)| *method != Method::SteepestDescent) {
        let state = run(exponential_start(), settings(method, step_size), exponential);
        report("exponential fit", method, step_size, &state);
        for (p, exact) in state.parameters().iter().zip([2.0, 1.5, 0.5]) {
            assert!((p / exact - 1.0).abs() < 1e-7, "{method}, {step_size}: {p}, not {exact}");
        }
        assert!(!method.needs_residuals() || state.iterations() <= 15, "{method}, {step_size}");
    }
}

#[test]
fn residuals_that_do_not_determine_all_parameters() {
    // Of the amplitude a b only the product matters, and c not at all.
    let product = |p: &[f64]| {
        let (r, columns) = exponential(&[p[0] * p[1], p[2], 0.5]);
        let scaled = |factor: f64| columns[0].iter().map(|d| factor * d).collect();
        let rows = r.len();
        (r, vec![scaled(p[1]), scaled(p[0]), columns[1].clone(), vec![0.0; rows]])
    };
    for (method, step_size) in combinations().filter(|(method, _)| method.needs_residuals()) {
        let variables = [("a", 1.0), ("b", 0.7), ("k", 0.6), ("c", 1.0)];
        let variables = variables.map(|(name, start)| Variable::new(name, start)).to_vec();
        let state = run(variables, settings(method, step_size), product);
        report("rank-deficient fit", method, step_size, &state);
        let p = state.parameters();
        assert!((p[0] * p[1] / 2.0 - 1.0).abs() < 1e-7 && (p[2] / 1.5 - 1.0).abs() < 1e-7, "{method}: {p:?}");
        assert_eq!(p[3], 1.0, "what does not matter does not move");
        assert!((p[0] / p[1] - 1.0 / 0.7).abs() < 1e-6, "nor does the ratio: {p:?}");
        assert!(state.iterations() <= 15, "{method}, {step_size}: {}", state.iterations());
    }
}

#[test]
fn fewer_residuals_than_parameters() {
    let one = |p: &[f64]| (vec![p[0] + 2.0 * p[1] - 4.0], vec![vec![1.0], vec![2.0]]);
    for method in [Method::GaussNewton, Method::LevenbergMarquardt] {
        let settings = settings(method, StepSize::StrongWolfe).with_largest_step(10.0);
        let state = run(vec![linear("x", 0.0), linear("y", 0.0)], settings, one);
        let p = state.parameters();
        // The shortest way: (4, 8)/5; in units of what each variable does to the residual both take a half.
        let expected = if method == Method::GaussNewton { [0.8, 1.6] } else { [2.0, 1.0] };
        assert!(p.iter().zip(expected).all(|(p, expected)| (p - expected).abs() < 1e-6), "{method}: {p:?}");
    }
}
