//! The command `costate`, and the crates that it makes.

#![allow(clippy::unwrap_used, reason = "helpers of tests may fail")]

mod animate;
mod check;
mod collect;
mod compile;
mod defaults;
mod kills;
mod new;
mod output;
mod report;
mod standalone;
mod support;
