//! The engine mount: stiffness on a test rig, a constraint, a coordinate without mass.

use std::f64::consts::PI;

use costate_interpreter::LoadedModel;
use costate_system::simulation::Simulation;
use costate_vibration::harmonic::{HarmonicBalance, Verdict};
use nalgebra::Complex;

use super::models::MOUNT;
use crate::{loaded, simulation};

/// The first harmonic of samples of one period.
fn first_harmonic(samples: &[f64]) -> Complex<f64> {
    let count = samples.len() as f64;
    let sum: Complex<f64> = samples
        .iter()
        .enumerate()
        .map(|(j, x)| Complex::from_polar(2.0 / count * x, -2.0 * PI * j as f64 / count))
        .sum();
    sum
}

/// The mount with an elastomer that is damped strongly, so that runs settle within seconds.
fn damped(model: LoadedModel) -> Simulation {
    simulation(model).parameter(model.parameter("d_e").unwrap(), 150.0)
}

/// Tests the dynamic stiffness of the mount against stepped sine: runs with a given force until all has settled.
#[test]
fn stiffness_is_that_of_stepped_sine() {
    let model = loaded(MOUNT);
    let (drive, displacement) = (model.input("drive").unwrap(), model.output("displacement").unwrap());
    let balance = HarmonicBalance::new(&damped(model)).input(drive, [400.0]);
    let frequencies = [8.0, 14.0, 30.0];
    let response = balance.response(&frequencies).unwrap();
    for motion in &response.curves[0].motions {
        assert_eq!(motion.stability.as_ref().unwrap().verdict, Verdict::Stable);
        let frequency = motion.frequency;
        let (periods, steps) = ((8.0 * frequency) as i32, 1000);
        let run = damped(model)
            .input(drive, move |t: f64| 400.0 * (2.0 * PI * frequency * t).cos())
            .step(1.0 / frequency / f64::from(steps))
            .until(f64::from(periods) / frequency)
            .run()
            .unwrap();
        let all = run.output(displacement);
        let x = first_harmonic(&all[(periods - 1) as usize * steps as usize..periods as usize * steps as usize]);
        let stepped = Complex::new(400.0, 0.0) / x;
        let found = motion.stiffness(drive, displacement).unwrap().value;
        assert!((found - stepped).norm() < 1e-3 * stepped.norm(), "{frequency}: {found} {stepped}");
    }
}

/// Tests that the force of a controlled displacement, given to the model, moves it as controlled.
#[test]
fn a_controlled_displacement_has_a_force_with_higher_harmonics() {
    let model = loaded(MOUNT);
    let (drive, displacement) = (model.input("drive").unwrap(), model.output("displacement").unwrap());
    let balance = HarmonicBalance::new(&damped(model)).controlled(displacement, drive, [0.5e-3, 2e-3]);
    let frequency = 10.0;
    let response = balance.harmonics(15).response(&[frequency]).unwrap();
    let [small, large] = [0, 1].map(|k: usize| &response.curves[k].motions[0]);
    for (motion, amplitude) in [(small, 0.5e-3), (large, 2e-3)] {
        assert!((motion.harmonic(displacement, 1).unwrap() - amplitude).norm() < 1e-15);
        for k in 2..=15 {
            assert!(motion.harmonic(displacement, k).unwrap().norm() < 1e-14 * amplitude);
        }
    }
    assert!(large.harmonic(drive, 3).unwrap().norm() > 1.0);
    let [soft, stiff] = [small, large].map(|motion| motion.stiffness(drive, displacement).unwrap());
    assert!(stiff.magnitude() > 1.01 * soft.magnitude());
    assert!(soft.phase() > 0.0 && stiff.phase() > 0.0);
    // the same force in time; the mean of the motion has settled as well
    let course = large.course(drive, 4000).unwrap();
    let run = damped(model)
        .input(drive, move |t: f64| course[(t * frequency * 4000.0).round() as usize % 4000])
        .step(1.0 / frequency / 4000.0)
        .until(80.0 / frequency)
        .run()
        .unwrap();
    let all = run.output(displacement);
    let x = first_harmonic(&all[79 * 4000..80 * 4000]);
    assert!((x - 2e-3).norm() < 1e-3 * 2e-3, "{x}");
}

/// A pendulum on a spring in redundant coordinates, and the same with its angle alone.
const REDUNDANT: &str = "Redundant {
    parameters { m: kg = 2, l: m = 0.7, g: m/s^2 = 9.81, d: N*s/m = 0.8, c: N/m = 30 }
    inputs { drive: N }
    coordinates { x: m, y: m }
    mass { x: m, y: m }
    forces { x: drive - d*dot(x) - c*x, y: -m*g - d*dot(y) }
    constraints { rod: x^2 + y^2 - l^2 }
    initial { x = 0.0[m], y = -0.7[m], dot(x) = 0[m/s], dot(y) = 0[m/s] }
    outputs { across: m = x, tension: 1/s^2 = ddot(y)/l }
}";

const MINIMAL: &str = "Minimal {
    parameters { m: kg = 2, l: m = 0.7, g: m/s^2 = 9.81, d: N*s/m = 0.8, c: N/m = 30 }
    inputs { drive: N }
    coordinates { angle: rad }
    mass { angle: m*l^2 }
    forces { angle: drive*l*cos(angle) - d*l^2*dot(angle) - m*g*l*sin(angle) - c*l^2*sin(angle)*cos(angle) }
    initial { angle = 0[rad], dot(angle) = 0[rad/s] }
    outputs { across: m = l*sin(angle), tension: 1/s^2 = sin(angle)*ddot(angle) + cos(angle)*dot(angle)^2 }
}";

/// Tests a model with a constraint against its form with one coordinate: outputs and multipliers of perturbations.
#[test]
fn redundant_coordinates_give_the_motion_of_one_coordinate() {
    let [redundant, minimal] = [REDUNDANT, MINIMAL].map(|text| {
        let model = loaded(text);
        let balance = HarmonicBalance::new(&simulation(model))
            .input(model.input("drive").unwrap(), [3.0])
            .harmonics(30)
            .response(&[0.4, 0.8, 1.1])
            .unwrap();
        (model, balance)
    });
    for (a, b) in redundant.1.curves[0].motions.iter().zip(&minimal.1.curves[0].motions) {
        for name in ["across", "tension"] {
            let (a_output, b_output) = (redundant.0.output(name).unwrap(), minimal.0.output(name).unwrap());
            let size = (0..6).map(|k| b.harmonic(b_output, k).unwrap().norm()).fold(0.0, f64::max);
            for k in 0..10 {
                let difference = a.harmonic(a_output, k).unwrap() - b.harmonic(b_output, k).unwrap();
                assert!(difference.norm() < 1e-9 * size, "{name} {k}: {difference} of {size}");
            }
        }
        let [a, b] = [a, b].map(|motion| motion.stability.clone().unwrap());
        assert_eq!((a.multipliers.len(), b.multipliers.len()), (2, 2));
        for (a, b) in a.multipliers.iter().zip(&b.multipliers) {
            assert!((a.norm() - b.norm()).abs() < 1e-3, "{a} {b}");
        }
        assert_eq!(a.verdict, b.verdict);
    }
}
