//! The results in words and numbers.

use std::f64::consts::TAU;
use std::fmt::Write;

use anyhow::Result;
use costate::Record;
use costate::identify::Determination;
use costate_examples::Table;
use serde::Serialize;

use crate::fits::{Fits, found};
use crate::model::Fork;
use crate::published;

/// The results as numbers.
#[derive(Debug, Serialize)]
pub struct Results {
    /// Period of small swings in s, with its deviation.
    period: [f64; 2],
    /// Found period over the published one.
    period_ratio: f64,
    /// Moment of inertia about the axis in kg m^2, with its deviation for a known mass and length.
    inertia: [f64; 2],
    /// Found moment over the published one.
    inertia_ratio: f64,
    viscous: [f64; 2],
    dry: [f64; 2],
    gain: [f64; 2],
    zero: [f64; 2],
    /// Largest angle in rad.
    amplitude: f64,
    /// BIC of viscous and of dry friction alone, minus that of the best model.
    viscous_behind: f64,
    dry_behind: f64,
    /// Standard deviation of residuals of each model in V.
    residuals: [f64; 3],
    /// True if small angles leave the gain open.
    gain_open_at_small_angles: bool,
}

/// Collects the results.
pub fn results(fits: &Fits, amplitude: f64) -> Result<Results> {
    let best = fits.best.model();
    let pair = |(value, deviation): (f64, f64)| [value, deviation];
    let inertia = found(&fits.best, Fork::INERTIA)?;
    let period = TAU * (inertia.0 / (best.m * best.g * best.l)).sqrt();
    let behind = |name: &str| {
        fits.comparison.models.iter().find(|model| model.name == name).map_or(f64::NAN, |model| model.behind)
    };
    let mut residuals = [0.0; 3];
    for (place, (_, fit)) in residuals.iter_mut().zip(&fits.compared) {
        *place = fit.summary().measurements.first().map_or(f64::NAN, |measured| measured.standard_deviation);
    }
    let open = fits
        .linear
        .unknowns
        .iter()
        .any(|unknown| unknown.name == Fork::GAIN.name() && unknown.determination == Determination::InCombination);
    Ok(Results {
        period: [period, 0.5 * period * inertia.1 / inertia.0],
        period_ratio: period / published::PERIOD,
        inertia: pair(inertia),
        inertia_ratio: inertia.0 / published::inertia(),
        viscous: pair(found(&fits.best, Fork::VISCOUS)?),
        dry: pair(found(&fits.best, Fork::DRY)?),
        gain: pair(found(&fits.best, Fork::GAIN)?),
        zero: pair(found(&fits.best, Fork::ZERO)?),
        amplitude,
        viscous_behind: behind("viscous friction"),
        dry_behind: behind("dry friction"),
        residuals,
        gain_open_at_small_angles: open,
    })
}

/// Writes the results as text.
pub fn text(record: &Record, fits: &Fits, results: &Results) -> Result<String> {
    let mut text = String::from("A bicycle's fork swings: what does one gyro show?\n\n");
    let samples = record.times().len();
    writeln!(text, "record       `{}`, brought to {samples} samples at 100 Hz after a low pass\n", record.name())?;
    writeln!(text, "Which friction? Residuals in mV and the likelihood, with white noise:\n")?;
    for ((name, _), residual) in fits.compared.iter().zip(results.residuals) {
        writeln!(text, "  {name:18} {:6.2} mV", 1e3 * residual)?;
    }
    writeln!(text, "\n{}\n", fits.comparison)?;
    writeln!(
        text,
        "The fit with both, with coloured noise, so that deviations count dependent samples right:\n\n{}\n",
        fits.best
    )?;

    writeln!(
        text,
        "What cannot be known? At small angles, a larger gain and a smaller swing give the same voltage. Prediction \
             for a pendulum whose moment"
    )?;
    writeln!(text, "is linear in the angle:\n\n{}\n", fits.linear)?;
    let [gain, deviation] = results.gain;
    let (per_degree, percent) = (1e3 * gain.to_radians(), 100.0 * deviation / gain);
    writeln!(
        text,
        "The swings of up to {:.1} degrees are longer than small ones by {:.2} %, which determines the gain: \
             {per_degree:.2} mV s/deg, to {percent:.1} %.\n\
         Mass and inertia cannot both be known: the record determines the period, and inertia = m g l (period/2 \
         pi)^2.\n",
        results.amplitude.to_degrees(),
        100.0 * results.amplitude.powi(2) / 16.0
    )?;

    let [period, deviation] = results.period;
    let (length, of_length) = published::length();
    let of_moment = (published::MASS.1 / published::MASS.0)
        .hypot(of_length / length)
        .hypot(published::GRAVITY.1 / published::GRAVITY.0);
    let central = results.inertia[0] - published::MASS.0 * length * length;
    let (published_central, of_central) = published::CENTRAL_INERTIA;
    let table = Table::new(["compared with other trials", "found", "published", "found/published - 1"]);
    let row = |table: Table, name: &str, found: f64, published: f64| {
        let ratio = format!("{:.2} %", 100.0 * (found / published - 1.0));
        table.row([name, &format!("{found:.5}"), &format!("{published:.5}"), &ratio])
    };
    let table = row(table, "period of small swings [s]", period, published::PERIOD);
    let table = row(table, "inertia about the axis [kg m^2]", results.inertia[0], published::inertia());
    let table = row(table, "inertia about the centre [kg m^2]", central, published_central);
    write!(text, "{table}")?;
    write!(
        text,
        "\nThe deviation of the found period is {deviation:.1e} s, so the difference is one of the trials and not of \
             noise. Mass and length, published to\n\
         {:.1} % of their product, are common to both columns. About the centre, what is left after m l^2 is a \
         quarter of the whole, and its\n\
         difference is four times as large; the published deviation there is {:.1} %.",
        100.0 * of_moment,
        100.0 * of_central / published_central
    )?;
    Ok(text)
}
