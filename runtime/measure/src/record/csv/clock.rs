//! Times of the rows of a file.

use costate_contract::units::{Purpose, Scale};

use super::decimal::{Decimal, Exact, number, plain};
use super::heading::{Heading, foreign_time, is_date, is_time, time_unit};
use super::options::{Column, CsvReader};
use super::sniff::Dialect;
use super::stamp::{DateOrder, Stamp};
use super::taken::Clocked;
use super::{CellFault, RecordError};

/// Length of a day in s. A time of day that falls by more than half of it belongs to the next day.
pub const DAY: f64 = 86_400.0;

/// The columns that hold the time, and how their cells are read.
#[derive(Debug)]
pub struct Clock {
    pub column: Option<usize>,
    /// A column with dates next to times of day.
    pub date: Option<usize>,
    form: Form,
    /// Name of the column.
    name: String,
    joined: Vec<u8>,
}

#[derive(Debug)]
enum Form {
    Numbers { scale: Scale, unit: String, assumed: bool, origin: Option<(Exact, String)> },
    Dates { order: Option<DateOrder>, origin: Option<(Exact, String)> },
    TimesOfDay { midnights: usize, last: f64 },
    Even { clock: Clocked, rows: usize },
}

impl Clock {
    /// Finds the time among the columns with these headings.
    pub fn find(
        dialect: &Dialect,
        headings: &[Heading<'_>],
        options: &CsvReader,
        file: &str,
    ) -> Result<Self, RecordError> {
        let column = column(dialect, headings, options, file)?;
        if let Some(clock) = given(options) {
            let form = Form::Even { clock, rows: 0 };
            return Ok(Self { column, date: None, form, name: String::new(), joined: Vec::new() });
        }
        let line = dialect.heading.as_ref().map_or(dialect.first, |(line, _)| *line);
        let Some(at) = column else {
            let columns = headings.iter().map(|heading| heading.name.to_owned()).collect();
            return Err(RecordError::NoTime { file: file.to_owned(), line, columns });
        };
        let heading = headings.get(at).copied().unwrap_or(Heading { name: "", unit: None });
        let cells = |column: usize| {
            dialect.rows.iter().filter_map(move |(line, cells)| Some((*line, cells.get(column)?.as_str())))
        };
        let first = cells(at).find_map(|(_, cell)| Stamp::parse(cell.as_bytes()));
        let dated = |column: &usize| {
            let is_day = |stamp: Stamp| stamp.has_date() && !stamp.has_time();
            *column != at
                && cells(*column).next().is_some_and(|(_, cell)| Stamp::parse(cell.as_bytes()).is_some_and(is_day))
        };
        let date = match first {
            Some(stamp) if !stamp.has_date() => {
                let named = |column: &usize| headings.get(*column).is_some_and(|h| is_date(h.name));
                (0..headings.len()).filter(named).find(dated)
            }
            _ => None,
        };
        let mut clock = Self {
            column,
            date,
            form: Form::TimesOfDay { midnights: 0, last: f64::NEG_INFINITY },
            name: heading.name.to_owned(),
            joined: Vec::new(),
        };
        clock.form = match first {
            Some(stamp) if stamp.has_date() || date.is_some() => {
                clock.dates(dialect, cells(date.unwrap_or(at)), options, file)?
            }
            Some(_) => Form::TimesOfDay { midnights: 0, last: f64::NEG_INFINITY },
            None => numbers(dialect, heading, line, cells(at), options, file)?,
        };
        Ok(clock)
    }

    /// Returns the form of a column with dates.
    fn dates<'a>(
        &mut self,
        dialect: &Dialect,
        cells: impl Iterator<Item = (u64, &'a str)>,
        options: &CsvReader,
        file: &str,
    ) -> Result<Form, RecordError> {
        let (mut order, mut unclear) = (options.dates, None);
        for (line, cell) in cells {
            let Some(stamp) = Stamp::parse(cell.as_bytes()).filter(Stamp::needs_order) else { continue };
            order = order.or(stamp.order());
            unclear.get_or_insert((line, cell));
        }
        if let (None, Some((line, cell))) = (order, unclear) {
            let (column, text) = (self.name.clone(), cell.to_owned());
            let fault = CellFault::DateOrder;
            return Err(RecordError::Cell { file: file.to_owned(), line, column, text, fault });
        }
        let order = order.filter(|_| unclear.is_some());
        self.form = Form::Dates { order, origin: None };
        let origin = match &options.origin {
            Some(text) => Some((text.clone(), text.clone(), 0)),
            None => dialect.rows.first().map(|(line, cells)| {
                let cell = |column: Option<usize>| column.and_then(|column| cells.get(column)).cloned();
                let time = cell(self.column).unwrap_or_default();
                let joined = cell(self.date).map_or(time.clone(), |date| format!("{date} {time}"));
                (joined, time, *line)
            }),
        };
        let Some((joined, cell, line)) = origin else { return Ok(Form::Dates { order, origin: None }) };
        match Stamp::parse(joined.as_bytes()).and_then(|stamp| stamp.seconds(order)) {
            Some(exact) => Ok(Form::Dates { order, origin: Some((exact, joined)) }),
            None if line == 0 => {
                let limit = "a date as the file writes it";
                Err(RecordError::Option { option: "counting_from", value: joined, limit: limit.to_owned() })
            }
            None => {
                let (column, fault) = (self.name.clone(), CellFault::Stamp);
                Err(RecordError::Cell { file: file.to_owned(), line, column, text: cell, fault })
            }
        }
    }

    /// Returns the time of a row in s; `None` for cells that are no time of this form.
    pub fn time(&mut self, cell: &[u8], date: &[u8], decimal: Decimal) -> Option<f64> {
        match &mut self.form {
            Form::Even { clock, rows } => {
                *rows += 1;
                let index = (*rows - 1) as f64;
                Some(match clock {
                    Clocked::Rate { rate } => index / *rate,
                    Clocked::Interval { interval } => index * *interval,
                    _ => index,
                })
            }
            Form::Numbers { scale, origin: None, .. } => {
                let time = plain(cell, decimal.byte()).or_else(|| number(cell, decimal, false))?;
                Some(scale.apply(time))
            }
            Form::Numbers { scale, origin: Some((origin, _)), .. } => {
                let exact = Exact::parse(cell, decimal.byte()).and_then(|exact| exact.minus(*origin));
                let time = exact.or_else(|| Some(number(cell, decimal, false)? - origin.value()?))?;
                Some(scale.apply(time))
            }
            Form::Dates { order, origin } => {
                let stamp = match self.date {
                    None => Stamp::parse(cell)?,
                    Some(_) => {
                        self.joined.clear();
                        self.joined.extend_from_slice(date);
                        self.joined.push(b' ');
                        self.joined.extend_from_slice(cell);
                        Stamp::parse(&self.joined)?
                    }
                };
                let exact = stamp.has_date().then(|| stamp.seconds(*order))??;
                exact.minus(origin.as_ref().map_or(exact, |(origin, _)| *origin))
            }
            Form::TimesOfDay { midnights, last } => {
                let stamp = Stamp::parse(cell).filter(|stamp| !stamp.has_date())?;
                let time = stamp.seconds(None)?.value()?;
                if time < *last - 0.5 * DAY {
                    *midnights += 1;
                }
                *last = time;
                Some(time + *midnights as f64 * DAY)
            }
        }
    }

    /// Returns true for dates and times of day.
    pub fn is_dated(&self) -> bool {
        matches!(self.form, Form::Dates { .. } | Form::TimesOfDay { .. })
    }

    /// The unit of times that are numbers, and whether it is assumed.
    pub fn unit(&self) -> Option<(&str, bool)> {
        match &self.form {
            Form::Numbers { unit, assumed, .. } => Some((unit, *assumed)),
            _ => None,
        }
    }

    /// The factor from the numbers to seconds.
    pub fn seconds(&self) -> f64 {
        match &self.form {
            Form::Numbers { scale, .. } => scale.apply(1.0),
            _ => 1.0,
        }
    }

    /// Returns the number of the file from which times are counted, in its unit; 0 where these are as they stand.
    pub fn origin(&self) -> f64 {
        match &self.form {
            Form::Numbers { origin: Some((origin, _)), .. } => origin.value().unwrap_or(0.0),
            _ => 0.0,
        }
    }

    pub fn name(&self) -> &str {
        &self.name
    }

    pub fn clocked(&self) -> Clocked {
        let column = self.name.clone();
        match &self.form {
            Form::Numbers { unit, assumed, origin, .. } => {
                let origin = origin.as_ref().map(|(_, text)| text.clone());
                Clocked::Column { column, unit: unit.clone(), assumed: *assumed, origin }
            }
            Form::Dates { order, origin } => {
                let origin = origin.as_ref().map_or(String::new(), |(_, text)| text.clone());
                Clocked::Dates { column, order: *order, origin }
            }
            Form::TimesOfDay { midnights, .. } => Clocked::TimesOfDay { column, midnights: *midnights },
            Form::Even { clock, .. } => clock.clone(),
        }
    }
}

/// Returns the clock that the options give.
fn given(options: &CsvReader) -> Option<Clocked> {
    let rate = options.rate.map(|rate| Clocked::Rate { rate });
    rate.or(options.every.map(|interval| Clocked::Interval { interval }))
}

/// Finds the column with the times; `None` if there is none that is named as one.
fn column(
    dialect: &Dialect,
    headings: &[Heading<'_>],
    options: &CsvReader,
    file: &str,
) -> Result<Option<usize>, RecordError> {
    if let Some(wanted) = &options.time_column {
        return place(wanted, headings, "time_column").map(Some);
    }
    let named = |is: &dyn Fn(&str) -> bool| -> Vec<usize> {
        headings.iter().enumerate().filter(|(_, heading)| is(heading.name)).map(|(at, _)| at).collect()
    };
    let mut found = named(&is_time);
    if found.is_empty() {
        found = named(&|name| foreign_time(name).is_some());
    }
    if found.is_empty() {
        found = named(&is_date);
    }
    match *found {
        [first, second, ..] if !options.has_clock() => {
            let name = |at: usize| headings.get(at).map_or(String::new(), |heading| heading.name.to_owned());
            let (first, second) = (name(first), name(second));
            let line = dialect.heading.as_ref().map_or(dialect.first, |(line, _)| *line);
            Err(RecordError::TwoTimes { file: file.to_owned(), line, first, second })
        }
        _ => Ok(found.first().copied()),
    }
}

/// Returns the index of a column that an option names.
pub fn place(wanted: &Column, headings: &[Heading<'_>], option: &'static str) -> Result<usize, RecordError> {
    let found = match wanted {
        Column::Name(name) => headings
            .iter()
            .position(|heading| heading.name == name)
            .or_else(|| headings.iter().position(|heading| Heading::parse(name).0.name == heading.name))
            .or_else(|| name.parse::<usize>().ok()?.checked_sub(1).filter(|at| *at < headings.len())),
        Column::Number(number) => number.checked_sub(1).filter(|at| *at < headings.len()),
    };
    found.ok_or_else(|| {
        let names: Vec<&str> = headings.iter().map(|heading| heading.name).collect();
        let limit = format!("one of the {} columns {}", headings.len(), names.join(", "));
        RecordError::Option { option, value: wanted.to_string(), limit }
    })
}

/// Returns the form of a column with numbers.
fn numbers<'a>(
    dialect: &Dialect,
    heading: Heading<'_>,
    line: u64,
    cells: impl Iterator<Item = (u64, &'a str)>,
    options: &CsvReader,
    file: &str,
) -> Result<Form, RecordError> {
    let own = heading.unit.map(|unit| time_unit(unit).unwrap_or(unit));
    let named = || foreign_time(heading.name).flatten();
    let given = options.time_unit.as_deref().or(own).or_else(named);
    let (unit, assumed) = (given.unwrap_or("s").to_owned(), given.is_none());
    let origin = format!("`{file}` line {line}");
    let purpose = Purpose { origin: &origin, column: heading.name, quantity: "the time of a record", wanted: "s" };
    let scale = if assumed { Scale::ONE } else { purpose.conversion(&unit)? };
    let point = dialect.decimal.unwrap_or(Decimal::Point).byte();
    let exact: Vec<(Exact, &str)> =
        cells.map_while(|(_, cell)| Some((Exact::parse(cell.as_bytes(), point)?, cell))).collect();
    let origin = match &options.origin {
        Some(text) => match Exact::parse(text.as_bytes(), point) {
            Some(exact) => Some((exact, text.clone())),
            None => {
                let limit = "a number as the file writes it, or a date where the file has dates".to_owned();
                return Err(RecordError::Option { option: "counting_from", value: text.clone(), limit });
            }
        },
        None => exact.first().filter(|_| loses_digits(&exact)).map(|(first, text)| (*first, (*text).to_owned())),
    };
    Ok(Form::Numbers { scale, unit, assumed, origin })
}

/// Checks whether doubles are too coarse for these numbers, compared with the distances between them.
fn loses_digits(numbers: &[(Exact, &str)]) -> bool {
    /// Numbers count from the first one if the double nearest to it may be off by more than this part of an interval.
    const MAX_ROUNDING: f64 = 1e-6;
    let steps = numbers.windows(2).filter_map(|pair| match pair {
        [(before, _), (after, _)] => after.minus(*before).filter(|step| *step > 0.0),
        _ => None,
    });
    let mut steps: Vec<f64> = steps.collect();
    steps.sort_by(f64::total_cmp);
    let (Some(step), Some(last)) = (steps.get(steps.len() / 2), numbers.last()) else { return false };
    let size = last.0.value().map_or(0.0, f64::abs);
    // half a unit of the last of 53 binary digits
    size * f64::EPSILON / 2.0 > MAX_ROUNDING * step
}
