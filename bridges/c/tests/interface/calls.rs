//! Models, and calls that do not fail.

use std::ffi::{CStr, CString, c_int, c_void};

use costate_c::memory::{In, Out, Text};
use costate_c::model::costate_model_from_text;
use costate_c::simulation::{
    costate_simulation_new, costate_simulation_set_input_samples, costate_simulation_set_time,
};
use costate_c::version::costate_last_error;

/// The model of the examples.
pub const MOUNT: &str = include_str!("../../examples/mount.model");

/// Two masses on a rope over a pulley: a constraint that depends on a parameter, and a table.
pub const HOIST: &str = "pub Hoist {
    parameters { m: kg = 2, growth: kg/m = 0.7, load: kg = 3, c: N/m = 400, c_3: N/m^3 = 3e4, d: N*s/m = 5,
        rope: m = 1.5 }
    inputs { drive: N, push: N }
    coordinates { x: m, y: m }
    kinetic { (m + growth*x)/2*dot(x)^2 + load/2*dot(y)^2 }
    potential { c/2*x^2 + c_3/4*x^4 - load*9.81[m/s^2]*y }
    dissipation { d/2*dot(x)^2 }
    forces { x: drive + push }
    constraints { rope_length: x + y - rope }
    initial { x = 0.3[m] }
    outputs { position: m = x, tension: N = multiplier(rope_length), speed: m/s = dot(x) }
}";

pub type Object = *mut c_void;

pub fn text(text: &str) -> CString {
    CString::new(text).unwrap()
}

pub fn last_error() -> String {
    unsafe { CStr::from_ptr(costate_last_error()) }.to_str().unwrap().to_owned()
}

#[track_caller]
pub fn ok(status: c_int) {
    assert_eq!(status, 0, "{}", last_error());
}

#[track_caller]
pub fn made(object: Object) -> Object {
    assert!(!object.is_null(), "{}", last_error());
    object
}

pub fn model(of: &str) -> Object {
    made(unsafe { costate_model_from_text(Text::of(&text(of)), Text::null(), Text::null()) })
}

/// A simulation with these inputs, sampled at steps, and held for a stepper.
pub fn simulation(model: Object, step: f64, steps: usize, inputs: &[fn(f64) -> f64]) -> Object {
    let simulation = made(unsafe { costate_simulation_new(model) });
    let times: Vec<f64> = (0..=steps).map(|i| i as f64 * step).collect();
    for (index, input) in inputs.iter().enumerate() {
        let values: Vec<f64> = times.iter().map(|t| input(*t)).collect();
        ok(unsafe {
            costate_simulation_set_input_samples(simulation, index, In::of(&times), In::of(&values), times.len(), 0)
        });
    }
    ok(unsafe { costate_simulation_set_time(simulation, step, steps as f64 * step) });
    simulation
}

/// Calls a function that writes so many numbers.
pub fn numbers(count: usize, write: impl FnOnce(Out, usize) -> c_int) -> Vec<f64> {
    let mut values = vec![f64::NAN; count];
    ok(write(Out::of(&mut values), count));
    values
}
