//! Figures: curves with uncertainty, the surface, the response, stiffness over time, and the convergence plot.

use std::path::Path;

use anyhow::Result;
use costate::plot::color::{BLUE, GREEN, GREY, ORANGE};
use costate::plot::{Axis, Figure, Line, Map, Panel};
use costate_examples::{convergence_panel, curve_panel, refined_panel};
use costate_models::restoring_force::cases;

use crate::study::Study;

const SIZE: (u32, u32) = (560, 330);

/// Writes the figure of a study.
pub fn write(file: &Path, study: &Study) -> Result<()> {
    let is_known = study.measurement.truth.is_some();
    let elastic = is_known.then_some(|z| study.case.elastic(z));
    let dissipative = is_known.then_some(|v| study.case.dissipative(v));
    let axes = [("deformation", "µm", 1e6), ("rate", "mm/s", 1e3)];
    let [elastic, dissipative] = match &study.refined {
        Some(refined) => {
            let tables = &refined.fitted;
            [
                refined_panel("Elastic force", axes[0], &study.elastic, &tables[0], elastic),
                refined_panel("Dissipative force", axes[1], &study.dissipative, &tables[1], dissipative),
            ]
        }
        None => [
            curve_panel("Elastic force", axes[0], &study.elastic, elastic),
            curve_panel("Dissipative force", axes[1], &study.dissipative, dissipative),
        ],
    };
    let figure = Figure::new(2, SIZE)
        .panel(elastic)
        .panel(dissipative)
        .panel(surface(study))
        .panel(response(study))
        .panel(stiffness(study))
        .panel(convergence_panel(study.forces.convergence(), study.measurement.interval));
    figure.write(file)?;
    Ok(())
}

fn surface(study: &Study) -> Panel {
    let surface = &study.surface;
    let (z, v) = (&surface.deformations, &surface.rates);
    let values: Vec<f64> = (0..v.len()).flat_map(|j| (0..z.len()).map(move |i| surface.force(i, j))).collect();
    let range =
        values.iter().filter(|f| f.is_finite()).fold((0.0_f64, 0.0_f64), |(low, high), f| (low.min(*f), high.max(*f)));
    let scaled = |axis: &[f64], scale: f64| axis.iter().map(|x| scale * x).collect::<Vec<_>>();
    let map = Map::new("force in N", scaled(z, 1e6), scaled(v, 1e3), values, (range.1 - range.0) / 20.0);
    let axes = (Axis::new("deformation").unit("µm"), Axis::new("rate").unit("mm/s"));
    Panel::new("Restoring force surface", axes.0, axes.1).map(map)
}

fn response(study: &Study) -> Panel {
    let (interval, compared) = (study.measurement.interval, study.measurement.compared());
    let times =
        |values: &[f64]| -> Vec<_> { values.iter().enumerate().map(|(i, y)| (i as f64 * interval, *y)).collect() };
    let panel = Panel::new("Response", Axis::new("time").unit("s"), Axis::new("acceleration").unit("m/s²"))
        .line(Line::new(study.measurement.origin(), GREY, times(compared)));
    let curves = Line::new("with the curves", BLUE, times(&study.response));
    if study.case.sweep.amplitude == 0.0 {
        return panel.line(Line::new("with the surface", BLUE, times(&study.coupled_response)));
    }
    let difference: Vec<f64> = study.coupled_response.iter().zip(compared).map(|(a, b)| a - b).collect();
    let panel = panel.line(curves).line(Line::new("error with the surface", ORANGE, times(&difference)));
    match &study.refined {
        Some(refined) => {
            let difference: Vec<f64> = refined.response.iter().zip(compared).map(|(a, b)| a - b).collect();
            panel.line(Line::new("error with the refined curves", GREEN, times(&difference)))
        }
        None => panel,
    }
}

fn stiffness(study: &Study) -> Panel {
    let (run, interval) = (study.forces.run(), study.measurement.interval);
    let points = run.state(2).enumerate().map(|(i, s)| (i as f64 * interval, 1e-6 * cases::SCALE * s));
    let axes = (Axis::new("time").unit("s"), Axis::new("stiffness").unit("N/µm"));
    Panel::new("Effective stiffness", axes.0, axes.1).line(Line::new("", BLUE, points))
}
