//! Checks that find a wrong derivative and name the entry and the function.

use costate::cost::{LeastSquares, Quadrature};
use costate::emitted::{Argument, Function};
use costate::verify::random_points;
use costate::{Model, Output, Parameter, Simulation, check_derivatives, check_gradient};

/// The model as emitted by this crate's build script.
mod right {
    include!(concat!(env!("OUT_DIR"), "/right.rs"));
}

/// The emitted model with G_v wrong by a millionth.
mod wrong {
    include!(concat!(env!("OUT_DIR"), "/wrong.rs"));
}

fn gradient_difference<M: Model>(model: &M, expected: f64) {
    let problem = Simulation::new(model).step(0.01).until(2.0).problem().unwrap();
    let cost = LeastSquares::new(0.01, 201, Quadrature::Rectangle)
        .with_channel(Output::<M>::at(0), &[0.5, 1.0, 1.5], &[0.0, 0.1, 0.2], 1.0)
        .unwrap();
    let report = check_gradient(&problem, model, &cost, &Parameter::all().collect::<Vec<_>>()).unwrap();
    assert_eq!(report.agrees(1e-10), expected == 0.0, "{report}");
    assert!(report.worst() >= expected, "{report}");
}

#[test]
fn right_derivatives_pass() {
    let model = right::DiscreteOscillator::default();
    let report = check_derivatives(&random_points(&model, 10, 1), 1e-12);
    assert!(report.mismatches.is_empty(), "{report}");
    gradient_difference(&model, 0.0);
}

#[test]
fn a_wrong_entry_is_named() {
    let model = wrong::DiscreteOscillator::default();
    let report = check_derivatives(&random_points(&model, 10, 1), 1e-12);
    assert!(!report.mismatches.is_empty());
    for mismatch in &report.mismatches {
        assert_eq!((mismatch.group, mismatch.row, mismatch.column), ("adjoint", "q", "q"), "{report}");
        assert_eq!(mismatch.function, Function::ForceResidual, "{report}");
        assert_eq!(mismatch.argument, Some(Argument::Velocities), "{report}");
        assert!((mismatch.difference - 1e-6).abs() < 1e-9, "{report}");
    }
    assert!(report.to_string().contains("adjoint: ForceResidual by Velocities, entry (q, q)"), "{report}");
}

#[test]
fn a_wrong_gradient_does_not_pass() {
    gradient_difference(&wrong::DiscreteOscillator::default(), 1e-8);
}
