//! Errors of commands.

use std::error::Error;
use std::path::PathBuf;

use costate_compiler::{DefaultsError, FileError, ModelFile};
use costate_contract::shown::plain;
use costate_ensemble::EnsembleError;

use crate::diagnostics::{self, Kind};
use crate::recorded_error::RecordedError;
use crate::values::ValuesError;

/// The reason why a command has failed.
#[derive(Debug, thiserror::Error)]
pub enum CommandError {
    /// An error in a file of models, or in the selection of a model in it.
    #[error(transparent)]
    File(#[from] FileError),
    /// Values that cannot be the defaults of a model.
    #[error(transparent)]
    Defaults(DefaultsError),
    /// An error in a file of values.
    #[error(transparent)]
    Values(#[from] ValuesError),
    /// Logs that cannot be joined.
    #[error(transparent)]
    Logs(#[from] EnsembleError),
    /// Joined logs that are no JSON.
    #[error("cannot write the joined logs")]
    Collection(#[source] serde_json::Error),
    /// The models have errors, which have been printed.
    #[error("`{}` has errors", .0.display())]
    Check(PathBuf),
    /// `--check` found another text in the file, or none.
    #[error("`{}` is out of date; run the command without `--check` to write it again", .0.display())]
    OutOfDate(PathBuf),
    /// The folder of a new crate exists already.
    #[error("`{}` exists already; choose another name, nothing is overwritten", .0.display())]
    Exists(PathBuf),
    /// A name that a crate cannot have.
    #[error(
        "`{0}` is not a valid crate name; begin with a letter, continue with letters, digits, `-` and `_`, and avoid Rust keywords"
    )]
    CrateName(String),
    /// The folder given by `--path` does not contain costate.
    #[error("`{}` does not contain costate; give the folder of its workspace, or of the crate `costate` itself", .0.display())]
    NoCostate(PathBuf),
    /// No `--path`, and the source that the command was built from has gone.
    #[error(
        "the sources of costate from which this command was built are no longer in `{}`; give the folder of its workspace with `--path FOLDER`",
        .0.display()
    )]
    NoSource(PathBuf),
    /// An error in a recorded run that is to be animated.
    #[error(transparent)]
    Recorded(#[from] RecordedError),
    /// An error in writing a picture.
    #[error(transparent)]
    Animation(#[from] costate_view::AnimationError),
    /// A parameter without a default.
    #[error(
        "the parameter `{0}` has no default; give it one in the model, or show a recorded run with `--run FILE`"
    )]
    NoDefault(String),
    /// An input that the model does not have.
    #[error("the model has no input `{name}`; it has {}", inputs(known))]
    NoInput {
        /// The name as it was given.
        name: String,
        /// The inputs of the model.
        known: Vec<String>,
    },
    /// The program that runs the model was not built, as there is no cargo.
    #[error(
        "cannot start `cargo`, which builds the simulation of the model; install Rust, or show a recorded run with `--run FILE`"
    )]
    NoCargo(#[source] std::io::Error),
    /// The program that runs the model has failed, and said why.
    #[error(
        "the simulation of the model has failed (see the message above); try another `--step`, `--until` or `--input`"
    )]
    NoRun,
    /// Text that cannot be printed, for example into a file on a full disk.
    #[error("cannot write to the standard output")]
    Print(#[source] std::io::Error),
}

impl From<DefaultsError> for CommandError {
    fn from(error: DefaultsError) -> Self {
        match error {
            DefaultsError::File(error) => Self::File(error),
            error => Self::Defaults(error),
        }
    }
}

impl CommandError {
    /// Prints the error, and errors of a model with their lines.
    pub fn print(&self) {
        match self {
            Self::File(FileError::Model { path, errors }) => match ModelFile::read(path) {
                Ok(file) => diagnostics::print(&file, Kind::Error, errors),
                Err(_) => self.print_with_causes(),
            },
            Self::Defaults(DefaultsError::Refused { file, errors }) => {
                diagnostics::print(file, Kind::Error, errors);
                eprintln!("error: {self}");
            }
            Self::File(FileError::NotRust { path, text, range, message }) => {
                diagnostics::print_at(path, text, Kind::Error, range.clone(), message);
                eprintln!("error: `{}` is not made of Rust tokens", path.display());
            }
            _ => self.print_with_causes(),
        }
    }

    fn print_with_causes(&self) {
        let causes = std::iter::successors(self.source(), |&cause| cause.source());
        let text = format!("error: {self}{}", causes.map(|cause| format!(": {cause}")).collect::<String>());
        eprintln!("{}", plain(&text));
    }
}

/// Lists the names of inputs for a message.
fn inputs(known: &[String]) -> String {
    if known.is_empty() { "none".to_owned() } else { format!("`{}`", known.join("`, `")) }
}
