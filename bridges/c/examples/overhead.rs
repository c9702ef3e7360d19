//! Measures what calls through C cost, beside the same steps and gradients in Rust.
#![allow(clippy::undocumented_unsafe_blocks, clippy::unwrap_used)]

use std::ffi::CString;
use std::hint::black_box;
use std::path::Path;
use std::time::Instant;

use costate::command::{Arguments, ModelFile};
use costate::interpreted::LoadedModel;
use costate_c::memory::{In, Out, Text};
use costate_c::model::costate_model_from_text;
use costate_c::simulation::{costate_simulation_new, costate_simulation_set_input, costate_simulation_set_time};
use costate_c::stepper::{
    costate_stepper_advance, costate_stepper_new, costate_stepper_output, costate_stepper_set_input,
    costate_stepper_step,
};

const STEPS: usize = 1_000;
const ROUNDS: usize = 1_500;

const MOUNT: &str = include_str!("mount.model");

/// A chain of ten masses on springs.
const CHAIN: &str = "pub Chain {
    parameters { m: kg = 1, c: N/m = 1e3, c_3: N/m^3 = 1e6, d: N*s/m = 2 }
    inputs { drive: N }
    coordinates { for i in 1..=10 { x[i]: m } }
    mass { for i in 1..=10 { x[i]: m } }
    forces {
        x[1]: drive,
        for i in 1..=10 { x[i]: -c*x[i] - c_3*x[i]^3 - d*dot(x[i]) }
        for i in 2..=10 {
            let spring = c*(x[i] - x[i-1]);
            x[i]: -spring,
            x[i-1]: spring,
        }
    }
    outputs { position: m = x[10] }
}";

/// Shortest time of some work, in ns for each step.
fn shortest(work: &mut dyn FnMut()) -> f64 {
    let begun = Instant::now();
    work();
    begun.elapsed().as_secs_f64() * 1e9 / STEPS as f64
}

fn force(i: usize) -> f64 {
    10.0 * (1e-3 * i as f64).sin()
}

fn main() {
    for (name, text) in [("mount", MOUNT), ("chain of 10 masses", CHAIN)] {
        let file = ModelFile::from_text(Path::new("overhead.model"), text.to_owned()).unwrap();
        let model = LoadedModel::of_file(&file, None, &Arguments::new()).unwrap();
        let (input, output) = (model.input("drive").unwrap(), model.output("position").unwrap());
        let simulation = model.simulation().unwrap().input(input, 0.0).step(1e-4).until(1e-4);
        let values: Vec<f64> = model.defaults().iter().map(|value| value.unwrap()).collect();
        let mut of_rust = model.stepper(&simulation.problem().unwrap(), &values).unwrap();
        let of_c = unsafe {
            let text = CString::new(text).unwrap();
            let simulation =
                costate_simulation_new(costate_model_from_text(Text::of(&text), Text::null(), Text::null()));
            costate_simulation_set_input(simulation, 0, 0.0);
            costate_simulation_set_time(simulation, 1e-4, 1e-4);
            costate_stepper_new(simulation)
        };
        let mut outputs = of_rust.outputs();
        let mut found = outputs.clone();
        let (mut rust, mut single, mut three) = (f64::INFINITY, f64::INFINITY, f64::INFINITY);
        // in turns, so that what disturbs the machine disturbs all
        for _ in 0..ROUNDS {
            rust = rust.min(shortest(&mut || {
                for i in 0..STEPS {
                    of_rust.set_input(input, force(i));
                    of_rust.step().unwrap();
                    of_rust.outputs_into(&mut outputs);
                    black_box(outputs[output.index()]);
                }
            }));
            single = single.min(shortest(&mut || {
                for i in 0..STEPS {
                    let (given, count) = ([force(i)], found.len());
                    let to = Out::of(&mut found);
                    assert_eq!(unsafe { costate_stepper_advance(of_c, In::of(&given), 1, to, count) }, 0);
                    black_box(found[0]);
                }
            }));
            three = three.min(shortest(&mut || {
                for i in 0..STEPS {
                    unsafe {
                        costate_stepper_set_input(of_c, 0, force(i));
                        assert_eq!(costate_stepper_step(of_c), 0);
                        black_box(costate_stepper_output(of_c, 0));
                    }
                }
            }));
        }
        println!(
            "{name}: {rust:.0} ns a step in Rust; {single:.0} ns by costate_stepper_advance ({:+.1} %), {three:.0} ns \
             by three calls ({:+.1} %)",
            100.0 * (single / rust - 1.0),
            100.0 * (three / rust - 1.0)
        );
    }
}
