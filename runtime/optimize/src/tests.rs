//! Convergence, bounds, failures and resumption.

use std::convert::Infallible;

use proptest::prelude::*;

use super::*;

/// A cost with its gradient, which counts and checks its evaluations.
struct Function<F> {
    function: F,
    bounds: Vec<(f64, f64)>,
    latest: Vec<f64>,
    evaluations: usize,
}

#[derive(Debug, PartialEq, thiserror::Error)]
#[error("outside")]
struct Outside;

impl<E, F: FnMut(&[f64]) -> Result<(f64, Vec<f64>), Failure<E>>> Objective for Function<F> {
    type Error = E;

    fn cost(&mut self, parameters: &[f64]) -> Result<f64, Failure<E>> {
        for (&p, (lower, upper)) in parameters.iter().zip(&self.bounds) {
            assert!(p >= *lower && p <= *upper, "{p} is outside [{lower}, {upper}]");
        }
        self.evaluations += 1;
        self.latest = parameters.to_vec();
        Ok((self.function)(parameters)?.0)
    }

    fn gradient(&mut self, parameters: &[f64], gradient: &mut [f64]) -> Result<(), Failure<E>> {
        assert_eq!(parameters, self.latest);
        gradient.copy_from_slice(&(self.function)(parameters)?.1);
        Ok(())
    }
}

fn objective<E, F>(state: &OptimizerState, function: F) -> Function<F>
where
    F: FnMut(&[f64]) -> Result<(f64, Vec<f64>), Failure<E>>,
{
    let bounds = state.variables().iter().map(Variable::bounds).collect();
    Function { function, bounds, latest: Vec::new(), evaluations: 0 }
}

fn run(
    variables: Vec<Variable>,
    settings: OptimizerSettings,
    mut function: impl FnMut(&[f64]) -> (f64, Vec<f64>),
) -> OptimizerState {
    let mut state = OptimizerState::new(variables, settings).unwrap();
    let mut objective = objective(&state, |p: &[f64]| Ok::<_, Failure<Infallible>>(function(p)));
    minimize(&mut objective, &mut state, |_| Ok(())).unwrap();
    assert_eq!(objective.evaluations, state.evaluations());
    assert!(state.is_consistent());
    state
}

fn rosenbrock(p: &[f64]) -> (f64, Vec<f64>) {
    let (a, b) = (1.0 - p[0], p[1] - p[0] * p[0]);
    (a * a + 100.0 * b * b, vec![-2.0 * a - 400.0 * p[0] * b, 200.0 * b])
}

fn linear(name: &str, start: f64) -> Variable {
    Variable::new(name, start).scaled(Scaling::Linear { typical: 1.0 })
}

#[test]
fn rosenbrock_without_bounds() {
    let state = run(vec![linear("x", -1.2), linear("y", 1.0)], OptimizerSettings::default(), rosenbrock);
    assert!(state.cost() < 1e-18, "{state:?}");
    for p in state.parameters() {
        assert!((p - 1.0).abs() < 1e-8, "{p}");
    }
    assert!(state.iterations() < 60, "{}", state.iterations());
    assert!(state.history().windows(2).all(|pair| pair[1].cost < pair[0].cost));
}

#[test]
fn rosenbrock_in_logarithms() {
    let variables = vec![Variable::new("x", 3.0).positive(), Variable::new("y", 0.2).positive()];
    let state = run(variables, OptimizerSettings::default(), rosenbrock);
    assert_eq!(state.variables()[0].scaling(), Scaling::Logarithmic);
    for p in state.parameters() {
        assert!((p - 1.0).abs() < 1e-8, "{p}");
    }
}

#[test]
fn rosenbrock_at_an_active_bound() {
    // With x <= 0.5 the minimum is at x = 0.5, y = 0.25.
    let variables = vec![linear("x", -1.2).within(-2.0, 0.5), linear("y", 1.0).within(-1.0, 2.0)];
    let state = run(variables, OptimizerSettings::default(), rosenbrock);
    assert_eq!(state.parameters()[0], 0.5);
    assert!((state.parameters()[1] - 0.25).abs() < 1e-9, "{:?}", state.parameters());
    assert_eq!(state.at_bound(), [true, false]);
    // With y >= 1.5 it is at the bound y = 1.5, near x = sqrt(1.5).
    let variables = vec![linear("x", 2.0), linear("y", 3.0).within(1.5, 9.0)];
    let state = run(variables, OptimizerSettings::default(), rosenbrock);
    let x = state.parameters()[0];
    assert_eq!(state.parameters()[1], 1.5);
    assert!((rosenbrock(&[x, 1.5]).1[0]).abs() < 1e-6, "{x}");
}

#[test]
fn a_start_at_a_bound_leaves_it() {
    let variables = vec![linear("x", -1.2).within(-1.2, 2.0), linear("y", 1.0).within(-1.0, 1.0)];
    let state = run(variables, OptimizerSettings::default(), rosenbrock);
    for p in state.parameters() {
        assert!((p - 1.0).abs() < 1e-7, "{p}");
    }
}

#[test]
fn quadratic_with_condition_1e8() {
    let factors = [1.0, 1e2, 1e4, 1e6, 1e8];
    let quadratic = |p: &[f64]| {
        let gradient: Vec<_> = p.iter().zip(factors).map(|(p, factor)| factor * (p - 3.0)).collect();
        let cost = gradient.iter().zip(factors).map(|(g, factor)| 0.5 * g * g / factor).sum();
        (cost, gradient)
    };
    let variables = (0..5).map(|k| linear(&format!("x{k}"), 1.0 + k as f64)).collect();
    let settings = OptimizerSettings::default().with_gradient_tolerance(1e-15);
    let state = run(variables, settings, quadratic);
    for p in state.parameters() {
        assert!((p - 3.0).abs() < 1e-6, "{p} {:?}", state.stop());
    }
    assert!(state.iterations() < 100, "{}", state.iterations());
}

#[test]
fn failures_are_stepped_around() {
    // No cost beyond the circle of radius 2, and NaN for x > 1.7.
    let partly = |p: &[f64]| {
        if p[0] * p[0] + p[1] * p[1] > 4.0 {
            return Err(Failure::Here(Outside));
        }
        let (cost, gradient) = rosenbrock(p);
        Ok((if p[0] > 1.7 { f64::NAN } else { cost }, gradient))
    };
    let settings = OptimizerSettings::default().with_first_step(5.0).with_largest_step(5.0);
    let mut state = OptimizerState::new(vec![linear("x", -1.2), linear("y", 1.0)], settings.clone()).unwrap();
    let mut function = objective(&state, partly);
    minimize(&mut function, &mut state, |_| Ok(())).unwrap();
    assert!((state.parameters()[0] - 1.0).abs() < 1e-7);

    let mut state = OptimizerState::new(vec![linear("x", -1.2), linear("y", 3.0)], settings).unwrap();
    let mut function = objective(&state, partly);
    let error = minimize(&mut function, &mut state, |_| Ok(())).unwrap_err();
    assert_eq!(error, OptimizeError::Start { source: Outside });
}

#[test]
fn an_error_of_the_observer_stops() {
    let mut state =
        OptimizerState::new(vec![linear("x", -1.2), linear("y", 1.0)], OptimizerSettings::default()).unwrap();
    let mut function = objective(&state, |p: &[f64]| Ok(rosenbrock(p)));
    let observe = |state: &OptimizerState| if state.iterations() == 4 { Err(Outside) } else { Ok(()) };
    let error = minimize(&mut function, &mut state, observe).unwrap_err();
    assert_eq!(error, OptimizeError::Stopped { source: Outside });
    assert_eq!(state.iterations(), 4);
}

#[test]
fn every_stopping_rule_says_so() {
    let variables = || vec![linear("x", -1.2), linear("y", 1.0)];
    let stop = |settings| run(variables(), settings, rosenbrock).stop().unwrap();
    let default = OptimizerSettings::default;
    assert_eq!(stop(default().with_maximum_iterations(3)), Stop::MaximumIterations);
    assert_eq!(stop(OptimizerSettings { cost_target: Some(1e-3), ..default() }), Stop::CostTarget);
    assert_eq!(stop(default().with_gradient_tolerance(1e-3)), Stop::Gradient);
    assert_eq!(stop(default().with_gradient_tolerance(0.0).with_step_tolerance(1e-4)), Stop::Step);
    let shifted = |p: &[f64]| {
        let (cost, gradient) = rosenbrock(p);
        (cost + 1e3, gradient)
    };
    let state = run(variables(), default().with_gradient_tolerance(0.0).with_cost_tolerance(1e-6), shifted);
    assert!(matches!(state.stop(), Some(Stop::CostDecrease | Stop::NoDecrease)), "{:?}", state.stop());
    let wrong = run(variables(), default(), |p| (rosenbrock(p).0, vec![200.0, 100.0]));
    assert_eq!(wrong.stop(), Some(Stop::NoDecrease));
}

#[test]
fn a_resumed_run_continues_bit_by_bit() {
    let variables = || vec![Variable::new("x", 3.0).within(0.1, 5.0), linear("y", 0.2).within(-1.0, 0.7)];
    let full = run(variables(), OptimizerSettings::default(), rosenbrock);
    for interrupted_at in 0..full.iterations() {
        let mut state = OptimizerState::new(variables(), OptimizerSettings::default()).unwrap();
        let mut stored = String::new();
        let mut function = objective(&state, |p: &[f64]| Ok(rosenbrock(p)));
        let observe = |state: &OptimizerState| {
            stored = serde_json::to_string(state).unwrap();
            if state.iterations() == interrupted_at { Err(Outside) } else { Ok(()) }
        };
        minimize(&mut function, &mut state, observe).unwrap_err();
        let mut resumed: OptimizerState = serde_json::from_str(&stored).unwrap();
        minimize(&mut function, &mut resumed, |_| Ok(())).unwrap();
        assert_eq!(resumed, full, "interrupted after iteration {interrupted_at}");
    }
}

#[test]
fn more_iterations_continue_a_run() {
    let variables = || vec![linear("x", -1.2), linear("y", 1.0)];
    let full = run(variables(), OptimizerSettings::default(), rosenbrock);
    let mut part = run(variables(), OptimizerSettings::default().with_maximum_iterations(5), rosenbrock);
    part.set_maximum_iterations(200);
    let mut function = objective(&part, |p: &[f64]| Ok::<_, Failure<Infallible>>(rosenbrock(p)));
    minimize(&mut function, &mut part, |_| Ok(())).unwrap();
    assert_eq!(part, full);
}

#[test]
fn variables_are_checked() {
    let check = |variable: Variable| variable.check().unwrap_err().to_string();
    assert_eq!(
        check(Variable::new("c", 2.0).within(3.0, 4.0)),
        "the start value 2 of `c` is outside its bounds [3, 4]; change one of them"
    );
    assert!(check(Variable::new("c", 2.0).within(4.0, 3.0)).contains("lower one must be less"));
    assert!(check(Variable::new("c", f64::NAN)).contains("NaN"));
    assert!(check(Variable::new("c", -1.0).scaled(Scaling::Logarithmic)).contains("logarithmically"));
    for (start, typical) in [(1.0, 0.0), (0.0, 1e-160), (1.0, 1e-15), (1.0, 1e160), (1.0, f64::NAN)] {
        let said = check(linear("c", start).scaled(Scaling::Linear { typical }));
        assert!(said.contains("beside the start value"), "{said}");
    }
    assert_eq!(Variable::new("c", 0.0).within(-1.0, 3.0).scaling(), Scaling::Linear { typical: 4.0 });
    assert_eq!(Variable::new("c", 2.0).within(f64::NEG_INFINITY, 3.0).scaling(), Scaling::Linear { typical: 2.0 });
    let settings = OptimizerSettings::default().with_first_step(-1.0);
    assert!(matches!(OptimizerState::new(vec![], settings), Err(StartError::Settings(_))));
}

proptest! {
    /// A random convex quadratic in a random box; `Function` asserts that no evaluation leaves the box, and the
    /// result satisfies the optimality conditions.
    #[test]
    fn no_evaluation_leaves_the_box(
        unknowns in prop::collection::vec((0.01..5.0_f64, 0.0..1.0_f64, 0.0..5.0_f64, -3.0..8.0_f64, any::<bool>()),
        1..5),
        coupling in -0.9..0.9_f64,
    ) {
        let variables: Vec<_> = unknowns
            .iter()
            .map(|&(lower, part, width, _, logarithmic)| {
                let variable = Variable::new("p", lower + part * width).within(lower, lower + width + 1e-3);
                if logarithmic { variable } else { variable.scaled(Scaling::Linear { typical: 1.0 }) }
            })
            .collect();
        let quadratic = |p: &[f64]| {
            let r: Vec<_> = p.iter().zip(&unknowns).map(|(p, unknown)| p - unknown.3).collect();
            let n = r.len();
            let mut gradient = r.clone();
            for k in 1..n {
                gradient[k] += 0.5 * coupling * r[k - 1];
                gradient[k - 1] += 0.5 * coupling * r[k];
            }
            (0.5 * gradient.iter().zip(&r).map(|(g, r)| g * r).sum::<f64>(), gradient)
        };
        let state = run(variables, OptimizerSettings::default(), quadratic);
        let p = state.parameters();
        let gradient = quadratic(&p).1;
        for (k, variable) in state.variables().iter().enumerate() {
            let (lower, upper) = variable.bounds();
            let inside_lower = p[k] > lower * (1.0 + 1e-9);
            let inside_upper = p[k] < upper * (1.0 - 1e-9);
            prop_assert!(!(inside_lower && gradient[k] > 1e-4), "{:?} {gradient:?} {:?}", p, state.stop());
            prop_assert!(!(inside_upper && gradient[k] < -1e-4), "{:?} {gradient:?} {:?}", p, state.stop());
        }
    }
}
