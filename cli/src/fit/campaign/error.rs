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
    Outside {
        /// The file as it was written.
        file: String,
        /// The folder of the campaign.
        folder: PathBuf,
    },
    /// A file to write that holds something else.
    #[error("`{}` holds something else than {kind}, and a campaign does not replace it; write another name, or move \
         the file away", .file.display())]
    HoldsOther {
        /// The file.
        file: PathBuf,
        /// The kind of file that would be written, in words.
        kind: &'static str,
    },
    /// The text is not TOML.
    #[error("not TOML: {0}")]
    Syntax(String),
    /// A field that the section does not have.
    #[error("there is no field `{field}`{}; {}", in_section(section), did_you_mean(field, known))]
    UnknownField {
        /// The section, empty for the whole file.
        section: String,
        /// The field.
        field: String,
        /// The fields of the section.
        known: Vec<&'static str>,
    },
    /// A name that the model does not have.
    #[error("the model has no {kind} `{name}`; {}", did_you_mean(name, known))]
    UnknownName {
        /// The kind of thing that was named: parameter, input, output or table.
        kind: &'static str,
        /// The name as it was written.
        name: String,
        /// The names that exist.
        known: Vec<&'static str>,
    },
    /// A value of another type.
    #[error("{found} cannot stand here; write {wanted}")]
    Type {
        /// The value as it was written, shortened.
        found: String,
        /// The text to write instead.
        wanted: &'static str,
    },
    /// A word that is none of the words that can stand here.
    #[error("`{found}` cannot stand here; {}", did_you_mean(found, allowed))]
    Choice {
        /// The word.
        found: String,
        /// All words that can.
        allowed: &'static [&'static str],
    },
    /// A field that has to be given.
    #[error("the field `{field}` is missing; add it, e.g. `{field} = {example}`")]
    Missing {
        /// The field.
        field: &'static str,
        /// A value that it could have.
        example: &'static str,
    },
    /// A setting of the run that a spectrum needs.
    #[error("a spectrum needs the {field} of the run; add it to `[run]`, e.g. `{field} = {example}`")]
    MissingOfRun {
        /// The field of the run.
        field: &'static str,
        /// A value that it could have.
        example: &'static str,
    },
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
    Function {
        /// The file.
        file: String,
        /// Number of responses.
        count: usize,
        /// Names of the responses.
        names: Vec<String>,
    },
    /// A unit for a response that has one already.
    #[error("the response in `{file}` is in `{given}`; remove `unit`, or correct the file")]
    TwoResponseUnits {
        /// The file.
        file: String,
        /// The unit in the file.
        given: String,
    },
    /// A list of another length than that of the frequencies.
    #[error(
        "`{field}` has {given} numbers for {needed} modes; write one for each frequency, or one for all deviations"
    )]
    ModeCount {
        /// The field.
        field: &'static str,
        /// Length of the list.
        given: usize,
        /// Number of frequencies.
        needed: usize,
    },
    /// A mode that is named twice, or none.
    #[error("{given} is no number of a mode, or that of an earlier one; write each of 1, 2, .. once")]
    Mode {
        /// The number.
        given: f64,
    },
    /// An input without a value in an experiment without a record.
    #[error(
        "the input `{input}` has no value at which the equilibrium is found, and the experiment has no record; {remedy}"
    )]
    NoConstant {
        /// The input.
        input: String,
        /// The text to write.
        remedy: String,
    },
    /// Something that needs a record, in an experiment without one.
    #[error("`{field}` needs a record; add `record = \"bench.csv\"` to the experiment, or remove `{field}`")]
    NeedsRecord {
        /// The field.
        field: &'static str,
    },
    /// Lines of a spectrum that cannot be compared.
    #[error("these lines cannot be compared")]
    Spectrum(#[source] costate_cost::SpectrumError),
    /// A number outside of its range.
    #[error("{value} is out of range; write {limit}")]
    Range {
        /// The number.
        value: f64,
        /// The text to write instead.
        limit: &'static str,
    },
    /// Bounds in the wrong order.
    #[error("the lower bound {lower} is not below the upper bound {upper}; write the smaller one first")]
    Bounds {
        /// The first number, in the unit of the model.
        lower: f64,
        /// The second one.
        upper: f64,
    },
    /// A unit that the quantity does not have.
    #[error("{value} [{unit}] cannot be a value of `{name}`, which is in `{wanted}`")]
    Unit {
        /// The number.
        value: f64,
        /// The unit as it was written.
        unit: String,
        /// The quantity.
        name: String,
        /// The unit of the model.
        wanted: String,
        /// The reason.
        #[source]
        fault: UnitFault,
    },
    /// Text that is neither a number nor a number with a unit.
    #[error("{message}")]
    Number {
        /// The text, and what to write instead.
        message: String,
    },
    /// Text that is no expression of the time.
    #[error("`{text}` is no signal: {message}")]
    Expression {
        /// The text.
        text: String,
        /// The mistake in the value.
        message: String,
    },
    /// A record that cannot be read or used.
    #[error(transparent)]
    Record(#[from] RecordError),
    /// A unit for a channel that has one already.
    #[error(
        "the channel `{channel}` of `{record}` is in `{given}` by its heading; remove `unit`, or correct the heading"
    )]
    TwoUnits {
        /// The channel.
        channel: String,
        /// The record.
        record: String,
        /// The unit in the heading.
        given: String,
    },
    /// An interpolation of a signal that is no channel of a record.
    #[error(
        "`{input}` is no channel of a record, and has no samples to interpolate between; leave `interpolation` out"
    )]
    NotSampled {
        /// The input.
        input: String,
    },
    /// Samples between which no spline is possible.
    #[error(transparent)]
    Spline(costate_system::input::InputError),
    /// Another number of interpolations than a table has arguments.
    #[error(
        "{given} words for the {arguments} arguments of the table; write one for all of them, or a list with one for \
             each"
    )]
    Interpolations {
        /// Number of words.
        given: usize,
        /// Number of arguments.
        arguments: usize,
    },
    /// A file of table values that cannot be read or used.
    #[error("the table `{table}` cannot be read")]
    Table {
        /// The table.
        table: String,
        /// The reason.
        #[source]
        source: GridError,
    },
    /// A parameter without a value.
    #[error("the parameter `{parameter}` has no default in the model; give it a value: {remedy}")]
    NoDefault {
        /// The parameter.
        parameter: String,
        /// The place where to write the value.
        remedy: String,
    },
    /// An input without a signal.
    #[error(
        "the input `{input}` has no signal, and `{record}` has no channel of its name (channels: {}); {remedy}",
        listed(channels)
    )]
    NoSignal {
        /// The input.
        input: String,
        /// The record of the experiment.
        record: String,
        /// The channels of the record.
        channels: Vec<String>,
        /// The text to write.
        remedy: String,
    },
    /// A record none of whose channels is an output.
    #[error(
        "`{record}` has no channel named like an output of the model (channels: {}; outputs: {}); {remedy}",
        listed(channels),
        listed(outputs)
    )]
    NothingMeasured {
        /// The record.
        record: String,
        /// The channels of the record.
        channels: Vec<String>,
        /// The outputs of the model.
        outputs: Vec<&'static str>,
        /// The text to write.
        remedy: String,
    },
    /// A choice of a channel that is left open.
    #[error(
        "`{record}` has no channel `{output}` (channels: {}); name the one that measured it: {remedy}",
        listed(channels)
    )]
    NoChannel {
        /// The output.
        output: String,
        /// The record.
        record: String,
        /// The channels of the record.
        channels: Vec<String>,
        /// The text to write.
        remedy: String,
    },
    /// Two things that exclude each other.
    #[error("{first} and {second} exclude each other; remove one of them")]
    Contradiction {
        /// The one.
        first: &'static str,
        /// The other.
        second: &'static str,
    },
    /// A name that is given twice.
    #[error("{what} `{name}` is given twice; remove one of them")]
    Twice {
        /// The kind of thing.
        what: &'static str,
        /// The name of the channel.
        name: String,
    },
    /// Noise that no channel can have.
    #[error("this is no noise")]
    Noise(#[source] costate_cost::residuals::NoiseError),
    /// Bounds of a parameter that is not to be found.
    #[error("`{name}` is not among the unknowns ({}); add it to `--unknown`, or remove its bounds", listed(known))]
    NotUnknown {
        /// The parameter.
        name: String,
        /// The unknowns.
        known: Vec<String>,
    },
}

/// Suggests the nearest name, or lists all of them.
pub fn did_you_mean(name: &str, known: &[&'static str]) -> String {
    match nearest(name, known.iter().copied()) {
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
