//! Figures of the primary flywheel: the record, its inertia, forces, the response and the modes.

use std::path::Path;

use anyhow::Result;
use costate::plot::color::{BLACK, BLUE, GREY, ORANGE, series};
use costate::plot::{Axis, Figure, Line, Map, Panel};
use costate::restoring_force::Mode;
use costate_examples::{Shown, convergence_panel, curve_panel, differences, spaced};
use costate_models::restoring_force::PrimaryFlywheel;

use crate::bench::Bench;
use crate::primary::{SPRINGS, Study, UNKNOWN, displacement};

/// Radius of the plate in radii of the springs.
const RADIUS: f64 = 1.25;

/// Writes the figures.
pub fn write(
    folder: &Path,
    bench: &Bench,
    study: &Study,
    flywheel: &PrimaryFlywheel,
    true_modes: Option<&[Mode]>,
) -> Result<()> {
    forces(bench, study, flywheel).write(folder.join("forces.svg"))?;
    response(bench, study).write(folder.join("response.svg"))?;
    let mut figure = Figure::new(SPRINGS, (450, 340));
    for (k, mode) in study.modes.iter().enumerate() {
        figure = figure.panel(shape(mode, true_modes.and_then(|modes| modes.get(k))));
    }
    figure.write(folder.join("modes.svg"))?;
    Ok(())
}

/// The curves (KE 5.9, 5.10), the inertia (KE 5.8) and the convergence of the filter.
fn forces(bench: &Bench, study: &Study, flywheel: &PrimaryFlywheel) -> Figure {
    let is_known = bench.truth.is_some();
    let mut figure = Figure::new(SPRINGS, (460, 300));
    for (j, curve) in study.elastic.iter().enumerate() {
        let truth = is_known.then_some(|z| flywheel.elastic(z)[j]);
        let title = format!("Elastic force {}", j + 1);
        figure = figure.panel(curve_panel(&title, Shown::DEFORMATION, curve, truth));
    }
    for (j, curve) in study.dissipative.iter().enumerate() {
        let truth = is_known.then_some(|v| flywheel.dissipative(v)[j]);
        let title = format!("Dissipative force {}", j + 1);
        figure = figure.panel(curve_panel(&title, Shown::RATE, curve, truth));
    }
    let mut inertia = Panel::new(
        "Inverse inertia",
        Axis::new("iteration"),
        Axis::new("entry of the inverse mass matrix").unit("1/kg"),
    );
    let truth = PrimaryFlywheel::inverse_inertia();
    let last = (study.inertia.len() - 1) as f64;
    for (k, (row, column)) in UNKNOWN.into_iter().enumerate() {
        if is_known {
            let ends = [0.0, last].map(|i| (i, truth[(row, column)]));
            inertia = inertia.line(Line::new(if k == 0 { "true" } else { "" }, GREY, ends).width(3.0));
        }
        let points = study.inertia.iter().enumerate().map(|(i, matrix)| (i as f64, matrix[(row, column)]));
        inertia = inertia.line(Line::new(format!("µ{}{}", row + 1, column + 1), series(k), points).marked());
    }
    figure.panel(inertia).panel(convergence_panel(study.forces.convergence(), bench.measured.interval))
}

/// The record (KE 5.7) and the response of the adapted model (KE 5.11), over the frequency of a simulated platform.
fn response(bench: &Bench, study: &Study) -> Figure {
    let (sweep, end) = (PrimaryFlywheel::SWEEP, bench.end());
    let is_known = bench.truth.is_some();
    let across = |values: &[f64]| -> Vec<(f64, f64)> {
        let frequency = |t: f64| sweep.from + (sweep.to - sweep.from) * t / end;
        let points = bench.over_time(values).into_iter();
        points.map(|(t, y)| (if is_known { frequency(t) } else { t }, y)).collect()
    };
    let panel = |title: &str| {
        let x = if is_known { Axis::new("frequency").unit("Hz") } else { Axis::new("time").unit("s") };
        Panel::new(title, x, Axis::new("acceleration").unit("m/s²"))
    };
    let mut figure =
        Figure::new(2, (560, 300)).panel(panel("Platform").line(Line::new("", GREY, across(&bench.measured.base))));
    for (j, found) in study.response.iter().enumerate() {
        let compared = bench.compared(j);
        let difference = differences(found, &compared);
        figure = figure.panel(
            panel(&format!("Response {}", j + 1))
                .line(Line::new("measured", GREY, across(&bench.acceleration(j))))
                .line(Line::new("adapted", BLUE, across(found)))
                .line(Line::new(format!("adapted - {}", bench.compared_name()), ORANGE, across(&difference))),
        );
    }
    figure
}

/// A mode seen from above (KE 5.12): the displacement, springs, and where the plate does not move.
fn shape(mode: &Mode, truth: Option<&Mode>) -> Panel {
    let axis: Vec<f64> = spaced([-RADIUS, RADIUS], 61).collect();
    let places = axis.iter().flat_map(|y| axis.iter().map(move |x| [*x, *y]));
    let is_on_plate = |[x, y]: [f64; 2]| x.hypot(y) <= RADIUS;
    let values = places.map(|place| if is_on_plate(place) { displacement(mode, place) } else { f64::NAN }).collect();
    let title = format!("{:.1} Hz, damping ratio {:.1} %", mode.frequency, 100.0 * mode.damping_ratio);
    let mut panel = Panel::new(title, Axis::new("ξ").unit("radii"), Axis::new("η").unit("radii")).map(Map::new(
        "displacement",
        axis.clone(),
        axis,
        values,
        0.2,
    ));
    if let Some(truth) = truth {
        panel = panel.line(Line::new("", GREY, still(truth)).width(4.0));
    }
    let springs = PrimaryFlywheel::ANGLES.map(f64::to_radians).map(|angle| (angle.cos(), angle.sin()));
    panel.line(Line::new("", ORANGE, still(mode)).width(1.5)).line(Line::new("", BLACK, springs).scattered())
}

/// The line on the plate that does not move.
fn still(mode: &Mode) -> Vec<(f64, f64)> {
    let origin = displacement(mode, [0.0, 0.0]);
    let slope = [[1.0, 0.0], [0.0, 1.0]].map(|place| displacement(mode, place) - origin);
    let square = slope[0] * slope[0] + slope[1] * slope[1];
    let nearest = slope.map(|part| -origin * part / square);
    let half = (RADIUS * RADIUS - nearest[0] * nearest[0] - nearest[1] * nearest[1]).sqrt() / square.sqrt();
    if !half.is_finite() {
        return Vec::new();
    }
    [-half, half].map(|by| (nearest[0] - by * slope[1], nearest[1] + by * slope[0])).to_vec()
}
