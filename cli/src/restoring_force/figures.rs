//! The curves of all elements with their uncertainty, the convergence plot, and the response of the adapted model.

use costate::plot::color::{BLACK, BLUE, GREEN, GREY, ORANGE};
use costate::plot::{Axis, Figure, Line, Panel};
use costate::restoring_force::{Convergence, Response, RestoringForceCurve, SensorKind};

use super::response::Found;
use super::samples::Samples;
use super::structure::Structure;

/// Standard deviations between a curve and its uncertainty curves.
const DEVIATIONS: f64 = 2.0;

/// Draws one row of panels for each element.
pub fn curves(structure: &Structure, found: &Found) -> Figure {
    let mut figure = Figure::new(2, (560, 330));
    for (j, (elastic, dissipative)) in found.curves.elastic.iter().zip(&found.curves.dissipative).enumerate() {
        let name = structure.element_name(j);
        figure = figure
            .panel(curve_panel(format!("{name}, elastic"), Axis::new("deformation").unit("µm"), 1e6, elastic))
            .panel(curve_panel(format!("{name}, dissipative"), Axis::new("rate").unit("mm/s"), 1e3, dissipative));
    }
    figure
}

/// Draws the convergence plot, and a panel for each sensor.
pub fn courses(structure: &Structure, samples: &Samples, found: &Found) -> Figure {
    let figure = Figure::new(1, (1120, 260)).panel(convergence_panel(found.forces.convergence(), samples.interval));
    let response = found.adapted.response.as_ref();
    let sensors = 0..structure.sensors.len();
    sensors.fold(figure, |figure, j| figure.panel(response_panel(structure, samples, response, j)))
}

/// Draws a curve with its band; its coordinates are shown `scale` times as large.
fn curve_panel(title: String, axis: Axis, scale: f64, curve: &RestoringForceCurve) -> Panel {
    let [lower, upper] = curve
        .uncertainty(DEVIATIONS)
        .map(|points| points.into_iter().map(|(x, force)| (scale * x, force)).collect::<Vec<_>>());
    let nodes = curve.points.iter().map(|point| (scale * point.coordinate, point.force));
    Panel::new(title, axis, Axis::new("force").unit("N"))
        .line(Line::new("±2 standard deviations", ORANGE, lower))
        .line(Line::new("", ORANGE, upper))
        .line(Line::new("identified", BLUE, nodes).width(1.5))
}

/// Draws the convergence plot (KE 2.2.4) of samples every `interval` s.
fn convergence_panel(errors: &Convergence, interval: f64) -> Panel {
    let end = errors.prediction_errors.len() as f64 * interval;
    let level = |name: &str, color, value: f64| Line::new(name, color, [(0.0, value), (end, value)]);
    Panel::new("Convergence", Axis::new("time").unit("s"), Axis::new("normalised error").logarithmic())
        .line(Line::new("prediction error", ORANGE, over_time(&errors.prediction_errors, interval)))
        .line(Line::new("synchronisation error", BLUE, over_time(&errors.synchronisation_errors, interval)))
        .line(level("measurement error", BLACK, errors.measurement_error))
        .line(level("limit", GREEN, Convergence::THRESHOLD * errors.measurement_error))
}

fn over_time(values: &[f64], interval: f64) -> impl Iterator<Item = (f64, f64)> {
    values.iter().enumerate().map(move |(i, y)| (i as f64 * interval, *y))
}

/// Draws the measured signal of a sensor, and that of the adapted model.
fn response_panel(structure: &Structure, samples: &Samples, response: Option<&Response>, j: usize) -> Panel {
    let sensor = &structure.sensors[j];
    let (quantity, unit) = match sensor.kind {
        SensorKind::Displacement => ("deformation", "m"),
        SensorKind::Velocity => ("rate", "m/s"),
        SensorKind::Acceleration | SensorKind::RelativeAcceleration => ("acceleration", "m/s²"),
    };
    let line = |name: &str, color, signal: Vec<f64>| {
        Line::new(name, color, over_time(&signal, samples.interval).collect::<Vec<_>>())
    };
    let axes = (Axis::new("time").unit("s"), Axis::new(quantity).unit(unit));
    let panel = Panel::new(format!("Response, {}", sensor.channel), axes.0, axes.1);
    let panel = panel.line(line("measured", GREY, samples.signal(j)));
    match response {
        Some(response) => panel.line(line("adapted model", BLUE, response.signal(j))),
        None => panel,
    }
}
