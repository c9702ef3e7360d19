//! costate for C: models loaded from text, simulation, exact gradients, derivatives of single steps.
//!
//! The header `include/costate.h` describes every function, and the README how programs are linked. `handles` has the
//! objects of callers and the numbers by which they name them, `boundary` makes statuses and texts of errors and
//! panics, and `memory` reads and writes arrays of callers. The other modules have the functions, by their kinds of
//! objects.

pub mod boundary;
pub mod cost;
pub mod handles;
pub mod memory;
pub mod model;
pub mod run;
pub mod simulation;
pub mod stepper;
pub mod version;
mod words;
