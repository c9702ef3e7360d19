//! Mutated inputs for readers: each gets what its corpus has, changed at random, for a fixed time.
//!
//! A test in the crate of a reader calls [`drive`]. What may become of an input is a value or an error of the reader's
//! own; a panic, or an input that takes seconds, fails the test and is kept beside the corpus.
//!
//! | variable | effect |
//! |---|---|
//! | `COSTATE_FUZZ_SECONDS` | time of every driver, 2 s without it |
//! | `COSTATE_FUZZ_SEED` | another order of inputs, of which there is one without it |
//! | `COSTATE_KILLS` | number of kills of every test that kills, 20 without it |
//! | `COSTATE_FUZZ_GROW` | adds inputs to the corpus of which something new has become |

mod corpus;
mod kills;
mod mutate;

use std::collections::BTreeSet;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::time::{Duration, Instant};

use rand::SeedableRng;
use rand::rngs::SmallRng;

use corpus::Corpus;

pub use kills::kill_while_writing;

/// The longest time that an input may take.
const LONGEST: Duration = Duration::from_secs(10);

/// Changed inputs of every driver, however little time there is.
const LEAST: usize = 50;

/// Kinds of outcomes that are told apart at most.
const MOST_KINDS: usize = 2000;

/// Gives inputs to `read`, which tells in words what has become of one: `read` of a good input, or the text of an
/// error.
///
/// The inputs are those of the folder `fuzz/corpus/NAME` and `seeds`, first as they are and then changed; `words` are
/// put into them now and then.
///
/// # Panics
/// With the panic of `read`, or for an input that takes too long; the message names the file in which the input is
/// kept.
#[expect(clippy::panic, reason = "drivers are tests")]
pub fn drive(name: &str, seeds: &[&[u8]], words: &[&str], mut read: impl FnMut(&[u8]) -> String) {
    let variable = |name: &str| std::env::var(name).ok();
    let seconds = variable("COSTATE_FUZZ_SECONDS").and_then(|text| text.parse().ok()).unwrap_or(2.0);
    let seed = variable("COSTATE_FUZZ_SEED").and_then(|text| text.parse().ok()).unwrap_or(1);
    let grows = variable("COSTATE_FUZZ_GROW").is_some();
    let mut corpus = Corpus::read(name, seeds);
    let mut random = SmallRng::seed_from_u64(seed);
    let (begin, mut kinds, mut count) = (Instant::now(), BTreeSet::new(), 0_usize);
    while count < corpus.inputs.len() + LEAST || begin.elapsed().as_secs_f64() < seconds {
        let input = match corpus.inputs.get(count) {
            Some(input) => input.clone(),
            None => mutate::mutated(&corpus.inputs, words, &mut random),
        };
        let is_new = count >= corpus.inputs.len();
        count += 1;
        let started = Instant::now();
        let outcome = match catch_unwind(AssertUnwindSafe(|| read(&input))) {
            Ok(outcome) => outcome,
            Err(panic) => {
                eprintln!("the input that panics is kept in `{}`", corpus.keep("panics", &input).display());
                resume_unwind(panic)
            }
        };
        if started.elapsed() > LONGEST {
            let file = corpus.keep("takes-long", &input);
            panic!("the input in `{}` takes {:?}", file.display(), started.elapsed());
        }
        if kinds.len() < MOST_KINDS && kinds.insert(kind(&outcome)) && is_new && grows {
            corpus.add(input);
            // what was added is behind `count`, and is one of those to change from now on
            count += 1;
        }
    }
    println!("{name}: {count} inputs, {} kinds of outcomes", kinds.len());
}

/// An outcome without what is particular to an input: numbers, and what stands in quotes.
fn kind(outcome: &str) -> String {
    let pieces = outcome.split('`').step_by(2);
    pieces.flat_map(str::chars).filter(|c| c.is_ascii_alphabetic() || *c == ' ').take(48).collect()
}
