//! Records of the additive force of KE 3.1.1, and filters of them.

use costate_filter::KalmanMethod;
use costate_filter::restoring_force::{
    APriori, Exponents, RestoringForceCurve, RestoringForceIdentification, RestoringForceModel, RestoringForces,
};
use rand::rngs::SmallRng;
use rand::{Rng, SeedableRng};

const INTERVAL: f64 = 1e-4;
const MASS: f64 = 4.0;
const SAMPLES: usize = 30_001;

pub fn elastic(z: f64) -> f64 {
    5e5 * z + 45.0 * (4e5 * z).tanh()
}

pub fn dissipative(v: f64) -> f64 {
    50.0 * v + 25.0 * (100.0 * v).powi(3)
}

fn force(z: f64, v: f64) -> f64 {
    elastic(z) + dissipative(v)
}

/// The sweep from 100 to 400 Hz in 3 s.
fn base(t: f64) -> f64 {
    5.0 * (2.0 * std::f64::consts::PI * (100.0 * t + 50.0 * t * t)).sin()
}

/// Accelerations of the base.
pub fn inputs() -> Vec<f64> {
    (0..SAMPLES).map(|i| base(i as f64 * INTERVAL)).collect()
}

/// Accelerations of the mass without noise, by the classical scheme of Runge and Kutta.
pub fn accelerations() -> Vec<f64> {
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
pub fn noisy(signal: &[f64], part: f64, seed: u64) -> Vec<f64> {
    let deviation = part * (signal.iter().map(|y| y * y).sum::<f64>() / signal.len() as f64).sqrt();
    let mut random = SmallRng::seed_from_u64(seed);
    let mut normal = || -> f64 { (0..12).map(|_| random.random::<f64>()).sum::<f64>() - 6.0 };
    signal.iter().map(|y| y + deviation * normal()).collect()
}

/// Sets up a filter with these exponents q_s and q_d.
pub fn identification(method: KalmanMethod, (stiffness, damping): (f64, f64)) -> RestoringForceIdentification {
    let model = RestoringForceModel::on_moving_base(MASS).unwrap().with_scale(5e6).unwrap();
    RestoringForceIdentification::new(model, INTERVAL, vec![APriori { stiffness: 2.0, damping: 4e-4 }])
        .unwrap()
        .method(method)
        .exponents(Exponents::new(stiffness, damping))
        .lowest_stiffness(&[0.05])
        .unwrap()
}

/// Filters a record by these exponents.
pub fn filtered(inputs: &[f64], measurements: &[f64], method: KalmanMethod, exponents: (f64, f64)) -> RestoringForces {
    identification(method, exponents).run(inputs, measurements).unwrap()
}

pub fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}

/// The relative error of a curve at its nodes, in percent.
pub fn percent(curve: &RestoringForceCurve, truth: fn(f64) -> f64) -> f64 {
    let (mut error, mut size) = (0.0, 0.0);
    for point in &curve.points {
        error += (point.force - truth(point.coordinate)).powi(2);
        size += truth(point.coordinate).powi(2);
    }
    100.0 * (error / size).sqrt()
}
