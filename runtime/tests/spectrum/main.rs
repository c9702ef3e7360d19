//! Costs in frequency: lines, orders over speed and over the angle, spectra of records, sums, identifications, faults.

#![allow(clippy::unwrap_used, reason = "helpers of tests may unwrap")]

mod costs;
mod faults;
mod identification;
mod lines;
mod orders;
mod shaft;
