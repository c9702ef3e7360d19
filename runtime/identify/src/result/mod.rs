//! The results of an identification: found values and their uncertainty, whether they explain the data, tables and
//! files. This module uses `estimation` at the found unknowns; the minimisation itself is in `run`.

mod assessed;
pub mod columns;
pub mod compared_curves;
mod doubts;
pub mod explanation;
mod extended;
mod first_samples;
pub mod fit;
pub mod fitted_experiment;
pub mod fitted_start;
pub mod fitted_tables;
mod group_residuals;
pub mod measured_outputs;
pub mod model_comparison;
pub mod moved_by_steps;
pub mod outcome;
pub mod predictions;
mod remarks;
mod report;
pub mod summary;
pub mod suspicions;
pub mod table;
pub mod written;
mod written_tables;
