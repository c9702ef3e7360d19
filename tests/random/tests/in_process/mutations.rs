//! Broken models: no panic, no endless loop, every mistake at a place in the text, and accepted models give Rust.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::Duration;

use costate_compiler::compile_str;
use costate_random_models::{generate, mutate};
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;

use super::each_seed;

/// Time limit for one model; without a hang it takes a hundredth of a second.
const LONGEST: Duration = Duration::from_secs(120);

/// Checks that a text is accepted and gives Rust, or is refused with errors in the text; returns whether it was
/// accepted.
fn check(text: &str) -> Result<bool, String> {
    let compiled = catch_unwind(AssertUnwindSafe(|| compile_str(text)));
    match compiled {
        Err(_) => Err("a panic".to_owned()),
        Ok(Ok(model)) => model.source().map(|_| true).map_err(|error| format!("no Rust: {error}")),
        Ok(Err(errors)) if errors.is_empty() => Err("no model and no error".to_owned()),
        Ok(Err(errors)) => {
            let outside = errors.iter().find(|error| {
                let (range, (line, column)) = (error.range(), error.position());
                let width = text.lines().nth(line.wrapping_sub(1)).map(|line| line.chars().count() + 1);
                range.end > text.len() || width.is_none_or(|width| column > width)
            });
            outside.map_or(Ok(false), |error| Err(format!("not in the text: {error}")))
        }
    }
}

#[test]
fn broken_models() {
    let (mut tried, mut accepted) = (0, 0);
    each_seed(12, |seed| {
        let text = generate::model(seed).text();
        let mut random = ChaCha8Rng::seed_from_u64(seed);
        let mutants: Vec<String> = (0..60).map(|_| mutate::mutant(&text, &mut random)).collect();
        let (sender, receiver) = channel();
        // source positions are known only in the thread that has read the text
        let of_thread = mutants.clone();
        std::thread::spawn(move || of_thread.iter().all(|text| sender.send(check(text)).is_ok()));
        for mutant in &mutants {
            let result = receiver.recv_timeout(LONGEST).map_err(|error| match error {
                RecvTimeoutError::Timeout => format!("no end\n{mutant}"),
                RecvTimeoutError::Disconnected => format!("a panic\n{mutant}"),
            })?;
            tried += 1;
            accepted += usize::from(result.map_err(|why| format!("{why}\n{mutant}"))?);
        }
        Ok(())
    });
    assert!(tried > 0 && accepted > 0 && accepted < tried / 2, "{accepted} of {tried}");
}
