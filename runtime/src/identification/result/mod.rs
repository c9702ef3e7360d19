//! What an identification leaves: the found values and how sure they are, whether they explain the data, tables and files. It knows a
//! `campaign` at the unknowns that were found; what minimises is above.

pub(crate) mod explanation;
pub(crate) mod fit;
pub(crate) mod fitted_experiment;
pub(crate) mod fitted_tables;
pub(crate) mod joint_region;
pub(crate) mod model_comparison;
mod moved_by_steps;
mod report;
pub(crate) mod summary;
pub(crate) mod table;
pub(crate) mod written;
mod written_tables;
