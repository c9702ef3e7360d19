//! Equilibria, modes and frequency responses against closed forms, and derivatives against differences of higher order.
#![allow(clippy::unwrap_used, clippy::panic, missing_docs, reason = "helpers of tests may fail")]

mod closed_forms;
mod derivatives;
mod equilibria;
mod fits;
mod participation;
mod refusals;
mod steady;

use costate_compiler::{Arguments, ModelFile};
use costate_interpreter::LoadedModel;
use costate_simulation::Simulation;

/// Loads the only model of a text.
pub fn loaded(text: &str) -> LoadedModel {
    let file = ModelFile::from_text("model.rs", format!("costate::model! {{ {text} }}")).unwrap();
    LoadedModel::of_file(&file, None, &Arguments::new()).unwrap_or_else(|error| panic!("{error}"))
}

pub fn simulation(model: LoadedModel) -> Simulation {
    model.simulation().unwrap()
}

#[track_caller]
pub fn assert_near(found: f64, wanted: f64, relative: f64) {
    let limit = relative * wanted.abs().max(f64::MIN_POSITIVE);
    assert!(
        (found - wanted).abs() <= limit,
        "{found} in place of {wanted}: off by {:e}",
        (found - wanted) / wanted
    );
}

#[track_caller]
pub fn assert_within(found: f64, wanted: f64, limit: f64) {
    assert!((found - wanted).abs() <= limit, "{found} in place of {wanted}");
}

/// The derivative of a function at `x` by Richardson's extrapolation of central differences of width `h`, `h/2` and so on.
pub fn derivative(function: impl Fn(f64) -> f64, x: f64, h: f64) -> f64 {
    const ROWS: usize = 6;
    let central = |h: f64| (function(x + h) - function(x - h)) / (2.0 * h);
    let mut table: Vec<f64> = (0..ROWS).map(|k| central(h / 2f64.powi(k as i32))).collect();
    let mut best = (f64::INFINITY, table[0]);
    for order in 1..ROWS {
        let factor = 4f64.powi(order as i32);
        let next: Vec<f64> =
            table.windows(2).map(|pair| (factor * pair[1] - pair[0]) / (factor - 1.0)).collect();
        for pair in next.windows(2) {
            if (pair[1] - pair[0]).abs() < best.0 {
                best = ((pair[1] - pair[0]).abs(), pair[1]);
            }
        }
        table = next;
    }
    best.1
}
