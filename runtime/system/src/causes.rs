//! Errors with their causes in one line, for tables and files.

use std::error::Error;

/// The message of an error and those of its causes, `a: b: c`.
pub fn with_causes(error: &dyn Error) -> String {
    let mut text = error.to_string();
    let mut cause = error.source();
    while let Some(error) = cause {
        text = format!("{text}: {error}");
        cause = error.source();
    }
    text
}
