//! The command `costate`, and the crates that it makes.

#![allow(clippy::unwrap_used, reason = "helpers of tests may fail")]

mod animate;
mod base_parameters;
mod bench;
mod between;
mod book;
mod campaign;
mod certainty;
mod check;
mod clocks;
mod collect;
mod compare;
mod compile;
mod defaults;
mod driven_verdicts;
mod files;
mod filter;
mod fit;
mod fmu;
mod gradient;
mod interrupts;
mod kills;
mod manual;
mod many_errors;
mod new;
mod output;
mod predictions;
mod profiles;
mod reading;
mod record_verdicts;
mod records;
mod report;
mod restoring_force;
mod run;
mod run_errors;
mod spectra_verdicts;
mod standalone;
mod support;
mod verdicts;
mod vibration;
mod watch;
mod words;
