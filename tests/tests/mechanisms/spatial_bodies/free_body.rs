//! The free asymmetric body: Jacobi elliptic functions, energy, angular momentum, the norm over many steps.

use costate::simulate::{Scheme, Trajectory};
use costate::{Model, Simulation};

use super::models::{FreeBody, SkewBody, SkewBodyByEnergies};

/// Computes sn, cn and dn of the modulus k, by the descending Landen transformation (arithmetic-geometric mean).
fn jacobi(u: f64, k: f64) -> [f64; 3] {
    let (mut a, mut b, mut c) = (vec![1.0], (1.0 - k * k).sqrt(), vec![k]);
    while c[c.len() - 1].abs() > 1e-16 {
        let last = a[a.len() - 1];
        a.push((last + b) / 2.0);
        c.push((last - b) / 2.0);
        b = (last * b).sqrt();
    }
    let n = a.len() - 1;
    let mut phi = (1u64 << n) as f64 * a[n] * u;
    for i in (1..=n).rev() {
        phi = (phi + (c[i] / a[i] * phi.sin()).asin()) / 2.0;
    }
    let (sn, cn) = phi.sin_cos();
    [sn, cn, (1.0 - k * k * sn * sn).sqrt()]
}

/// Computes the angular velocity in the axes of the body at time t, for i_1 < i_2 < i_3 and w_2 = 0 at t = 0.
fn exact(model: &FreeBody, t: f64) -> [f64; 3] {
    let [i1, i2, i3] = [model.i_1, model.i_2, model.i_3];
    let energy = i1 * model.w_1.powi(2) + i3 * model.w_3.powi(2);
    let momentum = (i1 * model.w_1).powi(2) + (i3 * model.w_3).powi(2);
    assert!(momentum > energy * i2, "rotation about the axis of the largest moment");
    let rate = ((i3 - i2) * (momentum - energy * i1) / (i1 * i2 * i3)).sqrt();
    let k2 = (i2 - i1) * (energy * i3 - momentum) / ((i3 - i2) * (momentum - energy * i1));
    let [sn, cn, dn] = jacobi(rate * t, k2.sqrt());
    // with positive w_1 and w_3, i_2 w_2' = (i_3 - i_1) w_3 w_1 > 0
    let second = ((energy * i3 - momentum) / (i2 * (i3 - i2))).sqrt();
    [model.w_1 * cn, second * sn, model.w_3 * dn]
}

fn forward<M: Model>(model: &M, step: f64, end: f64, scheme: Scheme) -> Trajectory {
    let simulation = Simulation::new(model).step(step).until(end).scheme(scheme);
    simulation.problem().unwrap().forward(model.parameters().as_ref()).unwrap()
}

#[test]
fn elliptic_functions() {
    let model = FreeBody::default();
    let error = |step: f64| {
        let run = Simulation::new(&model).step(step).until(4.0).scheme(Scheme::Undamped).run().unwrap();
        let outputs = [FreeBody::OMEGA_1, FreeBody::OMEGA_2, FreeBody::OMEGA_3].map(|output| run.output(output));
        let mut worst = 0f64;
        for (i, t) in run.times().into_iter().enumerate() {
            for (computed, exact) in outputs.iter().zip(exact(&model, t)) {
                worst = worst.max((computed[i] - exact).abs());
            }
        }
        worst
    };
    let (coarse, fine) = (error(2e-3), error(1e-3));
    let order = (coarse / fine).log2();
    assert!((order - 2.0).abs() < 0.1, "order {order}, errors {coarse:e} and {fine:e}");
    assert!(fine < 2e-4, "{fine:e}");
}

/// Computes the energy and the angular momentum in inertial axes of a state.
fn conserved(model: &FreeBody, q: &[f64], v: &[f64]) -> [f64; 4] {
    let [e0, e1, e2, e3]: [f64; 4] = q[3..7].try_into().unwrap();
    let [d0, d1, d2, d3]: [f64; 4] = v[3..7].try_into().unwrap();
    let local = [
        2.0 * (-e1 * d0 + e0 * d1 + e3 * d2 - e2 * d3) * model.i_1,
        2.0 * (-e2 * d0 - e3 * d1 + e0 * d2 + e1 * d3) * model.i_2,
        2.0 * (-e3 * d0 + e2 * d1 - e1 * d2 + e0 * d3) * model.i_3,
    ];
    let axes = [
        [1.0 - 2.0 * (e2 * e2 + e3 * e3), 2.0 * (e1 * e2 - e0 * e3), 2.0 * (e1 * e3 + e0 * e2)],
        [2.0 * (e1 * e2 + e0 * e3), 1.0 - 2.0 * (e1 * e1 + e3 * e3), 2.0 * (e2 * e3 - e0 * e1)],
        [2.0 * (e1 * e3 - e0 * e2), 2.0 * (e2 * e3 + e0 * e1), 1.0 - 2.0 * (e1 * e1 + e2 * e2)],
    ];
    let [x, y, z] = axes.map(|row| row[0] * local[0] + row[1] * local[1] + row[2] * local[2]);
    let energy = local[0].powi(2) / model.i_1 + local[1].powi(2) / model.i_2 + local[2].powi(2) / model.i_3;
    [energy / 2.0, x, y, z]
}

#[test]
fn energy_and_angular_momentum_to_second_order() {
    let model = FreeBody::default();
    let drift = |step: f64| {
        let trajectory = forward(&model, step, 4.0, Scheme::Undamped);
        let at = |i: usize| conserved(&model, trajectory.coordinates(i), trajectory.velocities(i));
        let start = at(0);
        let mut worst = [0f64; 4];
        for i in 0..=trajectory.steps() {
            for (worst, (now, start)) in worst.iter_mut().zip(at(i).into_iter().zip(start)) {
                *worst = worst.max((now - start).abs());
            }
        }
        worst
    };
    let (coarse, fine) = (drift(2e-3), drift(1e-3));
    for (coarse, fine) in coarse.into_iter().zip(fine) {
        let order = (coarse / fine).log2();
        assert!((order - 2.0).abs() < 0.1, "order {order}, drifts {coarse:e} and {fine:e}");
    }
}

#[test]
fn norm_and_straight_flight_over_a_hundred_thousand_steps() {
    let model = FreeBody::default();
    let trajectory = forward(&model, 1e-3, 100.0, Scheme::Hht { alpha: -0.05 });
    assert_eq!(trajectory.steps(), 100_000);
    let mut norm = 0f64;
    let mut flight = 0f64;
    for i in 0..=trajectory.steps() {
        let q = trajectory.coordinates(i);
        norm = norm.max((q[3..7].iter().map(|e| e * e).sum::<f64>() - 1.0).abs());
        let t = trajectory.time(i);
        flight = flight.max((q[0] - 1.0 - 0.1 * t).abs().max((q[2] - 3.0 + 0.2 * t).abs()));
    }
    assert!(norm < 4.0 * f64::EPSILON, "norm off by {norm:e}");
    assert!(flight < 1e-10, "off the straight line by {flight:e}");
}

/// Compares the motion of a body, where the row of the norm is added to others before the Newton matrix is
/// eliminated, with that of a model that writes the constraint itself, where it is not.
#[test]
fn a_skew_body_by_bodies_and_by_energies() {
    for scheme in [Scheme::Hht { alpha: -0.05 }, Scheme::default()] {
        let bodies = forward(&SkewBody::default(), 1e-3, 2.0, scheme);
        let energies = forward(&SkewBodyByEnergies::default(), 1e-3, 2.0, scheme);
        let pivoted = bodies.statistics().pivoted;
        assert!(pivoted * 50 < bodies.steps(), "{scheme:?}: {pivoted}");
        for i in 0..=bodies.steps() {
            for (a, b) in bodies.coordinates(i).iter().zip(energies.coordinates(i)) {
                assert!((a - b).abs() < 1e-12 * (1.0 + a.abs()), "step {i}: {a} and {b}");
            }
            for (a, b) in bodies.velocities(i).iter().zip(energies.velocities(i)) {
                assert!((a - b).abs() < 1e-9 * (1.0 + a.abs()), "velocity at step {i}: {a} and {b}");
            }
        }
    }
}
