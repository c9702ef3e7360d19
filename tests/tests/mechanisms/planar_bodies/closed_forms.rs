//! Kinematics in closed form, the period of a pendulum, and reactions with their signs.

use std::f64::consts::PI;

use costate::Simulation;
use costate::simulate::Scheme;

use super::mechanisms::{Cantilevers, FourBar, Rod, SliderCrank};

#[test]
fn slider_crank() {
    let model = SliderCrank::default();
    let h = 1e-5;
    let run = Simulation::new(&model).step(h).until(0.1).run().unwrap();
    let (piston, stroke) = (run.output(SliderCrank::POSITION), run.output(SliderCrank::STROKE));
    let (torque, side) = (run.output(SliderCrank::TORQUE), run.output(SliderCrank::SIDE));
    let on_piston = run.output(SliderCrank::ON_PISTON_X);
    let (r, l) = (model.r, model.l);
    for (i, t) in run.times().into_iter().enumerate() {
        let (sin, cos) = (model.w * t + 0.5).sin_cos();
        let exact = r * cos + (l * l - r * r * sin * sin).sqrt();
        assert!((piston[i] - exact).abs() < 1e-14 && (stroke[i] - exact).abs() < 1e-14, "{}", piston[i] - exact);
    }
    // energies from the exact kinematics: what the motor does moves rod and piston against the load
    let kinetic = |t: f64| {
        let phi = model.w * t + 0.5;
        let (sin, cos) = phi.sin_cos();
        let w = model.w;
        // the rod from the pin to the axis
        let gamma = -(r * sin / l).asin();
        let rate = -r * w * cos / (l * gamma.cos());
        let (x, y) = (-r * w * sin - model.s * rate * gamma.sin(), r * w * cos + model.s * rate * gamma.cos());
        let piston = -r * w * sin - l * rate * gamma.sin();
        let rod = model.m_rod * (x * x + y * y) + model.j_rod * rate * rate;
        ((rod + model.m_piston * piston * piston) / 2.0, piston)
    };
    for i in (100..10_000).step_by(500) {
        let t = i as f64 * h;
        let d = 1e-6;
        let change = (kinetic(t + d).0 - kinetic(t - d).0) / (2.0 * d);
        let power = change + model.load * kinetic(t).1;
        assert!(
            (torque[i] * model.w - power).abs() < 1e-3 * power.abs().max(100.0),
            "{} and {power}",
            torque[i] * model.w
        );
        let acceleration = (kinetic(t + d).1 - kinetic(t - d).1) / (2.0 * d);
        let force = model.m_piston * acceleration + model.load;
        assert!((on_piston[i] - force).abs() < 1e-3 * force.abs().max(100.0), "{} and {force}", on_piston[i]);
    }
    assert!(side.iter().any(|force| force.abs() > 10.0));
}

#[test]
fn four_bar() {
    let model = FourBar::default();
    let run = Simulation::new(&model).step(1e-3).until(3.0).run().unwrap();
    let (rocker, coupler) = (run.output(FourBar::TURN), run.output(FourBar::TILT));
    for (i, t) in run.times().into_iter().enumerate() {
        let (sin, cos) = (model.w * t + 0.3).sin_cos();
        let (x, y) = (model.a * cos, model.a * sin);
        // Triangle of the pin, the right pivot and the joint of coupler and rocker.
        let (dx, dy) = (x - model.base, y);
        let diagonal = dx.hypot(dy);
        let inside = (model.c.powi(2) + diagonal.powi(2) - model.b.powi(2)) / (2.0 * model.c * diagonal);
        let exact = dy.atan2(dx) - inside.acos();
        let exact = exact.rem_euclid(2.0 * PI);
        assert!((rocker[i] - exact).abs() < 1e-12, "{} and {exact}", rocker[i]);
        let end = (model.base + model.c * exact.cos(), model.c * exact.sin());
        let exact = (end.1 - y).atan2(end.0 - x);
        assert!((coupler[i] - exact).abs() < 1e-12, "{} and {exact}", coupler[i]);
    }
}

#[test]
fn a_rod_released_horizontally() {
    let model = Rod::default();
    let run = Simulation::new(&model).step(1e-4).until(1e-4).run().unwrap();
    let (x, y) = (run.output(Rod::SIDE)[0], run.output(Rod::LIFT)[0]);
    assert!(x.abs() < 1e-12 && (y - model.m * model.g / 4.0).abs() < 1e-12, "{x}, {y}");
    // at the bottom the pin carries the weight and 3/2 of it
    let run = Simulation::new(&model).step(1e-4).until(2.0).scheme(Scheme::Undamped).run().unwrap();
    let largest = run.output(Rod::LIFT).into_iter().fold(0.0, f64::max);
    assert!((largest / (2.5 * model.m * model.g) - 1.0).abs() < 1e-5, "{largest}");
}

#[test]
fn period_of_a_physical_pendulum() {
    // 4 K(k) sqrt(2 l/(3 g)) with k = sin(amplitude/2), by the arithmetic-geometric mean
    let amplitude = 1.2f64;
    let model = Rod { start: amplitude - PI / 2.0, ..Rod::default() };
    let (mut a, mut b) = (1f64, (amplitude / 2.0).cos());
    for _ in 0..6 {
        (a, b) = ((a + b) / 2.0, (a * b).sqrt());
    }
    let period = 2.0 * PI / a * (2.0 * model.l / (3.0 * model.g)).sqrt();
    let error = |steps: usize| {
        let run = Simulation::new(&model)
            .step(period / steps as f64)
            .until(1.25 * period)
            .scheme(Scheme::Undamped)
            .run()
            .unwrap();
        (run.coordinate(Rod::ROD_ANGLE)[steps / 4 * 5] + PI / 2.0).abs()
    };
    let (coarse, fine) = (error(1000), error(2000));
    let order = (coarse / fine).log2();
    assert!((order - 2.0).abs() < 0.05 && fine < 1e-5, "order {order}, errors {coarse:e} and {fine:e}");
}

#[test]
fn reactions_of_a_clamp() {
    let model = Cantilevers::default();
    let run = Simulation::new(&model).step(1e-3).until(1e-2).run().unwrap();
    let weight = model.m * model.g;
    let (x, y) = (-model.load, weight + model.load);
    let moment = weight * model.l / 2.0 + model.load * model.l;
    let rod = [Cantilevers::X_1, Cantilevers::Y_1, Cantilevers::MOMENT_1].map(|output| run.output(output)[10]);
    // with the ground as the second body, what acts on the ground
    let ground = [Cantilevers::X_2, Cantilevers::Y_2, Cantilevers::MOMENT_2].map(|output| run.output(output)[10]);
    for ((rod, ground), wanted) in rod.into_iter().zip(ground).zip([x, y, moment]) {
        assert!((rod - wanted).abs() < 1e-9 && (ground + wanted).abs() < 1e-9, "{rod}, {ground}, {wanted}");
    }
}
