//! The settings of an identification by the user: experiments and their measurements, corrections, noise, priors,
//! weights, and unknowns. This module uses records, models and costs, but does not evaluate anything; `campaign` has
//! what is prepared from the settings.

pub mod correction;
pub mod digits;
pub mod error;
pub mod experiment;
pub mod measurement;
pub mod noise;
pub mod parameter_set;
pub mod prior;
pub mod unknown;
pub mod unknown_input;
pub mod unknown_table;
pub mod weighting;
