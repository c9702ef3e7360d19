//! Exit codes of the command.

use std::process::ExitCode;

/// The end of a command.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Exit {
    /// Done.
    #[default]
    Done,
    /// The model or the data are wrong, or a file cannot be read or written.
    Wrong,
    /// Wrong arguments.
    Arguments,
    /// Done, but the result is doubtful.
    Doubtful,
    /// Interrupted.
    Interrupted,
}

/// The exit codes as `--help` shows them.
pub const HELP: &str = "Exit codes:
  0    done
  1    the model or the data are wrong, or a file cannot be read or written; a message says which
  2    wrong arguments
  3    done, but the result is doubtful: lines that begin with `doubtful:` say why, those about files that were read
       before the result; lines that begin with `note:` leave 0
  130  interrupted";

impl Exit {
    /// Returns the number.
    pub fn code(self) -> u8 {
        match self {
            Self::Done => 0,
            Self::Wrong => 1,
            Self::Arguments => 2,
            Self::Doubtful => 3,
            Self::Interrupted => 130,
        }
    }
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> Self {
        Self::from(exit.code())
    }
}

#[cfg(test)]
mod tests {
    use super::{Exit, HELP};

    #[test]
    fn the_help_lists_every_code_in_order() {
        let all = [Exit::Done, Exit::Wrong, Exit::Arguments, Exit::Doubtful, Exit::Interrupted];
        let listed = HELP.lines().skip(1).filter_map(|line| line.split_whitespace().next()?.parse::<u8>().ok());
        assert!(listed.eq(all.map(Exit::code)));
    }
}
