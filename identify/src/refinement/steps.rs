//! How fine the steps of a refinement are, beside what the noise leaves.

use super::course::{Course, courses, or_nothing};
use super::result::RefinedStage;
use crate::campaign::deferred::{distance, share_of_unknowns};
use crate::definition::Definition;
use crate::problem::Steps;
use crate::said::error::IdentificationError;

/// What steps may leave, in units of what the noise leaves in every unknown.
const MOST_OF_STEPS: f64 = 0.1;

/// As [`MOST_OF_STEPS`], of those that derivatives are of: what these leave is corrected.
const MOST_OF_DERIVATIVES: f64 = 2.0;

/// The most steps in place of one of those that the identification begins with; derivatives may be of so many, residuals of more.
const MOST_STEPS: usize = 10;
const MOST_FINER: usize = 40;

/// What the error of a step of second order is, in units of the difference to two steps of half the length.
const OF_HALVES: f64 = 4.0 / 3.0;

/// How fine steps are.
pub(super) struct Stepping {
    /// Of every experiment, or of the identification's own run, with which it begins.
    first: Vec<f64>,
    /// How many steps each of these is divided into; residuals may be of still finer ones.
    pub(super) parts: usize,
    /// What the steps leave, in units of what the noise leaves; `None` where it is not known.
    pub(super) share: Option<f64>,
}

impl Stepping {
    pub(super) fn new(identification: &Definition<'_>) -> Result<Self, IdentificationError> {
        let step = |experiment| Ok(identification.run_settings(experiment)?.step);
        let first = identification.all_experiments().into_iter().map(step);
        Ok(Self { first: first.collect::<Result<_, IdentificationError>>()?, parts: 1, share: None })
    }

    /// Divides the first steps into so many parts, and residuals' steps into no more than before; whether these are other steps than before.
    pub(super) fn divide(&mut self, identification: &mut Definition<'_>, parts: usize) -> bool {
        let parts = parts.min(MOST_STEPS);
        if parts == self.parts || matches!(identification.settings.steps, Steps::Adaptive { .. }) {
            return false;
        }
        let finest = identification.finer * self.parts;
        self.parts = parts;
        identification.finer = finest.div_ceil(parts);
        let step = |first: &f64| Some(first / parts as f64);
        let Definition { experiments, own, .. } = identification;
        match &mut experiments[..] {
            [] => own.step = self.first.first().and_then(step),
            several => {
                for (experiment, first) in several.iter_mut().zip(&self.first) {
                    experiment.step = step(first);
                }
            }
        }
        true
    }

    /// Makes steps finer where they leave too much beside the noise, with the knots of the last stage; whether they are finer now.
    pub(super) fn make_finer(
        &mut self,
        identification: &mut Definition<'_>,
        coarse: &[Course],
        stage: Option<&RefinedStage>,
    ) -> Result<bool, IdentificationError> {
        let has_costs = identification.all_experiments().iter().any(|one| !one.costs.is_empty());
        // costs belong to the steps that they were made for
        if has_costs || matches!(identification.settings.steps, Steps::Adaptive { .. }) {
            return Ok(false);
        }
        let unknowns = stage.map_or(1, |stage| stage.unknowns);
        // steps at which the model cannot be simulated say nothing
        let Some(finer) = or_nothing(courses(identification, 2))? else { return Ok(false) };
        let mut most = 0.0_f64;
        let pairs =
            coarse.iter().zip(&finer).flat_map(|(one, other)| one.channels.iter().zip(&other.channels));
        for (channel, finer) in pairs {
            let of_steps = OF_HALVES * distance(&channel.fitted, &finer.fitted);
            let of_noise = distance(&channel.fitted, &channel.values);
            // spread over all unknowns as the noise is
            let share = share_of_unknowns(of_steps / of_noise, channel.values.len(), unknowns);
            most = most.max(share);
        }
        self.share = most.is_finite().then_some(most);
        if most.is_nan() || most <= MOST_OF_STEPS {
            return Ok(false);
        }
        // of second order
        let before = identification.finer * self.parts;
        let for_share =
            |share: f64| (before as f64 * (most / share).sqrt()).ceil().min(MOST_FINER as f64) as usize;
        let parts = for_share(MOST_OF_DERIVATIVES).max(self.parts);
        self.divide(identification, parts);
        identification.finer = for_share(MOST_OF_STEPS).max(before).div_ceil(self.parts);
        Ok(identification.finer * self.parts > before)
    }
}
