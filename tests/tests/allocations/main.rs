//! What must not allocate does not. These tests stand alone, as every thread's allocations are counted.

#![allow(clippy::unwrap_used, reason = "helpers of tests may fail")]

mod filters;
mod runs;
