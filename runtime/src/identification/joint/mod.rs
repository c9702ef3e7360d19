//! One cost of experiments that no process has all of.

mod agreement;
mod fit;
mod kept;
mod refused;
mod share;

use std::collections::BTreeSet;
use std::fmt;
use std::ops::Range;

use crate::identifiers::Output;
use crate::model::Model;
use crate::optimize::{Failure, minimize_least_squares};
use crate::state_file::Description;

use super::Identification;
use super::campaign::evaluation::Evaluation;
use super::campaign::prepared::Campaign;
use super::campaign::progress::Progress;
use super::run::{ended, interrupted};
use super::said::error::IdentificationError;
use super::said::weighting::Weighting;
use agreement::{Told, agree};
use kept::Kept;

pub use fit::{JointExperiment, JointFit, JointParameter};
pub use share::ExperimentShare;

/// The cost of a campaign whose experiments are spread over processes: each has read its own records, and stores the runs of its
/// own experiments alone. Made by [`Identification::joint`].
///
/// Costs, gradients and residuals are summed in the order of the experiments, whoever has simulated them, and no experiment goes in lanes
/// with others: the bits do not depend on the number of processes. What processes send each other has the size of the
/// unknowns, not that of the records: residuals go as the triangular factor of their derivatives, which has the same squares.
///
/// Every method is called by all processes, with the same arguments.
pub struct JointCost<'a, M: Model> {
    identification: Identification<'a, M>,
    campaign: Campaign<'a, M>,
    share: ExperimentShare<'a>,
    names: Vec<String>,
    memory: Vec<JointMemory>,
    /// What a state file belongs to.
    description: Description,
}

impl<M: Model> fmt::Debug for JointCost<'_, M> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("JointCost")
            .field("share", &self.share)
            .field("names", &self.names)
            .field("memory", &self.memory)
            .finish_non_exhaustive()
    }
}

/// What one process of a [`JointCost`] needs, known before anything is simulated.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct JointMemory {
    /// Its number, from 0.
    pub process: usize,
    /// The numbers of its experiments.
    pub experiments: Range<usize>,
    /// Bytes of the runs that it stores at once, see [`Memory`](crate::simulate::Memory).
    pub simulation_bytes: u64,
    /// Bytes of times, values and weights of the samples that it compares with, beside the records that they are from.
    pub sample_bytes: u64,
    /// Bytes that its machine has left, where the system tells.
    pub available_bytes: Option<u64>,
}

impl<'a, M: Model> Identification<'a, M> {
    /// The joint cost of the experiments of all processes of `share`. The identification has those of
    /// [`share.own()`](ExperimentShare::own), in their order, and no others: other records need not be read. Called by every process.
    ///
    /// ```no_run
    /// # costate::model! {
    /// #     pub Oscillator {
    /// #         parameters { m: kg = 1, c: N/m = 400, d: N*s/m = 0.4 }
    /// #         coordinates { x: m }
    /// #         mass { x: m }
    /// #         forces { x: -c*x - d*dot(x) }
    /// #         initial { x = 0.1[m], dot(x) = 0[m/s] }
    /// #         outputs { position: m = x }
    /// #     }
    /// # }
    /// use costate::ensemble::Executor;
    /// use costate::identify::{Experiment, ExperimentShare};
    /// use costate::{Identification, Record};
    ///
    /// fn fit(world: &dyn Executor, files: &[&str]) -> anyhow::Result<()> {
    ///     let share = ExperimentShare::new(world, files.len())?;
    ///     let own = &files[share.own()];
    ///     let records = own.iter().map(Record::read_csv).collect::<Result<Vec<_>, _>>()?;
    ///     let mut identification = Identification::new(Oscillator::default()).unknown([Oscillator::C, Oscillator::D]);
    ///     for (file, record) in own.iter().zip(&records) {
    ///         identification = identification.experiment(Experiment::new(*file).measured(Oscillator::POSITION, record));
    ///     }
    ///     let joint = identification.joint(share)?;
    ///     for of_process in joint.memory() {
    ///         println!("{of_process}");
    ///     }
    ///     println!("{}", joint.minimize()?);
    ///     Ok(())
    /// }
    /// ```
    ///
    /// # Errors
    /// [`IdentificationError::NotJoint`] for what needs the data of all experiments in one process, and those of
    /// [`run`](Self::run) before anything is minimised; in every process where one has failed.
    #[inline(never)]
    pub fn joint(self, share: ExperimentShare<'a>) -> Result<JointCost<'a, M>, IdentificationError> {
        let (told, prepared) = match self.prepared_share(&share) {
            Ok(campaign) => (Ok(self.told(&campaign)), Some(campaign)),
            Err(error) => (Err(error), None),
        };
        let all = agree(share.executor(), told)?;
        // an error of its own has been told
        let Some(campaign) = prepared else {
            return Err(IdentificationError::ExperimentsOfOthers { given: 0, own: share.own() });
        };
        let memory =
            all.iter().enumerate().map(|(process, told)| told.memory(process, share.of(process).start));
        let memory = memory.collect();
        let mut description = self.minimised(&campaign);
        all.iter().for_each(|told| description.extend(told.experiments.clone()));
        description.extend(self.settings_description(&campaign, &["maximum_iterations"]));
        let names = all.into_iter().flat_map(|told| told.names).collect();
        Ok(JointCost { identification: self, campaign, share, names, memory, description })
    }

    /// The experiments of this process, ready to be evaluated.
    fn prepared_share(&self, share: &ExperimentShare<'_>) -> Result<Campaign<'a, M>, IdentificationError> {
        self.check_joint()?;
        let (given, own) = (self.experiments.len(), share.own());
        if given != own.len() {
            return Err(IdentificationError::ExperimentsOfOthers { given, own });
        }
        let named = |error: IdentificationError| match &self.experiments[..] {
            [only] => error.in_experiment(&only.name),
            _ => error,
        };
        let campaign = self.prepare().map_err(named)?;
        if campaign.estimates_deviations() {
            return Err(IdentificationError::NotJoint {
                what: "a standard deviation that the residuals of all experiments would tell",
                remedy: "give every measurement one by `Measurement::standard_deviation`",
            });
        }
        campaign.check_memory(1).map_err(named)?;
        self.check_start(&campaign).map_err(named)?;
        Ok(campaign)
    }

    /// What is minimised, but for the experiments.
    fn minimised(&self, campaign: &Campaign<'a, M>) -> Description {
        let mut description = self.unknowns_description(campaign);
        for variable in campaign.state.variables() {
            description.number(format!("the start of `{}`", variable.name()), variable.start());
        }
        description
    }

    /// What this process tells the others.
    fn told(&self, campaign: &Campaign<'a, M>) -> Told {
        let mut common = self.minimised(campaign);
        common.extend(self.settings_description(campaign, &[]));
        common.serialised("whether a state file is kept", &self.state_file.is_some());
        let measurements = || self.experiments.iter().flat_map(|one| &one.measurements);
        let samples: usize = campaign.channels().map(|channel| 3 * channel.values.len()).sum();
        let simulations = campaign.problems().map(|problem| problem.memory().total());
        let bytes = (simulations.fold(0, u64::saturating_add), (samples * size_of::<f64>()) as u64);
        let names = self.experiments.iter().map(|one| one.name.clone()).collect();
        let units = measurements().map(|one| Output::<M>::at(one.output.index()).quantity().unit.to_owned());
        Told {
            experiments: self.experiments_description(campaign, |number| {
                campaign.experiments.get(number).map(|prepared| prepared.name.as_str())
            }),
            units: units.collect::<BTreeSet<_>>(),
            is_weighed: self.weighting != Weighting::Automatic
                || measurements().any(|one| one.weight.is_some()),
            ..Told::new(names, common, bytes)
        }
    }
}

impl<'a, M: Model> JointCost<'a, M> {
    /// What each process needs.
    pub fn memory(&self) -> &[JointMemory] {
        &self.memory
    }

    /// The names of all experiments, in their order.
    pub fn experiments(&self) -> &[String] {
        &self.names
    }

    /// The names of the unknowns, in the order of all vectors of them.
    pub fn unknowns(&self) -> impl ExactSizeIterator<Item = &str> {
        self.campaign.unknowns.iter().map(|unknown| unknown.name())
    }

    /// The values of the unknowns that the identification begins with.
    pub fn start(&self) -> Vec<f64> {
        self.campaign.state.parameters()
    }

    /// J of all experiments and dJ/dz, at one value for each of the [unknowns](Self::unknowns) in its unit.
    ///
    /// # Errors
    /// [`IdentificationError::UnknownCount`] for another number of values; those of a simulation that fails there.
    pub fn evaluate(&self, unknowns: &[f64]) -> Result<(f64, Vec<f64>), IdentificationError> {
        let needed = self.campaign.unknowns.len();
        if unknowns.len() != needed {
            return Err(IdentificationError::UnknownCount { given: unknowns.len(), needed });
        }
        let mut evaluation = self.evaluation();
        let evaluated = evaluation.value(unknowns).and_then(|cost| {
            let gradient = evaluation.differentiate(unknowns)?;
            Ok((cost, gradient))
        });
        evaluated.map_err(|failed| match evaluation.failure(failed) {
            Failure::Here(error) | Failure::Stop(error) => error,
        })
    }

    fn evaluation(&self) -> Evaluation<'_, M> {
        let method = self.identification.optimizer.method;
        Evaluation::new(&self.campaign, method, self.identification.gradient_method).of_share(
            self.share.executor(),
            self.share.own().start,
            &self.names,
        )
    }

    /// Minimises the cost; every process has the result. Unlike [`Identification::run`] it keeps no runs and judges no residuals, which no
    /// process has all of.
    ///
    /// With a [state file](Identification::state_file), process 0 stores the state after every iteration, and a call that finds one continues
    /// from it, with any number of processes. What [interrupts](Identification::interrupt) one process ends all of them, at the same
    /// iteration.
    ///
    /// # Errors
    /// Those of [`Identification::run`], of simulations in other processes too. What has failed in another process is
    /// [`IdentificationError::OtherProcess`].
    #[inline(never)]
    pub fn minimize(mut self) -> Result<JointFit<M>, IdentificationError> {
        let mut observer = self.identification.observer.take();
        let interrupt = self.identification.interrupt.clone();
        let (executor, file) = (self.share.executor(), self.identification.state_file.clone());
        let mut state = self.campaign.state.clone();
        let kept = Kept::open(executor, file.as_deref(), std::mem::take(&mut self.description), &mut state)?;
        let is_shown = self.identification.progress && executor.is_root();
        let mut progress = Progress::new(is_shown, self.campaign.problems());
        let mut observed = state.history().len();
        let mut evaluation = self.evaluation();
        let result = minimize_least_squares(&mut evaluation, &mut state, |state| {
            let is_interrupted = kept.keep(state, &interrupt)?;
            if let Some(observer) = observer.as_mut() {
                state.history()[observed..].iter().for_each(observer);
            }
            observed = state.history().len();
            progress.show(state);
            match is_interrupted && state.stop().is_none() {
                true => Err(IdentificationError::from(interrupted(state, file.as_deref()))),
                false => Ok(()),
            }
        });
        result.map_err(|error| ended(error).within(|| interrupted(&state, file.as_deref())))?;
        let fit = self.concluded(&mut evaluation, &state);
        progress.finish();
        fit
    }
}
