//! The symbolic equations against the literature.

use super::{Matrix, StepFunctions, StepMatrices, positive};
use crate::Compiled;
use crate::symbolic::{Given, Integrator, Symbol};

const OSCILLATOR: &str = "Oscillator {
    parameters { m: kg = 2, c: N/m = 30, d: N*s/m = 0.7 }
    coordinates { q: m }
    mass { q: m }
    forces { q: -c*q - d*dot(q) }
}";

fn compile(source: &str) -> Compiled {
    crate::compile_str(source).expect("a valid model")
}

fn printed(compiled: &Compiled, matrix: &Matrix) -> Vec<Vec<String>> {
    let print = |row: &Vec<_>| row.iter().map(|&id| compiled.graph.print(id, &compiled.model)).collect();
    matrix.iter().map(print).collect()
}

/// The symbols at the step size 0.1 and alpha = -0.2, with m, c, d as p.
fn at(p: [f64; 3]) -> impl Fn(Symbol) -> f64 {
    let (h, alpha) = (0.1, -0.2);
    move |symbol| match symbol {
        Symbol::Parameter(i) => p[i],
        Symbol::Integrator(Integrator::Accelerations) => 1.0 / (1.0 + alpha),
        Symbol::Integrator(Integrator::Coordinates) => (1.0 - alpha) * (1.0 - alpha) / 4.0 * h * h,
        Symbol::Integrator(Integrator::Velocities) => (1.0 - 2.0 * alpha) / 2.0 * h,
        Symbol::Integrator(Integrator::Step) => h,
        Symbol::Integrator(Integrator::Previous) => alpha / (1.0 + alpha),
        _ => f64::NAN,
    }
}

#[test]
fn step_matrices_of_the_oscillator_are_those_of_da_4() {
    let mut compiled = compile(OSCILLATOR);
    let matrices = StepMatrices::new(&compiled.model, &mut compiled.graph, &compiled.equations);
    // A, with w_a = 1/(1 + alpha), w_q = beta h^2, w_v = gamma h.
    assert_eq!(
        printed(&compiled, &matrices.wrt_state),
        [["1", "0", "-w_q"], ["0", "1", "-w_v"], ["0", "0", "w_a*m + w_q*c + w_v*d"]]
    );
    // B = the part at t_{i+1} + the part at t_i; 1 - alpha/(1 + alpha) = 1/(1 + alpha) gives the printed form.
    assert_eq!(
        printed(&compiled, &matrices.wrt_previous_state_new),
        [["-1", "-h", "w_q - 0.5*h^2"], ["0", "-1", "w_v - h"], ["c", "h*c + d", "(0.5*h^2 - w_q)*c + (h - w_v)*d"]]
    );
    assert_eq!(
        printed(&compiled, &matrices.wrt_previous_state_old),
        [["0", "0", "0"], ["0", "0", "0"], ["-(w_previous*c)", "-(w_previous*d)", "0"]]
    );
}

#[test]
fn the_sum_of_both_parts_is_the_printed_matrix_b() {
    let mut compiled = compile(OSCILLATOR);
    let matrices = StepMatrices::new(&compiled.model, &mut compiled.graph, &compiled.equations);
    let (m, c, d) = (2.0, 30.0, 0.7);
    let (h, alpha) = (0.1, -0.2);
    let (beta, gamma) = ((1.0 - alpha) * (1.0 - alpha) / 4.0, (1.0 - 2.0 * alpha) / 2.0);
    let a = [
        [1.0, 0.0, -h * h * beta],
        [0.0, 1.0, -h * gamma],
        [0.0, 0.0, m / (1.0 + alpha) + c * beta * h * h + d * gamma * h],
    ];
    let b = [
        [-1.0, -h, -h * h / 2.0 * (1.0 - 2.0 * beta)],
        [0.0, -1.0, -h * (1.0 - gamma)],
        [c / (1.0 + alpha), h * c + d / (1.0 + alpha), c * h * h / 2.0 * (1.0 - 2.0 * beta) + d * h * (1.0 - gamma)],
    ];
    let evaluate = |matrix: &Matrix| -> Vec<Vec<f64>> {
        matrix.iter().map(|row| compiled.graph.evaluate(row, at([m, c, d]))).collect()
    };
    let (found_a, new, old) = (
        evaluate(&matrices.wrt_state),
        evaluate(&matrices.wrt_previous_state_new),
        evaluate(&matrices.wrt_previous_state_old),
    );
    for i in 0..3 {
        for j in 0..3 {
            assert!((found_a[i][j] - a[i][j]).abs() < 1e-14, "A({i}, {j})");
            assert!((new[i][j] + old[i][j] - b[i][j]).abs() < 1e-14, "B({i}, {j})");
        }
    }
}

#[test]
fn constraints_enter_the_step_as_in_da_16_and_19() {
    let mut compiled = compile(
        "Pendulum {
            parameters { m: kg = 1, l: m = 1 }
            coordinates { x: m, y: m }
            mass { x: m, y: m }
            forces { y: -9.81[m/s^2]*m }
            constraints { rod: x^2 + y^2 - l^2 }
        }",
    );
    let matrices = StepMatrices::new(&compiled.model, &mut compiled.graph, &compiled.equations);
    let state = printed(&compiled, &matrices.wrt_state);
    assert_eq!(state[4][4], "w_a*m + w_q*(2*multiplier(rod))");
    assert_eq!([&state[6][4], &state[6][5], &state[4][6]], ["2*x", "2*y", "2*x"]);
    let new = printed(&compiled, &matrices.wrt_previous_state_new);
    assert_eq!(new[6][0], "1/w_q*(2*x)");
    assert_eq!(new[6][2], "h/w_q*(2*x)");
    assert_eq!(new[6][4], "(0.5*h^2 - w_q)/w_q*(2*x)");
    let old = printed(&compiled, &matrices.wrt_previous_state_old);
    assert_eq!(old[6], ["0"; 7]);
    assert_eq!(old[4][6], "-(w_previous*(2*x))");
}

#[test]
fn acceleration_level_of_a_rheonomic_constraint() {
    let compiled =
        compile("Driven { coordinates { x: m } mass { x: 1 } constraints { drive: x*x - 1[m^2]*sin(2[rad/s]*t) } }");
    let print = |id| compiled.graph.print(id, &compiled.model);
    assert_eq!(print(compiled.equations.constraint_velocity[0]), "-2*cos(2*t) + 2*x*dot(x)");
    let acceleration = compiled.equations.constraint_acceleration[0];
    let value = compiled.graph.evaluate(&[acceleration], |symbol| match symbol {
        Symbol::Time => 0.3,
        Symbol::Coordinate(_) => 1.1,
        Symbol::Velocity(_) => 0.7,
        _ => -0.4,
    })[0];
    let exact = 2.0 * 0.7 * 0.7 + 2.0 * 1.1 * -0.4 + 4.0 * (0.6f64).sin();
    assert!((value - exact).abs() < 1e-14);
}

const DOUBLE_PENDULUM: &str = "DoublePendulum {
    parameters { m: kg = 2, l: m = 0.5, g: m/s^2 = 9.81, d: N*m*s = 0.1 }
    coordinates { x[1..=2]: m, y[1..=2]: m, phi[1..=2]: rad }
    mass { for i in 1..=2 { x[i]: m, y[i]: m, phi[i]: m*l^2/3 } }
    forces {
        for i in 1..=2 { y[i]: -m*g }
        phi[1]: -d*dot(phi[1]) - d*(dot(phi[1]) - dot(phi[2])),
        phi[2]: -d*(dot(phi[2]) - dot(phi[1])),
    }
    constraints {
        across_1: x[1] - l*cos(phi[1]), up_1: y[1] - l*sin(phi[1]),
        across_2: x[2] - x[1] - l*cos(phi[1]) - l*cos(phi[2]), up_2: y[2] - y[1] - l*sin(phi[1]) - l*sin(phi[2]),
    }
    initial { phi[1] = 0.1, phi[2] = 0.2 }
    outputs { angle: rad = phi[2] }
}";

/// The functions of a step as they are emitted.
fn step_functions(compiled: &mut Compiled) -> StepFunctions {
    let elimination = compiled.elimination.clone().expect("emitted factors");
    let functions = StepFunctions::new(&compiled.model, &mut compiled.graph, &compiled.equations, &elimination);
    functions.lowered(&mut compiled.graph)
}

#[test]
fn the_adjoint_is_cut_between_what_depends_on_states_and_what_goes_from_step_to_step() {
    let mut compiled = compile(DOUBLE_PENDULUM);
    let parts = step_functions(&mut compiled).adjoint_parts.expect("two parts");
    let graph = &compiled.graph;
    for &id in parts.factors.iter().chain(&parts.coefficients) {
        let known = |symbol: &Symbol| matches!(symbol, Symbol::Given(given, _) if *given != Given::OutputGradient);
        assert!(!graph.symbols(id).iter().any(known), "{:?}", graph.symbols(id));
        assert!(!graph.is_run_constant(id), "constants of the run need no coefficient");
    }
    let recurrence = parts.recurrence.variables.iter().chain(&parts.recurrence.gradient);
    for &id in recurrence {
        let of_states = |symbol: &Symbol| {
            let given = matches!(symbol, Symbol::Given(given, _) if *given != Given::OutputGradient);
            !given && !matches!(symbol, Symbol::Parameter(_) | Symbol::Integrator(_))
        };
        assert!(!graph.symbols(id).iter().any(of_states), "{:?}", graph.symbols(id));
    }
    assert_eq!(parts.of_parameters.last(), Some(&parts.coefficients.len()));
}

#[test]
fn little_work_is_not_cut() {
    assert!(step_functions(&mut compile(OSCILLATOR)).adjoint_parts.is_none());
}

/// The names of the parameters of which something is so.
fn named(compiled: &Compiled, are_so: Vec<bool>) -> Vec<String> {
    let parameters = compiled.model.parameters.iter().zip(are_so);
    parameters.filter(|(_, is_so)| *is_so).map(|(parameter, _)| parameter.name.clone()).collect()
}

#[test]
fn masses_and_moments_of_inertia_are_positive() {
    let compiled = compile(
        "Arm {
            parameters { m: kg = 1, l: m = 0.3, armature: g*m^2 = 20, tip: kg = 0.1, unit: N*s/m = 2, added: kg = 1 }
            coordinates { phi: rad, x: m }
            mass { phi: m*l^2 + armature, x: 2*tip }
            forces { phi: added*l*1[m/s^2], x: -unit*dot(x) }
        }",
    );
    assert_eq!(named(&compiled, positive(&compiled.model, &compiled.graph)), ["m", "armature", "tip"]);
    let compiled = compile(
        "Disc {
            parameters { m: kg = 1, j: kg*m^2 = 0.3, r: m = 0.1 }
            bodies { disc: planar { mass: m, inertia: j, center: (r, 0) } }
        }",
    );
    assert_eq!(named(&compiled, positive(&compiled.model, &compiled.graph)), ["m", "j"]);
}
