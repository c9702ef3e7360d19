//! Runs of order 4 in place of shorter steps, where they are accurate enough with fewer steps.

use super::check::StepErrors;
use super::definition::Definition;
use super::definition::noise::ChannelErrors;
use super::estimation::covariance::ChannelRows;
use super::estimation::experiment_problem::{EstimationProblem, ExperimentProblem};
use super::estimation::reweighting::Round;
use super::estimation::step_shift::Other;
use super::thresholds::NOTICEABLE_SHIFT;

/// Error of a run in units of the difference to a run with half the steps, at most: it falls with the step, or faster.
pub(super) const ERROR_OF_DIFFERENCE: f64 = 2.0;

impl Definition {
    /// Finds the least number of parts of every step, 1/2 for steps of twice the length, with which runs of order 4
    /// shift the found unknowns by at most `NOTICEABLE_SHIFT` of their standard deviations. `None` where no run of
    /// order 4 is possible, or where all take more steps than runs of second order whose steps are this `part` of the
    /// present ones.
    ///
    /// `rows` are those of the fit, by the unknowns times `scales`; their residuals are overwritten.
    pub(super) fn order_for_unknowns(
        &self,
        (estimation, round): (&EstimationProblem, &Round),
        rows: &mut [ChannelRows],
        (scales, deviations): (&[f64], &[f64]),
        part: f64,
    ) -> Option<f64> {
        let unknowns = round.state.parameters();
        if round.growth.is_some() {
            return None;
        }
        self.least_parts((estimation, &round.errors), &unknowns, part, |own, finer| {
            let shifts = estimation.shifts_between((own, finer), rows, (&unknowns, scales));
            shifts.is_some_and(|shifts| {
                // those without a deviation are not determined
                let mut shifts = shifts.iter().zip(deviations).filter(|(_, deviation)| deviation.is_finite());
                shifts.all(|(shift, deviation)| ERROR_OF_DIFFERENCE * shift.abs() <= NOTICEABLE_SHIFT * deviation)
            })
        })
    }

    /// Finds the least number of parts of every step with which the errors of runs of order 4 are within the limits of
    /// these channels, as [`order_for_unknowns`](Self::order_for_unknowns) does for unknowns.
    pub(super) fn order_for_channels(
        &self,
        estimation: &EstimationProblem,
        unknowns: &[f64],
        channels: &[StepErrors],
        part: f64,
    ) -> Option<f64> {
        self.least_parts((estimation, &[]), unknowns, part, |own, finer| {
            channels.iter().all(|one| {
                let [own, finer] = [own, finer].map(|all| &all[one.experiment].channels[one.channel].residuals);
                let mut differences = own.iter().zip(finer).map(|(own, finer)| (own - finer).abs());
                differences.all(|difference| ERROR_OF_DIFFERENCE * difference <= one.limit())
            })
        })
    }

    /// Finds the least number of parts of every step with which runs of order 4 are accurate enough: the second ones
    /// that `suffices` takes have half the steps of the first ones.
    fn least_parts(
        &self,
        (estimation, errors): (&EstimationProblem, &[ChannelErrors]),
        unknowns: &[f64],
        part: f64,
        mut suffices: impl FnMut(&[Other], &[Other]) -> bool,
    ) -> Option<f64> {
        /// Numbers of parts that are tried: where half the steps are not enough, they do not resolve the motion so well
        /// that a high order pays.
        const TRIED: [f64; 3] = [0.5, 1.0, 2.0];
        // pieces, and derivatives with respect to inputs, take order 2
        let may_be_higher =
            |prepared: &ExperimentProblem| prepared.driven.is_empty() && prepared.problem.settings().order == 2;
        let is_whole = self.finer == 1 && !self.approach.is_in_pieces();
        if !is_whole || !estimation.experiments.iter().all(may_be_higher) {
            return None;
        }
        let mut definition = self.clone();
        definition.change_settings(|settings| settings.order = 4);
        let prepared = |parts: f64| {
            let mut trial = definition.prepare_in(parts).ok()?;
            trial.set_errors(errors);
            Some(trial)
        };
        let most = estimation.steps_of_runs() as f64 / part;
        let mut known = None;
        for parts in TRIED {
            let Some(trial) = prepared(parts) else { continue };
            if trial.steps_of_runs() as f64 > most {
                return None;
            }
            let own = known.take().or_else(|| trial.compared_runs(unknowns));
            let finer = prepared(2.0 * parts)?.compared_runs(unknowns)?;
            if own.is_some_and(|own| suffices(&own, &finer)) {
                return definition.check_start(&trial).is_ok().then_some(parts);
            }
            known = Some(finer);
        }
        None
    }
}
