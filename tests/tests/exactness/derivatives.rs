//! Every emitted derivative of every model against dual numbers at random states.

use costate::verify::random_points;
use costate::{Model, check_derivatives};
use costate_models::{CartPendulum, DiscreteOscillator, EngineMount, Oscillator};
use costate_tests::{CrankTrain, Functions, Gyroscope, ParametersEverywhere};

/// Relative to the largest entry of each matrix.
const TOLERANCE: f64 = 1e-12;

fn check<M: Model>(model: &M) {
    let report = check_derivatives(&random_points(model, 100, 7), TOLERANCE);
    assert!(report.mismatches.is_empty(), "{report}");
    assert!(report.matrices >= 100 * 30, "{report}");
    assert_eq!(report.skipped, 0, "{report}");
}

#[test]
fn oscillator() {
    check(&Oscillator::default());
}

#[test]
fn discrete_oscillator() {
    check(&DiscreteOscillator::default());
}

#[test]
fn engine_mount() {
    check(&EngineMount::default());
    check(&EngineMount::start());
}

#[test]
fn cart_pendulum() {
    check(&CartPendulum::default());
    check(&costate_models::cart_pendulum::FD.start());
}

#[test]
fn every_function_of_the_language() {
    check(&Functions::default());
}

#[test]
fn mass_matrix_that_depends_on_coordinates_and_parameters() {
    check(&Gyroscope::default());
}

#[test]
fn components() {
    check(&CrankTrain::default());
}

#[test]
fn parameters_in_mass_constraints_and_initial_conditions() {
    check(&ParametersEverywhere::default());
}
