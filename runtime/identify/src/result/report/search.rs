//! The section on the search for the unknowns.

use costate_view::Page;
use costate_view::plot::{Axis, Figure, Line, Panel, color};

use super::{HALF, add};
use crate::definition::digits::significant;
use crate::result::summary::FitSummary;
use crate::result::written::FitFileError;

pub fn write(page: &mut Page, summary: &FitSummary) -> Result<(), FitFileError> {
    /// Lines that can still be told apart.
    const MAX_LINES: usize = 12;
    page.heading("Minimisation");
    let mut text = format!(
        "The cost went from {} to {} in {} iterations with {} evaluations, {} simulations: {}.",
        significant(summary.cost_start, 4),
        significant(summary.cost_end, 4),
        summary.iterations,
        summary.evaluations,
        summary.simulations,
        summary.stop
    );
    if let Some(weights) = summary.weights {
        text += &format!(
            " Residuals were weighted by their standard deviations, which {} in {} minimisations; the cost changes \
                 with these weights.",
            if weights.settled { "settled" } else { "did not settle" },
            weights.rounds
        );
    }
    if let Some(steps) = summary.adaptive_steps {
        text += &format!(
            " A run had up to {} adaptive steps, chosen again {} times; at the end their error is {:.2} times the \
                 tolerance.",
            steps.steps, steps.renewals, steps.excess
        );
    }
    page.paragraph(&text);
    summary.remarks.iter().for_each(|remark| page.paragraph(remark));
    let points = summary.history.iter().map(|at| (at.number as f64, at.cost));
    let is_positive = summary.history.iter().all(|at| at.cost > 0.0);
    let axis = Axis::new("cost J");
    let axis = if is_positive { axis.logarithmic() } else { axis };
    let cost = Panel::new("Cost", Axis::new("iteration"), axis).line(Line::new("", color::BLUE, points).marked());
    let mut way = Panel::new("Unknowns", Axis::new("iteration"), Axis::new("value / found value"));
    let named = summary.parameters.iter().enumerate();
    let named = named.filter(|(_, one)| one.part_of.is_none() && one.found != 0.0);
    for (place, (k, one)) in named.take(MAX_LINES).enumerate() {
        let ratio = |at: &costate_optimize::Iteration| at.parameters.get(k).map_or(f64::NAN, |value| value / one.found);
        let points = summary.history.iter().map(|at| (at.number as f64, ratio(at)));
        way = way.line(Line::new(&one.name, color::series(place), points).width(1.5));
    }
    add(page, &Figure::new(2, (HALF.0, 340)).panel(cost).panel(way), "")
}
