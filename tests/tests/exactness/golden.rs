//! The emitted code of a small model, checked in: it is what the compiler emits today, and it compiles and runs.
//!
//! After a change of the compiler, `COSTATE_UPDATE=1 cargo test --test golden` writes it again, as
//! `costate expand golden/discrete_oscillator.model -o golden/discrete_oscillator.rs` does.

#[rustfmt::skip]
#[path = "../../golden/discrete_oscillator.rs"]
mod discrete_oscillator;

use costate::Simulation;
use costate_compiler::{Arguments, ModelFile};

#[test]
fn the_checked_in_code_is_up_to_date() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/golden/discrete_oscillator.rs");
    // The model of DA 4 as in `costate-models`.
    let model = concat!(env!("CARGO_MANIFEST_DIR"), "/golden/discrete_oscillator.model");
    let code = ModelFile::read(model).unwrap().expand(None, &Arguments::new()).unwrap().code;
    if std::env::var_os("COSTATE_UPDATE").is_some() {
        std::fs::write(path, &code).unwrap();
    }
    let checked_in = std::fs::read_to_string(path).unwrap();
    assert_eq!(checked_in, code, "run `COSTATE_UPDATE=1 cargo test --test golden`");
}

#[test]
fn checked_in_code_and_macro_give_the_same_bits() {
    let golden = discrete_oscillator::DiscreteOscillator::default();
    let golden = Simulation::new(&golden).step(0.01).until(2.0).run().unwrap();
    let expanded = costate_models::DiscreteOscillator::default();
    let expanded = Simulation::new(&expanded).step(0.01).until(2.0).run().unwrap();
    let bits = |values: Vec<f64>| values.into_iter().map(f64::to_bits).collect::<Vec<_>>();
    assert_eq!(
        bits(golden.output(discrete_oscillator::DiscreteOscillator::ACCELERATION)),
        bits(expanded.output(costate_models::DiscreteOscillator::ACCELERATION))
    );
}
