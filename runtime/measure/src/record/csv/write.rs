//! Writes records as text with commas.

use std::io::Write;
use std::path::Path;

use ::csv::{QuoteStyle, WriterBuilder};
use costate_contract::files::NewFile;

use super::heading::Heading;
use super::{Record, RecordError};

impl Record {
    /// Writes the record as a file that [`read_csv`](Record::read_csv) reads back bit by bit.
    ///
    /// # Errors
    /// [`RecordError::File`], [`RecordError::Table`].
    pub fn write_csv(&self, path: impl AsRef<Path>) -> Result<(), RecordError> {
        let path = path.as_ref();
        let failed = |source| RecordError::File { file: path.display().to_string(), source };
        let mut file = NewFile::create(path).map_err(failed)?;
        self.to_csv(&mut file).map_err(|error| match error {
            RecordError::File { source, .. } => failed(source),
            error => error,
        })?;
        file.finish().map_err(failed)
    }

    /// Writes the record as comma separated text: every number with the fewest digits that give the same bits,
    /// and an empty cell for a missing sample.
    ///
    /// # Errors
    /// [`RecordError::Table`]; [`RecordError::File`] where the writer takes no more.
    pub fn to_csv(&self, mut writer: impl Write) -> Result<(), RecordError> {
        let failed = |source: ::csv::Error| {
            let file = self.name.clone();
            match source.is_io_error() {
                true => RecordError::File { file, source: source.into() },
                false => RecordError::Table { file, source },
            }
        };
        let headings =
            self.channels.iter().map(|channel| Heading { name: &channel.name, unit: channel.unit.as_deref() }.text());
        let headings: Vec<_> = std::iter::once("time [s]".to_owned()).chain(headings).collect();
        // Readers would take these characters for separators.
        let others = headings.iter().any(|heading| heading.contains(['\t', ';', '|']));
        let style = if others { QuoteStyle::Always } else { QuoteStyle::Necessary };
        let mut header = WriterBuilder::new().quote_style(style).from_writer(&mut writer);
        header.write_record(headings).map_err(failed)?;
        header.flush().map_err(|error| failed(error.into()))?;
        drop(header);
        let mut writer = WriterBuilder::new().from_writer(writer);
        for (i, time) in self.times.iter().enumerate() {
            let values = self.channels.iter().map(|channel| match channel.values.get(i) {
                Some(value) if !value.is_nan() => format!("{value:?}"),
                _ => String::new(),
            });
            writer.write_record(std::iter::once(format!("{time:?}")).chain(values)).map_err(failed)?;
        }
        writer.flush().map_err(|error| failed(error.into()))
    }
}
