//! Records that commands read, with what is doubtful about them.

use std::path::Path;

use costate::measure::{CsvReader, Record, RecordError};

use crate::doubts;

/// Reads a record for a run, a fit or a filter, and says what is doubtful about it. Rounded times are replaced by those
/// of the clock that gives them.
///
/// # Errors
/// [`RecordError`].
pub fn read_record(path: &Path, reader: &CsvReader) -> Result<Record, RecordError> {
    costate::campaign::reading::read_record(path, reader, &doubts::of)
}

/// Returns the samples of a record from 0 s on, the begin of a run, and says how many come before it.
///
/// # Errors
/// [`RecordError::NoSamples`] if all do.
pub fn since_begin(record: Record) -> Result<Record, RecordError> {
    costate::campaign::reading::since_begin(record, &doubts::of)
}
