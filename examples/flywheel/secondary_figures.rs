//! Figures of the secondary flywheel: the record, forces, sections of the surface, and the response as a whole and in
//! detail.

use std::path::Path;

use anyhow::Result;
use costate::plot::color::{BLUE, GREEN, GREY, ORANGE, series};
use costate::plot::{Axis, Figure, Line, Panel};
use costate_examples::{Shown, acceleration_panel, convergence_panel, curve_panel, surface_panel};
use costate_models::restoring_force::SecondaryFlywheel;

use crate::bench::Bench;
use crate::secondary::Study;

const SIZE: (u32, u32) = (560, 330);

/// Writes the figures.
pub fn write(folder: &Path, bench: &Bench, study: &Study, flywheel: &SecondaryFlywheel) -> Result<()> {
    forces(bench, study, flywheel).write(folder.join("forces.svg"))?;
    response(bench, study).write(folder.join("response.svg"))?;
    Ok(())
}

/// The curves (KE 5.3), the surface (KE 5.4) and its sections.
fn forces(bench: &Bench, study: &Study, flywheel: &SecondaryFlywheel) -> Figure {
    let is_known = bench.truth.is_some();
    let elastic = is_known.then_some(|z| flywheel.force(z, 0.0));
    let dissipative = is_known.then_some(|v| flywheel.force(0.0, v));
    let found = |i: usize, j: usize| study.surface.force(i, j);
    let mut figure = Figure::new(2, SIZE)
        .panel(curve_panel("Elastic curve", Shown::DEFORMATION, &study.elastic, elastic))
        .panel(curve_panel("Dissipative curve", Shown::RATE, &study.dissipative, dissipative))
        .panel(surface_panel("Surface, identified", &study.surface, found, None));
    if is_known {
        let (z, v) = (&study.surface.deformations, &study.surface.rates);
        let truth = |i: usize, j: usize| match found(i, j).is_finite() {
            true => flywheel.force(z[i], v[j]),
            false => f64::NAN,
        };
        figure = figure.panel(surface_panel("Surface, true", &study.surface, truth, None));
    }
    let truth = |z: f64, v: f64| is_known.then(|| flywheel.force(z, v));
    figure
        .panel(section("Sections at rates", study, false, &truth))
        .panel(section("Sections at deformations", study, true, &truth))
        .panel(convergence_panel(study.forces.convergence(), bench.measured.interval))
        .panel(initial_states(bench, study))
}

/// The surface along one of its arguments, at several values of the other one.
fn section(title: &str, study: &Study, along_rates: bool, truth: &dyn Fn(f64, f64) -> Option<f64>) -> Panel {
    let (z, v) = (&study.surface.deformations, &study.surface.rates);
    let (along, across) = if along_rates { (v, z) } else { (z, v) };
    let (z_shown, v_shown) = (Shown::DEFORMATION, Shown::RATE);
    let (shown, Shown(_, unit, scale)) = if along_rates { (v_shown, z_shown) } else { (z_shown, v_shown) };
    let mut panel = shown.forces(title);
    for (k, part) in [0.2, 0.35, 0.5, 0.65, 0.8].into_iter().enumerate() {
        let fixed = (part * (across.len() - 1) as f64).round() as usize;
        let at = |i: usize| if along_rates { (fixed, i) } else { (i, fixed) };
        let value = |i: usize| study.surface.force(at(i).0, at(i).1);
        let exact: Vec<_> = (0..along.len())
            .filter_map(|i| {
                let force = truth(z[at(i).0], v[at(i).1])?;
                Some((along[i], if value(i).is_finite() { force } else { f64::NAN }))
            })
            .collect();
        let found = (0..along.len()).map(|i| (along[i], value(i)));
        // the sum makes 0 of -0
        let name = format!("{:.0} {unit}", (scale * across[fixed]).round() + 0.0);
        if !exact.is_empty() {
            let name = if k == 0 { "true" } else { "" };
            panel = panel.line(Line::new(name, GREY, shown.points(exact)).width(3.0));
        }
        panel = panel.line(Line::new(name, series(k), shown.points(found)).width(1.5));
    }
    panel
}

/// The convergence of the initial state (KE 4.2).
fn initial_states(bench: &Bench, study: &Study) -> Panel {
    let mut panel = Panel::new("Initial state", Axis::new("iteration"), Axis::new("deformation in µm, rate in mm/s"));
    for (k, (name, scale, color)) in [("deformation", 1e6, BLUE), ("rate", 1e3, ORANGE)].into_iter().enumerate() {
        if let Some(motion) = &bench.truth {
            let truth = scale * [&motion.deformations, &motion.rates][k][0];
            let ends = [1.0, study.initial_states.len() as f64].map(|i| (i, truth));
            panel = panel.line(Line::new(if k == 0 { "true" } else { "" }, GREY, ends).width(3.0));
        }
        let points = study.initial_states.iter().enumerate().map(|(i, state)| ((i + 1) as f64, scale * state[k]));
        panel = panel.line(Line::new(name, color, points).marked());
    }
    panel
}

/// The record (KE 5.2) and the response of the adapted model (KE 5.4, 5.5).
fn response(bench: &Bench, study: &Study) -> Figure {
    let measured = bench.over_time(&bench.acceleration(0));
    let adapted = bench.over_time(&study.adapted_response);
    let curves = bench.over_time(&study.additive_response);
    let truth = bench.truth.as_ref().map(|motion| bench.over_time(&motion.accelerations));
    let mut figure = Figure::new(2, SIZE)
        .panel(acceleration_panel("Platform").line(Line::new("", GREY, bench.over_time(&bench.measured.base))))
        .panel(
            acceleration_panel("Model with the curves")
                .line(Line::new("measured", GREY, measured.clone()))
                .line(Line::new("curves", ORANGE, curves)),
        )
        .panel(
            acceleration_panel("Model with the surface")
                .line(Line::new("measured", GREY, measured.clone()))
                .line(Line::new("surface", BLUE, adapted.clone())),
        );
    if let Some(truth) = &truth {
        let difference = adapted.iter().zip(truth).map(|(a, b)| (a.0, a.1 - b.1));
        figure =
            figure.panel(
                acceleration_panel("Error of the response")
                    .line(Line::new("true", GREY, truth.clone()))
                    .line(Line::new("surface - true", ORANGE, difference)),
            );
    }
    // enlarged
    for part in [0.1, 0.4, 0.6, 0.8] {
        let from = part * bench.end();
        let within = |points: &[(f64, f64)]| -> Vec<_> {
            points.iter().copied().filter(|(t, _)| (from..=from + 0.03).contains(t)).collect()
        };
        let mut panel =
            acceleration_panel(format!("From {from:.2} s")).line(Line::new("measured", GREY, within(&measured)));
        if let Some(truth) = &truth {
            panel = panel.line(Line::new("true", GREEN, within(truth)).width(1.5));
        }
        figure = figure.panel(panel.line(Line::new("surface", BLUE, within(&adapted)).width(1.5)));
    }
    figure
}
