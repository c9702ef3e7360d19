//! Steady motions: a conical pendulum, a train of gears over several turns; forces with their signs.

use costate::Simulation;
use costate::simulate::Scheme;

use super::models::{ConicalPendulum, GearTrain, Hinged};

#[test]
fn conical_pendulum() {
    let model = ConicalPendulum::default();
    let error = |h: f64| {
        let run = Simulation::new(&model).step(h).until(2.0).scheme(Scheme::Undamped).run().unwrap();
        let rate = run.output(ConicalPendulum::RATE_0)[0];
        let (x, y, z) =
            (run.output(ConicalPendulum::X), run.output(ConicalPendulum::Y), run.output(ConicalPendulum::Z));
        let (sin, cos) = model.tilt.sin_cos();
        let mut worst = 0f64;
        for (i, t) in run.times().into_iter().enumerate() {
            // tilted about x, the bob starts towards +y
            let exact = [-model.s * sin * (rate * t).sin(), model.s * sin * (rate * t).cos(), -model.s * cos];
            for (computed, exact) in [x[i], y[i], z[i]].into_iter().zip(exact) {
                worst = worst.max((computed - exact).abs());
            }
        }
        worst
    };
    let (coarse, fine) = (error(1e-3), error(5e-4));
    let order = (coarse / fine).log2();
    assert!((order - 2.0).abs() < 0.1 && fine < 1e-5, "order {order}, errors {coarse:e} and {fine:e}");
    let run = Simulation::new(&model).step(1e-4).until(0.5).run().unwrap();
    let (x, rate) = (run.output(ConicalPendulum::X), run.output(ConicalPendulum::RATE_0)[0]);
    let (inward, upward) = (run.output(ConicalPendulum::INWARD), run.output(ConicalPendulum::UPWARD));
    for i in (0..x.len()).step_by(100) {
        let wanted = -model.m * rate * rate * x[i];
        assert!((inward[i] - wanted).abs() < 1e-3 * model.m * model.g, "{} and {wanted}", inward[i]);
        assert!((upward[i] / (model.m * model.g) - 1.0).abs() < 1e-4, "{}", upward[i]);
    }
}

#[test]
fn gears_and_racks_count_turns() {
    let model = GearTrain::default();
    let run = Simulation::new(&model).step(1e-3).until(4.0).run().unwrap();
    let (position, torque) = (run.output(GearTrain::POSITION), run.output(GearTrain::TORQUE));
    for (i, t) in run.times().into_iter().enumerate() {
        let exact = model.radius * model.w * t / model.ratio;
        assert!((position[i] - exact).abs() < 1e-12 * (1.0 + exact.abs()), "{} and {exact}", position[i]);
    }
    assert!(position[4000] < -0.99, "one metre in more than three turns");
    // torque * w = power against the load, and the drive's torque is what it exerts on the shaft
    let wanted = model.load * model.radius / model.ratio;
    let finer = Simulation::new(&model).step(5e-4).until(2.0).run().unwrap().output(GearTrain::TORQUE);
    let (coarse, fine) = ((torque[2000] - wanted).abs(), (finer[4000] - wanted).abs());
    // but for rounding: the motion is even
    assert!(coarse < 1e-7 && fine < 1e-7, "{coarse:e}, {fine:e}");
}

#[test]
fn a_hinge_over_a_hundred_thousand_steps() {
    let model = Hinged::default();
    let run = Simulation::new(&model).step(1e-3).until(100.0).alpha(-0.05).run().unwrap();
    let wanted = [(Hinged::X, 0.1), (Hinged::Y, 0.2), (Hinged::Z, 0.3), (Hinged::AXIS_X, 1.1), (Hinged::AXIS_Y, 2.2)];
    for (output, wanted) in wanted {
        let worst = run.output(output).into_iter().map(|value| (value - wanted).abs()).fold(0.0, f64::max);
        assert!(worst < 16.0 * f64::EPSILON, "{output:?}: {worst:e}");
    }
    let e = [Hinged::DOOR_E0, Hinged::DOOR_E1, Hinged::DOOR_E2, Hinged::DOOR_E3].map(|e| run.coordinate(e));
    let norm = |i: usize| e.iter().map(|e| e[i] * e[i]).sum::<f64>();
    let worst = (0..=100_000).map(|i| (norm(i) - 1.0).abs()).fold(0.0, f64::max);
    assert!(worst < 4.0 * f64::EPSILON, "{worst:e}");
    let angle = run.output(Hinged::ANGLE);
    let (least, most) = angle.iter().fold((0f64, 0f64), |(least, most), a| (least.min(*a), most.max(*a)));
    assert!(most - least > 0.5, "it hardly moves: {least} to {most}");
}
