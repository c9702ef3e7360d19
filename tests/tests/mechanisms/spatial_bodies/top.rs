//! The heavy symmetric top: nutation between two latitudes, precession, support force.

use costate::Simulation;
use costate::simulate::Scheme;

use super::models::HeavyTop;

/// Released without precession, the cosine u of the tilt follows u'^2 = (u_0 - u) (p (1 - u^2) - q (u_0 - u)), with
/// p = 2 m g s/A, q = (C spin/A)^2 and the moments A about the tip and C about the axis.
struct Exact {
    upper: f64,
    p: f64,
    q: f64,
}

impl Exact {
    fn new(model: &HeavyTop) -> Exact {
        let about_tip = model.a + model.m * model.s.powi(2);
        Exact {
            upper: model.tilt.cos(),
            p: 2.0 * model.m * model.g * model.s / about_tip,
            q: (model.c * model.spin / about_tip).powi(2),
        }
    }

    /// The other latitude: p (1 - u^2) = q (u_0 - u).
    fn lower(&self) -> f64 {
        let half = self.q / (2.0 * self.p);
        half - (half * half - 2.0 * half * self.upper + 1.0).sqrt()
    }

    fn square(&self, u: f64) -> f64 {
        (self.upper - u) * (self.p * (1.0 - u * u) - self.q * (self.upper - u))
    }

    /// Period of the nutation, 2 integral du/u', by the midpoint rule in the angle that removes both roots.
    fn period_and_precession(&self) -> (f64, f64) {
        const POINTS: usize = 2000;
        let (lower, upper) = (self.lower(), self.upper);
        let (mut time, mut angle) = (0.0, 0.0);
        for i in 0..POINTS {
            let phi = std::f64::consts::PI * (i as f64 + 0.5) / POINTS as f64;
            let u = (lower + upper) / 2.0 + (upper - lower) / 2.0 * phi.cos();
            let speed = (self.square(u) / ((upper - u) * (u - lower))).sqrt();
            let weight = 2.0 * std::f64::consts::PI / POINTS as f64 / speed;
            time += weight;
            // angular momentum about the vertical: A psi' (1 - u^2) + C spin u is constant
            angle += weight * self.q.sqrt() * (self.upper - u) / (1.0 - u * u);
        }
        (time, angle)
    }
}

#[test]
fn precession_and_nutation() {
    let model = HeavyTop::default();
    let exact = Exact::new(&model);
    let (period, precession) = exact.period_and_precession();
    let error = |steps: usize| {
        let run = Simulation::new(&model)
            .step(period / steps as f64)
            .until(period)
            .scheme(Scheme::Undamped)
            // not of the supporting force, which swings without damping
            .error_limit(None)
            .run()
            .unwrap();
        let latitude = run.output(HeavyTop::COS_TILT);
        let (x, y) = (run.output(HeavyTop::X), run.output(HeavyTop::Y));
        let lowest = latitude.iter().copied().fold(1.0, f64::min);
        let turned = y[steps].atan2(x[steps]) - y[0].atan2(x[0]);
        [(lowest - exact.lower()).abs(), (latitude[steps] - exact.upper).abs(), (turned - precession).abs()]
    };
    let (coarse, fine) = (error(1000), error(2000));
    assert!(fine[0] < 1e-6 && fine[1] < 1e-6 && fine[2] < 1e-4, "{fine:?}");
    let order = (coarse[0] / fine[0]).log2();
    assert!((order - 2.0).abs() < 0.1, "order {order}, errors {coarse:?} and {fine:?}");
}

#[test]
fn spin_and_vertical_momentum_are_conserved() {
    let model = HeavyTop { whirl: 1.0, ..HeavyTop::default() };
    let drift = |h: f64| {
        let run = Simulation::new(&model).step(h).until(0.1).scheme(Scheme::Undamped).error_limit(None).run().unwrap();
        [HeavyTop::SPIN_RATE, HeavyTop::VERTICAL].map(|output| {
            let values = run.output(output);
            values.iter().map(|value| (value / values[0] - 1.0).abs()).fold(0.0, f64::max)
        })
    };
    let (coarse, fine) = (drift(1e-4), drift(5e-5));
    for (coarse, fine) in coarse.into_iter().zip(fine) {
        let order = (coarse / fine).log2();
        assert!((order - 2.0).abs() < 0.2 && fine < 1e-3, "order {order}, drifts {coarse:e} and {fine:e}");
    }
}

/// The tip carries the weight on average over whole nutations, and m (g + z'') always.
#[test]
fn the_tip_carries_weight_and_inertia() {
    let model = HeavyTop::default();
    let h = 2e-5;
    let run = Simulation::new(&model).step(h).until(0.1).scheme(Scheme::Undamped).error_limit(None).run().unwrap();
    let (support, latitude) = (run.output(HeavyTop::SUPPORT), run.output(HeavyTop::COS_TILT));
    let weight = model.m * model.g;
    for i in (1..support.len() - 1).step_by(100) {
        let acceleration = model.s * (latitude[i + 1] - 2.0 * latitude[i] + latitude[i - 1]) / (h * h);
        let wanted = weight + model.m * acceleration;
        // multipliers of the undamped scheme alternate about their value
        let support = (support[i - 1] + 2.0 * support[i] + support[i + 1]) / 4.0;
        assert!((support - wanted).abs() < 5e-3 * weight, "step {i}: {support} and {wanted}");
    }
    assert!(support.iter().any(|force| (force / weight - 1.0).abs() > 0.05), "the support hardly changes");
}
