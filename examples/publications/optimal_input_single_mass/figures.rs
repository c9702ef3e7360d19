//! Figures like OB 5.2 to 5.4, and the scatter of the estimates.

use std::path::Path;

use anyhow::Result;
use costate::experiment::Repetitions;
use costate::plot::color::{BLUE, GREEN, GREY, ORANGE};
use costate::plot::{Axis, Figure, Line, Panel};
use costate_publications::switching::SwitchingProblem;

use crate::model::SingleMass;
use crate::study::Scan;

/// Size of a panel over the full width of a page.
const WIDE: (u32, u32) = (900, 300);

/// Writes all figures.
pub fn write(
    folder: &Path,
    problem: &SwitchingProblem,
    scan: &Scan,
    results: &[(&'static str, Repetitions<SingleMass>)],
) -> Result<()> {
    let time = |name: &str| Axis::new(name).unit("s").range((0.0, problem.end()));
    let t1 = scan.extremal.switching_times[0];
    let zero = || Line::new("", GREY, [(0.0, 0.0), (problem.end(), 0.0)]);

    let condition = Panel::new("Switching condition", time("t₁"), Axis::new("f(t₁)").unit("m²s³"))
        .line(zero())
        .line(Line::new("f(t₁)", BLUE, scan.condition.iter().copied()))
        .line(Line::new("root", ORANGE, [(t1, 0.0)]).scattered());
    Figure::new(1, WIDE).panel(condition).write(folder.join("switching_condition.svg"))?;

    let adjoint = scan.path.iter().map(|&(t, p, _)| (t, p));
    let input = scan.path.iter().map(|&(t, _, u)| (t, u));
    let path = Panel::new("Adjoint variable and optimal input", time("t"), Axis::new("p₂, u"))
        .line(zero())
        .line(Line::new("p₂*(t)", BLUE, adjoint).width(1.5))
        .line(Line::new("u*(t)", ORANGE, input).width(1.5));
    Figure::new(1, WIDE).panel(path).write(folder.join("adjoint_and_input.svg"))?;

    let cost = Panel::new("Cost", time("t₁"), Axis::new("J(t₁)").unit("m²s⁵"))
        .line(Line::new("J(t₁)", BLUE, scan.cost.iter().copied()).width(1.5))
        .line(Line::new("Newton's method", ORANGE, [(t1, scan.extremal.cost)]).scattered());
    Figure::new(1, WIDE).panel(cost).write(folder.join("cost.svg"))?;

    let mut figure = Figure::new(1, WIDE);
    for (name, repeated) in results {
        figure = figure.panel(scatter(name, repeated));
    }
    figure.write(folder.join("scatter.svg"))?;
    Ok(())
}

/// The estimates of c in their order, the true value and the bound on both sides of it.
fn scatter(name: &str, repeated: &Repetitions<SingleMass>) -> Panel {
    let count = repeated.estimates().count() as f64;
    let truth = repeated.information().parameters()[0].value;
    let bound = repeated.information().standard_deviations()[0];
    let level = |name: &str, color, value: f64| Line::new(name, color, [(0.0, value), (count, value)]);
    let estimates = repeated.estimates().enumerate().map(|(i, estimate)| (i as f64, estimate[0]));
    Panel::new(name, Axis::new("repetition"), Axis::new("c").unit("1/s²"))
        .line(Line::new("estimates", BLUE, estimates).scattered())
        .line(level("true value", GREY, truth))
        .line(level("Cramér-Rao bound", GREEN, truth + bound))
        .line(level("", GREEN, truth - bound))
}
