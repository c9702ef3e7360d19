//! Time loops that must not allocate. These tests are a program of their own, as the allocations of every thread
//! are counted.

#![allow(clippy::unwrap_used, reason = "helpers of tests may fail")]

mod filters;
mod runs;
