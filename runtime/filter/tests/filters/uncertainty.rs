//! Bands of curves hold the truth: those of two deviations (KE 2.85, 2.86) of 20 records of KE 3.1.1, for both filters.

use costate_filter::restoring_force::{CurveSettings, RestoringForceCurve};
use costate_filter::{KalmanMethod, SigmaPoints};

use super::additive::{accelerations, dissipative, elastic, filtered, inputs, median, noisy, percent};

const SEEDS: std::ops::RangeInclusive<u64> = 101..=120;

/// Returns the part of the nodes in percent where the truth is between both uncertainty curves.
fn held(curve: &RestoringForceCurve, truth: fn(f64) -> f64) -> f64 {
    let [lower, upper] = curve.uncertainty(2.0);
    let is_held = |((x, low), (y, high)): (&(f64, f64), &(f64, f64))| truth(*x) >= *low && truth(*y) <= *high;
    let nodes = lower.len() as f64;
    100.0 * lower.iter().zip(&upper).filter(|pair| is_held(*pair)).count() as f64 / nodes
}

/// Returns twice the mean deviation of the forces, relative to their size, in percent.
fn width(curve: &RestoringForceCurve) -> f64 {
    let sum = |of: &dyn Fn(usize) -> f64| (0..curve.points.len()).map(of).sum::<f64>();
    let size = (sum(&|k| curve.points[k].force.powi(2)) / curve.points.len() as f64).sqrt();
    200.0 * sum(&|k| curve.points[k].force_deviation) / curve.points.len() as f64 / size
}

#[test]
fn two_deviations_hold_the_curves() {
    let (signal, inputs) = (accelerations(), inputs());
    let unscented = KalmanMethod::SquareRootUnscented(SigmaPoints::default());
    for (name, method, exponents) in
        [("extended", KalmanMethod::Extended, (3.0, 1.0)), ("unscented", unscented, (2.0, 1.0))]
    {
        // of each record: held nodes, error and width, of the elastic and of the dissipative curve
        let mut found = [[(); 3]; 2].map(|row| row.map(|()| Vec::new()));
        for seed in SEEDS {
            let forces = filtered(&inputs, &noisy(&signal, 0.05, seed), method, exponents);
            let curves = forces.curves(0, &CurveSettings::default()).unwrap();
            for ((found, curve), truth) in found.iter_mut().zip(&curves).zip([elastic as fn(f64) -> f64, dissipative]) {
                let values = [held(curve, truth), percent(curve, truth), width(curve)];
                found.iter_mut().zip(values).for_each(|(all, value)| all.push(value));
            }
        }
        let [elastic, dissipative] = found.map(|all| all.map(median));
        println!("{name}: held, error and width in percent: elastic {elastic:.1?}, dissipative {dissipative:.1?}");
        assert!(elastic[0] >= 80.0 && dissipative[0] >= 70.0, "{name}: {elastic:?} {dissipative:?}");
        assert!(elastic[1] <= 3.0 && dissipative[1] < 12.0, "{name}: {elastic:?} {dissipative:?}");
        // bands that are no wider than curves are wrong
        assert!(elastic[2] < 8.0 && dissipative[2] < 30.0, "{name}: {elastic:?} {dissipative:?}");
    }
}
