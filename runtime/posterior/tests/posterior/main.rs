//! Draws against closed forms, published posteriors and ArviZ.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod densities;
mod diagnostics;
mod identification;
mod lynx_hare;
mod tasks;
