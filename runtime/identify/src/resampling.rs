//! Changes of found values with other data: the bootstrap, and experiments left out one by one.

use rayon::prelude::*;
use serde::Serialize;

use costate_system::causes::with_causes;
use costate_system::ensemble::{Ensemble, Failure, Task, Tasks};
use costate_system::interrupt::{Interrupted, InterruptedWork};

use super::conditional_minimum::minimum;
use super::definition::error::{IdentificationError, RequestError};
use super::estimation::experiment_problem::ExperimentProblem;
use super::result::fit::Fit;
use super::result::measured_outputs::validated;
use super::result::predictions::validated_prediction;
use super::result::summary::Validation;
use super::solved::Solved;

/// The parts of the data that a bootstrap draws again.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Resampling {
    /// Whole experiments, as many as there are, with replacement: right where experiments differ by more than noise,
    /// if there are many. Every prediction of an experiment counts as an experiment.
    Experiments,
    /// Blocks of the residuals of every channel, which are added to the fitted values: right for noise of any
    /// distribution and colour. The length of the blocks is that over which the residuals depend on each other.
    /// Residuals of the groups of a prediction are drawn in units of their deviations, one by one where errors are
    /// independent, and enlarged by what the parameters have taken from them.
    Residuals,
    /// Errors of a normal distribution with the standard deviations of the fit, which are added to the fitted values:
    /// right where errors are normal and white, also for few numbers.
    Normal,
}

/// Fits to data that were drawn again; [`Display`](std::fmt::Display) prints a table.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Bootstrap {
    /// The parts of the data that were drawn.
    pub resampling: Resampling,
    /// Names of the unknowns, in the order of [`FitSummary::parameters`](super::FitSummary::parameters).
    pub unknowns: Vec<String>,
    /// Found values of every repetition, in the order of `unknowns`.
    pub found: Vec<Vec<f64>>,
    /// Standard deviation of every unknown over the repetitions.
    pub standard_deviations: Vec<f64>,
    /// Standard deviation of every unknown by the fit.
    pub of_fit: Vec<f64>,
    /// The interval of every unknown with 95 % of the repetitions: from the 2.5th to the 97.5th percentile.
    pub intervals: Vec<[f64; 2]>,
    /// Repetitions that failed, with the reason.
    pub failed: Vec<String>,
}

/// Fits to all experiments but one; [`Display`](std::fmt::Display) prints a table.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[non_exhaustive]
pub struct LeaveOneOut {
    /// Names of the unknowns, in the order of [`FitSummary::parameters`](super::FitSummary::parameters).
    pub unknowns: Vec<String>,
    /// One entry for each experiment.
    pub left_out: Vec<LeftOut>,
}

/// The prediction of one experiment by the others.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[non_exhaustive]
pub struct LeftOut {
    /// The experiment, and how well the others predict it. Unknowns that belong to this experiment alone are as in
    /// the fit to all.
    pub validation: Validation,
    /// Values found from the others, in the order of [`FitSummary::parameters`](super::FitSummary::parameters).
    pub found: Vec<f64>,
    /// The change of every unknown from the fit to all, in units of its standard deviation in that fit.
    pub changes: Vec<f64>,
}

impl<M> Fit<M> {
    /// Fits again to data that are drawn at random from the measured ones with `seed`, on all cores: the scatter of the
    /// found values shows their uncertainty, without assumptions on the distribution of the noise. Weights and priors
    /// stay those of the fit. The result depends on the seed alone.
    ///
    /// # Errors
    /// [`RequestError::Repetitions`] for fewer than two repetitions, [`RequestError::TooFewExperiments`] where
    /// experiments are drawn, [`RequestError::TooFewNumbers`] where residuals of a prediction are,
    /// [`RequestError::NotNormal`] where normal errors are, [`RequestError::UnknownDeviations`],
    /// [`DataError::Noise`](crate::DataError::Noise) where residuals are drawn and samples are not equidistant between
    /// gaps, [`IdentificationError::Interrupted`], [`IdentificationError::Ensemble`].
    pub fn bootstrap(
        &self,
        resampling: Resampling,
        repetitions: usize,
        seed: u64,
    ) -> Result<Bootstrap, IdentificationError> {
        self.bootstrap_in(&Ensemble::new(), resampling, repetitions, seed)
    }

    /// Does as [`bootstrap`](Self::bootstrap), in shards or by several processes, with logs from which the work
    /// continues, also with a larger number of repetitions.
    ///
    /// # Errors
    /// As [`bootstrap`](Self::bootstrap).
    pub fn bootstrap_in(
        &self,
        ensemble: &Ensemble<'_>,
        resampling: Resampling,
        repetitions: usize,
        seed: u64,
    ) -> Result<Bootstrap, IdentificationError> {
        if repetitions < 2 {
            return Err(RequestError::Repetitions { repetitions }.into());
        }
        let Solved { definition, estimation, unknowns: start, description, .. } = self.simulated("a bootstrap")?;
        if resampling == Resampling::Experiments {
            check_count(estimation.experiments.len() + estimation.predictions.len(), 3)?;
        }
        if resampling != Resampling::Experiments {
            estimation.check_deviations()?;
        }
        let blocks = match resampling {
            Resampling::Experiments => Vec::new(),
            Resampling::Residuals | Resampling::Normal => estimation.blocks(start, resampling)?,
        };
        let mut description = description.clone();
        description.serialised("what is drawn", &resampling);
        description.text("the seed", seed);
        let repeat = |task: &Task| {
            let seed = task.seed(seed);
            let other = match resampling {
                Resampling::Experiments => Ok(estimation.with_experiments_drawn(seed)),
                Resampling::Residuals | Resampling::Normal => estimation.with_residuals_drawn(&blocks, seed),
            };
            let how = (definition.gradient_method, task.interrupt());
            let found = other.and_then(|other| minimum(&other, how, None, start));
            found.map(|(_, unknowns)| unknowns).map_err(|error| Failure::new(with_causes(&error)))
        };
        let tasks = Tasks::new("a bootstrap", repetitions).described(description);
        let ensemble = ensemble.clone().interrupt(definition.run.interrupt.clone());
        let outcomes = ensemble.run(&tasks, repeat, |_, _| ())?;
        if outcomes.is_interrupted() {
            let succeeded = outcomes.done() - outcomes.failed();
            let work = InterruptedWork::Repetitions { succeeded, repetitions };
            return Err(Interrupted::with_folder(work, ensemble.logs()).into());
        }
        let (mut found, mut failed) = (Vec::new(), Vec::new());
        for outcome in outcomes.complete()? {
            match outcome.result {
                Ok(unknowns) => found.push(unknowns),
                Err(failure) => failed.push(failure.error),
            }
        }
        let of_unknown = |k: usize| -> Vec<f64> { found.iter().map(|unknowns| unknowns[k]).collect() };
        let fitted = &self.summary().parameters;
        Ok(Bootstrap {
            resampling,
            unknowns: fitted.iter().map(|unknown| unknown.name.clone()).collect(),
            standard_deviations: (0..start.len()).map(|k| scatter(&of_unknown(k))).collect(),
            of_fit: fitted.iter().map(|unknown| unknown.standard_deviation).collect(),
            intervals: (0..start.len()).map(|k| percentiles(of_unknown(k))).collect(),
            found,
            failed,
        })
    }

    /// Fits again to all experiments but one, for each of them: shows whether the result depends on a single
    /// experiment, and how well the others predict each. Every group of a prediction is left out for itself. Unknowns
    /// that nothing but the left out data determines stay as in the fit to all.
    ///
    /// # Errors
    /// [`RequestError::TooFewExperiments`]. A fit to the others that fails is an error.
    pub fn leave_one_out(&self) -> Result<LeaveOneOut, IdentificationError> {
        let Solved { definition, estimation, unknowns: start, .. } = self.simulated("leaving experiments out")?;
        let of_predictions: usize = estimation.predictions.iter().map(|one| one.groups.len()).sum();
        check_count(estimation.experiments.len() + of_predictions, 2)?;
        let how = (definition.gradient_method, &definition.run.interrupt);
        let fitted = &self.summary().parameters;
        let leave = |prepared: &ExperimentProblem| {
            let mut others = estimation.variant();
            others.experiments.retain(|other| other.number != prepared.number);
            let (_, found) = minimum(&others, how, None, start)?;
            let parameters = fitted.iter().zip(&found);
            let changes = parameters.map(|(all, without)| (without - all.found) / all.standard_deviation);
            let (validation, ..) = validated(prepared, &found);
            Ok(LeftOut { validation, changes: changes.collect(), found })
        };
        let without = |&(number, place): &(usize, usize)| {
            let (others, alone) = estimation.without_group(number, place);
            let (_, found) = minimum(&others, how, None, start)?;
            let parameters = fitted.iter().zip(&found);
            let changes = parameters.map(|(all, without)| (without - all.found) / all.standard_deviation);
            let mut validation = Validation::default();
            if let Some(alone) = alone {
                validation = validated_prediction(&alone, &found).0;
                let name = alone.groups.first().map(|compared| alone.channel_name(compared));
                let experiment = estimation.name_of(alone.number).filter(|of| *of != alone.prediction.name());
                let experiment = experiment.map_or(String::new(), |of| format!("{of}: "));
                validation.experiment = experiment + &name.unwrap_or_default();
            }
            Ok(LeftOut { validation, changes: changes.collect(), found })
        };
        let groups = estimation.predictions.iter().enumerate();
        let groups: Vec<(usize, usize)> = groups
            .flat_map(|(number, predicted)| (0..predicted.groups.len()).map(move |place| (number, place)))
            .collect();
        let left_out: Result<Vec<_>, IdentificationError> =
            estimation.experiments.par_iter().map(leave).chain(groups.par_iter().map(without)).collect();
        let unknowns = fitted.iter().map(|unknown| unknown.name.clone()).collect();
        Ok(LeaveOneOut { unknowns, left_out: left_out? })
    }
}

fn check_count(experiments: usize, needed: usize) -> Result<(), RequestError> {
    match experiments < needed {
        true => Err(RequestError::TooFewExperiments { experiments, needed }),
        false => Ok(()),
    }
}

/// Returns the standard deviation of the values, with one degree of freedom less than there are values; NaN for fewer
/// than two.
fn scatter(values: &[f64]) -> f64 {
    let count = values.len() as f64;
    let mean = values.iter().sum::<f64>() / count;
    (values.iter().map(|value| (value - mean) * (value - mean)).sum::<f64>() / (count - 1.0)).sqrt()
}

/// Returns the 2.5th and the 97.5th percentile, interpolated linearly between sorted values; NaN without values.
fn percentiles(mut values: Vec<f64>) -> [f64; 2] {
    values.sort_by(f64::total_cmp);
    [0.025, 0.975].map(|part| {
        let place = part * values.len().saturating_sub(1) as f64;
        let (below, rest) = (place.floor() as usize, place.fract());
        let at = |index: usize| values.get(index.min(values.len().saturating_sub(1))).copied().unwrap_or(f64::NAN);
        at(below) + rest * (at(below + 1) - at(below))
    })
}
