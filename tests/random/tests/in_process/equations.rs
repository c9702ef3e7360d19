//! Every value and every derivative against the reference, and the code as Rust.

use costate_compiler::{Compiled, compile_str};
use costate_random_models::compare::Count;
use costate_random_models::flat::Flat;
use costate_random_models::generate;

use super::compared::compare;
use super::each_seed;

/// The compiled model, or what the compiler says.
pub fn compiled(text: &str) -> Result<Compiled, String> {
    compile_str(text).map_err(|errors| errors.iter().map(|error| format!("{error}\n")).collect())
}

fn check(text: &str, flat: &Flat, seed: u64, count: &mut Count) -> Result<(), String> {
    let compiled = compiled(text)?;
    compiled.source().map_err(|error| format!("no Rust: {error}"))?;
    compare(&compiled, flat, seed, count)
}

#[test]
fn values_and_derivatives() {
    let mut count = Count::default();
    each_seed(150, |seed| {
        let model = generate::model(seed);
        let (text, flat) = (model.text(), model.written_out(&[]));
        check(&text, &flat, seed, &mut count).map_err(|why| format!("{why}\n{text}"))
    });
    assert!(count.blocks > 0 && count.skipped * 50 < count.blocks, "{count:?}");
}

/// Bodies in space, a few: their references are long.
#[test]
fn spatial_bodies() {
    let mut count = Count::default();
    each_seed(16, |seed| {
        let model = generate::spatial_model(seed);
        let (text, flat) = (model.text(), model.written_out(&[]));
        check(&text, &flat, seed, &mut count).map_err(|why| format!("{why}\n{text}"))
    });
    assert!(count.blocks > 0 && count.skipped * 50 < count.blocks, "{count:?}");
}
