//! Records as text: a line of names with units, then one line of numbers per time.
//!
//! `text` decodes the bytes, `lines` finds lines and cells, and `sniff` finds out from the first of them how the file
//! is written; `layout` rewrites texts that are no tables before that, and `options` has what a caller may set. `names`
//! has the columns' names and units, and `table` reads line after line: `clock` the times, which `stamp` reads where
//! they are dates and `stamps` judges beside what lines above the names have `stated`, and `decimal` the numbers, whose
//! last one `cut` judges. `taken` says what the file was taken to be.

mod clock;
mod cut;
mod decimal;
mod heading;
mod layout;
mod lines;
mod names;
mod options;
mod read;
mod sniff;
mod stamp;
mod stamps;
mod stated;
mod table;
mod taken;
mod text;
mod write;

use std::io::Read;
use std::path::Path;

pub use decimal::Decimal;
pub(super) use heading::{Heading, foreign_time, is_time, keeps_unit, time_unit, unwrapped};
pub use lines::Separator;
pub use options::{Column, CsvReader};
pub use stamp::DateOrder;
pub(super) use stamps::{is_usual, unusual};
pub use taken::{Clocked, Doubt, Taken, Units};
pub use text::{Encoding, NotText};

use super::{CellFault, Channel, Record, RecordError, SampleFault};

impl Record {
    /// A reader of columns with options, for files that do not say everything about themselves.
    pub fn reader() -> CsvReader {
        CsvReader::default()
    }

    /// Reads a CSV file; see [`from_csv`](Record::from_csv).
    ///
    /// # Errors
    /// [`RecordError`], naming the file, the line and the column.
    pub fn read_csv(path: impl AsRef<Path>) -> Result<Self, RecordError> {
        Self::reader().read(path)
    }

    /// Reads columns of numbers: a header such as `time [s],acceleration [m/s^2]`, then one line of numbers per time.
    /// Error messages call the text `name`.
    ///
    /// The file shows how it is written, and [`taken`](Record::taken) says what was taken: cells between commas,
    /// semicolons, tabs, `|` or blanks; decimal points or commas; UTF-8, UTF-16 or Windows-1252; lines before the
    /// header; units in brackets, in parentheses or in a row of their own. Where two readings are possible, such as
    /// `1,234` for 1.234 or 1234, the error names the option of [`reader`](Record::reader) to set.
    ///
    /// The time column is called `time` or `t`, or, where there is none of these, by another common name such as
    /// `Timestamp`, `Zeit` or `time_ms`. Times in another unit, `time [ms]`, are converted to seconds. Dates are
    /// read as well, and so are times of day; they count from the first date, or from midnight. Numbers that are
    /// so large that doubles cannot hold their digits, as seconds since 1970 with microseconds, count from the first.
    /// Times that repeat because they have too few digits are replaced by those of an even clock if they fit one.
    ///
    /// A cell that is empty, `NaN` or `NA`, in small or capital letters, is a missing sample of its channel, and so is
    /// what instruments write for it, `---` or `OVERFLOW`, of which `taken` has the number; times may not be missing.
    /// Lines that start with `#` and blank lines are skipped.
    ///
    /// # Errors
    /// [`RecordError`], naming the line and the column.
    pub fn from_csv(reader: impl Read, name: &str) -> Result<Self, RecordError> {
        Self::reader().read_from(reader, name)
    }

    /// Description of what the file was taken to be; `None` for a record that was made of numbers.
    pub fn taken(&self) -> Option<&Taken> {
        self.taken.as_deref()
    }
}
