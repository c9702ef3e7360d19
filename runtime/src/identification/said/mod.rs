//! What a user says of an identification: experiments and their measurements, corrections, noise, priors, weights, and what
//! is unknown. It knows records, models and costs, but nothing of how anything is evaluated; what is made of it is in `campaign`.

pub(crate) mod correction;
pub(crate) mod digits;
pub(crate) mod error;
pub(crate) mod experiment;
pub(crate) mod measurement;
pub(crate) mod noise;
pub(crate) mod parameter_set;
pub(crate) mod prior;
pub(crate) mod unknown;
pub(crate) mod unknown_input;
pub(crate) mod unknown_table;
pub(crate) mod weighting;
