//! Figures 3.22 to 3.25 of KE.

use std::path::Path;

use anyhow::Result;
use costate::plot::color::{BLACK, BLUE, GREEN, ORANGE, PURPLE};
use costate::plot::{Axis, Color, Figure, Line, Panel};
use costate_examples::Shown;

use crate::inertia::{Outcome, Part, truth};
use crate::noise::{Point, Signal};
use crate::sampling::{Count, Rate};

const SIZE: (u32, u32) = (560, 330);

/// An axis for these errors, from one power of ten to another, so that they can be read.
fn error(errors: &[f64]) -> Axis {
    let low = errors.iter().copied().fold(f64::INFINITY, f64::min).log10().floor();
    let high = errors.iter().copied().fold(0.0, f64::max).log10().ceil();
    let axis = Axis::new("error of the force").unit("%").logarithmic();
    if low < high && low.is_finite() && high.is_finite() {
        axis.range((10f64.powf(low), 10f64.powf(high)))
    } else {
        axis
    }
}

/// Figure 3.22: noise on both signals.
pub fn noise(file: &Path, points: &[Point]) -> Result<()> {
    let mut figure = Figure::new(3, SIZE);
    let all = points.iter().flat_map(|point| [point.additive_percent, point.coupled_percent]);
    let all: Vec<f64> = all.flatten().collect();
    for signal in Signal::ALL {
        let title = format!("Noise on {}", signal.name());
        let mut panel = Panel::new(title, Axis::new("noise").unit("%").logarithmic(), error(&all));
        for (filter, colors) in [("EKF", (BLUE, GREEN)), ("SR-UKF", (ORANGE, PURPLE))] {
            let of = |get: fn(&Point) -> Option<f64>| -> Vec<_> {
                let wanted = points.iter().filter(|point| point.signal == signal && point.filter == filter);
                wanted.filter_map(|point| Some((100.0 * point.noise, get(point)?))).collect()
            };
            let line = |name: &str, color, points| Line::new(format!("{filter}, {name}"), color, points).marked();
            panel = panel.line(line("additive", colors.0, of(|point| point.additive_percent))).line(line(
                "coupled",
                colors.1,
                of(|point| point.coupled_percent),
            ));
        }
        figure = figure.panel(panel);
    }
    figure.write(file)?;
    Ok(())
}

/// Figure 3.23: samples per period and samples altogether.
pub fn sampling(file: &Path, rates: &[Rate], counts: &[Count]) -> Result<()> {
    let all: Vec<f64> = rates.iter().filter_map(|rate| rate.additive_percent).collect();
    let mut of_rates = Panel::new("Samples per period", Axis::new("samples per period"), error(&all));
    for (filter, color) in [("EKF", BLUE), ("SR-UKF", ORANGE)] {
        let points = rates.iter().filter(|rate| rate.filter == filter);
        let points = points.filter_map(|rate| Some((rate.samples_per_period, rate.additive_percent?)));
        of_rates = of_rates.line(Line::new(filter, color, points.collect::<Vec<_>>()).marked());
    }
    let line = |name: &str, color: Color, get: fn(&Count) -> Option<f64>| {
        let points = counts.iter().filter_map(|count| Some((count.samples as f64, get(count)?)));
        Line::new(name, color, points.collect::<Vec<_>>()).marked()
    };
    let all = counts.iter().flat_map(|count| [count.additive_percent, count.coupled_percent, count.polynomial_percent]);
    let all: Vec<f64> = all.flatten().collect();
    let of_counts = Panel::new("Number of samples", Axis::new("samples").logarithmic(), error(&all))
        .line(line("additive", BLUE, |count| count.additive_percent))
        .line(line("coupled", ORANGE, |count| count.coupled_percent))
        .line(line("polynomials", GREEN, |count| count.polynomial_percent));
    Figure::new(2, SIZE).panel(of_rates).panel(of_counts).write(file)?;
    Ok(())
}

/// Figures 3.24 and 3.25: the elastic curves of all springs with wrong entries on the diagonal of M^-1, and off it.
pub fn inertia(file: &Path, part: Part, outcomes: &[Outcome]) -> Result<()> {
    let shown: Vec<&Outcome> =
        outcomes.iter().filter(|outcome| outcome.part == Part::None || outcome.part == part).collect();
    let mut figure = Figure::new(3, (480, 330));
    for j in 0..3 {
        let mut panel = Shown::DEFORMATION.forces(format!("Elastic force {}", j + 1));
        // Wrong curves reach beyond: where the filter has lost the motion, by far.
        let mut range = [f64::NEG_INFINITY, f64::INFINITY];
        if let Some(curve) = shown.first().and_then(|right| right.curves.get(j)) {
            let [low, high] = curve.range();
            range = [1.1 * low, 1.1 * high];
            panel = panel.line(Shown::DEFORMATION.truth(|z| truth(j, z), [low, high]));
        }
        for (outcome, color) in shown.iter().zip([BLACK, BLUE, ORANGE, GREEN]) {
            if let Some(curve) = outcome.curves.get(j) {
                let points = curve.points.iter().filter(|point| (range[0]..=range[1]).contains(&point.coordinate));
                let points = Shown::DEFORMATION.points(points.map(|point| (point.coordinate, point.force)));
                panel = panel.line(Line::new(outcome.assumption, color, points).width(1.5));
            }
        }
        figure = figure.panel(panel);
    }
    figure.write(file)?;
    Ok(())
}
