use std::f64::consts::TAU;

use costate_vibration::{Complex, Equilibrium, EquilibriumSearch, VibrationError};

use crate::derivatives::LEVER;
use crate::{assert_near, assert_within, loaded, simulation};

/// Three masses in a row, whose springs have a stiffness in common or as a number, with forces and deflections in other
/// units.
const ROW: &str = "pub Row {
    parameters { c: N/m = 100, d: N*s/m = 0.3 }
    inputs { push: N }
    coordinates { x: m, y: m, z: m }
    mass { x: 1[kg], y: 2[kg], z: 3[kg] }
    let first = c*x + d*dot(x);
    let second = c*(y - x);
    let third = 400[N/m]*(z - y) + 2*d*(dot(z) - dot(y));
    forces { x: push - first + second, y: third - second, z: -third }
    initial { x = 0[m], y = 0[m], z = 0[m] }
    outputs {
        f_1: N = first, w_1: m = x, f_2: kN = second, w_2: mm = y - x, f_3: N = third, w_3: mm = z - y,
        speed: m/s = dot(x), far: m/s^2 = ddot(z), pull: N = third + 0.1[kg]*ddot(z),
    }
}";

#[test]
fn springs_with_a_common_stiffness() {
    let model = loaded(ROW);
    let driven = simulation(model).input(model.input("push").unwrap(), 0.0);
    let modes = Equilibrium::of(&driven).unwrap().linearized().modes().unwrap();
    let output = |name: &str| model.output(name).unwrap();
    for (index, mode) in modes.all().iter().enumerate() {
        let [x, y, z] = [mode.shape[0], mode.shape[1], mode.shape[2]];
        let springs = [100.0 * x.norm_sqr(), 100.0 * (y - x).norm_sqr(), 400.0 * (z - y).norm_sqr()];
        let dampers = [0.3 * x.norm_sqr(), 0.0, 0.6 * (z - y).norm_sqr()];
        let mut sums = [0.0, 0.0];
        for (k, (force, way)) in [("f_1", "w_1"), ("f_2", "w_2"), ("f_3", "w_3")].into_iter().enumerate() {
            let shares = modes.element_shares(index, output(force), output(way)).unwrap();
            assert_near(shares.potential, springs[k] / springs.iter().sum::<f64>(), 1e-11);
            assert_within(shares.lost, dampers[k] / dampers.iter().sum::<f64>(), 1e-11);
            sums = [sums[0] + shares.potential, sums[1] + shares.lost];
        }
        assert_near(sums[0], 1.0, 1e-11);
        assert_near(sums[1], 1.0, 1e-11);
        let bodies = modes.body_shares(index).unwrap();
        assert_eq!(bodies.iter().map(|(name, _)| *name).collect::<Vec<_>>(), ["x", "y", "z"]);
        assert_near(bodies[2].1, 3.0 * z.norm_sqr(), 1e-10);
    }
    for (force, way, reason) in [
        ("f_1", "speed", "coordinates alone"),
        ("far", "w_1", "coordinates and velocities alone"),
        ("pull", "w_3", "coordinates and velocities alone"),
        ("f_1", "f_2", "must be an energy"),
    ] {
        let refused = modes.element_shares(0, output(force), output(way));
        assert!(refused.unwrap_err().to_string().contains(reason), "{force} {way}");
    }
    let refused = modes.element_shares(3, output("f_1"), output("w_1"));
    assert!(matches!(refused, Err(VibrationError::NoMode { index: 3, .. })));
}

/// Two rods on springs between bodies, one that is recognised by its name alone, and a torsional spring that twists
/// with them.
const RODS: &str = "pub Rods {
    parameters { m: kg = 2, l: m = 0.6 }
    bodies { one: planar { mass: m, inertia: m*l^2/12 }, two: planar { mass: 2*m, inertia: m*l^2/6 } }
    joints { pin: revolute(ground, one.at(-l/2, 0)), knee: revolute(one.at(l/2, 0), two.at(-l/2, 0)) }
    elements {
        root: torsional(ground, one, stiffness = 50[N*m], damping = 0.1[N*m*s]),
        bend: torsional(one, two, stiffness = 20[N*m]),
        strut: spring(ground.at(1.2[m], 1[m]), two.at(l/2, 0), stiffness = 300[N/m], length = 1[m], damping = 2[N*s/m]),
    }
    initial { one.angle = 0, two.angle = 0 }
    outputs {
        f_root: N*m = root.torque, w_root: rad = root.angle, f_bend: N*m = bend.torque, w_bend: deg = bend.angle,
        f_strut: N = strut.force, w_strut: m = strut.length,
    }
}";

#[test]
fn elements_between_bodies() {
    let model = loaded(RODS);
    let linear = Equilibrium::of(&simulation(model)).unwrap().linearized();
    let modes = linear.modes().unwrap();
    assert_eq!(modes.len(), 2);
    for (index, mode) in modes.all().iter().enumerate() {
        let output = |name: &str| model.output(name).unwrap();
        let of = |force, way| modes.element_shares(index, output(force), output(way)).unwrap();
        let all = [of("f_root", "w_root"), of("f_bend", "w_bend"), of("f_strut", "w_strut")];
        // no weight and no preload: all is in the three
        assert_near(all.iter().map(|share| share.potential).sum(), 1.0, 1e-10);
        assert_near(all.iter().map(|share| share.lost).sum(), 1.0, 1e-10);
        // angles of `one` and `two`, whose height is that of both ends
        let [one, two] = [mode.shape[2], mode.shape[5]];
        let strut = 300.0 * (0.6 * (one + two)).norm_sqr();
        let springs = [50.0 * one.norm_sqr(), 20.0 * (two - one).norm_sqr(), strut];
        for (share, spring) in all.iter().zip(springs) {
            assert_near(share.potential, spring / springs.iter().sum::<f64>(), 1e-10);
        }
        let bodies = modes.body_shares(index).unwrap();
        assert_eq!(bodies.iter().map(|(name, _)| *name).collect::<Vec<_>>(), ["one", "two"]);
        assert_near(bodies[0].1, 2.0 * 0.36 / 3.0 * one.norm_sqr(), 1e-10);
        assert_near(bodies[0].1 + bodies[1].1, 1.0, 1e-12);
    }
}

#[test]
fn residues_make_the_response() {
    for (text, output, held) in [(LEVER, "position", 5.0), (ROW, "w_3", 0.0)] {
        let model = loaded(text);
        let input = model.input(if text == LEVER { "force" } else { "push" }).unwrap();
        let output = model.output(output).unwrap();
        let rest = EquilibriumSearch::new(&simulation(model).input(input, held)).find().unwrap();
        let linear = rest.linearized();
        let modes = linear.modes().unwrap();
        let frequencies = [0.3, 1.7, 4.0, 20.0];
        let response = linear.frequency_response(&frequencies, input, output).unwrap();
        for (f, value) in frequencies.iter().zip(&response.values) {
            let s = Complex::new(0.0, TAU * f);
            let mut sum = Complex::new(0.0, 0.0);
            for (index, mode) in modes.all().iter().enumerate() {
                let residue = modes.residue(index, input, output).unwrap();
                sum += residue / (s - mode.eigenvalue);
                if mode.eigenvalue.im > 0.0 {
                    sum += residue.conj() / (s - mode.eigenvalue.conj());
                }
            }
            assert!((value - sum).norm() < 1e-9 * value.norm(), "{value} {sum}");
        }
    }
}

#[test]
fn residues_of_equal_eigenvalues_are_refused() {
    let model = loaded(
        "pub Twins {
            parameters { c: N/m = 100 }
            inputs { push: N }
            coordinates { x: m, y: m }
            mass { x: 1[kg], y: 1[kg] }
            forces { x: push - c*x, y: -c*y }
            initial { x = 0[m], y = 0[m] }
            outputs { way: m = x }
        }",
    );
    let (input, output) = (model.input("push").unwrap(), model.output("way").unwrap());
    let modes = Equilibrium::of(&simulation(model).input(input, 0.0)).unwrap().linearized().modes().unwrap();
    assert_eq!(modes.residue(0, input, output), Err(VibrationError::Repeated { modes: vec![0, 1] }));
}
