//! Minimisations by ask and tell: each says which evaluation it needs next, and gets the result, so that several
//! minimisations can be evaluated at once.
//!
//! An iteration follows from the state before it and from what the objective answers. With every answer it therefore
//! begins again, has the answers so far from memory, and stops where it needs another one: methods and line searches
//! remain loops that call an [`Objective`]. What is done again is little compared to an evaluation.

use std::error::Error;
use std::slice::Iter;

use super::iteration::stopped;
use super::minimize::minimize;
use super::objective::{Failure, MethodError, Objective, OptimizeError};
use super::state::OptimizerState;
use super::stop::Stop;

/// An evaluation that a minimisation needs.
#[doc(hidden)]
#[derive(Debug, Clone, PartialEq)]
pub enum Asked {
    /// J at these parameters.
    Cost(Vec<f64>),
    /// dJ/dp at these parameters, those of the latest cost.
    Gradient(Vec<f64>),
    /// No evaluation: the minimisation has stopped.
    Nothing(Stop),
}

/// A minimisation as [`minimize`] does it, to the last bit, by answers in place of an objective. Methods that need
/// residuals are refused.
#[doc(hidden)]
#[derive(Debug)]
pub struct AskAndTell<E> {
    state: OptimizerState,
    /// The costs of the iteration under way, in the order in which it asks for them; `None` where there is none.
    costs: Vec<Option<f64>>,
    /// Gradients of the current iteration, in the same order.
    gradients: Vec<Option<Vec<f64>>>,
    /// Error of the latest evaluation that failed.
    failure: Option<Failure<E>>,
}

impl<E: Error + 'static> AskAndTell<E> {
    /// A minimisation from this state, a new or a stored one.
    pub fn new(state: OptimizerState) -> Self {
        Self { state, costs: Vec::new(), gradients: Vec::new(), failure: None }
    }

    /// Returns the evaluation that is needed next; `observer` is called after every iteration.
    ///
    /// # Errors
    /// As [`minimize`].
    pub fn ask(
        &mut self,
        mut observer: impl FnMut(&OptimizerState) -> Result<(), E>,
    ) -> Result<Asked, OptimizeError<E>> {
        loop {
            if let Some(Failure::Stop(_)) = self.failure {
                return Err(self.failed());
            }
            let mut answers = Answers { costs: self.costs.iter(), gradients: self.gradients.iter() };
            match minimize(&mut answers, &mut self.state, |_| Err(Pause(None))) {
                Ok(stop) => return Ok(Asked::Nothing(stop)),
                Err(OptimizeError::Stopped { source: Pause(Some(asked)) }) => return Ok(asked),
                Err(OptimizeError::Stopped { source: Pause(None) }) => {
                    self.costs.clear();
                    self.gradients.clear();
                    observer(&self.state).map_err(stopped)?;
                }
                Err(OptimizeError::Start { .. }) => return Err(self.failed()),
                Err(OptimizeError::StartNotFinite) => return Err(OptimizeError::StartNotFinite),
                Err(OptimizeError::Method(error)) => return Err(error.into()),
            }
        }
    }

    /// Takes the cost that was asked for.
    pub fn tell_cost(&mut self, cost: Result<f64, Failure<E>>) {
        let cost = self.keep(cost);
        self.costs.push(cost);
    }

    /// Takes the gradient that was asked for.
    pub fn tell_gradient(&mut self, gradient: Result<Vec<f64>, Failure<E>>) {
        let gradient = self.keep(gradient);
        self.gradients.push(gradient);
    }

    /// The state after the last complete iteration.
    pub fn into_state(self) -> OptimizerState {
        self.state
    }

    fn keep<T>(&mut self, answer: Result<T, Failure<E>>) -> Option<T> {
        answer.map_err(|failure| self.failure = Some(failure)).ok()
    }

    /// The error of a minimisation that ends with the evaluation that has failed last.
    fn failed(&mut self) -> OptimizeError<E> {
        match self.failure.take() {
            Some(Failure::Here(source)) => OptimizeError::Start { source },
            Some(Failure::Stop(source)) => stopped(source),
            // no failure was reported
            None => MethodError::Damaged.into(),
        }
    }
}

/// Stops an iteration: for the answer that it waits for, or as it is complete.
#[derive(Debug, thiserror::Error)]
#[error("the iteration pauses")]
struct Pause(Option<Asked>);

/// An objective that has its values from memory.
struct Answers<'a> {
    costs: Iter<'a, Option<f64>>,
    gradients: Iter<'a, Option<Vec<f64>>>,
}

impl Objective for Answers<'_> {
    type Error = Pause;

    fn cost(&mut self, parameters: &[f64]) -> Result<f64, Failure<Pause>> {
        answer(self.costs.next(), || Asked::Cost(parameters.to_vec())).copied()
    }

    fn gradient(&mut self, parameters: &[f64], gradient: &mut [f64]) -> Result<(), Failure<Pause>> {
        let told = answer(self.gradients.next(), || Asked::Gradient(parameters.to_vec()))?;
        gradient.iter_mut().zip(told).for_each(|(entry, told)| *entry = *told);
        Ok(())
    }
}

/// Returns the answer that was given, or asks the question.
fn answer<T>(told: Option<&Option<T>>, question: impl FnOnce() -> Asked) -> Result<&T, Failure<Pause>> {
    match told {
        Some(told) => told.as_ref().ok_or(Failure::Here(Pause(None))),
        None => Err(Failure::Stop(Pause(Some(question())))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Method, OptimizerSettings, Scaling, StepSize, Variable};

    #[derive(Debug, PartialEq, thiserror::Error)]
    #[error("outside")]
    struct Outside;

    /// Rosenbrock's function, which has no values beyond a radius and counts its evaluations.
    struct Rosenbrock {
        radius: f64,
        failure: fn(Outside) -> Failure<Outside>,
        evaluations: [usize; 2],
    }

    impl Rosenbrock {
        fn within(radius: f64, failure: fn(Outside) -> Failure<Outside>) -> Self {
            Self { radius, failure, evaluations: [0, 0] }
        }
    }

    impl Objective for Rosenbrock {
        type Error = Outside;

        fn cost(&mut self, p: &[f64]) -> Result<f64, Failure<Outside>> {
            self.evaluations[0] += 1;
            if p[0].hypot(p[1]) > self.radius {
                return Err((self.failure)(Outside));
            }
            Ok((1.0 - p[0]).powi(2) + 100.0 * (p[1] - p[0] * p[0]).powi(2))
        }

        fn gradient(&mut self, p: &[f64], gradient: &mut [f64]) -> Result<(), Failure<Outside>> {
            self.evaluations[1] += 1;
            let b = p[1] - p[0] * p[0];
            gradient.copy_from_slice(&[-2.0 * (1.0 - p[0]) - 400.0 * p[0] * b, 200.0 * b]);
            Ok(())
        }
    }

    fn state(settings: OptimizerSettings) -> OptimizerState {
        let linear = |name, start| Variable::new(name, start).scaled(Scaling::Linear { typical: 1.0 });
        let variables = vec![linear("x", -1.2).within(-1.5, 0.9), linear("y", 1.0)];
        OptimizerState::new(variables, settings).unwrap()
    }

    /// The minimisation of `function` by questions and answers.
    fn answered(
        function: &mut Rosenbrock,
        state: OptimizerState,
        mut observer: impl FnMut(&OptimizerState) -> Result<(), Outside>,
    ) -> (Result<Stop, OptimizeError<Outside>>, OptimizerState) {
        let mut minimisation = AskAndTell::new(state);
        let result = loop {
            match minimisation.ask(&mut observer) {
                Ok(Asked::Cost(p)) => minimisation.tell_cost(function.cost(&p)),
                Ok(Asked::Gradient(p)) => {
                    let mut gradient = vec![0.0; p.len()];
                    let told = function.gradient(&p, &mut gradient);
                    minimisation.tell_gradient(told.map(|()| gradient));
                }
                Ok(Asked::Nothing(stop)) => break Ok(stop),
                Err(error) => break Err(error),
            }
        };
        (result, minimisation.into_state())
    }

    #[test]
    fn it_goes_the_way_of_a_minimisation_by_calls() {
        let methods = [Method::Bfgs, Method::limited_memory_bfgs(), Method::SteepestDescent];
        let sizes = [
            StepSize::StrongWolfe,
            StepSize::golden_section(),
            StepSize::quadratic_interpolation(),
            StepSize::cubic_interpolation(),
        ];
        for (method, size) in methods.into_iter().flat_map(|method| sizes.map(|size| (method, size))) {
            let settings = OptimizerSettings::default().with_method(method).with_step_size(size);
            let begin = || state(settings.clone().with_largest_step(5.0).with_first_step(5.0));
            let [mut called, mut told] = [0, 1].map(|_| Rosenbrock::within(1.6, Failure::Here));
            let (mut seen, mut expected) = (Vec::new(), Vec::new());
            let mut by_calls = begin();
            let stop = minimize(&mut called, &mut by_calls, |state| {
                expected.push(state.clone());
                Ok(())
            });
            let (result, by_answers) = answered(&mut told, begin(), |state| {
                seen.push(state.clone());
                Ok(())
            });
            assert_eq!((result, by_answers), (stop, by_calls), "{method} {size}");
            assert_eq!(seen, expected, "{method} {size}");
            assert_eq!(told.evaluations, called.evaluations, "{method} {size}");
            assert!(seen.len() > 3, "{method} {size}");
        }
    }

    #[test]
    fn it_ends_with_the_errors_of_a_minimisation_by_calls() {
        let settings = || OptimizerSettings::default().with_largest_step(5.0).with_first_step(5.0);
        let none = |_: &OptimizerState| Ok(());
        let at_second = |state: &OptimizerState| if state.iterations() == 2 { Err(Outside) } else { Ok(()) };
        type Case = (f64, fn(Outside) -> Failure<Outside>, fn(&OptimizerState) -> Result<(), Outside>);
        let cases: [Case; 4] = [
            (1.0, Failure::Here, none),
            (1.0, Failure::Stop, none),
            (1.57, Failure::Stop, none),
            (9.0, Failure::Here, at_second),
        ];
        for (radius, failure, observer) in cases {
            let mut by_calls = state(settings());
            let error = minimize(&mut Rosenbrock::within(radius, failure), &mut by_calls, observer).unwrap_err();
            let (result, by_answers) = answered(&mut Rosenbrock::within(radius, failure), state(settings()), observer);
            assert_eq!((result, by_answers), (Err(error), by_calls), "{radius}");
        }
        let refused = answered(
            &mut Rosenbrock::within(9.0, Failure::Here),
            state(settings().with_method(Method::GaussNewton)),
            none,
        );
        assert!(matches!(refused.0, Err(OptimizeError::Method(MethodError::NoResiduals { .. }))));
    }
}
