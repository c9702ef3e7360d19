//! Models of another version of the compiler.

use super::{SimulationError, check_version};
use crate::model::Description;

const GIVEN: u32 = costate_contract::VERSION + 1;
static OTHER: Description = Description { version: GIVEN, ..Description::new("Other") };
static OWN: Description = Description { version: costate_contract::VERSION, ..OTHER };

#[test]
fn a_model_of_another_version_is_refused() {
    let error = check_version(&OTHER).unwrap_err();
    assert!(
        matches!(error, SimulationError::Version { model: "Other", expected: costate_contract::VERSION, given: GIVEN }),
        "{error:?}"
    );
    let text = error.to_string();
    assert!(text.contains("`Other`") && text.contains(&format!("version {GIVEN}")), "{text}");
    check_version(&OWN).unwrap();
}
