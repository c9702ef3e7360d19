//! Errors of commands.

use std::error::Error;
use std::ops::Range;
use std::path::{Path, PathBuf};

use costate::command::shown::plain;
use costate::command::units::UnitFault;
use costate::ensemble::EnsembleError;
use costate::identify::{FitFileError, IdentificationError};
use costate::measure::RecordError;
use costate::model::UnknownName;
use costate::simulate::Interrupted;
use costate::simulate::SimulationError;
use costate_compiler::{DefaultsError, FileError, ModelFile};
use serde_json::Value;

use crate::answer;
use crate::diagnostics::{self, Kind};
use crate::exit::Exit;
use crate::fit::{CampaignError, Place, causes};
use crate::recorded_error::RecordedError;
use crate::values::ValuesError;
use crate::words;

/// The reason why a command has failed.
#[derive(Debug, thiserror::Error)]
pub enum CommandError {
    /// An error in a file of models, or in the selection of a model in it.
    #[error(transparent)]
    File(#[from] FileError),
    /// Values that cannot be the defaults of a model.
    #[error(transparent)]
    Defaults(DefaultsError),
    /// An interpolation of a signal that is no channel of a record.
    #[error(
        "the input `{0}` is no channel of a record, and has no samples to interpolate between; leave \
             `--interpolation` out"
    )]
    NotSampled(String),
    /// A file that another option has to give the content of.
    #[error("`{}` needs {option}", path.display())]
    Needs {
        /// The file.
        path: PathBuf,
        /// The option.
        option: &'static str,
    },
    /// An equilibrium, mode or response that does not exist.
    #[error(transparent)]
    Vibration(#[from] costate::vibration::VibrationError),
    /// An equilibrium that does not exist, of a model with negative masses, stiffnesses or dampings.
    #[error("{error}; these parameters are negative: {parameters}")]
    Negative {
        /// The error.
        error: Box<costate::vibration::VibrationError>,
        /// The parameters with their values.
        parameters: String,
    },
    /// An error in a file of values.
    #[error(transparent)]
    Values(#[from] ValuesError),
    /// Logs that cannot be joined.
    #[error(transparent)]
    Logs(#[from] EnsembleError),
    /// Joined logs that are no JSON.
    #[error("cannot write the joined logs")]
    Collection(#[source] serde_json::Error),
    /// `--check` found another text in the file, or none.
    #[error("`{}` is out of date; run the command without `--check` to write it again", .0.display())]
    OutOfDate(PathBuf),
    /// The folder of a new crate exists already.
    #[error("`{}` exists already; choose another name, nothing is overwritten", .0.display())]
    Exists(PathBuf),
    /// A name that a crate cannot have.
    #[error(
        "`{0}` is not a valid crate name; begin with a letter, continue with letters, digits, `-` and `_`, and avoid \
             Rust keywords"
    )]
    CrateName(String),
    /// A name that something else has already.
    #[error("`{name}` cannot be the name of the new crate, since {}; choose another one, such as `{name}-model`", .why)]
    ReservedCrateName {
        /// The name.
        name: String,
        /// The reason.
        why: &'static str,
    },
    /// The folder given by `--path` does not contain costate.
    #[error("`{}` does not contain costate; give the folder of its workspace, or of the crate `costate` \
         itself", .0.display())]
    NoCostate(PathBuf),
    /// No `--path`, and the source that the command was built from has gone.
    #[error(
        "the sources of costate from which this command was built are no longer in `{}`; give the folder of its \
             workspace with `--path FOLDER`",
        .0.display()
    )]
    NoSource(PathBuf),
    /// A file that would be replaced and that the command has read.
    #[error("`{}` is read by this command, which does not replace it; choose another file to write", .0.display())]
    IsInput(PathBuf),
    /// Two files to write that are one.
    #[error("`{}` and `{}` are one file, of which one result would be lost; choose another name for one of \
         them", first.display(), second.display())]
    SameOutput {
        /// The first name.
        first: PathBuf,
        /// The second name.
        second: PathBuf,
    },
    /// An error in a recorded run that is to be animated.
    #[error(transparent)]
    Recorded(#[from] RecordedError),
    /// An error in writing a picture of a mechanism.
    #[error(transparent)]
    Animation(#[from] costate::animate::AnimationError),
    /// An error in drawing a diagram.
    #[error(transparent)]
    Plot(#[from] costate::plot::PlotError),
    /// A parameter without a value.
    #[error(
        "the parameter `{0}` has no default; give it a value with `--parameter {0}=VALUE`, or a default in the model"
    )]
    NoDefault(String),
    /// A parameter, input or output that the model does not have.
    #[error(transparent)]
    UnknownName(#[from] UnknownName),
    /// A unit that does not fit the quantity.
    #[error("`{name}` is given as `{amount}`: {fault}")]
    Unit {
        /// The quantity.
        name: String,
        /// The number with its unit.
        amount: String,
        /// The reason.
        fault: UnitFault,
    },
    /// Mistakes in an expression.
    #[error("the expression `{text}` of {of} is wrong")]
    Formula {
        /// The purpose of the expression, in words.
        of: String,
        /// The expression.
        text: String,
        /// The mistakes, each with its bytes in the text.
        faults: Vec<(Range<usize>, String)>,
    },
    /// A run whose length is not given.
    #[error("the end of the run is not given; write `--until SECONDS`")]
    NoEnd,
    /// A list of names in which one is repeated.
    #[error("`{name}` is named twice in `{option}`; name it once")]
    Repeated {
        /// The option.
        option: &'static str,
        /// The name.
        name: String,
    },
    /// A file whose extension is of no format that records are written in.
    #[error("the extension of `{}` says no format that records are written in; end it with `.csv`, `.uff`, `.unv` or \
         `.parquet`", .0.display())]
    Extension(PathBuf),
    /// A file that has functions of frequency alone, where signals over time are wanted.
    #[error("`{}` has no signals over time, but {functions}; `costate records` lists them, and a campaign of `costate \
         fit` reads frequency responses as `responses` of an experiment", file.display())]
    FunctionsAlone {
        /// The file.
        file: PathBuf,
        /// The functions and their numbers.
        functions: String,
    },
    /// A file whose extension is of no format that spectra are written in.
    #[error("the extension of `{}` says no format that this is written in; end it with `.svg` or `.csv`, or for \
         frequency responses with `.uff` or `.unv`", .0.display())]
    SpectraExtension(PathBuf),
    /// A signal without the wanted spectrum.
    #[error(transparent)]
    Signal(#[from] costate::signal::SignalError),
    /// A frequency response that cannot be written.
    #[error(transparent)]
    Response(#[from] costate::measure::ResponseError),
    /// An error in a record.
    #[error(transparent)]
    Record(#[from] RecordError),
    /// A record that cannot be compared with outputs.
    #[error(transparent)]
    Measurement(#[from] costate::cost::MeasurementError),
    /// A record without any channel that is an output.
    #[error(
        "`{}` has no channel with the name of an output; name the columns as the outputs (`{}`), or choose them with \
         `--measured OUTPUT=CHANNEL`",
        path.display(), outputs.join("`, `")
    )]
    NothingMeasured {
        /// The file.
        path: PathBuf,
        /// The outputs of the model.
        outputs: Vec<String>,
    },
    /// A model that cannot be run with these settings, or a run that has failed.
    #[error(transparent)]
    Simulation(#[from] SimulationError),
    /// No step that is looked for is accurate enough; the text says how far it came.
    #[error(
        "no step with small errors was found: {0}; or give the step by `--step`, or `--tolerance 1e-5` for adaptive \
             steps"
    )]
    NoStep(String),
    /// A model without what a command is about.
    #[error("the model `{model}` has no {what}, and so there is nothing to {purpose}")]
    Nothing {
        /// The model's name.
        model: String,
        /// The missing part of the model.
        what: &'static str,
        /// The purpose of the missing part.
        purpose: &'static str,
    },
    /// A file whose ending is no format of the command.
    #[error("`{}` has an ending that is no format here; write one of `{}`", path.display(), endings.join("`, `"))]
    Ending {
        /// The file.
        path: PathBuf,
        /// The endings of the command.
        endings: Vec<&'static str>,
    },
    /// A port that cannot be used.
    #[error("cannot serve a page at the port {port} of 127.0.0.1; choose another `--port`, or none for a free one")]
    Port {
        /// The port.
        port: u16,
        /// The reason.
        source: std::io::Error,
    },
    /// An error in a campaign file, or in the options that say what is fitted.
    #[error(transparent)]
    Campaign(#[from] CampaignError),
    /// An identification that has no result.
    #[error(transparent)]
    Identification(#[from] IdentificationError),
    /// A fit that cannot be written.
    #[error(transparent)]
    Fit(#[from] FitFileError),
    /// Results that are no JSON.
    #[error("the results cannot be written as JSON")]
    Json(#[source] serde_json::Error),
    /// A fit of a model without a record.
    #[error(
        "a fit needs a record; give one with `--record FILE.csv`, or describe the fit in a campaign file, which \
         `costate fit --template {}` writes", .0.display()
    )]
    NoRecord(PathBuf),
    /// A fit without unknowns.
    #[error("nothing is to be found; name the unknown parameters with `--unknown NAME,..`")]
    NoUnknowns,
    /// Growing parts beside a multistart.
    #[error("a multistart has no growing parts; leave out `growing`, or `[multistart]`")]
    GrowingStarts,
    /// An option that belongs to a model beside a campaign.
    #[error("`{option}` cannot stand beside the campaign `{}`; write it into the campaign, whose fields `costate fit \
         --template MODEL` shows", file.display())]
    InCampaign {
        /// The option.
        option: &'static str,
        /// The campaign.
        file: PathBuf,
    },
    /// A file of profiles whose ending is no format.
    #[error("`{}` has an ending that is no format here; write `.html` or `.svg`", .0.display())]
    NoPicture(PathBuf),
    /// A record whose samples are not equidistant, without a step.
    #[error("the samples of the record are not equidistant; give the step of the filter with `--step SECONDS`")]
    NoInterval,
    /// A measured output without the size of its errors.
    #[error(
        "the errors of `{name}` are not known; give their standard deviation in {unit}, a number above 0, with \
             `--noise {name}=VALUE`"
    )]
    NoNoise {
        /// The output.
        name: String,
        /// The unit of the parameter.
        unit: String,
    },
    /// A followed parameter without an uncertainty at the start.
    #[error(
        "the uncertainty of `{name}` at the start is not known; give its standard deviation in {unit}, a number above \
             0, with \
         `--deviation {name}=VALUE`"
    )]
    NoDeviation {
        /// The parameter.
        name: String,
        /// The unit of the parameter.
        unit: String,
    },
    /// A number of a parameter that is not followed.
    #[error("`{0}` is not followed; add it to `--follow`, or remove its `--deviation` and `--drift`")]
    NotFollowed(String),
    /// A model that the interpreter cannot execute.
    #[error(transparent)]
    Load(#[from] costate::interpreted::LoadError),
    /// A file of a filter whose ending is no format.
    #[error("`{}` has an ending that is no format here; write `.csv`, `.html` or `.svg`", .0.display())]
    NoFilterFormat(PathBuf),
    /// A filter that cannot begin.
    #[error(transparent)]
    Filter(#[from] costate::filter::FilterError),
    /// A template of what is a campaign already.
    #[error("`{}` is a campaign; give the file of a model to `--template`", .0.display())]
    TemplateOfCampaign(PathBuf),
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
    /// Returns the exit code.
    pub fn exit(&self) -> Exit {
        match self {
            Self::Simulation(SimulationError::Interrupted(_)) => Exit::Interrupted,
            Self::Identification(IdentificationError::Interrupted(_)) => Exit::Interrupted,
            Self::NoRecord(_)
            | Self::NoUnknowns
            | Self::GrowingStarts
            | Self::InCampaign { .. }
            | Self::TemplateOfCampaign(_)
            | Self::NoPicture(_)
            | Self::NoInterval
            | Self::NoNoise { .. }
            | Self::NoDeviation { .. }
            | Self::NotFollowed(_)
            | Self::NoFilterFormat(_)
            | Self::IsInput(_)
            | Self::SameOutput { .. } => Exit::Arguments,
            Self::NoEnd => Exit::Arguments,
            _ if self.interruption().is_some() => Exit::Interrupted,
            _ => Exit::Wrong,
        }
    }

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
            Self::Formula { of, text, faults } => {
                for (range, message) in faults {
                    diagnostics::print_at(Path::new(of), text, Kind::Error, range.clone(), message);
                }
            }
            Self::Campaign(CampaignError { place: place @ Place::File { file, range }, fault }) => {
                let field = place.field();
                let message = words::of_campaign(&causes(fault.as_ref()));
                let message = if field.is_empty() { message } else { format!("`{field}`: {message}") };
                diagnostics::print_at(&file.path, &file.text, Kind::Error, range.clone(), &message);
            }
            _ => self.print_with_causes(),
        }
    }

    /// Returns the object that `--json` prints.
    pub fn json(&self) -> Value {
        let at = |text: &str, range: &Range<usize>, message: &str| {
            diagnostics::json(text, Kind::Error, range.clone(), message)
        };
        let diagnostics = match self {
            Self::File(FileError::Model { path, errors }) => match ModelFile::read(path) {
                Ok(file) => diagnostics::all_json(&file, Kind::Error, errors),
                Err(_) => Vec::new(),
            },
            Self::Defaults(DefaultsError::Refused { file, errors }) => diagnostics::all_json(file, Kind::Error, errors),
            Self::File(FileError::NotRust { text, range, message, .. }) => vec![at(text, range, message)],
            Self::Formula { text, faults, .. } => {
                faults.iter().map(|(range, message)| at(text, range, message)).collect()
            }
            Self::Campaign(CampaignError { place: Place::File { file, range }, fault }) => {
                vec![at(&file.text, range, &words::of_campaign(&causes(fault.as_ref())))]
            }
            _ => Vec::new(),
        };
        answer::of_error(&self.text(), diagnostics)
    }

    /// Returns the text with those of its causes; of interrupted work, that of the interruption alone.
    pub fn text(&self) -> String {
        let error: &dyn Error = match self.interruption() {
            Some(interrupted) => interrupted,
            None => self,
        };
        plain(&with_causes(error)).into_owned()
    }

    /// Finds the interruption among the causes, which is no fault of what was being done.
    fn interruption(&self) -> Option<&Interrupted> {
        let mut causes = std::iter::successors(self.source(), |&cause| cause.source());
        causes.find_map(|cause| match cause.downcast_ref::<SimulationError>() {
            Some(SimulationError::Interrupted(interrupted)) => Some(interrupted),
            _ => cause.downcast_ref::<Interrupted>(),
        })
    }

    fn print_with_causes(&self) {
        eprintln!("error: {}", self.text());
    }
}

/// Returns the text of an error with those of its causes, in the words of the command.
fn with_causes(error: &dyn Error) -> String {
    words::of_command(&causes(error))
}
