//! The number types that emitted functions accept: `f64`, dual numbers, and whatever implements [`Scalar`].

mod dispatch;
mod elementary;
mod fours;
mod lane_set;
mod lanes;
mod number;
mod numbers;
mod parts;
mod plain;
mod reals;
mod width;

pub use dispatch::Work;
pub(crate) use fours::Fours;
pub use number::{Branching, Scalar, Vector};
pub use numbers::Numbers;
pub(crate) use parts::{component_into, gather, lane_into, lift_into, real_into, real_part, scatter};
pub(crate) use reals::Reals;

pub(crate) use lane_set::LaneSet;
pub(crate) use lanes::{LaneMask, Lanes};
pub(crate) use numbers::LaneOf;
pub(crate) use width::LANES;

/// Whether this processor has vectors of four numbers that are made use of.
pub(crate) fn lanes_are_available() -> bool {
    Lanes::are_available()
}
