//! Tests of what the check of a run sees: short peaks, inputs between steps, jumps, rounding.
#![allow(clippy::unwrap_used, reason = "helpers of tests may fail")]

use std::f64::consts::TAU;

use costate::Simulation;
use costate::simulate::{Remedy, SimulationError};

costate::model! {
    #[interpreted]
    /// A damped oscillator, moved slowly, and hit for a short time.
    pub Kick {
        parameters { m: kg = 1, c: N/m = 4000, d: N*s/m = 40 }
        inputs { u: N }
        coordinates { x: m }
        mass { x: m }
        forces { x: u - c*x - d*dot(x) }
        initial { x = 0, dot(x) = 0 }
        outputs { a: m/s^2 = ddot(x), f: N = c*x }
    }
}

costate::model! {
    #[interpreted]
    /// A pendulum whose rod is a constraint.
    pub Pendulum {
        parameters { m: kg = 2, l: m = 1.5, g: m/s^2 = 9.81 }
        coordinates { x: m, y: m }
        mass { x: m, y: m }
        forces { y: -m*g }
        constraints { rod: x^2 + y^2 - l^2 }
        initial { x = 1.2[m], y ~ -0.9[m], dot(x) = 0[m/s], dot(y) = 0[m/s] }
        outputs { tension: N = 2*l*multiplier(rod), height: m = y }
    }
}

fn kick(u: impl Fn(f64) -> f64 + Send + Sync + 'static) -> Simulation<Kick> {
    Simulation::new(&Kick::default()).input(Kick::U, u)
}

/// A slow motion, and a hit of 40 ms at this time.
fn hit(at: f64) -> impl Fn(f64) -> f64 + Send + Sync + Clone + 'static {
    move |t: f64| {
        let inside = (t - at) / 0.04;
        let hit = if (0.0..1.0).contains(&inside) { 400.0 * (0.5 * TAU * inside).sin() } else { 0.0 };
        400.0 * (1.0 - (0.25 * TAU * t).cos()) + hit
    }
}

#[test]
fn short_peaks_are_seen() {
    for step in [0.04, 0.025, 0.02, 0.016, 0.0125, 0.01, 0.008, 0.005] {
        for phase in 0..8 {
            let simulation = kick(hit(1.0 + 0.0137 * f64::from(phase))).step(step).until(4.0);
            let free = simulation.clone().error_limit(None).run().unwrap();
            let estimated = free.accuracy().unwrap().relative();
            let accepted = simulation.run().is_ok();
            assert!(accepted || estimated > 0.04, "{step} {phase}: {estimated} is refused");
            assert!(!accepted || estimated < 0.06, "{step} {phase}: {estimated} is accepted");
        }
    }
}

/// A peak after the last step of longer runs, and peaks that outputs alone show, are seen as well.
#[test]
fn peaks_at_the_end_and_of_judged_outputs_are_seen() {
    let late = kick(hit(3.97)).step(0.02).until(4.0);
    assert!(late.run().is_err());
    assert!(kick(hit(1.0)).step(0.02).until(4.0).judge([Kick::A]).run().is_err());
}

#[test]
fn inputs_that_steps_do_not_see_are_refused() {
    let step = 0.01;
    for periods in 1..=60 {
        let angle = move |t: f64| TAU * f64::from(periods) * t / step;
        let inputs: [Box<dyn Fn(f64) -> f64 + Send + Sync>; 3] = [
            Box::new(move |t| 5.0 * (1.0 + angle(t).cos())),
            Box::new(move |t| 5.0 * angle(t).sin()),
            Box::new(move |t| 5.0 + 5.0 * (angle(t) + 1.0).sin() + (3.0 * t).sin()),
        ];
        for (i, input) in inputs.into_iter().enumerate() {
            let refused = kick(input).step(step).until(1.0).run();
            assert!(refused.is_err(), "{periods} {i}");
        }
    }
}

/// A pulse of a Gaussian bell begins with numbers that have lost their digits.
#[test]
fn numbers_near_zero_converge() {
    for (step, width) in [(5e-4, 0.02), (2.5e-4, 0.02), (1e-3, 0.02), (1e-3, 0.013)] {
        for place in 0..10 {
            let middle = 30.0 * width + 0.4 + 0.0013 * f64::from(place);
            let bell = move |t: f64| 100.0 * (-((t - middle) / width).powi(2)).exp();
            kick(bell).step(step).until(2.0).run().unwrap();
        }
    }
}

#[test]
fn jumps_are_named_and_steps_are_found_beside_them() {
    let jump = |at: f64| move |t: f64| if t >= at { 10.0 } else { 0.0 };
    for at in [0.1, 0.1003, 1.7] {
        let step = kick(jump(at)).until(30.0).step_for(1e-2).unwrap();
        let accuracy = kick(jump(at)).until(30.0).step(step).error_limit(1e-2).run().unwrap().accuracy().unwrap();
        assert!(accuracy.relative() < 1e-2, "{at} {step} {accuracy}");
        let refused = kick(jump(at)).until(30.0).step(3e-3).error_limit(1e-2).run().unwrap_err();
        let SimulationError::Inaccurate(inaccuracy) = &refused else { panic!("{refused}") };
        let jump = inaccuracy.jump.unwrap();
        assert!(jump.input == "u" && (jump.time - at).abs() < 1e-9 && jump.values == [0.0, 10.0], "{jump:?}");
        assert!(refused.to_string().contains(&format!("since the input `u` jumps at {at} s")), "{refused}");
    }
    // where nothing jumps, no jump is named
    let smooth = kick(|t: f64| 10.0 * (60.0 * t).sin()).until(2.0).step(0.02).run().unwrap_err();
    assert!(matches!(&smooth, SimulationError::Inaccurate(inaccuracy) if inaccuracy.jump.is_none()), "{smooth}");
}

/// Steps at which rounding of the multipliers is more than a thousandth of them.
#[test]
fn rounding_is_told_from_errors_of_steps() {
    for step in [1e-7, 5e-8, 2e-8] {
        let simulation = Simulation::new(&Pendulum::default()).step(step).until(2000.0 * step);
        let run = simulation.clone().error_limit(None).run().unwrap();
        let accuracy = run.accuracy().unwrap();
        let tension = accuracy.outputs[0];
        // the true tension hardly changes
        let values = run.output(Pendulum::TENSION);
        let error = values.iter().map(|value| (value - values[0]).abs()).fold(0.0, f64::max);
        let ratio = tension.error / error;
        assert!((0.5..3.0).contains(&ratio), "{step}: {} for {error}", tension.error);
        let limit = 0.1 * tension.relative();
        let refused = simulation.clone().error_limit(limit).run().unwrap_err();
        let SimulationError::Inaccurate(inaccuracy) = &refused else { panic!("{refused}") };
        let Remedy::LongerStep { advised, .. } = inaccuracy.remedy else { panic!("{refused}") };
        assert!(advised > 2.0 * step && refused.to_string().contains("rounding"), "{refused}");
        simulation.judge([Pendulum::HEIGHT]).error_limit(limit).run().unwrap();
    }
    let accuracy = Simulation::new(&Pendulum::default()).step(1e-3).until(2.0).run().unwrap().accuracy().unwrap();
    assert!(!accuracy.is_rounding && accuracy.order == 2, "{accuracy}");
}
