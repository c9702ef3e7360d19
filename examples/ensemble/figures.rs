//! The scatter of all pairs of parameters and the Cramér-Rao bound.

use std::f64::consts::TAU;
use std::path::Path;

use anyhow::Result;
use costate::experiment::Repetitions;
use costate::plot::color::{BLUE, ORANGE};
use costate::plot::{Axis, Figure, Line, Panel};
use costate_models::EngineMount;

use crate::report::{LEVEL_95, within};

/// Writes the figure.
pub fn write(folder: &Path, repeated: &Repetitions<EngineMount>) -> Result<()> {
    let count = repeated.information().parameters().len();
    let mut figure = Figure::new(3, (420, 380));
    for j in 0..count {
        for k in j + 1..count {
            figure = figure.panel(scatter(repeated, (j, k)));
        }
    }
    figure.write(folder.join("scatter.svg"))?;
    Ok(())
}

/// Estimates of two parameters relative to their true values, and the ellipse that is to hold 95 % of them.
fn scatter(repeated: &Repetitions<EngineMount>, (j, k): (usize, usize)) -> Panel {
    let known = repeated.information();
    let parameters = known.parameters();
    let relative = |k: usize, value: f64| 100.0 * (value / parameters[k].value - 1.0);
    let estimates = repeated.estimates().take(3000);
    let points = estimates.map(|estimate| (relative(j, estimate[j]), relative(k, estimate[k])));
    let (bounds, correlation) = (known.relative_deviations(), known.correlation()[(j, k)]);
    let ellipse = (0..=180).map(|i| {
        let (sine, cosine) = (TAU * f64::from(i) / 180.0).sin_cos();
        let along = correlation * cosine + (1.0 - correlation * correlation).sqrt() * sine;
        let radius = 100.0 * LEVEL_95.sqrt();
        (radius * bounds[j] * cosine, radius * bounds[k] * along)
    });
    let axis = |k: usize| Axis::new(format!("change of {}", parameters[k].name())).unit("%");
    let part = 100.0 * within(repeated, (j, k));
    Panel::new(format!("{} and {}", parameters[j].name(), parameters[k].name()), axis(j), axis(k))
        .line(Line::new(format!("{part:.1} % within the ellipse"), BLUE, points).scattered())
        .line(Line::new("Cramér-Rao, 95 %", ORANGE, ellipse).width(2.0))
}
