//! Text output of the program.

use std::fmt::Write;

use anyhow::Result;
use costate::Fit;
use costate::harmonic::{MountTest, StiffnessCurve, StiffnessReport};
use costate::vibration::{Complex, Equilibrium};
use costate_examples::true_value;
use costate_models::PreloadedMount;

use crate::options::Options;
use crate::rig::{self, Curve, PRELOAD};

/// Describes the measurement.
pub fn measurement(measured: &[Curve], options: &Options) -> String {
    let mut text = String::from("Hydraulic engine mount: identification from its dynamic stiffness\n\n");
    let noise = match options.noise {
        0.0 => "without noise".to_owned(),
        noise => format!("{} % noise, seed {}", 100.0 * noise, options.seed),
    };
    text += &format!("measurement  computed with the true parameters, {noise}; preload {PRELOAD} N and the weight\n\n");
    text += "amplitude [mm]  |k| at 1 Hz [N/mm]  largest |k| [N/mm]  largest loss angle [deg]  at [Hz]\n";
    for curve in measured {
        let first = curve.stiffness.first().map_or(f64::NAN, |k| k.norm());
        let largest = curve.stiffness.iter().map(|k| k.norm()).fold(0.0, f64::max);
        let angles = curve.stiffness.iter().map(|k| k.arg().to_degrees());
        let peak = angles.zip(&curve.frequencies).fold((f64::MIN, f64::NAN), |peak, (angle, &frequency)| {
            if angle > peak.0 { (angle, frequency) } else { peak }
        });
        let row = [1e3 * curve.amplitude, first / 1e3, largest / 1e3, peak.0, peak.1];
        let [amplitude, first, largest, angle, frequency] = row;
        text += &format!("{amplitude:>14}  {first:>18.1}  {largest:>18.1}  {angle:>24.1}  {frequency:>7.2}\n");
    }
    text
}

/// Makes the report of the mount: the measured curves beside those of the found model.
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

/// Describes the distances of the found parameters from the true ones; with noise, also in standard deviations.
pub fn comparison(fit: &Fit<PreloadedMount>, truth: &PreloadedMount, noisy: bool) -> Result<String> {
    let mut text = format!("{:9}  {:>10}  {:>14}", "parameter", "true value", "found/true - 1");
    if noisy {
        text += "  error/std. deviation";
    }
    for fitted in &fit.summary().parameters {
        let value = true_value(fitted, truth)?;
        let error = fitted.found - value;
        let shown = if value < 1e7 { value.to_string() } else { format!("{value:e}") };
        write!(text, "\n{:9}  {shown:>10}  {:>14.1e}", fitted.name, error / value)?;
        if noisy {
            write!(text, "  {:>20.2}", error / fitted.standard_deviation)?;
        }
    }
    Ok(text + "\n")
}
