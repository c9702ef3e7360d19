//! What is said about a model while it is read.

use crate::diagnostic::{Diagnostics, Place};

/// The errors so far, and what they make unknown.
#[derive(Default)]
pub struct Report {
    pub diagnostics: Diagnostics,
    /// Errors behind which the model could still be read to its end.
    remarks: usize,
    /// There are syntax errors: some declarations could not be read.
    pub incomplete: bool,
    /// A mistake ended a loop: what it would have defined is not known, through no fault of its users.
    pub cut_short: bool,
}

impl Report {
    /// Behind the errors that parsing has found.
    pub fn new(diagnostics: Diagnostics) -> Self {
        let incomplete = !diagnostics.is_empty();
        Report { diagnostics, remarks: 0, incomplete, cut_short: false }
    }

    /// Reports a mistake.
    pub fn error(&mut self, place: impl Into<Place>, message: impl Into<String>) {
        self.diagnostics.error(place, message);
    }

    /// Reports a mistake because of which there is no value.
    pub fn refuse<T>(&mut self, place: impl Into<Place>, message: impl Into<String>) -> Option<T> {
        self.error(place, message);
        None
    }

    /// Reports a mistake behind which the model can still be read to its end.
    pub fn remark(&mut self, place: Place, message: impl Into<String>) {
        // What stands beside a syntax error may have been cut off. Once for all repetitions of a loop and all uses of a
        // component, whose names differ.
        if !self.incomplete && !self.diagnostics.has_error_in(place) {
            self.diagnostics.error(place, message);
            self.remarks += 1;
        }
    }

    /// Number of errors because of which something of the model is missing.
    pub fn faults(&self) -> usize {
        self.diagnostics.len() - self.remarks
    }
}
