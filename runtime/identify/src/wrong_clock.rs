//! Times without a unit that are not in s. Where a run needs far shorter steps than the samples have, or a fit explains
//! little, or has found values of another size than the start values, the records are fitted with times in ms and us as
//! well.

use costate_cost::residuals::{Cause, Suspicion};
use costate_system::input::InputSignal;

use super::definition::Definition;
use super::definition::error::{DataError, IdentificationError};
use super::definition::experiment::ExperimentDefinition;
use super::estimation::experiment_problem::EstimationProblem;
use super::refits::{Change, Refit, cause_among};
use super::result::suspicions::Compared;

/// Units in which times are written that are taken in s, each in s.
const UNITS: [(&str, f64); 2] = [("ms", 1e-3), ("us", 1e-6)];

/// The unit in which the times of the records are that of the model.
pub struct OtherClock {
    unit: &'static str,
    /// The least part in % of a channel that a fit explains then.
    explained: f64,
}

impl OtherClock {
    /// Returns the suspicions of all channels.
    pub fn suspicions(&self, all: &[Compared]) -> Vec<Suspicion> {
        let &Self { unit, explained } = self;
        all.iter().map(|one| one.suspicion(false, Cause::Clock { unit: unit.to_owned(), explained })).collect()
    }
}

impl Definition {
    /// Returns true if a run needs far shorter steps than the samples have: the motion has hardly a sample in a period.
    pub(super) fn hardly_samples(&self, estimation: &EstimationProblem) -> bool {
        /// Steps in a sampling interval from which on a motion has fewer than some samples in a period: the steps of a
        /// fit are a quarter of those with errors of some percent, of which a period has thirty or more.
        const MAX_STEPS: f64 = 24.0;
        let measurements = self.fitted_runs().into_iter().filter_map(|one| one.measurements.first());
        let intervals = measurements.filter_map(|one| one.data.record.interval());
        let steps = estimation.experiments.iter().map(|prepared| prepared.problem.settings().step);
        intervals.zip(steps).any(|(interval, step)| interval > MAX_STEPS * step)
    }

    /// Refuses a fit if the times of the records have no unit, and one with times in another unit than s explains them.
    pub(super) fn check_clock(&self, estimation: &EstimationProblem) -> Result<(), IdentificationError> {
        if self.ignores_check {
            return Ok(());
        }
        let Some(OtherClock { unit, explained }) = self.other_clock(estimation) else { return Ok(()) };
        let record = self.fitted_runs().into_iter().find_map(|one| one.measurements.first());
        let record = record.map_or(String::new(), |one| one.data.record.name().to_owned());
        Err(DataError::Clock { record, unit, explained }.into())
    }

    /// Returns the unit of times other than s with which a fit explains nearly all of every channel, and stays near the
    /// start values; `None` where there is none, or the file or the user says that times are in s.
    pub(super) fn other_clock(&self, estimation: &EstimationProblem) -> Option<OtherClock> {
        if !self.has_assumed_times() {
            return None;
        }
        let start = estimation.state.parameters();
        let changes = UNITS.into_iter().map(|(unit, seconds)| {
            let (definition, words) = (self.with_times_in(seconds), format!("times in {unit}"));
            Change { definition, words, meaning: unit }
        });
        let is_cause = |_: &&str, after: &Refit| {
            let found: Vec<f64> = after.found.iter().map(|(_, found)| *found).collect();
            after.compared.iter().all(Compared::explains_most) && !are_far(&start, &found)
        };
        let (unit, after) = cause_among(vec![changes.collect()], |_, _| true, is_cause)?;
        Some(OtherClock { unit, explained: after.explained() })
    }

    /// Returns true if no record that is fitted has a unit of its times.
    fn has_assumed_times(&self) -> bool {
        let mut runs = self.fitted_runs();
        runs.retain(|one| !one.measurements.is_empty());
        let is_assumed = |one: &&ExperimentDefinition| {
            one.costs.is_empty() && one.measurements.iter().all(|one| one.data.record.has_assumed_times())
        };
        !runs.is_empty() && runs.iter().all(is_assumed)
    }

    /// Returns the campaign with times of the records in a unit of so many s, and steps that are chosen.
    fn with_times_in(&self, seconds: f64) -> Self {
        let mut definition = Self { choice: None, may_choose_steps: true, ..self.clone() };
        let experiments = definition.experiments.iter_mut().chain([&mut definition.own]);
        let mut runs = vec![&mut definition.run];
        for experiment in experiments {
            (experiment.step, experiment.end) = (None, experiment.end.map(|end| end * seconds));
            for measurement in &mut experiment.measurements {
                measurement.data = measurement.data.clone().with_times_in(seconds);
            }
            runs.extend(&mut experiment.run);
        }
        for run in runs {
            (run.step, run.end) = (None, run.end.map(|end| end * seconds));
            for (_, signal) in &mut run.signals {
                if let InputSignal::Sampled(sampled) = signal
                    && let Some(other) = sampled.with_times_in(seconds)
                {
                    *signal = other.into();
                }
            }
        }
        definition
    }
}

/// Returns true for an error with which no fit begins.
pub fn is_of_start(error: &IdentificationError) -> bool {
    match error {
        IdentificationError::Experiment { source, .. } => is_of_start(source),
        other => matches!(other, IdentificationError::StartValues(_)),
    }
}

/// Returns true if half of the unknowns or more have another size or sign than at the start.
pub fn are_far(start: &[f64], found: &[f64]) -> bool {
    /// Ratio of a found value to the start that is no error of a guess.
    const MAX_RATIO: f64 = 100.0;
    let pairs = || start.iter().zip(found).filter(|(start, _)| **start != 0.0);
    let far = pairs().filter(|(start, found)| !(MAX_RATIO.recip()..=MAX_RATIO).contains(&(*found / *start))).count();
    far > 0 && 2 * far >= pairs().count()
}
