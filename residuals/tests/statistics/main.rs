//! Tests of residuals by many random series, by closed forms and on what has no statistic.

mod closed_forms;
mod edges;
mod losses;
mod null_distributions;
mod power;
mod series;
