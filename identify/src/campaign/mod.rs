//! All experiments of an identification, ready to be evaluated: where every unknown acts, the problem of a trial,
//! cost, gradient, residuals and covariance. This module uses the definitions in `said`, and does not depend on the
//! results in `result`.

pub mod alike;

pub mod comparison;
pub mod coordinates;
pub mod covariance;
pub mod deferred;
pub mod differentiated;
pub mod driven;
pub mod evaluation;
pub mod failed_trials;
pub mod information;
pub mod layout;
pub mod observed;
pub mod prepared;
pub mod prior_deviations;
pub mod priors;
pub mod processes;
pub mod progress;
pub mod repeated;
pub mod round;
pub mod simulations;
pub mod step_shift;
pub mod tables_at;
pub mod together;
