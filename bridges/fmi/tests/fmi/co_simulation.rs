//! Co-Simulation against a stepper of the runtime.

use std::thread;

use costate::model::Input;
use costate::simulate::Simulation;
use costate::stepper::StepperOf;
use costate_fmi::Status;
use costate_interpreter::Interpreted;

use super::support::{CRANK, Fmu, LOGGED, MOUNT};

/// The input at a communication point.
fn drive(step: usize) -> f64 {
    30.0 * (0.2 * step as f64).sin()
}

fn stepper(fmu: &Fmu, step: f64) -> StepperOf<Interpreted> {
    let parameters: Vec<f64> = fmu.model.defaults().iter().map(|value| value.unwrap()).collect();
    let mut simulation = Simulation::of(fmu.model.system(), parameters.clone()).step(step).error_limit(None);
    for input in Input::each_of(fmu.model.description()) {
        simulation = simulation.input(input, 0.0);
    }
    let problem = simulation.description().problem_of_stepper().unwrap();
    StepperOf::new(fmu.model.program(), &problem, parameters).unwrap()
}

#[test]
fn steps_are_those_of_a_stepper_to_the_bit() {
    for text in [MOUNT, CRANK] {
        let fmu = Fmu::of_text(text, &["--step", "5e-4"]);
        let (inputs, outputs) = (fmu.references("causality=\"input\""), fmu.references("causality=\"output\""));
        let instance = fmu.co_simulation().initialized(false);
        let mut own = stepper(&fmu, 5e-4);
        let input = Input::each_of(fmu.model.description()).next().unwrap();
        for step in 0..400 {
            assert_eq!(instance.set(&inputs, &[drive(step)]), Status::Ok);
            // two steps of the model's own
            assert_eq!(instance.step(1e-3 * step as f64, 1e-3), Status::Ok, "{:?}", LOGGED.lock().unwrap());
            own.set_input(input, drive(step));
            own.step().unwrap();
            own.step().unwrap();
            let (found, expected) = (instance.get(&outputs), own.outputs());
            assert!(found.iter().zip(&expected).all(|(a, b)| a.to_bits() == b.to_bits()), "{found:?} {expected:?}");
        }
    }
}

#[test]
fn communication_steps_may_have_any_length() {
    let fmu = Fmu::of_text(MOUNT, &["--step", "1e-4"]);
    let outputs = fmu.references("causality=\"output\"");
    let [even, uneven] = [2e-3, 2.00001e-3 / 1.000005].map(|_| fmu.co_simulation().initialized(false));
    let mut time = 0.0;
    for step in 0..100 {
        assert_eq!(even.step(2e-3 * step as f64, 2e-3), Status::Ok);
        for part in [0.7e-3, 1.3e-3 - 1e-9, 1e-9] {
            assert_eq!(uneven.step(time, part), Status::Ok, "{:?}", LOGGED.lock().unwrap());
            time += part;
        }
    }
    let (one, other) = (even.get(&outputs), uneven.get(&outputs));
    // of second order, with restarts
    assert!((one[1] - other[1]).abs() < 2e-6, "{one:?} {other:?}");
}

/// The largest difference of the position from a stepper with steps of 10 us, relative to its range.
fn worst(text: &str, arguments: &[&str], length: f64) -> f64 {
    let fmu = Fmu::of_text(text, arguments);
    let outputs = fmu.references("name=\"position\"");
    let instance = fmu.co_simulation().initialized(false);
    let mut own = stepper(&fmu, 1e-5);
    let place = fmu.model.description().outputs.iter().position(|output| output.name == "position").unwrap();
    let (mut least, mut largest, mut difference) = (f64::INFINITY, f64::NEG_INFINITY, 0.0_f64);
    for step in 0..40 {
        assert_eq!(instance.step(length * f64::from(step), length), Status::Ok, "{:?}", LOGGED.lock().unwrap());
        for _ in 0..(length / 1e-5).round() as usize {
            own.step().unwrap();
        }
        let (found, right) = (instance.get(&outputs)[0], own.outputs()[place]);
        (least, largest) = (least.min(right), largest.max(right));
        difference = difference.max((found - right).abs());
    }
    difference / (largest - least)
}

#[test]
fn adaptive_steps_are_as_exact_as_their_tolerance_asks() {
    for text in [MOUNT, CRANK] {
        // the longest step is as long as a communication step
        let errors = ["1e-5", "1e-8"].map(|tolerance| worst(text, &["--step", "0.02", "--tolerance", tolerance], 0.02));
        let fixed = worst(text, &["--step", "0.02"], 0.02);
        // steps of second order: errors fall with the tolerance to the power of 2/3
        assert!(errors[1] < 2e-3 && 30.0 * errors[1] < errors[0] && errors[0] < fixed, "{errors:?} {fixed}");
    }
}

#[test]
fn instances_run_in_threads() {
    let fmu = Fmu::of_text(CRANK, &[]);
    let outputs = fmu.references("causality=\"output\"");
    let run = |instance: &super::support::Instance| {
        for step in 0..50 {
            assert_eq!(instance.step(1e-3 * f64::from(step), 1e-3), Status::Ok);
        }
        instance.get(&outputs)
    };
    let expected = run(&fmu.co_simulation().initialized(false));
    thread::scope(|scope| {
        let threads = [0, 1].map(|_| {
            scope.spawn(|| {
                let instances: Vec<_> = (0..50).map(|_| fmu.co_simulation().initialized(false)).collect();
                instances.iter().map(run).collect::<Vec<_>>()
            })
        });
        for results in threads.map(|thread| thread.join().unwrap()) {
            assert_eq!(results.len(), 50);
            assert!(results.iter().all(|own| own == &expected));
        }
    });
}

#[test]
fn long_runs_need_no_more_memory() {
    let fmu = Fmu::of_text(MOUNT, &[]);
    let instance = fmu.co_simulation().initialized(false);
    let resident = || {
        let pages = std::fs::read_to_string("/proc/self/statm").ok()?;
        pages.split_whitespace().nth(1)?.parse::<u64>().ok()
    };
    assert_eq!(instance.step(0.0, 10.0), Status::Ok);
    let before = resident();
    // 1e6 steps in 1000 communication steps
    for step in 0..1000 {
        assert_eq!(instance.step(10.0 + f64::from(step), 1.0), Status::Ok);
    }
    if let (Some(before), Some(after)) = (before, resident()) {
        // pages of 4 kB; other tests run beside this one
        assert!(after < before + 25_000, "{before} {after}");
    }
}
