//! The source of a fit on the command line: a campaign file, or a model with options.

use std::path::{Path, PathBuf};

use clap::parser::ValueSource;
use clap::{ArgMatches, Args, FromArgMatches, Id};
use costate::campaign::bounds::Bounds;
use costate::campaign::error::{CampaignError, Fault};
use costate::campaign::files::FilePath;
use costate::campaign::place::{Located, Place};
use costate::campaign::values::{Duration, Plain};
use costate::campaign::{
    Campaign, ChannelEntry, ExperimentEntry, InertiaEntry, InputEntry, Limit, MeasuredEntry, ModelChoice, Named,
    OptimizerEntry, OutputFiles, ProfileEntry, ResamplingEntry, ResidualSettings, RunSettings, Signal, UnknownEntry,
};
use costate::command::shown::plain;
use costate::signal::Smoothing;

use super::error::FitError;
use crate::error::CommandError;
use crate::options::{
    Course, ParameterOptions, RecordOptions, SignalText, TimeOptions, Word, course, extension, input, name_and_text,
    smoothing, whole_names,
};
use crate::reader_words;
use crate::selection::Selection;

/// A model, and the record of one run on a test bench.
#[derive(Debug, Clone, Args)]
pub struct Bench {
    #[command(flatten)]
    pub selection: Selection,
    /// The measured signals: a table in CSV with a column of times in s, `time`, and one for every channel,
    /// `force [N]`.
    #[arg(long, value_name = "FILE")]
    pub record: Option<PathBuf>,
    /// The measured outputs: names of channels with the names of outputs, or `OUTPUT=CHANNEL`; without it, all outputs
    /// that are channels of the record.
    #[arg(long, value_name = "NAME,..", value_delimiter = ',')]
    measured: Vec<String>,
    /// Channels with angles that begin anew after each turn, as those of encoders: they are continued.
    #[arg(long, value_name = "NAME,..", value_delimiter = ',')]
    unwrap: Vec<String>,
    #[command(flatten)]
    parameters: ParameterOptions,
    /// The signal of an input: a number, `FILE.csv:CHANNEL`, or an expression of the time t in s,
    /// `drive=500*sin(60*t^2)`; an input that is not named is the channel of the record with its name.
    #[arg(long, short = 'i', value_name = "NAME=SIGNAL", value_parser = input)]
    input: Vec<(String, SignalText)>,
    /// Interpolation of an input between the samples of its record: `drive=straight`, the default, `drive=cubic`, a
    /// smooth spline, or `drive=held`, the last sample.
    #[arg(long, value_name = "NAME=KIND", value_parser = course)]
    interpolation: Vec<(String, Course)>,
    #[command(flatten)]
    time: TimeOptions,
    #[command(flatten)]
    records: RecordOptions,
}

/// The options of a call that are given, by the names of their fields.
#[derive(Debug, Clone, Default)]
struct Given(Vec<String>);

impl FromArgMatches for Given {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, clap::Error> {
        let is_given = |id: &&Id| matches.value_source(id.as_str()) == Some(ValueSource::CommandLine);
        Ok(Self(matches.ids().filter(is_given).map(|id| id.to_string()).collect()))
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}

impl Args for Given {
    fn augment_args(command: clap::Command) -> clap::Command {
        command
    }

    fn augment_args_for_update(command: clap::Command) -> clap::Command {
        command
    }
}

/// A campaign file, or a model with its record and its unknowns.
#[derive(Debug, Clone, Args)]
pub struct Source {
    // the first field: each one takes its values from those that were given
    #[command(flatten)]
    given: Given,
    #[command(flatten)]
    pub bench: Bench,
    /// The parameters to be found.
    #[arg(long, value_name = "NAME,..", value_delimiter = ',')]
    pub unknown: Vec<String>,
    /// Mass and inertia of a spatial body as unknowns, which are always those of a possible body: the names of mass,
    /// i_xx, i_yy and i_zz, then of i_xy, i_xz and i_yz, then of x, y and z of the centre of mass, as far as they are
    /// to be found.
    #[arg(long, value_name = "NAME,..")]
    body: Vec<String>,
    /// The deviation of all numbers of `--body` about their start, relative to mass and size of the body: 0.1 for a
    /// drawing that is right to 10 %.
    #[arg(long, value_name = "DEVIATION", requires = "body")]
    body_deviation: Option<f64>,
    /// Bounds of an unknown, in its unit or with a unit: `c=0..1e6`, `c=1[N/mm]..5[N/mm]`, `c=0..` without an upper
    /// one.
    #[arg(long, value_name = "NAME=LOWER..UPPER")]
    bounds: Vec<String>,
    /// Smooths an input that is a channel of a record by a spline, as `costate convert --smooth` does: `drive=8[Hz]`
    /// follows frequencies up to 8 Hz, `drive=0.05` is the distance of its knots in s, `drive=auto` chooses that.
    #[arg(long, value_name = "NAME=LIMIT", value_parser = smoothing)]
    smooth: Vec<(String, Smoothing)>,
}

impl Source {
    /// Returns true if a campaign file was given, and not a model.
    pub fn is_campaign(&self) -> bool {
        extension(&self.bench.selection.file) == "toml"
    }

    /// Reads the campaign file, or makes a campaign of the options.
    ///
    /// # Errors
    /// [`CampaignError`] and [`FitError`].
    pub fn campaign(&self) -> Result<Campaign, CommandError> {
        if !self.is_campaign() {
            if self.bench.record.is_some() && self.unknown.is_empty() && self.body.is_empty() {
                return Err(FitError::NoUnknowns.into());
            }
            let mut campaign = Campaign { unknowns: self.unknowns()?, ..self.bench.campaign()? };
            campaign.inertias = self.bodies()?;
            for (name, limit) in &self.smooth {
                let place = Place::option("smooth", name);
                let smooth = Some(Located::new(Limit(*limit), place.clone()));
                entry_of(&mut campaign.inputs, name, &place).smooth = smooth;
            }
            return Ok(campaign);
        }
        reader_words::speak_of_campaign();
        // a campaign has fields for all of these options
        let own = Self::augment_args(clap::Command::new(""));
        let is_given = |option: &&clap::Arg| {
            let name = option.get_id().as_str();
            !matches!(name, "file" | "allow_files") && self.given.0.iter().any(|given| given == name)
        };
        if let Some(option) = own.get_arguments().find(is_given).and_then(clap::Arg::get_long) {
            let (option, file) = (option.to_owned(), self.bench.selection.file.clone());
            return Err(FitError::InCampaign { option, file }.into());
        }
        let selection = &self.bench.selection;
        let mut campaign = costate::campaign::read(&selection.file, &selection.allow_files)?;
        let further = selection.allow_files.iter().cloned().map(FilePath);
        campaign.model.value.allow_files.extend(further);
        Ok(campaign)
    }

    /// Returns the bodies with their prior.
    fn bodies(&self) -> Result<Vec<Located<InertiaEntry>>, CampaignError> {
        let body = |text: &String| {
            let entry = InertiaEntry::of_option("body", text)?;
            let deviation = self.body_deviation.map(Plain);
            Ok(Located::new(InertiaEntry { deviation, ..entry }, Place::option("body", text)))
        };
        self.body.iter().map(body).collect()
    }

    /// Returns the unknowns with their bounds.
    fn unknowns(&self) -> Result<Vec<Named<UnknownEntry>>, CampaignError> {
        let unknown = |name: &String| {
            let name = Located::new(name.trim().to_owned(), Place::option("unknown", name));
            Named { name, value: UnknownEntry::default() }
        };
        let mut unknowns: Vec<_> = self.unknown.iter().map(unknown).collect();
        for text in &self.bounds {
            let place = Place::option("bounds", text);
            let parts = name_and_text(text, "c=0..1e6");
            let (name, range) = parts.map_err(|message| CampaignError::new(&place, Fault::Text(message)))?;
            let bounds = Bounds::parse(range, &place)?;
            match unknowns.iter_mut().find(|unknown| unknown.name.value == name) {
                Some(unknown) if unknown.value.bounds.is_some() => {
                    return Err(CampaignError::new(
                        &place,
                        Fault::Twice { what: "the bounds of", name: name.to_owned() },
                    ));
                }
                Some(unknown) => unknown.value.bounds = Some(bounds),
                None => {
                    let known = unknowns.iter().map(|unknown| unknown.name.value.clone()).collect();
                    let fault = Fault::NotUnknown { name: plain(name).into_owned(), known };
                    return Err(CampaignError::new(&place, fault));
                }
            }
        }
        Ok(unknowns)
    }
}

impl Bench {
    /// Makes a campaign of one experiment, without unknowns.
    ///
    /// # Errors
    /// [`FitError::NoRecord`].
    pub fn campaign(&self) -> Result<Campaign, FitError> {
        let selection = &self.selection;
        let record = self.record.clone().ok_or_else(|| FitError::NoRecord(selection.file.clone()))?;
        let place = Place::option("record", &record.display().to_string());
        let time = &self.time;
        let run = RunSettings {
            step: time.step.map(Duration),
            end: time.until.map(Duration),
            scheme: time.scheme,
            order: time.order,
            tolerance: time.tolerance.map(Plain),
            ..RunSettings::default()
        };
        let parameters = self.parameters.given().iter().map(|(name, amount)| {
            let place = Place::option("parameter", &format!("{name}={amount}"));
            let name = Located::new(name.clone(), place.clone());
            Named { name, value: Located::new(amount.clone(), place) }
        });
        let experiment = ExperimentEntry {
            record: Some(Located::new(FilePath(record), place.clone())),
            reading: Some(self.records.clone()),
            inputs: self.inputs(),
            measured: whole_names(&self.measured).iter().map(|text| of_measured(text)).collect(),
            ..ExperimentEntry::default()
        };
        let model = ModelChoice {
            file: FilePath(selection.file.clone()),
            name: selection.model.clone(),
            arguments: selection.set.clone(),
            allow_files: selection.allow_files.iter().cloned().map(FilePath).collect(),
        };
        Ok(Campaign {
            model: Located::new(model, Place::Option(selection.file.display().to_string())),
            parameters: parameters.collect(),
            run,
            reading: RecordOptions::default(),
            inputs: Vec::new(),
            measured: Vec::new(),
            experiments: vec![Located::new(experiment, place)],
            unknowns: Vec::new(),
            inertias: Vec::new(),
            tables: Vec::new(),
            residuals: ResidualSettings::default(),
            optimizer: OptimizerEntry::default(),
            multistart: None,
            prediction_error: None,
            profiles: ProfileEntry::default(),
            resampling: ResamplingEntry::default(),
            output: OutputFiles::default(),
            unwrap: whole_names(&self.unwrap),
        })
    }

    /// Makes the entries of the inputs that are named.
    fn inputs(&self) -> Vec<Named<InputEntry>> {
        let mut all: Vec<Named<InputEntry>> = self.input.iter().map(|(name, text)| of_input(name, text)).collect();
        for (name, course) in &self.interpolation {
            let place = Place::option("interpolation", name);
            let interpolation = Some(Located::new(Word(*course), place.clone()));
            entry_of(&mut all, name, &place).interpolation = interpolation;
        }
        all
    }
}

/// Returns the entry of an input, which is made if there is none.
fn entry_of<'e>(entries: &'e mut Vec<Named<InputEntry>>, name: &str, place: &Place) -> &'e mut InputEntry {
    let at = entries.iter().position(|entry| entry.name.value == name).unwrap_or_else(|| {
        let name = Located::new(name.to_owned(), place.clone());
        entries.push(Named { name, value: InputEntry::default() });
        entries.len() - 1
    });
    &mut entries[at].value
}

/// Makes the entry of an input from `drive=40`, `drive=bench.csv:force` or `drive=500*sin(60*t)`.
fn of_input(name: &str, text: &SignalText) -> Named<InputEntry> {
    let place = Place::option("input", &format!("{name}={text}"));
    let signal = match text {
        SignalText::Constant(amount) => Signal::Constant(Located::new(amount.clone(), place.clone())),
        SignalText::Expression(text) => Signal::Expression(Located::new(text.clone(), place.clone())),
        SignalText::Channel { file, channel } => Signal::Channel(Box::new(ChannelEntry {
            record: Some(Located::new(FilePath(file.clone()), place.clone())),
            channel: channel.as_ref().map(|channel| Located::new(channel.clone(), place.clone())),
            ..ChannelEntry::default()
        })),
    };
    let value = InputEntry { signal: Some(signal), ..InputEntry::default() };
    Named { name: Located::new(name.to_owned(), place), value }
}

/// Makes the entry of a measured output from `OUTPUT` or `OUTPUT=CHANNEL`.
fn of_measured(text: &str) -> Named<MeasuredEntry> {
    let place = Place::option("measured", text);
    let (output, channel) = match text.split_once('=') {
        Some((output, channel)) => (output.trim(), Some(channel.trim().to_owned())),
        None => (text.trim(), None),
    };
    let channel = channel.map(|channel| Located::new(channel, place.clone()));
    let value = MeasuredEntry { channel, ..MeasuredEntry::default() };
    Named { name: Located::new(output.to_owned(), place), value }
}

impl From<&Campaign> for Selection {
    /// Returns the model with its structural arguments.
    fn from(campaign: &Campaign) -> Self {
        let ModelChoice { file, name, arguments, allow_files } = &campaign.model.value;
        Self {
            file: file.0.clone(),
            model: name.clone(),
            set: arguments.clone(),
            allow_files: allow_files.iter().map(|folder| folder.0.clone()).collect(),
        }
    }
}

/// Returns the file that an interrupted fit continues from: that of the campaign, or one beside the `given` file or the
/// record.
pub fn state_file(campaign: &Campaign, given: &Path) -> PathBuf {
    if let Some(state) = &campaign.output.state {
        return state.0.clone();
    }
    let mut path = match (&campaign.model.place, campaign.experiments.first()) {
        (Place::Option(_), Some(Located { value: ExperimentEntry { record: Some(record), .. }, .. })) => {
            let record = &record.value;
            let model = campaign.model.file.file_stem().unwrap_or_default();
            let mut name = record.file_stem().unwrap_or_default().to_owned();
            name.push(".");
            name.push(model);
            record.with_file_name(name).into_os_string()
        }
        _ => given.as_os_str().to_owned(),
    };
    path.push(".state");
    path.into()
}
