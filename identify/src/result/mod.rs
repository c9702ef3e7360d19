//! What an identification leaves: the found values and how sure they are, whether they explain the data, tables and files. It knows a
//! `campaign` at the unknowns that were found; what minimises is above.

pub mod explanation;
pub mod fit;
pub mod fitted_experiment;
pub mod fitted_tables;
pub mod joint_region;
pub mod model_comparison;
mod moved_by_steps;
mod report;
pub mod summary;
pub mod table;
pub mod written;
mod written_tables;
