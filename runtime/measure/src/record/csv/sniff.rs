//! Finds out from the beginning of a file how it is written: separator, decimals, and the lines with names and units.

use super::decimal::{Decimal, Tells, missing, number, tells};
use super::heading::{foreign_time, is_bare_unit, is_date, is_time, is_time_pattern, time_unit, unwrapped};
use super::lines::{Cells, Separator, is_blank, is_comment, line_at};
use super::options::{Column, CsvReader};
use super::stamp::Stamp;
use super::stated::{rates, samples};
use super::{CellFault, RecordError};

/// Largest number of lines that are looked at.
const EXAMINED_LINES: usize = 3000;

/// Name of the last column of LabVIEW's files, which most lines leave out.
const LVM_COMMENT: &str = "Comment";

/// A line at the beginning of a file.
#[derive(Debug, Clone, Copy)]
struct HeadLine<'a> {
    number: u64,
    text: &'a [u8],
    is_comment: bool,
}

/// Findings from the beginning of a file.
#[derive(Debug)]
pub struct Dialect {
    pub separator: Separator,
    pub decimal: Option<Decimal>,
    /// Cells of the line with the names and its number; `None` without such a line.
    pub heading: Option<(u64, Vec<String>)>,
    /// Cells of the line with the units and its number.
    pub units: Option<(u64, Vec<String>)>,
    /// Lines before the heading.
    pub before: Vec<String>,
    /// The rates in Hz and the number of samples that these lines and comments state.
    pub rates: Vec<f64>,
    pub samples: Option<usize>,
    /// Number of the line with which the data begin, or after which they may.
    pub first: u64,
    /// Cells of the first lines of data, with their numbers.
    pub rows: Vec<(u64, Vec<String>)>,
}

/// The cells of a line, by kind.
#[derive(Debug, Clone, Copy, Default)]
struct Kinds {
    /// Number of cells, and that without empty ones at the end.
    all: usize,
    filled: usize,
    numbers: usize,
    stamps: usize,
    texts: usize,
}

impl Kinds {
    fn of(cells: &Cells, line: &[u8], options: &CsvReader) -> Self {
        let mut kinds = Self { all: cells.len(), ..Self::default() };
        for cell in 0..cells.len() {
            let text = cells.get(cell, line);
            if text.is_empty() {
                continue;
            }
            kinds.filled = cell + 1;
            let grouped = || options.thousands && number(text, Decimal::Comma, true).is_some();
            if options.ignores(cell) || missing(text, &options.missing).is_some() {
            } else if tells(text).is_some() || grouped() {
                kinds.numbers += 1;
            } else if Stamp::parse(text).is_some() {
                kinds.stamps += 1;
            } else {
                kinds.texts += 1;
            }
        }
        kinds
    }

    fn is_data(&self) -> bool {
        self.texts == 0 && self.numbers + self.stamps > 0
    }

    /// Checks whether these are the headings of the columns of a line of data.
    fn heads(&self, data: &Self) -> bool {
        self.texts > 0 && self.filled <= data.all && data.filled <= self.all
    }
}

/// Reading of the lines with one of the separators.
struct Candidate {
    separator: Separator,
    /// Index of the first line of data.
    first: usize,
    heading: Option<usize>,
    units: Option<usize>,
    /// True if the columns have headings, or there is no text above them at all.
    fits: bool,
    /// Number of lines that are data with as many cells as the first.
    matched: usize,
    width: usize,
}

/// Finds out how a file is written; `None` if more of it must be known.
pub fn dialect(bytes: &[u8], is_all: bool, options: &CsvReader, file: &str) -> Result<Option<Dialect>, RecordError> {
    let mut lines = head_lines(bytes, is_all, options);
    let mut separator = options.separator;
    if let Some(given) = lines.first().and_then(|line| said_separator(line.text)) {
        lines.remove(0);
        separator = separator.or(Some(given));
    }
    let tried: Vec<Separator> = separator.map_or(Separator::ALL.to_vec(), |given| vec![given]);
    let mut best: Option<Candidate> = None;
    // a comma within numbers separates no cells, unless the cells are quoted or have names
    let is_within = |one: &Candidate| {
        let is_asked = separator.is_none() && options.decimal == Some(Decimal::Comma);
        is_asked && one.separator == Separator::Comma && one.heading.is_none() && !bytes.contains(&b'"')
    };
    for candidate in tried.iter().filter_map(|separator| Candidate::of(&lines, *separator, options)) {
        let key = |one: &Candidate| (!is_within(one), one.fits, one.matched, one.width);
        if best.as_ref().is_none_or(|best| key(&candidate) > key(best)) {
            best = Some(candidate);
        }
    }
    let best = match best {
        Some(best) => best,
        // so many lines without a number will not be followed by one
        None if !is_all && lines.len() < EXAMINED_LINES => return Ok(None),
        None => match Candidate::without_data(&lines, separator, options) {
            Some(candidate) => candidate,
            None => return Err(RecordError::Empty { file: file.to_owned() }),
        },
    };
    let found = best.dialect(&lines, options, file)?;
    if found.heading.is_none() && separator.is_none() && found.separator == Separator::Comma {
        check_plain_commas(&found.rows, options, file)?;
    }
    Ok(Some(found))
}

/// Returns the lines at the beginning of a text that are not blank, without those that the caller skips.
fn head_lines<'a>(bytes: &'a [u8], is_all: bool, options: &CsvReader) -> Vec<HeadLine<'a>> {
    let (mut lines, mut from, mut number) = (Vec::new(), 0, 1);
    while from < bytes.len() && lines.len() < EXAMINED_LINES {
        let Some(place) = line_at(bytes, from, is_all, options.separator) else { break };
        let text = bytes.get(from..place.end).unwrap_or_default();
        if !is_blank(text) && number > options.skip {
            lines.push(HeadLine { number, text, is_comment: is_comment(text) });
        }
        from = place.next;
        number += place.ends;
    }
    lines
}

/// Returns the separator of a line `sep=;`, which Excel writes.
fn said_separator(line: &[u8]) -> Option<Separator> {
    let line = line.trim_ascii_start();
    let line = line.strip_prefix(b"\"").unwrap_or(line);
    let (word, rest) = line.split_at_checked(4)?;
    let is = |separator: &Separator| {
        let byte = separator.byte();
        rest.first() == Some(&byte) && rest.iter().skip(1).all(|b| *b == b'"' || b.is_ascii_whitespace())
    };
    word.eq_ignore_ascii_case(b"sep=").then(|| Separator::ALL.into_iter().find(is))?
}

impl Candidate {
    fn of(lines: &[HeadLine<'_>], separator: Separator, options: &CsvReader) -> Option<Self> {
        let mut cells = Cells::default();
        let kinds: Vec<Kinds> = lines
            .iter()
            .map(|line| {
                let text = without_mark(line.text);
                cells.split(text, separator);
                Kinds::of(&cells, text, options)
            })
            .collect();
        let is_row = |at: usize, least: usize| {
            let row = |kinds: &Kinds| kinds.is_data() && kinds.all >= least;
            kinds.get(at).is_some_and(row) && lines.get(at).is_some_and(|line| !line.is_comment)
        };
        let first = [2, 1].into_iter().find_map(|least| (0..kinds.len()).find(|at| is_row(*at, least)))?;
        let row = *kinds.get(first)?;
        let matched = (first..kinds.len())
            .filter(|at| is_row(*at, 1))
            .filter(|at| kinds.get(*at).is_some_and(|one| one.all.abs_diff(row.all) <= 1))
            .count();
        let mut candidate = Self { separator, first, heading: None, units: None, fits: true, matched, width: row.all };
        if options.no_heading {
            // lines above that have as many cells, and numbers among texts, are data as well, and refused as such
            let plain = (0..first).rev().filter(|at| lines.get(*at).is_some_and(|line| !line.is_comment));
            let is_like =
                |at: &usize| kinds.get(*at).is_some_and(|one| one.all == row.all && one.numbers + one.stamps > 0);
            candidate.first = plain.take_while(is_like).last().unwrap_or(first);
            return Some(candidate);
        }
        let texts = |comments: bool| {
            let chosen = move |at: &usize| lines.get(*at).is_some_and(|line| line.is_comment == comments);
            (0..first).rev().filter(chosen)
        };
        let heads = |at: &usize| kinds.get(*at).is_some_and(|one| one.heads(&row) || is_lvm(lines, *at, one, &row));
        let above: Vec<usize> = texts(false).filter(heads).collect();
        candidate.heading = heading_among(&above, lines, &kinds, separator, options);
        if candidate.heading.is_none() && texts(false).next().is_none() {
            // the line before the data, if it is a comment that names a time
            candidate.heading = texts(true)
                .next()
                .filter(heads)
                .filter(|at| lines.get(*at).is_some_and(|line| names_time(line.text, separator, options)));
        }
        if candidate.heading.is_none() && texts(false).next().is_some() {
            (candidate.heading, candidate.fits) = (texts(false).next(), false);
        }
        if let Some(heading) = candidate.heading {
            let between: Vec<usize> =
                (heading + 1..first).filter(|at| lines.get(*at).is_some_and(|line| !line.is_comment)).collect();
            let units = between.first().copied().filter(|at| {
                let no_numbers = kinds.get(*at).is_some_and(|one| one.numbers + one.stamps == 0);
                let pair = lines.get(heading).zip(lines.get(*at));
                candidate.fits
                    && no_numbers
                    && pair.is_some_and(|(names, line)| {
                        are_units(line.text, separator) || has_unit_of_time(names.text, line.text, separator)
                    })
            });
            candidate.units = units;
            // what stands between them and is neither is read as data, and refused there
            let skipped = usize::from(units.is_some());
            candidate.first = between.get(skipped).copied().unwrap_or(first);
        }
        Some(candidate)
    }

    /// Takes a line for the heading of a file without a line of numbers, unless there is no heading.
    fn without_data(lines: &[HeadLine<'_>], separator: Option<Separator>, options: &CsvReader) -> Option<Self> {
        let plain = || lines.iter().enumerate().filter(|(_, line)| !line.is_comment);
        let (top, line) = plain().next()?;
        let separator = separator.unwrap_or_else(|| separator_of(line.text));
        let timed = plain().find(|(_, line)| names_time(line.text, separator, options));
        let heading = timed.map_or(top, |(at, _)| at);
        let first = match options.no_heading {
            true => top,
            false => plain().find(|(at, _)| *at > heading).map_or(lines.len(), |(at, _)| at),
        };
        let heading = (!options.no_heading).then_some(heading);
        Some(Self { separator, first, heading, units: None, fits: true, matched: 0, width: 0 })
    }

    fn dialect(&self, lines: &[HeadLine<'_>], options: &CsvReader, file: &str) -> Result<Dialect, RecordError> {
        /// Largest number of lines before the heading that are kept.
        const MAX_PREFACE: usize = 100;
        let mut cells = Cells::default();
        let mut of = |line: &HeadLine<'_>| {
            let text = without_mark(line.text);
            cells.split(text, self.separator);
            (line.number, cells.texts(text))
        };
        let mut heading = self.heading.and_then(|at| lines.get(at)).map(&mut of);
        let units = self.units.and_then(|at| lines.get(at)).map(&mut of);
        let data = lines.iter().skip(self.first).filter(|line| !line.is_comment);
        let rows: Vec<_> = data.map(&mut of).collect();
        if let Some((_, names)) = &heading
            && !self.fits
        {
            check_commas(&rows, names.iter().filter(|name| !name.is_empty()).count(), self.separator, file)?;
        }
        if let Some(((_, names), (_, row))) = heading.as_mut().zip(rows.first())
            && names.len() == row.len() + 1
        {
            names.pop_if(|last| last == LVM_COMMENT);
        }
        let last = units.as_ref().or(heading.as_ref()).map(|(number, _)| *number + 1);
        let first = rows.first().map(|(number, _)| *number).or(last).unwrap_or(1);
        let before = self.heading.unwrap_or(self.first);
        let above = lines.iter().take(before).take(MAX_PREFACE);
        let above = above.map(|line| (line.is_comment, String::from_utf8_lossy(without_mark(line.text))));
        let above: Vec<_> = above.collect();
        let rates = above.iter().flat_map(|(_, line)| rates(line)).collect();
        let samples = above.iter().find_map(|(_, line)| samples(line));
        let before = lines.iter().take(before).filter(|line| !line.is_comment).take(MAX_PREFACE);
        let before = before.map(|line| String::from_utf8_lossy(line.text).trim().to_owned()).collect();
        let decimal = match options.decimal {
            Some(decimal) => Some(decimal),
            None => decimal(&rows, heading.as_ref(), self.separator, file)?,
        };
        Ok(Dialect { separator: self.separator, decimal, heading, units, before, rates, samples, first, rows })
    }
}

/// Removes the sign of a comment in which the names stand.
fn without_mark(line: &[u8]) -> &[u8] {
    let trimmed = line.trim_ascii_start();
    trimmed.strip_prefix(b"#").unwrap_or(line)
}

/// Recognises the heading of LabVIEW, which has a column of comments that lines of data leave out.
fn is_lvm(lines: &[HeadLine<'_>], at: usize, heading: &Kinds, data: &Kinds) -> bool {
    let comment = || lines.get(at).is_some_and(|line| line.text.trim_ascii_end().ends_with(LVM_COMMENT.as_bytes()));
    heading.texts > 0 && heading.filled == data.all + 1 && comment()
}

/// Chooses the heading among the lines above the data that have as many cells, the nearest first.
fn heading_among(
    above: &[usize],
    lines: &[HeadLine<'_>],
    kinds: &[Kinds],
    separator: Separator,
    options: &CsvReader,
) -> Option<usize> {
    let text = |at: usize| lines.get(at).map_or(&b""[..], |line| line.text);
    let timed = |at: &usize| names_time(text(*at), separator, options);
    if let Some(place) = above.iter().position(timed) {
        let (found, upper) = (*above.get(place)?, above.get(place + 1));
        // `s;t` may be the units of a time and a mass
        let upper = upper.copied().filter(|upper| timed(upper) && are_units(text(found), separator));
        return upper.or(Some(found));
    }
    let plain = |at: &usize| kinds.get(*at).is_some_and(|kinds| kinds.numbers == 0);
    let named = above.iter().copied().filter(plain).find(|at| !are_units(text(*at), separator));
    named.or_else(|| above.iter().copied().find(plain)).or_else(|| above.first().copied())
}

/// Checks whether a line has the name of a time among its cells.
fn names_time(line: &[u8], separator: Separator, options: &CsvReader) -> bool {
    let mut cells = Cells::default();
    let line = without_mark(line);
    cells.split(line, separator);
    cells.texts(line).iter().any(|cell| {
        let (heading, _) = super::heading::Heading::parse(cell);
        let given = matches!(&options.time_column, Some(Column::Name(name)) if name == heading.name);
        given || is_time(heading.name) || is_date(heading.name) || foreign_time(heading.name).is_some()
    })
}

/// Checks whether all cells of a line are units.
fn are_units(line: &[u8], separator: Separator) -> bool {
    let mut cells = Cells::default();
    cells.split(line, separator);
    let texts = cells.texts(line);
    texts.iter().all(|cell| is_bare_unit(cell)) && texts.iter().any(|cell| cell.chars().any(char::is_alphabetic))
}

/// Checks whether a unit of time stands below the name of a time, so that the other cells of its line are units as
/// well.
fn has_unit_of_time(names: &[u8], line: &[u8], separator: Separator) -> bool {
    let mut cells = Cells::default();
    let mut texts = |line| {
        cells.split(line, separator);
        cells.texts(line)
    };
    let (names, units) = (texts(without_mark(names)), texts(line));
    let is_timed = |name: &str| is_time(name) || foreign_time(name).is_some();
    let is_of_time = |unit: &str| time_unit(unwrapped(unit)).is_some() || is_time_pattern(unit);
    names.iter().zip(&units).any(|(name, unit)| is_timed(name) && is_of_time(unit))
}

/// Returns the separator that stands in a line.
fn separator_of(line: &[u8]) -> Separator {
    let found = Separator::ALL.into_iter().find(|separator| {
        let mut cells = Cells::default();
        cells.split(line.trim_ascii(), *separator);
        *separator != Separator::Blanks && cells.len() > 1
    });
    found.unwrap_or(Separator::Comma)
}

/// The sign before the decimals of the seconds in a time of day.
fn sign_of_seconds(cell: &str) -> Option<Decimal> {
    Stamp::parse(cell.as_bytes()).filter(Stamp::has_time)?;
    match cell.rsplit_once(':')?.1.bytes().find(|byte| !byte.is_ascii_digit()) {
        Some(b',') => Some(Decimal::Comma),
        Some(b'.') => Some(Decimal::Point),
        _ => None,
    }
}

/// Refuses rows of whole numbers with more cells than names, up to two for each, in a file that separates cells by
/// commas.
fn check_commas(
    rows: &[(u64, Vec<String>)],
    names: usize,
    separator: Separator,
    file: &str,
) -> Result<(), RecordError> {
    let is_split =
        |cells: &[String]| cells.len() > names && cells.len() <= 2 * names && cells.iter().all(|cell| is_whole(cell));
    match rows {
        [(line, cells), ..]
            if separator == Separator::Comma && names > 0 && rows.iter().all(|(_, cells)| is_split(cells)) =>
        {
            let (file, line, cells) = (file.to_owned(), *line, cells.len());
            Err(RecordError::DecimalCommas { file, line, cells, names })
        }
        _ => Ok(()),
    }
}

/// Checks whether a cell is a whole number, which may be the part of another one before its decimals.
fn is_whole(cell: &str) -> bool {
    cell.bytes().enumerate().all(|(at, byte)| byte.is_ascii_digit() || at == 0 && matches!(byte, b'-' | b'+'))
}

/// Refuses rows without names in which every second cell may be the decimals of the number before it.
fn check_plain_commas(rows: &[(u64, Vec<String>)], options: &CsvReader, file: &str) -> Result<(), RecordError> {
    match rows {
        [(line, cells), ..] if options.decimal != Some(Decimal::Point) && may_have_decimal_commas(rows, options) => {
            Err(RecordError::DecimalCommas { file: file.to_owned(), line: *line, cells: cells.len(), names: 0 })
        }
        _ => Ok(()),
    }
}

/// Checks whether rows of cells between commas may be half as many numbers with decimal commas. Whole numbers they are
/// if the caller has named as many columns, if times increase in the first one, or if the digits in some second cell
/// are neither equally many nor end without zeros, as decimals are written.
fn may_have_decimal_commas(rows: &[(u64, Vec<String>)], options: &CsvReader) -> bool {
    let width = rows.first().map_or(0, |(_, cells)| cells.len());
    // the last line of many may be cut
    let rows = rows.get(..rows.len() - usize::from(rows.len() > 8)).unwrap_or_default();
    let has_exponent = |cell: &str| cell.contains(['e', 'E']);
    let is_fraction = |cell: &String| {
        let digits = cell.split(['e', 'E']).next().unwrap_or_default();
        let is_digit = |byte: u8| byte.is_ascii_digit();
        !digits.is_empty() && digits.bytes().all(is_digit) && tells(cell.as_bytes()) == Some(Tells::Nothing)
    };
    let is_pair = |pair: &[String]| {
        matches!(pair, [whole, rest] if is_whole(whole) && whole.bytes().any(|byte| byte.is_ascii_digit())
            && is_fraction(rest))
    };
    let is_paired = |cells: &Vec<String>| cells.len() == width && cells.chunks(2).all(is_pair);
    let is_named = options.names.as_ref().is_some_and(|names| names.len() == width);
    if is_named || !rows.iter().all(|(_, cells)| is_paired(cells)) {
        return false;
    }
    let column = |at: usize| rows.iter().filter_map(move |(_, cells)| cells.get(at)).map(String::as_str);
    let (wholes, fractions) = ((0..width).step_by(2), (1..width).step_by(2));
    // `-0`, `05` and `5e-3` are no whole numbers that someone writes
    let is_odd = |cell: &str| cell.len() > 1 && cell.starts_with('0') || has_exponent(cell);
    if wholes.clone().any(|at| column(at).any(|cell| cell.starts_with("-0")))
        || fractions.clone().any(|at| column(at).any(is_odd))
    {
        return true;
    }
    let is_written = |at: usize| {
        let first = column(at).next().map_or(0, str::len);
        column(at).all(|cell| cell.len() == first) || column(at).all(|cell| cell == "0" || !cell.ends_with('0'))
    };
    let (at, is_given) = match options.time_column {
        Some(Column::Number(number)) => (number.saturating_sub(1), true),
        _ => (0, false),
    };
    let times: Vec<f64> = column(at).filter_map(|cell| cell.parse().ok()).collect();
    let steps: Vec<f64> = times.windows(2).map(|pair| pair[1] - pair[0]).collect();
    let increase = steps.iter().all(|step| *step > 0.0 && (is_given || steps.first() == Some(step)));
    // a ramp of numbers with the same decimals
    let is_ramp = fractions.clone().all(|at| column(at).all(|cell| Some(cell) == column(at).next()));
    fractions.clone().all(is_written) && (!increase || steps.is_empty() || is_ramp)
}

/// Finds the decimal sign of the numbers in these lines; `None` if none has one.
fn decimal(
    rows: &[(u64, Vec<String>)],
    heading: Option<&(u64, Vec<String>)>,
    separator: Separator,
    file: &str,
) -> Result<Option<Decimal>, RecordError> {
    let mut sure: [Option<(u64, usize, &str)>; 2] = [None, None];
    let mut unclear: [Option<(u64, usize, &str)>; 2] = [None, None];
    for (line, cells) in rows {
        for (column, cell) in cells.iter().enumerate() {
            let places = match tells(cell.as_bytes()) {
                Some(Tells::Decimal(sign)) => (&mut sure, sign),
                Some(Tells::Either(sign)) => (&mut unclear, sign),
                // `10:00:00,5` has decimals after its sign
                None => match sign_of_seconds(cell) {
                    Some(sign) => (&mut sure, sign),
                    None => continue,
                },
                _ => continue,
            };
            let place = &mut places.0[usize::from(places.1 == Decimal::Comma)];
            place.get_or_insert((*line, column, cell));
        }
    }
    let error = |(line, column, text): (u64, usize, &str)| {
        let name = heading.and_then(|(_, names)| names.get(column));
        let column = name.cloned().unwrap_or_else(|| (column + 1).to_string());
        RecordError::Cell { file: file.to_owned(), line, column, text: text.to_owned(), fault: CellFault::Decimal }
    };
    match (sure, unclear) {
        // the first sign counts, and the other one is refused where it stands
        ([Some(point), Some(comma)], _) if comma.0 < point.0 => Ok(Some(Decimal::Comma)),
        ([Some(_), _], _) => Ok(Some(Decimal::Point)),
        ([None, Some(_)], _) => Ok(Some(Decimal::Comma)),
        ([None, None], [_, Some(comma)]) => Err(error(comma)),
        ([None, None], [Some(point), None]) if separator == Separator::Semicolon => Err(error(point)),
        ([None, None], [Some(_), None]) => Ok(Some(Decimal::Point)),
        ([None, None], [None, None]) => Ok(None),
    }
}
