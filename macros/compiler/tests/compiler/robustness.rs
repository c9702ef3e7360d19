//! Models with one token deleted, doubled or swapped: never a panic, and what compiles is valid Rust.

use std::panic::{AssertUnwindSafe, catch_unwind};

use costate_compiler::compile_str;

/// Mutations of every kind that are tried of every model.
const SAMPLE: usize = 100;

/// Start and end of every token: words, numbers and single signs; brackets too, so that groups fall apart.
fn tokens(source: &str) -> Vec<(usize, usize)> {
    let mut tokens = Vec::new();
    let mut characters = source.char_indices().peekable();
    while let Some((start, character)) = characters.next() {
        let mut end = start + character.len_utf8();
        if character.is_whitespace() {
            continue;
        }
        let comment = source[start..].starts_with("///");
        let belongs = |next: char| if comment { next != '\n' } else { next.is_alphanumeric() || next == '_' };
        if comment || belongs(character) {
            while let Some((position, next)) = characters.next_if(|(_, next)| belongs(*next)) {
                end = position + next.len_utf8();
            }
        }
        tokens.push((start, end));
    }
    tokens
}

/// The source with one token deleted, doubled, or swapped with the next one.
fn mutants(source: &str) -> Vec<String> {
    let tokens = tokens(source);
    let step = (tokens.len() / SAMPLE).max(1);
    let mut mutants = Vec::new();
    for window in tokens.windows(2).step_by(step) {
        let [(start, end), (next_start, next_end)] = [window[0], window[1]];
        let (before, token, after) = (&source[..start], &source[start..end], &source[end..]);
        let (between, next, rest) = (&source[end..next_start], &source[next_start..next_end], &source[next_end..]);
        mutants.push(format!("{before}{after}"));
        mutants.push(format!("{before}{token} {token}{after}"));
        mutants.push(format!("{before}{next}{between} {token}{rest}"));
    }
    mutants
}

fn check(source: &str) {
    assert!(compile_str(source).is_ok());
    let mutants = mutants(source);
    assert!(mutants.len() >= 3 * SAMPLE, "{}", mutants.len());
    let mut compiled = 0;
    for mutant in &mutants {
        let result = catch_unwind(AssertUnwindSafe(|| compile_str(mutant)));
        assert!(result.is_ok(), "the compiler panicked on\n{mutant}");
        match result {
            Ok(Ok(model)) => {
                compiled += 1;
                let source = model.source();
                assert!(source.is_ok(), "not valid Rust: {:?}\n{mutant}", source.err());
            }
            Ok(Err(errors)) => assert!(!errors.is_empty(), "no model and no error:\n{mutant}"),
            Err(_) => {}
        }
    }
    // Without a default value, a term or a minus sign it is still a model; a model with a slip is mostly none.
    assert!(compiled > 0 && compiled < mutants.len() / 2, "{compiled} of {}", mutants.len());
}

#[test]
fn engine_mount() {
    check(include_str!("../fixtures/engine_mount.model"));
}

#[test]
fn crank_train() {
    check(include_str!("../fixtures/crank_train.model"));
}

#[test]
fn cart_pendulum() {
    check(include_str!("../fixtures/cart_pendulum.model"));
}

#[test]
fn chain() {
    check(include_str!("../fixtures/chain.model"));
}

#[test]
fn mechanism() {
    check(include_str!("../fixtures/mechanism.model"));
}

#[test]
fn strut_with_variants() {
    check(include_str!("../fixtures/strut.model"));
}
