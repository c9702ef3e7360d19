//! Expressions on the command line: signals of inputs.

use std::path::Path;

use costate::simulate::InputSignal;
use costate_compiler::{Diagnostic, Formula, Quantity};

use crate::diagnostics::Mark;
use crate::error::CommandError;
use crate::exit::Exit;

/// Mistakes in an expression.
#[derive(Debug, thiserror::Error)]
#[error("the expression `{text}` of {of} is wrong")]
pub struct FormulaError {
    /// The purpose of the expression, in words.
    of: String,
    text: String,
}

/// Reads the signal of an input: an expression of the time.
///
/// # Errors
/// [`FormulaError`].
pub fn signal(input: &Quantity, text: &str) -> Result<InputSignal, CommandError> {
    let of = format!("--input {}", input.name);
    let formula = Formula::signal(text, input).map_err(|found| wrong(of, text, found))?;
    Ok(InputSignal::function(move |time| formula.value(time, &[])))
}

/// Returns the error of an expression with these mistakes.
pub fn wrong(of: String, text: &str, found: Vec<Diagnostic>) -> CommandError {
    let mark = |fault: Diagnostic| Mark::new(Path::new(&of), text, fault.range(), fault.message);
    let marks = found.into_iter().map(mark).collect();
    CommandError::new(FormulaError { of, text: text.to_owned() }, Exit::Wrong).marked(marks)
}
