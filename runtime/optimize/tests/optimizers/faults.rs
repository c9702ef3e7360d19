//! Stalls, costs that are not numbers, and mistakes.

use costate_optimize::{
    Failure, LeastSquaresObjective, LinearResiduals, Method, MethodError, Objective, OptimizeError, OptimizerSettings,
    OptimizerState, StartError, StepSize, Stop, minimize, minimize_least_squares,
};

use crate::problems::*;

#[test]
fn a_wrong_gradient_is_a_stall() {
    // Uphill: no method finds a lower cost, and says so.
    let wrong = |p: &[f64]| {
        let (r, columns) = rosenbrock(p);
        (r, columns.into_iter().map(|column| column.iter().map(|d| -d).collect()).collect())
    };
    for (method, step_size) in combinations() {
        let state = run(vec![linear("x", -1.2), linear("y", 1.0)], settings(method, step_size), wrong);
        let stop = state.stop().unwrap();
        assert!(!stop.converged(), "{method}, {step_size}: {stop}");
        assert!(state.parameters().iter().all(|p| p.is_finite()) && state.cost() <= 24.2);
    }
}

#[test]
fn costs_that_are_not_numbers_are_stepped_back_from() {
    // Not a number for x > 1.1; the way from (-1.2, 1) leads to (1, 1).
    let walled = |p: &[f64]| {
        let (mut r, mut columns) = rosenbrock(p);
        if p[0] > 1.1 {
            r[0] = f64::NAN;
            columns[0][0] = f64::NAN;
        }
        (r, columns)
    };
    for (method, step_size) in combinations().filter(|(method, _)| *method != Method::SteepestDescent) {
        let state = run(vec![linear("x", 0.9), linear("y", 1.2)], settings(method, step_size), walled);
        for p in state.parameters() {
            assert!((p - 1.0).abs() < 1e-6, "{method}, {step_size}: {p} {:?}", state.stop());
        }
    }
}

#[test]
fn stops_say_whether_they_converged() {
    for stop in [Stop::Gradient, Stop::CostDecrease, Stop::CostTarget, Stop::Step] {
        assert!(stop.converged());
    }
    assert!(!Stop::NoDecrease.converged() && !Stop::MaximumIterations.converged());
}

#[test]
fn mistakes_have_their_own_errors() {
    let start = |method| OptimizerState::new(five(), settings(method, StepSize::default())).unwrap();
    let square = quadratic(&[1.0; 5], 0.0);
    for method in [Method::GaussNewton, Method::LevenbergMarquardt] {
        let mut state = start(method);
        let mut objective = Squares::new(&state, &square);
        let error = minimize(&mut objective, &mut state, |_| Ok(())).unwrap_err();
        assert_eq!(error, OptimizeError::Method(MethodError::NoResiduals { method }));
        let few = |p: &[f64]| (square(p).0, vec![vec![1.0; 5]; 3]);
        let mut objective = Squares::new(&state, few);
        let error = minimize_least_squares(&mut objective, &mut state, |_| Ok(())).unwrap_err();
        let shape = MethodError::Shape { residuals: 5, parameters: 5, columns: 3, rows: 5 };
        assert_eq!(error, OptimizeError::Method(shape));
        let mut objective = Doubled(Squares::new(&state, &square));
        let error = minimize_least_squares(&mut objective, &mut state, |_| Ok(())).unwrap_err();
        assert!(matches!(error, OptimizeError::Method(MethodError::NotLeastSquares { .. })), "{error}");
    }
    let refused = |settings| match OptimizerState::new(five(), settings) {
        Err(StartError::Settings(error)) => error.to_string(),
        other => panic!("{other:?}"),
    };
    let default = OptimizerSettings::default;
    assert_eq!(
        refused(default().with_method(Method::LimitedMemoryBfgs { memory: 0 })),
        "the setting `method.memory` is 0; choose a value from 1 to 1000000"
    );
    let golden = default().with_step_size(StepSize::GoldenSection { tolerance: 1.0 });
    assert!(refused(golden).contains("`step_size.tolerance` is 1;"));
    let cubic = default().with_step_size(StepSize::CubicInterpolation { tolerance: -0.1 });
    assert!(refused(cubic).contains("`step_size.tolerance` is -0.1;"));
}

/// A cost that is twice that of its residuals.
struct Doubled<O>(O);

impl<O: Objective> Objective for Doubled<O> {
    type Error = O::Error;

    fn cost(&mut self, p: &[f64]) -> Result<f64, Failure<O::Error>> {
        Ok(2.0 * self.0.cost(p)?)
    }

    fn gradient(&mut self, p: &[f64], gradient: &mut [f64]) -> Result<(), Failure<O::Error>> {
        self.0.gradient(p, gradient)?;
        gradient.iter_mut().for_each(|g| *g *= 2.0);
        Ok(())
    }
}

impl<O: LeastSquaresObjective> LeastSquaresObjective for Doubled<O> {
    fn residuals(&mut self, p: &[f64]) -> Result<LinearResiduals, Failure<O::Error>> {
        self.0.residuals(p)
    }
}
