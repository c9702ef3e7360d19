//! The emitted code of some models, checked in, so that a change of it can be read: a free oscillator, a constraint with
//! tables, a mechanism of bodies, and a chain that is emitted in loops.

#![allow(clippy::unwrap_used, reason = "helpers of tests may unwrap")]

use std::path::Path;

use costate_compiler::{Arguments, ModelFile};

/// Compares the code of a model with the checked-in one, or writes it.
fn check(model: &str) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/golden");
    let (source, golden) =
        (folder.join(model).with_extension("model"), folder.join(model).with_extension("rs"));
    let code = ModelFile::read(source).unwrap().expand(None, &Arguments::new()).unwrap().code;
    if std::env::var_os("COSTATE_UPDATE").is_some() {
        std::fs::write(&golden, &code).unwrap();
    }
    let checked_in = std::fs::read_to_string(&golden).unwrap();
    // both texts are long: the first line that differs
    let lines = checked_in.lines().zip(code.lines()).position(|(old, new)| old != new);
    assert!(
        checked_in == code,
        "the code of `{model}` differs from line {} on; read what `COSTATE_UPDATE=1 cargo test -p costate-compiler \
         --test compiler golden` makes of tests/golden, and check it in",
        lines.map_or(checked_in.lines().count().min(code.lines().count()), |line| line) + 1
    );
}

#[test]
fn an_oscillator() {
    check("discrete_oscillator");
}

#[test]
fn a_constraint_with_tables() {
    check("cam_follower");
}

#[test]
fn a_mechanism_of_bodies() {
    check("four_bar");
}

#[test]
fn a_chain_in_loops() {
    check("chain");
}
