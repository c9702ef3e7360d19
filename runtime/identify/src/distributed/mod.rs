//! One cost of experiments that are distributed over processes.
//!
//! Every process builds an `EstimationProblem` of its own experiments (`share`) with the unknowns of all processes, in
//! three exchanges (`build`): the names of the experiments (`messages`), the unknowns that experiments have for
//! themselves (`unknowns`), and the needs of the prepared experiments. `consensus` lets all processes know whether each
//! of them can continue and has the same settings.
//!
//! The minimisations are those of `run.rs`, whose sums over experiments are those of all processes
//! (`estimation/peers.rs`). Residuals are exchanged as triangular factors, and estimates of deviations follow from
//! information of channels in numbers whose count does not grow with the samples (`estimation/information.rs`).

mod build;
mod consensus;
mod fit;
mod messages;
mod share;
mod unknowns;
mod validate;
mod validation;

use std::fmt;
use std::marker::PhantomData;
use std::ops::Range;

use costate_contract::machine::available_memory;
use costate_optimize::Iteration;
use costate_system::identifiers::Dynamic;
use costate_system::state_file::{Description, describe_model};

use super::definition::Definition;
use super::definition::error::{IdentificationError, RequestError};
use super::estimation::evaluation::{Evaluation, Spent};
use super::estimation::experiment_problem::EstimationProblem;
use super::estimation::peers::{Peers, own_errors};
use super::estimation::progress::{Observer, Progress};
use super::estimation::reweighting::Round;
use super::search::Search;
use build::Agreed;
use consensus::Offer;

pub use fit::{DistributedExperiment, DistributedFit, DistributedParameter};
pub use share::ExperimentShare;
pub use validation::{DistributedValidated, DistributedValidation};

/// The cost of a campaign whose experiments are spread over processes: each has read its own records, and stores the
/// runs of its own experiments alone. Made by [`Identification::distributed`](crate::Identification::distributed).
///
/// The unknowns are those of all processes, including those that experiments or groups have for themselves, in the
/// order of an identification with all experiments. Experiments that validate are simulated at the end with the found
/// values, after the unknowns that they have for themselves were found from their own data.
///
/// Costs, gradients and residuals are summed in the order of the experiments, whichever process has simulated them,
/// and no experiment goes in lanes with others: the bits do not depend on the number of processes. The size of
/// messages between processes is that of the unknowns, not that of the records: residuals are sent as the triangular
/// factor of their derivatives, which has the same squares.
///
/// Every method is called by all processes, with the same arguments.
pub struct DistributedCost<'a, M = Dynamic> {
    work: DistributedWork<'a>,
    model: PhantomData<fn() -> M>,
}

/// A [`DistributedCost`] without the type of its model.
pub(crate) struct DistributedWork<'a> {
    definition: Definition,
    estimation: EstimationProblem,
    share: ExperimentShare<'a>,
    peers: Peers<'a>,
    /// The round with which the minimisation begins.
    round: Round,
    memory: Vec<DistributedMemory>,
    /// Description of everything that a state file must match.
    description: Description,
}

impl<M> fmt::Debug for DistributedCost<'_, M> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("DistributedCost")
            .field("share", &self.work.share)
            .field("names", &self.work.peers.names)
            .field("memory", &self.work.memory)
            .finish_non_exhaustive()
    }
}

/// Memory that one process of a [`DistributedCost`] needs, known before anything is minimised.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct DistributedMemory {
    /// Number of the process, from 0.
    pub process: usize,
    /// Numbers of the experiments of the process.
    pub experiments: Range<usize>,
    /// Bytes of the runs that the process stores at once, see [`Memory`](costate_system::problem::Memory).
    pub simulation_bytes: u64,
    /// Bytes of times, values and weights of the measured samples, without the records that they are from.
    pub sample_bytes: u64,
    /// Bytes of the residuals of all experiments with their derivatives, as triangular factors: each experiment has
    /// one row more than it has unknowns, and one column more than there are unknowns in all. Every process stores
    /// the factors in least-squares methods, and for standard deviations.
    pub factor_bytes: u64,
    /// Bytes that are free on the machine of the process; `None` where the system does not tell.
    pub available_bytes: Option<u64>,
}

impl Definition {
    pub(super) fn distributed<'a>(
        self,
        share: ExperimentShare<'a>,
    ) -> Result<DistributedWork<'a>, IdentificationError> {
        let Agreed { mut estimation, peers, offers } = self.agreed(&share)?;
        let factor_bytes = Offer::factor_bytes(&offers, estimation.unknowns.len());
        let memory = offers.iter().enumerate().map(|(process, offer)| DistributedMemory {
            process,
            experiments: share.of(process),
            simulation_bytes: offer.simulation_bytes,
            sample_bytes: offer.sample_bytes,
            factor_bytes,
            available_bytes: offer.available_bytes,
        });
        let memory = memory.collect();
        let mut description = self.unknowns_description(&estimation);
        for variable in estimation.state.variables() {
            description.number(format!("the start of `{}`", variable.name()), variable.start());
        }
        offers.into_iter().for_each(|offer| description.extend(offer.experiments));
        description.extend(self.settings_description(&["maximum_iterations"]));
        description.serialised("the weighting", &estimation.by_likelihood);
        let (round, _) = self.first_round(&mut estimation, false, Some(&peers))?;
        Ok(DistributedWork { definition: self, estimation, share, peers, round, memory, description })
    }

    /// Describes the settings that must be the same in all processes.
    fn wanted(&self) -> Description {
        let mut wanted = Description::default();
        describe_model(&mut wanted, self.model.description());
        for (quantity, value) in self.model.description().parameters.iter().zip(&self.model.parameters) {
            wanted.number(format!("parameter `{}`", quantity.name), *value);
        }
        for (unknown, owner) in &self.unknowns {
            let name = unknown.parameter().name();
            wanted.text(format!("the unknown `{name}`"), format_args!("{unknown:?} ({owner:?})"));
        }
        for (parameter, prior) in &self.priors {
            wanted.serialised(format!("the prior of `{}`", parameter.name()), prior);
        }
        for inertia in &self.inertias {
            let name = inertia.body.mass().name();
            wanted.text(format!("the inertia with the mass `{name}`"), format_args!("{inertia:?}"));
        }
        wanted.serialised("`weighting`", &self.weighting);
        wanted.extend(self.settings_description(&[]));
        wanted.serialised("whether a state file is kept", &self.state_file.is_some());
        wanted
    }

    /// Creates the message to the other processes about the experiments of this process.
    fn offer(&self, estimation: &EstimationProblem) -> Offer {
        let samples = estimation.channels().map(|channel| channel.values.len()).sum::<usize>();
        let simulations = estimation.problems().map(|problem| problem.memory().total());
        let unknowns = 0..estimation.unknowns.len();
        let depends = estimation.experiments.iter().map(|prepared| {
            let used = unknowns.clone().filter(|&unknown| prepared.depends_on(unknown));
            used.collect()
        });
        let mut costs = estimation.experiments.iter().map(|prepared| prepared.comparison.costs.terms().len());
        Offer {
            experiments: self.experiments_description(estimation, |number| {
                estimation.experiments.get(number).map(|prepared| prepared.name.as_str())
            }),
            priors: estimation.priors.combined.clone(),
            depends: depends.collect(),
            samples,
            channels: estimation.channels().count(),
            are_estimated: estimation.estimates_deviations(),
            has_few_samples: estimation.has_few_numbers(),
            has_costs: costs.any(|costs| costs > 0),
            has_residuals: estimation.has_residuals,
            simulation_bytes: simulations.fold(0, u64::saturating_add),
            sample_bytes: (3 * samples * size_of::<f64>()) as u64,
            available_bytes: available_memory(),
        }
    }
}

impl<'a, M> DistributedCost<'a, M> {
    pub(super) fn of(work: DistributedWork<'a>) -> Self {
        Self { work, model: PhantomData }
    }

    /// Minimises the cost; every process has the result. Unlike [`Identification::run`](crate::Identification::run),
    /// this keeps no runs and does not test residuals, since no process has all of them.
    ///
    /// Deviations of errors that are not given, where residuals are weighed by likelihood, are estimated from the
    /// residuals: the minimisation is repeated with new deviations until these have settled.
    ///
    /// With a [state file](crate::Identification::state_file), process 0 stores the state after every iteration, and
    /// a call that finds a file continues from it, with any number of processes. An
    /// interrupt of the simulation of one process ends all of them, at the same iteration.
    ///
    /// # Errors
    /// Those of [`Identification::run`](crate::Identification::run), also for simulations in other processes. The
    /// error of another process is [`DistributedError::OtherProcess`](crate::DistributedError::OtherProcess).
    pub fn minimize(self) -> Result<DistributedFit<M>, IdentificationError> {
        Ok(self.work.minimize(None)?.tagged())
    }

    /// Minimises as [`minimize`](Self::minimize) does, and calls `observer` after every iteration, first with the
    /// start.
    ///
    /// # Errors
    /// As [`minimize`](Self::minimize).
    pub fn minimize_observed(
        self,
        mut observer: impl FnMut(&Iteration) + Send,
    ) -> Result<DistributedFit<M>, IdentificationError> {
        Ok(self.work.minimize(Some(&mut observer))?.tagged())
    }

    /// Returns the memory that each process needs.
    pub fn memory(&self) -> &[DistributedMemory] {
        &self.work.memory
    }

    /// Returns the names of all fitted experiments, in their order.
    pub fn experiments(&self) -> &[String] {
        &self.work.peers.names
    }

    /// Returns the names of the unknowns, in the order of all vectors of unknowns.
    pub fn unknowns(&self) -> impl ExactSizeIterator<Item = &str> {
        self.work.estimation.unknowns.iter().map(|unknown| unknown.name())
    }

    /// Returns the start values of the unknowns.
    pub fn start(&self) -> Vec<f64> {
        self.work.estimation.state.parameters()
    }

    /// Returns J of all experiments and dJ/dz, at one value for each of the [unknowns](Self::unknowns) in its unit.
    ///
    /// # Errors
    /// [`RequestError::UnknownCount`] for another number of values; those of a simulation that fails there.
    pub fn evaluate(&self, unknowns: &[f64]) -> Result<(f64, Vec<f64>), IdentificationError> {
        let needed = self.work.estimation.unknowns.len();
        if unknowns.len() != needed {
            return Err(RequestError::UnknownCount { given: unknowns.len(), needed }.into());
        }
        let mut evaluation = self.work.evaluation();
        let evaluated = evaluation.value(unknowns).and_then(|cost| {
            let gradient = evaluation.differentiate(unknowns)?;
            Ok((cost, gradient))
        });
        evaluated.map_err(|failed| evaluation.named(failed))
    }
}

impl DistributedWork<'_> {
    fn minimize(mut self, observer: Option<Observer<'_>>) -> Result<DistributedFit, IdentificationError> {
        let (definition, peers) = (&self.definition, &self.peers);
        let is_shown = definition.progress && peers.executor.is_root();
        let mut progress = Progress::new(is_shown, self.estimation.problems()).observed_by(observer);
        let mut search = Search { peers: Some(peers), ..Search::unstored(&mut progress) };
        let mut round = self.round.clone();
        if let Some(path) = &definition.state_file {
            search.open(path, "a joint identification", std::mem::take(&mut self.description))?;
            round = search.continued(definition, round)?;
            self.estimation.set_errors(own_errors(Some(peers), &round.errors));
        }
        let last = definition.rounds(&mut self.estimation, (round, None), Spent::default(), &mut search);
        progress.finish();
        self.concluded(last?)
    }

    fn evaluation(&self) -> Evaluation<'_> {
        self.definition.evaluation(&self.estimation, Some(&self.peers))
    }
}
