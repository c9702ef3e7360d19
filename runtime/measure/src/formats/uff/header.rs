//! Records 1 to 11 of the data set 58.

use super::given;
use super::lines::{Lines, column, number, trimmed};
use crate::formats::{Dof, FormatError};

/// Data of an axis, of the records 8 to 11.
#[derive(Debug, Default)]
pub(super) struct Quantity {
    /// Specific data type.
    pub kind: i64,
    /// Label of the units, empty if there is none.
    pub unit: String,
}

/// Coding of the numbers in a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Coding {
    Text,
    Binary { is_little_endian: bool, bytes: u64 },
}

/// Header of a function, before its numbers.
#[derive(Debug)]
pub(super) struct Header {
    pub coding: Coding,
    /// The five identification lines, empty where there is no text.
    pub ids: Vec<String>,
    pub function: i64,
    pub response: Dof,
    pub reference: Dof,
    pub is_complex: bool,
    pub is_double: bool,
    pub is_even: bool,
    pub count: u64,
    pub start: f64,
    pub step: f64,
    /// The interval as the file has it.
    step_text: String,
    pub abscissa: Quantity,
    pub ordinate: Quantity,
    pub denominator: Quantity,
}

impl Header {
    pub fn read(lines: &mut Lines, kind: &str) -> Result<Self, FormatError> {
        let coding = coding(lines, kind)?;
        let mut ids = Vec::new();
        for _ in 0..5 {
            ids.push(given(&line(lines)?));
        }
        let dofs = line(lines)?;
        let whole = |text: &str, from, width, what: &str, lines: &Lines| {
            let cell = trimmed(column(text, from, width));
            match cell {
                "" => Ok(0),
                _ => cell
                    .parse::<i64>()
                    .map_err(|_| lines.broken(format!("{what} is `{cell}`, which is no whole number"))),
            }
        };
        let function = whole(&dofs, 0, 5, "the function type", lines)?;
        let dof = |from, lines: &Lines| {
            let direction = whole(&dofs, from + 20, 4, "the direction", lines)?;
            let direction = i8::try_from(direction)
                .map_err(|_| lines.broken(format!("the direction is {direction}, and not between -6 and 6")))?;
            Ok(Dof::new(given(column(&dofs, from, 10)), whole(&dofs, from + 10, 10, "the node", lines)?, direction))
        };
        let (response, reference) = (dof(31, lines)?, dof(56, lines)?);
        let form = line(lines)?;
        let cells = form_cells(&form, lines)?;
        let [kind, count, spacing, start, step] = &cells;
        let integer = |text: &str, what: &str| {
            text.parse::<i64>().map_err(|_| lines.broken(format!("{what} is `{text}`, which is no whole number")))
        };
        let (is_complex, is_double) = match integer(kind, "the data type")? {
            2 => (false, false),
            4 => (false, true),
            5 => (true, false),
            6 => (true, true),
            other => return Err(lines.broken(format!("the data type is {other}, and not 2, 4, 5 or 6"))),
        };
        let count = u64::try_from(integer(count, "the number of values")?)
            .map_err(|_| lines.broken("the number of values is negative"))?;
        let is_even = match integer(spacing, "the abscissa's spacing")? {
            0 => false,
            1 => true,
            other => {
                return Err(
                    lines.broken(format!("the abscissa's spacing is {other}, and neither 0 (uneven) nor 1 (even)"))
                );
            }
        };
        let real = |text: &str, what: &str| {
            number(text)
                .filter(|x| x.is_finite())
                .ok_or_else(|| lines.broken(format!("{what} is `{text}`, which is no number")))
        };
        let (start, step_value) = match is_even {
            true => (real(start, "the first abscissa")?, real(step, "the abscissa's increment")?),
            false => (0.0, 0.0),
        };
        if is_even && count > 1 && step_value <= 0.0 {
            return Err(lines.broken(format!("the abscissa's increment is {step_value}, and not positive")));
        }
        let step_text = step.clone();
        let mut quantities = [Quantity::default(), Quantity::default(), Quantity::default(), Quantity::default()];
        for quantity in &mut quantities {
            let text = line(lines)?;
            *quantity = Quantity {
                kind: whole(&text, 0, 10, "the type of an axis", lines)?,
                unit: given(column(&text, 47, 20)),
            };
        }
        let [abscissa, ordinate, denominator, _] = quantities;
        let step = step_value;
        Ok(Self {
            coding,
            ids,
            function,
            response,
            reference,
            is_complex,
            is_double,
            is_even,
            count,
            start,
            step,
            step_text,
            abscissa,
            ordinate,
            denominator,
        })
    }

    /// Number of numbers for each value: abscissa, real and imaginary part.
    pub fn per_value(&self) -> u64 {
        u64::from(!self.is_even) + 1 + u64::from(self.is_complex)
    }

    /// Identification lines from the second on.
    pub fn comment(&self) -> Option<String> {
        let lines: Vec<&str> = self.ids.iter().skip(1).map(String::as_str).filter(|line| !line.is_empty()).collect();
        (!lines.is_empty()).then(|| lines.join("; "))
    }

    /// Factor from the abscissa's unit to seconds.
    pub fn seconds(&self) -> Option<f64> {
        match self.abscissa.unit.to_ascii_lowercase().as_str() {
            "" | "s" | "sec" | "secs" | "second" | "seconds" | "[s]" => Some(1.0),
            "ms" | "msec" => Some(1e-3),
            "us" | "\u{b5}s" | "\u{3bc}s" => Some(1e-6),
            "min" => Some(60.0),
            _ => None,
        }
    }

    /// A sentence where the interval has too few digits for the times of a long record.
    pub fn step_note(&self, name: &str) -> Option<String> {
        let digits = self.step_text.split(['e', 'E', 'd', 'D']).next()?;
        let significant = digits.chars().filter(char::is_ascii_digit).skip_while(|c| *c == '0').count();
        if !self.is_even || significant == 0 {
            return None;
        }
        let decimals = digits.split('.').nth(1).map_or(0, str::len);
        let mantissa = digits.trim().parse::<f64>().ok()?;
        // half a unit of the last digit, in parts of the interval
        let rounding = 0.5 * 10_f64.powi(-i32::try_from(decimals).ok()?) / mantissa.abs();
        let rate = 1.0 / self.step;
        let nearest = rate.round();
        // an interval whose decimal fraction ends is not rounded
        let ends = significant < 6 || digits.trim_end().ends_with('0');
        let drift = rounding * self.count as f64;
        if ends || drift < 0.5 || (rate - nearest).abs() <= 1e-12 * rate {
            return None;
        }
        let near = match (rate - nearest).abs() <= 2.0 * rounding * rate {
            true => format!("; {nearest} Hz is within its rounding"),
            false => String::new(),
        };
        Some(format!(
            "the interval of `{name}` is given as {} s, with {significant} digits: at the end of {} values its times \
                 may be wrong by {drift:.2} intervals{near}",
            self.step, self.count
        ))
    }
}

fn line(lines: &mut Lines) -> Result<String, FormatError> {
    match lines.next_raw() {
        Some(line) if trimmed(&line) == "-1" => Err(lines.broken("the data set ends within its first eleven records")),
        Some(line) => Ok(line.into_owned()),
        None => Err(lines.broken("the file ends within the first eleven records of a data set")),
    }
}

/// The cells of record 7 but the last: by columns, or by blanks where the columns are not kept.
fn form_cells(form: &str, lines: &Lines) -> Result<[String; 5], FormatError> {
    let by_columns = [(0, 10), (10, 10), (20, 10), (30, 13), (43, 13)]
        .map(|(from, width)| trimmed(column(form, from, width)).to_owned());
    let [kind, count, spacing, start, step] = &by_columns;
    let is_whole = |text: &String| text.parse::<i64>().is_ok();
    if [kind, count, spacing].into_iter().all(is_whole) && [start, step].into_iter().all(|text| number(text).is_some())
    {
        return Ok(by_columns);
    }
    let mut cells = form.split_whitespace().map(str::to_owned);
    let mut next = || cells.next().ok_or_else(|| lines.broken("record 7 has fewer than five numbers"));
    Ok([next()?, next()?, next()?, next()?, next()?])
}

/// Reads the line with the number of the data set.
fn coding(lines: &Lines, kind: &str) -> Result<Coding, FormatError> {
    let text = kind.trim_start();
    let Some(rest) = text.strip_prefix("58").and_then(|rest| rest.strip_prefix(['b', 'B'])) else {
        return Ok(Coding::Text);
    };
    let cells: Vec<&str> = rest.split_whitespace().collect();
    let cell = |index: usize, what: &str| {
        let text = cells.get(index).copied().unwrap_or_default();
        text.parse::<u64>()
            .map_err(|_| lines.broken(format!("{what} of the binary data set is `{text}`, which is no number")))
    };
    let is_little_endian = match cell(0, "the byte order")? {
        1 => true,
        2 => false,
        other => {
            return Err(
                lines.broken(format!("the byte order is {other}, and neither 1 (little endian) nor 2 (big endian)"))
            );
        }
    };
    match cell(1, "the kind of floating-point numbers")? {
        2 => {}
        other => {
            return Err(lines.unsupported(
                format!("binary data with floating-point numbers of the kind {other}"),
                "export it with those of IEEE 754, or as text",
            ));
        }
    }
    match cell(2, "the number of lines")? {
        11 => Ok(Coding::Binary { is_little_endian, bytes: cell(3, "the number of bytes").unwrap_or(0) }),
        other => {
            Err(lines.broken(format!("the binary data set has {other} lines of text before its data, and not 11")))
        }
    }
}
