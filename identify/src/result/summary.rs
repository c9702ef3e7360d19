//! What an identification found, by name.

use costate_residuals::{Autoregression, InformationCriteria, Loss, Verdict};
use serde::Serialize;

use crate::campaign::failed_trials::FailedTrials;
use crate::cost::ComparedLine;

use crate::optimize::{Iteration, OptimizerSettings, Stop};
use crate::problem::Steps;
use crate::record::{AssumedUnit, Gap};
use crate::step::Scheme;

/// What an identification found, by name. In JSON, infinite and undefined numbers are `null`.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[non_exhaustive]
pub struct FitSummary {
    /// The model's name.
    pub model: &'static str,
    /// A fingerprint of the samples that were fitted, by which fits of the same data are known.
    pub data: String,
    /// The unknowns: parameters in the order in which they were given, each as often as experiments or groups have their own,
    /// and then gains, offsets and delays.
    pub parameters: Vec<FittedParameter>,
    /// The inputs that were looked for; their values are among the parameters as well, behind all others of their experiment.
    pub inputs: Vec<FittedInput>,
    /// The tables that were looked for; their values, or coordinates of these that keep their shape, are among the parameters as
    /// well.
    pub tables: Vec<FittedTable>,
    /// Covariance matrix of the unknowns, by rows, in the products of their units. Rows and columns of parameters
    /// that the measurement does not determine are infinite on the diagonal and NaN elsewhere.
    pub covariance: Vec<Vec<f64>>,
    /// Correlation matrix, by rows: covariances divided by the standard deviations; 1 on the diagonal.
    pub correlation: Vec<Vec<f64>>,
    /// Samples and residuals of further costs that are left by the unknowns, at least 1: what intervals and regions count with.
    pub degrees_of_freedom: f64,
    /// Combinations of relative changes of the parameters (dp_k/p_k for logarithmic scaling, dp_k/typical for
    /// linear scaling) that the measurement does not determine; one coefficient per parameter, the largest is 1.
    pub undetermined: Vec<Vec<f64>>,
    /// The unknowns that act by jumps alone at the found values: derivatives, and so deviations and combinations, say nothing of them, although
    /// the cost depends on them.
    pub by_jumps: Vec<String>,
    /// Combinations along which the unknowns were left where they were, as going along them lowers the cost by no more than noise
    /// does: coefficients as of [`undetermined`](Self::undetermined). Empty unless [`stop`](Self::stop) is [`Stop::Flat`].
    pub flat: Vec<Vec<f64>>,
    /// What is doubtful in the data, the settings or the course of the fit, and what to change.
    pub remarks: Vec<String>,
    /// What was measured, experiment by experiment.
    pub measurements: Vec<MeasuredOutput>,
    /// What experiments that were not fitted say of the result.
    pub validation: Vec<Validation>,
    /// Which experiment told how much about which unknown, where there are several.
    pub shares: Vec<InformationShare>,
    /// The data without a unit, which are taken in the model's.
    pub assumed_units: Vec<AssumedUnit>,
    /// The further costs.
    pub costs: Vec<FittedCost>,
    /// Whether the residuals of the measured outputs are noise, or something is missing in the model; [`Display`](std::fmt::Display)
    /// says it in words. Outputs are not judged whose residuals are less than twice the estimated
    /// [error of the steps](MeasuredOutput::step_error), or than a millionth of what was measured; `None` if no output is left.
    /// Where the error of the steps is not known, as with checkpoints, it may be what is found in the residuals.
    pub verdict: Option<Verdict>,
    /// Likelihood and information criteria of independent normal errors, by which models of the same data are compared; `None`
    /// with further costs, a loss other than squares, or residuals that are all zero.
    pub criteria: Option<InformationCriteria>,
    /// J at the start values.
    pub cost_start: f64,
    /// J at the found values.
    pub cost_end: f64,
    /// Iterations of the optimizer.
    pub iterations: usize,
    /// Evaluations of the cost.
    pub evaluations: usize,
    /// Simulations for the cost since the program started: those of the evaluations, and those in lanes beside them that
    /// a line search did not come to.
    pub simulations: usize,
    /// Simulations that failed at trial unknowns, from which the search stepped back.
    pub failed_trials: Option<FailedTrials>,
    /// Where residuals are weighed by the standard deviations that they tell, how that ended.
    pub weights: Option<SettledWeights>,
    /// Why the optimizer stopped.
    pub stop: Stop,
    /// Every iteration, the start first.
    pub history: Vec<Iteration>,
    /// With what it was found.
    pub settings: FitSettings,
    /// Of adaptive steps, what became of them.
    pub adaptive_steps: Option<AdaptiveSteps>,
    /// Wall clock time in s of all simulations since the program started.
    pub seconds_forward: f64,
    /// Wall clock time in s of all gradients since the program started.
    pub seconds_gradient: f64,
}

/// The settings with which a fit was found: what has to be the same to find it again, beside model and records.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[non_exhaustive]
pub struct FitSettings {
    /// The version of costate.
    pub version: &'static str,
    /// How a step leads from one state to the next one.
    pub scheme: Scheme,
    /// Whether all steps are as long.
    pub steps: Steps,
    /// The optimizer with its tolerances, of the last minimisation.
    pub optimizer: OptimizerSettings,
    /// What a residual counts in units of its standard deviation.
    pub loss: Loss,
    /// Whether residuals are weighed by standard deviations; else by the weights of the measurements.
    pub by_likelihood: bool,
    /// The simulations of the experiments that were fitted.
    pub runs: Vec<FittedRun>,
    /// The finer steps that residuals are of, where derivatives alone are those of the runs' steps.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub finer_steps: Option<FinerSteps>,
}

/// Finer steps than those of derivatives: what they change is found anew at every minimum, until it stays.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
#[non_exhaustive]
pub struct FinerSteps {
    /// The parts into which every step is divided.
    pub parts: usize,
    /// Whether what they change moves no more, as far as it matters beside the noise. If not, the fit is not that of the finer steps.
    pub settled: bool,
}

/// How one experiment was simulated.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[non_exhaustive]
pub struct FittedRun {
    /// The experiment's name, where there are several.
    pub experiment: Option<String>,
    /// Step size in s.
    pub step: f64,
    /// End time in s.
    pub end: f64,
}

/// The adaptive steps of an identification, which stay as they are while it minimises.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
#[non_exhaustive]
pub struct AdaptiveSteps {
    /// Number of steps of a run.
    pub steps: usize,
    /// How often they were chosen anew, for parameters that were found with the ones before.
    pub renewals: usize,
    /// The largest error that a step leaves at the found parameters, in units of the tolerance.
    pub excess: f64,
}

/// Weights that follow from residuals, which follow from weights.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
#[non_exhaustive]
pub struct SettledWeights {
    /// Minimisations one after the other, each with the standard deviations that the one before has left.
    pub rounds: usize,
    /// Whether the last change of the standard deviations does not matter any more.
    pub settled: bool,
}

/// An experiment that was not fitted, simulated with what the others have found.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Validation {
    /// The experiment's name.
    pub experiment: String,
    /// What was measured; standard deviations are those of the residuals.
    pub measurements: Vec<MeasuredOutput>,
    /// Whether its residuals are noise, as [`FitSummary::verdict`].
    pub verdict: Option<Verdict>,
    /// Why it cannot be simulated with what was found, if it can't.
    pub failed: Option<String>,
}

/// What one experiment has told: of the variance that every unknown would have with the information of all, the part that its
/// information accounts for, the diagonal of `C I_e C` over that of C with the inverse `C` of the sum of all `I_e`. The parts of all
/// experiments, and of the priors, are 1 together.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[non_exhaustive]
pub struct InformationShare {
    /// The experiment's name; `None` for the priors.
    pub experiment: Option<String>,
    /// One part for each of [`FitSummary::parameters`]; NaN for those that are not determined.
    pub parts: Vec<f64>,
}

impl InformationShare {
    /// Who has told it, in words.
    pub(super) fn owner(&self) -> &str {
        match self.experiment.as_deref() {
            None => "priors",
            Some("") => "data",
            Some(experiment) => experiment,
        }
    }
}

/// An input that was looked for.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[non_exhaustive]
pub struct FittedInput {
    /// The experiment's name, where there are several.
    pub experiment: Option<String>,
    /// The input's name.
    pub input: &'static str,
    /// Its unit.
    pub unit: &'static str,
    /// The knots in s.
    pub times: Vec<f64>,
    /// What was found at the knots, in the input's unit; the input's signal, if it has one, comes on top of it.
    pub values: Vec<f64>,
    /// Standard deviations of the values, in the input's unit; infinite where nothing is known.
    pub standard_deviations: Vec<f64>,
}

/// A table that was looked for.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[non_exhaustive]
pub struct FittedTable {
    /// The table's name.
    pub table: &'static str,
    /// The unit of its values.
    pub unit: &'static str,
    /// Name and unit of every argument.
    pub arguments: Vec<(&'static str, &'static str)>,
    /// How it goes on beyond the knots, for every argument: the word of the language.
    pub extensions: Vec<&'static str>,
    /// The knots of every argument, in the units that the model declares.
    pub knots: Vec<Vec<f64>>,
    /// The values at the start, in the order of the knots; of a surface, those of the first knot of the first argument come first.
    pub start: Vec<f64>,
    /// The found values.
    pub values: Vec<f64>,
    /// Standard deviations of the values, without regard to bounds by shapes; infinite where nothing is known.
    pub standard_deviations: Vec<f64>,
    /// Which part of what is known of each value the data have told; the rest was known beforehand. Values of small parts are
    /// opinions.
    pub told_by_data: Vec<f64>,
    /// How far it was taken to bend from a straight line over its range, in the unit of its values, if it was taken for smooth.
    pub bend: Option<f64>,
    /// Whether the data were to tell this, and do not: then it is as large or small as it may be.
    pub bend_at_limit: bool,
}

/// An identified parameter, a gain, offset or delay, or a value of an unknown input or table, in its unit.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[non_exhaustive]
pub struct FittedParameter {
    /// Its name, with the experiment or group that it belongs to: `preload [low]`.
    pub name: String,
    /// The name of the parameter alone, or `delay of acceleration`.
    pub quantity: String,
    /// The experiment or group that has it for itself; `None` if all have it in common.
    pub of: Option<String>,
    /// Unit.
    pub unit: &'static str,
    /// The input or table of which it is one of many values.
    pub part_of: Option<&'static str>,
    /// Start value.
    pub start: f64,
    /// Lower bound; -infinity where there is none.
    pub lower: f64,
    /// Upper bound; infinity where there is none.
    pub upper: f64,
    /// Found value.
    pub found: f64,
    /// Standard deviation of the found value; infinite if the measurement does not determine the parameter.
    pub standard_deviation: f64,
    /// Standard deviation divided by the magnitude of the found value.
    pub relative_deviation: f64,
    /// How far the errors of the steps move the found value from where that of exact runs is, to first order: to be seen beside the
    /// deviation, which knows of the noise alone. `None` for simulations with checkpoints, for what the measurement does not determine, in
    /// joint fits, and where so little is left of the residuals that the data are of a simulation with the same steps.
    pub step_shift: Option<f64>,
    /// Whether the found value is at a bound; the deviation is that without the bound.
    pub at_bound: bool,
}

impl FittedParameter {
    /// The root of the squares of the standard deviation and of what the steps [move](Self::step_shift).
    pub fn total_deviation(&self) -> f64 {
        self.standard_deviation.hypot(self.step_shift.unwrap_or(0.0))
    }
}

/// A measured output.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[non_exhaustive]
pub struct MeasuredOutput {
    /// The experiment's name, where there are several.
    pub experiment: Option<String>,
    /// The output's name.
    pub output: &'static str,
    /// Its unit.
    pub unit: &'static str,
    /// The record's name.
    pub record: String,
    /// The SHA-256 of the file that the record was read from; `None` for a record that was made of numbers.
    pub sha256: Option<String>,
    /// The channel's name.
    pub channel: String,
    /// Number of samples that were compared.
    pub samples: usize,
    /// Number of the record's times at which the channel has no sample.
    pub missing: usize,
    /// Number of samples that are left out by windows, weights, or the bounds of an unknown delay.
    pub masked: usize,
    /// Spans without samples, be it that they are missing or that the record has no times there.
    pub gaps: Vec<Gap>,
    /// Standard deviation of a measured value, given or from the residuals.
    pub standard_deviation: f64,
    /// The noise, where it is coloured.
    pub noise: Option<Autoregression>,
    /// How much of the samples is explained: 100 (1 - |residuals| / |measured - mean|); `None` for a constant signal.
    pub fit_percent: Option<f64>,
    /// The largest error of the output that the step size leaves, estimated at the found parameters; `None` for simulations with
    /// checkpoints.
    pub step_error: Option<f64>,
}

/// A cost beside the least squares of the measured outputs.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[non_exhaustive]
pub struct FittedCost {
    /// The experiment's name, where there are several.
    pub experiment: Option<String>,
    /// Its name, as `spectrum of twist`.
    pub name: String,
    /// Its weight.
    pub weight: f64,
    /// Its value at the found parameters, without the weight.
    pub cost: f64,
    /// Number of its residuals; 0 for a cost that is no sum of squares.
    pub residuals: usize,
    /// Standard deviation of a residual, from the residuals; infinite where it cannot be told.
    pub standard_deviation: f64,
    /// How much of the amplitudes is explained, 100 (1 - |fitted - measured| / |measured|), with the weights of the lines; `None` for costs
    /// without lines.
    pub fit_percent: Option<f64>,
    /// The largest error of a residual that the steps leave; `None` where it is not known.
    pub step_error: Option<f64>,
    /// The measured lines of a spectrum, or orders, beside those of the fit.
    pub lines: Vec<ComparedLine>,
}
