//! Measurement files of LabVIEW: a header of the file, then segments with headers of their own, and a column of
//! comments.

use super::super::decimal::{Decimal, Exact, number};
use super::super::lines::Separator;
use super::super::stamp::Stamp;
use super::{CsvReader, Rewritten, cells, heading, merged, sum};

/// Text of the last line of a header.
const END: &str = "***End_of_Header***";

/// The columns of times.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Times {
    /// One for all channels.
    One,
    /// One for each channel.
    Each,
    /// No column of times: a segment has its start and its interval.
    Nowhere,
}

/// The content of the headers.
struct Head {
    separator: char,
    decimal: Decimal,
    times: Times,
}

/// A segment.
#[derive(Default)]
struct Segment<'a> {
    /// Lines of its header, as cells.
    head: Vec<Vec<&'a str>>,
    /// Line of the names, and cells of it.
    names: (usize, Vec<&'a str>),
    /// Lines of data, and their cells.
    rows: Vec<(usize, Vec<&'a str>)>,
}

/// Recognises the first line.
pub fn is_lvm(head: &str) -> bool {
    head.trim_start().starts_with("LabVIEW Measurement")
}

/// Takes names, units, times and values of all segments.
pub fn rewrite(text: &str, reader: CsvReader) -> Option<Rewritten> {
    let head = Head::of(text)?;
    let segments = segments(text, head.separator);
    let first = segments.first()?;
    let table = match head.times {
        Times::Each => first.table_of_pairs(&segments, &head)?,
        Times::Nowhere if segments.iter().any(|segment| !segment.has_one_clock(&head)) => {
            first.table_of_clocks(&segments, &head)?
        }
        _ => first.table(&segments, &head, text)?,
    };
    let separator = if head.separator == ',' { Separator::Comma } else { Separator::Tab };
    let stated = segments.iter().map(|segment| segment.samples(&head)).sum::<Option<usize>>();
    let samples = stated.map(|stated| [segments.iter().map(|segment| segment.rows.len()).sum(), stated]);
    Some(Rewritten {
        text: table,
        reader: reader.separator(separator).decimal(head.decimal),
        samples,
        anew: anew(&segments, &head),
    })
}

/// Returns the number of the line of names of the first segment that does not follow the one before, since its times
/// begin anew and headers do not say when.
fn anew(segments: &[Segment<'_>], head: &Head) -> Option<u64> {
    let first = segments.first()?;
    let mut last = f64::NEG_INFINITY;
    segments.iter().find_map(|segment| {
        let (start, interval) = segment.clock(0, head);
        let time = |row: Option<usize>| match head.times {
            Times::Nowhere => Some(sum(start, row?, interval?)),
            _ => head.number(segment.rows.get(row?)?.1.first()?),
        };
        let end = segment.rows.len().checked_sub(1);
        let (begin, end) = (time(end.map(|_| 0))?, time(end).unwrap_or(last));
        // channels with times of their own are not shifted
        let shift = if head.times == Times::Each { 0.0 } else { segment.shift(first, begin, last) };
        let is_anew = begin + shift <= last;
        last = last.max(end + shift);
        is_anew.then_some(segment.names.0 as u64 + 1)
    })
}

impl Head {
    fn of(text: &str) -> Option<Self> {
        let lines = || text.lines().take_while(|line| !line.starts_with(END));
        let separator = if lines().any(|line| line.starts_with("Separator,") || line.trim_end() == "Separator\tComma") {
            ','
        } else {
            '\t'
        };
        let value = |key: &str| {
            lines().map(|line| cells(line, separator)).find(|line| line.first() == Some(&key))?.get(1).copied()
        };
        let times = match value("X_Columns") {
            Some("Multi") => Times::Each,
            Some("No") => Times::Nowhere,
            _ => Times::One,
        };
        // a comma between commas is an empty cell
        let is_comma = value("Decimal_Separator") == Some(",");
        Some(Self { separator, decimal: if is_comma { Decimal::Comma } else { Decimal::Point }, times })
    }

    fn number(&self, cell: &str) -> Option<f64> {
        number(cell.as_bytes(), self.decimal, false)
    }
}

/// Splits a text into its segments.
fn segments(text: &str, separator: char) -> Vec<Segment<'_>> {
    let mut all: Vec<Segment<'_>> = Vec::new();
    let (mut is_in_header, mut is_below) = (true, false);
    for (number, line) in text.lines().enumerate() {
        let cells = cells(line, separator);
        let key = cells.first().copied().unwrap_or_default();
        if key == END {
            (is_in_header, is_below) = (false, true);
        } else if cells.iter().all(|cell| cell.is_empty()) {
            // between segments
        } else if key == "Channels" {
            is_in_header = true;
            all.push(Segment { head: vec![cells], ..Segment::default() });
        } else if is_in_header {
            if let Some(segment) = all.last_mut() {
                segment.head.push(cells);
            }
        } else if is_below {
            is_below = false;
            match all.last_mut().filter(|segment| segment.names.1.is_empty()) {
                Some(segment) => segment.names = (number, cells),
                None => all.push(Segment { names: (number, cells), ..Segment::default() }),
            }
        } else if let Some(segment) = all.last_mut() {
            segment.rows.push((number, cells));
        }
    }
    all.retain(|segment| !segment.names.1.is_empty());
    all
}

impl Segment<'_> {
    fn line(&self, key: &str) -> Option<&[&str]> {
        self.head.iter().find(|line| line.first() == Some(&key)).map(Vec::as_slice)
    }

    /// The number of samples of the longest channel, as the header states it.
    fn samples(&self, head: &Head) -> Option<usize> {
        let numbers = self.line("Samples")?.iter().skip(1).filter_map(|cell| head.number(cell));
        numbers.reduce(f64::max).map(|number| number as usize)
    }

    /// A text of the header for the channel with this number.
    fn of_channel(&self, key: &str, channel: usize) -> &str {
        let place = match self.line("Samples") {
            // cells of pairs have empty ones between them
            Some(line) => line.iter().enumerate().skip(1).filter(|(_, cell)| !cell.is_empty()).nth(channel),
            None => None,
        };
        let place = place.map_or(channel + 1, |(place, _)| place);
        self.line(key).and_then(|line| line.get(place)).copied().unwrap_or_default()
    }

    /// Names and units of the channels whose names stand in these columns.
    fn headings(&self, columns: impl Iterator<Item = usize>) -> Vec<String> {
        let name = |(channel, column): (usize, usize)| {
            heading(self.names.1.get(column).unwrap_or(&""), self.of_channel("Y_Unit_Label", channel))
        };
        columns.enumerate().map(name).collect()
    }

    /// Number of columns without that of comments.
    fn columns(&self) -> usize {
        let filled = self.names.1.iter().rposition(|cell| !cell.is_empty()).map_or(0, |last| last + 1);
        if self.names.1.get(filled.wrapping_sub(1)) == Some(&"Comment") { filled - 1 } else { filled }
    }

    /// The time at which the segment was begun.
    fn begin(&self) -> Option<Exact> {
        let text = format!("{} {}", self.of_channel("Date", 0), self.of_channel("Time", 0).replace(',', "."));
        Stamp::parse(text.get(..text.len().min(26))?.as_bytes())?.seconds(None)
    }

    /// The start and the interval of a channel whose times are not in the segment.
    fn clock(&self, channel: usize, head: &Head) -> (f64, Option<f64>) {
        let number = |key: &str| head.number(self.of_channel(key, channel));
        (number("X0").unwrap_or(0.0), number("Delta_X"))
    }

    /// Checks whether all channels have the same times.
    fn has_one_clock(&self, head: &Head) -> bool {
        (2..self.columns()).all(|column| self.clock(column - 1, head) == self.clock(0, head))
    }

    /// The time after which a segment that begins at `first` goes on, 0 where it follows `last`: segments whose times
    /// begin again have the distance of their stamps.
    fn shift(&self, beginning: &Self, first: f64, last: f64) -> f64 {
        let later = || self.begin()?.minus(beginning.begin()?);
        if first > last { 0.0 } else { later().filter(|shift| first + shift > last).unwrap_or(0.0) }
    }

    /// The table of channels with common times.
    fn table(&self, segments: &[Self], head: &Head, text: &str) -> Option<String> {
        let (columns, separator) = (self.columns(), head.separator.to_string());
        // the header stays, and is listed
        let line = |(number, line): (usize, &str)| {
            if number < self.names.0 { line.to_owned() } else { String::new() }
        };
        let mut all: Vec<String> = text.lines().enumerate().map(line).collect();
        let names = self.headings(1..columns).join(&separator);
        *all.get_mut(self.names.0)? = format!("time [s]{separator}{names}");
        let mut last = f64::NEG_INFINITY;
        for segment in segments {
            let (start, interval) = segment.clock(0, head);
            let time = |row: usize, cells: &[&str]| match head.times {
                Times::Nowhere => interval.map(|interval| sum(start, row, interval)),
                _ => cells.first().and_then(|cell| head.number(cell)),
            };
            let first = segment.rows.first().and_then(|(_, cells)| time(0, cells)).unwrap_or(0.0);
            let shift = segment.shift(self, first, last);
            for (row, (number, cells)) in segment.rows.iter().enumerate() {
                let own = time(row, cells);
                last = own.map_or(last, |time| time + shift);
                let cell = match own {
                    Some(time) if shift != 0.0 || head.times == Times::Nowhere => {
                        let text = format!("{:?}", sum(time, 1, shift));
                        if head.decimal == Decimal::Comma { text.replace('.', ",") } else { text }
                    }
                    _ => cells.first().copied().unwrap_or_default().to_owned(),
                };
                let values = cells.get(1..columns.min(cells.len())).unwrap_or_default().join(&separator);
                *all.get_mut(*number)? = format!("{cell}{separator}{values}");
            }
        }
        Some(all.join("\n") + "\n")
    }

    /// The table of channels that begin at times of their own, or have intervals of their own.
    fn table_of_clocks(&self, segments: &[Self], head: &Head) -> Option<String> {
        let channels = self.columns().saturating_sub(1);
        let (mut samples, mut last) = (Vec::new(), f64::NEG_INFINITY);
        for segment in segments {
            let clock = |channel| {
                let (start, interval) = segment.clock(channel, head);
                Some((start, interval?))
            };
            let clocks: Vec<(f64, f64)> = (0..channels).map(clock).collect::<Option<_>>()?;
            let first = clocks.iter().map(|(start, _)| *start).fold(f64::INFINITY, f64::min);
            let shift = segment.shift(self, first, last);
            for (row, (_, cells)) in segment.rows.iter().enumerate() {
                let values = cells.iter().skip(1).zip(&clocks).enumerate();
                for (channel, (cell, (start, interval))) in values.filter(|(_, (cell, _))| !cell.is_empty()) {
                    let time = sum(sum(*start, row, *interval), 1, shift);
                    last = last.max(time);
                    samples.push((time, channel, (*cell).to_owned()));
                }
            }
        }
        Some(self.merged(samples, 1..=channels, head))
    }

    /// The table of channels with times of their own.
    fn table_of_pairs(&self, segments: &[Self], head: &Head) -> Option<String> {
        let pairs = self.columns() / 2;
        let mut samples = Vec::new();
        for segment in segments {
            for (_, cells) in &segment.rows {
                for channel in 0..pairs {
                    let (Some(time), Some(value)) = (cells.get(2 * channel), cells.get(2 * channel + 1)) else {
                        break;
                    };
                    if !time.is_empty() {
                        samples.push((head.number(time)?, channel, (*value).to_owned()));
                    }
                }
            }
        }
        Some(self.merged(samples, (0..pairs).map(|channel| 2 * channel + 1), head))
    }

    /// The table of samples of the channels whose names stand in these columns.
    fn merged(&self, samples: Vec<(f64, usize, String)>, columns: impl Iterator<Item = usize>, head: &Head) -> String {
        let separator = head.separator.to_string();
        let names = self.headings(columns);
        let mut table = merged(samples, names.len(), head.separator);
        if head.decimal == Decimal::Comma {
            table = table.replace('.', ",");
        }
        format!("time [s]{separator}{}\n{table}", names.join(&separator))
    }
}
