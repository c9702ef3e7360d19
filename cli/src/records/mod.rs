//! `costate records`, `costate convert` and `costate spectra`: files of measuring devices, listed, written in other formats, and their spectra.

mod channel;
mod convert;
mod list;
mod plot;
mod spectra;

use std::path::{Path, PathBuf};

use clap::Args;
use costate_record::{RecordError, Recording};

pub use convert::{ConvertOptions, convert};
pub use list::{Options, run};
pub use spectra::{SpectraOptions, spectra};

/// The channels that are taken, and times for those for which the file has none.
#[derive(Debug, Args)]
struct Choice {
    /// Takes the channels with this name or pattern: `*` stands for any text, `?` for one character. May be given several times.
    #[arg(long, value_name = "PATTERN", num_args = 1..)]
    channels: Vec<String>,
    /// Takes the channels of the groups with this name or pattern. May be given several times.
    #[arg(long, value_name = "PATTERN", num_args = 1..)]
    group: Vec<String>,
    /// The channel of times, where the file does not tell.
    #[arg(long, value_name = "CHANNEL", conflicts_with_all = ["rate", "rate_of"])]
    time: Option<String>,
    /// The sampling rate in Hz of channels for which the file has no times.
    #[arg(long, value_name = "HZ", conflicts_with = "rate_of")]
    rate: Option<f64>,
    /// The variable whose only value is the sampling rate in Hz.
    #[arg(long, value_name = "CHANNEL")]
    rate_of: Option<String>,
}

impl Choice {
    fn open(&self, path: &Path) -> Result<Recording, RecordError> {
        let mut recording = Recording::open(path)?;
        for pattern in &self.channels {
            recording = recording.channels(pattern);
        }
        for pattern in &self.group {
            recording = recording.group(pattern);
        }
        if let Some(channel) = &self.time {
            recording = recording.time(channel);
        }
        if let Some(rate) = self.rate {
            recording = recording.rate(rate);
        }
        if let Some(channel) = &self.rate_of {
            recording = recording.rate_of(channel);
        }
        Ok(recording)
    }
}

/// A file as an argument.
type File = PathBuf;
