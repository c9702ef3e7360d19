//! Errors over the step size, a row for each model and a column for each scheme.

use costate::plot::color::{BLUE, GREEN, GREY, ORANGE, PURPLE};
use costate::plot::{Axis, Figure, Line, Panel};

use crate::Results;
use crate::study::{Accuracy, Errors, SCHEMES};

/// All errors.
pub fn accuracy(results: &Results) -> Figure {
    let panels = results.iter().flat_map(|(model, found)| {
        let of = move |(scheme, _)| found.get(scheme).map(|accuracy| panel(model, scheme, accuracy));
        SCHEMES.into_iter().filter_map(of)
    });
    panels.fold(Figure::new(SCHEMES.len(), (480, 330)), Figure::panel)
}

fn panel(model: &str, scheme: &str, accuracy: &Accuracy) -> Panel {
    let title = format!("{}, {}", model.replace('_', " "), scheme.replace('_', " "));
    let line = |name: &str, color, error: fn(&Errors) -> Option<f64>| {
        // from short steps to long ones
        let points = accuracy.error.iter().rev().filter_map(|errors| Some((errors.h, error(errors)?)));
        Line::new(name, color, points).marked()
    };
    let axes = (Axis::new("h").unit("s").logarithmic(), Axis::new("relative error").logarithmic());
    let panel = Panel::new(title, axes.0, axes.1)
        .line(line("q", BLUE, |errors| Some(errors.of.q)))
        .line(line("v", GREEN, |errors| Some(errors.of.v)))
        .line(line("a", ORANGE, |errors| Some(errors.of.a)))
        .line(line("gradient", GREY, |errors| errors.of.gradient));
    match accuracy.order.lambda {
        Some(_) => panel.line(line("λ", PURPLE, |errors| errors.of.lambda)),
        None => panel,
    }
}
