//! Errors of harmonic balance.

use std::fmt;

use costate_contract::machine::OutOfMemory;
use costate_contract::shown::{Exact, Shown};
use costate_numerics::scalar::out_of_range::OutOfRange;
use costate_system::model::OtherModel;
use costate_system::problem::SimulationError;

/// A periodic motion that was found, by its excitation.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Reached {
    /// Frequency in Hz.
    pub frequency: f64,
    /// Amplitude of the excitation, in its unit.
    pub amplitude: f64,
}

impl fmt::Display for Reached {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} Hz and amplitude {}", Shown(self.frequency), Shown(self.amplitude))
    }
}

/// The reason why a path of periodic motions was not followed any further.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum PathEnd {
    /// All wanted frequencies or amplitudes were passed.
    Passed,
    /// The path came back to an amplitude of 0.
    Zero,
    /// The path came back to its first motion.
    Loop,
    /// The path left the neighbourhood of the wanted frequencies.
    Far,
    /// The path went back for so many steps that it was given up.
    Long,
    /// No motion was found after the last one.
    Stuck,
}

impl fmt::Display for PathEnd {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Passed => "passed the other frequencies and amplitudes without it, and was left",
            Self::Zero => "came back to an amplitude of 0",
            Self::Loop => "came back to its start",
            Self::Far => "turned back and left these frequencies",
            Self::Long => "turned back and was given up after many steps without another turn",
            Self::Stuck => "turned back, and no further motion was found",
        })
    }
}

/// The reason why there is no periodic response.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
#[allow(missing_docs, reason = "messages say what the fields are")]
pub enum HarmonicError {
    /// A setting, frequency or amplitude out of its range.
    #[error(transparent)]
    Setting(#[from] OutOfRange),
    /// An empty list.
    #[error("no {what} is given: give at least one")]
    Empty { what: &'static str },
    /// A number that a list has twice.
    #[error("the {what} {value} is given twice: give each once", value = Exact(*value))]
    Repeated { what: &'static str, value: f64 },
    /// Frequencies of a prediction that do not increase.
    #[error(
        "the frequency {value} Hz follows {before} Hz: give the frequencies of a prediction in increasing order",
        value = Exact(*value), before = Exact(*before)
    )]
    Order { value: f64, before: f64 },
    /// A ratio that a prediction has already.
    #[error("the prediction has `{name}` already: add each ratio once")]
    RepeatedRatio { name: String },
    /// No motion that a measurement would reach.
    #[error(
        "no motion at {at} is stable, so that a measurement does not show one: start from other parameters, or take \
         the first motion of each path by `.stability(false)`"
    )]
    NotStable { at: Reached },
    /// No excitation.
    #[error(
        "nothing drives `{model}`: name an input by `.input(..)`, or an output and the input that moves it by \
         `.controlled(..)`"
    )]
    NoDrive { model: &'static str },
    /// An input on which no force depends.
    #[error("the input `{input}` moves nothing: no force depends on it; drive another input")]
    NoEffect { input: &'static str },
    /// A controlled output that does not depend on the input.
    #[error(
        "the input `{input}` does not move the output `{output}`: control an output that it moves, or use another input"
    )]
    Unreachable { output: &'static str, input: &'static str },
    /// Equations that depend on the time itself.
    #[error(
        "the {function} of `{model}` depend on the time explicitly, so that it has no periodic response to an input: \
         make an input of what changes with the time"
    )]
    ExplicitTime { model: &'static str, function: &'static str },
    /// A name of another model.
    #[error(transparent)]
    OtherModel(#[from] OtherModel),
    /// Settings, inputs or tables of the simulation.
    #[error(transparent)]
    Simulation(#[from] SimulationError),
    /// A function that the equations do not determine.
    #[error(
        "{unknown} is not determined at {at}: nothing holds it in place, or constraints depend on each other; give it \
         a stiffness, a constraint or a mass"
    )]
    Undetermined { unknown: String, at: Reached },
    /// Equations that are infinite or not a number.
    #[error(
        "the equations are infinite or not a number near {at}: check parameters and initial values, or take smaller \
         amplitudes"
    )]
    NotFinite { at: Reached },
    /// No position of rest near the initial values.
    #[error(
        "no mean position was found without excitation (last correction {correction} of the position): begin nearer to \
         it, by the `initial` block of the model",
        correction = Shown(*correction)
    )]
    NoRest {
        /// Last correction, relative to the position.
        correction: f64,
    },
    /// A path that could not be continued.
    #[error(
        "no periodic motion was found after {last} (last correction {correction} of the motion): take more harmonics \
         or samples, a smaller amplitude or more damping; a smooth law in place of one that jumps helps as well",
        correction = Shown(*correction)
    )]
    NoConvergence {
        last: Reached,
        /// Last correction, relative to the motion.
        correction: f64,
    },
    /// No motion of the wanted excitation on the path from rest.
    #[error(
        "the path of periodic motions from rest does not lead to {at}: it {end} at {last}; a motion that does not hang \
         together with rest is not found, one with more harmonics or more damping may be"
    )]
    NotReached { at: Reached, last: Reached, end: PathEnd },
    /// Too few harmonics.
    #[error(
        "{harmonics} harmonics leave an error of {error} at {at}, `error_limit` is {limit}: take more `harmonics`, or \
         raise `error_limit`",
        error = Shown(*error), limit = Shown(*limit)
    )]
    Truncated {
        harmonics: usize,
        at: Reached,
        /// Estimated error, relative to the largest harmonic of an output.
        error: f64,
        limit: f64,
    },
    /// A ratio that is no stiffness.
    #[error(
        "`{numerator}` over `{denominator}` is in {unit}, which is no stiffness: divide a force by a displacement, or \
         use `ratio`"
    )]
    NotStiffness { numerator: &'static str, denominator: &'static str, unit: String },
    /// A ratio to a signal that does not move.
    #[error("`{denominator}` does not move with the frequency of the excitation at {at}: divide by another signal")]
    NoMotion { denominator: &'static str, at: Reached },
    /// A harmonic or parameter that the response does not have.
    #[error("the response has no {what}: {remedy}")]
    Missing { what: String, remedy: &'static str },
    /// A balance that is too large for the machine.
    #[error(transparent)]
    Memory(#[from] OutOfMemory),
    /// The flag of the simulation was set.
    #[error("the response was interrupted; nothing of it is kept")]
    Interrupted,
}
