//! Noise on the excitation (KE 3.4.1, figure 3.22): the filter that knows its size bears it as noise on the sensor.

use costate_filter::restoring_force::CurveSettings;
use costate_filter::{KalmanMethod, SigmaPoints};

use super::additive::{accelerations, dissipative, elastic, identification, inputs, median, noisy, percent};

/// Records of each case.
const SEEDS: std::ops::RangeInclusive<u64> = 201..=207;

/// Noise on the sensor beside that on the base, relative to the signal.
const BESIDE: f64 = 0.05;

#[test]
fn known_noise_on_the_base_is_no_worse_than_on_the_sensor() {
    let (signal, base) = (accelerations(), inputs());
    let size = (base.iter().map(|u| u * u).sum::<f64>() / base.len() as f64).sqrt();
    let unscented = KalmanMethod::SquareRootUnscented(SigmaPoints::default());
    // median errors of both curves, infinite without curves
    let errors = |on_base: f64, on_sensor: f64| {
        let identification = identification(unscented, (2.0, 1.0)).input_noise(&[on_base * size]).unwrap();
        let of = |seed: u64| {
            let (base, signal) = (noisy(&base, on_base, seed + 1000), noisy(&signal, on_sensor, seed));
            let curves = identification.run(&base, &signal).unwrap().curves(0, &CurveSettings::default());
            curves.map_or([f64::INFINITY; 2], |[e, d]| [percent(&e, elastic), percent(&d, dissipative)])
        };
        let all: Vec<[f64; 2]> = SEEDS.map(of).collect();
        [0, 1].map(|k| median(all.iter().map(|errors| errors[k]).collect()))
    };
    for noise in [0.2, 0.5] {
        let (base, sensor) = (errors(noise, BESIDE), errors(0.0, noise));
        println!("noise {noise}: errors in percent {base:.1?} on the base, {sensor:.1?} on the sensor");
        assert!((0..2).all(|k| base[k] <= 1.5 * sensor[k]), "{noise}: {base:?} {sensor:?}");
    }
    assert!(identification(unscented, (2.0, 1.0)).input_noise(&[-1.0]).is_err());
    assert!(identification(unscented, (2.0, 1.0)).input_noise(&[]).is_err());
}
