//! Every emitted derivative of every model against dual numbers at random states.

use costate::verify::random_points;
use costate::{Model, check_derivatives};
use costate_models::{CartPendulum, DiscreteOscillator, EngineMount, Oscillator, cart_pendulum};
use costate_tests::{CrankTrain, Functions, Gyroscope, ParametersEverywhere};

/// Relative to the largest entry of each matrix.
const TOLERANCE: f64 = 1e-12;

#[track_caller]
fn check<M: Model>(model: &M) {
    let report = check_derivatives(&random_points(model, 100, 7), TOLERANCE);
    assert!(report.mismatches.is_empty(), "{report}");
    assert!(report.matrices >= 100 * 30, "{report}");
    assert_eq!(report.skipped, 0, "{report}");
}

#[test]
fn emitted_derivatives_are_exact() {
    check(&Oscillator::default());
    check(&DiscreteOscillator::default());
    check(&EngineMount::default());
    check(&EngineMount::start());
    check(&CartPendulum::default());
    check(&cart_pendulum::FD.start());
    // every function of the language
    check(&Functions::default());
    // a mass matrix that depends on coordinates and parameters
    check(&Gyroscope::default());
    check(&CrankTrain::default());
    // parameters in masses, constraints and initial conditions
    check(&ParametersEverywhere::default());
}
