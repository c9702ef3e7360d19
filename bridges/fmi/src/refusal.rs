//! The status of a call, and the text that is logged with it.

use std::fmt::Display;

/// The status that a call returns, with the numbers of `fmi3Status`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(C)]
pub enum Status {
    /// Done.
    Ok = 0,
    /// Done, with a doubt.
    Warning = 1,
    /// Refused with these values; others may be possible.
    Discard = 2,
    /// Wrong call.
    Error = 3,
    /// The instance cannot be used any more.
    Fatal = 4,
}

/// A call that is not carried out, and the reason.
#[derive(Debug, Clone, PartialEq)]
pub struct Refusal {
    /// [`Status::Error`], or [`Status::Discard`] where other values may be possible.
    pub status: Status,
    /// The reason, and what to do.
    pub text: String,
}

impl Refusal {
    /// A wrong call.
    pub fn error(text: impl Display) -> Self {
        Self { status: Status::Error, text: text.to_string() }
    }

    /// Values at which the model has no solution.
    pub fn discard(text: impl Display) -> Self {
        Self { status: Status::Discard, text: text.to_string() }
    }
}
