//! Text output of the program.

use anyhow::Result;
use costate::harmonic::{MountTest, StiffnessCurve, StiffnessReport};
use costate::vibration::{Complex, Equilibrium};
use costate_examples::Table;
use costate_models::PreloadedMount;

use crate::Options;
use crate::rig::{self, Curve, PRELOAD};

/// Describes the measurement.
pub fn measurement(measured: &[Curve], options: &Options) -> String {
    let mut text = String::from("Hydraulic engine mount: identification from its dynamic stiffness\n\n");
    let noise = match options.noise {
        0.0 => "without noise".to_owned(),
        noise => format!("{} % noise, seed {}", 100.0 * noise, options.seed),
    };
    text += &format!("measurement  computed with the true parameters, {noise}; preload {PRELOAD} N and the weight\n\n");
    let headings =
        ["amplitude [mm]", "|k| at 1 Hz [N/mm]", "largest |k| [N/mm]", "largest loss angle [deg]", "at [Hz]"];
    let table = measured.iter().fold(Table::new(headings), |table, curve| {
        let first = curve.stiffness.first().map_or(f64::NAN, |k| k.norm());
        let largest = curve.stiffness.iter().map(|k| k.norm()).fold(0.0, f64::max);
        let angles = curve.stiffness.iter().map(|k| k.arg().to_degrees());
        let peak = angles.zip(&curve.frequencies).max_by(|a, b| a.0.total_cmp(&b.0));
        let (angle, frequency) = peak.map_or((f64::NAN, f64::NAN), |(angle, frequency)| (angle, *frequency));
        let row = [1e3 * curve.amplitude, first / 1e3, largest / 1e3, angle, frequency];
        table.row(row.map(|number| format!("{number:.2}")))
    });
    format!("{text}{table}")
}

/// Makes the report of the mount: the measured curves and those of the found model.
pub fn of_mount(found: &PreloadedMount, measured: &[Curve], options: &Options) -> Result<StiffnessReport> {
    let response = rig::balance(&rig::simulation(found)).stability(true).response(&rig::frequencies())?;
    let computed = response
        .curves
        .iter()
        .map(|curve| StiffnessCurve::of_motions(curve, PreloadedMount::TRANSMITTED, PreloadedMount::DISPLACEMENT));
    let computed = computed.collect::<Result<Vec<_>, _>>()?;
    let curve = |curve: &Curve| -> Result<StiffnessCurve> {
        let part = |of: fn(&Complex<f64>) -> f64| -> Vec<f64> { curve.stiffness.iter().map(of).collect() };
        let measured = StiffnessCurve::new(&curve.frequencies, &part(|k| k.re), &part(|k| k.im), "N/m")?;
        Ok(measured.at_amplitude(curve.amplitude, "m")?.source("stiffness.csv"))
    };
    let measured = measured.iter().map(curve).collect::<Result<Vec<_>>>()?;
    let rest = Equilibrium::of(&rig::simulation(found))?;
    let noise = format!("Virtual measurement with {} % noise; the model is the identified one.", 100.0 * options.noise);
    let test = MountTest::new("Hydraulic engine mount")
        .measured(measured)
        .model(computed)
        .preload_at_rest(&rest, PreloadedMount::TRANSMITTED)?
        .note(noise);
    Ok(test.report()?)
}

/// Writes measured curves as a table: one row for each line, real and imaginary part for each amplitude.
pub fn csv(measured: &[Curve]) -> String {
    let mut text = String::from("frequency [Hz]");
    for curve in measured {
        let amplitude = 1e3 * curve.amplitude;
        text += &format!(",real part at {amplitude} mm [N/m],imaginary part at {amplitude} mm [N/m]");
    }
    text.push('\n');
    let frequencies = measured.first().map_or(&[][..], |curve| &curve.frequencies);
    for (k, frequency) in frequencies.iter().enumerate() {
        text += &frequency.to_string();
        for value in measured.iter().filter_map(|curve| curve.stiffness.get(k)) {
            text += &format!(",{},{}", value.re, value.im);
        }
        text.push('\n');
    }
    text
}
