//! Campaigns: what is read, and what is refused at which place.

#![allow(clippy::unwrap_used, clippy::panic, reason = "helpers of tests may fail")]

mod predictions;
mod reading;
