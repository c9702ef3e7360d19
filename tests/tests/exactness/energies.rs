//! Lagrange's equations of energies: comparison with the motion of equations derived by hand, and conserved quantities.

use costate::simulate::{Scheme, Trajectory};
use costate::verify::random_points;
use costate::{Model, Simulation, check_derivatives};
use costate_models::{CartPendulum, cart_pendulum};
use costate_tests::{ChainByEnergies, Top, TopByEnergies, WhirledPendulum};

fn forward<M: Model>(simulation: &Simulation<M>, model: &M) -> Trajectory {
    simulation.problem().unwrap().forward(model.parameters().as_ref()).unwrap()
}

/// Computes the largest differences of coordinates, velocities and accelerations, relative to the largest value.
fn difference(a: &Trajectory, b: &Trajectory) -> [f64; 3] {
    let mut worst = [0f64; 3];
    let mut largest = [0f64; 3];
    for i in 0..=a.steps() {
        let pairs = [
            (a.coordinates(i), b.coordinates(i)),
            (a.velocities(i), b.velocities(i)),
            (a.accelerations(i), b.accelerations(i)),
        ];
        for (k, (a, b)) in pairs.into_iter().enumerate() {
            for (a, b) in a.iter().zip(b) {
                worst[k] = worst[k].max((a - b).abs());
                largest[k] = largest[k].max(a.abs());
            }
        }
    }
    [0, 1, 2].map(|k| worst[k] / largest[k])
}

#[test]
fn chain_of_rods_by_equations_and_by_energies() {
    let (by_hand, derived) = (cart_pendulum::OB.model(), ChainByEnergies::default());
    let by_hand = forward(
        &Simulation::new(&by_hand).input(CartPendulum::DRIVE, |t: f64| 5.0 * (2.0 * t).sin()).step(2e-3).until(4.0),
        &by_hand,
    );
    let derived = forward(
        &Simulation::new(&derived).input(ChainByEnergies::DRIVE, |t: f64| 5.0 * (2.0 * t).sin()).step(2e-3).until(4.0),
        &derived,
    );
    // a rounding error of the constraints is one of q, and 1/h and 1/h^2 times as large in v and a
    let [q, v, a] = difference(&by_hand, &derived);
    assert!(q < 1e-13 && v < 1e-10 && a < 1e-7, "{q:e}, {v:e}, {a:e}");
}

#[test]
fn gyroscopic_terms_of_a_top() {
    let (by_hand, derived) = (Top::default(), TopByEnergies::default());
    let by_hand = forward(&Simulation::new(&by_hand).step(1e-3).until(3.0).alpha(-0.05), &by_hand);
    let derived = forward(&Simulation::new(&derived).step(1e-3).until(3.0).alpha(-0.05), &derived);
    let worst = difference(&by_hand, &derived);
    assert!(worst.iter().all(|worst| *worst < 1e-10), "{worst:?}");
    let moved = by_hand.coordinates(3000)[0] - by_hand.coordinates(0)[0];
    assert!(moved > 1.0, "the top has not gone round: {moved}");
}

/// Compares a pendulum in a rotating frame with a shaken pivot with Newton's law in polar coordinates.
#[test]
fn moving_frames() {
    let model = WhirledPendulum::default();
    let problem = Simulation::new(&model)
        .step(1e-3)
        .until(1.0)
        .scheme(Scheme::Undamped)
        .input(WhirledPendulum::PUSH, |t: f64| 2.0 * t.cos());
    let trajectory = forward(&problem, &model);
    for i in (0..=1000).step_by(100) {
        let t = trajectory.time(i);
        let ([phi, s], [v, vs], [a, r]) = (
            trajectory.coordinates(i).try_into().unwrap(),
            trajectory.velocities(i).try_into().unwrap(),
            trajectory.accelerations(i).try_into().unwrap(),
        );
        let (phi, s, v, vs, a, r): (f64, f64, f64, f64, f64, f64) = (phi, s, v, vs, a, r);
        let length = model.l + s;
        let (sin, cos) = phi.sin_cos();
        // in the frame that turns about the vertical axis through x = 0, with the pivot's acceleration
        let shaken = -model.shake * model.w * model.w * (model.w * t).sin();
        let x = model.shake * (model.w * t).sin() + length * sin;
        let across = length * a + 2.0 * vs * v + shaken * cos - model.turn * model.turn * x * cos + model.g * sin;
        let along = r - length * v * v + shaken * sin - model.turn * model.turn * x * sin - model.g * cos;
        let push = 2.0 * t.cos();
        let torque = model.m * length * across + model.d * v - push * length * cos;
        let force = model.m * along + 0.02 * r + 100.0 * s + 2.0 * vs.powi(3) - push * sin;
        assert!(torque.abs() < 1e-10 && force.abs() < 1e-10, "t = {t}: {torque:e}, {force:e}");
    }
}

#[test]
fn the_energy_of_a_top_is_conserved_to_second_order() {
    let model = TopByEnergies::default();
    let energy = |steps: usize| {
        let simulation = Simulation::new(&model).step(1.0 / steps as f64).until(1.0).scheme(Scheme::Undamped);
        let trajectory = forward(&simulation, &model);
        let at = |i: usize| {
            let (q, v) = (trajectory.coordinates(i), trajectory.velocities(i));
            let (sin, cos) = q[1].sin_cos();
            model.a / 2.0 * (v[1].powi(2) + (v[0] * sin).powi(2))
                + model.c / 2.0 * (v[2] + v[0] * cos).powi(2)
                + model.m * model.g * model.s * cos
        };
        (1..=steps).map(|i| (at(i) - at(0)).abs()).fold(0.0, f64::max)
    };
    let (coarse, fine) = (energy(1000), energy(2000));
    let order = (coarse / fine).log2();
    assert!((order - 2.0).abs() < 0.1, "order {order}, errors {coarse:e} and {fine:e}");
}

#[test]
fn derivatives() {
    fn check<M: Model>(model: &M) {
        let report = check_derivatives(&random_points(model, 100, 11), 1e-12);
        assert!(report.mismatches.is_empty(), "{report}");
    }
    check(&ChainByEnergies::default());
    check(&TopByEnergies::default());
    check(&WhirledPendulum::default());
}
