//! Text output of the program.

use std::fmt::Write;

use anyhow::Result;
use costate::{Fit, Run};
use costate_examples::{rms, true_value};

use crate::engine_mount::{self, EngineMount};
use crate::measurement::Measurement;
use crate::options::Options;

/// Describes the measurement, and the effort of simulating it.
pub fn measurement(measurement: &Measurement, run: &Run<EngineMount>, options: &Options) -> Result<String> {
    let mut text = String::from("Hydraulic engine mount: identification from the acceleration of the engine\n\n");
    let origin = match (&options.record, options.noise) {
        (Some(_), _) => "record".to_owned(),
        (None, 0.0) => "simulated with the true parameters, without noise".to_owned(),
        (None, noise) => {
            format!("simulated with the true parameters, {} % noise, seed {}", 100.0 * noise, options.seed)
        }
    };
    let drive = if measurement.drive_measured { "from the record" } else { "published sweep" };
    let megabytes = run.memory().total() as f64 / 1e6;
    writeln!(text, "measurement  {origin}: `{}`", measurement.record.name())?;
    writeln!(
        text,
        "             {} samples, RMS {:.3} m/s^2; drive: {drive}",
        measurement.acceleration.len(),
        rms(&measurement.acceleration)
    )?;
    writeln!(
        text,
        "simulation   {} steps of {} s, alpha {}, {megabytes:.2} MB of memory",
        run.trajectory().steps(),
        measurement.step,
        engine_mount::ALPHA
    )?;
    if let Some(file) = options.state.as_ref().filter(|file| file.exists()) {
        writeln!(text, "continues    from `{}`", file.display())?;
    }
    Ok(text)
}

/// Describes the distances of the found parameters from the true ones; with noise, also in standard deviations.
pub fn comparison(fit: &Fit<EngineMount>, truth: &EngineMount, noisy: bool) -> Result<String> {
    let mut text = format!("{:9}  {:>10}  {:>14}", "parameter", "true value", "found/true - 1");
    if noisy {
        text += "  error/std. deviation";
    }
    for fitted in &fit.summary().parameters {
        let value = true_value(fitted, truth)?;
        let error = fitted.found - value;
        write!(text, "\n{:9}  {:>10}  {:>14.1e}", fitted.name, short(value), error / value)?;
        if noisy {
            write!(text, "  {:>20.2}", error / fitted.standard_deviation)?;
        }
    }
    Ok(text + "\n")
}

fn short(value: f64) -> String {
    if value.abs() < 1e7 { value.to_string() } else { format!("{value:e}") }
}
