//! Measured orders from a file.

use std::fs;
use std::path::Path;

use anyhow::{Context, Result, bail, ensure};
use costate::Record;
use costate::measure::Wanted;

use crate::experiment::{FITTED_EVERY, FITTED_ORDER, fitted_speeds};
use crate::orders::{ORDERS, OrderTable, all_speeds};

/// Farthest distance in rpm of two speeds between which amplitudes are interpolated.
const FARTHEST: f64 = FITTED_EVERY;

/// Reads the amplitudes of orders over speed; what they are at the speeds of the run-up is linear between those of the file.
///
/// # Errors
/// No file or no CSV, a column that is missing or in a wrong unit, a speed that stands there twice, order 6 that is
/// not there at a speed of the identification.
pub fn read(file: &Path) -> Result<OrderTable> {
    let name = file.display().to_string();
    let text = fs::read_to_string(file).with_context(|| format!("cannot read `{name}`"))?;
    let record = Record::from_csv(numbered(&text).as_bytes(), &name)?;
    let measured = record
        .values_in("speed", Wanted::new("the speed", "rpm"))
        .with_context(|| format!("`{name}` has no speeds; write a column `speed [rpm]`"))?;
    let speeds = all_speeds();
    let mut amplitudes = Vec::new();
    for order in ORDERS {
        let Some(measured_amplitudes) = amplitudes_of(&record, order)? else {
            ensure!(
                order != FITTED_ORDER,
                "`{name}` has no column `order {order}`, which is fitted; write its amplitudes as `order {order} [mrad]`, or its \
                 parts as `order {order} real [mrad]` and `order {order} imaginary [mrad]`"
            );
            amplitudes.push(vec![f64::NAN; speeds.len()]);
            continue;
        };
        let points = sorted(&measured, &measured_amplitudes)
            .with_context(|| format!("`{name}`, column `order {order}`"))?;
        amplitudes.push(speeds.iter().map(|speed| interpolated(&points, *speed)).collect());
    }
    let table = OrderTable { speeds, amplitudes };
    for speed in fitted_speeds() {
        table.amplitude(FITTED_ORDER, speed).with_context(|| {
            format!(
                "`{name}`, column `order {FITTED_ORDER}`: write amplitudes at speeds around {speed} rpm, no farther than \
                 {FARTHEST} rpm apart"
            )
        })?;
    }
    Ok(table)
}

/// The text with the number of every line in a column of its own: a record is over something that increases, which speeds
/// need not do.
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

/// The amplitudes of an order in rad, NaN where they are missing; `None` if the file has no column of it.
fn amplitudes_of(record: &Record, order: f64) -> Result<Option<Vec<f64>>> {
    let has = |column: &str| record.channel(column).is_ok();
    let values = |column: &str| record.values_in(column, Wanted::new("the twist", "rad"));
    let [whole, real, imaginary] = ["", " real", " imaginary"].map(|part| format!("order {order}{part}"));
    match (has(&whole), has(&real), has(&imaginary)) {
        (true, false, false) => Ok(Some(values(&whole)?.into_owned())),
        (false, true, true) => {
            let (real, imaginary) = (values(&real)?, values(&imaginary)?);
            Ok(Some(real.iter().zip(imaginary.iter()).map(|(a, b)| a.hypot(*b)).collect()))
        }
        (false, false, false) => Ok(None),
        (true, ..) => bail!(
            "`{}` has amplitudes and parts of order {order}; keep either `{whole}`, or `{real}` and `{imaginary}`",
            record.name()
        ),
        (false, has_real, _) => {
            let missing = if has_real { imaginary } else { real };
            bail!(
                "`{}` has one part of order {order} alone; write a column `{missing} [mrad]` too",
                record.name()
            )
        }
    }
}

/// What was measured, by increasing speed.
fn sorted(speeds: &[f64], amplitudes: &[f64]) -> Result<Vec<(f64, f64)>> {
    let points = speeds.iter().copied().zip(amplitudes.iter().copied());
    let mut points: Vec<(f64, f64)> =
        points.filter(|(speed, amplitude)| speed.is_finite() && amplitude.is_finite()).collect();
    points.sort_by(|a, b| a.0.total_cmp(&b.0));
    for (speed, amplitude) in &points {
        ensure!(*amplitude >= 0.0, "the amplitude at {speed} rpm is negative; write its magnitude");
    }
    for pair in points.windows(2) {
        ensure!(pair[0].0 < pair[1].0, "the speed {} rpm is there twice; keep one of the lines", pair[0].0);
    }
    Ok(points)
}

/// The amplitude at a speed in rpm, NaN before the first point, behind the last one and where points are far apart.
fn interpolated(points: &[(f64, f64)], speed: f64) -> f64 {
    let next = points.partition_point(|(other, _)| *other < speed);
    match (next.checked_sub(1).map(|before| points[before]), points.get(next)) {
        (_, Some(&(there, amplitude))) if there == speed => amplitude,
        (Some((from, first)), Some(&(to, last))) if to - from <= FARTHEST => {
            first + (last - first) * (speed - from) / (to - from)
        }
        _ => f64::NAN,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_numbered_in_their_place() {
        let text = "# bench\n\nspeed [rpm];order 6 [rad]\n3000;1e-3\n2900;\n";
        let record = Record::from_csv(numbered(text).as_bytes(), "orders").unwrap();
        assert_eq!(record.channel("speed").unwrap().values(), [3000.0, 2900.0]);
        assert_eq!(record.channel("order 6").unwrap().missing(), 1);
    }

    #[test]
    fn amplitudes_are_interpolated_between_near_speeds() {
        let points = [(1000.0, 1.0), (1100.0, 2.0), (1400.0, 3.0)];
        assert_eq!(interpolated(&points, 1000.0), 1.0);
        assert_eq!(interpolated(&points, 1025.0), 1.25);
        assert_eq!(interpolated(&points, 1400.0), 3.0);
        for speed in [999.0, 1200.0, 1401.0] {
            assert!(interpolated(&points, speed).is_nan());
        }
        assert!(interpolated(&[], 1000.0).is_nan());
    }
}
