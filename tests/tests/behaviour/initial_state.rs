//! Consistent initial states and their derivatives.

use costate::model::{Dual, Scalar, Vector};
use costate::simulate::{InitialStateError, Problem, SimulationError, Unknown};
use costate::{Model, Parameter, Simulation};
use costate_tests::duals::seeded;

use crate::loaded;

costate::model! {
    #[interpreted]
    /// Something of everything: a pendulum (x, y) with its length as a parameter, a Maxwell node z without mass and
    /// constraint on it, and two open coordinates s, r on a curve, which the projection completes.
    pub Mixed {
        parameters {
            m: kg = 0.7, l: m = 0.9, g: m/s^2 = 9.81, d: N*s/m = 2.0, c: N/m = 30.0, b: 1/m = 0.8, w: m/s = 0.5,
            k: N/m = 4.0,
        }
        inputs { drive: N }
        coordinates { x: m, y: m, z: m, s: m, r: m }
        mass { x: m, y: m, s: 2*m*(1 + b^2*r^2), r: m }
        forces {
            x: drive - d*(dot(x) - dot(z)),
            y: -m*g,
            z: d*(dot(x) - dot(z)) - c*z - 0.1[N*s^3/m^3]*dot(z)^3,
            s: -k*s - m*b*dot(s)*dot(r),
        }
        constraints {
            rod: x^2 + y^2 - l^2,
            curve: s + b*s^2 + r - b*s*r - x + 0.1[m/s]*t,
        }
        initial { x = 0.6*l, y = -0.8*l, z = 0.05*l, dot(x) = w }
    }
}

fn mixed() -> (Mixed, Problem) {
    let model = Mixed::default();
    let problem = Simulation::new(&model).input(Mixed::DRIVE, 1.5).step(1e-3).until(1.0).problem().unwrap();
    (model, problem)
}

#[test]
fn what_is_left_open_is_completed() {
    let (model, problem) = mixed();
    let state = costate::simulate::initial_state_in::<Mixed, f64>(&problem, &model.parameters()).unwrap();
    let (v, a, lambda) = (state.velocities, state.accelerations, state.multipliers);
    let [x, y, z, s, r] = state.coordinates[..] else { panic!("five coordinates") };
    let Mixed { m, l, d, c, b, w, k, g } = model;
    assert_eq!([x, y, z], [0.6 * l, -0.8 * l, 0.05 * l]);
    assert!((s + b * s * s + r - b * s * r - x).abs() < 1e-15);
    // the closest point: (s, r) is parallel to the gradient of the curve
    assert!((s * (1.0 - b * s) - r * (1.0 + 2.0 * b * s - b * r)).abs() < 1e-14);
    // velocities: specified, tangent, of least norm, balanced
    assert_eq!(v[0], w);
    assert!((x * v[0] + y * v[1]).abs() < 1e-15);
    let (c_s, c_r) = (1.0 + 2.0 * b * s - b * r, 1.0 - b * s);
    assert!((c_s * v[3] + c_r * v[4] - v[0] + 0.1).abs() < 1e-15);
    assert!((v[3] * c_r - v[4] * c_s).abs() < 1e-15);
    assert!((d * (v[0] - v[2]) - c * z - 0.1 * v[2].powi(3)).abs() < 1e-14);
    // accelerations
    assert_eq!(a[2], 0.0);
    assert!((m * a[0] + 2.0 * x * lambda[0] - lambda[1] - 1.5 + d * (v[0] - v[2])).abs() < 1e-13);
    assert!((m * a[1] + 2.0 * y * lambda[0] + m * g).abs() < 1e-13);
    let inertia = 2.0 * m * (1.0 + b * b * r * r);
    assert!((inertia * a[3] + c_s * lambda[1] + k * s + m * b * v[3] * v[4]).abs() < 1e-13);
    let rod = 2.0 * (x * a[0] + y * a[1] + v[0] * v[0] + v[1] * v[1]);
    assert!(rod.abs() < 1e-13, "{rod:e}");
}

#[test]
fn derivatives_by_the_implicit_function_theorem_and_by_duals_agree() {
    let (model, problem) = mixed();
    let parameters = model.parameters();
    let mut unknown: Vec<_> = Parameter::<Mixed>::all().collect();
    unknown.reverse();
    let matrix = problem.initial_derivatives(&parameters, &unknown).unwrap();
    assert_eq!(matrix.shape(), (17, 8));
    for (column, seed) in unknown.iter().map(|parameter| parameter.index()).enumerate() {
        let dual = seeded(&parameters, seed);
        let state = costate::simulate::initial_state_in::<Mixed, Dual>(&problem, &dual).unwrap();
        let all = [&state.coordinates[..], &state.velocities[..], &state.accelerations[..], &state.multipliers[..]];
        let scale = 1.0 + matrix.column(column).amax();
        for (row, dual) in all.concat().iter().enumerate() {
            let difference = (dual.derivative - matrix[(row, column)]).abs();
            assert!(difference < 1e-13 * scale, "row {row}, parameter {seed}: {difference:e}");
        }
    }
}

#[test]
fn derivatives_against_differences() {
    let (model, problem) = mixed();
    let parameters = model.parameters();
    let unknown: Vec<_> = Parameter::<Mixed>::all().collect();
    let matrix = problem.initial_derivatives(&parameters, &unknown).unwrap();
    for seed in unknown.into_iter().map(Parameter::index) {
        let width = 1e-3 * parameters[seed];
        let at = |factor: f64| {
            let mut shifted = parameters;
            shifted[seed] += factor * width;
            let state = costate::simulate::initial_state_in::<Mixed, f64>(&problem, &shifted).unwrap();
            [&state.coordinates[..], &state.velocities[..], &state.accelerations[..], &state.multipliers[..]].concat()
        };
        let (a, b, c, d) = (at(-2.0), at(-1.0), at(1.0), at(2.0));
        for row in 0..17 {
            let difference = (a[row] - 8.0 * b[row] + 8.0 * c[row] - d[row]) / (12.0 * width);
            let scale = 1.0 + matrix.column(seed).amax();
            assert!((difference - matrix[(row, seed)]).abs() < 1e-9 * scale, "row {row}, parameter {seed}");
        }
    }
}

/// Returns the error of the initial state of a model without inputs.
fn failure(model: &str) -> InitialStateError {
    match loaded(model).simulation().unwrap().step(1e-3).until(1.0).run().unwrap_err() {
        SimulationError::InitialState(error) => error,
        error => panic!("{error:?}"),
    }
}

#[test]
fn errors_name_coordinates_and_constraints() {
    // a point on a rod of 1 m
    let rod = |initial: &str| {
        failure(&format!(
            "Point {{
                parameters {{ m: kg = 1.0 }}
                coordinates {{ x: m, y: m }}
                mass {{ x: m, y: m }}
                constraints {{ rod: x^2 + y^2 - 1.0[m^2] }}
                initial {{ {initial} }}
            }}"
        ))
    };
    let off_the_rod = rod("x = 0.6[m], y = -0.7[m]");
    assert!(matches!(off_the_rod, InitialStateError::Positions { constraint: "rod", value, .. }
        if (value + 0.15).abs() < 1e-12));
    let along_the_rod = rod("x = 0.6[m], y = -0.8[m], dot(x) = 1.0[m/s], dot(y) = 1.0[m/s]");
    assert!(matches!(along_the_rod, InitialStateError::Velocities { constraint: "rod", value, .. }
        if (value + 0.4).abs() < 1e-12));
    // a constraint that is given twice, unless the parameters make the second one a different one
    let twice = failure(
        "Twice {
            parameters { m: kg = 1.0, a: 1 = 2, b: 1 = 2 }
            coordinates { x: m, y: m, z: m }
            mass { x: m, y: m, z: m }
            constraints { first: x - y, other: z, second: a*y - b*x }
        }",
    );
    assert_eq!(twice, InitialStateError::RedundantConstraints { names: vec!["first", "second"] });
    // neither mass nor constraint nor damping
    let loose = failure(
        "Loose {
            parameters { m: kg = 1.0, c: N/m = 1.0 }
            coordinates { x: m, z: m }
            mass { x: m }
            forces { x: -c*(x - z), z: c*(x - z) }
        }",
    );
    assert_eq!(loose, InitialStateError::NoDamping { coordinates: vec![Unknown::Coordinate("z")] });
    // a Maxwell node with a velocity of its own
    let wrong_node = failure(
        "WrongNode {
            parameters { m: kg = 1.0, c: N/m = 1.0, d: N*s/m = 2.0 }
            coordinates { x: m, z: m }
            mass { x: m }
            forces { x: -c*(x - z), z: c*(x - z) - d*dot(z) }
            initial { x = 1.0[m], dot(z) = 0.25[m/s] }
        }",
    );
    let expected = InitialStateError::FreeVelocity { coordinate: "z", specified: 0.25, computed: 0.5 };
    assert_eq!(wrong_node, expected);
    let root_of_a_negative_number = failure(
        "Imaginary {
            parameters { m: kg = 1.0, c: N = 1.0 }
            coordinates { x: m, y: m }
            mass { x: m, y: m }
            forces { y: c*sqrt(x/1.0[m] - 1) }
        }",
    );
    assert!(matches!(
        root_of_a_negative_number,
        InitialStateError::NotFinite { equation: Unknown::Coordinate("y"), level: "accelerations", .. }
    ));
}

costate::model! {
    #[interpreted]
    /// A rod whose length is a parameter, from a position that is not.
    pub Fixed {
        parameters { m: kg = 1.0, l: m = 1.0 }
        coordinates { x: m, y: m }
        mass { x: m, y: m }
        constraints { rod: x^2 + y^2 - l^2 }
        initial { x = 0.6[m], y = -0.8[m] }
    }
}

#[test]
fn positions_that_cannot_follow_a_parameter_are_refused() {
    let model = Fixed::default();
    let problem = Simulation::new(&model).step(1e-3).until(1.0).problem().unwrap();
    assert!(problem.initial_derivatives(&model.parameters(), &[Fixed::M]).is_ok());
    let error = problem.initial_derivatives(&model.parameters(), &[Fixed::L]).unwrap_err();
    assert!(
        matches!(error, SimulationError::InitialState(InitialStateError::Derivative { constraint: "rod", .. })),
        "{error:?}"
    );
    assert!(error.to_string().contains("`l`"), "{error}");
    let dual = [Dual::constant(1.0), Dual::variable(1.0)];
    let error = costate::simulate::initial_state_in::<Fixed, Dual>(&problem, &dual).map(|_| ()).unwrap_err();
    assert!(
        matches!(error, SimulationError::InitialState(InitialStateError::Derivative { constraint: "rod", .. })),
        "{error:?}"
    );
}

#[test]
fn nothing_moves_where_constraints_hold() {
    let model = Still::default();
    let problem = Simulation::new(&model).step(1e-3).until(1.0).problem().unwrap();
    let state = costate::simulate::initial_state_in::<Still, f64>(&problem, &model.parameters()).unwrap();
    assert_eq!(state.coordinates, [0.0, -0.5, 0.0]);
    assert_eq!(<[f64; 3] as Vector<f64>>::LENGTH, Some(3));
}

costate::model! {
    #[interpreted]
    /// One rod of a chain: with y specified, zero is consistent for the others.
    pub Still {
        parameters { m: kg = 1.0, l: m = 1.0, j: kg*m^2 = 0.1 }
        coordinates { x: m, y: m, phi: rad }
        mass { x: m, y: m, phi: j }
        constraints { pin_x: x - l/2*sin(phi), pin_y: y + l/2*cos(phi) }
        initial { y = -l/2 }
    }
}

costate::model! {
    #[interpreted]
    /// A chain between two fixed points. From what its angles are near to, Newton's method goes to where it is
    /// stretched.
    pub Closed(n: usize = 8) {
        parameters { m: kg = 1, l: m = 0.5, span: m = 1.1 }
        coordinates { phi[1..=n]: rad }
        mass { for i in 1..=n { phi[i]: m*l^2/12 } }
        constraints { right: sum(k in 1..=n, l*cos(phi[k])) - span, up: sum(k in 1..=n, l*sin(phi[k])) }
        initial { phi[1] ~ -1.4, phi[2] ~ -0.6, for i in 3..=n { phi[i] ~ 0.9 } }
    }
}

/// Checks that a chain is closed at the positions nearest to the given ones.
#[test]
fn a_chain_is_closed_from_far_away() {
    let model = Closed::default();
    let problem = Simulation::new(&model).step(1e-3).until(1.0).problem().unwrap();
    let parameters = model.parameters();
    let phi = costate::simulate::initial_state_in::<Closed, f64>(&problem, &parameters).unwrap().coordinates;
    let near = |i: usize| [-1.4, -0.6].get(i).copied().unwrap_or(0.9);
    let away = |i: usize| phi[i] - near(i);
    assert!((phi.iter().map(|phi| 0.5 * phi.cos()).sum::<f64>() - 1.1).abs() < 1e-14);
    assert!(phi.iter().map(|phi| 0.5 * phi.sin()).sum::<f64>().abs() < 1e-14);
    let distance = (0..8).map(|i| away(i).powi(2)).sum::<f64>().sqrt();
    assert!((distance - 2.758_825_6).abs() < 1e-6, "{distance}: {phi:?}");
    // on the shortest way phi - near is a combination of both gradients
    let determinant = |i: usize, j: usize| (phi[i] - phi[j]).sin();
    for i in 2..8 {
        let scale = determinant(0, 1);
        let combined = (away(0) * determinant(i, 1) + away(1) * determinant(0, i)) / scale;
        assert!((away(i) - combined).abs() < 1e-12, "{i}: {phi:?}");
    }
    let unknown = [Closed::L, Closed::SPAN];
    let derivatives = problem.initial_derivatives(&parameters, &unknown).unwrap();
    for (column, parameter) in unknown.into_iter().enumerate() {
        let dual = seeded(&parameters, parameter.index());
        let state = costate::simulate::initial_state_in::<Closed, Dual>(&problem, &dual).unwrap();
        for i in 0..8 {
            let (dual, implicit) = (state.coordinates[i].component(1), derivatives[(i, column)]);
            assert!((dual - implicit).abs() < 1e-9 * implicit.abs().max(1.0), "{dual} {implicit}");
        }
    }
}

#[test]
fn what_can_be_closed_on_either_side_alike_is_not_closed() {
    // nothing determines to which side the chain is to bend
    let straight = failure(
        "Straight {
            parameters { m: kg = 1, l: m = 0.5, span: m = 1.1 }
            coordinates { phi[1..=3]: rad }
            mass { for i in 1..=3 { phi[i]: m*l^2/12 } }
            constraints { right: sum(k in 1..=3, l*cos(phi[k])) - span, up: sum(k in 1..=3, l*sin(phi[k])) }
        }",
    );
    assert!(matches!(straight, InitialStateError::Positions { .. }));
}
