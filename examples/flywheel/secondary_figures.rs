//! Figures of the secondary flywheel: the record, forces, sections of the surface, and the response as a whole and in
//! detail.

use std::path::Path;

use anyhow::Result;
use costate::plot::color::{BLUE, GREEN, GREY, ORANGE, series};
use costate::plot::{Axis, Figure, Line, Map, Panel};
use costate_examples::{convergence_panel, curve_panel};
use costate_models::restoring_force::SecondaryFlywheel;

use crate::bench::Bench;
use crate::secondary::Study;

const SIZE: (u32, u32) = (560, 330);

/// The starts of the enlarged sections of the response, as parts of the record, and the length of a section in s.
const CLOSER: [f64; 4] = [0.1, 0.4, 0.6, 0.8];
const CLOSER_LENGTH: f64 = 0.03;

/// Parts of the ranges of the surface at which it is cut.
const SECTIONS: [f64; 5] = [0.2, 0.35, 0.5, 0.65, 0.8];

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
        .panel(curve_panel("Elastic curve", ("deformation", "µm", 1e6), &study.elastic, elastic))
        .panel(curve_panel("Dissipative curve", ("rate", "mm/s", 1e3), &study.dissipative, dissipative))
        .panel(map("Surface, identified", study, &found));
    if is_known {
        let (z, v) = (&study.surface.deformations, &study.surface.rates);
        let truth = |i: usize, j: usize| match found(i, j).is_finite() {
            true => flywheel.force(z[i], v[j]),
            false => f64::NAN,
        };
        figure = figure.panel(map("Surface, true", study, &truth));
    }
    let truth = |z: f64, v: f64| is_known.then(|| flywheel.force(z, v));
    figure
        .panel(section("Sections at rates", study, false, &truth))
        .panel(section("Sections at deformations", study, true, &truth))
        .panel(convergence_panel(study.forces.convergence(), bench.measured.interval))
        .panel(initial_states(bench, study))
}

fn map(title: &str, study: &Study, force: &dyn Fn(usize, usize) -> f64) -> Panel {
    let (z, v) = (&study.surface.deformations, &study.surface.rates);
    let values: Vec<f64> = (0..v.len()).flat_map(|j| (0..z.len()).map(move |i| force(i, j))).collect();
    let range =
        values.iter().filter(|f| f.is_finite()).fold((0.0_f64, 0.0_f64), |(low, high), f| (low.min(*f), high.max(*f)));
    let scaled = |axis: &[f64], scale: f64| axis.iter().map(|x| scale * x).collect::<Vec<_>>();
    let map = Map::new("force in N", scaled(z, 1e6), scaled(v, 1e3), values, (range.1 - range.0) / 20.0);
    let axes = (Axis::new("deformation").unit("µm"), Axis::new("rate").unit("mm/s"));
    Panel::new(title, axes.0, axes.1).map(map)
}

/// The surface along one of its arguments, at several values of the other one.
fn section(title: &str, study: &Study, along_rates: bool, truth: &dyn Fn(f64, f64) -> Option<f64>) -> Panel {
    let (z, v) = (&study.surface.deformations, &study.surface.rates);
    let (along, across) = if along_rates { (v, z) } else { (z, v) };
    let names = [("deformation", "µm", 1e6), ("rate", "mm/s", 1e3)];
    let ((name, unit, scale), (_, fixed_unit, fixed_scale)) =
        if along_rates { (names[1], names[0]) } else { (names[0], names[1]) };
    let mut panel = Panel::new(title, Axis::new(name).unit(unit), Axis::new("force").unit("N"));
    for (k, part) in SECTIONS.into_iter().enumerate() {
        let fixed = (part * (across.len() - 1) as f64).round() as usize;
        let at = |i: usize| if along_rates { (fixed, i) } else { (i, fixed) };
        let value = |i: usize| study.surface.force(at(i).0, at(i).1);
        let exact: Vec<_> = (0..along.len())
            .filter_map(|i| {
                let force = truth(z[at(i).0], v[at(i).1])?;
                Some((scale * along[i], if value(i).is_finite() { force } else { f64::NAN }))
            })
            .collect();
        let found = (0..along.len()).map(|i| (scale * along[i], value(i)));
        // the sum makes 0 of -0
        let name = format!("{:.0} {fixed_unit}", (fixed_scale * across[fixed]).round() + 0.0);
        if !exact.is_empty() {
            let name = if k == 0 { "true" } else { "" };
            panel = panel.line(Line::new(name, GREY, exact).width(3.0));
        }
        panel = panel.line(Line::new(name, series(k), found).width(1.5));
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
    let axes = |title: &str| Panel::new(title, Axis::new("time").unit("s"), Axis::new("acceleration").unit("m/s²"));
    let measured = bench.over_time(&bench.acceleration(0));
    let adapted = bench.over_time(&study.adapted_response);
    let curves = bench.over_time(&study.additive_response);
    let truth = bench.truth.as_ref().map(|motion| bench.over_time(&motion.accelerations));
    let mut figure = Figure::new(2, SIZE)
        .panel(axes("Platform").line(Line::new("", GREY, bench.over_time(&bench.measured.base))))
        .panel(
            axes("Model with the curves")
                .line(Line::new("measured", GREY, measured.clone()))
                .line(Line::new("curves", ORANGE, curves)),
        )
        .panel(axes("Model with the surface").line(Line::new("measured", GREY, measured.clone())).line(Line::new(
            "surface",
            BLUE,
            adapted.clone(),
        )));
    if let Some(truth) = &truth {
        let difference = adapted.iter().zip(truth).map(|(a, b)| (a.0, a.1 - b.1));
        figure =
            figure.panel(axes("Error of the response").line(Line::new("true", GREY, truth.clone())).line(Line::new(
                "surface - true",
                ORANGE,
                difference,
            )));
    }
    for part in CLOSER {
        let from = part * bench.end();
        let within = |points: &[(f64, f64)]| -> Vec<_> {
            points.iter().copied().filter(|(t, _)| (from..=from + CLOSER_LENGTH).contains(t)).collect()
        };
        let mut panel = axes(&format!("From {from:.2} s")).line(Line::new("measured", GREY, within(&measured)));
        if let Some(truth) = &truth {
            panel = panel.line(Line::new("true", GREEN, within(truth)).width(1.5));
        }
        figure = figure.panel(panel.line(Line::new("surface", BLUE, within(&adapted)).width(1.5)));
    }
    figure
}
