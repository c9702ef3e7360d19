//! Wrong models and what the compiler says about them; rare models that are right.
//!
//! `TRYBUILD=overwrite cargo test -p costate-tests --test ui` writes the expected messages anew.

#[test]
fn messages() {
    let cases = trybuild::TestCases::new();
    for stage in ["syntax", "names", "indices", "units", "meaning", "components", "use"] {
        cases.compile_fail(format!("ui/{stage}/*.rs"));
    }
}

#[test]
fn valid_models() {
    trybuild::TestCases::new().pass("ui/ok/*.rs");
}
