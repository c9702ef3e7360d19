//! What a user says of an identification: experiments and their measurements, corrections, noise, priors, weights, and what
//! is unknown. It knows records, models and costs, but nothing of how anything is evaluated; what is made of it is in `campaign`.

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
