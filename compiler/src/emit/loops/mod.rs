//! Loops in place of straight-line code where a long function computes the same over and over: for every body of a chain,
//! for every joint.
//!
//! `unit` cuts a function into units, what has a name of its own in straight-line code. `shape` tells which are alike: the
//! same operations, applied to other numbers. `schedule` puts like units together in loops and orders them, by the arrays
//! that their symbols are from; units that are like few others go by themselves. `recurrence` finds what goes from
//! part to part, which no loop of the model says. `storage` says where intermediate values are kept, `write` writes it all,
//! `read` what statements take from arrays, at positions that are formulas or come from tables (`index`), in what `writer`
//! has so far; `plan` decides whether that is worth it. Every number is computed by the same operations in the same order
//! as in straight-line code.

mod index;
mod plan;
mod read;
mod recurrence;
mod schedule;
mod shape;
mod storage;
mod unit;
mod write;
mod writer;

pub use plan::{is_long, is_short};
pub use write::{Written, write};
