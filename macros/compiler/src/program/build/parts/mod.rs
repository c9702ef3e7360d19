//! Parts of a model that have the same structure: the corners of a car, the arms of a robot.
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
