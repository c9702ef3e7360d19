//! The data from which the result of a fit is made.

use costate_cost::residuals::{Loss, Suspicion};
use costate_measure::record::AssumedUnit;
use costate_system::system::ModelValue;
use costate_system::table::Tables;

use super::explanation::Explanation;
use super::summary::{ChosenSteps, FinerSteps, FittedCost};
use crate::definition::unknown_table::UnknownTable;
use crate::estimation::covariance::Covariance;
use crate::estimation::evaluation::Spent;
use crate::estimation::experiment_problem::EstimationProblem;
use crate::estimation::failed_trials::FailedTrials;
use crate::estimation::linearized_run::LinearizedRun;
use crate::estimation::reweighting::Round;
use crate::validated_unknowns::OwnUnknowns;

/// The end of a sequence of minimisations.
pub(crate) struct Ended {
    /// Largest error of an adaptive step, in units of the tolerance.
    pub excess: f64,
    /// True if the deviations that weigh residuals have settled.
    pub weights_settled: bool,
    /// Finer steps of the residuals than of the derivatives; `None` if they are the same.
    pub finer: Option<FinerSteps>,
    /// Doubts about data and settings that were found before the end.
    pub remarks: Vec<String>,
    /// Ratios of measured and computed values that the start values have shown.
    pub at_start: Vec<Suspicion>,
    /// The unknowns that experiments which validate have for themselves.
    pub of_validation: Vec<OwnUnknowns>,
}

/// The data from which a fit is made.
pub(crate) struct Outcome<'a> {
    pub model: &'a ModelValue,
    pub estimation: &'a EstimationProblem,
    pub loss: Loss,
    pub unknown_tables: &'a [UnknownTable],
    pub tables: &'a Tables,
    pub found: Vec<LinearizedRun>,
    pub assumed_units: Vec<AssumedUnit>,
    /// Inputs that are channels of records.
    pub measured_inputs: Vec<&'static str>,
    /// The further costs without their deviations, which are in the covariance.
    pub costs: Vec<FittedCost>,
    pub explanation: Explanation,
    pub covariance: Covariance,
    /// Shift of each unknown by the errors of the steps; `None` if not known.
    pub step_shifts: Option<Vec<f64>>,
    /// Parts of every step, 1/2 for steps of twice the length, with which runs of order 4 do better than shorter steps
    /// of second order; `None` if none do.
    pub order_four: Option<f64>,
    /// Steps and order that the fit has chosen.
    pub chosen: Option<ChosenSteps>,
    /// Shift of each unknown if sampled inputs were cubic in place of straight between their samples, or the other way
    /// round; `None` if not known.
    pub input_shifts: Option<Vec<f64>>,
    /// Inputs that are straight between their samples because nothing else was said.
    pub inputs_by_default: Vec<&'static str>,
    pub round: &'a Round,
    /// J at the start values with the weights of the last minimisation; `None` if they are those of the first one.
    pub cost_start_weighed: Option<f64>,
    pub ended: Ended,
    pub spent: Spent,
    pub failed: Option<FailedTrials>,
}
