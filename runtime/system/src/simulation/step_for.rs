//! The search for the longest step that is accurate enough.

use crate::gradient::{judged, measured_accuracy, round_step, shows_motion};
use crate::problem::{SettingsError, SimulationError};
use crate::simulation::description::RunDescription;

impl RunDescription {
    /// Implements [`Simulation::step_for`](crate::simulation::Simulation::step_for).
    pub(crate) fn step_for(&self, relative: f64) -> Result<f64, SimulationError> {
        /// Number of step sizes that are tried, by three runs each.
        const MAX_TRIALS: usize = 8;
        /// Number of step sizes with which a mass may be negative by the errors of the steps alone.
        const MAX_NEGATIVE: usize = 3;
        /// Largest number of steps with which the search ends.
        const MAX_STEPS: f64 = 3e5;
        /// Largest number of steps relative to that at the beginning of the search, if this allows more.
        const MAX_STEP_COUNT_GROWTH: f64 = 64.0;
        /// Factor of a larger step that is tried even where the present one is accurate enough.
        const MIN_USEFUL_GROWTH: f64 = 1.3;
        /// Largest number of samples by which a motion is shown: accelerations that jump show with none.
        const MAX_SHOWN_SAMPLES: f64 = 4e4;
        let end = self.end.ok_or(SettingsError::Missing { field: "end" })?;
        if self.settings.steps.is_adaptive() {
            return Err(SettingsError::Adaptive { what: "`step_for`" }.into());
        }
        let measure = |step: f64| {
            let mut plan = self.with_step(step);
            plan.settings.error_limit = Some(relative);
            let (problem, finer) = (plan.problem()?, plan.with_step(0.5 * step).problem()?);
            let run = problem.forward(&self.model.parameters)?;
            let outputs = run.outputs();
            let accuracy = measured_accuracy(&problem, &run, &outputs, &finer)?;
            // errors of prescribed motions do not bound their steps
            let is_shown = !problem.description().determined
                || end / step > MAX_SHOWN_SAMPLES
                || shows_motion(&problem, &run, &outputs, (&accuracy, relative))?;
            Ok((accuracy, is_shown))
        };
        let mut step = self.step.unwrap_or(1e-3 * end);
        let least = end / (MAX_STEPS.max(MAX_STEP_COUNT_GROWTH * end / step));
        let (mut found, mut unshown, mut refused, mut failed, mut negative) = (None, None, None, None, 0);
        // a run shows nothing about inputs that its steps do not see
        while self.with_step(step).problem()?.check_inputs().is_err() && 0.5 * step >= least {
            step = round_step(end, 0.5 * step);
        }
        for _ in 0..MAX_TRIALS {
            let (accuracy, is_shown) = match measure(step) {
                Ok(measured) => measured,
                // the step is too long for the iteration
                Err(error @ SimulationError::Step(_)) if found.is_none() => {
                    failed = Some(error);
                    step = round_step(end, 0.25 * step);
                    continue;
                }
                Err(error) => return found.ok_or(error),
            };
            // of a run that does not see what happens, the error does not say how far off the right step is
            let is_blind = accuracy.unseen.is_some() || !accuracy.relative().is_finite();
            let next = match is_shown {
                _ if is_blind => round_step(end, 0.25 * step),
                true => accuracy.step_for(relative),
                false => round_step(end, 0.5 * step),
            };
            let judged = match accuracy.within(relative) {
                // no step gives the output a value
                Err(SimulationError::UndefinedOutput(_)) => Ok(()),
                judged => judged,
            };
            match judged {
                Ok(()) if !is_shown => match found {
                    Some(found) => return Ok(found),
                    None => unshown = Some(step),
                },
                Ok(()) if next < MIN_USEFUL_GROWTH * step || refused.is_some() => return Ok(step),
                Ok(()) => found = Some(step),
                Err(_) if let Some(found) = found => return Ok(found),
                Err(error @ SimulationError::UnseenChange(_)) => failed = Some(error),
                Err(error @ SimulationError::NegativeMass(_)) => return Err(error),
                Err(_) if accuracy.kink.is_some_and(|kink| kink.is_impulse) => {
                    refused = Some((accuracy, step));
                    break;
                }
                Err(_) => {
                    negative += usize::from(accuracy.negative_mass.is_some());
                    refused = Some((accuracy, step));
                    if negative == MAX_NEGATIVE {
                        break;
                    }
                }
            }
            if next < least || next == step {
                break;
            }
            step = next;
        }
        if let Some(found) = found.or(unshown) {
            return Ok(found);
        }
        if let Some((accuracy, step)) = refused {
            judged(&accuracy, relative, (&self.with_step(step).problem()?, &self.model.parameters))?;
        }
        Err(failed.unwrap_or(SimulationError::StepTooSmall { time: 0.0, step }))
    }
}
