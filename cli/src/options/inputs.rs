//! Inputs on the command line: constants, channels of records, and expressions of the time.

use std::fmt;
use std::path::{Path, PathBuf};

use clap::Args;
use costate::campaign::smoothing::smooth_input;
use costate::command::shown::plain;
use costate::measure::{CsvReader, Record};
use costate::model::Input;
use costate::signal::Smoothing;
use costate::simulate::{InputSignal, Sampled, SimulationError};
use costate_compiler::Quantity;

use super::error::OptionError;
use super::records::read_record;
use super::{Amount, Course, Words, extension, name_and_text, smoothing};
use crate::error::CommandError;
use crate::loaded::Loaded;
use crate::{doubts, formula};

/// The signals of inputs.
#[derive(Debug, Clone, Default, Args)]
pub struct InputOptions {
    /// The signal of an input: a number (`drive=40`, `drive=0.1[kN]`), a channel of a record (`drive=bench.csv:force`),
    /// or an expression of the time t in s (`drive=500*sin(60*t^2)`). Inputs that are not named are 0.
    ///
    /// In an expression without units, numbers are in the unit of the input and t is a number of seconds; where a
    /// number has a unit, as in `500[N]*sin(60[1/s]*t)`, all units are checked. Expressions have the functions of the
    /// language of models, and `pi`, `step(x)` (0 before x = 0, then 1), `pulse(x, length)` (1 from x = 0 to x =
    /// length) and `chirp(x, from, to, length)` (a sine whose frequency goes from `from` to `to` while x goes from 0 to
    /// `length`).
    #[arg(long, short = 'i', value_name = "NAME=SIGNAL", value_parser = input)]
    input: Vec<(String, SignalText)>,
    /// Interpolation of an input between the samples of its record: `drive=straight`, the default, `drive=cubic`, a
    /// smooth spline, or `drive=held`, the last sample.
    #[arg(long, value_name = "NAME=KIND", value_parser = course)]
    interpolation: Vec<(String, Course)>,
    /// Smooths an input that is a channel of a record by a spline, as `costate convert --smooth` does: `drive=8[Hz]`
    /// follows frequencies up to 8 Hz, `drive=0.05` is the distance of its knots in s, and `drive=auto` chooses that by
    /// cross-validation, for samples with independent errors.
    #[arg(long, value_name = "NAME=LIMIT", value_parser = smoothing)]
    smooth: Vec<(String, Smoothing)>,
}

/// Parses `drive=cubic`.
///
/// # Errors
/// A text of another form, with what to write instead.
pub fn course(text: &str) -> Result<(String, Course), String> {
    let (name, word) = name_and_text(text, "drive=cubic")?;
    let course = Course::named(word);
    let course =
        course.ok_or_else(|| format!("`{}` is no interpolation; write `straight`, `cubic` or `held`", plain(word)))?;
    Ok((name.to_owned(), course))
}

/// The signal of an input as it was written.
#[derive(Debug, Clone, PartialEq)]
pub enum SignalText {
    /// A number.
    Constant(Amount),
    /// A channel of a file; without a name, the channel that is called like the input.
    Channel {
        /// The file.
        file: PathBuf,
        /// The channel.
        channel: Option<String>,
    },
    /// An expression of the time.
    Expression(String),
}

impl InputOptions {
    /// Returns the signals of the named inputs; records are read by this reader.
    ///
    /// # Errors
    /// A name that the model does not have, a unit that does not fit, an error in a record or in an expression.
    pub fn signals(&self, loaded: &Loaded, reader: &CsvReader) -> Result<Vec<(Input, InputSignal)>, CommandError> {
        for name in self.interpolation.iter().map(|(name, _)| name).chain(self.smooth.iter().map(|(name, _)| name)) {
            loaded.input(name)?;
        }
        let signal = |(name, text): &(String, SignalText)| {
            let (input, quantity) = loaded.input(name)?;
            let signal = text.signal(quantity, self.sampling(name), reader)?;
            Ok((input, signal))
        };
        self.input.iter().map(signal).collect()
    }

    /// Returns what is given about the samples of an input.
    fn sampling(&self, name: &str) -> Sampling {
        let course = self.interpolation.iter().rfind(|(own, _)| own == name).map(|(_, course)| *course);
        let smooth = self.smooth.iter().rfind(|(own, _)| own == name).map(|(_, limit)| *limit);
        Sampling { course, smooth }
    }

    /// Takes the channel of a record with the name of an input as its signal.
    ///
    /// # Errors
    /// Channels with gaps, and samples that make no spline.
    pub fn measured(&self, record: &Record, input: Input) -> Result<InputSignal, CommandError> {
        doubts::of_input(record, input.name());
        sampled(record, input.name(), self.sampling(input.name()))
    }

    /// Returns the signal of an input for which nothing is given: 0.
    ///
    /// # Errors
    /// [`OptionError::NotSampled`] if its samples are to be interpolated or smoothed.
    pub fn at_rest(&self, input: Input) -> Result<InputSignal, OptionError> {
        self.sampling(input.name()).nothing_for(input.name())?;
        Ok(0.0.into())
    }
}

/// Smoothness of samples, and the course between them, as far as they are given.
#[derive(Debug, Clone, Copy)]
struct Sampling {
    course: Option<Course>,
    smooth: Option<Smoothing>,
}

impl Sampling {
    /// Checks that nothing is given about the samples of an input that has none.
    ///
    /// # Errors
    /// [`OptionError::NotSampled`].
    fn nothing_for(self, input: &str) -> Result<(), OptionError> {
        let (purpose, option) = match self {
            Self { course: Some(_), .. } => ("interpolate between", "--interpolation"),
            Self { smooth: Some(_), .. } => ("smooth", "--smooth"),
            Self { course: None, smooth: None } => return Ok(()),
        };
        Err(OptionError::NotSampled { input: input.to_owned(), purpose, option })
    }
}

/// Takes a channel of a record as a signal.
fn sampled(record: &Record, channel: &str, sampling: Sampling) -> Result<InputSignal, CommandError> {
    let sampled = match sampling.smooth {
        Some(limit) => Sampled::from_record(&smooth_input(record, channel, limit, &doubts::of)?, channel)?,
        None => Sampled::from_record(record, channel)?,
    };
    let Some(course) = sampling.course else { return Ok(sampled.into()) };
    course.of(sampled).map(InputSignal::from).map_err(|error| SimulationError::from(error).into())
}

impl InputOptions {
    /// Returns true if all inputs that are named are numbers, so that it does not matter when a run begins.
    pub fn are_constant(&self) -> bool {
        self.input.iter().all(|(_, text)| matches!(text, SignalText::Constant(_)))
    }

    /// Returns the files of the records that drive inputs.
    pub fn files(&self) -> Vec<PathBuf> {
        let file = |(_, text): &(String, SignalText)| match text {
            SignalText::Channel { file, .. } => Some(file.clone()),
            _ => None,
        };
        self.input.iter().filter_map(file).collect()
    }
}

impl SignalText {
    fn signal(&self, input: &Quantity, sampling: Sampling, reader: &CsvReader) -> Result<InputSignal, CommandError> {
        match self {
            Self::Channel { file, channel } => {
                let record = read_record(file, reader)?;
                let channel = channel.as_deref().unwrap_or(&input.name);
                doubts::of_turns(&record, channel, Some(&input.unit));
                doubts::of_input(&record, channel);
                sampled(&record, channel, sampling)
            }
            Self::Constant(amount) => {
                sampling.nothing_for(&input.name)?;
                Ok(amount.in_unit(&input.name, &input.unit)?.into())
            }
            Self::Expression(text) => {
                sampling.nothing_for(&input.name)?;
                formula::signal(input, text)
            }
        }
    }
}

impl fmt::Display for SignalText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Constant(amount) => amount.fmt(f),
            Self::Channel { file, channel: Some(channel) } => write!(f, "{}:{channel}", file.display()),
            Self::Channel { file, channel: None } => file.display().fmt(f),
            Self::Expression(text) => f.write_str(text),
        }
    }
}

/// Parses `drive=40`, `drive=bench.csv:force` or `drive=500*sin(60*t)`.
///
/// # Errors
/// A text of another form, with what to write instead.
pub fn input(text: &str) -> Result<(String, SignalText), String> {
    let (name, value) = name_and_text(text, "drive=40")?;
    let signal = match value.parse::<Amount>() {
        Ok(amount) => SignalText::Constant(amount),
        // no expression contains a colon
        Err(_) => match file_and_channel(value) {
            Some((file, channel)) => {
                SignalText::Channel { file: file.into(), channel: Some(channel.trim().to_owned()) }
            }
            None if extension(Path::new(value)) == "csv" => SignalText::Channel { file: value.into(), channel: None },
            None => SignalText::Expression(value.to_owned()),
        },
    };
    Ok((name.to_owned(), signal))
}

/// Splits `bench.csv:force` at the colon behind a file that exists, or else at the last one outside of brackets:
/// `M.mat:M(:,2)`.
fn file_and_channel(text: &str) -> Option<(&str, &str)> {
    let mut depth = 0_usize;
    let mut outside = Vec::new();
    for (at, letter) in text.char_indices() {
        match letter {
            '[' | '(' => depth += 1,
            ']' | ')' => depth = depth.saturating_sub(1),
            ':' if depth == 0 => outside.push(at),
            _ => {}
        }
    }
    let colons = || text.match_indices(':').map(|(at, _)| at);
    let is_file = |at: &usize| text.get(..*at).is_some_and(|file| Path::new(file).is_file());
    let at = colons().find(is_file).or(outside.last().copied()).or(colons().next_back())?;
    Some((text.get(..at)?, text.get(at + 1..)?))
}

/// Joins names that were split at a comma within brackets, as `m[:,2]`.
pub fn whole_names(parts: &[String]) -> Vec<String> {
    whole(parts, |name| name)
}

/// Joins parts whose `name` was split at a comma within brackets.
pub fn whole<T: Clone>(parts: &[T], name: impl Fn(&mut T) -> &mut String) -> Vec<T> {
    let count = |text: &str, letters: [char; 2]| text.matches(letters).count();
    let is_open = |text: &&mut String| count(text, ['[', '(']) > count(text, [']', ')']);
    let mut joined: Vec<T> = Vec::new();
    for mut part in parts.iter().cloned() {
        match joined.last_mut().map(&name).filter(is_open) {
            Some(before) => *before += &format!(",{}", name(&mut part)),
            None => joined.push(part),
        }
    }
    joined
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_and_channels_are_split_outside_of_names() {
        for (text, file, channel) in [
            ("bench.csv:force", "bench.csv", "force"),
            ("M.mat:M(:,2)", "M.mat", "M(:,2)"),
            ("m.npy:m[:,2]", "m.npy", "m[:,2]"),
            ("C:/bench.csv:force", "C:/bench.csv", "force"),
        ] {
            assert_eq!(file_and_channel(text), Some((file, channel)));
        }
        let file = tempfile::NamedTempFile::new().unwrap();
        let text = format!("{}:a:b", file.path().display());
        assert_eq!(file_and_channel(&text).map(|(_, channel)| channel), Some("a:b"));
        assert_eq!(file_and_channel("500*sin(60*t)"), None);
        let parts = ["x=m[:", "2]", "y=b", "c"].map(str::to_owned);
        assert_eq!(whole_names(&parts), ["x=m[:,2]", "y=b", "c"]);
    }
}
