//! Properties of the HHT method on compiled models: order, numerical damping, constraints.

use costate::simulate::{Scheme, Trajectory};
use costate::{Model, Simulation};
use costate_models::{CartPendulum, DiscreteOscillator, cart_pendulum};

fn pendulum(steps: usize, scheme: Scheme) -> Trajectory {
    let model = cart_pendulum::OB.model();
    let problem = Simulation::new(&model)
        .input(CartPendulum::DRIVE, |t: f64| 5.0 * (2.0 * t).sin())
        .step(1.0 / steps as f64)
        .until(1.0)
        .scheme(scheme)
        .problem()
        .unwrap();
    problem.forward(&model.parameters()).unwrap()
}

fn distance(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| (a - b).powi(2)).sum::<f64>().sqrt()
}

#[test]
fn order_two_in_positions_and_velocities() {
    for scheme in [Scheme::Undamped, Scheme::Hht { alpha: -0.1 }, Scheme::Hht { alpha: -0.3 }] {
        let [a, b, c] = [200, 400, 800].map(|steps| pendulum(steps, scheme));
        let (i, j, k) = (a.steps(), b.steps(), c.steps());
        let order_q =
            (distance(a.coordinates(i), b.coordinates(j)) / distance(b.coordinates(j), c.coordinates(k))).log2();
        let order_v = (distance(a.velocities(i), b.velocities(j)) / distance(b.velocities(j), c.velocities(k))).log2();
        assert!((order_q - 2.0).abs() < 0.1, "positions: order {order_q} ({scheme:?})");
        assert!((order_v - 2.0).abs() < 0.1, "velocities: order {order_v} ({scheme:?})");
    }
}

#[test]
fn constraints_hold_to_rounding() {
    let model = cart_pendulum::OB.model();
    let problem = Simulation::new(&model)
        .input(CartPendulum::DRIVE, |t: f64| cart_pendulum::OB.force(t))
        .step(cart_pendulum::STEP)
        .until(cart_pendulum::END)
        .alpha(cart_pendulum::ALPHA)
        .problem()
        .unwrap();
    let trajectory = problem.forward(&model.parameters()).unwrap();
    for i in (0..=trajectory.steps()).step_by(50) {
        let q = trajectory.coordinates(i);
        let (mut x, mut y) = (q[0], 0.0);
        for rod in 0..3 {
            let (cx, cy, phi) = (q[1 + rod], q[4 + rod], q[7 + rod]);
            let (sin, cos) = phi.sin_cos();
            let gap = (cx - 0.5 * sin - x).abs().max((cy + 0.5 * cos - y).abs());
            let rounding = f64::EPSILON * (1.0 + x.abs() + y.abs());
            assert!(gap < 4.0 * rounding, "rod {rod} at step {i}: {gap:e}, {:.1} roundings", gap / rounding);
            (x, y) = (cx + 0.5 * sin, cy - 0.5 * cos);
        }
    }
}

/// The amplitude after 200 steps of an undamped oscillator that the step size does not resolve.
fn amplitude_of_unresolved_oscillation(alpha: f64) -> f64 {
    let model = DiscreteOscillator { c: 1e6, d: 0.0, ..Default::default() };
    let problem = Simulation::new(&model).step(0.05).until(10.0).alpha(alpha).problem().unwrap();
    let trajectory = problem.forward(&model.parameters()).unwrap();
    (190..=200).map(|i| trajectory.coordinates(i)[0].abs()).fold(0.0, f64::max)
}

#[test]
fn numerical_damping_for_negative_alpha() {
    assert!((amplitude_of_unresolved_oscillation(0.0) - 1.0).abs() < 1e-2);
    assert!(amplitude_of_unresolved_oscillation(-0.05) < 1e-3);
    assert!(amplitude_of_unresolved_oscillation(-0.3) < 1e-12);
}

#[test]
fn resolved_oscillations_are_hardly_damped() {
    let model = DiscreteOscillator { d: 0.0, ..Default::default() };
    let problem = Simulation::new(&model).step(0.01).until(10.0).alpha(-0.1).problem().unwrap();
    let trajectory = problem.forward(&model.parameters()).unwrap();
    let (q, exact) = (trajectory.coordinates(1000)[0], 10f64.cos());
    assert!((q - exact).abs() < 1e-3, "{q}, not {exact}");
}
