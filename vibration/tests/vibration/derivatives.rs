use costate_interpreter::LoadedModel;
use costate_vibration::{Complex, Equilibrium, VibrationError};

use crate::{assert_within, derivative, loaded, simulation};

/// A rod on a spring in the plane, with a damper, an element that relaxes and gravity, which all move the position of rest.
pub const LEVER: &str = "pub Lever {
    parameters {
        m: kg = 3, l: m = 0.7, c: N/m = 900, d: N*s/m = 12, c_r: N/m = 300, d_r: N*s/m = 30, g: m/s^2 = 9.81, progressive: N/m^3 = 4e4,
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
    outputs { position: m = tip, acceleration: m/s^2 = ddot(tip), reaction: N = pin.reaction.y, pushed: N = force - 3[N*s/m]*speed }
}";

const NAMES: [&str; 8] = ["m", "l", "c", "d", "c_r", "d_r", "g", "progressive"];

fn rest_at(model: LoadedModel, changed: usize, value: f64) -> Equilibrium {
    let force = model.input("force").unwrap();
    let parameter = model.parameter(NAMES[changed]).unwrap();
    Equilibrium::of(&simulation(model).input(force, 5.0).parameter(parameter, value)).unwrap()
}

/// Compares exact derivatives with differences of a result of all parameters, whose errors are about 1e-10 of the largest entry over the
/// parameter.
fn compare(model: LoadedModel, result: impl Fn(&Equilibrium) -> Vec<f64>, exact: &[Vec<f64>], limit: f64) {
    let values: Vec<f64> = model.defaults().iter().map(|value| value.unwrap()).collect();
    for (k, exact) in exact.iter().enumerate() {
        let here = result(&rest_at(model, k, values[k]));
        let largest = here.iter().fold(0.0_f64, |most, value| most.max(value.abs()));
        for (row, exact) in exact.iter().enumerate() {
            let size = here[row].abs().max(0.1 * largest);
            let found =
                derivative(|value| result(&rest_at(model, k, value))[row], values[k], 0.02 * values[k]);
            assert_within(*exact, found, limit * found.abs().max(size / values[k]));
        }
    }
}

fn parts(values: &[Complex<f64>]) -> Vec<f64> {
    values.iter().flat_map(|value| [value.re, value.im]).collect()
}

#[test]
fn of_equilibria() {
    let model = loaded(LEVER);
    let rest = rest_at(model, 0, 3.0);
    let parameters = NAMES.map(|name| model.parameter(name).unwrap());
    let exact = rest.derivatives(&parameters).unwrap();
    let columns: Vec<Vec<f64>> = exact.column_iter().map(|column| column.iter().copied().collect()).collect();
    compare(model, Equilibrium::state, &columns, 2e-9);
}

#[test]
fn of_modes_and_shapes() {
    let model = loaded(LEVER);
    let linear = rest_at(model, 0, 3.0).linearized();
    let all: Vec<usize> = (0..8).collect();
    let derivatives = linear.derivatives_by(model.dual_equations(), &all).unwrap();
    let modes = linear.modes().unwrap();
    assert_eq!(modes.len(), 2);
    for index in 0..2 {
        let of_mode = modes.derivatives(index, &derivatives).unwrap();
        let exact: Vec<Vec<f64>> = (0..8)
            .map(|k| {
                let value = of_mode.eigenvalue[k];
                vec![value.re, value.im, of_mode.frequency[k], of_mode.damping_ratio[k]]
            })
            .collect();
        let result = |rest: &Equilibrium| {
            let modes = rest.linearized().modes().unwrap();
            let mode = &modes.all()[index];
            vec![mode.eigenvalue.re, mode.eigenvalue.im, mode.frequency(), mode.damping_ratio()]
        };
        compare(model, result, &exact, 2e-9);
        let shapes = modes.shape_derivatives(index, &derivatives).unwrap();
        let exact: Vec<Vec<f64>> = shapes.iter().map(|shape| parts(shape)).collect();
        compare(model, |rest| parts(&rest.linearized().modes().unwrap().all()[index].shape), &exact, 2e-8);
    }
}

#[test]
fn of_frequency_responses() {
    let model = loaded(LEVER);
    let linear = rest_at(model, 0, 3.0).linearized();
    let all: Vec<usize> = (0..8).collect();
    let derivatives = linear.derivatives_by(model.dual_equations(), &all).unwrap();
    let frequencies = [0.4, 2.5, 4.0, 30.0];
    for output in 0..4 {
        let found = linear.response_derivatives_of(&frequencies, (0, output), &derivatives).unwrap();
        let exact: Vec<Vec<f64>> = found.derivatives.iter().map(|values| parts(values)).collect();
        let result = |rest: &Equilibrium| {
            parts(&rest.linearized().frequency_responses(&frequencies, &[0], &[output]).unwrap()[0].values)
        };
        compare(model, result, &exact, 2e-9);
    }
}

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
