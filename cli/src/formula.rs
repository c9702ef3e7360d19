//! Expressions on the command line: signals of inputs.

use costate::simulate::InputSignal;
use costate_compiler::{Diagnostic, Formula, Quantity};

use crate::error::CommandError;

/// Reads the signal of an input: an expression of the time.
///
/// # Errors
/// [`CommandError::Formula`].
pub fn signal(input: &Quantity, text: &str) -> Result<InputSignal, CommandError> {
    let of = format!("--input {}", input.name);
    let formula = Formula::signal(text, input).map_err(|found| wrong(of, text, found))?;
    Ok(InputSignal::function(move |time| formula.value(time, &[])))
}

/// Returns the error of an expression with these mistakes.
pub fn wrong(of: String, text: &str, found: Vec<Diagnostic>) -> CommandError {
    let faults = found.into_iter().map(|fault| (fault.range(), fault.message)).collect();
    CommandError::Formula { of, text: text.to_owned(), faults }
}
