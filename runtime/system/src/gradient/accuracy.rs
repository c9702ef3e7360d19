//! The accuracy of a run: the errors that its step size leaves in coordinates and outputs.

mod between;
mod check;
mod compare;
mod error_scales;
mod estimate;
mod impulses;
mod kink;
mod masses;
mod prescribed;
mod rounding;
mod unseen_force;

use std::fmt;

use costate_contract::shown::Shown;

use crate::identifiers::{Coordinate, Output};
use crate::problem::{Inaccuracy, InputJump, NegativeMass, Remedy, SimulationError, UndefinedOutput, UnseenChange};

pub use check::{accuracy, check_accuracy, judged, measured_accuracy, shows_motion};
pub use compare::{Differences, Own};
pub use estimate::{ErrorEstimate, ScaleKind};
pub use kink::MotionKink;

/// Estimates of the errors that the step size leaves in a run, from runs with half and with twice the step:
/// correct within a factor of about two, also where forces jump or have kinks.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Accuracy {
    /// Step size in s; the sampling interval where steps are adaptive.
    pub step: f64,
    /// The tolerance of adaptive steps; `None` for constant steps.
    pub tolerance: Option<f64>,
    /// Length of the run in s.
    pub end: f64,
    /// The power of the step with which the worst error falls: 2, or 1 where forces jump and for HHT with alpha < 0
    /// where masses depend on positions.
    pub order: u32,
    /// Errors of the coordinates, in the order of declaration.
    pub coordinates: Vec<ErrorEstimate>,
    /// Errors of the outputs.
    pub outputs: Vec<ErrorEstimate>,
    /// An input, or a force, with changes between two samples that not even half the step resolves, which the errors do
    /// not contain; `None` if there is none.
    pub unseen: Option<UnseenChange>,
    /// A motion that has a negative mass somewhere along the run; `None` if none was found.
    pub negative_mass: Option<NegativeMass>,
    /// The last jump of an input before the worst error, where errors are of first order; `None` without one.
    pub jump: Option<InputJump>,
    /// The kink of a prescribed motion before the worst error, or the jump of its acceleration; `None` without one.
    pub kink: Option<MotionKink>,
    /// True if the worst quantity swings from sample to sample, faster than the steps resolve.
    pub swings: bool,
    /// A step in s that follows a prescribed motion, where those of the run do not; `None` where they do.
    pub(crate) following_step: Option<f64>,
    /// The judged outputs that are no finite number somewhere, which have no error.
    pub undefined_outputs: Vec<UndefinedOutput>,
    /// The indices of the outputs that count; `None` if all do.
    pub(crate) judged: Option<Vec<usize>>,
    /// True if the worst error is rounding, which grows where steps become shorter.
    pub is_rounding: bool,
    /// True if most adaptive steps have their largest length, so that their tolerance has no effect.
    pub(crate) is_bound: bool,
}

/// Largest advised step, relative to the present one.
const MAX_ADVISED_FACTOR: f64 = 0.8;

impl Accuracy {
    /// Returns the judged estimate with the largest [relative](ErrorEstimate::relative) error; NaN counts as
    /// the largest.
    pub fn worst(&self) -> Option<&ErrorEstimate> {
        let index = self.worst_index()?;
        self.coordinates.iter().chain(&self.outputs).nth(index)
    }

    /// Returns the index of the worst estimate among those of coordinates, followed by those of outputs.
    pub(crate) fn worst_index(&self) -> Option<usize> {
        let all = self.coordinates.iter().chain(&self.outputs).enumerate();
        let counted = all.filter(|(index, _)| self.counts(*index));
        let worst = counted.max_by(|(_, a), (_, b)| a.relative().abs().total_cmp(&b.relative().abs()));
        worst.map(|(index, _)| index)
    }

    /// Returns true if the estimate of this index, among those of coordinates followed by those of outputs, counts: if
    /// it is judged, and defined.
    pub(crate) fn counts(&self, index: usize) -> bool {
        let output = index.checked_sub(self.coordinates.len());
        self.judged.as_ref().is_none_or(|own| output.is_some_and(|output| own.contains(&output)))
            && self.undefined_outputs.iter().all(|one| Some(one.index) != output)
    }

    /// Returns the error of a coordinate of the model that was run.
    pub fn coordinate<M>(&self, coordinate: Coordinate<M>) -> Option<&ErrorEstimate> {
        self.coordinates.get(coordinate.index())
    }

    /// Returns the error of an output of the model that was run.
    pub fn output<M>(&self, output: Output<M>) -> Option<&ErrorEstimate> {
        self.outputs.get(output.index())
    }

    /// Returns the largest error relative to its scale; 0 where nothing moves.
    pub fn relative(&self) -> f64 {
        self.worst().map_or(0.0, ErrorEstimate::relative)
    }

    /// Returns the largest step size in s of which the run's length is a multiple and with which the
    /// [worst](Self::worst) error is expected to be at most this fraction of its scale, but no larger than a
    /// run can begin with, a tenth of its length.
    pub fn step_for(&self, relative: f64) -> f64 {
        let factor = self.factor_for(relative);
        round_step(self.end, (self.step * factor).min(0.1 * self.end))
    }

    /// Returns the factor of the step for errors of this fraction of their scales.
    fn factor_for(&self, relative: f64) -> f64 {
        /// Smallest advised step, relative to the present one: errors beyond all bounds do not show how fast they
        /// will fall.
        const MIN_ADVISED_FACTOR: f64 = 1e-2;
        /// Largest advised step, relative to the present one, where errors are rounding.
        const MAX_FACTOR_OF_ROUNDING: f64 = 16.0;
        /// Safety factor of advised steps.
        const SAFETY_FACTOR: f64 = 0.9;
        /// Error relative to its scale from which on the true error is taken to be larger.
        const SATURATED_ERROR: f64 = 0.3;
        /// Factor by which the true error is taken to be larger than a saturated one.
        const SATURATED_ERROR_FACTOR: f64 = 3.0;
        let error = self.relative();
        if error == 0.0 {
            return f64::INFINITY;
        }
        if self.is_rounding {
            // that of accelerations grows with h^-2
            return ((error / relative).sqrt() / SAFETY_FACTOR).clamp(1.0 / MAX_ADVISED_FACTOR, MAX_FACTOR_OF_ROUNDING);
        }
        // an error as large as its scale is underestimated, and does not show how it falls
        let (beyond, order) = if error > SATURATED_ERROR { (SATURATED_ERROR_FACTOR, 2) } else { (1.0, self.order) };
        let factor = SAFETY_FACTOR * (relative / (error * beyond)).powf(1.0 / f64::from(order));
        if factor.is_nan() { MIN_ADVISED_FACTOR } else { factor.max(MIN_ADVISED_FACTOR) }
    }
}

impl Accuracy {
    /// Returns the advice for errors of this fraction of their scales, which always changes the present
    /// setting.
    fn remedy(&self, limit: f64) -> Remedy {
        if let Some(step) = self.following_step {
            let advised = round_step(self.end, step);
            return match self.tolerance {
                None => Remedy::Step { step: self.step, advised, order_four: false },
                Some(tolerance) => Remedy::Sampling { tolerance, step: self.step, advised },
            };
        }
        if self.is_rounding {
            let advised = round_step(self.end, (self.step * self.factor_for(limit)).min(0.1 * self.end));
            return Remedy::LongerStep { step: self.step, advised };
        }
        let factor = self.factor_for(limit).min(MAX_ADVISED_FACTOR);
        let advised = round_step(self.end, self.step * factor);
        match self.tolerance {
            None => Remedy::Step { step: self.step, advised, order_four: false },
            Some(tolerance) if self.is_bound => Remedy::Sampling { tolerance, step: self.step, advised },
            // the error of a step falls with its third power, that of a run with the second
            Some(tolerance) => Remedy::Tolerance { tolerance, advised: round_down(tolerance * factor.powi(3)) },
        }
    }

    /// Checks that the worst error is at most this fraction of its scale, and that no change is unseen.
    ///
    /// # Errors
    /// [`SimulationError::Inaccurate`] for an error beyond the limit, or NaN; `SimulationError::UnseenChange`,
    /// `SimulationError::NegativeMass`, `SimulationError::UndefinedOutput`.
    #[doc(hidden)]
    pub fn within(&self, limit: f64) -> Result<(), SimulationError> {
        match self.worst() {
            Some(worst) if worst.relative() > limit || worst.relative().is_nan() => {
                Err(SimulationError::Inaccurate(Box::new(Inaccuracy {
                    quantity: worst.quantity.name,
                    unit: worst.quantity.unit,
                    error: worst.error,
                    time: worst.time,
                    relative: worst.relative(),
                    scale: worst.scale,
                    kind: worst.kind,
                    limit,
                    jump: self.jump,
                    kink: self.kink,
                    swings: self.swings,
                    negative_mass: self.negative_mass,
                    remedy: self.remedy(limit),
                })))
            }
            _ => match (self.unseen, self.negative_mass, self.undefined_outputs.first()) {
                (Some(unseen), ..) => Err(SimulationError::UnseenChange(unseen)),
                (None, Some(negative), _) => Err(SimulationError::NegativeMass(negative)),
                (None, None, Some(undefined)) => Err(SimulationError::UndefinedOutput(*undefined)),
                (None, None, None) => Ok(()),
            },
        }
    }
}

/// Returns the largest number with one digit that is at most `value`.
fn round_down(value: f64) -> f64 {
    let decade = 10f64.powi(value.log10().floor() as i32);
    let rounded = (value / decade).floor().max(1.0) * decade;
    format!("{rounded:.0e}").parse().unwrap_or(rounded)
}

/// Returns the largest step up to `largest` of which the end is a multiple; a round one, if it is not much
/// smaller.
pub fn round_step(end: f64, largest: f64) -> f64 {
    let decade = 10f64.powi(largest.log10().floor() as i32);
    let round = [8.0, 5.0, 4.0, 2.5, 2.0, 1.6, 1.25, 1.0].into_iter().map(|digit| {
        // a decimal number as it would be written
        let step = digit * decade;
        format!("{step:.3e}").parse().unwrap_or(step)
    });
    let steps = (end / largest).ceil();
    let fits = |step: &f64| {
        let count = end / step;
        *step <= largest && (count - count.round()).abs() < 1e-9 * count && count < 1.5 * steps
    };
    round.into_iter().find(fits).unwrap_or(end / steps)
}

impl fmt::Display for Accuracy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.tolerance {
            None => write!(f, "estimated errors at steps of {} s", Shown(self.step))?,
            Some(tolerance) => write!(f, "estimated errors with adaptive steps, tolerance {tolerance:e}")?,
        }
        if let Some(unseen) = &self.unseen {
            write!(f, ", without the effect of a change that the steps do not resolve: {unseen}")?;
        }
        if let Some(negative) = &self.negative_mass {
            write!(f, ", of a motion that means nothing, since {negative}")?;
        }
        self.coordinates.iter().chain(&self.outputs).try_for_each(|estimate| write!(f, "\n  {estimate}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::Quantity;

    #[test]
    fn steps_are_round_where_they_can_be() {
        assert_eq!(round_step(10.0, 0.0123), 0.01);
        assert_eq!(round_step(10.0, 0.009), 0.008);
        assert_eq!(round_step(1.0, 3.1e-4), 2.5e-4);
        // no round number of steps
        let step = round_step(0.71317, 0.0123);
        assert!(step <= 0.0123 && step > 0.0121 && (0.71317 / step - 58.0).abs() < 1e-9, "{step}");
    }

    #[test]
    fn the_worst_counts() {
        let quantity = Quantity { name: "x", unit: "m", documentation: "" };
        let estimate =
            |error, scale| ErrorEstimate { quantity, error, time: 0.0, range: scale, scale, kind: ScaleKind::Range };
        let accuracy = |coordinates| Accuracy {
            step: 0.1,
            tolerance: None,
            end: 10.0,
            order: 2,
            coordinates,
            outputs: vec![],
            unseen: None,
            negative_mass: None,
            jump: None,
            kink: None,
            swings: false,
            following_step: None,
            undefined_outputs: vec![],
            judged: None,
            is_rounding: false,
            is_bound: false,
        };
        let both = accuracy(vec![estimate(1.0, 10.0), estimate(0.2, 1.0)]);
        assert_eq!((both.relative(), both.step_for(0.05)), (0.2, 0.04));
        // never what is there
        let Remedy::Step { advised, .. } = both.remedy(0.199) else { panic!() };
        assert!(advised <= 0.08, "{advised}");
        let bound = Accuracy { tolerance: Some(1e-4), is_bound: true, ..both.clone() };
        assert!(matches!(bound.remedy(0.05), Remedy::Sampling { .. }));
        let Remedy::Tolerance { advised, .. } = (Accuracy { is_bound: false, ..bound }).remedy(0.15) else { panic!() };
        assert_eq!(advised, 4e-5);
        assert_eq!(accuracy(vec![estimate(0.0, 0.0)]).relative(), 0.0);
        let without_number = accuracy(vec![estimate(f64::NAN, 1.0), estimate(0.2, 1.0)]);
        assert!(without_number.relative().is_nan());
        assert!((7e-4..=1e-3).contains(&without_number.step_for(0.05)));
    }
}
