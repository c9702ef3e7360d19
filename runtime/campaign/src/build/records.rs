//! The records of a campaign, each of which is read once.

use std::path::PathBuf;

use costate_measure::record::{CsvReader, Record};
use costate_measure::signal::unwrapped;

use crate::ChannelEntry;
use crate::error::{CampaignError, Fault};
use crate::files::FilePath;
use crate::place::{Located, Place};
use crate::reading::read_record;
use crate::seen::{Observe, Seen};

/// Records by their paths and readers.
pub struct Records<'o> {
    observe: Observe<'o>,
    reader: CsvReader,
    known: Vec<(PathBuf, CsvReader, Record)>,
}

impl<'o> Records<'o> {
    /// Creates an empty store; `observe` is told of every record that is read.
    pub fn new(observe: Observe<'o>) -> Self {
        Self { observe, reader: CsvReader::default(), known: Vec::new() }
    }

    /// Reads the records that follow with these options.
    pub fn read_by(&mut self, reader: CsvReader) {
        self.reader = reader;
    }

    /// Returns the record in a file.
    ///
    /// # Errors
    /// [`Fault::Record`].
    pub fn at(&mut self, path: &Located<FilePath>) -> Result<Record, CampaignError> {
        let is_same =
            |(known, reader, _): &&(PathBuf, CsvReader, Record)| *known == path.value.0 && *reader == self.reader;
        if let Some((.., record)) = self.known.iter().find(is_same) {
            return Ok(record.clone());
        }
        let record = read_record(&path.value, &self.reader, self.observe);
        let record = record.map_err(|error| CampaignError::new(&path.place, error))?;
        self.known.push((path.value.0.clone(), self.reader.clone(), record.clone()));
        Ok(record)
    }

    /// Returns the record of a channel, which has the given unit if it has none in the file; the record of the
    /// experiment unless another one is given.
    ///
    /// # Errors
    /// [`Fault::Record`], [`Fault::TwoUnits`] and [`Fault::NeedsRecord`].
    pub fn of_channel(
        &mut self,
        entry: &ChannelEntry,
        of_experiment: Option<&Located<FilePath>>,
        name: &str,
        place: &Place,
    ) -> Result<Record, CampaignError> {
        let missing = || CampaignError::new(place, Fault::NeedsRecord { field: "channel" });
        let record = self.at(entry.record.as_ref().or(of_experiment).ok_or_else(missing)?)?;
        let record = with_unit(record, entry, name)?;
        match entry.unwrap {
            Some(true) => continued(&record, name, self.observe, place),
            _ => Ok(record),
        }
    }
}

/// Continues an angle over turns.
///
/// # Errors
/// [`Fault::Text`] for a channel in another unit than that of an angle.
pub fn continued(record: &Record, name: &str, observe: Observe<'_>, place: &Place) -> Result<Record, CampaignError> {
    let made = unwrapped(record, &[name]).map_err(|error| CampaignError::new(place, Fault::Text(error.to_string())))?;
    observe(Seen::Continued { record, channel: name });
    Ok(made)
}

/// Gives the channel the unit of its entry, if it has none in the file.
fn with_unit(record: Record, entry: &ChannelEntry, name: &str) -> Result<Record, CampaignError> {
    let Some(unit) = &entry.unit else { return Ok(record) };
    let refused = |error| CampaignError::new(&unit.place, error);
    let channel = record.channel(name).map_err(|error| refused(Fault::Record(error)))?;
    match channel.unit() {
        Some(given) if given != unit.value => Err(refused(Fault::TwoUnits {
            channel: name.to_owned(),
            record: record.name().to_owned(),
            given: given.to_owned(),
        })),
        Some(_) => Ok(record),
        None => record.with_unit_of(name, &unit.value).map_err(|error| refused(Fault::Record(error))),
    }
}

/// Lists the channels of a record.
pub fn channels(record: &Record) -> Vec<String> {
    record.channels().iter().map(|channel| channel.name().to_owned()).collect()
}
