//! Errors over the step size, a row for each model and a column for each scheme.

use std::collections::BTreeMap;

use costate::plot::color::{BLUE, GREEN, GREY, ORANGE, PURPLE};
use costate::plot::{Axis, Figure, Line, Panel};

use crate::Results;
use crate::precision::{OfOrder, Point};
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

/// Processor time over errors of all models: positions on the left, gradients on the right.
pub fn work_precision(results: &BTreeMap<&'static str, Vec<OfOrder>>) -> Figure {
    let of_positions = |point: &Point| Some((point.of.q, point.run));
    let of_gradients = |point: &Point| Some((point.of.gradient?, point.gradient));
    let panels = results.iter().flat_map(|(model, orders)| {
        let model = model.replace('_', " ");
        let panel = |title: String, error: &str, of: &dyn Fn(&Point) -> Option<(f64, f64)>| {
            let axes = (Axis::new(error).logarithmic(), Axis::new("processor time").unit("s").logarithmic());
            orders.iter().zip([BLUE, GREEN, ORANGE]).fold(Panel::new(title, axes.0, axes.1), |panel, (one, color)| {
                let points = one.points.iter().rev().filter_map(of).filter(|(error, _)| *error > 0.0);
                panel.line(Line::new(format!("order {}", one.order), color, points).marked())
            })
        };
        [
            panel(format!("{model}, runs"), "relative error of q", &of_positions),
            panel(format!("{model}, gradients"), "relative error of the gradient", &of_gradients),
        ]
    });
    panels.fold(Figure::new(2, (480, 330)), Figure::panel)
}
