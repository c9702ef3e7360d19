//! Levenberg-Marquardt in a trust region: bounds, units, directions that residuals do not determine, stored states.

use std::convert::Infallible;

use costate_optimize::{
    Failure, LeastSquaresObjective, LinearResiduals, Method, Objective, OptimizeError, OptimizerSettings,
    OptimizerState, Scaling, Stop, Variable, minimize, minimize_least_squares,
};

use crate::problems::Evaluated;

/// A sum of squares within bounds, of which residuals alone may be had as well.
struct Squares<F> {
    function: F,
    bounds: Vec<(f64, f64)>,
    evaluations: usize,
}

impl<F: Fn(&[f64]) -> Evaluated> Objective for Squares<F> {
    type Error = Infallible;

    fn cost(&mut self, p: &[f64]) -> Result<f64, Failure<Infallible>> {
        for (p, (lower, upper)) in p.iter().zip(&self.bounds) {
            assert!(p >= lower && p <= upper, "{p} is outside [{lower}, {upper}]");
        }
        self.evaluations += 1;
        Ok(0.5 * (self.function)(p).0.iter().map(|r| r * r).sum::<f64>())
    }

    fn gradient(&mut self, p: &[f64], gradient: &mut [f64]) -> Result<(), Failure<Infallible>> {
        let (r, columns) = (self.function)(p);
        for (entry, column) in gradient.iter_mut().zip(columns) {
            *entry = column.iter().zip(&r).map(|(a, b)| a * b).sum();
        }
        Ok(())
    }
}

impl<F: Fn(&[f64]) -> Evaluated> LeastSquaresObjective for Squares<F> {
    fn residuals(&mut self, p: &[f64]) -> Result<LinearResiduals, Failure<Infallible>> {
        let (values, derivatives) = (self.function)(p);
        Ok(LinearResiduals { values, derivatives })
    }

    fn residual_values(&mut self, p: &[f64]) -> Result<Option<Vec<f64>>, Failure<Infallible>> {
        Ok(Some((self.function)(p).0))
    }
}

fn squares<F: Fn(&[f64]) -> Evaluated>(state: &OptimizerState, function: F) -> Squares<F> {
    Squares { function, bounds: state.variables().iter().map(Variable::bounds).collect(), evaluations: 0 }
}

fn run(variables: Vec<Variable>, function: impl Fn(&[f64]) -> Evaluated) -> OptimizerState {
    let mut state = OptimizerState::new(variables, OptimizerSettings::default()).unwrap();
    let mut objective = squares(&state, function);
    minimize_least_squares(&mut objective, &mut state, |_| Ok(())).unwrap();
    assert_eq!(objective.evaluations, state.evaluations());
    assert!(state.is_consistent());
    state
}

fn rosenbrock(p: &[f64]) -> Evaluated {
    (vec![1.0 - p[0], 10.0 * (p[1] - p[0] * p[0])], vec![vec![-1.0, -20.0 * p[0]], vec![0.0, 10.0]])
}

/// A fixed pattern without trend.
fn noise(i: usize) -> f64 {
    ((i * i + 7 * i) as f64 * 0.618).sin()
}

/// a exp(-b t) against data of (2, 1.5), with parameters in units of their own.
fn decay(units: [f64; 2], error: f64) -> impl Fn(&[f64]) -> Evaluated {
    move |p| {
        let (a, b) = (p[0] * units[0], p[1] * units[1]);
        let times = (0..40).map(|i| 0.05 * f64::from(i));
        let mut columns = vec![Vec::new(), Vec::new()];
        let r = times.enumerate().map(|(i, t)| {
            columns[0].push((-b * t).exp() * units[0]);
            columns[1].push(-a * t * (-b * t).exp() * units[1]);
            a * (-b * t).exp() - 2.0 * (-1.5 * t).exp() - error * noise(i)
        });
        (r.collect(), columns)
    }
}

#[test]
fn bounds_are_left_again() {
    let variables = vec![Variable::new("x", -1.2).within(-1.2, 2.0), Variable::new("y", -1.0).within(-1.0, 1.0)];
    let state = run(variables, rosenbrock);
    assert!(state.parameters().iter().all(|p| (p - 1.0).abs() < 1e-9), "{:?}", state.parameters());
}

#[test]
fn units_do_not_matter() {
    let own = run(vec![Variable::new("a", 1.0), Variable::new("b", 0.3)], decay([1.0, 1.0], 0.02));
    let others = run(vec![Variable::new("a", 1e-9), Variable::new("b", 0.3e7)], decay([1e9, 1e-7], 0.02));
    assert_eq!(own.iterations(), others.iterations());
    assert!(own.iterations() <= 8, "{}", own.iterations());
    for (p, (q, unit)) in own.parameters().iter().zip(others.parameters().iter().zip([1e9, 1e-7])) {
        assert!((p / (q * unit) - 1.0).abs() < 1e-9, "{p} {q}");
    }
    // a typical change that is off by orders is as good
    let far = Variable::new("b", 0.3).scaled(Scaling::Linear { typical: 1e-6 });
    let scaled = run(vec![Variable::new("a", 1.0), far], decay([1.0, 1.0], 0.02));
    assert_eq!(own.iterations(), scaled.iterations());
}

#[test]
fn unknowns_change_their_sign_unless_they_are_positive() {
    let line = |p: &[f64]| {
        let r = (0..20).map(|i| p[0] * f64::from(i) + 3.0 * f64::from(i) + 0.1 * noise(i as usize));
        (r.collect(), vec![(0..20).map(f64::from).collect()])
    };
    let state = run(vec![Variable::new("k", 5.0)], line);
    assert!((state.parameters()[0] + 3.0).abs() < 0.01 && state.stop().unwrap().converged());
    assert_eq!(Variable::new("m", 5.0).positive().scaling(), Scaling::Logarithmic);
    assert_eq!(Variable::new("m", 5.0).within(1.0, 9.0).scaling(), Scaling::Logarithmic);
    assert_eq!(Variable::new("m", 5.0).within(0.0, 9.0).scaling(), Scaling::Linear { typical: 5.0 });
}

/// The data determine a product alone: both factors share its change, and the direction is named.
#[test]
fn what_residuals_do_not_tell_stays_where_it_is() {
    let product = |p: &[f64]| {
        let shape = |i: usize| (0.3 * i as f64).sin();
        let r = (0..50).map(|i| (p[0] * p[1] - 6.0) * shape(i) + 0.05 * noise(i)).collect();
        let column = |other: f64| (0..50).map(|i| other * shape(i)).collect();
        (r, vec![column(p[1]), column(p[0])])
    };
    let state = run(vec![Variable::new("gain", 1.0), Variable::new("start", 2.0)], product);
    let p = state.parameters();
    assert_eq!(state.stop(), Some(Stop::Flat));
    assert!((p[0] * p[1] / 6.0 - 1.0).abs() < 0.01, "{p:?}");
    assert!((1.0..5.0).contains(&p[0]), "{p:?}");
    let [direction] = state.flat_directions() else { panic!("{:?}", state.flat_directions()) };
    assert!((direction[0] + direction[1]).abs() < 1e-6 && direction[0].abs() == 1.0, "{direction:?}");
}

/// A direction that the data hardly determine, which a minimisation without regard to noise follows to the end of the
/// valley.
#[test]
fn valleys_that_only_noise_slopes_are_not_followed() {
    // amplitude and curvature: sin(q)/q differs from 1 by little
    let swing = |p: &[f64]| {
        let (gain, q) = (p[0], p[1]);
        let shape = |i: usize| (0.2 * i as f64).cos();
        let value = |i: usize| gain * (q * shape(i)).sin();
        let r = (0..200).map(|i| value(i) - 0.1 * (0.1 * shape(i)).sin() / 0.1 - 0.02 * noise(i)).collect();
        let by_gain = (0..200).map(|i| (q * shape(i)).sin()).collect();
        let by_q = (0..200).map(|i| gain * shape(i) * (q * shape(i)).cos()).collect();
        (r, vec![by_gain, by_q])
    };
    let state = run(vec![Variable::new("gain", 2.0), Variable::new("q", 0.02)], swing);
    let p = state.parameters();
    assert!(state.stop().unwrap().converged() && state.iterations() < 100, "{:?}", state.stop());
    assert!((p[0] * p[1] / 0.1 - 1.0).abs() < 0.1, "{p:?}");
    assert!((0.02..200.0).contains(&p[0]), "{p:?}");
}

/// Compares a minimisation with the same one that is stored and read again after any of its iterations.
fn continues_bit_by_bit(variables: &[Variable], function: impl Fn(&[f64]) -> Evaluated) -> OptimizerState {
    let whole = run(variables.to_vec(), &function);
    for stopped in 0..whole.iterations() {
        let settings = OptimizerSettings::default().with_maximum_iterations(stopped.max(1));
        let mut state = OptimizerState::new(variables.to_vec(), settings).unwrap();
        let mut objective = squares(&state, &function);
        minimize_least_squares(&mut objective, &mut state, |_| Ok(())).unwrap();
        let text = serde_json::to_string(&state).unwrap();
        let mut state: OptimizerState = serde_json::from_str(&text).unwrap();
        state.set_maximum_iterations(200);
        let mut objective = squares(&state, &function);
        minimize_least_squares(&mut objective, &mut state, |_| Ok(())).unwrap();
        assert_eq!(state.history(), whole.history(), "stopped after {stopped}");
        assert_eq!((state.stop(), state.parameters()), (whole.stop(), whole.parameters()));
    }
    whole
}

#[test]
fn stored_states_continue_bit_by_bit() {
    continues_bit_by_bit(&[Variable::new("a", 30.0), Variable::new("b", 9.0)], decay([1.0, 1.0], 0.02));
}

/// Brown and Dennis, whose residuals at the minimum are as large as anything: without second derivatives it takes 274
/// iterations.
#[test]
fn residuals_that_stay_large_do_not_slow_the_end() {
    let brown_dennis = |p: &[f64]| {
        let (mut r, mut columns) = (Vec::new(), vec![Vec::new(); 4]);
        for t in (1..=20).map(|i| 0.2 * f64::from(i)) {
            let (u, v) = (p[0] + t * p[1] - t.exp(), p[2] + t.sin() * p[3] - t.cos());
            r.push(u * u + v * v);
            let derivatives = [2.0 * u, 2.0 * u * t, 2.0 * v, 2.0 * v * t.sin()];
            columns.iter_mut().zip(derivatives).for_each(|(column, entry)| column.push(entry));
        }
        (r, columns)
    };
    for far in [1.0, 10.0] {
        let start = [("a", 25.0), ("b", 5.0), ("c", -5.0), ("d", -1.0)];
        let variables = start.map(|(name, p)| Variable::new(name, far * p));
        let state = continues_bit_by_bit(&variables, brown_dennis);
        assert!((2.0 * state.cost() / 85_822.201_6 - 1.0).abs() < 1e-6, "{}", state.cost());
        assert!(state.stop().unwrap().converged() && state.iterations() <= 30, "{}", state.iterations());
    }
}

#[test]
fn starts_that_tell_nothing_or_overflow_end_at_once() {
    let begin = || OptimizerState::new(vec![Variable::new("x", 1.0)], OptimizerSettings::default()).unwrap();
    let mut state = begin();
    let mut flat = squares(&state, |_: &[f64]| (vec![2.0, 1.0], vec![vec![0.0, 0.0]]));
    assert_eq!(minimize_least_squares(&mut flat, &mut state, |_| Ok(())), Ok(Stop::Flat));
    assert_eq!((state.iterations(), state.parameters()), (0, vec![1.0]));
    for residual in [1e200, f64::INFINITY, f64::NAN] {
        let mut state = begin();
        let mut far = squares(&state, |_: &[f64]| (vec![residual], vec![vec![1.0]]));
        let ended = minimize_least_squares(&mut far, &mut state, |_| Ok(()));
        assert_eq!(ended, Err(OptimizeError::StartNotFinite), "{residual}");
        let mut state = begin();
        let mut steep = squares(&state, |_: &[f64]| (vec![1.0], vec![vec![residual]]));
        let ended = minimize_least_squares(&mut steep, &mut state, |_| Ok(()));
        assert!(residual == 1e200 || ended == Err(OptimizeError::StartNotFinite), "{residual} {ended:?}");
    }
}

#[test]
fn methods_are_chosen_by_what_the_cost_has() {
    let state = run(vec![Variable::new("x", -1.2), Variable::new("y", 1.0)], rosenbrock);
    assert_eq!(state.settings().method, Method::LevenbergMarquardt);
    assert!(state.history()[1..].iter().all(|iteration| iteration.foretold.is_some()));
    let variables = vec![Variable::new("x", -1.2), Variable::new("y", 1.0)];
    let mut state = OptimizerState::new(variables, OptimizerSettings::default()).unwrap();
    let mut objective = squares(&state, rosenbrock);
    minimize(&mut objective, &mut state, |_| Ok(())).unwrap();
    assert_eq!(state.settings().method, Method::Bfgs);
    assert_eq!(Method::Automatic.resolved(false, 5000), Method::limited_memory_bfgs());
    assert_eq!(Method::SteepestDescent.resolved(true, 2), Method::SteepestDescent);
}
