//! Engine orders over speed and over the angle.

use std::f64::consts::TAU;

use costate::cost::{Cost, OrderLine, RunUp, SpectrumCost, Window, order_coefficients};
use costate::differentiate::sensitivities;
use costate::{Model, Parameter, check_gradient, gradient};

use super::shaft::{FORMS, STEP, STEPS, Shaft, WINDOWS, measured, outputs, problem, product, start, tracking};

#[test]
fn gradients_of_tracked_orders() {
    let unknown = [Shaft::C, Shaft::D, Shaft::J_2];
    for form in FORMS {
        for window in WINDOWS {
            let cost = tracking(form, window);
            assert!(cost.value(&outputs(&Shaft::default())).abs() < 1e-20);
            let report = check_gradient(&problem(), &start(), &cost, &unknown).unwrap();
            assert!(report.agrees(1e-9), "{form:?}, {window:?}\n{report}");
            assert!(report.entries.iter().all(|entry| entry.adjoint != 0.0), "{report}");
        }
    }
}

/// Dual numbers carry the angle's rounding into the twist; direct differentiation does not.
#[test]
fn gradients_of_tracked_orders_by_direct_differentiation() {
    let unknown: Vec<_> = Parameter::<Shaft>::all().take(6).collect();
    let problem = problem();
    let trajectory = problem.forward(&start().parameters()).unwrap();
    let outputs = trajectory.outputs();
    let series = sensitivities(&problem, &trajectory, &unknown).unwrap();
    for form in FORMS {
        let by_outputs = tracking(form, Window::Hann).output_gradient(&outputs);
        let adjoint = gradient(&problem, &trajectory, &by_outputs, &unknown).unwrap();
        for (adjoint, sensitivities) in adjoint.into_iter().zip(&series) {
            let direct = product(&by_outputs, sensitivities);
            assert!((direct - adjoint).abs() <= 1e-9 * adjoint.abs(), "{form:?}: {adjoint} {direct}");
        }
    }
}

#[test]
fn tracked_orders_do_not_smear() {
    // An order of a fast run-up with a known amplitude, and one that is not there.
    let angle = |t: f64| 30.0 * t + 40.0 * t * t;
    let angles: Vec<f64> = (0..=20_000).map(|i| angle(f64::from(i) * 1e-4)).collect();
    let values: Vec<f64> =
        angles.iter().map(|a| 0.3 * (2.0 * a).cos() - 0.4 * (2.0 * a).sin() + 0.1 * (5.0 * a).cos()).collect();
    for window in WINDOWS {
        let lines = [2.0, 3.5].map(|order| OrderLine::new(order, 2.0 * TAU, 6, 2.0 * TAU, window).unwrap());
        let found = order_coefficients(&angles, &values, &lines).unwrap();
        assert!((found[0].cosine - 0.3).abs() < 1e-4 && (found[0].sine + 0.4).abs() < 1e-4, "{found:?}");
        assert!(found[1].amplitude() < 1e-4, "{window:?}: {found:?}");
    }
}

#[test]
fn ends_of_the_angle_may_fall_between_the_samples() {
    // A of cos(theta) over whole periods is 1, B is 0.
    let angles: Vec<f64> = (0..=3000).map(|i| 0.013 * f64::from(i) - 0.1).collect();
    let values: Vec<f64> = angles.iter().map(|a| a.cos()).collect();
    let line = OrderLine::new(1.0, TAU, 2, TAU, Window::Rectangular).unwrap();
    let found = order_coefficients(&angles, &values, &[line]).unwrap()[0];
    assert!((found.cosine - 1.0).abs() < 1e-4 && found.sine.abs() < 1e-4, "{found:?}");
}

#[test]
fn gradients_of_orders_over_speed() {
    let run_up = RunUp::new(40.0 / TAU..=180.0 / TAU, 0.0..=1.5).unwrap();
    let lines = run_up.lines(2.0, [12.0, 15.0, 18.0, 20.1], Window::Hann).unwrap();
    let (times, _, twist) = measured();
    for form in FORMS {
        let cost = SpectrumCost::new(STEP, STEPS + 1, form);
        let cost = cost.with_measured(Shaft::TWIST, &lines, &times, &twist, 2.0).unwrap();
        let unknown = [Shaft::C, Shaft::D, Shaft::DRIVE];
        let report = check_gradient(&problem(), &start(), &cost, &unknown).unwrap();
        assert!(report.agrees(1e-9), "{form:?}\n{report}");
    }
}
