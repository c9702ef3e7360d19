//! Steps that are driven from outside: those of a run to the bit, with exact derivatives.

use costate::model::Dual;
use costate::simulate::{InputError, Problem, Scheme, SimulationError, State, StepError};
use costate::stepper::StepChange;
use costate::{Model, Parameter, Simulation, Stepper};
use costate_tests::duals::seeded;

costate::model! {
    /// Two masses on a rope over a pulley, one of them on a spring and driven: a mass that depends on the position, a
    /// constraint that depends on a parameter, and a parameter that does the same as the input.
    pub Hoist {
        parameters { m: kg = 2, growth: kg/m = 0.7, load: kg = 3, c: N/m = 400, c_3: N/m^3 = 3e4, d: N*s/m = 5,
        rope: m = 1.5, push: N = 0 }
        inputs { drive: N }
        coordinates { x: m, y: m }
        kinetic { (m + growth*x)/2*dot(x)^2 + load/2*dot(y)^2 }
        potential { c/2*x^2 + c_3/4*x^4 - load*9.81[m/s^2]*y }
        dissipation { d/2*dot(x)^2 }
        forces { x: drive + push }
        constraints { rope_length: x + y - rope }
        initial { x = 0.3[m] }
        outputs { position: m = x, tension: N = multiplier(rope_length) }
    }
}

const STEP: f64 = 2e-3;
const SCHEMES: [Scheme; 2] = [Scheme::GeneralizedAlpha { rho_inf: 0.8 }, Scheme::Hht { alpha: -0.1 }];

fn drive(t: f64) -> f64 {
    40.0 * (9.0 * t).sin()
}

fn simulation(model: &Hoist, scheme: Scheme) -> Simulation<Hoist> {
    Simulation::new(model).input(Hoist::DRIVE, drive).step(STEP).scheme(scheme)
}

fn stepper(scheme: Scheme) -> Stepper<Hoist> {
    costate::stepper::start(&simulation(&Hoist::default(), scheme)).unwrap()
}

fn go(stepper: &mut Stepper<Hoist>, steps: std::ops::RangeInclusive<usize>) {
    for i in steps {
        stepper.set_input(Hoist::DRIVE, drive(i as f64 * STEP));
        stepper.step().unwrap();
    }
}

fn stored(state: &State<Hoist, f64>) -> Vec<f64> {
    let parts: [&[f64]; 4] =
        [&state.coordinates[..], &state.velocities[..], &state.accelerations[..], &state.multipliers[..]];
    parts.concat()
}

fn problem(scheme: Scheme, steps: usize) -> Problem {
    simulation(&Hoist::default(), scheme).until(steps as f64 * STEP).problem().unwrap()
}

#[test]
fn steps_are_those_of_a_run() {
    for scheme in SCHEMES {
        let run = problem(scheme, 200).forward(&Hoist::default().parameters()).unwrap();
        let mut stepper = stepper(scheme);
        for i in 1..=200 {
            go(&mut stepper, i..=i);
            assert_eq!(stored(stepper.state()), run.stored(i), "{scheme:?} step {i}");
            assert_eq!(stepper.time(), run.time(i));
        }
        assert_eq!(stepper.output(Hoist::TENSION), run.outputs().row(200)[Hoist::TENSION.index()]);
        assert_eq!(stepper.statistics(), run.statistics());
    }
}

#[test]
fn what_was_saved_is_gone_through_again() {
    let mut stepper = stepper(SCHEMES[0]);
    go(&mut stepper, 1..=50);
    let saved = stepper.save();
    go(&mut stepper, 51..=90);
    let first = stored(stepper.state());
    stepper.set_parameter(Hoist::C, 300.0).unwrap();
    stepper.set_step(1e-3).unwrap();
    stepper.step().unwrap();
    stepper.restore(&saved).unwrap();
    assert_eq!(stepper.time(), 50.0 * STEP);
    go(&mut stepper, 51..=90);
    assert_eq!(stored(stepper.state()), first);
}

/// dx_i/dp and ds_i/dp of a run in dual numbers: what the first auxiliary acceleration was is forgotten by a half in
/// every step.
fn derivatives_of_run(scheme: Scheme, steps: usize, parameter: Parameter<Hoist>) -> Vec<Vec<f64>> {
    let parameters = seeded(&Hoist::default().parameters(), parameter.index());
    let run = costate::simulate::forward_in::<Hoist, Dual>(&problem(scheme, steps), &parameters).unwrap();
    let (new, before, own) = match scheme {
        Scheme::GeneralizedAlpha { rho_inf } => {
            let (alpha_m, alpha_f) = ((2.0 * rho_inf - 1.0) / (rho_inf + 1.0), rho_inf / (rho_inf + 1.0));
            ((1.0 - alpha_f) / (1.0 - alpha_m), alpha_f / (1.0 - alpha_m), -alpha_m / (1.0 - alpha_m))
        }
        _ => (1.0, 0.0, 0.0),
    };
    let mut s = [0.0; 2];
    let mut rows = Vec::new();
    for i in 0..=steps {
        let a = |i: usize| run.accelerations(i).iter().map(|a| a.derivative).collect::<Vec<_>>();
        if i > 0 {
            let (now, last) = (a(i), a(i - 1));
            s = [0, 1].map(|j| new * now[j] + before * last[j] + own * s[j]);
        }
        rows.push(run.stored(i).iter().map(|number| number.derivative).chain(s).collect());
    }
    rows
}

#[test]
fn derivatives_agree_with_dual_numbers() {
    for scheme in SCHEMES {
        let steps = 130;
        let mut stepper = stepper(scheme);
        go(&mut stepper, 1..=steps);
        let derivatives = stepper.derivatives().unwrap();
        for parameter in Parameter::<Hoist>::all() {
            let exact = derivatives_of_run(scheme, steps, parameter);
            let before = nalgebra::DVector::from_column_slice(&exact[steps - 1]);
            let found = &derivatives.state * &before + derivatives.parameters.column(parameter.index());
            for (row, (found, exact)) in found.iter().zip(&exact[steps]).enumerate() {
                let size = exact.abs().max(1e-3 * derivatives.state.row(row).component_mul(&before.transpose()).amax());
                assert!(
                    (found - exact).abs() <= 1e-10 * size,
                    "{scheme:?} {} row {row}: {found:e} {exact:e}",
                    parameter.name()
                );
            }
        }
        // the input acts as the parameter does, in the forces of both ends where the scheme has them
        let push = derivatives.parameters.column(Hoist::PUSH.index()).into_owned();
        let drive = derivatives.inputs.column(0) + derivatives.inputs_before.column(0);
        assert!((&push - drive).amax() <= 1e-14 * push.amax(), "{scheme:?}");
        assert_eq!(derivatives.inputs_before.amax() > 0.0, matches!(scheme, Scheme::Hht { .. }));
    }
}

#[test]
fn the_adjoint_is_the_transpose() {
    for scheme in SCHEMES {
        let mut stepper = stepper(scheme);
        go(&mut stepper, 1..=40);
        let derivatives = stepper.derivatives().unwrap();
        let numbers = derivatives.state.nrows();
        for row in 0..numbers {
            let unit: Vec<f64> = (0..numbers).map(|k| f64::from(k == row)).collect();
            let adjoint = stepper.adjoint(&unit).unwrap();
            for (found, matrix) in [
                (&adjoint.state, &derivatives.state),
                (&adjoint.inputs, &derivatives.inputs),
                (&adjoint.inputs_before, &derivatives.inputs_before),
                (&adjoint.parameters, &derivatives.parameters),
            ] {
                let scale = matrix.row(row).amax();
                for (column, found) in found.iter().enumerate() {
                    let expected = matrix[(row, column)];
                    let size = expected.abs().max(1e-4 * scale);
                    assert!(
                        (found - expected).abs() <= 1e-10 * size,
                        "{scheme:?} {row} {column}: {found:e} {expected:e}"
                    );
                }
            }
        }
    }
}

/// A direction whose entries are of the sizes of the quantities, and all different.
fn direction(length: usize, size: f64) -> Vec<f64> {
    (0..length).map(|k| size * (1.0 + k as f64).sin()).collect()
}

#[test]
fn tangents_are_products_with_the_derivatives() {
    for scheme in SCHEMES {
        let mut stepper = stepper(scheme);
        go(&mut stepper, 1..=40);
        let of = stepper.derivatives().unwrap();
        let (state, inputs) = (direction(of.state.ncols(), 0.1), direction(1, 2.0));
        let (inputs_before, parameters) = (direction(1, 3.0), direction(of.parameters.ncols(), 0.5));
        let change =
            StepChange { state: &state, inputs: &inputs, inputs_before: &inputs_before, parameters: &parameters };
        let found = stepper.tangent(change).unwrap();
        let parts = [
            (&of.state, &state),
            (&of.inputs, &inputs),
            (&of.inputs_before, &inputs_before),
            (&of.parameters, &parameters),
        ];
        for (row, found) in found.iter().enumerate() {
            let terms = parts.iter().flat_map(|(matrix, by)| by.iter().enumerate().map(|(k, x)| matrix[(row, k)] * x));
            let (expected, size) = terms.fold((0.0, 0.0), |(sum, size), term: f64| (sum + term, size + term.abs()));
            assert!((found - expected).abs() <= 1e-13 * size, "{scheme:?} {row}: {found:e} {expected:e}");
        }
        // w^T (D x) = (D^T w)^T x for the outputs as well
        let weights = [0.7, -0.2];
        let outputs = stepper.output_tangent(change).unwrap();
        let by = stepper.output_adjoint(&weights).unwrap();
        let pairs = [(&by.state, &state), (&by.inputs, &inputs), (&by.parameters, &parameters)];
        let product: f64 = pairs.iter().flat_map(|(by, x)| by.iter().zip(*x)).map(|(by, x)| by * x).sum();
        let expected: f64 = outputs.iter().zip(weights).map(|(value, weight)| value * weight).sum();
        assert!((product - expected).abs() <= 1e-13 * expected.abs().max(1.0), "{product:e} {expected:e}");
        assert!((by.state[0] - weights[0]).abs() < 1e-15, "the position is an output");
        assert!(stepper.tangent(StepChange { inputs: &[], ..change }).is_err());
        assert!(stepper.output_adjoint(&[1.0]).is_err());
    }
}

/// Steps of changing length are of second order.
#[test]
fn the_length_of_steps_may_change() {
    let end = |refinement: usize| {
        let simulation = simulation(&Hoist::default(), SCHEMES[0]).step(4e-3 / refinement as f64);
        let mut stepper = costate::stepper::start(&simulation).unwrap();
        for block in 0..60 {
            let factor = [1.0, 0.5, 2.0, 0.25][block % 4];
            stepper.set_step(4e-3 / refinement as f64 * factor).unwrap();
            for _ in 0..(refinement as f64 * 4.0 / factor) as usize {
                stepper.set_input(Hoist::DRIVE, drive(stepper.time() + 4e-3 / refinement as f64 * factor));
                stepper.step().unwrap();
            }
        }
        let state = stepper.state();
        [state.coordinates[0], state.accelerations[0], state.multipliers[0]]
    };
    let runs = [end(1), end(2), end(4), end(32)];
    let part = |pick: usize| runs.map(|run| run[pick]);
    for [coarse, middle, fine, exact] in [part(0), part(1), part(2)] {
        let errors = [coarse, middle, fine].map(|found| (found - exact).abs());
        let orders = [errors[0] / errors[1], errors[1] / errors[2]].map(f64::log2);
        assert!(orders[1] > 1.85 && orders[0] > 1.7, "{errors:?} {orders:?}");
    }
}

#[test]
fn a_parameter_acts_from_then_on() {
    let mut stepper = stepper(SCHEMES[0]);
    stepper.set_parameter(Hoist::C, 500.0).unwrap();
    assert!((stepper.parameters()[Hoist::C.index()] - 500.0).abs() < 1e-12);
    // a longer rope is taken up in one step
    stepper.set_parameter(Hoist::ROPE, 1.501).unwrap();
    let state = stepper.step().unwrap();
    assert!((state.coordinates[0] + state.coordinates[1] - 1.501).abs() < 1e-12);
}

#[test]
fn what_cannot_be_is_refused_and_changes_nothing() {
    let mut stepper = stepper(SCHEMES[0]);
    assert_eq!(stepper.derivatives().unwrap_err(), StepError::NoStep);
    go(&mut stepper, 1..=20);
    let before = stored(stepper.state());
    stepper.set_input(Hoist::DRIVE, f64::NAN);
    let error = stepper.step().unwrap_err();
    assert!(matches!(error, SimulationError::Input(InputError::NotFinite { name: "drive", .. })), "{error}");
    assert_eq!(stored(stepper.state()), before);
    assert!(stepper.set_parameter(Hoist::C, f64::INFINITY).is_err());
    assert!(stepper.set_step(-1.0).is_err());
    let error = stepper.adjoint(&[1.0]).unwrap_err().to_string();
    assert!(error.contains("1 numbers, the state has"), "{error}");
    let mut state = stepper.state().clone();
    state.velocities[1] = f64::NAN;
    assert!(
        stepper.set_state(&state).unwrap_err().to_string().starts_with("the velocity of `y` in the given state is NaN")
    );
    // masses of a sign that no motion has, until the step is given up
    stepper.set_input(Hoist::DRIVE, 1e300);
    let error = stepper.step().unwrap_err();
    assert!(matches!(error, SimulationError::Step(_)), "{error}");
    assert_eq!(stored(stepper.state()), before);
    stepper.set_input(Hoist::DRIVE, 0.0);
    stepper.step().unwrap();
}
