//! Text output of the program.

use std::fmt::Write;

use anyhow::Result;
use costate::Run;
use costate_examples::rms;

use crate::Options;
use crate::engine_mount::{self, EngineMount};
use crate::measurement::Measurement;

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
