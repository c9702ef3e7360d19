//! The command `costate`, and the crates that it makes.

#![allow(clippy::unwrap_used, reason = "helpers of tests may fail")]

mod animate;
mod bench;
mod campaign;
mod check;
mod collect;
mod compile;
mod defaults;
mod filter;
mod fit;
mod kills;
mod new;
mod output;
mod profiles;
mod report;
mod standalone;
mod support;
