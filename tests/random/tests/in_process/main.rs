//! Random models in process, without rustc: the expressions that the compiler emits against the reference, the same
//! model written in other ways, broken texts.
//!
//! `COSTATE_RANDOM_MODELS=5000` tries as many models, `COSTATE_RANDOM_SEED=100` others. A failure prints seed and
//! model.

mod compared;
mod equations;
mod mutations;
mod rewritten;

use costate_random_models::options::seeds;

/// Tries all seeds; prints the first one that fails whole, of all others the first line.
fn each_seed(count: u64, mut one: impl FnMut(u64) -> Result<(), String>) {
    let mut failed = |seed| one(seed).err().map(|why| format!("seed {seed}: {why}"));
    let failures: Vec<String> = seeds(count).filter_map(&mut failed).collect();
    let others: Vec<&str> = failures.iter().skip(1).filter_map(|why| why.lines().next()).collect();
    assert!(failures.is_empty(), "{}\n{}", failures[0], others.join("\n"));
}
