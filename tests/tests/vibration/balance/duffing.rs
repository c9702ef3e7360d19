//! Duffing's oscillator: integration in time, the first-order formula, folds.

use std::f64::consts::PI;

use costate_vibration::harmonic::{HarmonicBalance, Verdict};

use super::models::DUFFING;
use crate::{loaded, simulation};

/// Tests a motion with strong higher harmonics against a run over many periods.
#[test]
fn a_motion_is_that_of_a_long_run() {
    let model = loaded(DUFFING);
    let (drive, position) = (model.input("drive").unwrap(), model.output("position").unwrap());
    let frequency = 0.08;
    let balance = HarmonicBalance::new(&simulation(model)).input(drive, [0.8]).harmonics(25);
    let response = balance.response(&[frequency]).unwrap();
    let motion = &response.curves[0].motions[0];
    assert!(motion.truncation.error < 1e-7, "{:?}", motion.truncation);
    assert!(motion.harmonic(position, 3).unwrap().norm() > 0.05 * motion.harmonic(position, 1).unwrap().norm());
    let (periods, steps) = (40, 4000);
    let step = 1.0 / frequency / f64::from(steps);
    let run = simulation(model)
        .input(drive, move |t: f64| 0.8 * (2.0 * PI * frequency * t).cos())
        .step(step)
        .until(f64::from(periods) / frequency)
        .run()
        .unwrap();
    let last = run.output(position).split_off(usize::try_from((periods - 1) * steps).unwrap());
    let course = motion.course(position, usize::try_from(steps).unwrap()).unwrap();
    let largest = course.iter().fold(0.0, |largest: f64, x| largest.max(x.abs()));
    let error = course.iter().zip(&last).fold(0.0, |error: f64, (a, b)| error.max((a - b).abs()));
    assert!(error < 1e-4 * largest, "{error} of {largest}");
}

/// Tests small amplitudes against the first-order formula of Kovacic and Brennan, (c - m w^2 + 3/4 c_3 X^2)^2 X^2 + (d
/// w X)^2 = F^2, whose error is of the order of the third harmonic.
#[test]
fn small_amplitudes_follow_the_first_order_formula() {
    let model = loaded(DUFFING);
    let (drive, position) = (model.input("drive").unwrap(), model.output("position").unwrap());
    let amplitudes = [0.005, 0.01];
    let balance = HarmonicBalance::new(&simulation(model)).input(drive, amplitudes);
    let response = balance.response(&[0.12, 0.155, 0.16, 0.165, 0.2]).unwrap();
    for (curve, force) in response.curves.iter().zip(amplitudes) {
        for motion in &curve.motions {
            let (omega, x) = (2.0 * PI * motion.frequency, motion.harmonic(position, 1).unwrap().norm());
            let stiffness = 1.0 - omega * omega + 0.75 * x * x;
            let formula = (stiffness * x).hypot(0.1 * omega * x);
            // the term of third order in the first harmonic is about x^4/128
            assert!((formula - force).abs() < 0.1 * x.powi(5) + 1e-13, "{formula} {force} {x}");
        }
    }
}

/// Tests a bent resonance: three motions between the folds, the middle one unstable.
#[test]
fn a_bent_resonance_has_three_motions_between_its_folds() {
    let model = loaded(DUFFING);
    let (drive, position) = (model.input("drive").unwrap(), model.output("position").unwrap());
    let frequencies: Vec<f64> = (0..=60).map(|k| 0.10 + 0.004 * f64::from(k)).collect();
    let balance = HarmonicBalance::new(&simulation(model)).input(drive, [0.15]).harmonics(9);
    let response = balance.response(&frequencies).unwrap();
    let curve = &response.curves[0];
    assert_eq!(curve.turning_points.len(), 2, "{:?}", curve.turning_points);
    let [upper, lower] = [curve.turning_points[0], curve.turning_points[1]];
    assert!(upper > lower);
    for &frequency in &frequencies {
        let motions: Vec<_> =
            curve.motions.iter().filter(|motion| motion.frequency.to_bits() == frequency.to_bits()).collect();
        let expected = if frequency > lower && frequency < upper { 3 } else { 1 };
        assert_eq!(motions.len(), expected, "{frequency} {lower} {upper}");
        for motion in &motions {
            let verdict = motion.stability.as_ref().unwrap().verdict;
            let wanted = if motion.turns == 1 { Verdict::Unstable } else { Verdict::Stable };
            assert_eq!(verdict, wanted, "{frequency} {} {:?}", motion.turns, motion.stability);
        }
        let sizes: Vec<f64> = motions.iter().map(|motion| motion.harmonic(position, 1).unwrap().norm()).collect();
        assert!(sizes.is_sorted_by(|a, b| a > b), "{sizes:?}");
    }
    // the folds where X^2 of the first-order formula has a double root
    let [upper_1, lower_1] = first_order_folds(0.15);
    assert!((upper / upper_1 - 1.0).abs() < 0.02, "{upper} {upper_1}");
    assert!((lower / lower_1 - 1.0).abs() < 0.02, "{lower} {lower_1}");
    assert!(response.to_string().contains("unstable"));
}

/// The folds of the first-order formula in Hz: omega^2 over X has two branches, whose extremes are found on a fine
/// grid.
fn first_order_folds(force: f64) -> [f64; 2] {
    let omega_of = |x: f64, sign: f64| {
        // (k - w2)^2 + d^2 w2 = F^2/x^2 with k = 1 + 3/4 x^2
        let (k, d2, f2) = (1.0 + 0.75 * x * x, 0.01, (force / x).powi(2));
        let half = k - 0.5 * d2;
        let root = half * half - (k * k - f2);
        (root >= 0.0).then(|| (half + sign * root.sqrt()).max(0.0).sqrt())
    };
    let grid = || (1..40_000).map(|i| 1e-4 * f64::from(i));
    let upper = grid().filter_map(|x| omega_of(x, 1.0).filter(|_| x > 0.5)).zip(grid().skip(1));
    let largest = grid().filter(|x| *x > 0.9).filter_map(|x| omega_of(x, -1.0)).fold(0.0, f64::max);
    let least = upper.map(|(omega, _)| omega).fold(f64::INFINITY, f64::min);
    [largest / (2.0 * PI), least / (2.0 * PI)]
}

/// Tests frequencies that end between the folds: the motions of the other branch are found from the highest frequency.
#[test]
fn a_branch_that_is_reached_from_the_highest_frequency_is_found() {
    let model = loaded(DUFFING);
    let (drive, position) = (model.input("drive").unwrap(), model.output("position").unwrap());
    let balance = HarmonicBalance::new(&simulation(model)).input(drive, [0.15]).harmonics(9);
    let response = balance.response(&[0.12, 0.16, 0.2, 0.205]).unwrap();
    let all = balance.response(&[0.12, 0.16, 0.2, 0.205, 0.3]).unwrap();
    let sizes = |frequency: f64, curve: &costate_vibration::harmonic::Curve| {
        let own = curve.motions.iter().filter(|motion| motion.frequency == frequency);
        let mut sizes: Vec<f64> = own.map(|motion| motion.harmonic(position, 1).unwrap().norm()).collect();
        sizes.sort_by(f64::total_cmp);
        sizes
    };
    for (frequency, count) in [(0.12, 1), (0.16, 1), (0.2, 3), (0.205, 3)] {
        let [own, expected] = [&response, &all].map(|response| sizes(frequency, &response.curves[0]));
        assert_eq!((own.len(), expected.len()), (count, count), "{frequency}");
        assert!(own.iter().zip(&expected).all(|(a, b)| (a - b).abs() < 1e-9));
    }
    assert!(response.curves[0].motions.iter().any(|motion| motion.branch == 1));
    assert!(all.curves[0].motions.iter().all(|motion| motion.branch == 0));
}

/// Tests forces that jump or bend: a motion whose error is said, or an error that names the remedy.
#[test]
fn forces_that_jump_or_bend() {
    for (name, force) in [
        ("Friction", "0.1[N]*sign(dot(x))"),
        ("SmoothFriction", "0.1[N]*tanh(dot(x)/0.02[m/s])"),
        ("Stop", "if x > 0.05[m] { 20[N/m]*(x - 0.05[m]) } else { 0[N] }"),
    ] {
        let force_less = DUFFING.replace("drive - c*x", &format!("drive - ({force}) - c*x"));
        let model = loaded(&force_less.replace("Duffing", name));
        let drive = model.input("drive").unwrap();
        let balance = HarmonicBalance::new(&simulation(model)).input(drive, [0.3]).harmonics(15);
        match balance.error_limit(0.1).response(&[0.1, 0.15, 0.2]) {
            Ok(response) => {
                for motion in &response.curves[0].motions {
                    assert!(motion.truncation.error > 1e-9 && motion.truncation.error <= 0.1, "{name}: {motion:?}");
                }
            }
            Err(error) => assert!(error.to_string().contains("harmonics"), "{name}: {error}"),
        }
    }
}

/// The squares of the amplitudes of one harmonic: the roots of ((1 - w^2 + 3/4 z)^2 + (0.1 w)^2) z = F^2, by a fine
/// grid and bisection.
fn squares(omega: f64, force: f64) -> Vec<f64> {
    let left = |z: f64| ((1.0 - omega * omega + 0.75 * z).powi(2) + (0.1 * omega).powi(2)) * z - force * force;
    let largest = 4.0 * (omega * omega + 1.0) + 4.0 * (force * force).cbrt();
    let steps = 200_000;
    let at = |k: i32| largest * f64::from(k) / f64::from(steps);
    let mut roots = Vec::new();
    for k in 0..steps {
        let (mut low, mut high) = (at(k), at(k + 1));
        if left(low) * left(high) >= 0.0 {
            continue;
        }
        for _ in 0..60 {
            let middle = 0.5 * (low + high);
            if left(middle) * left(low) > 0.0 { low = middle } else { high = middle }
        }
        roots.push(0.5 * (low + high));
    }
    roots
}

/// Tests single amplitudes beyond both turning points of the path from rest.
#[test]
fn a_motion_beyond_two_turning_points_is_found() {
    let model = loaded(DUFFING);
    let (drive, position) = (model.input("drive").unwrap(), model.output("position").unwrap());
    let mut beyond = 0;
    for seed in 0..24 {
        let frequency = 0.19 + 0.13 * (0.5 + 0.5 * (1.7 * f64::from(seed)).sin());
        let force = 1.5 + 8.0 * (0.5 + 0.5 * (2.9 * f64::from(seed)).cos());
        let omega = 2.0 * PI * frequency;
        let roots = squares(omega, force);
        let balance = HarmonicBalance::new(&simulation(model)).harmonics(1).error_limit(None).stability(false);
        let response = balance.input(drive, [force]).response(&[frequency]).unwrap();
        let motion = &response.curves[0].motions[0];
        let found = motion.harmonic(position, 1).unwrap().norm_sqr();
        assert!(roots.iter().any(|root| (root / found - 1.0).abs() < 1e-7), "{seed}: {found} {roots:?}");
        // the upper turning point of the force over the square: (h - 3/4 z)(h - 9/4 z) + d^2 = 0
        let (half, d2) = (omega * omega - 1.0, (0.1 * omega).powi(2));
        let z = (2.0 * half - (half * half - 3.0 * d2).sqrt()) / 2.25;
        let fold = (((1.0 - omega * omega + 0.75 * z).powi(2) + d2) * z).sqrt();
        beyond += usize::from(force > fold);
    }
    assert!(beyond >= 12, "{beyond}");
}

/// Tests a motion beyond the turning points that the motion of an oscillator without excitation makes.
#[test]
fn a_self_excited_oscillator_follows_its_excitation() {
    let model = loaded(
        "Pol {
            parameters { mu: 1/s = 1, w: 1/s = 1 }
            inputs { drive: m/s^2 }
            coordinates { x: m }
            mass { x: 1 }
            forces { x: drive + mu*(1 - (x/1[m])^2)*dot(x) - w^2*x }
            initial { x = 0[m], dot(x) = 0[m/s] }
            outputs { travel: m = x }
        }",
    );
    let (drive, travel) = (model.input("drive").unwrap(), model.output("travel").unwrap());
    let balance = HarmonicBalance::new(&simulation(model)).harmonics(15);
    let alone = balance.clone().input(drive, [2.0]).response(&[0.16]).unwrap();
    let by_steps = balance.input(drive, [0.1, 0.5, 1.0, 2.0]).response(&[0.16]).unwrap();
    let size = |response: &costate_vibration::harmonic::Response| {
        response.curves.last().unwrap().motions[0].harmonic(travel, 1).unwrap().norm()
    };
    assert!((size(&alone) / size(&by_steps) - 1.0).abs() < 1e-8);
    // the first harmonic of the 60th period of a run, by scipy with rtol 1e-11
    assert!((size(&alone) / 2.679_089_93 - 1.0).abs() < 1e-4, "{}", size(&alone));
}
