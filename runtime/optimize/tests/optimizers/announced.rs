//! Trials that line searches foresee.

use std::convert::Infallible;

use costate_optimize::{Failure, Method, Objective, OptimizerSettings, OptimizerState, StepSize, Variable, minimize};

use crate::problems::{Evaluated, exponential, exponential_start, five, linear, quadratic, rosenbrock, settings};

/// Numbers of announced parameters, of those that were asked for, and of trials.
#[derive(Debug, Default, PartialEq)]
struct Counts {
    announced: usize,
    used: usize,
    trials: usize,
}

/// A cost J = 1/2 r^T r that checks the announcements.
struct Checked<F> {
    function: F,
    bounds: Vec<(f64, f64)>,
    ahead: Vec<Vec<f64>>,
    /// The first announced parameters, which are certain to be evaluated next.
    next: Option<Vec<f64>>,
    counts: Counts,
}

impl<F: FnMut(&[f64]) -> Evaluated> Objective for Checked<F> {
    type Error = Infallible;

    fn announce(&mut self, parameters: &[Vec<f64>]) {
        assert!((2..=4).contains(&parameters.len()), "{parameters:?}");
        for p in parameters {
            let inside = p.iter().zip(&self.bounds).all(|(p, (lower, upper))| p >= lower && p <= upper);
            assert!(inside, "{p:?} is outside {:?}", self.bounds);
        }
        self.ahead = parameters.to_vec();
        self.next = parameters.first().cloned();
        self.counts.announced += parameters.len();
    }

    fn cost(&mut self, p: &[f64]) -> Result<f64, Failure<Infallible>> {
        if let Some(next) = self.next.take() {
            assert_eq!(next, p);
        }
        self.counts.trials += 1;
        self.counts.used += usize::from(self.ahead.iter().any(|ahead| ahead == p));
        Ok(0.5 * (self.function)(p).0.iter().map(|r| r * r).sum::<f64>())
    }

    fn gradient(&mut self, p: &[f64], gradient: &mut [f64]) -> Result<(), Failure<Infallible>> {
        let (r, columns) = (self.function)(p);
        for (g, column) in gradient.iter_mut().zip(columns) {
            *g = column.iter().zip(&r).map(|(d, r)| d * r).sum();
        }
        Ok(())
    }
}

fn counts(variables: Vec<Variable>, settings: OptimizerSettings, function: impl FnMut(&[f64]) -> Evaluated) -> Counts {
    let mut state = OptimizerState::new(variables, settings).unwrap();
    let bounds = state.variables().iter().map(Variable::bounds).collect();
    let mut objective = Checked { function, bounds, ahead: Vec::new(), next: None, counts: Counts::default() };
    minimize(&mut objective, &mut state, |_| Ok(())).unwrap();
    assert_eq!(objective.counts.trials, state.evaluations());
    objective.counts
}

#[test]
fn most_trials_of_a_golden_section_are_foreseen() {
    let two = || vec![linear("x", -1.2), linear("y", 1.0)];
    let bounded = || vec![linear("x", -1.2).within(-1.5, 0.7), linear("y", 1.0).within(0.2, 2.0)];
    for method in [Method::SteepestDescent, Method::Bfgs, Method::limited_memory_bfgs()] {
        let settings = settings(method, StepSize::golden_section()).with_maximum_iterations(40);
        for (problem, counts) in [
            ("quadratic", counts(five(), settings.clone(), quadratic(&[1.0, 3.0, 10.0, 30.0, 100.0], 0.3))),
            ("exponential", counts(exponential_start(), settings.clone(), exponential)),
            ("Rosenbrock", counts(two(), settings.clone(), rosenbrock)),
            ("Rosenbrock within bounds", counts(bounded(), settings.clone(), rosenbrock)),
        ] {
            println!("{method}, {problem}: {counts:?}");
            assert!(4 * counts.used >= 3 * counts.trials, "{method}, {problem}: {counts:?}");
            assert!(4 * counts.used >= 3 * counts.announced, "{method}, {problem}: {counts:?}");
        }
    }
}

#[test]
fn other_searches_announce_nothing() {
    for step_size in [StepSize::StrongWolfe, StepSize::quadratic_interpolation(), StepSize::cubic_interpolation()] {
        let counts = counts(exponential_start(), settings(Method::Bfgs, step_size), exponential);
        assert_eq!(counts, Counts { trials: counts.trials, ..Counts::default() });
    }
}
