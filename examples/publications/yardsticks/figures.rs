//! Figures: the curves of all methods beside the true ones, and the backbone.

use std::path::Path;

use anyhow::Result;
use costate::plot::color::{BLUE, GREEN, GREY, ORANGE};
use costate::plot::{Axis, Color, Figure, Line, Panel};
use costate::restoring_force::RestoringForceCurve;

use crate::experiment::{CASE, Experiment};
use crate::study::{Found, Method};

const SIZE: (u32, u32) = (560, 330);

/// Writes the figure of an experiment.
pub fn write(file: &Path, experiment: &Experiment, noise: f64, found: &[Found]) -> Result<()> {
    let title = |part: &str| format!("{part}, {}, {:.0} % noise", experiment.name, 100.0 * noise);
    let (z, v) = (&experiment.truth.deformations, &experiment.truth.rates);
    let is_free = experiment.is_free;
    let elastic = Panel::new(title("Elastic force"), Axis::new("deformation").unit("µm"), Axis::new("force").unit("N"));
    let dissipative =
        Panel::new(title("Dissipative force"), Axis::new("rate").unit("mm/s"), Axis::new("force").unit("N"));
    let elastic = elastic.line(truth(z, 1e6, |z| CASE.elastic(z)));
    let dissipative = dissipative.line(truth(v, 1e3, |v| CASE.dissipative(v)));
    let lines = |panel: Panel, scale: f64, of: fn(&Found) -> &RestoringForceCurve| {
        found.iter().fold(panel, |panel, found| {
            let points = of(found).points.iter().map(|point| (scale * point.coordinate, point.force));
            let line = Line::new(found.method.name(is_free), color(found.method), points.collect::<Vec<_>>());
            panel.line(line.width(1.5))
        })
    };
    let mut figure = Figure::new(2, SIZE).panel(lines(elastic, 1e6, |found| &found.elastic)).panel(lines(
        dissipative,
        1e3,
        |found| &found.dissipative,
    ));
    if let Some(found) = found.iter().find(|found| !found.backbone.is_empty()) {
        let points: Vec<_> = found.backbone.iter().map(|(x, f)| (1e6 * x, *f)).collect();
        let axes = (Axis::new("amplitude").unit("µm"), Axis::new("natural frequency").unit("Hz"));
        let line = Line::new(found.method.name(is_free), color(found.method), points);
        figure = figure.panel(Panel::new(title("Backbone"), axes.0, axes.1).line(line));
    }
    figure.write(file)?;
    Ok(())
}

/// The true curve over the range of the record.
fn truth(visited: &[f64], scale: f64, force: impl Fn(f64) -> f64) -> Line {
    const PLACES: usize = 200;
    let low = visited.iter().copied().fold(f64::INFINITY, f64::min);
    let high = visited.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let at = |k: usize| low + (high - low) * k as f64 / (PLACES - 1) as f64;
    let points: Vec<_> = (0..PLACES).map(|k| (scale * at(k), force(at(k)))).collect();
    Line::new("true", GREY, points).width(3.0)
}

fn color(method: Method) -> Color {
    match method {
        Method::Filter => BLUE,
        Method::Surface => ORANGE,
        Method::Hilbert => GREEN,
    }
}
