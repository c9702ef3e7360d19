//! Running a search.

use std::cell::RefCell;
use std::path::Path;
use std::time::Instant;

use costate_identify::Progress;
use costate_optimize::{Iteration, OptimizeError, Stop, minimize};
use costate_system::interrupt::Interrupt;
use costate_system::state_file::{Description, StateFile, StateFileError};

use super::definition::Definition;
use super::error::{OptimalInputError, interrupted};
use super::evaluation::{Evaluation, Search, Values};
use super::lagrangian::Lagrangian;
use super::result::{DesignIteration, OptimalExperiment};
use super::state::SearchState;

/// A function that is called after every iteration.
pub(super) type Observer<'a> = dyn FnMut(&DesignIteration) + Send + 'a;

/// Name of the work that state files belong to, for messages.
const WORK: &str = "a search for an optimal input";

impl Definition {
    /// See [`OptimalInput::run`](super::OptimalInput::run).
    pub fn run(self, observer: Option<&mut Observer<'_>>) -> Result<OptimalExperiment, OptimalInputError> {
        let begun = Instant::now();
        let (search, fresh) = self.prepared(self.state_file.as_deref())?;
        let path = self.state_file.as_deref();
        let file = path.map(|path| StateFile::open(path, WORK)).transpose()?;
        let file = file.map(|file| (file, self.description(&search)));
        let mut state = fresh;
        if let Some((file, description)) = &file {
            state = continued(file, description, state, self.optimizer.maximum_iterations)?;
        }
        let mut rounds = Rounds::new(&self, &search);
        rounds.state_file = path.zip(file);
        rounds.observer = observer;
        rounds.progress = Progress::new(self.progress, std::iter::once(&search.problem));
        let stop = rounds.minimize(&mut state);
        rounds.progress.finish();
        let concluded = self.conclude((&search, &search), &state, stop?, begun.elapsed());
        concluded.map_err(|error| error.within(|| interrupted(state.iterations(), path)))
    }
}

/// Returns the stored state if there is one, else `fresh`.
fn continued(
    file: &StateFile,
    description: &Description,
    fresh: SearchState,
    iterations: usize,
) -> Result<SearchState, StateFileError> {
    let Some(mut stored) = file.read::<SearchState>(description)? else { return Ok(fresh) };
    if !stored.fits(&fresh) {
        return Err(file.damaged());
    }
    stored.optimizer.set_maximum_iterations(iterations.saturating_sub(stored.earlier_iterations()));
    Ok(stored)
}

/// The minimisation, round by round.
pub(super) struct Rounds<'r, 'o> {
    search: &'r Search,
    iterations: usize,
    tolerance: f64,
    interrupt: &'r Interrupt,
    /// Path of the state file, the file, and the description that is stored beside the state; `None` without a state
    /// file.
    pub state_file: Option<(&'r Path, (StateFile, Description))>,
    pub observer: Option<&'r mut Observer<'o>>,
    pub progress: Progress<'static>,
}

impl<'r> Rounds<'r, '_> {
    pub fn new(definition: &'r Definition, search: &'r Search) -> Self {
        Self {
            search,
            iterations: definition.optimizer.maximum_iterations,
            tolerance: definition.tolerance,
            interrupt: &definition.run.interrupt,
            state_file: None,
            observer: None,
            progress: Progress::new(false, std::iter::once(&search.problem)),
        }
    }

    /// Runs all rounds from `state`, which is a new or a stored one.
    pub fn minimize(&mut self, state: &mut SearchState) -> Result<Stop, OptimalInputError> {
        let result = self.all_rounds(state);
        result.map_err(|error| error.within(|| interrupted(state.iterations(), self.path())))
    }

    fn all_rounds(&mut self, state: &mut SearchState) -> Result<Stop, OptimalInputError> {
        /// Largest number of iterations of a round that is not the last one: inaccurate multipliers do not justify
        /// more.
        const MAX_ROUND_ITERATIONS: usize = 100;
        /// Largest number of rounds of the augmented Lagrangian.
        const MAX_ROUNDS: usize = 30;
        loop {
            let left = self.iterations.saturating_sub(state.earlier_iterations());
            let round = if state.lagrangian.is_empty() { left } else { left.min(MAX_ROUND_ITERATIONS) };
            state.optimizer.set_maximum_iterations(round);
            let stop = self.round(state)?;
            let problem = self.search.problem_with(&state.optimizer.parameters())?;
            let (values, _) = self.search.evaluate(&problem)?;
            let kept = Lagrangian::violation(&values.conditions, &values.limits) <= self.tolerance;
            let is_last = state.iterations() >= self.iterations || state.rounds + 1 >= MAX_ROUNDS;
            let has_ended = kept && stop != Stop::MaximumIterations;
            if state.lagrangian.is_empty() || has_ended || is_last {
                return Ok(stop);
            }
            state.rounds += 1;
            state.lagrangian.update(&values.conditions, &values.limits);
            state.optimizer = state.optimizer.restarted();
            self.store(state)?;
        }
    }

    /// Minimises with constant multipliers.
    fn round(&mut self, state: &mut SearchState) -> Result<Stop, OptimalInputError> {
        let lagrangian = state.lagrangian.clone();
        let reached = RefCell::new(Values::default());
        let mut optimizer = state.optimizer.clone();
        let before = state.evaluations.saturating_sub(optimizer.evaluations());
        let mut evaluation = Evaluation::new(self.search, &lagrangian, &reached);
        let result = minimize(&mut evaluation, &mut optimizer, |optimizer| {
            // the start of a round is the end of the previous one
            let is_new = state.history.is_empty() || optimizer.iterations() > state.optimizer.iterations();
            state.optimizer = optimizer.clone();
            state.evaluations = before + optimizer.evaluations();
            if let Some(iteration) = optimizer.history().last().filter(|_| is_new) {
                let iteration = design_iteration(iteration, state, &reached.borrow());
                if let Some(observer) = &mut self.observer {
                    observer(&iteration);
                }
                state.history.push(iteration);
            }
            self.store(state)?;
            self.progress.show(optimizer, usize::MAX);
            match self.interrupt.is_triggered() && optimizer.stop().is_none() {
                true => Err(interrupted(state.iterations(), self.path()).into()),
                false => Ok(()),
            }
        });
        result.map_err(|error| match error {
            OptimizeError::Start { source } | OptimizeError::Stopped { source } => source,
            OptimizeError::StartNotFinite => OptimalInputError::StartNotFinite,
            OptimizeError::Method(error) => error.into(),
        })
    }

    fn store(&self, state: &SearchState) -> Result<(), OptimalInputError> {
        match &self.state_file {
            Some((_, (file, description))) => Ok(file.write(description, state)?),
            None => Ok(()),
        }
    }

    fn path(&self) -> Option<&'r Path> {
        self.state_file.as_ref().map(|(path, _)| *path)
    }
}

fn design_iteration(iteration: &Iteration, state: &SearchState, reached: &Values) -> DesignIteration {
    DesignIteration {
        number: state.history.len(),
        round: state.rounds,
        cost: reached.cost,
        violation: Lagrangian::violation(&reached.conditions, &reached.limits).max(0.0),
        gradient_norm: iteration.gradient_norm,
        evaluations: state.evaluations,
    }
}
