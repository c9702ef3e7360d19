//! All experiments of an identification, ready to be evaluated: which unknown acts where, the problem of a trial, cost, gradient,
//! residuals and covariance. It knows what was `said`, and nothing of results; what is made of a minimum is in `result`.

pub(crate) mod alike;

pub(crate) mod comparison;
pub(crate) mod coordinates;
pub(crate) mod covariance;
pub(crate) mod deferred;
pub(crate) mod differentiated;
pub(crate) mod driven;
pub(crate) mod evaluation;
pub(crate) mod failed_trials;
pub(crate) mod information;
pub(crate) mod layout;
pub(crate) mod observed;
pub(crate) mod prepared;
pub(crate) mod prior_deviations;
pub(crate) mod priors;
pub(crate) mod processes;
pub(crate) mod progress;
pub(crate) mod repeated;
pub(crate) mod round;
pub(crate) mod simulations;
pub(crate) mod step_shift;
pub(crate) mod tables_at;
pub(crate) mod together;
