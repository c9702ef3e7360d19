//! Filters that lose the system, or follow another motion than that of the record (KE 2.2.6): of many records of KE
//! 3.1.1 and many exponents, each has the right curve, or a warning, or no curve.

use costate_filter::restoring_force::{
    APriori, CurveSettings, Exponents, RestoringForceIdentification, RestoringForceModel, Warning,
};
use rand::rngs::SmallRng;
use rand::{Rng, SeedableRng};

const INTERVAL: f64 = 1e-4;
const MASS: f64 = 4.0;
const SAMPLES: usize = 30_001;

fn elastic(z: f64) -> f64 {
    5e5 * z + 45.0 * (4e5 * z).tanh()
}

fn force(z: f64, v: f64) -> f64 {
    elastic(z) + 50.0 * v + 25.0 * (100.0 * v).powi(3)
}

/// The sweep from 100 to 400 Hz in 3 s.
fn base(t: f64) -> f64 {
    5.0 * (2.0 * std::f64::consts::PI * (100.0 * t + 50.0 * t * t)).sin()
}

/// Accelerations of the mass without noise, by the classical scheme of Runge and Kutta.
fn accelerations() -> Vec<f64> {
    const FINER: usize = 20;
    let h = INTERVAL / FINER as f64;
    let rates = |t: f64, [z, v]: [f64; 2]| [v, -force(z, v) / MASS - base(t)];
    let along = |x: [f64; 2], h: f64, k: [f64; 2]| [x[0] + h * k[0], x[1] + h * k[1]];
    let (mut x, mut found) = ([0.0, 0.0], Vec::with_capacity(SAMPLES));
    for i in 0..SAMPLES * FINER {
        let t = i as f64 * h;
        if i % FINER == 0 {
            found.push(-force(x[0], x[1]) / MASS);
        }
        let a = rates(t, x);
        let b = rates(t + 0.5 * h, along(x, 0.5 * h, a));
        let c = rates(t + 0.5 * h, along(x, 0.5 * h, b));
        let d = rates(t + h, along(x, h, c));
        x = [0, 1].map(|k| x[k] + h / 6.0 * (a[k] + 2.0 * b[k] + 2.0 * c[k] + d[k]));
    }
    found
}

/// Adds normal noise with this part of the signal's deviation.
fn noisy(signal: &[f64], part: f64, seed: u64) -> Vec<f64> {
    let deviation = part * (signal.iter().map(|y| y * y).sum::<f64>() / signal.len() as f64).sqrt();
    let mut random = SmallRng::seed_from_u64(seed);
    let mut normal = || -> f64 { (0..12).map(|_| random.random::<f64>()).sum::<f64>() - 6.0 };
    signal.iter().map(|y| y + deviation * normal()).collect()
}

/// The error of the elastic curve in percent, infinite without a curve; and the warnings.
fn identified(inputs: &[f64], measurements: &[f64], exponents: (f64, f64)) -> (f64, Vec<Warning>) {
    let model = RestoringForceModel::on_moving_base(MASS).unwrap().with_scale(5e6).unwrap();
    let found = RestoringForceIdentification::new(model, INTERVAL, vec![APriori { stiffness: 2.0, damping: 4e-4 }])
        .unwrap()
        .exponents(Exponents::new(exponents.0, exponents.1))
        .lowest_stiffness(&[0.05])
        .unwrap()
        .run(inputs, measurements)
        .unwrap();
    let error = match found.elastic_curve(0, &CurveSettings::default()) {
        Ok(curve) => {
            let (mut error, mut size) = (0.0, 0.0);
            for point in &curve.points {
                error += (point.force - elastic(point.coordinate)).powi(2);
                size += elastic(point.coordinate).powi(2);
            }
            100.0 * (error / size).sqrt()
        }
        Err(_) => f64::INFINITY,
    };
    (error, found.warnings().to_vec())
}

#[test]
fn a_filter_that_loses_the_system_says_so() {
    let signal = accelerations();
    let inputs: Vec<f64> = (0..SAMPLES).map(|i| base(i as f64 * INTERVAL)).collect();
    let lost = |warnings: &[Warning]| {
        warnings.iter().any(|warning| matches!(warning, Warning::LostTrack { .. } | Warning::AtBound { .. }))
    };
    for (exponents, most_warned) in [((3.0, 0.5), 6), ((3.0, 1.0), 1), ((3.0, 1.5), 1)] {
        let mut warned = 0;
        for seed in 1..=20 {
            let (error, warnings) = identified(&inputs, &noisy(&signal, 0.05, seed), exponents);
            warned += usize::from(lost(&warnings));
            assert!(error <= 5.0 || lost(&warnings), "{exponents:?}, seed {seed}: {error:.2} %, {warnings:?}");
        }
        assert!(warned <= most_warned, "{exponents:?}: {warned} warnings");
    }
    // exponents with which the filter follows noise
    for exponents in [(3.5, 0.0), (4.0, 0.0), (4.0, 2.0), (4.0, 4.0)] {
        for seed in 1..=4 {
            let (error, warnings) = identified(&inputs, &noisy(&signal, 0.05, seed), exponents);
            assert!(error <= 5.0 || lost(&warnings), "{exponents:?}, seed {seed}: {error:.2} %, {warnings:?}");
        }
    }
}
