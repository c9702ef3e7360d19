//! Memory: steps keep nothing, and what is freed is free.

use std::path::Path;

use costate::command::{Arguments, ModelFile};
use costate::interpreted::LoadedModel;
use costate_c::memory::{In, Out};
use costate_c::model::*;
use costate_c::run::*;
use costate_c::simulation::*;
use costate_c::stepper::*;

use super::calls::{HOIST, MOUNT, made, model, ok, simulation};

#[test]
fn a_step_allocates_no_more_than_in_rust_and_keeps_nothing() {
    for (text, inputs, outputs) in [(MOUNT, 1, 2), (HOIST, 2, 3)] {
        let simulation = simulation(model(text), 1e-4, 10, &[|_| 0.0, |_| 0.0][..inputs]);
        let stepper = made(unsafe { costate_stepper_new(simulation) });
        let (mut values, mut found) = (vec![0.0; inputs], vec![0.0; outputs]);
        let mut go = |steps: std::ops::Range<usize>| {
            for i in steps {
                values[0] = force(i);
                ok(unsafe { costate_stepper_advance(stepper, In::of(&values), inputs, Out::of(&mut found), outputs) });
            }
        };
        go(0..100);
        let counted = allocation_counter::measure(|| go(100..10_000));

        let file = ModelFile::from_text(Path::new("rust.model"), text.to_owned()).unwrap();
        let own = LoadedModel::of_file(&file, None, &Arguments::new()).unwrap();
        let inputs: Vec<_> = own.description().inputs.iter().map(|one| own.input(one.name).unwrap()).collect();
        let start = own.simulation().unwrap().step(1e-4).until(1e-4);
        let problem = inputs.iter().fold(start, |start, input| start.input(*input, 0.0)).problem().unwrap();
        let values: Vec<f64> = own.defaults().iter().map(|value| value.unwrap()).collect();
        let mut of_rust = own.stepper(&problem, &values).unwrap();
        let mut of_rust_outputs = of_rust.outputs();
        let mut go = |steps: std::ops::Range<usize>| {
            for i in steps {
                of_rust.set_input(inputs[0], force(i));
                of_rust.step().unwrap();
                of_rust.outputs_into(&mut of_rust_outputs);
            }
        };
        go(0..100);
        let expected = allocation_counter::measure(|| go(100..10_000));
        assert_eq!(of_rust_outputs, found);
        assert_eq!((counted.count_total, counted.bytes_current), (expected.count_total, 0), "{text}");
    }
}

fn force(i: usize) -> f64 {
    10.0 * (0.01 * i as f64).sin()
}

/// Resident memory of the process in pages, where the system tells it.
fn resident() -> Option<usize> {
    std::fs::read_to_string("/proc/self/statm").ok()?.split(' ').nth(1)?.parse().ok()
}

#[test]
fn memory_does_not_grow_over_a_million_steps() {
    let simulation = simulation(model(MOUNT), 1e-4, 10, &[|_| 0.0]);
    let stepper = made(unsafe { costate_stepper_new(simulation) });
    let mut found = [0.0; 2];
    let mut go = |steps: usize| {
        for i in 0..steps {
            ok(unsafe { costate_stepper_advance(stepper, In::of(&[force(i)]), 1, Out::of(&mut found), 2) });
        }
    };
    go(1000);
    // what this thread allocates alone: other tests have memory of theirs
    let counted = allocation_counter::measure(|| go(1_000_000));
    assert_eq!(counted.bytes_current, 0);
}

#[test]
fn what_is_freed_is_free() {
    let model = model(MOUNT);
    let objects = || {
        let simulation = simulation(model, 1e-3, 20, &[|t| t]);
        let (run, stepper) =
            (made(unsafe { costate_simulation_run(simulation) }), made(unsafe { costate_stepper_new(simulation) }));
        ok(unsafe { costate_stepper_step(stepper) });
        let state = made(unsafe { costate_stepper_save(stepper) });
        ok(unsafe { costate_state_free(state) });
        ok(unsafe { costate_stepper_free(stepper) });
        ok(unsafe { costate_run_free(run) });
        ok(unsafe { costate_simulation_free(simulation) });
    };
    (0..20).for_each(|_| objects());
    let counted = allocation_counter::measure(|| (0..200).for_each(|_| objects()));
    // lists of free places may grow by what other tests free
    assert!(counted.bytes_current.abs() < 4096, "{counted:?}");
    let before = resident();
    (0..2000).for_each(|_| objects());
    if let (Some(before), Some(after)) = (before, resident()) {
        println!("{before} pages before, {after} after 2000 times all objects");
    }
    ok(unsafe { costate_model_free(model) });
}
