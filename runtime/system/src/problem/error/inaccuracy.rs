//! Errors of a run that are too large, and what makes them smaller.

use std::fmt;

use costate_contract::shown::Shown;

use crate::gradient::{MotionKink, ScaleKind};
use crate::problem::InputJump;

/// The error of a run that is larger than the settings allow.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[error("with {} {}", .remedy.present(), self.found())]
#[non_exhaustive]
pub struct Inaccuracy {
    /// The coordinate or output with the largest relative error.
    pub quantity: &'static str,
    /// Unit of the quantity.
    pub unit: &'static str,
    /// The estimated error, in the quantity's unit.
    pub error: f64,
    /// Time of the largest error, in s.
    pub time: f64,
    /// The error relative to its scale.
    pub relative: f64,
    /// The scale, in the quantity's unit.
    pub scale: f64,
    /// The kind of quantity that the scale is.
    pub kind: ScaleKind,
    /// The largest relative error allowed.
    pub limit: f64,
    /// The jump of an input that is the presumable reason; `None` if no input jumps.
    pub jump: Option<InputJump>,
    /// The kink of a prescribed motion that is the reason, or the jump of its acceleration; `None` if there is none.
    pub kink: Option<MotionKink>,
    /// A motion that has a negative mass somewhere along the run, which is the presumable reason; `None` without one.
    pub negative_mass: Option<NegativeMass>,
    /// True if the quantity swings from step to step, as an oscillation does that is faster than the steps.
    pub swings: bool,
    /// The advice to make the run accurate enough.
    pub remedy: Remedy,
}

impl Inaccuracy {
    fn found(&self) -> String {
        let advice = match self.kink {
            Some(MotionKink { is_impulse: true, .. }) => String::from(
                "an impulse acts there, which no step resolves: smooth the motion (`sqrt(x^2 + small^2)` for `abs(x)`, \
                 `smooth_step` for `if`, `min` and `max`, a `monotone` table for a `straight` one), or `judge` the run \
                 by the outputs that matter",
            ),
            Some(_) => format!(
                "forces jump with it, and swing from step to step after it: let the acceleration change over some \
                 steps (`smooth_step` for `if`, `min` and `max`, a `spline` table), or {}`judge` the run by the \
                 outputs that matter",
                if self.swings { String::new() } else { format!("{}, or ", self.remedy.advice()) }
            ),
            None if self.swings && self.jump.is_none() => format!(
                "it swings from step to step, as an oscillation does whose period is shorter than the steps: look for \
                 what excites it, such as a stiff spring that is stretched at the start, or {}, and shorter ones until \
                 they follow it",
                self.remedy.advice()
            ),
            None => self.remedy.advice(),
        };
        let advice = match self.negative_mass {
            Some(negative) => format!("{negative}: make it positive wherever the motion goes, or {advice}"),
            None => advice,
        };
        if self.relative.is_nan() {
            let reason = match self.negative_mass {
                Some(_) => "",
                None => "a force may grow without bound; look at the model along the run, or ",
            };
            return format!(
                "the error of `{}` is not known, because no run with other steps comes to its end: {reason}{advice}",
                self.quantity
            );
        }
        let (unit, reason) = (unit_of(self.unit), because(self.jump.as_ref(), self.kink.as_ref()));
        format!(
            "the error of `{}` is about {:.1e}{unit} at {:.4} s, {} % of {}, {:.1e}{unit}{reason}: {advice}, or \
             set `error_limit` (it is {}) if less accuracy will do",
            self.quantity,
            self.error,
            self.time,
            percent(self.relative),
            self.kind,
            self.scale,
            Shown(self.limit)
        )
    }
}

/// A motion that has a negative mass at a time of a run.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub struct NegativeMass {
    /// The coordinate with the largest part in the motion.
    pub coordinate: &'static str,
    /// The time in s.
    pub time: f64,
}

impl fmt::Display for NegativeMass {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the mass of `{}` is negative at {} s", self.coordinate, Shown(self.time))
    }
}

/// The change of a setting that makes a run more accurate.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub enum Remedy {
    /// Shorter steps.
    Step {
        /// Step size of the run in s.
        step: f64,
        /// A step size in s that is expected to be small enough.
        advised: f64,
        /// True if a run of order 4 with the present steps was found to be accurate enough, and takes fewer steps.
        order_four: bool,
    },
    /// Longer steps, where the error is rounding: it grows where steps become shorter.
    LongerStep {
        /// Step size of the run in s.
        step: f64,
        /// A longer step size in s.
        advised: f64,
    },
    /// A smaller tolerance of adaptive steps.
    Tolerance {
        /// Tolerance of the run.
        tolerance: f64,
        /// A tolerance that is expected to be small enough.
        advised: f64,
    },
    /// A shorter sampling interval, which bounds adaptive steps: the tolerance has hardly any effect.
    Sampling {
        /// Tolerance of the run.
        tolerance: f64,
        /// The sampling interval in s.
        step: f64,
        /// A sampling interval in s that is expected to be short enough.
        advised: f64,
    },
}

impl Remedy {
    fn present(&self) -> String {
        match self {
            Self::Step { step, .. } | Self::LongerStep { step, .. } => format!("steps of {} s", Shown(*step)),
            Self::Tolerance { tolerance, .. } => format!("adaptive steps of tolerance {tolerance:e}"),
            Self::Sampling { tolerance, step, .. } => {
                format!("adaptive steps of tolerance {tolerance:e}, most of them as long as they may be, {step} s,")
            }
        }
    }

    fn advice(&self) -> String {
        match self {
            Self::Step { advised, order_four: true, .. } => {
                format!("take order 4 (`.order(4)`) with the same steps, or steps of {} s", Shown(*advised))
            }
            Self::Step { advised, .. } => format!("take steps of {} s", Shown(*advised)),
            Self::LongerStep { advised, .. } => format!(
                "this is rounding, as of a force near a singular position, and grows with shorter steps: take longer \
                 steps, {} s, or `judge` the run by the outputs that matter",
                Shown(*advised)
            ),
            Self::Tolerance { advised, .. } => format!("take a tolerance of {advised:e}"),
            Self::Sampling { advised, .. } => format!("take a `step` of {} s, the longest one", Shown(*advised)),
        }
    }
}

/// Writes a fraction in percent, small ones with a digit that is not zero.
fn percent(fraction: f64) -> String {
    let percent = 100.0 * fraction;
    if percent < 1.0 {
        format!("{percent:.1e}").parse().map_or(String::new(), |short: f64| short.to_string())
    } else {
        format!("{percent:.0}")
    }
}

fn because(jump: Option<&InputJump>, kink: Option<&MotionKink>) -> String {
    match (jump, kink) {
        (_, Some(kink)) => format!(", since {kink}"),
        (Some(jump), None) => format!(", since {jump}"),
        (None, None) => String::new(),
    }
}

fn unit_of(unit: &str) -> String {
    if unit == "1" { String::new() } else { format!(" {unit}") }
}
