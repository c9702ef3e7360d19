//! The time to compile models to Rust tokens.
//!
//! `cargo bench -p costate-compiler --bench expand`

use std::time::Instant;

use costate_compiler::compile;
use proc_macro2::TokenStream;

/// Expansions of each model; the median counts.
const RUNS: usize = 21;

fn main() {
    println!("{:<16} {:>12} {:>12} {:>12}", "model", "expansion", "operations", "tokens");
    let [linear, squared] = ["k*x[j]", "k*(x[i] - x[j])^2*1[1/m]"].map(dense);
    for (name, source) in [
        ("engine_mount", include_str!("../tests/fixtures/engine_mount.model")),
        ("cart_pendulum", include_str!("../tests/fixtures/cart_pendulum.model")),
        ("dense, linear", &linear),
        ("dense, squared", &squared),
    ] {
        let Ok(tokens) = source.parse::<TokenStream>() else { continue };
        let mut seconds = Vec::new();
        let (mut operations, mut size) = (0, 0);
        for _ in 0..RUNS {
            let tokens = tokens.clone();
            let start = Instant::now();
            let compiled = compile(tokens);
            seconds.push(start.elapsed().as_secs_f64());
            if let Ok(compiled) = compiled {
                operations = compiled.operations.iter().map(|count| count.total()).sum();
                size = compiled.code().to_string().split_whitespace().count();
            }
        }
        seconds.sort_by(f64::total_cmp);
        println!("{name:<16} {:>9.1} ms {operations:>12} {size:>12}", seconds[RUNS / 2] * 1e3);
    }
}

/// Writes a model of the largest size with a force of every coordinate on all others.
fn dense(force: &str) -> String {
    format!(
        "Dense {{
            parameters {{ k: N/m = 1, m: kg = 1 }}
            coordinates {{ x[1..=200]: m }}
            mass {{ for i in 1..=200 {{ x[i]: m }} }}
            forces {{ for i in 1..=200 {{ x[i]: -sum(j in 1..=200, {force}) }} }}
        }}"
    )
}
