//! Output and end of a program.

use std::fmt::Display;
use std::io::Write;

/// The exit code of a program that was stopped by Ctrl-C, by the convention of shells.
pub const INTERRUPTED: u8 = 130;

/// Prints a line. A reader that has closed the pipe, such as `head`, is no reason to fail.
pub fn say(line: impl Display) {
    let _ = writeln!(std::io::stdout(), "{line}");
}
