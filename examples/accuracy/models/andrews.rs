//! Andrews' squeezing mechanism in the seven angles of the test set, by its energies.

#[path = "../../mechanisms/andrews.rs"]
mod model;

use crate::study::Study;

pub use model::Andrews;

/// The published interval, two and a half revolutions of the crank.
pub fn study() -> Study<Andrews> {
    Study { model: Andrews::default(), end: 0.03, steps: 1000, output: Andrews::ARM }
}
