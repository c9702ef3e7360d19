use costate_vibration::{Complex, Equilibrium, VibrationError};

use crate::{assert_within, loaded, simulation};

/// A rod on a spring in the plane, with a damper, an element that relaxes and gravity, which all move the position of
/// rest.
pub const LEVER: &str = "pub Lever {
    parameters {
        m: kg = 3, l: m = 0.7, c: N/m = 900, d: N*s/m = 12, c_r: N/m = 300, d_r: N*s/m = 30, g: m/s^2 = 9.81,
        progressive: N/m^3 = 4e4,
    }
    inputs { force: N }
    gravity { (0, -g) }
    bodies { rod: planar { mass: m, inertia: m*l^2/12 } }
    coordinates { node: m }
    joints { pin: revolute(ground, rod.at(-l/2, 0)) }
    let tip = rod.at(l/2, 0).position.y;
    let speed = dot(tip);
    elements { push: force(rod.at(l/2, 0), (0[N], force - c*tip - progressive*tip^3 - d*speed - c_r*(tip - node))) }
    forces { node: c_r*(tip - node) - d_r*dot(node) }
    initial { rod.angle = 0, node = 0[m] }
    outputs { position: m = tip, acceleration: m/s^2 = ddot(tip), reaction: N = pin.reaction.y,
        pushed: N = force - 3[N*s/m]*speed }
}";

#[test]
fn of_repeated_eigenvalues_are_refused() {
    let model = loaded(
        "pub Twins {
            parameters { c: N/m = 100 }
            coordinates { x: m, y: m, z: m }
            mass { x: 1[kg], y: 1[kg], z: 1[kg] }
            forces { x: -c*x, y: -c*y, z: -3*c*z }
            initial { x = 0[m], y = 0[m], z = 0[m] }
        }",
    );
    let linear = Equilibrium::of(&simulation(model)).unwrap().linearized();
    let modes = linear.modes().unwrap();
    assert_eq!(modes.len(), 3);
    let product: Complex<f64> =
        modes.all()[0].shape.iter().zip(&modes.all()[1].shape).map(|(one, other)| one.conj() * other).sum();
    assert!(product.norm() < 1e-9);
    let derivatives = linear.derivatives_by(model.dual_equations(), &[0]).unwrap();
    assert_eq!(modes.derivatives(0, &derivatives), Err(VibrationError::Repeated { modes: vec![0, 1] }));
    let third = modes.derivatives(2, &derivatives).unwrap();
    assert_within(third.eigenvalue[0].im, 0.5 * (3.0_f64 / 100.0).sqrt(), 1e-12);
}

#[test]
fn energies_of_springs() {
    let model = loaded(
        "pub Pair {
            parameters { m: kg = 1, c_1: N/m = 100, c_2: N/m = 250, d: N*s/m = 0.1 }
            coordinates { x: m, y: m }
            mass { x: m, y: 2*m }
            forces { x: -c_1*x + c_2*(y - x) - d*dot(x), y: c_2*(x - y) }
            initial { x = 0[m], y = 0[m] }
        }",
    );
    let modes = Equilibrium::of(&simulation(model)).unwrap().linearized().modes().unwrap();
    for index in 0..2 {
        let shares = modes.energy_shares_by(model.dual_equations(), index).unwrap();
        let share = |name: &str| shares.iter().find(|share| share.parameter == name).unwrap().clone();
        let [x, y] = [modes.all()[index].shape[0], modes.all()[index].shape[1]];
        let (one, two) = (100.0 * x.norm_sqr(), 250.0 * (y - x).norm_sqr());
        assert_within(share("c_1").potential, one / (one + two), 1e-12);
        assert_within(share("c_2").potential, two / (one + two), 1e-12);
        assert_within(share("d").lost, 1.0, 1e-12);
        assert_within(share("m").kinetic, 1.0, 1e-12);
    }
}
