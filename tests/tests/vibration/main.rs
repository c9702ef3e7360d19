//! Equilibria, modes, responses and periodic motions against closed forms, published formulas and integration in time,
//! and derivatives against dual numbers.
#![allow(clippy::unwrap_used, clippy::panic, missing_docs, reason = "helpers of tests may fail")]

mod balance;
mod closed_forms;
mod complex_duals;
mod derivatives;
mod duals;
mod equilibria;
mod fits;
mod graded;
mod growth;
mod half_car;
mod participation;
mod refusals;
mod reports;
mod steady;
mod wrong_responses;

use costate_compiler::{Arguments, ModelFile};
use costate_interpreter::LoadedModel;
use costate_system::simulation::Simulation;

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
    assert!((found - wanted).abs() <= limit, "{found} in place of {wanted}: off by {:e}", (found - wanted) / wanted);
}

#[track_caller]
pub fn assert_within(found: f64, wanted: f64, limit: f64) {
    assert!((found - wanted).abs() <= limit, "{found} in place of {wanted}");
}
