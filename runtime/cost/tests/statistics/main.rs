//! Tests of residuals by many random series, by closed forms and on what has no statistic.

#![allow(clippy::unwrap_used, reason = "helpers of tests fail as tests do")]

mod autoregression;
mod bootstrap;
mod closed_forms;
mod edges;
mod losses;
mod null_distributions;
mod power;
mod series;
