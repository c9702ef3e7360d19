//! Products with the derivatives of single steps, against differences of the same step, and whole gradients of them.

use costate_c::cost::*;
use costate_c::memory::{In, Out};
use costate_c::simulation::*;
use costate_c::stepper::*;

use super::calls::{HOIST, MOUNT, Object, made, model, numbers, ok, simulation};

const STEP: f64 = 1e-3;

fn drive(t: f64) -> f64 {
    40.0 * (9.0 * t).sin()
}

fn product(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

/// The last of so many steps as a function of the parameters and inputs of the last one: q, v, a, lambda.
fn last_step(saved: (Object, Object), parameters: &[f64], inputs: &[f64]) -> Vec<f64> {
    let (stepper, state) = saved;
    ok(unsafe { costate_stepper_restore(stepper, state) });
    for (k, value) in parameters.iter().enumerate() {
        ok(unsafe { costate_stepper_set_parameter(stepper, k, *value) });
    }
    ok(unsafe { costate_stepper_set_inputs(stepper, In::of(inputs), inputs.len()) });
    ok(unsafe { costate_stepper_step(stepper) });
    numbers(7, |to, count| unsafe { costate_stepper_state(stepper, to, count) })
}

#[test]
fn products_are_those_of_differences_of_the_same_step() {
    let simulation = simulation(model(HOIST), STEP, 10, &[drive, |_| 1.0]);
    let stepper = made(unsafe { costate_stepper_new(simulation) });
    for i in 1..40 {
        let inputs = [drive(i as f64 * STEP), 1.0];
        ok(unsafe { costate_stepper_set_inputs(stepper, In::of(&inputs), 2) });
        ok(unsafe { costate_stepper_step(stepper) });
    }
    let saved = (stepper, made(unsafe { costate_stepper_save(stepper) }));
    let inputs = [drive(40.0 * STEP), 1.0];
    // without `rope`, whose change moves the positions before the next step
    let values = [2.0, 0.7, 3.0, 400.0, 3e4, 5.0, 1.5];
    let change = [0.3, -0.2, 0.1, 20.0, -2e3, 1.0, 0.0];
    let of_inputs = [3.0, -2.0];
    let moved = |by: f64| {
        let parameters: Vec<f64> = values.iter().zip(change).map(|(value, change)| value + by * change).collect();
        let inputs: Vec<f64> = inputs.iter().zip(of_inputs).map(|(input, change)| input + by * change).collect();
        last_step(saved, &parameters, &inputs)
    };
    let by = 2e-2;
    let (outer, inner) = ([moved(2.0 * by), moved(-2.0 * by)], [moved(by), moved(-by)]);
    last_step(saved, &[], &inputs);
    let tangent = numbers(9, |to, count| unsafe {
        let none = In::null();
        costate_stepper_jvp(stepper, none, 0, In::of(&of_inputs), 2, none, 0, In::of(&change), 7, to, count)
    });
    for k in 0..7 {
        // of fourth order
        let difference = (8.0 * (inner[0][k] - inner[1][k]) - (outer[0][k] - outer[1][k])) / (12.0 * by);
        let error = (tangent[k] - difference).abs();
        assert!(error <= 1e-8 * difference.abs().max(1e-4), "{k}: {} {difference}", tangent[k]);
    }

    // the transpose, with changes of all parts
    let weights: Vec<f64> = (0..9).map(|k| 1.0 + f64::from(k).cos()).collect();
    let of_state: Vec<f64> = (0..9).map(|k| 0.1 * f64::from(k).sin()).collect();
    let end = numbers(9, |to, count| unsafe {
        let (none, change) = (In::null(), In::of(&change));
        costate_stepper_jvp(stepper, In::of(&of_state), 9, In::of(&of_inputs), 2, none, 0, change, 7, to, count)
    });
    let (mut by_state, mut by_inputs, mut by_parameters) = ([0.0; 9], [0.0; 2], [0.0; 7]);
    ok(unsafe {
        let (state, inputs, parameters) =
            (Out::of(&mut by_state), Out::of(&mut by_inputs), Out::of(&mut by_parameters));
        costate_stepper_vjp(stepper, In::of(&weights), 9, state, 9, inputs, 2, Out::null(), 0, parameters, 7)
    });
    let forward = product(&weights, &end);
    let backward = product(&by_state, &of_state) + product(&by_inputs, &of_inputs) + product(&by_parameters, &change);
    assert!((forward - backward).abs() <= 1e-11 * forward.abs(), "{forward:e} {backward:e}");

    let outputs = numbers(3, |to, count| unsafe {
        costate_stepper_output_jvp(stepper, In::of(&of_state), 9, In::of(&of_inputs), 2, In::of(&change), 7, to, count)
    });
    assert_eq!(outputs, [of_state[0], of_state[6], of_state[2]], "outputs are q, lambda and v");
    ok(unsafe {
        let weights = In::of(&[0.5, 2.0, -1.0]);
        let (state, none) = (Out::of(&mut by_state), Out::null());
        costate_stepper_output_vjp(stepper, weights, 3, state, 9, none, 0, none, 0)
    });
    assert_eq!(by_state, [0.5, 0.0, -1.0, 0.0, 0.0, 0.0, 2.0, 0.0, 0.0]);
}

/// Goes back through all steps by products alone: the gradient of a cost of the whole run.
#[test]
fn products_of_all_steps_are_the_gradient_of_a_run() {
    let steps = 150;
    let simulation = simulation(model(MOUNT), STEP, steps, &[drive]);
    let stepper = made(unsafe { costate_stepper_new(simulation) });
    let (mut saved, mut positions) = (Vec::new(), vec![0.0]);
    let inputs: Vec<f64> = (0..=steps).map(|i| drive(i as f64 * STEP)).collect();
    for input in &inputs[1..] {
        saved.push(made(unsafe { costate_stepper_save(stepper) }));
        let mut outputs = [0.0; 2];
        ok(unsafe { costate_stepper_advance(stepper, In::of(&[*input]), 1, Out::of(&mut outputs), 2) });
        positions.push(outputs[0]);
    }
    let (mut by_end, mut gradient) = ([0.0; 4], [0.0; 4]);
    for i in (1..=steps).rev() {
        ok(unsafe { costate_stepper_restore(stepper, saved[i - 1]) });
        ok(unsafe { costate_stepper_set_input(stepper, 0, inputs[i]) });
        ok(unsafe { costate_stepper_step(stepper) });
        by_end[0] += STEP * positions[i];
        let mut by_parameters = [0.0; 4];
        ok(unsafe {
            let end = by_end;
            let (to, none, parameters) = (Out::of(&mut by_end), Out::null(), Out::of(&mut by_parameters));
            costate_stepper_vjp(stepper, In::of(&end), 4, to, 4, none, 0, none, 0, parameters, 4)
        });
        gradient.iter_mut().zip(by_parameters).for_each(|(sum, part)| *sum += part);
    }
    let start = numbers(12, |to, _| unsafe { costate_simulation_start_derivatives(simulation, to, 3, 4) });
    for (row, by) in start.chunks(4).zip(by_end) {
        gradient.iter_mut().zip(row).for_each(|(sum, part)| *sum += by * part);
    }
    let cost = made(unsafe { costate_cost_new(simulation, 0) });
    let times: Vec<f64> = (0..=steps).map(|i| i as f64 * STEP).collect();
    ok(unsafe { costate_cost_measure(cost, 0, In::of(&times), In::of(&vec![0.0; steps + 1]), steps + 1, 1.0) });
    let expected = numbers(4, |to, count| unsafe {
        costate_cost_evaluate(cost, In::of(&[20.0, 100e3, 3e9, 40.0]), 4, Out::null(), to, count)
    });
    for (found, expected) in gradient.iter().zip(&expected) {
        assert!((found / expected - 1.0).abs() < 1e-11, "{found:e} {expected:e}");
    }
}
