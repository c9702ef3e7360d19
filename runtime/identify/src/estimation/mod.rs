//! All experiments of an identification, ready to be evaluated: where every unknown acts, the problem of a trial,
//! cost, gradient, residuals and covariance. This module uses `definition`, and does not depend on `result`; `build`
//! makes an `EstimationProblem` of a definition.
//!
//! `layout` numbers all unknowns z, whichever experiment or group has them, and every experiment has its `Comparison`
//! of `Observed` channels. `evaluation` computes J(z) of all experiments on all cores, `simulations` that of one
//! experiment; experiments that are alike go in lanes. A line search announces the trials that it foresees, and these
//! go in lanes as well. Inputs and tables may depend on unknowns: `driven` and `tables_at` make the problem of a trial.
//! Conditions on the values of a table become bounds of `coordinates`, and `priors` are residuals beside those of the
//! data. Predictions have channels as well, after those of the runs: `predicted` keeps their latest numbers.
//!
//! `peers` has the processes of a joint fit, each with experiments of its own, and `processes` exchanges the results of
//! an evaluation between these, bit by bit. `step_shift` computes how far the errors of the steps move the found
//! unknowns; `deferred` makes a fit that of finer steps than those of its derivatives; `prior_deviations` finds the
//! smoothness of tables by the evidence.

pub mod lane_groups;

pub mod changed_curve;
pub mod comparison;
pub mod coordinates;
pub mod covariance;
pub mod deferred;
pub mod driven;
pub mod evaluation;
pub mod experiment_problem;
pub mod failed_trials;
pub mod inertias;
pub mod information;
pub mod lane_batch;
pub mod layout;
pub mod linearized_run;
pub mod observed;
pub mod peers;
pub mod predicted;
pub mod prior_deviations;
pub mod priors;
pub mod processes;
pub mod progress;
pub mod repeated;
pub mod reweighting;
pub mod simulations;
pub mod step_shift;
pub mod tables_at;
