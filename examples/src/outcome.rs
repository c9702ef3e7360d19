//! What a program says, and how it ends.

use std::error::Error;
use std::fmt::Display;
use std::io::Write;
use std::process::ExitCode;

/// The exit code of a program that Ctrl-C stopped, by the shells' convention.
pub const INTERRUPTED: u8 = 130;

/// Prints a line. A reader that has gone away, such as `head`, is no reason to fail.
pub fn say(line: impl Display) {
    let _ = writeln!(std::io::stdout(), "{line}");
}

/// The exit code; an error is explained on the terminal.
pub fn exit(result: Result<ExitCode, Box<dyn Error>>) -> ExitCode {
    result.unwrap_or_else(|error| {
        eprintln!("error: {}", explain(error.as_ref()));
        ExitCode::FAILURE
    })
}

/// The error's message with its causes, unless they are part of it already.
pub fn explain(error: &dyn Error) -> String {
    let mut text = error.to_string();
    let mut cause = error.source();
    while let Some(error) = cause {
        let message = error.to_string();
        if !text.contains(&message) {
            text = format!("{text}: {message}");
        }
        cause = error.source();
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cause_is_named_once() {
        let cause = "x".parse::<f64>().unwrap_err();
        assert_eq!(explain(&cause), cause.to_string());
        let error = std::io::Error::other(cause);
        assert_eq!(explain(&error).matches("invalid float").count(), 1);
    }
}
