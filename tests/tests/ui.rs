//! Wrong models and what the compiler says about them; rare models that are right.
//!
//! `TRYBUILD=overwrite cargo test -p costate-tests --test ui` writes the expected messages anew.

#[test]
fn messages() {
    let cases = trybuild::TestCases::new();
    let stages = [
        "syntax",
        "names",
        "indices",
        "units",
        "dimensions",
        "tables",
        "meaning",
        "energies",
        "bodies",
        "components",
        "structure",
        "equations",
        "warnings",
        "use",
    ];
    for stage in stages {
        cases.compile_fail(format!("ui/{stage}/*.rs"));
    }
}

#[test]
fn valid_models() {
    trybuild::TestCases::new().pass("ui/ok/*.rs");
}
