//! Errors in a campaign: what is wrong, where, and what to write instead.

use std::error::Error;
use std::fmt;
use std::path::PathBuf;

use costate_contract::files::ReadError;
use costate_contract::nearest::nearest;
use costate_contract::tables::GridError;
use costate_contract::units::UnitFault;
use costate_measure::record::RecordError;

use super::place::Place;

/// An error at a place of a campaign file or of the options of a call.
#[derive(Debug)]
pub struct CampaignError {
    /// The place of the mistake.
    pub place: Place,
    /// The mistake.
    pub fault: Box<Fault>,
}

impl CampaignError {
    /// Creates the error of a fault at a place.
    pub fn new(place: &Place, fault: impl Into<Fault>) -> Self {
        Self { place: place.clone(), fault: Box::new(fault.into()) }
    }
}

impl fmt::Display for CampaignError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.place, self.fault)
    }
}

impl Error for CampaignError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        self.fault.source()
    }
}

/// A mistake in a value of a campaign.
#[derive(Debug, thiserror::Error)]
pub enum Fault {
    /// The file cannot be read.
    #[error("the file cannot be read")]
    Unreadable(#[source] ReadError),
    /// A file outside of the folders whose files the campaign may name.
    #[error(
        "`{file}` is outside of `{}`, the folder of the campaign; write a path inside of it, or allow its folder by \
             `--allow-files FOLDER`",
        .folder.display()
    )]
    Outside { file: String, folder: PathBuf },
    /// A file to write that holds something else.
    #[error("`{}` holds something else than {kind}, and a campaign does not replace it; write another name, or move \
         the file away", .file.display())]
    HoldsOther { file: PathBuf, kind: &'static str },
    /// The text is not TOML.
    #[error("not TOML: {0}")]
    Syntax(String),
    /// A field that the section does not have.
    #[error("there is no field `{field}`{}; {}", in_section(section), did_you_mean(field, known))]
    UnknownField { section: String, field: String, known: Vec<String> },
    /// A name that the model does not have.
    #[error("the model has no {kind} `{name}`; {}", did_you_mean(name, known))]
    UnknownName { kind: &'static str, name: String, known: Vec<&'static str> },
    /// An angle to continue that no measured output is compared with.
    #[error("`{name}` is no channel of a measured output; {}", did_you_mean(name, channels))]
    NotMeasured { name: String, channels: Vec<String> },
    /// A value of another type.
    #[error("{found} cannot stand here; write {wanted}")]
    Type { found: String, wanted: String },
    /// A word that cannot stand here.
    #[error("`{found}` cannot stand here; {}", did_you_mean(found, allowed))]
    Choice { found: String, allowed: Vec<String> },
    /// A field that has to be given.
    #[error("the field `{field}` is missing; add it, e.g. `{field} = {example}`")]
    Missing { field: String, example: String },
    /// A setting of the run that a spectrum needs.
    #[error("a spectrum needs the {field} of the run; add it to `[run]`, e.g. `{field} = {example}`")]
    MissingOfRun { field: &'static str, example: &'static str },
    /// Modes or responses that the model does not have.
    #[error("this cannot be predicted")]
    Vibration(#[from] costate_vibration::VibrationError),
    /// Periodic responses that the model does not have.
    #[error("this cannot be predicted")]
    Harmonic(#[from] costate_vibration::harmonic::HarmonicError),
    /// A measured curve that does not fit its prediction.
    #[error("this curve cannot be compared")]
    Curve(#[from] costate_identify::CurveError),
    /// Complex numbers without the wanted form.
    #[error("this has no form")]
    Form(#[from] costate_cost::ComplexFormError),
    /// A measured response that cannot be read.
    #[error("the measured response cannot be read")]
    Response(#[from] costate_measure::record::ResponseError),
    /// A file of several responses.
    #[error("`{file}` has {count} responses; say which one, `function = 1` to `function = {count}`: {}", listed(names))]
    Function { file: String, count: usize, names: Vec<String> },
    /// A unit for a response that has one already.
    #[error("the response in `{file}` is in `{given}`; remove `unit`, or correct the file")]
    TwoResponseUnits { file: String, given: String },
    /// A list of another length than that of the frequencies.
    #[error(
        "`{field}` has {given} numbers for {needed} modes; write one for each frequency, or one for all deviations"
    )]
    ModeCount { field: &'static str, given: usize, needed: usize },
    /// A mode that is named twice, or none.
    #[error("{given} is no number of a mode, or that of an earlier one; write each of 1, 2, .. once")]
    Mode { given: f64 },
    /// Something that needs a record, in an experiment without one.
    #[error("`{field}` needs a record; add `record = \"bench.csv\"` to the experiment, or remove `{field}`")]
    NeedsRecord { field: &'static str },
    /// Lines of a spectrum that cannot be compared.
    #[error("these lines cannot be compared")]
    Spectrum(#[source] costate_cost::SpectrumError),
    /// A number outside of its range.
    #[error("{value} is out of range; write {limit}")]
    Range { value: f64, limit: &'static str },
    /// Bounds in the wrong order.
    #[error("the lower bound {lower} is not below the upper bound {upper}; write the smaller one first")]
    Bounds { lower: f64, upper: f64 },
    /// A unit that the quantity does not have.
    #[error("{value} [{unit}] cannot be a value of `{name}`, which is in `{wanted}`")]
    Unit {
        value: f64,
        unit: String,
        name: String,
        wanted: String,
        #[source]
        fault: UnitFault,
    },
    /// A value that is refused, in words that say what to write instead.
    #[error("{0}")]
    Text(String),
    /// Text that is no expression of the time.
    #[error("`{text}` is no signal: {message}")]
    Expression { text: String, message: String },
    /// A record that cannot be read or used.
    #[error(transparent)]
    Record(#[from] RecordError),
    /// A unit for a channel that has one already.
    #[error(
        "the channel `{channel}` of `{record}` is in `{given}` by its heading; remove `unit`, or correct the heading"
    )]
    TwoUnits { channel: String, record: String, given: String },
    /// An interpolation or a smoothing of a signal that is no channel of a record.
    #[error("`{input}` is no channel of a record, and has no samples to {purpose}; leave `{field}` out")]
    NotSampled { input: String, purpose: &'static str, field: &'static str },
    /// A channel that cannot be smoothed.
    #[error(transparent)]
    Smoothing(#[from] costate_measure::signal::SignalError),
    /// Samples between which no spline is possible.
    #[error(transparent)]
    Spline(costate_system::input::InputError),
    /// Another number of interpolations than a table has arguments.
    #[error(
        "{given} words for the {arguments} arguments of the table; write one for all of them, or a list with one for \
             each"
    )]
    Interpolations { given: usize, arguments: usize },
    /// A file of table values that cannot be read or used.
    #[error("the table `{table}` cannot be read")]
    Table {
        table: String,
        #[source]
        source: GridError,
    },
    /// A parameter without a value.
    #[error("the parameter `{parameter}` has no default in the model; give it a value: {remedy}")]
    NoDefault { parameter: String, remedy: String },
    /// An input without a signal.
    #[error(
        "the input `{input}` has no signal, and `{record}` has no channel of its name (channels: {}); {remedy}",
        listed(channels)
    )]
    NoSignal { input: String, record: String, channels: Vec<String>, remedy: String },
    /// A record none of whose channels is an output.
    #[error(
        "`{record}` has no channel named like an output of the model (channels: {}; outputs: {}); {remedy}",
        listed(channels),
        listed(outputs)
    )]
    NothingMeasured { record: String, channels: Vec<String>, outputs: Vec<&'static str>, remedy: String },
    /// A choice of a channel that is left open.
    #[error(
        "`{record}` has no channel `{output}` (channels: {}); name the one that measured it: {remedy}",
        listed(channels)
    )]
    NoChannel { output: String, record: String, channels: Vec<String>, remedy: String },
    /// Two things that exclude each other.
    #[error("{first} and {second} exclude each other; remove one of them")]
    Contradiction { first: &'static str, second: &'static str },
    /// A name that is given twice.
    #[error("{what} `{name}` is given twice; remove one of them")]
    Twice { what: &'static str, name: String },
    /// Noise that no channel can have.
    #[error("this is no noise")]
    Noise(#[source] costate_cost::residuals::NoiseError),
    /// Bounds of a parameter that is not to be found.
    #[error("`{name}` is not among the unknowns ({}); add it to `--unknown`, or remove its bounds", listed(known))]
    NotUnknown { name: String, known: Vec<String> },
}

impl From<Box<Fault>> for Fault {
    fn from(fault: Box<Fault>) -> Self {
        *fault
    }
}

/// Returns the text of an error with those of its causes.
pub fn with_causes(error: &(dyn Error + 'static)) -> String {
    let causes = std::iter::successors(error.source(), |&cause| cause.source());
    format!("{error}{}", causes.map(|cause| format!(": {cause}")).collect::<String>())
}

/// Suggests the nearest name, or lists all of them.
pub fn did_you_mean(name: &str, known: &[impl AsRef<str>]) -> String {
    match nearest(name, known.iter().map(AsRef::as_ref)) {
        Some(near) => format!("did you mean `{near}`?"),
        None if known.is_empty() => "there are none".to_owned(),
        None => format!("write one of {}", listed(known)),
    }
}

fn in_section(section: &str) -> String {
    if section.is_empty() { String::new() } else { format!(" in `{section}`") }
}

/// Lists names for a message.
fn listed(names: &[impl AsRef<str>]) -> String {
    if names.is_empty() {
        return "none".to_owned();
    }
    names.iter().map(|name| format!("`{}`", name.as_ref())).collect::<Vec<_>>().join(", ")
}
