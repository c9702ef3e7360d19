//! Errors of options that do not fit the model, its records or each other.

use crate::run::Divergence;
use std::path::PathBuf;

use costate::campaign::amount::AmountError;
use costate::vibration::VibrationError;

use crate::error::command_errors;

/// The reason why options are refused.
#[derive(Debug, thiserror::Error)]
pub enum OptionError {
    /// An interpolation or a smoothing of a signal that is no channel of a record.
    #[error("the input `{input}` is no channel of a record, and has no samples to {purpose}; leave `{option}` out")]
    NotSampled { input: String, purpose: &'static str, option: &'static str },
    /// A file that another option has to give the content of.
    #[error("`{}` needs {option}", path.display())]
    Needs { path: PathBuf, option: &'static str },
    /// An equilibrium that does not exist, while there is one with the other sign of a stiffness.
    #[error("{error}; {question}")]
    WrongSign { error: Box<VibrationError>, question: String },
    /// An equilibrium that does not exist, of a model with negative masses, stiffnesses or dampings.
    #[error("{error}; these parameters are negative: {parameters}")]
    Negative { error: Box<VibrationError>, parameters: String },
    /// An equilibrium that does not exist at the start, where inputs change with the time.
    #[error("{error}; an equilibrium takes these inputs as they are at t = 0, whatever follows: {inputs}")]
    AtStart { error: Box<VibrationError>, inputs: String },
    /// A parameter without a value.
    #[error(
        "the parameter `{0}` has no default; give it a value with `--parameter {0}=VALUE`, or a default in the model"
    )]
    NoDefault(String),
    /// A list of names in which one is repeated.
    #[error("`{name}` is named twice in `{option}`; name it once")]
    Repeated { option: &'static str, name: String },
    /// No step that is looked for is accurate enough; the text says how far it came.
    #[error(
        "no step with small errors was found: {0}; or give the step by `--step`, or `--tolerance 1e-5` for adaptive \
             steps"
    )]
    NoStep(String),
    /// Motions that leave each other exponentially.
    #[error("no step with small errors was found: {0}")]
    Divergence(Divergence),
    /// A model without what a command is about.
    #[error("the model `{model}` has no {what}, and so there is nothing to {purpose}")]
    Nothing { model: String, what: &'static str, purpose: &'static str },
    /// A file whose ending is no format of the command.
    #[error("`{}` has an ending that is no format here; write one of `{}`", path.display(), endings.join("`, `"))]
    Ending { path: PathBuf, endings: Vec<&'static str> },
}

/// A run whose length is not given.
#[derive(Debug, thiserror::Error)]
#[error("the end of the run is not given; write `--until SECONDS`")]
pub struct NoEnd;

command_errors!(Wrong: OptionError, AmountError);
command_errors!(Arguments: NoEnd);
