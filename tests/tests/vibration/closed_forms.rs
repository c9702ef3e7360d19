use std::f64::consts::{PI, TAU};

use costate_interpreter::LoadedModel;
use costate_vibration::{Complex, Equilibrium, EquilibriumError, ModeKind, Poles, VibrationError, modal_assurance};

use crate::{assert_near, assert_within, loaded, simulation};

pub const CHAIN: &str = "pub Chain(links: usize = 12) {
    parameters { m: kg = 0.7, c: N/m = 5e4, d: N*s/m = 3 }
    inputs { force: N }
    coordinates { for i in 1..=links { x[i]: m } }
    mass { for i in 1..=links { x[i]: m } }
    forces {
        for i in 1..=links { x[i]: -d*dot(x[i]) },
        for i in 2..=links { let pull = c*(x[i] - x[i - 1]); x[i - 1]: pull, x[i]: -pull },
        x[1]: force - c*x[1],
        x[links]: -c*x[links],
    }
    initial { for i in 1..=links { x[i] = 0.01[m]*i } }
    outputs { first: m = x[1], last: m = x[links], acceleration: m/s^2 = ddot(x[1]) }
}";

#[test]
fn chain_of_masses() {
    let model = loaded(CHAIN);
    let driven = simulation(model).input(model.input("force").unwrap(), 0.0);
    let rest = Equilibrium::of(&driven).unwrap();
    assert!(rest.is_stable() && rest.coordinates().iter().all(|x| x.abs() < 1e-15));
    let modes = rest.linearized().modes().unwrap();
    assert_eq!(modes.len(), 12);
    for (k, mode) in modes.all().iter().enumerate() {
        let omega = 2.0 * (5e4_f64 / 0.7).sqrt() * ((k + 1) as f64 * PI / 26.0).sin();
        assert_near(mode.frequency(), omega / TAU, 1e-11);
        assert_near(mode.damping_ratio(), 3.0 / (2.0 * 0.7 * omega), 1e-10);
        // phi_j is proportional to sin(j k pi/(N + 1)), and its kinetic energy is 1
        let shape = |j: usize| (j as f64 * (k + 1) as f64 * PI / 13.0).sin();
        let factor = mode.shape[0] / shape(1);
        for j in 1..=12 {
            assert!((mode.shape[j - 1] - factor * shape(j)).norm() < 1e-9 * factor.norm());
        }
        let energy: f64 = mode.shape.iter().map(|x| 0.7 * x.norm_sqr()).sum();
        assert_near(energy, 1.0, 1e-10);
    }
    for (i, one) in modes.all().iter().enumerate() {
        for (j, other) in modes.all().iter().enumerate() {
            assert_within(modal_assurance(&one.shape, &other.shape), f64::from(u8::from(i == j)), 1e-12);
        }
    }
    // the response is the sum over all modes, for as many frequencies
    let frequencies: Vec<f64> = (1..40).map(|k| 2.3 * f64::from(k)).collect();
    let (force, last) = (model.input("force").unwrap(), model.output("last").unwrap());
    let response = rest.linearized().frequency_response(&frequencies, force, last).unwrap();
    assert_eq!(response.unit(), "m/N");
    for (f, value) in frequencies.iter().zip(&response.values) {
        let omega = TAU * f;
        let mut sum = Complex::new(0.0, 0.0);
        for k in 1..=12 {
            let own = 4.0 * 5e4 * (f64::from(k) * PI / 26.0).sin().powi(2);
            let shape = |j: f64| (j * f64::from(k) * PI / 13.0).sin() * (2.0 / 13.0_f64).sqrt();
            sum += shape(1.0) * shape(12.0) / Complex::new(own - 0.7 * omega * omega, 3.0 * omega);
        }
        assert!((value - sum).norm() < 1e-10 * sum.norm(), "{value} {sum}");
    }
}

/// A spring and a Maxwell element, whose node has no mass, beside a mass with a follower on a spring alone.
const MAXWELL: &str = "pub Maxwell {
    parameters { m: kg = 2, c: N/m = 8e3, c_r: N/m = 5e3, d_r: N*s/m = 40, c_f: N/m = 1e3, c_g: N/m = 3e3 }
    inputs { force: N }
    coordinates { x: m, node: m, follower: m }
    mass { x: m }
    forces {
        x: force - c*x - c_r*(x - node) - c_f*(x - follower),
        node: c_r*(x - node) - d_r*dot(node),
        follower: c_f*(x - follower) - c_g*follower,
    }
    initial { x = 0[m], node = 0[m] }
    outputs { position: m = x, followed: m = follower, carried: N = c*x + c_r*(x - node), speed: m/s = dot(follower) }
}";

#[test]
fn coordinates_without_mass() {
    let model = loaded(MAXWELL);
    let force = model.input("force").unwrap();
    let driven = simulation(model).input(force, 30.0);
    let rest = Equilibrium::of(&driven).unwrap();
    // the node relaxes: the element carries nothing
    let soft = 1e3 * 3e3 / 4e3;
    assert_near(rest.coordinate(model.system().coordinate("x").unwrap()), 30.0 / (8e3 + soft), 1e-13);
    assert_near(rest.output(model.output("carried").unwrap()), 30.0 * 8e3 / (8e3 + soft), 1e-13);
    let linear = rest.linearized();
    let modes = linear.modes().unwrap();
    assert_eq!(modes.len(), 2);
    // 0 = (2 s^2 + c) (c_r + d s) + c_r d s
    for mode in modes.all() {
        let s = mode.eigenvalue;
        let left = (2.0 * s * s + 8e3 + soft) * (5e3 + 40.0 * s) + 5e3 * 40.0 * s;
        assert!(left.norm() < 1e-10 * (2.0 * s * s).norm() * 5e3, "{left}");
    }
    assert_eq!(modes.all()[1].kind(), ModeKind::Aperiodic);
    let frequencies = [0.5, 3.0, 9.0, 10.5, 40.0, 300.0];
    let carried = linear.frequency_response(&frequencies, force, model.output("carried").unwrap()).unwrap();
    let x = linear.frequency_response(&frequencies, force, model.output("position").unwrap()).unwrap();
    for (k, f) in frequencies.iter().enumerate() {
        let s = Complex::new(0.0, TAU * f);
        let element = 8e3 + 5e3 * 40.0 * s / (5e3 + 40.0 * s);
        let wanted = 1.0 / (2.0 * s * s + element + soft);
        assert!((x.values[k] - wanted).norm() < 1e-11 * wanted.norm());
        assert!((carried.values[k] - wanted * element).norm() < 1e-11 * (wanted * element).norm());
    }
    let stiffness = carried.over(&x).unwrap().dynamic_stiffness().unwrap();
    assert_eq!(stiffness.unit(), "N/m");
    let angle =
        (5e3 * 40.0 * Complex::new(0.0, TAU * 9.0) / Complex::new(5e3, 40.0 * TAU * 9.0) + 8e3).arg().to_degrees();
    assert_near(stiffness.loss_angles()[2], angle, 1e-11);
    // as a system of first order: x, node and the speed of x
    let space = linear.state_space(&[0], &[0, 1, 2, 3]).unwrap();
    let names: Vec<&str> = space.states.iter().map(|(name, _)| name.as_str()).collect();
    assert_eq!(names, ["x", "dot(x)", "node"]);
    for (k, f) in frequencies.iter().enumerate() {
        let s = Complex::new(0.0, TAU * f);
        let unit = nalgebra::DMatrix::<Complex<f64>>::identity(3, 3) * s;
        let states = (unit - space.a.map(Complex::from)).lu().solve(&space.b.map(Complex::from)).unwrap();
        let outputs = space.c.map(Complex::from) * states + space.d.map(Complex::from);
        assert!((outputs[(2, 0)] - carried.values[k]).norm() < 1e-10 * carried.values[k].norm());
    }
    // steps that are exact for constant inputs: settled under the force
    let discrete = space.discrete(0.01).unwrap().matrices;
    let settled = (nalgebra::DMatrix::identity(3, 3) - &discrete.a).lu().solve(&discrete.b).unwrap();
    assert_near(settled[0], 1.0 / (8e3 + soft), 1e-9);
}

/// A rigid rotor on soft bearings that spins about its axis: tilts with gyroscopic torques.
const ROTOR: &str = "pub Rotor {
    parameters { j: kg*m^2 = 0.3, j_p: kg*m^2 = 0.5, c: N*m/rad = 900, d: N*m*s/rad = 0.2, speed: rad/s = 50 }
    coordinates { alpha: rad, beta: rad }
    mass { alpha: j, beta: j }
    forces {
        alpha: -c*alpha - d*dot(alpha) - j_p*speed*dot(beta),
        beta: -c*beta - d*dot(beta) + j_p*speed*dot(alpha),
    }
    initial { alpha = 0, beta = 0 }
    outputs { tilt: rad = alpha }
}";

#[test]
fn gyroscopic_rotor_over_speed() {
    let model = loaded(ROTOR);
    let speed = model.parameter("speed").unwrap();
    let speeds: Vec<f64> = (0..=20).map(|k| 10.0 * f64::from(k)).collect();
    let at = |value: f64| Ok(Equilibrium::of(&simulation(model).parameter(speed, value))?.linearized());
    // at rest both modes have the same frequency
    let repeated = at(0.0).unwrap().modes().unwrap();
    assert_eq!(repeated.len(), 2);
    let poles = Poles::over(&speeds[1..], at).unwrap();
    assert_eq!(poles.branches.len(), 2);
    for (k, speed) in speeds[1..].iter().enumerate() {
        // with z = alpha + i beta: j z'' + (d - i j_p Omega) z' + c z = 0
        let b = Complex::new(0.2, -0.5 * speed);
        let root = (b * b - 4.0 * 0.3 * 900.0).sqrt();
        let mut wanted = [(-b + root) / 0.6, (-b - root) / 0.6].map(|s| Complex::new(s.re, s.im.abs()));
        wanted.sort_by(|one, other| one.im.total_cmp(&other.im));
        for (branch, wanted) in poles.branches.iter().zip(wanted) {
            let found = branch.eigenvalues[k];
            assert!((found - wanted).norm() < 1e-10 * wanted.norm(), "{found} {wanted}");
        }
    }
}

#[test]
fn modes_are_followed_through_crossings() {
    let model = loaded(
        "pub Two {
            parameters { c: N/m = 100, k: N/m = 1e-3 }
            coordinates { x: m, y: m }
            mass { x: 1[kg], y: 1[kg] }
            forces { x: -c*x - k*(x - y), y: -200[N/m]*y - k*(y - x) }
            initial { x = 0[m], y = 0[m] }
            outputs { position: m = x }
        }",
    );
    let c = model.parameter("c").unwrap();
    let at = |value: f64| Ok(Equilibrium::of(&simulation(model).parameter(c, value))?.linearized());
    let values: Vec<f64> = (0..=9).map(|k| 100.0 + 23.0 * f64::from(k)).collect();
    let poles = Poles::over(&values, at).unwrap();
    let [x, y] = &poles.branches[..] else { panic!("{} branches", poles.branches.len()) };
    for (k, value) in values.iter().enumerate() {
        assert_near(x.eigenvalues[k].im, value.sqrt(), 1e-4);
        assert_near(y.eigenvalues[k].im, 200f64.sqrt(), 1e-4);
    }
}

/// A heavy mass on a soft spring or hinge beside a tiny one, which a strong damper stops in no time.
fn beside_a_fast_one(force: &str) -> LoadedModel {
    loaded(&format!(
        "pub Beside {{
            parameters {{ m: kg = 40, c: N/m = 10, tiny: kg = 1e-6, d: N*s/m = 1e4 }}
            coordinates {{ x: m, fast: m }}
            mass {{ x: m, fast: tiny }}
            forces {{ x: {force}, fast: -d*dot(fast) - c*(fast - x) }}
            initial {{ x = 0[m], fast = 0[m] }}
        }}"
    ))
}

#[test]
fn slow_motions_beside_a_fast_one_are_no_rigid_motions() {
    let model = beside_a_fast_one("-c*x");
    let modes = Equilibrium::of(&simulation(model)).unwrap().linearized().modes().unwrap();
    let kinds: Vec<ModeKind> = modes.all().iter().map(|mode| mode.kind()).collect();
    assert_eq!(kinds, [ModeKind::Oscillation, ModeKind::Aperiodic, ModeKind::Aperiodic]);
    let values: Vec<Complex<f64>> = modes.all().iter().map(|mode| mode.eigenvalue).collect();
    assert!((values[0] - Complex::new(0.0, 0.5)).norm() < 1e-12, "{}", values[0]);
    // -c/d (1 + c m/d^2 + ..)
    assert_near(values[1].re, -1e-3, 1e-12);
    assert_near(values[2].re, -1e10, 1e-12);
}

#[test]
fn a_slow_fall_beside_a_fast_motion_is_unstable() {
    let upside_down = Equilibrium::of(&simulation(beside_a_fast_one("c*x")));
    match upside_down {
        Err(VibrationError::Equilibrium(EquilibriumError::Unstable { coordinate, growth, .. })) => {
            assert_near(growth, 0.5, 1e-12);
            assert_eq!(coordinate, "x");
        }
        other => panic!("{other:?}"),
    }
}
