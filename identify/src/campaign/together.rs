//! Simulations and gradients of several minimisations, brought together in lanes.
//!
//! Every minimisation has a thread of its own. Its requests wait until all the others of its group wait too; the last one
//! evaluates them all. As a result does not depend on what goes beside it, neither does that of a minimisation.

use std::collections::HashMap;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use crate::problem::SimulationError;
use crate::scalar::LANES;
use crate::series::Series;
use costate_system::each::{RunWithCost, gradient_four};
use costate_system::run::StoredRun;

use super::prepared::Prepared;

/// Minimisations that wait for one another.
pub(crate) struct Together<'a> {
    experiments: &'a [Prepared<'a>],
    requests: Mutex<Requests>,
    changed: Condvar,
}

struct Requests {
    /// Minimisations under way.
    members: usize,
    /// Number of the next request.
    next: usize,
    waiting: Vec<(usize, Request)>,
    answers: HashMap<usize, Answer>,
}

/// What is asked for, and of which experiment.
enum Request {
    Run(usize, Vec<f64>),
    Gradient(usize, Box<StoredRun>, Series<f64>),
}

impl Request {
    fn experiment(&self) -> usize {
        match self {
            Self::Run(experiment, _) | Self::Gradient(experiment, ..) => *experiment,
        }
    }
}

struct Answer {
    run: Result<StoredRun, SimulationError>,
    gradient: Option<Result<Vec<f64>, SimulationError>>,
    /// The request's share of the time.
    time: Duration,
}

/// Requests under evaluation. If a panic ends it their runs are given up, so that nobody waits for ever.
struct Unanswered<'g, 'a> {
    group: &'g Together<'a>,
    numbers: Vec<usize>,
}

impl Unanswered<'_, '_> {
    fn are_answered(mut self) {
        self.numbers.clear();
    }
}

impl Drop for Unanswered<'_, '_> {
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
pub(crate) struct Membership<'g, 'a>(&'g Together<'a>);

impl<'a> Together<'a> {
    /// Nobody yet.
    pub fn new(experiments: &'a [Prepared<'a>]) -> Self {
        let requests = Requests { members: 0, next: 0, waiting: Vec::new(), answers: HashMap::new() };
        Self { experiments, requests: Mutex::new(requests), changed: Condvar::new() }
    }

    /// One more.
    pub fn join(&self) -> Membership<'_, 'a> {
        self.lock().members += 1;
        Membership(self)
    }

    /// Requests and answers are whole whatever a panic interrupts.
    fn lock(&self) -> MutexGuard<'_, Requests> {
        self.requests.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn ask(&self, request: Request) -> Answer {
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
    fn evaluate(&self, mut requests: Vec<(usize, Request)>) -> Vec<(usize, Answer)> {
        let mut answers = Vec::new();
        for (experiment, prepared) in self.experiments.iter().enumerate() {
            let of_it = requests.extract_if(.., |(_, request)| request.experiment() == experiment);
            answers.extend(evaluate(prepared, of_it.collect()));
        }
        answers
    }
}

/// Does what was asked for of one experiment.
fn evaluate(prepared: &Prepared<'_>, requests: Vec<(usize, Request)>) -> Vec<(usize, Answer)> {
    let Prepared { model, problem, selection, .. } = prepared;
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
        let found = gradient_four(*model, problem, &mut with_costs, &selection.parameters);
        let time = start.elapsed() / four.len() as u32;
        let answered = four.into_iter().zip(found);
        answers.extend(answered.map(|((number, run, _), gradient)| {
            (number, Answer { run: Ok(run), gradient: Some(gradient), time })
        }));
    }
    answers
}

impl Membership<'_, '_> {
    /// A run of an experiment with these parameters, and its share of the time.
    pub fn run(
        &self,
        experiment: usize,
        parameters: Vec<f64>,
    ) -> (Result<StoredRun, SimulationError>, Duration) {
        let answer = self.0.ask(Request::Run(experiment, parameters));
        (answer.run, answer.time)
    }

    /// The gradient of a cost of `run` with these derivatives dJ/ds, which gives the run back, and its share of the time.
    pub fn gradient(
        &self,
        experiment: usize,
        run: StoredRun,
        output_gradient: Series<f64>,
    ) -> (Option<StoredRun>, Result<Vec<f64>, SimulationError>, Duration) {
        let Answer { run, gradient, time } =
            self.0.ask(Request::Gradient(experiment, Box::new(run), output_gradient));
        match run {
            Ok(run) => (Some(run), gradient.unwrap_or_else(|| Ok(Vec::new())), time),
            Err(error) => (None, Err(error), time),
        }
    }
}

impl Drop for Membership<'_, '_> {
    fn drop(&mut self) {
        self.0.lock().members -= 1;
        // those who wait may be all by now
        self.0.changed.notify_all();
    }
}
