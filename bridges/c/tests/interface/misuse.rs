//! Calls that cannot be: statuses and texts in place of crashes.

use std::ffi::CStr;

use costate_c::cost::*;
use costate_c::memory::{In, Out, Text};
use costate_c::model::*;
use costate_c::run::*;
use costate_c::simulation::*;
use costate_c::stepper::*;
use costate_c::version::*;

use super::calls::{HOIST, MOUNT, Object, last_error, made, model, ok, simulation, text};

const NULL: Object = std::ptr::null_mut();

/// The status of the call before, whose text has these words.
#[track_caller]
fn refused(status: i32, expected: i32, words: &str) {
    let text = last_error();
    assert_eq!(status, expected, "{text}");
    assert!(text.contains(words), "{text}");
    assert_eq!(costate_last_status(), expected);
}

#[track_caller]
fn not_made(object: Object, expected: i32, words: &str) {
    assert!(object.is_null());
    refused(costate_last_status(), expected, words);
}

fn mount() -> Object {
    simulation(model(MOUNT), 1e-3, 20, &[|t| t])
}

#[test]
fn handles_are_checked() {
    unsafe {
        refused(costate_stepper_step(NULL), 2, "the stepper is NULL");
        let simulation = mount();
        refused(costate_stepper_step(simulation), 2, "a simulation is given where a stepper is expected");
        not_made(costate_simulation_new(simulation), 2, "a simulation is given where a model is expected");
        let stepper = made(costate_stepper_new(simulation));
        ok(costate_stepper_free(stepper));
        refused(costate_stepper_step(stepper), 2, "has been freed");
        refused(costate_stepper_free(stepper), 2, "has been freed");
        assert!(costate_stepper_time(stepper).is_nan());
        assert_eq!(costate_stepper_numbers(stepper), -1);
        // another object in its place has another handle
        let others: Vec<Object> = (0..20).map(|_| made(costate_stepper_new(simulation))).collect();
        assert!(!others.contains(&stepper));
        refused(costate_stepper_step(stepper), 2, "has been freed");
        for number in [1, 5, 16, 0xdead_beef, usize::MAX, usize::MAX - 11, stepper as usize ^ (1 << 40)] {
            let wild = std::ptr::without_provenance_mut(number);
            assert_eq!(costate_stepper_step(wild), 2, "{number}");
            assert_eq!(costate_stepper_free(wild), 2, "{number}");
        }
        ok(costate_stepper_free(NULL));
        // what was made of a simulation goes on without it
        ok(costate_simulation_free(simulation));
        ok(costate_stepper_step(others[0]));
        let other = made(costate_stepper_new(super::calls::simulation(model(HOIST), 1e-3, 20, &[|_| 0.0, |_| 0.0])));
        let saved = made(costate_stepper_save(other));
        refused(costate_stepper_restore(others[0], saved), 6, "Mount");
    }
}

#[test]
fn models_with_mistakes_are_told_with_their_lines() {
    unsafe {
        let load = |of: &str| costate_model_from_text(Text::of(&text(of)), Text::of(&text("my.model")), Text::null());
        not_made(load("pub Broken { coordinates { x: m } mass { x: kg } }"), 3, "my.model:1:");
        not_made(load(""), 3, "my.model");
        not_made(load("¤"), 3, "my.model");
        not_made(load("pub T { tables { k(x: m): N = \"none.csv\" } }"), 3, "my.model");
        not_made(costate_model_from_text(Text::null(), Text::null(), Text::null()), 1, "the text is NULL");
        not_made(costate_model_from_file(Text::of(&text("/no/such/file")), Text::null()), 3, "/no/such/file");
        let latin = c"pub M\xfcnchen {}";
        not_made(costate_model_from_text(Text::of(latin), Text::null(), Text::null()), 1, "not UTF-8");
        let name = text("Other");
        not_made(costate_model_from_text(Text::of(&text(MOUNT)), Text::null(), Text::of(&name)), 3, "Mount");
        let deep = format!("pub D {{ parameters {{ a: 1 = {}1{} }} }}", "(".repeat(50_000), ")".repeat(50_000));
        assert!(load(&deep).is_null());
    }
}

#[test]
fn names_and_positions_are_checked() {
    unsafe {
        let model = model(MOUNT);
        assert_eq!(costate_model_count(model, 0), 4);
        assert_eq!(costate_model_index(model, 0, Text::of(&text("c_3"))), 2);
        let unit = CStr::from_ptr(costate_model_quantity_unit(model, 2, 1));
        assert_eq!(unit.to_str().unwrap(), "m/s^2");
        assert_eq!(costate_model_index(model, 0, Text::of(&text("stiffness"))), -1);
        refused(costate_last_status(), 4, "it has: m, c, c_3, d");
        assert_eq!(costate_model_count(model, 6), -1);
        refused(costate_last_status(), 1, "there is no kind 6");
        assert!(costate_model_quantity_name(model, 1, 1).is_null());
        refused(costate_last_status(), 1, "give 0 to 0");
        assert!(costate_model_quantity_name(model, 5, usize::MAX).is_null());
        refused(costate_last_status(), 1, "the model has none");
        refused(costate_check_abi(ABI + 1), 7, "built for interface");
        assert!(costate_status_text(9).is_null() && !costate_status_text(8).is_null());
    }
}

#[test]
fn arrays_are_checked() {
    unsafe {
        let simulation = mount();
        let (none, nowhere) = (In::null(), Out::null());
        let three = [0.0; 3];
        let mut place = [7.0; 3];
        refused(costate_simulation_set_parameters(simulation, In::of(&three), 3), 1, "values has 3 numbers; give 4");
        refused(costate_simulation_set_parameters(simulation, none, 4), 1, "values is NULL");
        refused(costate_simulation_parameters(simulation, nowhere, 4), 1, "values is NULL");
        refused(costate_simulation_parameters(simulation, Out::of(&mut place), 3), 1, "give 4");
        for huge in [usize::MAX, 1 << 61, 1 << 50] {
            let status = costate_simulation_set_input_samples(simulation, 0, In::of(&three), none, huge, 0);
            refused(status, 1, "more than any machine");
            refused(costate_simulation_parameters(simulation, Out::of(&mut place), huge), 1, "give 4");
            refused(costate_simulation_set_parameter(simulation, huge, 1.0), 1, "there is no parameter");
        }
        let samples = |times: &[f64], values: &[f64], kind| {
            costate_simulation_set_input_samples(simulation, 0, In::of(times), In::of(values), times.len(), kind)
        };
        refused(samples(&[0.0, 1.0, 1.0], &three, 0), 5, "increase");
        refused(samples(&[0.0, f64::NAN, 1.0], &three, 0), 5, "increase");
        refused(samples(&[0.0, 0.5, 1.0], &[0.0, f64::INFINITY, 0.0], 0), 5, "number 1 of the values is inf");
        refused(samples(&[0.0, 0.5, 1.0], &three, 3), 1, "no interpolation 3");
        refused(samples(&[0.0], &[1.0], 0), 5, "two or more");
        refused(costate_simulation_set_parameter(simulation, 0, f64::NAN), 5, "NaN");
        refused(costate_simulation_set_curve(simulation, 0, In::of(&three), In::of(&three), 3), 1, "no table 0");
        refused(costate_simulation_set_time(simulation, -1.0, 1.0), 5, "two positive numbers");
        refused(costate_simulation_set_scheme(simulation, 5, 0.0, 2), 1, "no scheme 5");
        assert_eq!(place, [7.0; 3], "nothing is written by a call that fails");
        let run = made(costate_simulation_run(simulation));
        refused(costate_run_output(run, 2, Out::of(&mut place), 3), 1, "there is no output 2");
        refused(costate_run_state(run, 0, Out::of(&mut place), 2), 1, "give 3");
        refused(costate_run_state(run, 21, Out::of(&mut place), 3), 1, "no sample 21");
    }
}

#[test]
fn settings_that_cannot_be_run_are_told() {
    unsafe {
        let bare = made(costate_simulation_new(model(MOUNT)));
        not_made(costate_simulation_run(bare), 5, "costate_simulation_set_time");
        ok(costate_simulation_set_time(bare, 1e-3, 0.1));
        not_made(costate_simulation_run(bare), 5, "costate_simulation_set_input");
        not_made(costate_stepper_new(bare), 5, "costate_simulation_set_input");
        ok(costate_simulation_set_input(bare, 0, 1.0));
        ok(costate_simulation_set_scheme(bare, 0, 7.0, 2));
        not_made(costate_simulation_run(bare), 5, "7");
        ok(costate_simulation_set_scheme(bare, 0, 0.8, 7));
        not_made(costate_simulation_run(bare), 5, "7");
        ok(costate_simulation_set_scheme(bare, 0, 0.8, 2));
        ok(costate_simulation_set_adaptive(bare, 1e-4));
        not_made(costate_stepper_new(bare), 5, "a stepper has constant steps");
        ok(costate_simulation_set_adaptive(bare, 0.0));
        ok(costate_simulation_set_time(bare, 0.05, 0.1));
        not_made(costate_simulation_run(bare), 6, "error");
        ok(costate_simulation_set_error_limit(bare, 0.0));
        ok(costate_run_free(made(costate_simulation_run(bare))));
        ok(costate_simulation_set_time(bare, 1e-12, 1e9));
        assert!(costate_simulation_run(bare).is_null());
        let missing =
            "pub P { parameters { m: kg, c: N/m = 1 } coordinates { x: m } mass { x: m } forces { x: -c*x } }";
        let missing = made(costate_simulation_new(model(missing)));
        ok(costate_simulation_set_time(missing, 1e-3, 0.1));
        not_made(costate_simulation_run(missing), 5, "parameter `m` of `P` has no value");
        ok(costate_simulation_set_parameter(missing, 0, -1.0));
        not_made(costate_simulation_run(missing), 6, "m");
    }
}

#[test]
fn costs_and_steps_are_checked() {
    unsafe {
        let simulation = mount();
        let cost = made(costate_cost_new(simulation, 0));
        let (x, mut value) = ([20.0, 100e3, 3e9, 40.0], [0.0]);
        let evaluate = |x: &[f64], value: &mut [f64]| {
            costate_cost_evaluate(cost, In::of(x), x.len(), Out::of(value), Out::null(), 0)
        };
        refused(evaluate(&x, &mut value), 5, "the cost compares nothing");
        let measure = |output: usize, times: &[f64], weight: f64| {
            costate_cost_measure(cost, output, In::of(times), In::of(times), times.len(), weight)
        };
        refused(measure(2, &[0.0, 0.01], 1.0), 1, "there is no output 2");
        refused(measure(0, &[0.0, 5.0], 1.0), 5, "costate_simulation_set_time");
        refused(measure(0, &[0.0, 0.01], f64::NAN), 5, "weight");
        refused(measure(0, &[], 1.0), 5, "no samples");
        ok(measure(0, &[0.0, 0.01], 1.0));
        refused(evaluate(&x[..3], &mut value), 1, "x has 3 numbers; give 4");
        refused(evaluate(&[20.0, f64::NAN, 3e9, 40.0], &mut value), 6, "NaN");
        refused(costate_cost_set_unknowns(cost, In::of(&[1, 1]), 2), 1, "named twice");
        refused(costate_cost_set_unknowns(cost, In::of(&[4]), 1), 1, "no parameter 4");
        not_made(costate_cost_new(simulation, 3), 1, "no quadrature 3");

        let stepper = made(costate_stepper_new(simulation));
        let mut by = [0.0; 4];
        let vjp = |by: &mut [f64]| {
            let (end, none) = ([1.0; 4], Out::null());
            costate_stepper_vjp(stepper, In::of(&end), 4, Out::of(by), by.len(), none, 0, none, 0, none, 0)
        };
        refused(vjp(&mut by), 6, "step");
        ok(costate_stepper_step(stepper));
        ok(vjp(&mut by));
        refused(vjp(&mut by[..3]), 1, "by_state has 3 numbers; give 4");
        ok(costate_stepper_set_input(stepper, 0, f64::NAN));
        refused(costate_stepper_step(stepper), 5, "`drive` is NaN");
        refused(costate_stepper_set_state(stepper, In::of(&[f64::NAN; 3]), 3), 6, "NaN");
        refused(costate_stepper_set_step(stepper, 0.0), 5, "step");
        refused(costate_stepper_set_parameter(stepper, 0, f64::INFINITY), 6, "inf");
        refused(costate_stepper_set_parameter(stepper, 4, 1.0), 1, "there is no parameter 4");
        assert!(costate_stepper_output(stepper, 2).is_nan());
        ok(costate_stepper_set_input(stepper, 0, 1.0));
        ok(costate_stepper_step(stepper));
    }
}
