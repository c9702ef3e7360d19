//! Figures of curves (KE 2.11 to 2.15) and surfaces (KE 2.16 to 2.18).

use std::path::Path;

use anyhow::Result;
use costate::plot::color::{BLUE, GREEN, GREY, ORANGE};
use costate::plot::{Axis, Figure, Line, Panel};
use costate::restoring_force::{CurveFit, SurfaceSample};
use costate_examples::{Shown, curve_panel, plane_panel, surface_panel};

use crate::samples::{INTERVAL, motion, ranges};
use crate::study::{CURVES, FoundCurve, FoundSurface, KnownCurve, SURFACES};

const SIZE: (u32, u32) = (460, 300);

/// Samples of the signals that are shown, 0.01 s, and of pictures of all of them every so many.
const SHOWN: std::ops::Range<usize> = 5000..5100;
const EVERY: usize = 4;

/// Writes the figures.
pub fn write(folder: &Path, curves: &[FoundCurve], surfaces: &[FoundSurface]) -> Result<()> {
    of_curves(curves).write(folder.join("curves.svg"))?;
    of_surfaces(surfaces).write(folder.join("surfaces.svg"))?;
    Ok(())
}

fn of_curves(found: &[FoundCurve]) -> Figure {
    let mut figure = Figure::new(3, SIZE);
    if let (Some(first), Some(known)) = (found.first(), CURVES.first()) {
        figure = figure
            .panel(signals(first))
            .panel(sorted("Sorted over the deformation", &first.sorted_by_noisy, first))
            .panel(sorted("Sorted over its moving average", &first.sorted_by_averaged, first))
            .panel(smoothed("Smoothed, sorted over the deformation", &first.sorted_by_noisy, first, known))
            .panel(smoothed("Smoothed, sorted over its average", &first.sorted_by_averaged, first, known));
    }
    for (known, found) in CURVES.iter().zip(found) {
        figure = figure.panel(curve_panel(known.name, Shown::DEFORMATION, &found.curve, Some(known.force)));
    }
    figure
}

/// The true deformation, samples of it and their moving average (KE 2.11).
fn signals(found: &FoundCurve) -> Panel {
    let over_time = |value: &dyn Fn(usize) -> f64| -> Vec<_> {
        SHOWN.map(|i| (1e3 * INTERVAL * (i - SHOWN.start) as f64, 1e6 * value(i))).collect()
    };
    Panel::new("Samples", Axis::new("time").unit("ms"), Axis::new("deformation").unit("µm"))
        .line(Line::new("true", GREY, over_time(&|i| motion(i).0)).width(3.0))
        .line(Line::new("noisy", ORANGE, over_time(&|i| found.samples[i].coordinate)))
        .line(Line::new("moving average", BLUE, over_time(&|i| found.averaged[i])).width(1.5))
}

/// Deformations of the samples in the order of the fit (KE 2.12).
fn sorted(title: &str, fit: &CurveFit, found: &FoundCurve) -> Panel {
    let places = || fit.order.iter().enumerate().step_by(EVERY);
    let noisy = places().map(|(k, &i)| (k as f64, 1e6 * found.samples[i].coordinate));
    let truth = places().map(|(k, &i)| (k as f64, 1e6 * motion(i).0));
    Panel::new(title, Axis::new("number of the sample in the sorted order"), Axis::new("deformation").unit("µm"))
        .line(Line::new("true", GREY, truth))
        .line(Line::new("noisy", ORANGE, noisy))
}

/// Samples before and after smoothing (KE 2.13, 2.14).
fn smoothed(title: &str, fit: &CurveFit, found: &FoundCurve, known: &KnownCurve) -> Panel {
    let (end, _) = ranges();
    let noisy = found.samples.iter().step_by(EVERY).map(|sample| (1e6 * sample.coordinate, sample.force));
    let truth = (0..=200).map(|k| end * (f64::from(k) / 100.0 - 1.0));
    Shown::DEFORMATION
        .forces(title)
        .line(Line::new("noisy", ORANGE, noisy).width(0.5).scattered())
        .line(Line::new("true", GREY, truth.map(|z| (1e6 * z, (known.force)(z)))).width(4.0))
        .line(Line::new("smoothed", BLUE, fit.points.iter().map(|[z, f]| (1e6 * z, *f))))
}

fn of_surfaces(found: &[FoundSurface]) -> Figure {
    let mut figure = Figure::new(3, SIZE);
    if let Some(first) = found.first() {
        figure = figure.panel(plane(first)).panel(intermediate(first)).panel(section(first));
    }
    for (known, found) in SURFACES.iter().zip(found) {
        let (z, v) = (&found.surface.deformations, &found.surface.rates);
        let force = |i: usize, j: usize| found.surface.force(i, j);
        let truth = |i: usize, j: usize| if force(i, j).is_finite() { (known.force)(z[i], v[j]) } else { f64::NAN };
        let deviation = |i: usize, j: usize| found.surface.variances[i * v.len() + j].sqrt();
        figure = figure
            .panel(surface_panel(format!("{}, identified", known.name), &found.surface, force, Some(20.0)))
            .panel(surface_panel(format!("{}, true", known.name), &found.surface, truth, Some(20.0)))
            .panel(surface_panel("Standard deviation", &found.surface, deviation, Some(0.0)));
    }
    figure
}

/// The positions of samples and intermediate samples (KE 2.16).
fn plane(found: &FoundSurface) -> Panel {
    let at = |point: &[f64; 3]| (1e6 * point[0], 1e3 * point[1]);
    let noisy = found.samples.iter().step_by(EVERY).map(|sample| at(&sample.point));
    let fused = found.fused.iter().map(|sample| at(&sample.point));
    plane_panel("First step: samples of a cell become one")
        .line(Line::new("noisy", ORANGE, noisy).width(0.5).scattered())
        .line(Line::new("intermediate", BLUE, fused).scattered())
}

/// Forces of the intermediate samples over the true ones (KE 2.17).
fn intermediate(found: &FoundSurface) -> Panel {
    let exact = SURFACES[0].force;
    let points = |samples: &[SurfaceSample], every: usize| -> Vec<_> {
        let of = |sample: &SurfaceSample| {
            let [z, v, f] = sample.point;
            (exact(z, v), f)
        };
        samples.iter().step_by(every).map(of).collect()
    };
    let fused = points(&found.fused, 1);
    let end = fused.iter().fold(0.0_f64, |end, (truth, _)| end.max(*truth));
    Panel::new("Forces after the first step", Axis::new("true force").unit("N"), Axis::new("force").unit("N"))
        .line(Line::new("noisy", ORANGE, points(&found.samples, EVERY)).width(0.5).scattered())
        .line(Line::new("intermediate", BLUE, fused).scattered())
        .line(Line::new("identity", GREY, [(0.0, 0.0), (end, end)]).width(3.0))
}

/// The surface in the middle of its rates after the second step (KE 2.17).
fn section(found: &FoundSurface) -> Panel {
    let (z, v) = (&found.surface.deformations, &found.surface.rates);
    let middle = v.len() / 2;
    let known = || (0..z.len()).filter(|&i| found.surface.force(i, middle).is_finite());
    let exact = known().map(|i| (1e6 * z[i], (SURFACES[0].force)(z[i], v[middle])));
    let value = |i: usize| found.surface.force(i, middle);
    Shown::DEFORMATION
        .forces("Second step: section")
        .line(Line::new("true", GREY, exact).width(3.0))
        .line(Line::new("identified", GREEN, known().map(|i| (1e6 * z[i], value(i)))).marked())
}
