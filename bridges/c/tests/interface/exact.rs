//! Numbers through C are those of Rust, to the bit.

use std::path::Path;
use std::thread;

use costate::command::{Arguments, ModelFile};
use costate::cost::{Cost, LeastSquares, Quadrature};
use costate::interpreted::LoadedModel;
use costate::simulate::{Sampled, Scheme};
use costate_c::cost::*;
use costate_c::memory::{In, Out};
use costate_c::run::*;
use costate_c::simulation::*;
use costate_c::stepper::*;

use super::calls::{HOIST, MOUNT, last_error, made, model, numbers, ok, simulation};

const STEP: f64 = 1e-3;
const STEPS: usize = 200;

fn drive(t: f64) -> f64 {
    40.0 * (9.0 * t).sin()
}

fn push(t: f64) -> f64 {
    5.0 - 30.0 * t
}

fn in_rust() -> (LoadedModel, costate::Simulation) {
    let file = ModelFile::from_text(Path::new("hoist.model"), HOIST.to_owned()).unwrap();
    let model = LoadedModel::of_file(&file, None, &Arguments::new()).unwrap();
    let times: Vec<f64> = (0..=STEPS).map(|i| i as f64 * STEP).collect();
    let sampled = |of: fn(f64) -> f64| Sampled::new(times.clone(), times.iter().map(|t| of(*t)).collect()).unwrap();
    let simulation = model.simulation().unwrap().scheme(Scheme::Hht { alpha: -0.1 }).step(STEP);
    let simulation = simulation.until(STEPS as f64 * STEP).input(model.input("drive").unwrap(), sampled(drive));
    (model, simulation.input(model.input("push").unwrap(), sampled(push)))
}

fn hoist() -> *mut std::ffi::c_void {
    let simulation = simulation(model(HOIST), STEP, STEPS, &[drive, push]);
    ok(unsafe { costate_simulation_set_scheme(simulation, 1, -0.1, 2) });
    simulation
}

fn bits(numbers: &[f64]) -> Vec<u64> {
    numbers.iter().map(|number| number.to_bits()).collect()
}

#[test]
fn runs_costs_and_steps_are_those_of_rust() {
    let (own, of_rust) = in_rust();
    let expected = of_rust.run().unwrap();
    let simulation = hoist();
    let run = made(unsafe { costate_simulation_run(simulation) });
    let samples = usize::try_from(unsafe { costate_run_samples(run) }).unwrap();
    assert_eq!(samples, STEPS + 1);
    assert_eq!(unsafe { costate_run_steps(run) } as usize, STEPS);
    let times = numbers(samples, |to, count| unsafe { costate_run_times(run, to, count) });
    assert_eq!(bits(&times), bits(&expected.times()));
    for k in 0..3 {
        let output = numbers(samples, |to, count| unsafe { costate_run_output(run, k, to, count) });
        let same: Vec<f64> = expected.outputs().channel(k).unwrap().collect();
        assert_eq!(bits(&output), bits(&same));
    }
    let end = numbers(7, |to, count| unsafe { costate_run_state(run, STEPS, to, count) });
    assert_eq!(bits(&end), bits(expected.trajectory().stored(STEPS)));
    let (mut relative, mut order) = ([0.0], [0.0]);
    let accuracy = expected.accuracy().unwrap();
    ok(unsafe { costate_run_accuracy(run, 1e-4, Out::of(&mut relative), Out::of(&mut order), Out::null()) });
    assert_eq!((relative[0].to_bits(), order[0] as u32), (accuracy.relative().to_bits(), accuracy.order));

    let stepper = made(unsafe { costate_stepper_new(simulation) });
    let mut outputs = [0.0; 3];
    for i in 1..=STEPS {
        // the samples of the inputs are at the steps
        let row = of_rust.problem().unwrap().inputs().row(i).to_vec();
        ok(unsafe { costate_stepper_advance(stepper, In::of(&row), 2, Out::of(&mut outputs), 3) });
        assert_eq!(bits(&outputs), bits(expected.outputs().row(i)), "step {i}");
    }
    let state = numbers(7, |to, count| unsafe { costate_stepper_state(stepper, to, count) });
    assert_eq!(bits(&state), bits(&end));
    assert_eq!(unsafe { costate_stepper_time(stepper) }, expected.trajectory().time(STEPS));

    let measured = vec![0.4; samples];
    let problem = of_rust.problem().unwrap();
    let cost = LeastSquares::new(STEP, samples, Quadrature::Trapezoid);
    let cost = cost.with_channel(own.output("position").unwrap(), &times, &measured, 2.0).unwrap();
    let all: Vec<usize> = (0..7).collect();
    let values: Vec<f64> = own.defaults().iter().map(|value| value.unwrap()).collect();
    let mut of_gradient = own.system().run(&problem, &values).unwrap();
    let by = cost.output_gradient(of_gradient.outputs());
    let gradient = own.system().gradients(&problem, (&mut of_gradient).into(), &[&by], &all).unwrap().remove(0);

    let through = made(unsafe { costate_cost_new(simulation, 1) });
    ok(unsafe { costate_cost_measure(through, 0, In::of(&times), In::of(&measured), samples, 2.0) });
    let mut value = [0.0];
    let found = numbers(7, |to, count| unsafe {
        costate_cost_evaluate(through, In::of(&values), 7, Out::of(&mut value), to, count)
    });
    assert_eq!(value[0].to_bits(), cost.value(expected.outputs()).to_bits());
    assert_eq!(bits(&found), bits(&gradient));

    // J = 1/2 r^T r, and its gradient is that of the residuals
    let rows = usize::try_from(unsafe { costate_cost_residual_count(through) }).unwrap();
    let residuals =
        numbers(rows, |to, count| unsafe { costate_cost_residuals(through, In::of(&values), 7, to, count) });
    let jacobian =
        numbers(7 * rows, |to, _| unsafe { costate_cost_jacobian(through, In::of(&values), 7, to, rows, 7) });
    let half: f64 = residuals.iter().map(|r| 0.5 * r * r).sum();
    assert!((half - value[0]).abs() < 1e-12 * value[0]);
    for (column, gradient) in gradient.iter().enumerate() {
        let terms: Vec<f64> = residuals.iter().zip(jacobian.chunks(7)).map(|(r, row)| r * row[column]).collect();
        let (sum, size) = (terms.iter().sum::<f64>(), terms.iter().map(|term| term.abs()).sum::<f64>());
        assert!((sum - gradient).abs() <= 1e-9 * size, "{column}: {sum:e} {gradient:e}");
    }
}

#[test]
fn outputs_between_samples_are_interpolated() {
    let run = made(unsafe { costate_simulation_run(hoist()) });
    let at = [0.0, 0.5 * STEP, 17.25 * STEP, STEPS as f64 * STEP];
    let found = numbers(4, |to, count| unsafe { costate_run_output_at(run, 0, In::of(&at), to, count) });
    let all = numbers(STEPS + 1, |to, count| unsafe { costate_run_output(run, 0, to, count) });
    assert_eq!((found[0], found[3]), (all[0], all[STEPS]));
    // a line, and the bend of the acceleration between both samples
    for (found, sample, part) in [(found[1], 0, 0.5), (found[2], 17, 0.25)] {
        let of = |sample: usize| numbers(7, |to, count| unsafe { costate_run_state(run, sample, to, count) });
        let bend = 0.25 * (of(sample)[4] + of(sample + 1)[4]) * STEP * STEP * part * (1.0 - part);
        let expected = (1.0 - part) * all[sample] + part * all[sample + 1] - bend;
        assert!((found - expected).abs() < 0.05 * bend.abs(), "{found} {expected} {bend}");
    }
    let outside = [1.0];
    let mut value = [0.0];
    assert_eq!(unsafe { costate_run_output_at(run, 0, In::of(&outside), Out::of(&mut value), 1) }, 5);
    assert!(last_error().contains("costate_simulation_set_time"), "{}", last_error());
}

#[test]
fn given_starts_are_those_of_runs_and_steppers() {
    let simulation = simulation(model(MOUNT), STEP, 50, &[|_| 0.0]);
    let (x, v) = ([1e-3], [-0.02]);
    ok(unsafe { costate_simulation_set_start(simulation, In::of(&x), In::of(&v), 1) });
    let run = made(unsafe { costate_simulation_run(simulation) });
    let state = numbers(3, |to, count| unsafe { costate_run_state(run, 0, to, count) });
    let force = -(100e3 * 1e-3 + 3e9 * 1e-9 + 40.0 * -0.02);
    assert_eq!(state[..2], [1e-3, -0.02]);
    assert!((state[2] - force / 20.0).abs() < 1e-12 * force.abs());
    let stepper = made(unsafe { costate_stepper_new(simulation) });
    for _ in 0..50 {
        ok(unsafe { costate_stepper_step(stepper) });
    }
    let end = numbers(3, |to, count| unsafe { costate_stepper_state(stepper, to, count) });
    let of_run = numbers(3, |to, count| unsafe { costate_run_state(run, 50, to, count) });
    assert_eq!(bits(&end), bits(&of_run));

    // the gradient with a given start: that of differences
    let cost = made(unsafe { costate_cost_new(simulation, 0) });
    let times: Vec<f64> = (0..=50).map(|i| i as f64 * STEP).collect();
    ok(unsafe { costate_cost_measure(cost, 0, In::of(&times), In::of(&[0.0; 51]), 51, 1.0) });
    let values = [20.0, 100e3, 3e9, 40.0];
    let evaluate = |x: &[f64]| {
        let mut value = [0.0];
        ok(unsafe { costate_cost_evaluate(cost, In::of(x), 4, Out::of(&mut value), Out::null(), 0) });
        value[0]
    };
    let gradient =
        numbers(4, |to, count| unsafe { costate_cost_evaluate(cost, In::of(&values), 4, Out::null(), to, count) });
    for k in 0..4 {
        let moved = |by: f64| {
            let mut x = values;
            x[k] *= 1.0 + by;
            evaluate(&x)
        };
        let difference = (moved(1e-5) - moved(-1e-5)) / (2e-5 * values[k]);
        assert!((gradient[k] / difference - 1.0).abs() < 1e-6, "{k}: {} {difference}", gradient[k]);
    }
}

#[test]
fn a_restored_state_goes_on_with_the_same_bits() {
    let stepper = made(unsafe { costate_stepper_new(hoist()) });
    let go = |from: usize, to: usize| {
        let mut outputs = [0.0; 3];
        for i in from..to {
            let inputs = [drive(i as f64 * STEP), push(i as f64 * STEP)];
            ok(unsafe { costate_stepper_advance(stepper, In::of(&inputs), 2, Out::of(&mut outputs), 3) });
        }
        outputs
    };
    go(1, 40);
    let saved = made(unsafe { costate_stepper_save(stepper) });
    let first = go(40, 90);
    ok(unsafe { costate_stepper_set_parameter(stepper, 3, 500.0) });
    ok(unsafe { costate_stepper_set_step(stepper, 5e-4) });
    go(90, 95);
    ok(unsafe { costate_stepper_restore(stepper, saved) });
    assert_eq!(bits(&go(40, 90)), bits(&first));
    ok(unsafe { costate_state_free(saved) });
}

#[test]
fn threads_with_objects_of_their_own_do_not_disturb_each_other() {
    let work = |_| {
        let stepper = made(unsafe { costate_stepper_new(hoist()) });
        let mut outputs = [0.0; 3];
        for i in 1..3000 {
            let inputs = [drive(i as f64 * STEP), push(i as f64 * STEP)];
            ok(unsafe { costate_stepper_advance(stepper, In::of(&inputs), 2, Out::of(&mut outputs), 3) });
            if i % 500 == 0 {
                // errors are those of a thread
                assert_eq!(unsafe { costate_stepper_set_input(stepper, 7 + i, 0.0) }, 1);
                assert!(last_error().contains(&format!("no input {}", 7 + i)));
            }
        }
        bits(&outputs)
    };
    let alone = work(0);
    let threads: Vec<_> = (0..2).map(|k| thread::spawn(move || work(k))).collect();
    for thread in threads {
        assert_eq!(thread.join().unwrap(), alone);
    }
}
