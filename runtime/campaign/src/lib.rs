//! Campaigns: everything of an identification that is data and not code, from a file or from the options of a call.
//!
//! [`read`] takes a file, [`Campaign::model_file`] and [`Loaded`] the model that it names, [`build::identification`]
//! makes the identification of both. The structs are the sections of the file, and serde reads them; `campaign.toml`
//! says what their fields mean.

#![allow(missing_docs, reason = "fields are those of the file, which `campaign.toml` describes")]

pub mod amount;
pub mod bounds;
pub mod build;
mod completed;
pub mod course;
pub mod error;
pub mod examples;
pub mod files;
mod inertias;
mod loaded;
pub mod place;
pub mod predictions;
pub mod reading;
mod refused;
pub mod remedies;
pub mod reworded;
mod seen;
mod settings;
mod signals;
pub mod smoothing;
mod tables;
pub mod values;
pub mod words;

use std::path::Path;

use costate_compiler::{ArgumentValue, FileError, ModelFile};
use serde::{Deserialize, Deserializer};
use toml::de::DeTable;

use self::bounds::Bounds;
use self::error::Fault;
use self::files::FilePath;
use self::place::{Located, Place, Text};
use self::values::{Plain, Scalar, instead, list, named, sections, word};
use crate::amount::Amount;
use crate::reading::RecordOptions;
use crate::words::{Word, Words};

pub use error::CampaignError;
pub use inertias::InertiaEntry;
pub use loaded::Loaded;
pub use predictions::{ModesEntry, ResponseEntry, StiffnessEntry};
pub use seen::{Observe, Seen};
pub use settings::{
    Multistart, OptimizerEntry, OutputFiles, PredictionErrorEntry, ProfileEntry, ResamplingEntry, ResidualSettings,
    RunSettings,
};
pub use signals::{
    ChannelEntry, CorrectionEntry, InputEntry, KnotCourse, Limit, MeasuredEntry, NoiseEntry, Signal, SpectrumEntry,
    UnknownInputEntry,
};
pub use tables::{Bend, TableEntry, UnknownTableEntry};
pub use values::Named;

/// Values of parameters.
pub type Values = Vec<Named<Located<Amount>>>;

sections!(Campaign, ModelChoice, ExperimentEntry, UnknownEntry, Prior);

/// An identification as data, without the model.
#[derive(Debug, Deserialize)]
#[serde(remote = "Self", deny_unknown_fields)]
pub struct Campaign {
    pub model: Located<ModelChoice>,
    #[serde(default, deserialize_with = "named")]
    pub parameters: Values,
    #[serde(default)]
    pub run: RunSettings,
    #[serde(default)]
    pub reading: RecordOptions,
    #[serde(default, deserialize_with = "named")]
    pub inputs: Vec<Named<InputEntry>>,
    #[serde(default, deserialize_with = "named")]
    pub measured: Vec<Named<MeasuredEntry>>,
    #[serde(default, rename = "experiment")]
    pub experiments: Vec<Located<ExperimentEntry>>,
    #[serde(default, deserialize_with = "named")]
    pub unknowns: Vec<Named<UnknownEntry>>,
    #[serde(default, rename = "inertia")]
    pub inertias: Vec<Located<InertiaEntry>>,
    #[serde(default, deserialize_with = "named")]
    pub tables: Vec<Named<TableEntry>>,
    #[serde(default)]
    pub residuals: ResidualSettings,
    #[serde(default)]
    pub optimizer: OptimizerEntry,
    pub multistart: Option<Multistart>,
    pub prediction_error: Option<PredictionErrorEntry>,
    #[serde(default)]
    pub profiles: ProfileEntry,
    #[serde(default)]
    pub resampling: ResamplingEntry,
    #[serde(default)]
    pub output: OutputFiles,
    #[serde(skip)]
    pub unwrap: Vec<String>,
}

impl Campaign {
    /// Reads the file of the model, which may read tables and meshes of its own folder and of those that are allowed.
    ///
    /// # Errors
    /// [`FileError`].
    pub fn model_file(&self) -> Result<ModelFile, FileError> {
        let folders = self.model.allow_files.iter().map(|folder| folder.0.clone());
        Ok(ModelFile::read(&*self.model.file)?.with_files_only_in(folders))
    }
}

/// The model of a campaign.
#[derive(Debug, Deserialize)]
#[serde(remote = "Self", deny_unknown_fields)]
pub struct ModelChoice {
    pub file: FilePath,
    pub name: Option<String>,
    #[serde(default, deserialize_with = "arguments")]
    pub arguments: Vec<(String, ArgumentValue)>,
    #[serde(default, deserialize_with = "list")]
    pub allow_files: Vec<FilePath>,
}

fn arguments<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<(String, ArgumentValue)>, D::Error> {
    let all: Vec<Named<Argument>> = named(deserializer)?;
    Ok(all.into_iter().map(|argument| (argument.name.value, argument.value.0)).collect())
}

struct Argument(ArgumentValue);

impl<'de> Deserialize<'de> for Argument {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        const WANTED: &str = "the value of a structural argument, a size such as `6`, `true` or `false`";
        match Scalar::read(deserializer, WANTED)? {
            Scalar::Integer(size) if size >= 0 => {
                let size = i64::try_from(size).map_err(|_| instead(WANTED))?;
                Ok(Self(ArgumentValue::Size(size)))
            }
            Scalar::Boolean(is_on) => Ok(Self(ArgumentValue::Feature(is_on))),
            _ => Err(instead(WANTED)),
        }
    }
}

/// One run of the test bench.
#[derive(Debug, Default, Deserialize)]
#[serde(remote = "Self", default, deny_unknown_fields)]
pub struct ExperimentEntry {
    pub record: Option<Located<FilePath>>,
    pub reading: Option<RecordOptions>,
    pub name: Option<Located<String>>,
    pub group: Option<String>,
    pub validation: bool,
    #[serde(deserialize_with = "named")]
    pub parameters: Values,
    pub run: RunSettings,
    #[serde(deserialize_with = "named")]
    pub inputs: Vec<Named<InputEntry>>,
    #[serde(deserialize_with = "named")]
    pub measured: Vec<Named<MeasuredEntry>>,
    pub spectra: Vec<Located<SpectrumEntry>>,
    pub modes: Vec<Located<ModesEntry>>,
    pub responses: Vec<Located<ResponseEntry>>,
    pub stiffness: Vec<Located<StiffnessEntry>>,
}

impl ExperimentEntry {
    /// Returns true if nothing is compared without a run.
    pub fn predicts_nothing(&self) -> bool {
        self.modes.is_empty() && self.responses.is_empty() && self.stiffness.is_empty()
    }

    /// Returns the first file of numbers that are compared without a run.
    pub fn file_of_predictions(&self) -> Option<&Located<FilePath>> {
        let of_modes = self.modes.iter().filter_map(|modes| modes.file.as_ref());
        let of_responses = self.responses.iter().map(|response| &response.file);
        of_modes.chain(of_responses).chain(self.stiffness.iter().flat_map(|one| &one.files)).next()
    }
}

/// The owner of a value of its own of an unknown.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Owner {
    /// All experiments have one in common.
    #[default]
    All,
    /// Every group of experiments.
    Group,
    /// Every experiment.
    Experiment,
}

impl Words for Owner {
    const WORDS: &'static [(&'static str, Self)] =
        &[("all", Self::All), ("group", Self::Group), ("experiment", Self::Experiment)];
}

/// A parameter to be found.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(remote = "Self", default, deny_unknown_fields)]
pub struct UnknownEntry {
    #[serde(rename = "of")]
    pub owner: Word<Owner>,
    pub start: Option<Located<Amount>>,
    pub bounds: Option<Bounds>,
    pub scaling: Option<ScalingEntry>,
    pub prior: Option<PriorEntry>,
}

/// The scale of the search.
#[derive(Debug, Clone)]
pub enum ScalingEntry {
    /// The logarithm varies.
    Logarithmic,
    /// The value varies; a typical change.
    Linear(Located<Amount>),
}

impl<'de> Deserialize<'de> for ScalingEntry {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        const WANTED: &str = "`\"logarithmic\"`, or `{ linear = 10.0 }` with a typical change";
        match word(deserializer, &["logarithmic", "linear"], WANTED)? {
            ("logarithmic", None) => Ok(Self::Logarithmic),
            ("linear", Some(typical)) => Ok(Self::Linear(typical)),
            _ => Err(instead(WANTED)),
        }
    }
}

/// Prior knowledge of a parameter.
#[derive(Debug, Clone, Deserialize)]
#[serde(try_from = "Prior")]
pub enum PriorEntry {
    /// Mean and deviation.
    Normal(Located<Amount>, Located<Amount>),
    /// Median, and deviation of the logarithm.
    LogNormal(Located<Amount>, f64),
}

#[derive(Deserialize)]
#[serde(remote = "Self", deny_unknown_fields)]
struct Prior {
    mean: Option<Located<Amount>>,
    deviation: Option<Located<Amount>>,
    median: Option<Located<Amount>>,
    log_deviation: Option<Plain>,
}

impl TryFrom<Prior> for PriorEntry {
    type Error = &'static str;

    fn try_from(prior: Prior) -> Result<Self, Self::Error> {
        match (prior.mean, prior.deviation, prior.median, prior.log_deviation) {
            (Some(mean), Some(deviation), None, None) => Ok(Self::Normal(mean, deviation)),
            (None, None, Some(median), Some(Plain(deviation))) => Ok(Self::LogNormal(median, deviation)),
            _ => Err(
                "invalid value, expected `{ mean = 1.0, deviation = 0.1 }` or `{ median = 1.0, log_deviation = 0.1 }`",
            ),
        }
    }
}

/// Reads a file; its paths begin at its folder, and lead to files of that folder or of those that are allowed as well.
///
/// # Errors
/// [`CampaignError`] for a thing that is wrong.
pub fn read(path: &Path, allowed: &[std::path::PathBuf]) -> Result<Campaign, CampaignError> {
    let text = costate_contract::files::read_text(path)
        .map_err(|error| CampaignError::new(&Place::Option(path.display().to_string()), Fault::Unreadable(error)))?;
    parse(&Text::new(path, &text, allowed))
}

/// Reads the text of a file.
///
/// # Errors
/// As [`read`].
pub fn parse(file: &Text) -> Result<Campaign, CampaignError> {
    let document = DeTable::parse(&file.text).map_err(|error| refused::syntax(file, &error))?;
    refused::check_numbers(file, document.get_ref())?;
    let read = || Campaign::deserialize(toml::Deserializer::from(document));
    let campaign = file.reading(read).map_err(|error| refused::value(file, &error))?;
    let missing = |place: &Place, field: &str, example: &str| {
        let fault = Fault::Missing { field: field.to_owned(), example: example.to_owned() };
        CampaignError::new(place, fault)
    };
    if campaign.experiments.is_empty() {
        let whole = Place::File { file: file.clone(), range: 0..0 };
        return Err(missing(&whole, "[[experiment]]", "{ record = \"bench.csv\" }"));
    }
    for experiment in &campaign.experiments {
        if experiment.record.is_none() && experiment.predicts_nothing() {
            return Err(missing(&experiment.place, "record", "\"bench.csv\""));
        }
        for spectrum in &experiment.spectra {
            if spectrum.frequencies.is_empty() && spectrum.band.is_none() {
                return Err(missing(&spectrum.place, "frequencies", "[10.0, 20.0]"));
            }
        }
        for modes in &experiment.modes {
            modes.check(&modes.place)?;
        }
        for response in &experiment.responses {
            response.check()?;
        }
        for stiffness in &experiment.stiffness {
            stiffness.check()?;
        }
    }
    Ok(campaign)
}
