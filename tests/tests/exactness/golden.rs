//! The checked-in code of a small model compiles and runs. Tests of the compiler compare it with what is emitted.

#[rustfmt::skip]
#[path = "../../golden/discrete_oscillator.rs"]
mod discrete_oscillator;

use costate::Simulation;

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
