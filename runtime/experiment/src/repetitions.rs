//! Repetitions of an identification with other noise, and the scatter of the estimates.

use nalgebra::DMatrix;

use costate_contract::machine::{Room, bytes};
use costate_identify::{Identification, IdentificationError};
use costate_measure::record::Record;
use costate_system::ensemble::{Description, Ensemble, Errors, Failure, Outcome, Progress, Task, Tasks, task_seed};
use costate_system::identifiers::Dynamic;
use costate_system::interrupt::{Interrupt, Interrupted, InterruptedWork};

use super::error::RepetitionsError;
use super::information::{Fisher, Information};
use super::noise::{Noise, Sensors};
use super::parameters::InformedParameter;
use super::sensitivities::{SampledSensitivities, Sensitivities};

/// Settings of repetitions.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct RepetitionSettings<'e> {
    /// Number of repetitions; 100 by default.
    pub repetitions: usize,
    /// Seed of the noise: the noise of repetition i follows from the seed and i, whatever the number of threads; 0 by
    /// default.
    pub seed: u64,
    /// The flag that stops the repetitions.
    pub interrupt: Interrupt,
    /// Processes that do the repetitions, and the folder where results are kept, so that repetitions continue where
    /// they were stopped, also with a larger number; the threads of this process, without logs, by default. A time
    /// limit is one of each identification.
    pub ensemble: Ensemble<'e>,
}

impl Default for RepetitionSettings<'_> {
    fn default() -> Self {
        Self { repetitions: 100, seed: 0, interrupt: Interrupt::new(), ensemble: Ensemble::new() }
    }
}

impl<'e> RepetitionSettings<'e> {
    /// Creates settings with this number of repetitions and this seed.
    pub fn new(repetitions: usize, seed: u64) -> Self {
        Self { repetitions, seed, ..Self::default() }
    }

    /// Sets the flag that stops the repetitions.
    #[must_use]
    pub fn with_interrupt(mut self, interrupt: Interrupt) -> Self {
        self.interrupt = interrupt;
        self
    }

    /// Sets the processes that do the repetitions, and the folder where results are kept.
    #[must_use]
    pub fn with_ensemble(mut self, ensemble: Ensemble<'e>) -> Self {
        self.ensemble = ensemble;
        self
    }
}

/// Progress of repetitions.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RepetitionProgress {
    /// Number of the repetition that has just ended, from 0.
    pub number: usize,
    /// True if the repetition has led to a result.
    pub succeeded: bool,
    /// Number of repetitions that have ended.
    pub ended: usize,
    /// Number of all repetitions.
    pub repetitions: usize,
}

/// One repetition.
#[derive(Debug)]
pub struct Repetition {
    /// Number of the repetition, from 0.
    pub number: usize,
    /// The estimates in the parameters' units, in the order of the unknown parameters; or the error.
    pub outcome: Result<Vec<f64>, IdentificationError>,
}

/// Estimates from simulated measurements that differ in their noise alone, beside the Cramer-Rao bound (OB 5.1.2);
/// [`Display`](std::fmt::Display) prints a table.
#[derive(Debug)]
pub struct Repetitions<M = Dynamic> {
    information: Information<M>,
    members: Vec<Repetition>,
}

/// A function that returns the estimates from a record in the order of the unknown parameters, NaN for a parameter
/// that is not unknown there.
type Identify<'i> = &'i (dyn Fn(&Record, &Interrupt) -> Result<Vec<f64>, IdentificationError> + Sync);

/// The work of one repetition, without the type of the model.
struct Repeated<'i> {
    /// Identifies the parameters from a record.
    identify: Identify<'i>,
    /// Describes the identification of a record.
    describe: &'i dyn Fn(&Record) -> Result<Description, IdentificationError>,
}

impl<M> Sensitivities<M> {
    /// Adds `noise` to the outputs of the simulated experiment, for every repetition again, and identifies the unknown
    /// parameters from the result, on all cores.
    ///
    /// `identification` makes the identification of a record that has a channel with the name of every measured
    /// output at every sample; it sets the start values, the inputs, the weights of the channels and the
    /// minimisation, and its unknown parameters are those of the sensitivities, in any order. It runs with the
    /// interrupt of the settings. `progress` is called when a repetition has ended, by one thread at a time.
    ///
    /// A repetition that fails is part of the result, but not of its statistics.
    ///
    /// # Errors
    /// [`RepetitionsError`].
    pub fn repeat<F, P>(
        &self,
        noise: &Noise<M>,
        settings: &RepetitionSettings<'_>,
        identification: F,
        mut progress: P,
    ) -> Result<Repetitions<M>, RepetitionsError>
    where
        F: Fn(&Record) -> Identification<M> + Sync,
        P: FnMut(RepetitionProgress) + Send,
    {
        let unknowns: Vec<_> = self.parameters().iter().map(|known| known.parameter).collect();
        let identify = |record: &Record, interrupt: &Interrupt| {
            let identification = identification(record).without_error_limit().interrupted_by(interrupt.clone());
            // the records were made with the same steps, whose errors therefore do not matter
            let fit = identification.run()?;
            let found = |unknown| fit.parameter(unknown).map_or(f64::NAN, |fitted| fitted.found);
            Ok(unknowns.iter().copied().map(found).collect())
        };
        let describe = |record: &Record| identification(record).without_error_limit().described();
        let repeated = Repeated { identify: &identify, describe: &describe };
        let (sampled, sensors) = (self.sampled(), noise.sensors());
        let (fisher, members) = sampled.repeat(sensors, settings, &repeated, &mut progress)?;
        Ok(Repetitions { information: Information::of(fisher), members })
    }
}

impl SampledSensitivities {
    /// Computes the information of the experiment, and runs all repetitions.
    fn repeat(
        &self,
        sensors: &Sensors,
        settings: &RepetitionSettings<'_>,
        repeated: &Repeated<'_>,
        progress: &mut (dyn FnMut(RepetitionProgress) + Send),
    ) -> Result<(Fisher, Vec<Repetition>), RepetitionsError> {
        let repetitions = settings.repetitions;
        if repetitions == 0 {
            return Err(RepetitionsError::NoRepetitions);
        }
        let room = Room { what: "the results", count: repetitions, counted: "repetitions", remedy: "take fewer" };
        room.check(bytes(repetitions, size_of::<Repetition>() + self.parameters.len() * size_of::<f64>()))?;
        let fisher = self.information(sensors)?;
        let identify = |number: usize, interrupt: &Interrupt| {
            let record = self.noisy_record(sensors, task_seed(settings.seed, number))?;
            (repeated.identify)(&record, interrupt)
        };
        let errors = Errors::default();
        let run = |task: &Task| {
            let found = identify(task.number(), task.interrupt());
            // a parameter that is not identified is distinguished from a failure
            let known = |estimates: Vec<f64>| estimates.into_iter().map(|p| (!p.is_nan()).then_some(p)).collect();
            found.map(known).map_err(|error| Failure::new(errors.keep(task.number(), error)))
        };
        let watch = |outcome: &Outcome<Vec<Option<f64>>>, all: &Progress| {
            progress(RepetitionProgress {
                number: outcome.number,
                succeeded: outcome.result.is_ok(),
                ended: all.done,
                repetitions: all.tasks,
            });
        };
        let mut tasks = Tasks::new("repetitions of an identification", repetitions);
        if settings.ensemble.logs().is_some() {
            let described = self.describe(sensors, settings, repeated);
            tasks = tasks.described(described.map_err(|source| every_repetition(repetitions, source))?);
        }
        let ensemble = settings.ensemble.clone().interrupt(settings.interrupt.clone());
        let outcomes = ensemble.run(&tasks, run, watch)?;
        let succeeded = outcomes.done() - outcomes.failed();
        if outcomes.is_interrupted() {
            let work = InterruptedWork::Repetitions { succeeded, repetitions };
            return Err(Interrupted::with_folder(work, settings.ensemble.logs()).into());
        }
        let member = |Outcome { number, result, .. }: Outcome<Vec<Option<f64>>>| Repetition {
            number,
            outcome: match result {
                Ok(found) => Ok(found.into_iter().map(|p| p.unwrap_or(f64::NAN)).collect()),
                Err(Failure { error: message, .. }) => {
                    let known = errors.take(number, &message);
                    Err(known.unwrap_or(IdentificationError::Task { message }))
                }
            },
        };
        let members: Vec<_> = outcomes.complete()?.into_iter().map(member).collect();
        let estimates = members.iter().filter_map(|member| member.outcome.as_ref().ok());
        let missing =
            estimates.flat_map(|estimate| estimate.iter().zip(&self.parameters)).find(|(value, _)| value.is_nan());
        if let Some((_, known)) = missing {
            return Err(RepetitionsError::NotIdentified { name: known.name() });
        }
        if succeeded > 0 {
            return Ok((fisher, members));
        }
        let first = members.into_iter().find_map(|member| member.outcome.err());
        Err(first.map_or(RepetitionsError::NoRepetitions, |source| every_repetition(repetitions, source)))
    }

    /// Describes everything that the results of repetitions depend on: the identification of the first one, whose
    /// record has the noise of the seed.
    fn describe(
        &self,
        sensors: &Sensors,
        settings: &RepetitionSettings<'_>,
        repeated: &Repeated<'_>,
    ) -> Result<Description, IdentificationError> {
        let record = self.noisy_record(sensors, task_seed(settings.seed, 0))?;
        let mut description = (repeated.describe)(&record)?;
        let names: Vec<_> = self.parameters.iter().map(InformedParameter::name).collect();
        description.text("the parameters of the sensitivities", names.join(", "));
        description.text("the seed of the noise", settings.seed);
        Ok(description)
    }

    /// Returns the outputs with noise as a record.
    fn noisy_record(&self, sensors: &Sensors, seed: u64) -> Result<Record, IdentificationError> {
        let mut outputs = self.outputs.clone();
        sensors.add(&mut outputs, seed);
        let steps: Vec<usize> = self.steps().collect();
        let times = steps.iter().map(|&i| i as f64 * outputs.step()).collect();
        let mut record = Record::new(times)?;
        for output in &sensors.outputs {
            let values = steps.iter().map(|&i| outputs.row(i)[output.index()]).collect();
            record = record.with_channel(output.name(), Some(output.quantity().unit), values)?;
        }
        Ok(record)
    }
}

impl<M> Repetitions<M> {
    /// Returns the information of the experiment, from which the Cramer-Rao bound follows.
    pub fn information(&self) -> &Information<M> {
        &self.information
    }

    /// Returns all repetitions by their number, including failed ones.
    pub fn members(&self) -> &[Repetition] {
        &self.members
    }

    /// Returns the estimates of each repetition that led to a result.
    pub fn estimates(&self) -> impl Iterator<Item = &[f64]> {
        estimates(&self.members)
    }

    /// Returns the numbers and errors of the repetitions without a result.
    pub fn failures(&self) -> impl Iterator<Item = (usize, &IdentificationError)> {
        failures(&self.members)
    }

    /// Returns the mean of each parameter's estimates.
    pub fn means(&self) -> Vec<f64> {
        means(&self.members, self.information.parameters().len())
    }

    /// Returns the covariance of the estimates, with one degree of freedom taken by the mean; NaN for a single
    /// estimate.
    pub fn covariance(&self) -> DMatrix<f64> {
        covariance(&self.members, self.information.parameters().len())
    }

    /// Returns the standard deviation of each parameter's estimates, in its unit.
    pub fn standard_deviations(&self) -> Vec<f64> {
        standard_deviations(&self.members, self.information.parameters().len())
    }

    /// Returns the relative uncertainty of these standard deviations: 1/sqrt(2 (n - 1)) for n normally distributed
    /// estimates.
    pub fn uncertainty_of_deviations(&self) -> f64 {
        uncertainty_of_deviations(&self.members)
    }
}

pub(super) fn estimates(members: &[Repetition]) -> impl Iterator<Item = &[f64]> {
    members.iter().filter_map(|member| member.outcome.as_deref().ok())
}

pub(super) fn failures(members: &[Repetition]) -> impl Iterator<Item = (usize, &IdentificationError)> {
    members.iter().filter_map(|member| member.outcome.as_ref().err().map(|error| (member.number, error)))
}

/// Returns the means of `n` parameters.
pub(super) fn means(members: &[Repetition], n: usize) -> Vec<f64> {
    let count = estimates(members).count() as f64;
    let sum = |k: usize| estimates(members).map(|estimate| estimate[k]).sum::<f64>();
    (0..n).map(|k| sum(k) / count).collect()
}

/// See [`Repetitions::covariance`], of `n` parameters.
fn covariance(members: &[Repetition], n: usize) -> DMatrix<f64> {
    let means = means(members, n);
    let mut covariance = DMatrix::zeros(n, n);
    for estimate in estimates(members) {
        for j in 0..n {
            for k in 0..n {
                covariance[(j, k)] += (estimate[j] - means[j]) * (estimate[k] - means[k]);
            }
        }
    }
    covariance / (estimates(members).count() as f64 - 1.0)
}

/// Returns the standard deviations of `n` parameters.
pub(super) fn standard_deviations(members: &[Repetition], n: usize) -> Vec<f64> {
    covariance(members, n).diagonal().iter().map(|variance| variance.sqrt()).collect()
}

/// See [`Repetitions::uncertainty_of_deviations`].
pub(super) fn uncertainty_of_deviations(members: &[Repetition]) -> f64 {
    (2.0 * (estimates(members).count() as f64 - 1.0)).sqrt().recip()
}

/// Returns the error of repetitions that have all failed.
fn every_repetition(repetitions: usize, source: IdentificationError) -> RepetitionsError {
    RepetitionsError::EveryRepetition { repetitions, source: Box::new(source) }
}
