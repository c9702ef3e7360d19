//! Wrong models and what the compiler says about them. Rare models that are right are in `unoptimised`.
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
