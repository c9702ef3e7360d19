//! Functions without a derivative somewhere.

use crate::diagnostic::{Diagnostic, Messages};
use crate::model::{Kink, Model};

/// Describes the lack of smoothness, and what to write instead.
fn message(kink: &Kink) -> String {
    let (what, remedy) = match kink.function {
        "abs" => ("a kink where its argument is zero", "`sqrt(x^2 + small^2)` is smooth"),
        "sign" => ("a jump where its argument is zero, of which derivatives know nothing", "`tanh(x/small)` is smooth"),
        "straight" => ("a kink at every knot of the table", "`monotone` is smooth"),
        "min" | "max" => ("a kink where its arguments are equal", "`smooth_step` blends smoothly"),
        _ => (
            "a kink or a jump where its condition changes, of which derivatives know nothing",
            "`smooth_step` blends smoothly",
        ),
    };
    format!("`{}` has {what}; {remedy}", kink.function)
}

/// Returns a note for every function that is not smooth.
pub fn kinks(model: &Model) -> Vec<Diagnostic> {
    let mut notes = Messages::default();
    for kink in &model.kinks {
        // all repetitions of a loop of the model have the same place
        notes.push(Diagnostic { message: message(kink), place: kink.place });
    }
    notes.into_vec("note")
}
