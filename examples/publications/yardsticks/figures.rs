//! Figures: the curves of all methods with the true ones, and the backbone.

use costate::plot::color::{BLUE, GREEN, ORANGE};
use costate::plot::{Axis, Color, Figure, Line, Panel};
use costate::restoring_force::RestoringForceCurve;
use costate_examples::{Shown, extent};

use crate::experiment::{CASE, Experiment};
use crate::study::{Found, Method};

/// Draws the figure of an experiment.
pub fn figure(experiment: &Experiment, noise: f64, found: &[Found]) -> Figure {
    let title = |part: &str| format!("{part}, {}, {:.0} % noise", experiment.name, 100.0 * noise);
    let line = |found: &Found, points: Vec<(f64, f64)>| {
        Line::new(found.method.name(experiment.is_free), color(found.method), points).width(1.5)
    };
    let with_curves = |panel: Panel, shown: Shown, of: fn(&Found) -> &RestoringForceCurve| {
        found.iter().fold(panel, |panel, found| panel.line(line(found, shown.nodes(of(found)))))
    };
    let (z, v) = (Shown::DEFORMATION, Shown::RATE);
    let elastic = z.truth(|z| CASE.elastic(z), extent(&experiment.truth.deformations));
    let dissipative = v.truth(|v| CASE.dissipative(v), extent(&experiment.truth.rates));
    let figure = Figure::new(2, (560, 330))
        .panel(with_curves(z.forces(title("Elastic force")).line(elastic), z, |found| &found.elastic))
        .panel(with_curves(v.forces(title("Dissipative force")).line(dissipative), v, |found| &found.dissipative));
    match found.iter().find(|found| !found.backbone.is_empty()) {
        Some(found) => {
            let axes = (Axis::new("amplitude").unit("µm"), Axis::new("natural frequency").unit("Hz"));
            let points = z.points(found.backbone.iter().copied());
            figure.panel(Panel::new(title("Backbone"), axes.0, axes.1).line(line(found, points)))
        }
        None => figure,
    }
}

fn color(method: Method) -> Color {
    match method {
        Method::Filter => BLUE,
        Method::Surface => ORANGE,
        Method::Hilbert => GREEN,
    }
}
