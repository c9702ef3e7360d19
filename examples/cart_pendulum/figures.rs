//! Figures of the identifications.

use std::path::Path;

use anyhow::Result;
use costate::cost::{AmplitudeSpectrum, SpectrumError, Window};
use costate::plot::color::{BLUE, GREY, ORANGE, PINK};
use costate::plot::{Axis, Figure, Line, Panel};
use costate_examples::{parameter_panels, true_value};
use costate_models::cart_pendulum::STEP;

use crate::contour;
use crate::experiment::Domain;
use crate::study::Study;

/// Size of a panel over the full width of a page, of one of two side by side, and of the contour plot.
const WIDE: (u32, u32) = (900, 260);
const HALF: (u32, u32) = (560, 320);
const MAP: (u32, u32) = (720, 520);

/// Writes all figures.
pub fn write(folder: &Path, studies: &[Study]) -> Result<()> {
    let (mut spectra, mut convergence) = (Figure::new(2, HALF), Figure::new(2, HALF));
    let (mut trajectories, mut costs) = (Figure::new(1, WIDE), Figure::new(2, MAP));
    let mut overview = Figure::new(2, HALF);
    for study in studies {
        spectra = spectra.panel(spectrum(study)?);
        trajectories = trajectories.panel(trajectory(study)?);
        let [values, distances] = parameters(study)?;
        convergence = convergence.panel(values.clone()).panel(distances);
        let panel = cost(study)?;
        if overview.is_empty() {
            overview = overview.panel(spectrum(study)?).panel(trajectory(study)?).panel(values);
            overview = overview.panel(panel.clone());
        }
        costs = costs.panel(panel);
    }
    spectra.write(folder.join("spectra.svg"))?;
    trajectories.write(folder.join("trajectories.svg"))?;
    convergence.write(folder.join("convergence.svg"))?;
    costs.write(folder.join("contour.svg"))?;
    overview.write(folder.join("overview.svg"))?;
    Ok(())
}

/// Function that converts a signal to the points of a line.
type Points<'a> = &'a dyn Fn(&[f64]) -> Result<Vec<(f64, f64)>, SpectrumError>;

/// Adds a line for each of the three signals that a study compares.
fn with_signals(mut panel: Panel, study: &Study, points: Points<'_>) -> Result<Panel, SpectrumError> {
    let signals = [
        ("measured", GREY, 3.5, study.measured()),
        ("start values", ORANGE, 1.2, &study.start),
        ("identified", BLUE, 1.2, &study.found),
    ];
    for (name, color, width, values) in signals {
        panel = panel.line(Line::new(name, color, points(values)?).width(width));
    }
    Ok(panel)
}

/// Draws the amplitudes of phi_1 with the band.
fn spectrum(study: &Study) -> Result<Panel, SpectrumError> {
    let frequency = Axis::new("frequency").unit("Hz").range((0.0, 3.0));
    let amplitude = Axis::new("amplitude of φ₁").unit("rad").logarithmic().range((1e-4, 1.0));
    let panel = Panel::new(study.experiment.title, frequency, amplitude);
    let panel = with_signals(panel, study, &|values| {
        let spectrum = AmplitudeSpectrum::new(STEP, values, Window::Rectangular)?;
        Ok(spectrum.frequencies.into_iter().zip(spectrum.amplitudes).skip(1).collect())
    })?;
    Ok(match study.experiment.domain {
        Domain::Band(low, high) => panel.shaded((low, high)),
        Domain::Time => panel,
    })
}

/// Draws phi_1 over time.
fn trajectory(study: &Study) -> Result<Panel, SpectrumError> {
    let panel = Panel::new(study.experiment.title, Axis::new("time").unit("s"), Axis::new("φ₁").unit("rad"));
    let times = study.times();
    with_signals(panel, study, &|values| Ok(times.iter().copied().zip(values.iter().copied()).collect()))
}

/// Draws the parameters over the iterations, divided by their true values, and their distances from these.
fn parameters(study: &Study) -> Result<[Panel; 2]> {
    let (fit, truth) = (study.fit.summary(), study.experiment.truth());
    let values = fit.parameters.iter().map(|fitted| true_value(fitted, &truth)).collect::<Result<Vec<_>, _>>()?;
    Ok(parameter_panels(fit, &format!("{}: true", study.experiment.title), &values))
}

/// Draws the cost over both parameters, with the path of the optimizer.
fn cost(study: &Study) -> Result<Panel> {
    let map = contour::map(study)?;
    let truth = study.experiment.truth();
    let path = study.fit.summary().history.iter().map(|at| (at.parameters[0], at.parameters[1]));
    let title = format!("Cost, {}", study.experiment.title);
    let panel = Panel::new(title, Axis::new("c_f").unit("N m"), Axis::new("d_f").unit("N m s"))
        .map(map)
        .line(Line::new("true parameters", PINK, [(truth.c_f, truth.d_f)]).width(9.0).marked())
        .line(Line::new("path of the optimizer", ORANGE, path).width(1.8).marked());
    Ok(panel)
}
