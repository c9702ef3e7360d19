use std::f64::consts::TAU;

use costate_system::simulation::Simulation;
use costate_vibration::{Equilibrium, EquilibriumError, EquilibriumSearch, VibrationError};

use crate::{assert_near, assert_within, loaded, simulation};

/// A pendulum by a body in the plane, in three coordinates, and the same in one.
const PENDULUM: &str = "pub Pendulum {
    parameters { m: kg = 2, l: m = 0.8, g: m/s^2 = 9.81, start: rad = 2, d: N*m*s/rad = 0.05 }
    gravity { (0, -g) }
    bodies { rod: planar { mass: m, inertia: m*l^2/12 } }
    joints { pin: revolute(ground, rod.at(0, l/2)) }
    elements { drag: torque(rod, -d*dot(rod.angle)) }
    initial { rod.angle = start }
    outputs { tip: m = rod.at(0, -l/2).position.x }
}";

#[test]
fn pendulum_falls_to_its_stable_position() {
    let model = loaded(PENDULUM);
    let start = model.parameter("start").unwrap();
    for angle in [0.3, 1.5, 2.0, 3.0, -2.5] {
        let rest = Equilibrium::of(&simulation(model).parameter(start, angle)).unwrap();
        let [_, y, turned] = rest.coordinates() else { panic!("a body in the plane has three coordinates") };
        assert_within((turned / TAU).round() * TAU - turned, 0.0, 1e-12);
        assert_near(*y, -0.4, 1e-13);
        let modes = rest.linearized().modes().unwrap();
        let (m, l): (f64, f64) = (2.0, 0.8);
        let inertia = m * l * l / 3.0;
        let omega = (m * 9.81 * l / 2.0 / inertia).sqrt();
        assert_eq!(modes.len(), 1);
        assert_near(modes.all()[0].frequency(), omega / TAU, 1e-12);
        assert_near(modes.all()[0].damping_ratio(), 0.05 / (2.0 * inertia * omega), 1e-11);
        // the pin carries the weight
        assert_near(
            rest.state()[9..].iter().fold(0.0, |most: f64, reaction| most.max(reaction.abs())),
            m * 9.81,
            1e-12,
        );
    }
    // upright it stands still, and would not stay
    let upright = simulation(model).parameter(start, std::f64::consts::PI);
    match Equilibrium::of(&upright) {
        Err(VibrationError::Equilibrium(EquilibriumError::Unstable { growth, coordinate, .. })) => {
            let (stiffness, inertia) = (2.0 * 9.81 * 0.4, 2.0 * 0.64 / 3.0);
            let b: f64 = 0.05 / inertia;
            assert_near(growth, -b / 2.0 + (b * b / 4.0 + stiffness / inertia).sqrt(), 1e-10);
            assert_eq!(coordinate, "rod.angle");
        }
        other => panic!("{other:?}"),
    }
    assert!(!EquilibriumSearch::new(&upright).unstable().find().unwrap().is_stable());
}

/// A mass on a spring that snaps through: three positions of rest.
const SNAP: &str = "pub Snap {
    parameters { m: kg = 1, c: N/m = 400, h: m = 0.1, f: N = 0 }
    coordinates { x: m }
    mass { x: m }
    forces { x: f - c*(x^2/h^2 - 1)*x }
    initial { x = 0.02[m] }
    outputs { position: m = x }
}";

#[test]
fn several_positions_are_found_from_their_neighbourhoods() {
    let model = loaded(SNAP);
    let search = EquilibriumSearch::new(&simulation(model)).unstable();
    let x = model.system().coordinate("x").unwrap();
    for wanted in [-0.1, 0.0, 0.1] {
        let found = search.clone().start(x, wanted + 0.01).find().unwrap();
        assert_within(found.coordinates()[0], wanted, 1e-12);
    }
    // from anywhere else than the middle a search without `unstable` ends in a stable position
    let rest = Equilibrium::of(&simulation(model)).unwrap();
    assert_near(rest.coordinates()[0], 0.1, 1e-12);
    assert_near(rest.linearized().modes().unwrap().all()[0].frequency(), 800f64.sqrt() / TAU, 1e-12);
}

const BARS: &str = "pub Bars {
    parameters { m: kg = 1, l: m = 1, g: m/s^2 = 9.81, c: N*m/rad = 30 }
    gravity { (0, -g) }
    bodies {
        left: planar { mass: m, inertia: m*l^2/12 },
        right: planar { mass: m, inertia: m*l^2/12 },
        coupler: planar { mass: m, inertia: m*l^2/12 },
    }
    joints {
        a: revolute(ground, left.at(-l/2, 0)),
        b: revolute(ground.at(l, 0), right.at(-l/2, 0)),
        e: revolute(left.at(l/2, 0), coupler.at(-l/2, 0)),
        f: revolute(right.at(l/2, 0), coupler.at(l/2, 0)),
    }
    elements { spring: torque(left, -c*left.angle) }
    initial {
        left.angle = 0.4, left.position ~ (l/2*cos(0.4), l/2*sin(0.4)),
        right.angle ~ 0.4, right.position ~ (l + l/2*cos(0.4), l/2*sin(0.4)),
        coupler.angle ~ 0, coupler.position ~ (l/2 + l*cos(0.4), l*sin(0.4)),
    }
    outputs { angle: rad = left.angle }
}";

#[test]
fn four_bars_as_in_one_coordinate() {
    let bars = Equilibrium::of(&simulation(loaded(BARS))).unwrap();
    // T = (2 m l^2/3 + m l^2) w^2/2, V = 2 m g l/2 sin + m g l sin + c angle^2/2
    let one = loaded(
        "pub One {
            parameters { m: kg = 1, l: m = 1, g: m/s^2 = 9.81, c: N*m/rad = 30 }
            coordinates { angle: rad }
            mass { angle: 5*m*l^2/3 }
            forces { angle: -2*m*g*l*cos(angle) - c*angle }
            initial { angle = 0.4 }
            outputs { turned: rad = angle }
        }",
    );
    let one = Equilibrium::of(&simulation(one)).unwrap();
    assert_near(bars.outputs()[0], one.outputs()[0], 1e-12);
    let [bars, one] = [&bars, &one].map(|rest| rest.linearized().modes().unwrap());
    assert_eq!((bars.len(), one.len()), (1, 1));
    assert_near(bars.all()[0].frequency(), one.all()[0].frequency(), 1e-11);
}

#[test]
fn chain_of_planar_rods_has_all_poles() {
    const RODS: &str = "pub Rods(links: usize = 30) {
        parameters { m: kg = 1, l: m = 0.2, g: m/s^2 = 9.81 }
        gravity { (0, -g) }
        bodies { for i in 1..=links { rod[i]: planar { mass: m, inertia: m*l^2/12 } } }
        joints {
            pin[1]: revolute(ground, rod[1].at(0, l/2)),
            for i in 2..=links { pin[i]: revolute(rod[i - 1].at(0, -l/2), rod[i].at(0, l/2)) },
        }
        initial { for i in 1..=links { rod[i].angle = 0.1 } }
        outputs { tip: m = rod[links].at(0, -l/2).position.x }
    }";
    let rest = Equilibrium::of(&simulation(loaded(RODS))).unwrap();
    assert!(rest.coordinates().iter().skip(2).step_by(3).all(|angle| angle.abs() < 1e-10));
    let poles = rest.linearized().poles().unwrap();
    assert_eq!(poles.len(), 30);
    assert!(poles.iter().all(|pole| pole.re.abs() < 1e-7 * pole.im));
    // a heavy chain of length L: the lowest frequency is that of a hanging chain, 1.2024 sqrt(g/L), but for its 30
    // links
    assert_near(poles[0].im, 1.2024 * (9.81_f64 / 6.0).sqrt(), 2e-3);
}

#[test]
fn a_state_of_a_run_is_linearised() {
    // at rest the linear model at the state is that of the equilibrium
    let model = loaded(BARS);
    let rest = Equilibrium::of(&simulation(model)).unwrap();
    let here = costate_vibration::LinearModel::at(&simulation(model), 0.0, &rest.state()).unwrap();
    let [one, other] = [rest.linearized(), here].map(|linear| linear.poles().unwrap());
    assert!((one[0] - other[0]).norm() < 1e-12 * one[0].norm());
    // of a pendulum in motion, the derivative of its equation l'' = -k sin(angle): s^2 = -k cos(angle), whatever its
    // speed
    let model = loaded(PENDULUM);
    let undamped = simulation(model).parameter(model.parameter("d").unwrap(), 0.0);
    let run = Simulation::clone(&undamped).step(1e-3).until(0.2).run().unwrap();
    let state = &run.trajectory().all_states()[200 * 11..][..11];
    let linear = costate_vibration::LinearModel::at(&undamped, 0.0, state).unwrap();
    let angle = state[2];
    let pole = linear.poles().unwrap();
    let largest = 1.5 * 9.81 / 0.8;
    let squared = -largest * angle.cos();
    assert!(pole.iter().any(|pole| ((pole * pole).re - squared).abs() < 1e-5 * largest), "{pole:?} {squared}");
}
