//! What a program says, and how it ends.

use std::fmt::Display;
use std::io::Write;

/// The exit code of a program that Ctrl-C stopped, by the shells' convention.
pub const INTERRUPTED: u8 = 130;

/// Prints a line. A reader that has gone away, such as `head`, is no reason to fail.
pub fn say(line: impl Display) {
    let _ = writeln!(std::io::stdout(), "{line}");
}
