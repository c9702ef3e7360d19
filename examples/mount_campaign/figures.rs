//! Figures of the campaign.

use std::path::Path;

use anyhow::Result;
use costate::Fit;
use costate::Output;
use costate::identify::residuals::{Residuals, spectrum};
use costate::identify::{FittedExperiment, InformationShare, Profile};
use costate::plot::color::{BLUE, GREY, ORANGE, series};
use costate::plot::{Axis, Figure, Line, Panel};
use costate_models::PreloadedMount;

/// Size of one of two panels side by side, and of one with the names of all experiments above it.
const HALF: (u32, u32) = (560, 300);
const WIDE: (u32, u32) = (900, 300);

/// Writes all figures.
pub fn write(folder: &Path, fit: &Fit<PreloadedMount>, profiles: &[Profile]) -> Result<()> {
    let mut runs = Figure::new(2, HALF);
    for experiment in fit.experiments() {
        for output in [PreloadedMount::ACCELERATION, PreloadedMount::DISPLACEMENT] {
            runs = runs.panel(run(experiment, output)?);
        }
    }
    runs.write(folder.join("runs.svg"))?;

    let mut residuals = Figure::new(1, WIDE);
    for output in [PreloadedMount::ACCELERATION, PreloadedMount::DISPLACEMENT] {
        residuals = residuals.panel(residuals_in_time(fit, output)?).panel(residuals_in_frequency(fit, output)?);
    }
    residuals.write(folder.join("residuals.svg"))?;

    let curves = profiles.iter().fold(Figure::new(2, HALF), |figure, one| figure.panel(profile(one)));
    curves.write(folder.join("profiles.svg"))?;

    let summary = fit.summary();
    let common = summary.parameters.iter().enumerate().filter(|(_, unknown)| unknown.of.is_none());
    let names: Vec<_> = common.map(|(k, unknown)| (k, unknown.name.clone())).collect();
    Figure::new(1, WIDE).panel(shares(&summary.shares, &names)).write(folder.join("information.svg"))?;
    Ok(())
}

/// Measured and fitted values of one channel.
fn run(experiment: &FittedExperiment<PreloadedMount>, output: Output<PreloadedMount>) -> Result<Panel> {
    let title = format!("{}: {}", experiment.name(), output.name());
    let mut panel = Panel::new(title, Axis::new("time").unit("s"), axis(output, output.name()));
    if let Some(record) = experiment.residuals(output) {
        let record = record?;
        for (name, color, width) in [("measured", GREY, 2.5), ("fitted", BLUE, 1.0)] {
            let values = record.channel(name)?.values().iter().copied();
            panel = panel.line(Line::new(name, color, record.times().iter().copied().zip(values)).width(width));
        }
    }
    Ok(panel)
}

fn axis(output: Output<PreloadedMount>, name: &str) -> Axis {
    Axis::new(name).unit(output.quantity().unit.replace("^2", "²"))
}

fn residuals_in_time(fit: &Fit<PreloadedMount>, output: Output<PreloadedMount>) -> Result<Panel> {
    let title = format!("Residuals of the {}", output.name());
    let mut panel = Panel::new(title, Axis::new("time").unit("s"), axis(output, "residual"));
    for (k, experiment) in fit.experiments().iter().enumerate() {
        if let Some(record) = experiment.residuals(output) {
            let record = record?;
            let values = record.channel("residual")?.values().iter().copied();
            let points = record.times().iter().copied().zip(values);
            panel = panel.line(Line::new(experiment.name(), series(k), points).width(0.7));
        }
    }
    Ok(panel)
}

/// Power densities of the residuals: noise is level.
fn residuals_in_frequency(fit: &Fit<PreloadedMount>, output: Output<PreloadedMount>) -> Result<Panel> {
    let title = format!("Power spectral density of the residuals: {}", output.name());
    let unit = output.quantity().unit.replace("^2", "²");
    let density = Axis::new("power density").unit(format!("({unit})²/Hz")).logarithmic();
    let mut panel = Panel::new(title, Axis::new("frequency").unit("Hz"), density);
    for (k, experiment) in fit.experiments().iter().enumerate() {
        if let Some(record) = experiment.residuals(output) {
            let record = record?;
            let (residual, measured) = (record.channel("residual")?.values(), record.channel("measured")?.values());
            let residuals = Residuals::new(output.name(), record.times(), residual, measured)?;
            let Ok(spectrum) = spectrum(&residuals, None, 0.05) else { continue };
            let points = spectrum.frequencies.iter().copied().zip(spectrum.density.iter().copied()).skip(1);
            panel = panel.line(Line::new(experiment.name(), series(k), points));
        }
    }
    Ok(panel)
}

/// The least cost at every value of an unknown, with the parabola of its standard deviation.
fn profile(profile: &Profile) -> Panel {
    let rise = Axis::new("increase of 2 J").range((0.0, 6.0));
    let unit = profile.unit.replace("^3", "³");
    let panel = Panel::new(format!("Profile of {}", profile.name), Axis::new(&profile.name).unit(unit), rise);
    let [lower, upper] = profile.linear_interval;
    // the half width is 1.96 deviations
    let deviation = 0.5 * (upper - lower) / 1.96;
    let (first, last) = (profile.points.first(), profile.points.last());
    let (Some(first), Some(last)) = (first, last) else { return panel };
    let parabola = (0..=60).map(|i| {
        let value = first.value + (last.value - first.value) * f64::from(i) / 60.0;
        (value, ((value - profile.found) / deviation).powi(2))
    });
    let level = [(first.value, 3.84), (last.value, 3.84)];
    let points = profile.points.iter().map(|point| (point.value, point.rise));
    panel
        .line(Line::new("95 % confidence level", ORANGE, level))
        .line(Line::new("quadratic, from the standard deviation", GREY, parabola).width(2.0))
        .line(Line::new("profile", BLUE, points).marked())
}

/// The share of every experiment in the information about the unknowns that all experiments have in common.
fn shares(shares: &[InformationShare], unknowns: &[(usize, String)]) -> Panel {
    let names: Vec<_> = unknowns.iter().enumerate().map(|(i, (_, name))| format!("{}: {name}", i + 1)).collect();
    let part = Axis::new("share of the information").unit("%").range((0.0, 100.0));
    let mut panel = Panel::new("Information by experiment", Axis::new(names.join(", ")), part);
    for (number, share) in shares.iter().enumerate() {
        let parts = unknowns.iter().enumerate().map(|(i, (k, _))| ((i + 1) as f64, 100.0 * share.parts[*k]));
        let name = share.experiment.clone().unwrap_or_else(|| "priors".to_owned());
        panel = panel.line(Line::new(name, series(number), parts).scattered());
    }
    panel
}
