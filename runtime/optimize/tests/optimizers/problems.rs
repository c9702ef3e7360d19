//! Least-squares problems that check how they are evaluated, and every method with every step size.

use std::convert::Infallible;

use costate_optimize::{
    Failure, LeastSquaresObjective, LinearResiduals, Method, Objective, OptimizerSettings, OptimizerState, Scaling,
    StepSize, Variable, minimize_least_squares,
};

/// Residuals and their derivatives, one column per parameter.
pub type Evaluated = (Vec<f64>, Vec<Vec<f64>>);

/// J = 1/2 r^T r, which asserts that every evaluation is inside the bounds, and that gradients and residuals are
/// asked for where the cost is known.
pub struct Squares<F> {
    function: F,
    bounds: Vec<(f64, f64)>,
    evaluated: Vec<Vec<f64>>,
}

impl<F: FnMut(&[f64]) -> Evaluated> Squares<F> {
    pub fn new(state: &OptimizerState, function: F) -> Self {
        let bounds = state.variables().iter().map(Variable::bounds).collect();
        Self { function, bounds, evaluated: Vec::new() }
    }
}

impl<F: FnMut(&[f64]) -> Evaluated> Objective for Squares<F> {
    type Error = Infallible;

    fn cost(&mut self, p: &[f64]) -> Result<f64, Failure<Infallible>> {
        for (p, (lower, upper)) in p.iter().zip(&self.bounds) {
            assert!(p >= lower && p <= upper, "{p} is outside [{lower}, {upper}]");
        }
        self.evaluated.push(p.to_vec());
        Ok(0.5 * (self.function)(p).0.iter().map(|r| r * r).sum::<f64>())
    }

    fn gradient(&mut self, p: &[f64], gradient: &mut [f64]) -> Result<(), Failure<Infallible>> {
        assert_eq!(Some(p), self.evaluated.last().map(Vec::as_slice));
        let (r, columns) = (self.function)(p);
        for (g, column) in gradient.iter_mut().zip(columns) {
            *g = column.iter().zip(&r).map(|(d, r)| d * r).sum();
        }
        Ok(())
    }
}

impl<F: FnMut(&[f64]) -> Evaluated> LeastSquaresObjective for Squares<F> {
    fn residuals(&mut self, p: &[f64]) -> Result<LinearResiduals, Failure<Infallible>> {
        assert!(self.evaluated.iter().any(|evaluated| evaluated == p));
        let (values, derivatives) = (self.function)(p);
        Ok(LinearResiduals { values, derivatives })
    }
}

pub fn run(
    variables: Vec<Variable>,
    settings: OptimizerSettings,
    function: impl FnMut(&[f64]) -> Evaluated,
) -> OptimizerState {
    let mut state = OptimizerState::new(variables, settings).unwrap();
    let mut objective = Squares::new(&state, function);
    minimize_least_squares(&mut objective, &mut state, |_| Ok(())).unwrap();
    assert_eq!(objective.evaluated.len(), state.evaluations());
    assert!(state.is_consistent() && state.cost().is_finite());
    assert!(state.history().windows(2).all(|pair| pair[1].cost < pair[0].cost));
    state
}

pub fn methods() -> [Method; 5] {
    [
        Method::SteepestDescent,
        Method::Bfgs,
        Method::limited_memory_bfgs(),
        Method::GaussNewton,
        Method::LevenbergMarquardt,
    ]
}

pub fn step_sizes() -> [StepSize; 4] {
    [
        StepSize::StrongWolfe,
        StepSize::golden_section(),
        StepSize::quadratic_interpolation(),
        StepSize::cubic_interpolation(),
    ]
}

/// Every method with every step size.
pub fn combinations() -> impl Iterator<Item = (Method, StepSize)> {
    methods().into_iter().flat_map(|method| step_sizes().map(|step_size| (method, step_size)))
}

pub fn settings(method: Method, step_size: StepSize) -> OptimizerSettings {
    OptimizerSettings::default().with_method(method).with_step_size(step_size)
}

pub fn linear(name: &str, start: f64) -> Variable {
    Variable::new(name, start).scaled(Scaling::Linear { typical: 1.0 })
}

pub fn report(problem: &str, method: Method, step_size: StepSize, state: &OptimizerState) {
    let stop = state.stop().map(|stop| stop.to_string()).unwrap_or_default();
    let (iterations, evaluations) = (state.iterations(), state.evaluations());
    println!("{problem}: {method}, {step_size}: {iterations} iterations, {evaluations} evaluations, {stop}");
}

/// (1 - x)^2 + 100 (y - x^2)^2.
pub fn rosenbrock(p: &[f64]) -> Evaluated {
    let s = 2.0_f64.sqrt();
    let r = vec![s * (1.0 - p[0]), 10.0 * s * (p[1] - p[0] * p[0])];
    (r, vec![vec![-s, -20.0 * s * p[0]], vec![0.0, 10.0 * s]])
}

/// 1/2 sum_k f_k (p_k - 3)^2 in coordinates that are mixed by `mixing`.
pub fn quadratic(factors: &[f64], mixing: f64) -> impl Fn(&[f64]) -> Evaluated {
    let factors = factors.to_vec();
    move |p| {
        let n = p.len();
        let x = |k: usize| (p[k] - 3.0) + mixing * (p[(k + 1) % n] - 3.0);
        let r = (0..n).map(|k| factors[k].sqrt() * x(k)).collect();
        let mut columns = vec![vec![0.0; n]; n];
        for k in 0..n {
            columns[k][k] += factors[k].sqrt();
            columns[(k + 1) % n][k] += factors[k].sqrt() * mixing;
        }
        (r, columns)
    }
}

pub fn five() -> Vec<Variable> {
    (0..5).map(|k| linear(&format!("p{k}"), 1.0 + k as f64)).collect()
}

/// a exp(-k t) + b at 20 times against that of a = 2, k = 1.5, b = 0.5.
pub fn exponential(p: &[f64]) -> Evaluated {
    let mut columns = vec![Vec::new(); 3];
    let mut r = Vec::new();
    for t in (0..20).map(|j| 0.1 * f64::from(j)) {
        let decay = (-p[1] * t).exp();
        r.push(p[0] * decay + p[2] - (2.0 * (-1.5 * t).exp() + 0.5));
        columns[0].push(decay);
        columns[1].push(-p[0] * t * decay);
        columns[2].push(1.0);
    }
    (r, columns)
}

pub fn exponential_start() -> Vec<Variable> {
    vec![Variable::new("a", 1.0), Variable::new("k", 0.6), Variable::new("b", 1.0)]
}
