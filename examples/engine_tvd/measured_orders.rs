//! Measured orders from a file.

use std::path::Path;

use anyhow::{Context, Result, bail, ensure};
use costate::Record;
use costate::measure::Wanted;
use costate_examples::{interpolated, read_columns, require_channel};

use crate::experiment::{FITTED_EVERY, FITTED_ORDER, fitted_speeds};
use crate::orders::{ORDERS, OrderTable, all_speeds};

/// Reads the amplitudes of orders over speed, and interpolates them linearly at the speeds of the run-up.
///
/// # Errors
/// No file or no CSV, a column that is missing or in a wrong unit, a speed that occurs twice, no amplitude of
/// order 6 at a speed of the identification.
pub fn read(file: &Path) -> Result<OrderTable> {
    let name = file.display().to_string();
    let record = read_columns(file)?;
    require_channel(&record, "speed", "rpm")?;
    let measured = record.values_in("speed", Wanted::new("the speed", "rpm"))?;
    let speeds = all_speeds();
    let mut amplitudes = Vec::new();
    for order in ORDERS {
        let Some(measured_amplitudes) = amplitudes_of(&record, order)? else {
            ensure!(
                order != FITTED_ORDER,
                "`{name}` has no column `order {order}`, which is fitted; write its amplitudes as `order {order} \
                 [mrad]`, or its parts as `order {order} real [mrad]` and `order {order} imaginary [mrad]`"
            );
            amplitudes.push(vec![f64::NAN; speeds.len()]);
            continue;
        };
        let points =
            sorted(&measured, &measured_amplitudes).with_context(|| format!("`{name}`, column `order {order}`"))?;
        amplitudes.push(speeds.iter().map(|speed| interpolated(&points, *speed, FITTED_EVERY)).collect());
    }
    let table = OrderTable { speeds, amplitudes };
    for speed in fitted_speeds() {
        table.amplitude(FITTED_ORDER, speed).with_context(|| {
            format!(
                "`{name}`, column `order {FITTED_ORDER}`: write amplitudes at speeds around {speed} rpm, no farther \
                 than {FITTED_EVERY} rpm apart"
            )
        })?;
    }
    Ok(table)
}

/// Reads the amplitudes of an order in rad, NaN where they are missing; `None` if the file has no column for the order.
fn amplitudes_of(record: &Record, order: f64) -> Result<Option<Vec<f64>>> {
    let has = |column: &str| record.channel(column).is_ok();
    let values = |column: &str| -> Result<Vec<f64>> {
        require_channel(record, column, "mrad")?;
        Ok(record.values_in(column, Wanted::new("the twist", "rad"))?.into_owned())
    };
    let [whole, real, imaginary] = ["", " real", " imaginary"].map(|part| format!("order {order}{part}"));
    match (has(&whole), has(&real), has(&imaginary)) {
        (true, false, false) => Ok(Some(values(&whole)?)),
        (false, true, true) => {
            let (real, imaginary) = (values(&real)?, values(&imaginary)?);
            Ok(Some(real.iter().zip(&imaginary).map(|(a, b)| a.hypot(*b)).collect()))
        }
        (false, false, false) => Ok(None),
        (true, ..) => bail!(
            "`{}` has amplitudes and parts of order {order}; keep either `{whole}`, or `{real}` and `{imaginary}`",
            record.name()
        ),
        (false, has_real, _) => {
            let missing = if has_real { imaginary } else { real };
            bail!("`{}` has one part of order {order} alone; write a column `{missing} [mrad]` too", record.name())
        }
    }
}

/// Returns the measured amplitudes by increasing speed.
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
