//! The output of rustc for mistakes in a model and in its use: one message for a mistake, at the token that
//! is wrong. `mistakes/<name>.rs` has the program, `<name>.stderr` beside it the expected output. All
//! messages of the compiler of models, with marks of its own, are tested in its crate.
//!
//! `TRYBUILD=overwrite cargo test -p costate --test mistakes` writes the texts anew.

#[test]
fn mistakes() {
    trybuild::TestCases::new().compile_fail("tests/mistakes/*.rs");
}
