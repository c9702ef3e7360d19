//! Columns of measured values.

use std::path::Path;

use anyhow::{Context, Result, bail, ensure};
use costate::Record;
use costate::measure::Wanted;

/// Reads the columns of a CSV file, none of which need increase, as channels of a record: its times are the numbers of
/// the lines. Whatever else holds for records holds for these files, and messages name line and column.
///
/// # Errors
/// The file cannot be read, or is no CSV.
pub fn read_columns(file: &Path) -> Result<Record> {
    let name = file.display().to_string();
    let text = costate_contract::files::read_text(file).with_context(|| format!("cannot read `{name}`"))?;
    Ok(Record::from_csv(numbered(&text).as_bytes(), &name)?)
}

/// Refuses a record without this channel, or without its unit; `unit` is one to write.
///
/// # Errors
/// What to write in the heading.
pub fn require_channel(record: &Record, channel: &str, unit: &str) -> Result<()> {
    let name = record.name();
    let found = record.channel(channel).with_context(|| {
        format!("`{name}` has no column `{channel}`; write one with the heading `{channel} [{unit}]`")
    })?;
    ensure!(
        found.unit().is_some(),
        "`{name}`, column `{channel}`: the unit is missing; write it in the heading, as in `{channel} [{unit}]`"
    );
    Ok(())
}

/// The time between two samples in s.
///
/// # Errors
/// Times that are not equidistant.
pub fn interval(record: &Record) -> Result<f64> {
    let name = record.name();
    record.interval().with_context(|| {
        format!("`{name}`: the times are not equidistant; write samples of one rate, without missing times")
    })
}

/// The values of a channel that has one at every time, as those of inputs, in `unit`; `what` says what they are for.
///
/// # Errors
/// As [`require_channel`]; a unit that does not fit, a sample that is missing.
pub fn whole_channel(record: &Record, channel: &str, what: &str, unit: &str) -> Result<Vec<f64>> {
    require_channel(record, channel, unit)?;
    let values = record.values_in(channel, Wanted::new(what, unit))?.into_owned();
    if let Some(at) = values.iter().position(|value| !value.is_finite()) {
        let (name, time) = (record.name(), record.times()[at]);
        bail!("`{name}`, column `{channel}`: the sample at {time} s is missing; write one for every time");
    }
    Ok(values)
}

/// The text with the number of every line in a column of its own, in front.
fn numbered(text: &str) -> String {
    let is_data = |line: &str| !line.trim().is_empty() && !line.trim_start().starts_with('#');
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let heading = text.lines().find(|line| is_data(line)).unwrap_or_default();
    let separator = ['\t', ';'].into_iter().find(|separator| heading.contains(*separator)).unwrap_or(',');
    let mut numbered = String::new();
    let mut lines = 0;
    for line in text.lines() {
        if is_data(line) {
            let number = if lines == 0 { "time".to_owned() } else { lines.to_string() };
            numbered += &format!("{number}{separator}");
            lines += 1;
        }
        numbered += line;
        numbered.push('\n');
    }
    numbered
}

/// The value at `x`, linear between points in order; NaN before the first one, after the last one and between points
/// that are farther apart than `farthest`.
pub fn interpolated(points: &[(f64, f64)], x: f64, farthest: f64) -> f64 {
    let next = points.partition_point(|(other, _)| *other < x);
    match (next.checked_sub(1).map(|before| points[before]), points.get(next)) {
        (_, Some(&(there, value))) if there == x => value,
        (Some((from, first)), Some(&(to, last))) if to - from <= farthest => {
            first + (last - first) * (x - from) / (to - from)
        }
        _ => f64::NAN,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_numbered_in_their_place() {
        for (text, speeds) in [
            ("# bench\n\nspeed [rpm];order 6 [rad]\n3000;1e-3\n2900;\n", [3000.0, 2900.0]),
            ("order 6 [rad]\tspeed [rpm]\r\n1\t 1000\r\n\t1000\r\n", [1000.0, 1000.0]),
            ("\u{feff}speed [rpm],order 6 [rad]\n1,2\n2,NA", [1.0, 2.0]),
        ] {
            let record = Record::from_csv(numbered(text).as_bytes(), "orders").unwrap();
            assert_eq!(record.channel("speed").unwrap().values(), speeds);
            assert_eq!(record.channel("order 6").unwrap().missing(), 1);
        }
        let error = Record::from_csv(numbered("\nspeed\n\nhigh\n").as_bytes(), "orders").unwrap_err();
        assert!(error.to_string().contains("4") && error.to_string().contains("speed"), "{error}");
    }

    #[test]
    fn values_are_linear_between_near_points() {
        let points = [(1000.0, 1.0), (1100.0, 2.0), (1400.0, 3.0)];
        let at = |x| interpolated(&points, x, 200.0);
        assert_eq!((at(1000.0), at(1025.0), at(1400.0)), (1.0, 1.25, 3.0));
        assert!([999.0, 1200.0, 1401.0].into_iter().all(|x| at(x).is_nan()));
        assert!(interpolated(&[], 1000.0, 200.0).is_nan());
    }
}
