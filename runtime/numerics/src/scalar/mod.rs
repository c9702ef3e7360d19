//! The numbers that the functions of compiled models take: `f64`, dual numbers, four numbers side by side,
//! and other implementations of [`Scalar`].
//!
//! Errors of settings out of their range, and functions for the largest of several numbers, are here as well.
//! Models are not known here.

mod collect;
mod dispatch;
mod dual;
mod elementary;
mod forwarded;
mod fours;
mod lane_set;
mod lanes;
pub mod largest;
mod moving;
mod number;
mod numbers;
pub mod out_of_range;
mod parts;
mod plain;
mod reals;
mod repetitions;
mod width;

pub use collect::{CollectVec, each_lane, map_lanes};
pub use dispatch::Work;
pub use dual::Dual;
pub use fours::Fours;
pub use moving::Moving;
pub use number::{Branching, Scalar, Vector};
pub use numbers::{Entries, Numbers};
pub use parts::{array, component_into, gather, lane_into, lift_into, real_into, real_part, scatter};
pub use reals::Reals;
pub use repetitions::{PartLoop, Repetitions, Run, side_by_side};

pub use lane_set::LaneSet;
pub use lanes::{LaneMask, Lanes};
pub use numbers::LaneOf;
pub use width::LANES;

/// Returns true if this processor has vectors of four numbers that are used.
pub fn lanes_are_available() -> bool {
    Lanes::are_available()
}
