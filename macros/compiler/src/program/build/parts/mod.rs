//! Parts of a model that have the same structure: the corners of a car, the arms of a robot.
//!
//! This page describes what several crates do for such models. Measured on the car of `examples/mechanisms/car.rs` with
//! its four corners, when this was added: its code shrank from 46 400 to 13 900 lines and rustc's time from 244 s to
//! 34 s, loops that are found by their shapes included; a step took 34.2 us without parts, 29.4 us with four
//! repetitions of the loops in the lanes of a vector, and 18.0 us with the factors of four parts in lanes as well.
//!
//! | place | what it does |
//! |---|---|
//! | `mechanics/alike.rs`, `mechanics/parts.rs` | find the parts, and what belongs to each |
//! | this folder | writes the functions of groups as a loop over the parts |
//! | `emit/part_loop.rs`, `scalar/repetitions.rs` of `numerics` | four repetitions of the loop side by side |
//! | `mechanics/elimination/library.rs` | an order of pivots in which the parts come first, each in the same order |
//! | `linalg/sparse_lu/parts.rs` of `numerics` and the files that it names | factors of four parts side by side |
//!
//! The structure of the mechanism says what the parts are ([`Parts`](crate::mechanics::Parts)). What a function
//! computes is cut by these parts (`split`): numbers of one part, numbers of none, and sums of several parts. The
//! numbers of all parts become one loop, in which an expression stands for those of all parts (`template`); signs,
//! lengths and positions are read from tables (`write`). Names and the numbers in expressions do not matter, only the
//! operations.

mod split;
mod template;
mod write;

pub use split::Split;
pub use write::write;
