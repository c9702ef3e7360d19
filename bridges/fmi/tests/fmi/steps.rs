//! The derivatives of steps: the adjoint of a whole simulation against the runtime's gradient and differences.

use costate::cost::{BolzaCost, Cost};
use costate::model::Input;
use costate::simulate::Simulation;
use costate_fmi::Status;
use costate_fmi::exports::fmi3SetFMUState;
use costate_fmi::step_derivatives::*;

use super::support::{CRANK, Fmu, LOGGED, MOUNT};

const STEPS: usize = 60;
const STEP: f64 = 1e-3;

#[test]
fn the_adjoint_of_steps_is_the_gradient_of_the_run() {
    for text in [MOUNT, CRANK] {
        let fmu = Fmu::of_text(text, &[]);
        let description = fmu.model.description();
        let instance = fmu.co_simulation().initialized(false);
        let mut numbers = 0;
        // SAFETY: the place lives beyond the call.
        assert_eq!(unsafe { costate_step_numbers(instance.pointer(), &mut numbers) }, Status::Ok);
        let (inputs, outputs) = (description.inputs.len(), description.outputs.len());
        let count = description.parameters.len();

        // J is the sum of an output over all samples but the first
        let mut saved = vec![instance.save()];
        for step in 0..STEPS {
            assert_eq!(instance.step(STEP * step as f64, STEP), Status::Ok);
            saved.push(instance.save());
        }
        let mut seed = vec![0.0; outputs];
        seed[1] = 1.0;
        let mut gradient = vec![0.0; count];
        let mut later = vec![0.0; numbers];
        for step in (0..STEPS).rev() {
            assert_eq!(fmi3SetFMUState(instance.pointer(), saved[step]), Status::Ok);
            assert_eq!(instance.step(STEP * step as f64, STEP), Status::Ok);
            let (mut end, mut by_inputs, mut by_parameters) = (vec![0.0; numbers], vec![0.0; inputs], vec![0.0; count]);
            // SAFETY: all arrays have these lengths.
            let status = unsafe {
                costate_outputs_vjp(
                    instance.pointer(),
                    seed.as_ptr(),
                    outputs,
                    end.as_mut_ptr(),
                    numbers,
                    by_inputs.as_mut_ptr(),
                    inputs,
                    by_parameters.as_mut_ptr(),
                    count,
                )
            };
            assert_eq!(status, Status::Ok, "{:?}", LOGGED.lock().unwrap());
            gradient.iter_mut().zip(&by_parameters).for_each(|(sum, own)| *sum += own);
            end.iter_mut().zip(&later).for_each(|(sum, later)| *sum += later);
            let mut before = vec![0.0; inputs];
            // SAFETY: all arrays have these lengths.
            let status = unsafe {
                costate_step_vjp(
                    instance.pointer(),
                    end.as_ptr(),
                    numbers,
                    later.as_mut_ptr(),
                    numbers,
                    by_inputs.as_mut_ptr(),
                    inputs,
                    before.as_mut_ptr(),
                    inputs,
                    by_parameters.as_mut_ptr(),
                    count,
                )
            };
            assert_eq!(status, Status::Ok, "{:?}", LOGGED.lock().unwrap());
            gradient.iter_mut().zip(&by_parameters).for_each(|(sum, own)| *sum += own);

            // the tangent is the transpose
            let change: Vec<f64> = (0..numbers).map(|k| (k as f64 + step as f64).sin()).collect();
            let (no_inputs, no_parameters) = (vec![0.0; inputs], vec![0.0; count]);
            let mut moved = vec![0.0; numbers];
            // SAFETY: all arrays have these lengths.
            let status = unsafe {
                costate_step_jvp(
                    instance.pointer(),
                    change.as_ptr(),
                    numbers,
                    no_inputs.as_ptr(),
                    inputs,
                    no_inputs.as_ptr(),
                    inputs,
                    no_parameters.as_ptr(),
                    count,
                    moved.as_mut_ptr(),
                    numbers,
                )
            };
            assert_eq!(status, Status::Ok, "{:?}", LOGGED.lock().unwrap());
            let one: f64 = moved.iter().zip(&end).map(|(a, b)| a * b).sum();
            let other: f64 = change.iter().zip(&later).map(|(a, b)| a * b).sum();
            let size: f64 = moved.iter().zip(&end).map(|(a, b)| (a * b).abs()).sum();
            assert!((one - other).abs() <= 1e-11 * size.max(1e-300), "{one:e} {other:e}");
        }
        let mut by_start = vec![0.0; count];
        // SAFETY: all arrays have these lengths.
        let status =
            unsafe { costate_start_vjp(instance.pointer(), later.as_ptr(), numbers, by_start.as_mut_ptr(), count) };
        assert_eq!(status, Status::Ok, "{:?}", LOGGED.lock().unwrap());
        gradient.iter_mut().zip(&by_start).for_each(|(sum, own)| *sum += own);

        // the same from the runtime's own sweep
        let parameters: Vec<f64> = fmu.model.defaults().iter().map(|value| value.unwrap()).collect();
        let mut simulation = Simulation::of(fmu.model.system(), parameters.clone()).step(STEP).error_limit(None);
        for input in Input::each_of(description) {
            simulation = simulation.input(input, 0.0);
        }
        let problem = simulation.until(STEP * STEPS as f64).problem().unwrap();
        let run = problem.forward(&parameters).unwrap();
        let output = fmu.model.output(description.outputs[1].name).unwrap();
        let cost = BolzaCost::new(STEP, problem.samples()).with_integral(output, 1.0).unwrap();
        let mut by_outputs = cost.output_gradient(&run.outputs());
        for sample in 0..problem.samples() {
            let row = by_outputs.row_mut(sample);
            row.fill(0.0);
            row[1] = f64::from(u8::from(sample > 0));
        }
        let unknown: Vec<usize> = (0..count).collect();
        let sweep = fmu.model.system().gradients(&problem, (&run).into(), &[&by_outputs], &unknown);
        let expected = &sweep.unwrap()[0];
        for (place, (found, expected)) in gradient.iter().zip(expected).enumerate() {
            let name = description.parameters[place].name;
            assert!((found - expected).abs() <= 1e-10 * expected.abs().max(1e-12), "{name}: {found:e} {expected:e}");
        }
    }
}

#[test]
fn derivatives_of_more_than_one_step_are_refused() {
    let fmu = Fmu::of_text(MOUNT, &[]);
    let instance = fmu.co_simulation().initialized(false);
    let numbers = 4;
    let (end, mut begin) = (vec![1.0; numbers], vec![0.0; numbers]);
    let (mut one, mut other, mut five) = ([0.0; 1], [0.0; 1], [0.0; 5]);
    let mut ask = || {
        // SAFETY: all arrays have these lengths.
        unsafe {
            costate_step_vjp(
                instance.pointer(),
                end.as_ptr(),
                numbers,
                begin.as_mut_ptr(),
                numbers,
                one.as_mut_ptr(),
                1,
                other.as_mut_ptr(),
                1,
                five.as_mut_ptr(),
                5,
            )
        }
    };
    assert_eq!(ask(), Status::Error);
    assert_eq!(instance.step(0.0, 2e-3), Status::Ok);
    assert_eq!(ask(), Status::Error);
    assert_eq!(instance.step(2e-3, 1e-3), Status::Ok);
    assert_eq!(ask(), Status::Ok, "{:?}", LOGGED.lock().unwrap());
    assert_eq!(instance.set(&fmu.references("name=\"c\""), &[9e4]), Status::Ok);
    assert_eq!(ask(), Status::Error);
}
