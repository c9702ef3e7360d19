//! Step sizes of a refinement, chosen by the shift of the unknowns beside that by the noise.

use super::coverage::{Course, courses, or_nothing};
use super::result::RefinedStage;
use crate::definition::Definition;
use crate::definition::error::{IdentificationError, SpecificationError};
use crate::estimation::deferred::{distance, share_of_unknowns};

/// The steps of a refinement.
pub(super) struct Stepping {
    /// Initial steps of every experiment, or of the identification's own run.
    first: Vec<f64>,
    /// Number of parts of each initial step; the steps of residuals may be divided further.
    pub(super) parts: usize,
    /// Shift of the unknowns by the steps, in units of the deviations that the noise leaves; `None` if not known.
    pub(super) share: Option<f64>,
}

impl Stepping {
    pub(super) fn new(identification: &Definition) -> Result<Self, SpecificationError> {
        let step = |experiment| Ok(identification.run_settings(experiment)?.step);
        let first = identification.all_experiments().into_iter().map(step);
        Ok(Self { first: first.collect::<Result<_, SpecificationError>>()?, parts: 1, share: None })
    }

    /// Divides the initial steps into `parts`, and the steps of residuals at least as finely as before; returns true
    /// if the steps have changed.
    pub(super) fn divide(&mut self, identification: &mut Definition, parts: usize) -> bool {
        /// Largest number of steps of derivatives in place of one of the identification's.
        const MAX_PARTS: usize = 10;
        let parts = parts.min(MAX_PARTS);
        if parts == self.parts || identification.has_adaptive_steps() {
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

    /// Makes steps finer where they shift the unknowns too much beside the noise, with the knots of the last stage;
    /// returns true if steps are finer than before.
    pub(super) fn make_finer(
        &mut self,
        identification: &mut Definition,
        coarse: &[Course],
        stage: Option<&RefinedStage>,
    ) -> Result<bool, IdentificationError> {
        /// Largest shift of the unknowns by the steps of residuals, and by those of derivatives, whose errors are
        /// corrected; in units of the deviations that the noise leaves.
        const MAX_SHIFT: f64 = 0.1;
        const MAX_SHIFT_OF_DERIVATIVES: f64 = 2.0;
        /// Largest number of steps of residuals in place of one of the identification's.
        const MAX_PARTS: usize = 40;
        /// Error of a step of second order, in units of the difference to two steps of half the length.
        const ERROR_OF_DIFFERENCE: f64 = 4.0 / 3.0;
        let has_costs = identification.all_experiments().iter().any(|one| !one.costs.is_empty());
        // costs are made for the steps of the identification
        if has_costs || identification.has_adaptive_steps() {
            return Ok(false);
        }
        let unknowns = stage.map_or(1, |stage| stage.unknowns);
        // if the model cannot be simulated with half the steps, their error is not known
        let Some(finer) = or_nothing(courses(identification, 2))? else { return Ok(false) };
        let mut most = 0.0_f64;
        let pairs = coarse.iter().zip(&finer).flat_map(|(one, other)| one.channels.iter().zip(&other.channels));
        for (channel, finer) in pairs {
            let of_steps = ERROR_OF_DIFFERENCE * distance(&channel.fitted, &finer.fitted);
            let of_noise = distance(&channel.fitted, &channel.values);
            // spread over all unknowns as the noise is
            let share = share_of_unknowns(of_steps / of_noise, channel.values.len(), unknowns);
            most = most.max(share);
        }
        self.share = most.is_finite().then_some(most);
        if most.is_nan() || most <= MAX_SHIFT {
            return Ok(false);
        }
        // the steps are of second order
        let before = identification.finer * self.parts;
        let for_share = |share: f64| (before as f64 * (most / share).sqrt()).ceil().min(MAX_PARTS as f64) as usize;
        let parts = for_share(MAX_SHIFT_OF_DERIVATIVES).max(self.parts);
        self.divide(identification, parts);
        identification.finer = for_share(MAX_SHIFT).max(before).div_ceil(self.parts);
        Ok(identification.finer * self.parts > before)
    }
}
