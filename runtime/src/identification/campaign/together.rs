//! Simulations and gradients of several minimisations, brought together in lanes.
//!
//! Every minimisation has a thread of its own. Its requests wait until all the others of its group wait too; the last one
//! evaluates them all. As a result does not depend on what goes beside it, neither does that of a minimisation.

use std::collections::HashMap;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use crate::each::{RunWithCost, gradient_four};
use crate::identifiers::Parameter;
use crate::model::Model;
use crate::problem::SimulationError;
use crate::run::StoredRun;
use crate::scalar::LANES;
use crate::series::Series;

use super::campaign::Prepared;

/// Minimisations that wait for one another.
pub(crate) struct Together<'a, M: Model> {
    experiments: &'a [Prepared<'a, M>],
    requests: Mutex<Requests<M>>,
    changed: Condvar,
}

struct Requests<M: Model> {
    /// Minimisations under way.
    members: usize,
    /// Number of the next request.
    next: usize,
    waiting: Vec<(usize, Request<M>)>,
    answers: HashMap<usize, Answer<M>>,
}

/// What is asked for, and of which experiment.
enum Request<M: Model> {
    Run(usize, M::Parameters<f64>),
    Gradient(usize, Box<StoredRun<M>>, Series<f64>),
}

impl<M: Model> Request<M> {
    fn experiment(&self) -> usize {
        match self {
            Self::Run(experiment, _) | Self::Gradient(experiment, ..) => *experiment,
        }
    }
}

struct Answer<M: Model> {
    run: Result<StoredRun<M>, SimulationError>,
    gradient: Option<Result<Vec<f64>, SimulationError>>,
    /// The request's share of the time.
    time: Duration,
}

/// Requests under evaluation. If a panic ends it their runs are given up, so that nobody waits for ever.
struct Unanswered<'g, 'a, M: Model> {
    group: &'g Together<'a, M>,
    numbers: Vec<usize>,
}

impl<M: Model> Unanswered<'_, '_, M> {
    fn are_answered(mut self) {
        self.numbers.clear();
    }
}

impl<M: Model> Drop for Unanswered<'_, '_, M> {
    fn drop(&mut self) {
        if self.numbers.is_empty() {
            return;
        }
        let given_up = |number| {
            let run = Err(SimulationError::GivenUp);
            (number, Answer { run, gradient: None, time: Duration::ZERO })
        };
        self.group.lock().answers.extend(self.numbers.drain(..).map(given_up));
        self.group.changed.notify_all();
    }
}

/// Takes part in the group as long as it lives.
pub(crate) struct Membership<'g, 'a, M: Model>(&'g Together<'a, M>);

impl<'a, M: Model> Together<'a, M> {
    /// Nobody yet.
    pub fn new(experiments: &'a [Prepared<'a, M>]) -> Self {
        let requests = Requests { members: 0, next: 0, waiting: Vec::new(), answers: HashMap::new() };
        Self { experiments, requests: Mutex::new(requests), changed: Condvar::new() }
    }

    /// One more.
    pub fn join(&self) -> Membership<'_, 'a, M> {
        self.lock().members += 1;
        Membership(self)
    }

    /// Requests and answers are whole whatever a panic interrupts.
    fn lock(&self) -> MutexGuard<'_, Requests<M>> {
        self.requests.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn ask(&self, request: Request<M>) -> Answer<M> {
        let mut requests = self.lock();
        let number = requests.next;
        requests.next += 1;
        requests.waiting.push((number, request));
        if requests.waiting.len() == requests.members {
            self.changed.notify_all();
        }
        loop {
            if let Some(answer) = requests.answers.remove(&number) {
                return answer;
            }
            let all_wait = requests.waiting.len() == requests.members;
            if all_wait && requests.waiting.iter().any(|(other, _)| *other == number) {
                let all = std::mem::take(&mut requests.waiting);
                drop(requests);
                let unanswered =
                    Unanswered { group: self, numbers: all.iter().map(|(number, _)| *number).collect() };
                let answers = self.evaluate(all);
                requests = self.lock();
                requests.answers.extend(answers);
                unanswered.are_answered();
                self.changed.notify_all();
            } else {
                requests = self.changed.wait(requests).unwrap_or_else(PoisonError::into_inner);
            }
        }
    }

    /// Does what was asked for, in lanes.
    fn evaluate(&self, mut requests: Vec<(usize, Request<M>)>) -> Vec<(usize, Answer<M>)> {
        let mut answers = Vec::new();
        for (experiment, prepared) in self.experiments.iter().enumerate() {
            let of_it = requests.extract_if(.., |(_, request)| request.experiment() == experiment);
            answers.extend(evaluate(prepared, of_it.collect()));
        }
        answers
    }
}

/// Does what was asked for of one experiment.
fn evaluate<M: Model>(
    prepared: &Prepared<'_, M>,
    requests: Vec<(usize, Request<M>)>,
) -> Vec<(usize, Answer<M>)> {
    let Prepared { problem, selection, .. } = prepared;
    let (mut runs, mut gradients) = (Vec::new(), Vec::new());
    for (number, request) in requests {
        match request {
            Request::Run(_, parameters) => runs.push((number, parameters)),
            Request::Gradient(_, run, output_gradient) => gradients.push((number, *run, output_gradient)),
        }
    }
    let mut answers = Vec::new();
    for four in runs.chunks(LANES) {
        let start = Instant::now();
        let parameters: Vec<_> = four.iter().map(|(_, parameters)| parameters.clone()).collect();
        let found = problem.run_four(&parameters);
        let time = start.elapsed() / four.len() as u32;
        let numbers = four.iter().map(|(number, _)| *number);
        answers.extend(numbers.zip(found.into_iter().map(|run| Answer { run, gradient: None, time })));
    }
    while !gradients.is_empty() {
        let mut four: Vec<_> = gradients.drain(..gradients.len().min(LANES)).collect();
        let start = Instant::now();
        let mut with_costs: Vec<_> =
            four.iter_mut().map(|(_, run, output_gradient)| RunWithCost { run, output_gradient }).collect();
        let found = gradient_four(problem, &mut with_costs, &Parameter::each_at(&selection.parameters));
        let time = start.elapsed() / four.len() as u32;
        let answered = four.into_iter().zip(found);
        answers.extend(answered.map(|((number, run, _), gradient)| {
            (number, Answer { run: Ok(run), gradient: Some(gradient), time })
        }));
    }
    answers
}

impl<M: Model> Membership<'_, '_, M> {
    /// A run of an experiment with these parameters, and its share of the time.
    pub fn run(
        &self,
        experiment: usize,
        parameters: M::Parameters<f64>,
    ) -> (Result<StoredRun<M>, SimulationError>, Duration) {
        let answer = self.0.ask(Request::Run(experiment, parameters));
        (answer.run, answer.time)
    }

    /// The gradient of a cost of `run` with these derivatives dJ/ds, which gives the run back, and its share of the time.
    pub fn gradient(
        &self,
        experiment: usize,
        run: StoredRun<M>,
        output_gradient: Series<f64>,
    ) -> (Option<StoredRun<M>>, Result<Vec<f64>, SimulationError>, Duration) {
        let Answer { run, gradient, time } =
            self.0.ask(Request::Gradient(experiment, Box::new(run), output_gradient));
        match run {
            Ok(run) => (Some(run), gradient.unwrap_or_else(|| Ok(Vec::new())), time),
            Err(error) => (None, Err(error), time),
        }
    }
}

impl<M: Model> Drop for Membership<'_, '_, M> {
    fn drop(&mut self) {
        self.0.lock().members -= 1;
        // those who wait may be all by now
        self.0.changed.notify_all();
    }
}
