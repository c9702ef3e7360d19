//! Stopping a run from another thread or a signal handler, and the record of the work that was stopped.

use std::fmt;
use std::path::{Path, PathBuf};

pub use costate_ensemble::Interrupt;

/// The error of all work that an [`Interrupt`] has stopped, with the place from which the work can be
/// continued.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
#[error("{work}; {}", self.kept())]
pub struct Interrupted {
    /// The work that was stopped, and its progress.
    pub work: InterruptedWork,
    /// The file, or the folder of logs, from which the same work continues; `None` if nothing is kept.
    pub state_file: Option<PathBuf>,
}

/// Work that was interrupted.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum InterruptedWork {
    /// A run.
    Run {
        /// Time in s that was reached.
        time: f64,
    },
    /// An identification from one start.
    Identification {
        /// Complete iterations.
        iterations: usize,
    },
    /// A search for an optimal input from one start.
    OptimalInput {
        /// Complete iterations.
        iterations: usize,
    },
    /// Identifications from many starts.
    Multistart {
        /// Starts that had led to a result.
        ended: usize,
        /// Number of starts.
        starts: usize,
    },
    /// Profiles of the unknowns of an identification.
    Profiles {
        /// Sides of profiles that were done.
        sides: usize,
        /// Number of sides.
        all: usize,
    },
    /// An identification repeated with other noise.
    Repetitions {
        /// Repetitions that had led to a result.
        succeeded: usize,
        /// Number of repetitions.
        repetitions: usize,
    },
}

impl Interrupted {
    /// Describes interrupted work of which nothing is kept.
    #[doc(hidden)]
    pub fn without_trace(work: InterruptedWork) -> Self {
        Self { work, state_file: None }
    }

    /// Describes interrupted work whose state file is kept, if it has been written already.
    #[doc(hidden)]
    pub fn with_state(work: InterruptedWork, file: Option<&Path>) -> Self {
        Self { work, state_file: file.filter(|file| file.exists()).map(Path::to_owned) }
    }

    /// Describes interrupted work whose results so far are kept in a folder, if there is one.
    #[doc(hidden)]
    pub fn with_folder(work: InterruptedWork, folder: Option<&Path>) -> Self {
        Self { work, state_file: folder.map(Path::to_owned) }
    }

    fn kept(&self) -> String {
        match (&self.state_file, &self.work) {
            (Some(file), _) => format!("run the same again to continue from `{}`", file.display()),
            (None, InterruptedWork::Identification { .. } | InterruptedWork::OptimalInput { .. }) => {
                "nothing of it is kept: only `.run()` with `.state_file(path)` can be continued".to_owned()
            }
            (None, _) => "nothing of it is kept".to_owned(),
        }
    }
}

impl fmt::Display for InterruptedWork {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Run { time } => write!(f, "the run was interrupted at {time} s"),
            Self::Identification { iterations } => {
                write!(f, "the identification was interrupted after {iterations} iterations")
            }
            Self::OptimalInput { iterations } => {
                write!(f, "the search for an optimal input was interrupted after {iterations} iterations")
            }
            Self::Multistart { ended, starts } => {
                write!(f, "the multistart was interrupted when {ended} of {starts} starts had led to a result")
            }
            Self::Profiles { sides, all } => {
                write!(f, "interrupted when {sides} of {all} sides of profiles were done")
            }
            Self::Repetitions { succeeded, repetitions } => {
                write!(f, "interrupted when {succeeded} of {repetitions} repetitions had led to a result")
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_kept_is_said_once() {
        let work = InterruptedWork::Identification { iterations: 4 };
        let missing = Interrupted::with_state(work.clone(), Some(Path::new("/no/such/state.json")));
        assert_eq!(
            missing.to_string(),
            "the identification was interrupted after 4 iterations; nothing of it is kept: only `.run()` with \
             `.state_file(path)` can be continued"
        );
        let kept = Interrupted::with_state(work, Some(Path::new(env!("CARGO_MANIFEST_DIR"))));
        assert!(kept.to_string().contains("iterations; run the same again to continue from `/"), "{kept}");
        let run = Interrupted::without_trace(InterruptedWork::Run { time: 3.0 });
        assert_eq!(run.to_string(), "the run was interrupted at 3 s; nothing of it is kept");
    }
}
