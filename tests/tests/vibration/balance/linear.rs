//! Linear models have closed forms.

use costate_vibration::harmonic::{HarmonicBalance, Verdict};
use nalgebra::Complex;

use crate::{loaded, simulation};

const PAIR: &str = "Pair {
    parameters { m_1: kg = 3, m_2: kg = 0.5, c_1: N/m = 900, c_2: N/m = 300, d_1: N*s/m = 4, d_2: N*s/m = 1.5,
        c_r: N/m = 200, d_r: N*s/m = 7 }
    inputs { drive: N }
    coordinates { x_1: m, x_2: m, r: m }
    mass { x_1: m_1, x_2: m_2 }
    let relaxing = c_r*(x_1 - r);
    let between = c_2*(x_1 - x_2) + d_2*(dot(x_1) - dot(x_2));
    forces { x_1: drive - c_1*x_1 - d_1*dot(x_1) - between - relaxing, x_2: between, r: relaxing - d_r*dot(r) }
    initial { x_1 = 0[m], x_2 = 0[m], r = 0[m], dot(x_1) = 0[m/s], dot(x_2) = 0[m/s] }
    outputs { first: m = x_1, second: m = x_2, acceleration: m/s^2 = ddot(x_2) }
}";

/// Tests two masses with a Maxwell element, whose node has no mass, against their transfer functions.
#[test]
fn a_linear_model_is_its_transfer_function() {
    let model = loaded(PAIR);
    let [first, second, acceleration] = ["first", "second", "acceleration"].map(|name| model.output(name).unwrap());
    let drive = model.input("drive").unwrap();
    let frequencies = [0.3, 1.0, 2.5, 3.9, 4.1, 10.0];
    let balance = HarmonicBalance::new(&simulation(model)).input(drive, [2.0]).mean(9.0).harmonics(3);
    let response = balance.response(&frequencies).unwrap();
    let motions = &response.curves[0].motions;
    assert_eq!(motions.len(), frequencies.len());
    for (motion, frequency) in motions.iter().zip(frequencies) {
        assert_eq!(motion.frequency.to_bits(), frequency.to_bits());
        let s = Complex::new(0.0, 2.0 * std::f64::consts::PI * frequency);
        let between = s * 1.5 + 300.0;
        let relaxing = s * 7.0 * 200.0 / (s * 7.0 + 200.0);
        let transfer = between / (s * s * 0.5 + between);
        let under = s * s * 3.0 + s * 4.0 + 900.0 + between * (Complex::new(1.0, 0.0) - transfer) + relaxing;
        let x_1 = Complex::new(2.0, 0.0) / under;
        let expected = [(first, x_1), (second, transfer * x_1), (acceleration, s * s * transfer * x_1)];
        for (output, expected) in expected {
            let found = motion.harmonic(output, 1).unwrap();
            assert!((found - expected).norm() < 1e-12 * expected.norm(), "{found} {expected}");
            assert!(motion.harmonic(output, 2).unwrap().norm() < 1e-12 * expected.norm());
        }
        assert!((motion.harmonic(first, 0).unwrap().re - 0.01).abs() < 1e-14);
        let stiffness = motion.stiffness(drive, first).unwrap();
        assert!((stiffness.value - under).norm() < 1e-12 * under.norm());
        assert_eq!(stiffness.unit, "N/m");
        let transmissibility = motion.ratio(second, first).unwrap();
        assert_eq!(transmissibility.unit, "1");
        assert!((transmissibility.value - transfer).norm() < 1e-12 * transfer.norm());
        assert!(motion.truncation.error < 1e-12);
    }
}

/// Tests the Floquet multipliers of a linear model against exp(s T): two pairs, and one of the Maxwell element.
#[test]
fn multipliers_are_those_of_the_eigenvalues() {
    let model = loaded(PAIR);
    let balance = HarmonicBalance::new(&simulation(model)).input(model.input("drive").unwrap(), [1.0]).harmonics(2);
    let period = 0.05;
    let response = balance.response(&[1.0 / period]).unwrap();
    let stability = response.curves[0].motions[0].stability.clone().unwrap();
    assert_eq!(stability.verdict, Verdict::Stable);
    assert_eq!(stability.multipliers.len(), 5);
    for multiplier in stability.multipliers {
        let s = multiplier.ln() / period;
        let between = s * 1.5 + 300.0;
        let transfer = between / (s * s * 0.5 + between);
        let relaxing = s * 7.0 * 200.0 / (s * 7.0 + 200.0);
        let under = s * s * 3.0 + s * 4.0 + 900.0 + between * (Complex::new(1.0, 0.0) - transfer) + relaxing;
        assert!(under.norm() < 1e-3 * between.norm(), "{multiplier}: {s} {under}");
    }
}

/// Tests an output that is held on a course by an unknown input against the inverse transfer function.
#[test]
fn a_controlled_output_gives_the_stiffness_of_the_inverse() {
    let model = loaded(PAIR);
    let (drive, first) = (model.input("drive").unwrap(), model.output("first").unwrap());
    let balance = HarmonicBalance::new(&simulation(model));
    for frequency in [0.7, 3.0] {
        let given = balance.clone().input(drive, [1.0]).response(&[frequency]).unwrap();
        for mean in [None, Some(0.02)] {
            let mut held = balance.clone().controlled(first, drive, [1e-3]);
            if let Some(mean) = mean {
                held = held.mean(mean);
            }
            let held = held.response(&[frequency]).unwrap();
            let motion = &held.curves[0].motions[0];
            let [given, held] =
                [&given.curves[0].motions[0], motion].map(|motion| motion.stiffness(drive, first).unwrap().value);
            assert!((given - held).norm() < 1e-12 * given.norm());
            let expected = mean.unwrap_or(0.0);
            assert!((motion.harmonic(first, 0).unwrap().re - expected).abs() < 1e-15);
            assert!((motion.harmonic(drive, 0).unwrap().re - 900.0 * expected).abs() < 1e-11);
        }
    }
}

/// Tests an oscillator without damping: its perturbations neither decay nor grow.
#[test]
fn without_damping_a_motion_is_at_the_limit_of_stability() {
    let model = loaded(PAIR);
    let mut undamped = simulation(model);
    for name in ["d_1", "d_2", "d_r"] {
        undamped = undamped.parameter(model.parameter(name).unwrap(), 0.0);
    }
    let balance = HarmonicBalance::new(&undamped).input(model.input("drive").unwrap(), [1.0]).harmonics(2);
    let stability = balance.response(&[7.0]).unwrap().curves[0].motions[0].stability.clone().unwrap();
    assert_eq!(stability.verdict, Verdict::Limit, "{stability:?}");
    assert!(stability.multipliers[..4].iter().all(|multiplier| (multiplier.norm() - 1.0).abs() < 1e-6));
}
