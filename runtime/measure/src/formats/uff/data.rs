//! Record 12: the numbers.

use super::header::{Coding, Header};
use super::lines::{Lines, number, trimmed};
use crate::formats::input::room;
use crate::formats::numbers::NumberKind;
use crate::formats::{Format, FormatError};

/// The numbers of a function.
pub(super) struct Values {
    /// Abscissa of each value, where it is uneven.
    pub abscissa: Option<Vec<f64>>,
    pub real: Vec<f64>,
    pub imaginary: Vec<f64>,
}

/// Reads the numbers of a function and the end of its data set.
pub(super) fn read(lines: &mut Lines, header: &Header) -> Result<Values, FormatError> {
    let mut sorter = Sorter::new(lines, header)?;
    match header.coding {
        Coding::Text => {
            text(lines, header, &mut sorter)?;
            if sorter.values() < header.count {
                let found = sorter.values();
                return Err(lines.broken(format!("{} values are announced, and {found} are there", header.count)));
            }
        }
        Coding::Binary { is_little_endian, bytes } => binary(lines, header, is_little_endian, bytes, &mut sorter)?,
    }
    let abscissa = sorter.abscissa;
    if let Some(stamps) = &abscissa
        && let Some(at) = stamps.iter().position(|stamp| !stamp.is_finite())
    {
        return Err(lines.broken(format!("the abscissa of value {at} is no number")));
    }
    Ok(Values { abscissa, real: sorter.real, imaginary: sorter.imaginary })
}

/// Distributes numbers in the order of the file.
struct Sorter {
    abscissa: Option<Vec<f64>>,
    real: Vec<f64>,
    imaginary: Vec<f64>,
    is_complex: bool,
    /// Place of the next number within its value.
    place: u64,
    per_value: u64,
    count: u64,
}

impl Sorter {
    fn new(lines: &Lines, header: &Header) -> Result<Self, FormatError> {
        // no number takes fewer bytes than two, a digit and what separates it
        let announced = header.count.saturating_mul(header.per_value());
        if announced.saturating_mul(2) > lines.rest().len() as u64 + 2 {
            return Err(lines.broken(format!("{} values are announced, for which the file is too short", header.count)));
        }
        // numbers of text usually fill columns; where they do not, vectors grow
        let expected = match header.coding {
            Coding::Text => header.count.min(lines.rest().len() as u64 / (12 * header.per_value()) + 1),
            Coding::Binary { .. } => header.count,
        };
        let vector = || room(expected).map_err(|source| FormatError::Memory { file: Format::Uff.to_string(), source });
        Ok(Self {
            abscissa: if header.is_even { None } else { Some(vector()?) },
            real: vector()?,
            imaginary: if header.is_complex { vector()? } else { Vec::new() },
            is_complex: header.is_complex,
            place: 0,
            per_value: header.per_value(),
            count: header.count,
        })
    }

    fn push(&mut self, value: f64) {
        // what follows fills the last line, and is no value
        if self.real.len() as u64 == self.count && self.place == 0 {
            return;
        }
        let place = self.place + u64::from(self.abscissa.is_none());
        match (&mut self.abscissa, place) {
            (Some(stamps), 0) => stamps.push(value),
            (_, 1) => self.real.push(value),
            _ => self.imaginary.push(value),
        }
        self.place = (self.place + 1) % self.per_value;
    }

    /// Number of complete values.
    fn values(&self) -> u64 {
        let parts = [
            self.abscissa.as_ref().map(Vec::len),
            Some(self.real.len()),
            self.is_complex.then_some(self.imaginary.len()),
        ];
        parts.into_iter().flatten().min().unwrap_or(0) as u64
    }
}

fn text(lines: &mut Lines, header: &Header, sorter: &mut Sorter) -> Result<(), FormatError> {
    let widths: &[usize] = match (header.is_double, header.is_complex, header.is_even) {
        (false, ..) => &[13],
        (true, _, true) => &[20],
        (true, false, false) => &[13, 20],
        (true, true, false) => &[13, 20, 20],
    };
    loop {
        let Some(line) = lines.next_raw() else {
            return Err(lines.broken("the data set has no end, a line of `-1`"));
        };
        if trimmed(&line) == "-1" && (sorter.values() >= header.count || !is_value(lines)) {
            return Ok(());
        }
        // blanks separate numbers, unless these fill their columns
        let by_blanks: Option<Vec<f64>> = line.split_whitespace().map(number).collect();
        let values = by_blanks.or_else(|| by_columns(&line, widths));
        let Some(values) = values else {
            return Err(lines.broken(format!("`{}` is no line of numbers", line.chars().take(40).collect::<String>())));
        };
        values.into_iter().for_each(|value| sorter.push(value));
    }
}

/// Checks whether a line of -1 alone before all values are there is a value: another line of numbers follows.
fn is_value(lines: &Lines) -> bool {
    let rest = lines.rest();
    let end = rest.iter().position(|byte| *byte == b'\n').unwrap_or(rest.len());
    let next = String::from_utf8_lossy(rest.get(..end).unwrap_or_default()).into_owned();
    let next = trimmed(&next);
    next != "-1" && next.split_whitespace().next().is_some_and(|word| number(word).is_some())
}

fn by_columns(line: &str, widths: &[usize]) -> Option<Vec<f64>> {
    let mut values = Vec::new();
    let mut rest = line;
    for width in widths.iter().cycle() {
        if rest.trim().is_empty() {
            break;
        }
        let (cell, after) = rest.split_at_checked((*width).min(rest.len()))?;
        values.push(number(cell)?);
        rest = after;
    }
    Some(values)
}

fn binary(
    lines: &mut Lines,
    header: &Header,
    is_little_endian: bool,
    bytes: u64,
    sorter: &mut Sorter,
) -> Result<(), FormatError> {
    let rest = lines.rest();
    let size: u64 = if header.is_double { 8 } else { 4 };
    let ordinates = 1 + u64::from(header.is_complex);
    // writers disagree whether the abscissa of double values has double precision: the end of the data set shows it
    let abscissae: &[u64] = match (header.is_even, header.is_double) {
        (true, _) => &[0],
        (false, false) => &[4],
        (false, true) => &[8, 4],
    };
    let total = |abscissa: u64| header.count.saturating_mul(abscissa + ordinates * size);
    let ends = |abscissa: &&u64| end_after(rest, total(**abscissa)).is_some();
    let abscissa = abscissae
        .iter()
        .find(ends)
        .or_else(|| abscissae.iter().find(|abscissa| total(**abscissa) == bytes && bytes <= rest.len() as u64));
    let Some(abscissa) = abscissa.copied() else {
        return Err(lines.broken(format!("the data set does not end after {} binary values, with `-1`", header.count)));
    };
    let data = rest.get(..total(abscissa) as usize).unwrap_or_default();
    let mut at = 0;
    while at < data.len() {
        let width = if sorter.place == 0 && abscissa > 0 { abscissa } else { size } as usize;
        let Some(piece) = data.get(at..at + width) else { break };
        sorter.push(NumberKind::Float.value(piece, is_little_endian).0);
        at += width;
    }
    match end_after(rest, total(abscissa)) {
        Some(end) => lines.at += end,
        None => return Err(lines.broken("the data set does not end with `-1`")),
    }
    Ok(())
}

/// Number of bytes up to the line after the data set, if it ends after so many bytes of data.
fn end_after(rest: &[u8], data: u64) -> Option<usize> {
    let data = usize::try_from(data).ok()?;
    let behind = rest.get(data..)?;
    let line_end = behind.iter().take_while(|byte| matches!(byte, b'\r' | b'\n')).take(2).count();
    let behind = behind.get(line_end..)?;
    let line = behind.get(..behind.iter().position(|byte| *byte == b'\n').unwrap_or(behind.len()))?;
    (line.trim_ascii() == b"-1").then_some((data + line_end + line.len() + 1).min(rest.len()))
}
