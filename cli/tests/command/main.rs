//! The command `costate`, and the crates that it makes.

#![allow(clippy::unwrap_used, reason = "helpers of tests may fail")]

mod animate;
mod book;
mod check;
mod collect;
mod compare;
mod compile;
mod defaults;
mod gradient;
mod kills;
mod manual;
mod new;
mod output;
mod report;
mod run;
mod standalone;
mod support;
mod watch;
