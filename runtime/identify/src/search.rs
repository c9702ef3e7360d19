//! A sequence of minimisations: where its state is stored, who sees its progress, and how it ends by errors.

use std::path::Path;

use costate_optimize::{OptimizeError, OptimizerState, Stop, minimize_least_squares};
use costate_system::interrupt::{Interrupt, Interrupted, InterruptedWork};
use costate_system::state_file::{Description, StateFile, StateFileError};

use super::definition::Definition;
use super::definition::error::{IdentificationError, SpecificationError, StartValuesError};
use super::estimation::evaluation::Evaluation;
use super::estimation::experiment_problem::EstimationProblem;
use super::estimation::peers::{Peers, shared};
use super::estimation::progress::Progress;
use super::estimation::reweighting::Round;

/// Surroundings of a sequence of minimisations.
pub(super) struct Search<'s, 'p> {
    /// The processes that have the other experiments; `None` where this one has all.
    pub peers: Option<&'s Peers<'s>>,
    /// The state file and what it must match; `None` without one, and in processes other than the first one.
    pub file: Option<(StateFile, Description)>,
    pub progress: &'s mut Progress<'p>,
}

impl<'s, 'p> Search<'s, 'p> {
    /// Creates the surroundings of minimisations by this process alone whose state is not stored.
    pub fn unstored(progress: &'s mut Progress<'p>) -> Self {
        Self { peers: None, file: None, progress }
    }

    /// Opens the state file at `path` for a kind of `work`, in the process that writes it.
    pub fn open(
        &mut self,
        path: &Path,
        work: &'static str,
        description: Description,
    ) -> Result<(), IdentificationError> {
        let opened = || Ok(Some((StateFile::open(path, work)?, description)));
        self.file = match self.peers {
            None => opened()?,
            Some(peers) => peers.agreed(if peers.executor.is_root() { opened() } else { Ok(None) })?,
        };
        Ok(())
    }

    /// Returns the round to begin with: the stored one if there is one, else `fresh`.
    pub fn continued(&self, definition: &Definition, fresh: Round) -> Result<Round, IdentificationError> {
        let read = || -> Result<Option<Round>, IdentificationError> {
            let Some((file, description)) = &self.file else { return Ok(None) };
            let stored = file.read::<Round>(description)?;
            match stored.as_ref().is_none_or(|stored| stored.continues(&fresh)) {
                true => Ok(stored),
                false => Err(file.damaged().into()),
            }
        };
        let stored = match self.peers {
            Some(peers) => shared(peers.executor, read())?,
            None => read()?,
        };
        let Some(mut round) = stored else { return Ok(fresh) };
        let most = definition.optimizer.maximum_iterations;
        round.state.set_maximum_iterations(most.saturating_sub(round.earlier_iterations()));
        Ok(round)
    }

    /// Stores a round; returns true if a process is to stop. A file that can no longer be written, as on a full disk,
    /// ends no search but one that is interrupted: what is found counts more.
    pub fn keep(&self, round: &Round, interrupt: &Interrupt) -> Result<bool, IdentificationError> {
        let stored = self.file.as_ref().map_or(Ok(()), |(file, description)| file.write(description, round));
        let goes_on = round.state.iterations() > 0 && !interrupt.is_triggered();
        let stored = match stored {
            Err(StateFileError::Write { .. }) if goes_on => Ok(()),
            stored => stored,
        };
        let is_interrupted = stored.map(|()| interrupt.is_triggered()).map_err(IdentificationError::from);
        match self.peers {
            Some(peers) => Ok(peers.exchange(is_interrupted)?.contains(&true)),
            None => is_interrupted,
        }
    }
}

impl Definition {
    /// Creates the cost of a campaign, whose other experiments the peers have.
    pub(super) fn evaluation<'e>(
        &self,
        estimation: &'e EstimationProblem,
        peers: Option<&'e Peers<'e>>,
    ) -> Evaluation<'e> {
        let evaluation = Evaluation::new(estimation, self.optimizer.method, self.gradient_method);
        match peers {
            Some(peers) => evaluation.beside(peers),
            None => evaluation,
        }
    }

    /// Minimises once.
    pub(super) fn minimise(
        &self,
        evaluation: &mut Evaluation<'_>,
        round: &mut Round,
        search: &mut Search<'_, '_>,
    ) -> Result<Stop, IdentificationError> {
        let path = self.state_file.as_deref();
        let mut observed = round.state.history().len();
        let mut state = round.state.clone();
        let result = minimize_least_squares(evaluation, &mut state, |state| {
            let is_interrupted = search.keep(&Round { state: state.clone(), ..round.clone() }, &self.run.interrupt)?;
            search.progress.show(state, observed);
            observed = state.history().len();
            match is_interrupted && state.stop().is_none() {
                true => Err(interrupted(state, path).into()),
                false => Ok(()),
            }
        });
        round.state = state;
        result.map_err(|error| ended(error).within(|| interrupted(&round.state, path)))
    }
}

/// Returns the error of an identification that was interrupted in this state.
pub(super) fn interrupted(state: &OptimizerState, file: Option<&Path>) -> Interrupted {
    Interrupted::with_state(InterruptedWork::Identification { iterations: state.iterations() }, file)
}

/// Marks the error of a simulation as one at the start values.
pub(super) fn at_start(error: IdentificationError) -> IdentificationError {
    match error {
        IdentificationError::Simulation(source) => StartValuesError::Start { source }.into(),
        IdentificationError::Experiment { experiment, source } => {
            IdentificationError::Experiment { experiment, source: Box::new(at_start(*source)) }
        }
        error => error,
    }
}

/// Converts the error that ended a minimisation.
pub(super) fn ended(error: OptimizeError<IdentificationError>) -> IdentificationError {
    match error {
        OptimizeError::Start { source: IdentificationError::Simulation(source) } => {
            StartValuesError::Start { source }.into()
        }
        OptimizeError::Start { source } | OptimizeError::Stopped { source } => source,
        OptimizeError::StartNotFinite => StartValuesError::StartNotFinite.into(),
        OptimizeError::Method(error) => SpecificationError::Unknowns(error.into()).into(),
    }
}
