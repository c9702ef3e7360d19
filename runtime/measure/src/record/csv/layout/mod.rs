//! Layouts of devices and programs that are no tables: each is rewritten as one, with as many lines as far as it can
//! be, so that messages name lines of the file.

mod lvm;
mod oscilloscope;
mod vicon;

use super::heading::{Heading, symbol};
use super::options::CsvReader;

/// A text as a table, and the options with which it is read.
pub struct Rewritten {
    pub text: String,
    pub reader: CsvReader,
    /// Number of samples in the text, and the one that its header states.
    pub samples: Option<[usize; 2]>,
    /// Number of the line of a segment, from 1, whose times begin anew, no one knows when.
    pub anew: Option<u64>,
}

/// Rewrites a text of a layout; `None` if it has another one after all.
pub type Rewrite = fn(&str, CsvReader) -> Option<Rewritten>;

/// Tells by the beginning of a text whether it has a layout.
type Recognise = fn(&str) -> bool;

/// Finds the layout of a text by its beginning; `None` for a table.
pub fn of(head: &[u8]) -> Option<Rewrite> {
    let head = String::from_utf8_lossy(head.get(..4096).unwrap_or(head));
    let known: [(Recognise, Rewrite); 5] = [
        (lvm::is_lvm, lvm::rewrite),
        (oscilloscope::has_settings_beside, oscilloscope::without_settings),
        (oscilloscope::has_settings_above, oscilloscope::with_names),
        (oscilloscope::has_start_and_increment, oscilloscope::with_times),
        (vicon::is_vicon, vicon::rewrite),
    ];
    known.into_iter().find(|(is, _)| is(&head)).map(|(_, rewrite)| rewrite)
}

/// The cells of a line, trimmed and without quotes.
fn cells(line: &str, separator: char) -> Vec<&str> {
    line.split(separator).map(|cell| cell.trim().trim_matches('"').trim()).collect()
}

/// A heading with a unit; without one, what follows the name may be it.
fn heading(name: &str, unit: &str) -> String {
    match unit {
        "" => name.to_owned(),
        unit => Heading { name, unit: Some(symbol(unit)) }.text(),
    }
}

/// Samples of channels at times of their own, as lines of cells; a channel has no cell where it was not sampled.
fn merged(mut samples: Vec<(f64, usize, String)>, channels: usize, separator: char) -> String {
    samples.sort_by(|a, b| a.0.total_cmp(&b.0));
    let mut text = String::new();
    for row in samples.chunk_by(|a, b| a.0 == b.0) {
        let mut line = vec![""; channels];
        for (_, channel, cell) in row {
            if let Some(place) = line.get_mut(*channel) {
                *place = cell;
            }
        }
        let time = row.first().map_or(0.0, |(time, ..)| *time);
        text += &format!("{time:?}{separator}{}\n", line.join(&separator.to_string()));
    }
    text
}

/// A sum of times without the rounding after its digits.
fn sum(start: f64, count: usize, interval: f64) -> f64 {
    let value = start + count as f64 * interval;
    format!("{value:.14e}").parse().unwrap_or(value)
}
