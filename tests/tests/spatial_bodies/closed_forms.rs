//! Steady motions: a conical pendulum, a train of gears over several turns; forces with their signs.

use costate::Simulation;

use super::models::{ConicalPendulum, GearTrain};

#[test]
fn conical_pendulum() {
    let model = ConicalPendulum::default();
    let error = |h: f64| {
        let run = Simulation::new(&model).step(h).until(2.0).alpha(0.0).run().unwrap();
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
    println!("{coarse:e}, {fine:e}");
    assert!(coarse < 2e-4 && fine < coarse / 3.5, "{coarse:e}, {fine:e}");
}
