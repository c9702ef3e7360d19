//! Messages about a model while it is read.

use crate::diagnostic::{Diagnostics, Place};

/// The errors so far, and their consequences.
#[derive(Default)]
pub struct Report {
    pub diagnostics: Diagnostics,
    /// Number of errors that did not prevent reading the rest of the model.
    remarks: usize,
    /// True after syntax errors, because of which some declarations could not be read.
    pub incomplete: bool,
    /// True if a mistake ended a loop, so that names which the loop would have defined are unknown.
    pub cut_short: bool,
}

impl Report {
    /// Starts with the errors that the parser has found.
    pub fn new(diagnostics: Diagnostics) -> Self {
        let incomplete = !diagnostics.is_empty();
        Report { diagnostics, remarks: 0, incomplete, cut_short: false }
    }

    /// Reports a mistake.
    pub fn error(&mut self, place: impl Into<Place>, message: impl Into<String>) {
        self.diagnostics.error(place, message);
    }

    /// Reports a mistake, and returns `None` in place of a value.
    pub fn refuse<T>(&mut self, place: impl Into<Place>, message: impl Into<String>) -> Option<T> {
        self.error(place, message);
        None
    }

    /// Reports a mistake that does not prevent reading the rest of the model.
    pub fn remark(&mut self, place: Place, message: impl Into<String>) {
        // Text near a syntax error may be incomplete. The mistake is reported once for all repetitions of a loop and
        // all uses of a component, although their names differ.
        if !self.incomplete && !self.diagnostics.has_error_in(place) {
            let before = self.diagnostics.len();
            self.diagnostics.error(place, message);
            self.remarks += self.diagnostics.len() - before;
        }
    }

    /// Returns the number of errors because of which something is missing in the model.
    pub fn faults(&self) -> usize {
        self.diagnostics.len() - self.remarks
    }
}
