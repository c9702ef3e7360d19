//! Loops in place of straight-line code where a long function computes the same over and over: for every body of a
//! chain, for every joint.
//!
//! The length of the code therefore does not grow with the number of bodies. Loops are found by the shapes of
//! statements, not taken from the loops of the model. Of the 481 statements in loops of a chain of 30 rods, 97 read
//! quantities of one repetition of a loop of the model, 63 read quantities of several repetitions, and 321 read
//! intermediate values alone. The governor and the slider crank have no loop in their models, and 545 and 148 such
//! statements in their code. These models need the search, and it finds the first 97 statements as well.
//!
//! `unit` cuts a function into units, what has a name of its own in straight-line code. `shape` determines which are
//! alike: the same operations, applied to other numbers. `schedule` puts like units together in loops and orders them,
//! by the arrays that their symbols are from; units that are like few others go by themselves. `recurrence` finds what
//! goes from part to part, which no loop of the model says. `fuse` makes one loop of loops of which one uses values of
//! the other. `storage` says where intermediate values are kept, `write` writes it all, `read` what statements take
//! from arrays, at positions that are formulas or come from tables (`index`), in what `writer` has so far; `plan`
//! decides whether that is worth it. Every number is computed by the same operations in the same order as in
//! straight-line code.

mod fuse;
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

pub use index::index;
pub use plan::{is_long, statements};
pub use read::RIGHT;
pub use write::{Written, write};
