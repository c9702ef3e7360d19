use costate_vibration::{Complex, EquilibriumError, EquilibriumSearch, VibrationError};

use crate::{assert_near, assert_within, loaded, simulation};

/// A thin rod on a hinge that a shaft turns about the vertical, all by bodies in space with Euler parameters.
const ROTATING: &str = "pub Rotating {
    parameters { m: kg = 2, l: m = 0.8, thin: kg*m^2 = 1e-3, g: m/s^2 = 9.81 }
    gravity { (0, 0, -g) }
    bodies {
        shaft: spatial { mass: 1[kg], inertia: (0.1[kg*m^2], 0.1[kg*m^2], 0.05[kg*m^2]) },
        rod: spatial { mass: m, inertia: (m*l^2/12 + thin, m*l^2/12, thin) },
    }
    joints {
        bearing: revolute(ground, shaft, axis = (0, 0, 1)),
        hinge: revolute(shaft, rod.at(0, 0, l/2), axis = (0, 1, 0)),
    }
    initial {
        shaft.orientation = rotation((0, 0, 1), 0),
        rod.orientation ~ rotation((0, 1, 0), -0.9),
        rod.position ~ (0.31[m], 0[m], -0.25[m]),
    }
    outputs { height: m = rod.position.z, way: m = rod.position.x }
}";

#[test]
fn rotating_pendulum() {
    let model = loaded(ROTATING);
    let speed = 7.0;
    let angle = model.system().coordinate("shaft.q3").or_else(|_| model.system().coordinate("shaft.e3"));
    let held = angle.unwrap_or_else(|error| panic!("{error}"));
    let steady =
        EquilibriumSearch::new(&simulation(model)).rotating([0.0, 0.0, 1.0], [0.0; 3], speed).held([held]).find();
    let steady = steady.unwrap_or_else(|error| panic!("{error}"));
    // about the hinge: (m l^2/3 + (I_x - I_z ..)) W^2 sin cos = m g l/2 sin
    let (m, l, g) = (2.0, 0.8, 9.81);
    let across = m * l * l / 12.0 + 1e-3;
    let effective = m * l * l / 4.0 + across - 1e-3;
    let cosine = m * g * l / 2.0 / (effective * speed * speed);
    assert_near(steady.outputs()[0], -l / 2.0 * cosine, 1e-11);
    // two modes in the turning frame: the shaft turns freely, and the rod swings; H = (J_s + ..) phi' is kept
    let modes = steady.linearized().modes().unwrap();
    let sine2 = 1.0 - cosine * cosine;
    let swing = m * l * l / 3.0;
    let about = 0.05 + 1e-3 * cosine * cosine + (m * l * l / 4.0 + across) * sine2;
    let momentum = 2.0 * effective * cosine * sine2.sqrt() * speed;
    let stiffness = effective * speed * speed * sine2 + momentum * momentum / about;
    assert_eq!(modes.all()[0].frequency(), 0.0);
    assert_near(modes.all()[1].eigenvalue.im, (stiffness / swing).sqrt(), 1e-9);
}

/// A heavy symmetric top that sleeps: it spins upright on its tip.
const TOP: &str = "pub Top {
    parameters { m: kg = 0.5, l: m = 0.1, a: kg*m^2 = 1e-3, c: kg*m^2 = 2e-3, g: m/s^2 = 9.81 }
    gravity { (0, 0, -g) }
    bodies { top: spatial { mass: m, inertia: (a, a, c) } }
    joints { tip: spherical(ground, top.at(0, 0, -l)) }
    initial { top.orientation ~ rotation((0, 0, 1), 0) }
    outputs { height: m = top.position.z }
}";

#[test]
fn sleeping_top() {
    let model = loaded(TOP);
    let (m, l, a, c, g): (f64, f64, f64, f64, f64) = (0.5, 0.1, 1e-3, 2e-3, 9.81);
    let about = a + m * l * l;
    let names: Vec<&str> = model.description().coordinates.iter().map(|coordinate| coordinate.name).collect();
    let held = model.system().coordinate(names[6]).unwrap();
    let at = |speed: f64| {
        EquilibriumSearch::new(&simulation(model)).rotating([0.0, 0.0, 1.0], [0.0; 3], speed).held([held]).find()
    };
    let speed = 120.0;
    let steady = at(speed).unwrap_or_else(|error| panic!("{error}"));
    // A w^2 - C W w + m g l = 0 in inertial axes; who turns with the top sees w - W
    let root = (c * c * speed * speed - 4.0 * about * m * g * l).sqrt();
    let mut wanted =
        [(c * speed + root) / (2.0 * about), (c * speed - root) / (2.0 * about)].map(|w| (w - speed).abs());
    wanted.sort_by(f64::total_cmp);
    let modes = steady.linearized().modes().unwrap();
    let found: Vec<Complex<f64>> = modes.all().iter().map(|mode| mode.eigenvalue).collect();
    assert_eq!(found.len(), 3, "{found:?}");
    assert_eq!(found[0].norm(), 0.0);
    for (found, wanted) in found[1..].iter().zip(wanted) {
        assert_near(found.im, wanted, 1e-9);
        assert_within(found.re, 0.0, 1e-7 * wanted);
    }
    // below the critical speed it falls
    let critical = 2.0 * (about * m * g * l).sqrt() / c;
    assert!(at(1.02 * critical).is_ok());
    match at(0.9 * critical) {
        Err(VibrationError::Equilibrium(EquilibriumError::Unstable { growth, .. })) => {
            let speed = 0.9 * critical;
            assert_near(growth, (4.0 * about * m * g * l - c * c * speed * speed).sqrt() / (2.0 * about), 1e-8);
        }
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_speed_that_a_drive_keeps() {
    let model = loaded(
        "pub Drive {
            parameters { j: kg*m^2 = 0.2, load: kg*m^2 = 0.3, c: N*m/rad = 400, d: N*m*s/rad = 0.7,
                brake: N*m*s/rad = 0.01 }
            coordinates { motor: rad, wheel: rad }
            mass { motor: j, wheel: load }
            forces {
                motor: -c*(motor - wheel) - d*(dot(motor) - dot(wheel)),
                wheel: c*(motor - wheel) + d*(dot(motor) - dot(wheel)) - brake*dot(wheel),
            }
            initial { motor = 0, wheel = 0 }
            outputs { twist: rad = motor - wheel }
        }",
    );
    let motor = model.system().coordinate("motor").unwrap();
    let wheel = model.system().coordinate("wheel").unwrap();
    // both turn, and the motor's angle is held: the wheel lags behind
    let search = EquilibriumSearch::new(&simulation(model)).turning(motor, 100.0);
    match search.find() {
        Err(VibrationError::Equilibrium(EquilibriumError::NotSteady { .. })) => {}
        other => panic!("{other:?}"),
    }
    let together = search.together([wheel], 100.0).find().unwrap();
    assert_near(together.outputs()[0], 0.01 * 100.0 / 400.0, 1e-12);
    let (coordinate, torque) = together.holding().next().unwrap();
    assert_eq!(coordinate.name(), "motor");
    assert_near(torque, 1.0, 1e-12);
}
