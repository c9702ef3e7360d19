//! Files of measuring devices: their channels and spectra, what is chosen of them, and the records that they make.
//!
//! `formats` says what stands in a file; here it is decided which channels have common times.

pub(crate) mod clocks;
mod error;
mod names;
mod own_times;
mod spectra;
mod time_source;
mod write;

use std::path::Path;
use std::sync::Arc;

use crate::formats::{Axis, Channel, Format, FormatError, Group, LeftOut, Spectrum};

use super::{Clocked, Column, CsvReader, FrequencyResponse, Record, RecordError, Taken};
use clocks::Clocks;
use names::matches;
use time_source::TimeSource;

pub use error::RecordingError;

/// A file of a measuring device, and what is chosen of it.
///
/// A file with one set of times is read by [`Record::read`]. Of one with several groups or rates, channels are chosen
/// by names or patterns, in which `*` stands for any text and `?` for one character:
///
/// ```no_run
/// # use costate_measure::record::Recording;
/// let record = Recording::open("run.tdms")?.group("front*").channels("Acc*").channels("Force").record()?;
/// # Ok::<(), costate_measure::record::RecordError>(())
/// ```
#[derive(Debug, Clone)]
pub struct Recording {
    name: String,
    data: crate::formats::Recording,
    sha256: Option<String>,
    taken: Option<Arc<Taken>>,
    groups: Vec<String>,
    channels: Vec<String>,
    times: Times,
    /// Unit of the numbers that are times, in place of the one in the file.
    time_unit: Option<String>,
    /// The time in s from which times count.
    origin: f64,
    /// First and last time in s that are taken.
    part: Option<(f64, f64)>,
}

/// Times of channels for which the file has none.
#[derive(Debug, Clone, PartialEq)]
enum Times {
    /// Times of a channel that is called so.
    Found,
    /// Times of the channel with this name.
    Channel(String),
    /// Equidistant ones with this interval in s.
    Every(f64),
    /// Equidistant ones, as many in a second as the only value of a variable says.
    RateOf(String),
}

impl Recording {
    /// Reads a file of any format: CSV, and every format whose feature this build has.
    ///
    /// # Errors
    /// [`RecordError`], with the feature that is missing.
    pub fn open(path: impl AsRef<Path>) -> Result<Self, RecordError> {
        Self::open_with(path.as_ref(), &CsvReader::default())
    }

    /// Reads a file of any format with the options of a reader.
    pub(crate) fn open_with(path: &Path, reader: &CsvReader) -> Result<Self, RecordError> {
        let name = path.display().to_string();
        let format = crate::formats::format_of(path).map_err(RecordingError::from)?;
        let (data, sha256, taken) = match format {
            Format::Csv => {
                let (record, is_timed) = columns(path, reader)?;
                let (sha256, taken) = (record.sha256.clone(), record.taken.clone());
                let mut data = clocks::of_record(record, Format::Csv);
                if !is_timed {
                    let all = data.groups.iter_mut().flat_map(|group| &mut group.channels);
                    all.for_each(|channel| channel.axis = Axis::Unknown);
                }
                (data, sha256, taken)
            }
            _ => {
                let mut data = crate::formats::read(path).map_err(RecordingError::from)?;
                leave_out_infinite(&mut data);
                (data, Some(sha256(path, &name)?), None)
            }
        };
        let times = match reader {
            // the times of columns are those that the reader was given
            _ if format == Format::Csv && reader.rate_of.is_none() => Times::Found,
            CsvReader { rate_of: Some(variable), .. } => Times::RateOf(variable.clone()),
            CsvReader { rate: Some(rate), .. } => Times::Every(1.0 / rate),
            CsvReader { every: Some(interval), .. } => Times::Every(*interval),
            CsvReader { time_column: Some(Column::Name(name)), .. } => Times::Channel(name.clone()),
            CsvReader { time_column: Some(Column::Number(number)), .. } => Times::Channel(number.to_string()),
            _ => Times::Found,
        };
        let (groups, channels) = (reader.groups.clone(), reader.channels.clone());
        let time_unit = reader.time_unit.clone().filter(|_| format != Format::Csv);
        let origin = origin(reader, format)?;
        Ok(Self { name, data, sha256, taken, groups, channels, times, time_unit, origin, part: reader.part })
    }

    /// Keeps the groups with this name or pattern, in addition to those of earlier calls.
    #[must_use]
    pub fn group(mut self, pattern: impl Into<String>) -> Self {
        self.groups.push(pattern.into());
        self
    }

    /// Keeps the channels with this name or pattern, in addition to those of earlier calls.
    #[must_use]
    pub fn channels(mut self, pattern: impl Into<String>) -> Self {
        self.channels.push(pattern.into());
        self
    }

    /// Name of the file.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Format of the file.
    pub fn format(&self) -> Format {
        self.data.format
    }

    /// Description of what a CSV file was taken to be; `None` for other formats.
    pub fn taken(&self) -> Option<&Taken> {
        self.taken.as_deref()
    }

    /// All groups of the file with their channels, chosen or not.
    pub fn groups(&self) -> &[Group] {
        &self.data.groups
    }

    /// Texts that belong to the whole file, with their names.
    pub fn texts(&self) -> &[(String, String)] {
        &self.data.texts
    }

    /// Data of the file that are not among the channels, with the reason.
    pub fn left_out(&self) -> &[LeftOut] {
        &self.data.left_out
    }

    /// Sentences about what the numbers of the file may not show.
    pub fn notes(&self) -> &[String] {
        &self.data.notes
    }

    /// All functions of frequency in the file as they stand there; [`spectra`](Self::spectra) has frequency responses
    /// with their coherence.
    pub fn functions(&self) -> &[Spectrum] {
        &self.data.spectra
    }

    /// Frequency responses, each with the coherence of the same degrees of freedom and frequencies where the file has
    /// one.
    ///
    /// # Errors
    /// [`RecordingError::NoResponses`] for a file without one, [`RecordingError::Frequencies`] for one whose
    /// frequencies are not known.
    pub fn spectra(&self) -> Result<Vec<FrequencyResponse>, RecordError> {
        Ok(spectra::responses(&self.name, &self.data.spectra)?)
    }

    /// Makes a record of the chosen channels, which must have common times.
    ///
    /// Times are those of the file. A channel is called as in the file, with its group before it where two have the
    /// same name.
    ///
    /// # Errors
    /// [`RecordingError::Clocks`] for channels with several sets of times, [`RecordingError::NoTimes`] for channels
    /// without them, and other [`RecordingError`]; [`RecordError`] for times and values that a record cannot have.
    pub fn record(self) -> Result<Record, RecordError> {
        let name = self.name.clone();
        match self.all_records(true)?.0.pop() {
            Some(record) => Ok(record),
            None => Err(RecordingError::NoChannels { file: name, left_out: Vec::new(), is_chosen: true }.into()),
        }
    }

    /// Makes a record of the chosen channels for each set of times, in the order of the file. Where the file has the
    /// times at which the groups begin, all records have the time since the first of them.
    ///
    /// # Errors
    /// As of [`record`](Self::record), but for several sets of times.
    pub fn records(self) -> Result<Vec<Record>, RecordError> {
        Ok(self.all_records(false)?.0)
    }

    /// Makes the records of [`records`](Self::records), and says which of the chosen channels are in none of them:
    /// complex ones, and those without times or with times that do not increase. [`left_out`](Self::left_out) has what
    /// was left out before.
    ///
    /// # Errors
    /// As of [`records`](Self::records).
    pub fn records_and_rest(self) -> Result<(Vec<Record>, Vec<LeftOut>), RecordError> {
        self.all_records(false)
    }

    /// The records, of which there may be one alone, and what is in none of them.
    fn all_records(self, is_one: bool) -> Result<(Vec<Record>, Vec<LeftOut>), RecordError> {
        let (name, sha256, taken) = (self.name.clone(), self.sha256.clone(), self.taken.clone());
        let (part, origin) = (self.part, self.origin);
        let (mut clocks, source) = self.clocks()?;
        let left_out = std::mem::take(&mut clocks.left_out);
        let records = clocks.records(&name, sha256.as_deref(), is_one)?;
        let with_doubts = |record: Record| {
            let doubts = match (&taken, &source) {
                (Some(taken), None) => taken.doubts.clone(),
                _ => source.as_ref().map_or_else(Vec::new, |source| source.doubts(record.times())),
            };
            let has_assumed_times = match (&taken, &source) {
                (Some(taken), None) => matches!(taken.time, Clocked::Column { assumed: true, .. }),
                _ => source.as_ref().is_some_and(TimeSource::is_assumed),
            };
            Record { taken: taken.clone(), doubts: Arc::new(doubts), has_assumed_times, ..record }
        };
        let cut = |record: Record| record.counted_from(origin).between(part);
        let records: Result<_, RecordError> = records.into_iter().map(with_doubts).map(cut).collect();
        Ok((records?, left_out))
    }

    /// The chosen channels, by their times, and the source of times that are not those of a file of columns.
    fn clocks(mut self) -> Result<(Clocks, Option<TimeSource>), RecordError> {
        self.check_patterns()?;
        let chosen = Chosen { groups: self.groups, channels: self.channels };
        let wanted = (&self.times, self.time_unit.as_deref());
        let (left_out, source) = clocks::give_times(&self.name, &mut self.data, wanted, &chosen)?;
        let default = || if self.time_unit.is_some() { TimeSource::given() } else { TimeSource::default() };
        let source = source.or_else(|| (self.data.format != Format::Csv).then(default));
        Ok((Clocks::of(&self.name, self.data, &chosen, left_out)?, source))
    }

    /// Every pattern must be that of a group or channel.
    fn check_patterns(&self) -> Result<(), RecordError> {
        let missing = |pattern: &String, names: Vec<&str>| {
            let available = names::nearest(pattern, &names);
            let (record, channel) = (self.name.clone(), pattern.clone());
            Err(RecordError::MissingChannel { record, channel, available })
        };
        for pattern in &self.groups {
            let names: Vec<&str> = self.data.groups.iter().map(|group| group.name.as_str()).collect();
            if !names.iter().any(|name| matches(pattern, name)) {
                return missing(pattern, names);
            }
        }
        let all = || {
            let groups = self.data.groups.iter();
            groups.flat_map(|group| group.channels.iter().map(move |channel| (group, channel)))
        };
        for pattern in &self.channels {
            if !all().any(|(group, channel)| is_called(pattern, &group.name, channel)) {
                let names = all().map(|(_, channel)| channel.name.as_str()).collect();
                return missing(pattern, names);
            }
        }
        Ok(())
    }
}

/// The time in s from which the times of a file count; columns count from it when they are read.
///
/// # Errors
/// [`RecordError::Option`] for a text that is no number.
fn origin(reader: &CsvReader, format: Format) -> Result<f64, RecordError> {
    let Some(text) = reader.origin.as_ref().filter(|_| format != Format::Csv) else { return Ok(0.0) };
    text.trim().parse().ok().filter(|origin: &f64| origin.is_finite()).ok_or_else(|| {
        let limit = "a number of s, since the file has no dates".to_owned();
        RecordError::Option { option: "counting_from", value: text.clone(), limit }
    })
}

/// Names and patterns of the groups and channels that are chosen; all where there are none.
struct Chosen {
    groups: Vec<String>,
    channels: Vec<String>,
}

impl Chosen {
    fn keeps(&self, group: &str, channel: &Channel) -> bool {
        let is_in = self.groups.is_empty() || self.groups.iter().any(|pattern| matches(pattern, group));
        let fits = |pattern: &String| is_called(pattern, group, channel);
        is_in && (self.channels.is_empty() || self.channels.iter().any(fits))
    }

    /// Checks whether a channel is chosen by its name, and not by a pattern that others have as well.
    fn names(&self, group: &str, channel: &Channel) -> bool {
        let names = names::names_of(group, channel);
        self.channels.iter().any(|pattern| names.contains(pattern))
    }

    fn is_restricted(&self) -> bool {
        !self.groups.is_empty() || !self.channels.is_empty()
    }
}

/// Checks whether a pattern is that of a channel: of its name, or of that with its group.
fn is_called(pattern: &str, group: &str, channel: &Channel) -> bool {
    names::names_of(group, channel).iter().any(|name| matches(pattern, name))
}

/// Makes infinite samples missing ones, and says so: a device writes them where it has no value.
fn leave_out_infinite(data: &mut crate::formats::Recording) {
    for group in &mut data.groups {
        for channel in &mut group.channels {
            let Some(first) = channel.values.iter().position(|value| value.is_infinite()) else { continue };
            let infinite = channel.values.iter_mut().filter(|value| value.is_infinite());
            let count = infinite.map(|value| *value = f64::NAN).count();
            let name = names::full(&group.name, &channel.name);
            let note = match count {
                1 => format!("`{name}`: value {first} is infinite, and missing here"),
                _ => format!("`{name}`: {count} values are infinite, and missing here; the first is value {first}"),
            };
            data.notes.push(note);
        }
    }
}

impl Record {
    /// Reads a file of any format whose channels have common times; a file with several sets of times is an error that
    /// lists them and says how to choose, by a [`Recording`]. The format follows from the content, and from the
    /// extension where the content does not determine it.
    ///
    /// ```no_run
    /// # use costate_measure::record::Record;
    /// let record = Record::read("run.mf4")?;
    /// # Ok::<(), costate_measure::record::RecordError>(())
    /// ```
    ///
    /// # Errors
    /// As of [`Recording::open`] and [`Recording::record`]; those of [`Record::read_csv`] for CSV.
    pub fn read(path: impl AsRef<Path>) -> Result<Self, RecordError> {
        match crate::formats::format_of(path.as_ref()).map_err(RecordingError::from)? {
            Format::Csv => Self::read_csv(path),
            _ => Recording::open(path)?.record(),
        }
    }
}

/// Reads a file of columns. One without times has the numbers of its rows, which are no times, if the reader is to find
/// them elsewhere.
fn columns(path: &Path, reader: &CsvReader) -> Result<(Record, bool), RecordError> {
    let reader = &CsvReader { part: None, ..reader.clone() };
    let numbered = || -> Result<(Record, bool), RecordError> {
        let mut record = reader.clone().every(1.0).read(path)?;
        if let Some(taken) = &mut record.taken {
            Arc::make_mut(taken).time = Clocked::Nowhere;
        }
        Ok((record, false))
    };
    if reader.rate_of.is_some() {
        return numbered();
    }
    match reader.read(path) {
        Err(error @ RecordError::NoTime { .. }) => numbered().map_err(|_| error),
        found => Ok((found?, true)),
    }
}

/// The hash of a file in hexadecimal digits.
fn sha256(path: &Path, name: &str) -> Result<String, RecordError> {
    use sha2::{Digest, Sha256};
    let failed = |source| RecordError::File { file: name.to_owned(), source };
    let mut file = costate_contract::files::open(path).map_err(|error| failed(error.into()))?;
    let mut hash = Sha256::new();
    let mut piece = vec![0; 1 << 16];
    loop {
        match std::io::Read::read(&mut file, &mut piece).map_err(failed)? {
            0 => break,
            read => hash.update(piece.get(..read).unwrap_or_default()),
        }
    }
    Ok(hash.finalize().iter().map(|byte| format!("{byte:02x}")).collect())
}

impl From<RecordingError> for RecordError {
    fn from(error: RecordingError) -> Self {
        match error {
            // the same errors as of CSV files
            RecordingError::Format(FormatError::File { file, source }) => Self::File { file, source },
            RecordingError::Format(FormatError::Memory { file, source }) => Self::Memory { file, source },
            other => Self::Recording(Box::new(other)),
        }
    }
}

/// Checks whether two axes are the same.
fn same_axis(a: &Axis, b: &Axis) -> bool {
    match (a, b) {
        (Axis::Stamps(a), Axis::Stamps(b)) => std::sync::Arc::ptr_eq(a, b) || a == b,
        _ => a == b,
    }
}
