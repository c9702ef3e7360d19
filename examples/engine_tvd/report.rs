//! Text output of the program.

use std::fmt::Write;

use anyhow::Result;
use costate_examples::Table;
use costate_models::four_cylinder_engine::{ALPHA, RUN_UP, STEP};

use crate::experiment::{FITTED_ORDER, FITTED_SPEEDS, fitted_speeds};
use crate::options::{Options, Pressure};
use crate::orders::{ORDERS, OrderTable};
use crate::signals::Signals;

/// Describes the measurement, and the effort of simulating a run-up.
pub fn measurement(simulated: &Signals, options: &Options) -> Result<String> {
    let mut text = String::from(
        "Four-cylinder engine: identification of the torsional vibration damper from an engine order of a run-up\n\n",
    );
    let origin = match (&options.orders, options.noise) {
        (Some(file), _) => format!("read from `{}`", file.display()),
        (None, 0.0) => "simulated with the true damper, without noise".to_owned(),
        (None, noise) => format!(
            "simulated with the true damper, {} % noise on every amplitude, seed {}",
            100.0 * noise,
            options.seed
        ),
    };
    writeln!(text, "run-up       {} to {} rpm from {} to {} s", RUN_UP.from, RUN_UP.to, RUN_UP.begin, RUN_UP.end)?;
    writeln!(
        text,
        "simulation   {} steps of {STEP} s, alpha {ALPHA}, {:.0} MB of memory",
        simulated.twist.len() - 1,
        simulated.memory as f64 / 1e6
    )?;
    let pressure = match options.pressure {
        Pressure::Map => "map of a thermodynamic cycle",
        Pressure::Formula => "formula",
    };
    writeln!(text, "gas pressure {pressure}")?;
    writeln!(text, "measurement  orders {} of the twist, {origin}", list(&ORDERS))?;
    writeln!(
        text,
        "compared     order {FITTED_ORDER} at {} speeds from {} to {} rpm",
        fitted_speeds().count(),
        FITTED_SPEEDS.0,
        FITTED_SPEEDS.1
    )?;
    if let Some(file) = options.state.as_ref().filter(|file| file.exists()) {
        writeln!(text, "continues    from `{}`", file.display())?;
    }
    Ok(text)
}

/// Lists the highest amplitude of every order, measured and simulated.
pub fn peaks(measured: &OrderTable, start: &OrderTable, found: &OrderTable) -> Table {
    let table = Table::new(["peak [mrad at rpm]", "measured", "start", "identified"]);
    ORDERS.into_iter().fold(table, |table, order| {
        let role = if order == FITTED_ORDER { "fitted" } else { "validation" };
        let peaks = [measured, start, found].map(|orders| {
            let peak = orders.peak(order);
            peak.map_or("-".to_owned(), |(speed, amplitude)| format!("{:.4} at {speed:.0}", 1e3 * amplitude))
        });
        table.row(std::iter::once(format!("order {order} ({role})")).chain(peaks))
    })
}

fn list(numbers: &[f64]) -> String {
    numbers.iter().map(f64::to_string).collect::<Vec<_>>().join(", ")
}
