//! Minimisations from many starts, each a task: by itself, or beside others in lanes.

use std::sync::{Mutex, PoisonError};

use serde::{Deserialize, Serialize};

use costate_optimize::{self, AskAndTell, Asked, Method, OptimizeError, OptimizerState, Stop, minimize_least_squares};
use costate_system::ensemble::{End, Errors, Failure, Task, caught};
use costate_system::gradient::GradientMethod;

use super::definition::error::IdentificationError;
use super::estimation::evaluation::{Evaluation, Spent};
use super::estimation::experiment_problem::EstimationProblem;
use super::estimation::lane_batch::{self, Trial};
use super::search::{ended, interrupted};

/// The result of a minimisation from one start.
#[derive(Serialize, Deserialize)]
pub(super) struct Minimised {
    pub state: Box<OptimizerState>,
    pub simulations: usize,
}

/// The outcome of a task.
type Outcome = Result<Minimised, Failure<Minimised>>;

/// The end of a minimisation.
type Ended = Result<Stop, OptimizeError<IdentificationError>>;

/// All starts.
pub(super) struct Starts<'a> {
    pub estimation: &'a EstimationProblem,
    /// State in which each start begins.
    pub states: Vec<OptimizerState>,
    pub methods: (Method, GradientMethod),
    /// Work of all minimisations.
    pub spent: Mutex<Spent>,
    pub errors: Errors<IdentificationError>,
}

impl<'a> Starts<'a> {
    /// Minimises from the start of one task.
    pub fn alone(&self, task: &Task) -> Outcome {
        let (mut state, mut evaluation) = self.begin(task);
        let result = minimize_least_squares(&mut evaluation, &mut state, |state| go_on(task, state));
        self.outcome(task, result, (state, evaluation.spent()))
    }

    /// Minimises from the starts of up to four tasks; evaluations that are asked for at the same time go in lanes.
    pub fn side_by_side(&self, tasks: &[Task], end: End<'_, Minimised>) {
        let begin = |task| {
            let (state, evaluation) = self.begin(task);
            Start { task, minimisation: AskAndTell::new(state), evaluation }
        };
        let mut starts: Vec<_> = tasks.iter().map(begin).collect();
        while !starts.is_empty() {
            let (mut costs, mut gradients) = (Vec::new(), Vec::new());
            for mut start in starts.drain(..) {
                match caught(|| start.ask()) {
                    Ok(Ok(Asked::Cost(unknowns))) => costs.push((start, unknowns)),
                    Ok(Ok(Asked::Gradient(unknowns))) => gradients.push((start, unknowns)),
                    Ok(Ok(Asked::Nothing(stop))) => end(start.task, self.ended(start, Ok(stop))),
                    Ok(Err(error)) => end(start.task, self.ended(start, Err(error))),
                    Err(panic) => end(start.task, Err(Failure::new(panic))),
                }
            }
            starts.extend(told(costs, lane_batch::costs, AskAndTell::tell_cost, end));
            starts.extend(told(gradients, lane_batch::gradients, AskAndTell::tell_gradient, end));
        }
    }

    fn begin(&self, task: &Task) -> (OptimizerState, Evaluation<'a>) {
        let (method, gradient) = self.methods;
        (self.states[task.number()].clone(), Evaluation::new(self.estimation, method, gradient))
    }

    /// Returns the outcome of a start whose minimisation has ended.
    fn ended(&self, start: Start<'_, '_>, result: Ended) -> Outcome {
        let Start { task, minimisation, evaluation } = start;
        self.outcome(task, result, (minimisation.into_state(), evaluation.spent()))
    }

    fn outcome(&self, task: &Task, result: Ended, (state, spent): (OptimizerState, Spent)) -> Outcome {
        // Sums are whole whatever a panic interrupts.
        self.spent.lock().unwrap_or_else(PoisonError::into_inner).add(spent);
        let found = Minimised { state: Box::new(state), simulations: spent.simulations };
        match result {
            Ok(_) => Ok(found),
            Err(error) => Err(Failure { error: self.errors.keep(task.number(), ended(error)), left: Some(found) }),
        }
    }
}

/// One of several starts that go on side by side.
struct Start<'t, 'a> {
    task: &'t Task,
    minimisation: AskAndTell<IdentificationError>,
    evaluation: Evaluation<'a>,
}

impl Start<'_, '_> {
    fn ask(&mut self) -> Result<Asked, OptimizeError<IdentificationError>> {
        self.minimisation.ask(|state| go_on(self.task, state))
    }
}

/// A start, and the unknowns at which it asks for something.
type Asking<'t, 'a> = (Start<'t, 'a>, Vec<f64>);

/// The cost or gradient that was asked for.
type Answer<T> = Result<T, costate_optimize::Failure<IdentificationError>>;

/// Answers of up to four starts at once.
type Evaluate<T> = fn(Vec<Trial<'_, '_>>) -> Vec<Answer<T>>;

/// Starts that have been told what they asked for. One whose evaluation panics has ended.
fn told<'t, 'a, T>(
    mut asking: Vec<Asking<'t, 'a>>,
    evaluate: Evaluate<T>,
    tell: fn(&mut AskAndTell<IdentificationError>, Answer<T>),
    end: End<'_, Minimised>,
) -> Vec<Start<'t, 'a>> {
    let answers = answers(&mut asking, evaluate);
    let with_answer = |((mut start, _), answer): (Asking<'t, 'a>, Result<Answer<T>, String>)| match answer {
        Ok(answer) => {
            tell(&mut start.minimisation, answer);
            Some(start)
        }
        Err(panic) => {
            end(start.task, Err(Failure::new(panic)));
            None
        }
    };
    asking.into_iter().zip(answers).filter_map(with_answer).collect()
}

/// Evaluates what was asked for, for all starts at once. Where that panics, evaluates each start by itself, which gives
/// the same results, or the start's own panic.
fn answers<T>(asking: &mut [Asking<'_, '_>], evaluate: Evaluate<T>) -> Vec<Result<Answer<T>, String>> {
    let trials = asking.iter_mut();
    let trials = trials.map(|(start, unknowns)| Trial { evaluation: &mut start.evaluation, unknowns });
    match caught(|| evaluate(trials.collect())) {
        Ok(answers) => answers.into_iter().map(Ok).collect(),
        Err(panic) if asking.len() == 1 => vec![Err(panic)],
        Err(_) => asking.chunks_mut(1).flat_map(|one| answers(one, evaluate)).collect(),
    }
}

/// Ends the minimisation of a task that is to stop.
fn go_on(task: &Task, state: &OptimizerState) -> Result<(), IdentificationError> {
    match task.interrupt().is_triggered() {
        true => Err(interrupted(state, None).into()),
        false => Ok(()),
    }
}
