//! Figures: curves with uncertainty, the surface, the response, stiffness over time, and the convergence plot.

use std::path::Path;

use anyhow::Result;
use costate::plot::color::{BLUE, GREEN, GREY, ORANGE};
use costate::plot::{Axis, Figure, Line, Panel};
use costate_examples::{
    Shown, acceleration_panel, convergence_panel, curve_panel, differences, over_time, refined_panel, surface_panel,
};
use costate_models::restoring_force::cases;

use super::study::Study;

/// Writes the figure of a study.
pub fn write(file: &Path, study: &Study) -> Result<()> {
    let is_known = study.measurement.truth.is_some();
    let elastic = is_known.then_some(|z| study.case.elastic(z));
    let dissipative = is_known.then_some(|v| study.case.dissipative(v));
    let [z, v] = [Shown::DEFORMATION, Shown::RATE];
    let [elastic, dissipative] = match &study.refined {
        Some(refined) => {
            let tables = &refined.fitted;
            [
                refined_panel("Elastic force", z, &study.elastic, &tables[0], elastic),
                refined_panel("Dissipative force", v, &study.dissipative, &tables[1], dissipative),
            ]
        }
        None => [
            curve_panel("Elastic force", z, &study.elastic, elastic),
            curve_panel("Dissipative force", v, &study.dissipative, dissipative),
        ],
    };
    let surface = &study.surface;
    let figure = Figure::new(2, (560, 330))
        .panel(elastic)
        .panel(dissipative)
        .panel(surface_panel("Restoring force surface", surface, |i, j| surface.force(i, j), None))
        .panel(response(study))
        .panel(stiffness(study))
        .panel(convergence_panel(study.forces.convergence(), study.measurement.interval));
    Ok(figure.write(file)?)
}

fn response(study: &Study) -> Panel {
    let compared = study.measurement.compared();
    let line =
        |name: &str, color, values: &[f64]| Line::new(name, color, over_time(values, study.measurement.interval));
    let error = |name: &str, color, found: &[f64]| line(name, color, &differences(found, compared));
    let panel = acceleration_panel("Response").line(line(study.measurement.origin(), GREY, compared));
    if study.case.sweep.amplitude == 0.0 {
        return panel.line(line("with the surface", BLUE, &study.coupled_response));
    }
    let panel = panel.line(line("with the curves", BLUE, &study.response)).line(error(
        "error with the surface",
        ORANGE,
        &study.coupled_response,
    ));
    match &study.refined {
        Some(refined) => panel.line(error("error with the refined curves", GREEN, &refined.response)),
        None => panel,
    }
}

fn stiffness(study: &Study) -> Panel {
    let stiffness: Vec<f64> = study.forces.run().state(2).map(|s| 1e-6 * cases::SCALE * s).collect();
    let axes = (Axis::new("time").unit("s"), Axis::new("stiffness").unit("N/µm"));
    let points = over_time(&stiffness, study.measurement.interval);
    Panel::new("Effective stiffness", axes.0, axes.1).line(Line::new("", BLUE, points))
}
