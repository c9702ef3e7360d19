//! The results of an identification, by name.

use costate_cost::residuals::{Autoregression, InformationCriteria, Loss, Verdict};
use costate_measure::signal::Filter;
use serde::Serialize;

use costate_cost::ComparedLine;

use crate::definition::digits::{rounded, significant};
use crate::estimation::failed_trials::FailedTrials;

use costate_measure::record::{AssumedUnit, Gap};
use costate_optimize::{Iteration, OptimizerSettings, Stop};
use costate_system::problem::Steps;
use costate_system::step::Scheme;

use super::group_residuals::with_prediction;

/// The results of an identification, by name. In JSON, infinite and undefined numbers are `null`.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[non_exhaustive]
pub struct FitSummary {
    /// The model's name.
    pub model: &'static str,
    /// A fingerprint of the fitted samples, by which fits of the same data are recognised.
    pub data: String,
    /// The unknowns: parameters in the order in which they were given, each as often as experiments or groups have
    /// their own, and then gains, offsets and delays.
    pub parameters: Vec<FittedParameter>,
    /// The unknown inputs; their values are among the parameters as well, after all others of their experiment.
    pub inputs: Vec<FittedInput>,
    /// The unknown tables; their values, or coordinates of the values that keep their shape, are among the parameters
    /// as well.
    pub tables: Vec<FittedTable>,
    /// Covariance matrix of the unknowns, by rows, in the products of their units. Rows and columns of parameters
    /// that the measurement does not determine are infinite on the diagonal and NaN elsewhere.
    pub covariance: Vec<Vec<f64>>,
    /// Correlation matrix, by rows: covariances divided by the standard deviations; 1 on the diagonal.
    pub correlation: Vec<Vec<f64>>,
    /// Number of samples and of residuals of further costs less that of the unknowns, at least 1: the degrees of
    /// freedom of intervals and regions.
    pub degrees_of_freedom: f64,
    /// Directions that the measurement does not determine: small changes of the parameters from their found values,
    /// each in the unit of its parameter, that together leave all residuals as they are; one change per parameter, the
    /// largest is 1.
    pub undetermined: Vec<Vec<f64>>,
    /// The unknowns that act by jumps alone at the found values: derivatives, and so deviations and combinations,
    /// vanish for them, although the cost depends on them.
    pub by_jumps: Vec<String>,
    /// Combinations along which the unknowns were not changed, since a change along them lowers the cost by no more
    /// than noise does: changes as in [`undetermined`](Self::undetermined). Empty unless [`stop`](Self::stop) is
    /// [`Stop::Flat`].
    pub flat: Vec<Vec<f64>>,
    /// Doubts about the data, the settings or the course of the fit, with remedies.
    pub remarks: Vec<String>,
    /// The measured outputs, experiment by experiment.
    pub measurements: Vec<MeasuredOutput>,
    /// The predictions with what was measured of them, one entry for each group.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub predictions: Vec<FittedPrediction>,
    /// Results for the experiments that were not fitted.
    pub validation: Vec<Validation>,
    /// Information of every experiment about every unknown, where there are several experiments.
    pub shares: Vec<InformationShare>,
    /// The data without a unit, which are taken in the unit of the model.
    pub assumed_units: Vec<AssumedUnit>,
    /// Inputs that are channels of records. Deviations take them as exact;
    /// [`Fit::input_noise`](crate::Fit::input_noise) estimates the effect of their noise.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub measured_inputs: Vec<&'static str>,
    /// The further costs.
    pub costs: Vec<FittedCost>,
    /// Verdict of the tests whether the residuals of the measured outputs are noise, or the model is incomplete;
    /// [`Display`](std::fmt::Display) puts it in words. Outputs are not judged if their residuals are less than twice
    /// the estimated [error of the steps](MeasuredOutput::step_error), or than a millionth of the measured values;
    /// `None` if no output remains. Where the error of the steps is not known, as with checkpoints, the verdict may
    /// be on that error.
    pub verdict: Option<Verdict>,
    /// True if the standard deviations are those of a fit that explains the data, as far as tests can tell. False where
    /// the [verdict](Self::verdict) has [suspicions](Verdict::suspicions): a local minimum, or a channel in another
    /// unit or with another sign, zero or trigger. Deviations about such an end mean nothing.
    pub deviations_valid: bool,
    /// The growing parts of the records that were fitted before the whole ones; `None` without.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub grown: Option<GrownParts>,
    /// Likelihood and information criteria of independent normal errors, by which models of the same data are compared;
    /// `None` with further costs, a loss other than squares, or residuals that are all zero.
    pub criteria: Option<InformationCriteria>,
    /// J at the start values.
    pub cost_start: f64,
    /// J at the start values with the weights of the last minimisation, where weights are estimated and have changed:
    /// to be compared with [`cost_end`](Self::cost_end), unlike [`cost_start`](Self::cost_start).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cost_start_weighed: Option<f64>,
    /// J at the found values.
    pub cost_end: f64,
    /// Iterations of the optimizer.
    pub iterations: usize,
    /// Evaluations of the cost.
    pub evaluations: usize,
    /// Simulations for the cost since the program started: those of the evaluations, and those in lanes beside them
    /// that a line search did not use.
    pub simulations: usize,
    /// Simulations that failed at trial unknowns, from which the search stepped back.
    pub failed_trials: Option<FailedTrials>,
    /// End of the iteration of standard deviations that are estimated from the residuals; `None` if none are
    /// estimated.
    pub weights: Option<SettledWeights>,
    /// The rule that stopped the optimizer.
    pub stop: Stop,
    /// Every iteration, beginning with the start.
    pub history: Vec<Iteration>,
    /// The settings of the fit.
    pub settings: FitSettings,
    /// Steps and order that the fit has chosen; `None` where they were given.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub chosen_steps: Option<ChosenSteps>,
    /// The adaptive steps; `None` for constant steps.
    pub adaptive_steps: Option<AdaptiveSteps>,
    /// `interpreted` for a model whose `model!` block is executed without code of its own, which takes longer.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub back_end: Option<&'static str>,
    /// Wall clock time in s of all simulations since the program started.
    pub seconds_forward: f64,
    /// Wall clock time in s of all gradients since the program started.
    pub seconds_gradient: f64,
}

/// The reason why growing parts of the records were fitted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum GrowthReason {
    /// A request for them.
    Asked,
    /// A fit of the whole records from the start values has lost the phase before.
    LostPhase,
    /// The best of many starts has left more than noise.
    BestOfManyStarts,
    /// A fit of channels together with costs such as spectra has left more than noise.
    WithCosts,
}

/// Growing parts of the records, or pieces, that were fitted before the whole ones.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[non_exhaustive]
pub struct GrownParts {
    /// The number of pieces; 0 for growing parts.
    pub pieces: usize,
    /// True if the continuous pieces are the result, since no simulation follows the records.
    pub only_in_pieces: bool,
    /// Ends of the parts in s, of the longest run; other runs end in proportion.
    pub ends: Vec<f64>,
    /// The reason for them.
    pub reason: GrowthReason,
    /// True if the fit after the parts leaves less than the one before; else the result is the other one.
    pub found_better: bool,
    /// True if the result explains half or more of every channel: else it is no answer, wherever it began.
    pub explains: bool,
}

/// The settings of a fit, which have to be the same to reproduce it, beside model and records.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[non_exhaustive]
pub struct FitSettings {
    /// The version of costate.
    pub version: &'static str,
    /// The integration scheme.
    pub scheme: Scheme,
    /// Constant or adaptive steps.
    pub steps: Steps,
    /// The optimizer with its tolerances, of the last minimisation.
    pub optimizer: OptimizerSettings,
    /// Loss as a function of the residual in units of its standard deviation.
    pub loss: Loss,
    /// True if residuals are weighed by standard deviations, false if by the weights of the measurements.
    pub by_likelihood: bool,
    /// The simulations of the experiments that were fitted.
    pub runs: Vec<FittedRun>,
    /// Finer steps of the residuals than those of the runs, which only derivatives then have; `None` without finer
    /// steps.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub finer_steps: Option<FinerSteps>,
}

/// Steps and order that the fit has chosen, as none were given: those with the fewest steps whose errors are below a
/// tenth of the noise, and shift no unknown. [`Display`](std::fmt::Display) says so in a line.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[non_exhaustive]
pub struct ChosenSteps {
    /// Step size in s; `None` if it differs between experiments, whose records have other sampling intervals.
    pub step: Option<f64>,
    /// Number of steps in a sampling interval.
    pub parts: usize,
    /// The order of the runs.
    pub order: u32,
    /// Number of steps that one simulation of all experiments takes, those of all runs that are combined.
    pub steps: usize,
    /// Number of steps that second order would take, as far as it was compared.
    pub of_second_order: Option<usize>,
    /// Number of times that the choice was made again, for values that were found with the one before.
    pub renewals: usize,
}

/// Finer steps than those of derivatives: the corrections by them are computed again at every minimum, until these
/// settle.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
#[non_exhaustive]
pub struct FinerSteps {
    /// Number of parts into which every step is divided.
    pub parts: usize,
    /// True if the corrections have settled compared with the noise. If not, the fit is not that of the finer steps.
    pub settled: bool,
}

/// The simulation of one experiment.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[non_exhaustive]
pub struct FittedRun {
    /// The experiment's name, where there are several.
    pub experiment: Option<String>,
    /// Step size in s.
    pub step: f64,
    /// End time in s.
    pub end: f64,
    /// The order of the run.
    pub order: u32,
}

/// The adaptive steps of an identification, which are kept during a minimisation.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
#[non_exhaustive]
pub struct AdaptiveSteps {
    /// Number of steps of a run.
    pub steps: usize,
    /// Number of times that the steps were chosen again, for parameters that were found with the previous ones.
    pub renewals: usize,
    /// The largest error of a step at the found parameters, in units of the tolerance.
    pub excess: f64,
}

/// Iteration of weights, which follow from residuals, which follow from weights.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
#[non_exhaustive]
pub struct SettledWeights {
    /// Number of successive minimisations, each with the standard deviations that the previous one has left.
    pub rounds: usize,
    /// True if the last change of the standard deviations is negligible.
    pub settled: bool,
}

/// An experiment that was not fitted, simulated with the values that were found from the others.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Validation {
    /// The experiment's name.
    pub experiment: String,
    /// The measured outputs; standard deviations are those of the residuals.
    pub measurements: Vec<MeasuredOutput>,
    /// The unknowns that the experiment has for itself, found from its data with the values of all others held: their
    /// standard deviations take the others as exact.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub own: Vec<FittedParameter>,
    /// The predictions; standard deviations that are not given are those of the residuals.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub predictions: Vec<FittedPrediction>,
    /// Verdict whether the residuals are noise, as [`FitSummary::verdict`].
    pub verdict: Option<Verdict>,
    /// Error of the simulation with the found values; `None` if it succeeded.
    pub failed: Option<String>,
}

/// Information of one experiment about the unknowns: the part of the variance of every unknown that this information
/// accounts for, the diagonal of `C I_e C` over that of C with the inverse `C` of the sum of all `I_e`. The parts of
/// all experiments, and of the priors, add up to 1.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[non_exhaustive]
pub struct InformationShare {
    /// The experiment's name; `None` for the priors.
    pub experiment: Option<String>,
    /// One part for each of [`FitSummary::parameters`]; NaN for those that are not determined.
    pub parts: Vec<f64>,
}

impl InformationShare {
    /// Returns the name of the owner of the information, in words.
    pub(super) fn owner(&self) -> &str {
        match self.experiment.as_deref() {
            None => "priors",
            Some("") => "data",
            Some(experiment) => experiment,
        }
    }
}

/// The result for an unknown input.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[non_exhaustive]
pub struct FittedInput {
    /// The experiment's name, where there are several.
    pub experiment: Option<String>,
    /// The input's name.
    pub input: &'static str,
    /// Unit of the input.
    pub unit: &'static str,
    /// The knots in s.
    pub times: Vec<f64>,
    /// Values found at the knots, in the input's unit; the input's signal, if it has one, is added to them.
    pub values: Vec<f64>,
    /// Standard deviations of the values, in the input's unit; infinite where the data do not determine them.
    pub standard_deviations: Vec<f64>,
}

/// The result for an unknown table.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[non_exhaustive]
pub struct FittedTable {
    /// The table's name.
    pub table: &'static str,
    /// Unit of the values.
    pub unit: &'static str,
    /// Name and unit of every argument.
    pub arguments: Vec<(&'static str, &'static str)>,
    /// Extrapolation beyond the knots, for every argument: the word of the language.
    pub extensions: Vec<&'static str>,
    /// Interpolation between the knots, for every argument: the word of the language.
    pub interpolations: Vec<&'static str>,
    /// The knots of every argument, in the units that the model declares.
    pub knots: Vec<Vec<f64>>,
    /// The start values, in the order of the knots; for a surface, those of the first knot of the first argument come
    /// first.
    pub start: Vec<f64>,
    /// The found values.
    pub values: Vec<f64>,
    /// Standard deviations of the values, without regard to bounds by shapes; infinite where the data do not
    /// determine them.
    pub standard_deviations: Vec<f64>,
    /// Part of the information about each value that comes from the data; the rest comes from priors. Values with
    /// small parts are assumptions.
    pub told_by_data: Vec<f64>,
    /// Assumed or estimated departure from a straight line over the range, in the unit of the values; `None` if no
    /// smoothness was assumed.
    pub bend: Option<f64>,
    /// True if the bend was to be estimated, but the data do not determine it: then it is as large or small as
    /// allowed.
    pub bend_at_limit: bool,
}

/// An identified parameter, a gain, offset or delay, or a value of an unknown input or table, in its unit.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[non_exhaustive]
pub struct FittedParameter {
    /// Name of the unknown, with the experiment or group that it belongs to: `preload [low]`.
    pub name: String,
    /// The name of the parameter alone, or `delay of acceleration`.
    pub quantity: String,
    /// The experiment or group that has the unknown alone; `None` if all have it in common.
    pub of: Option<String>,
    /// Unit.
    pub unit: &'static str,
    /// The input or table of which the unknown is one of many values; `None` for single unknowns.
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
    /// Shift of the found value by the errors of the steps from the value for exact runs, to first order: to be
    /// compared with the deviation, which only accounts for the noise. `None` for simulations with checkpoints, for
    /// unknowns that the measurement does not determine, in joint fits, and where the residuals are so small that the
    /// data come from a simulation with the same steps.
    pub step_shift: Option<f64>,
    /// Shift of the found value if sampled inputs that are straight between their samples were cubic, and the other way
    /// round, to first order. `None` where no input of the runs would change, with adaptive steps, and in joint fits.
    pub input_shift: Option<f64>,
    /// True if the found value is at a bound; the deviation is that without the bound.
    pub at_bound: bool,
}

impl FittedParameter {
    /// Returns the found value without the digits that say nothing: rounded to two digits after the first one of its
    /// standard deviation, where that is known and the value is not at a bound.
    pub fn rounded(&self) -> f64 {
        if self.at_bound { self.found } else { rounded(self.found, self.standard_deviation) }
    }

    /// Returns the root of the sum of the squares of the standard deviation and of the [shift](Self::step_shift) by
    /// the steps.
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
    /// Unit of the output.
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
    /// Spans without samples, either missing ones or times that the record does not have.
    pub gaps: Vec<Gap>,
    /// Time in s of the record at which the run begins, so that its times count from there: that of the first sample of
    /// records that begin later than 0 s, where nothing else says what the times of the run are. Zero for all other
    /// records.
    #[serde(skip_serializing_if = "is_zero")]
    pub beginning: f64,
    /// Time in s of the run at which the record begins, where that is later than 0 s by more than a sampling interval:
    /// the initial values are those of the run, not of the first sample. Zero for all other records.
    #[serde(skip_serializing_if = "is_zero")]
    pub late: f64,
    /// Doubts about what was taken from the record's file, such as the unit of its times.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub doubts: Vec<String>,
    /// Standard deviation of a measured value, given or from the residuals.
    pub standard_deviation: f64,
    /// The noise if it is coloured; `None` for white noise.
    pub noise: Option<Autoregression>,
    /// The filter that the measured values and the output have passed; `None` without a filter.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub filter: Option<Filter>,
    /// Explained part of the samples: 100 (1 - |residuals| / |measured - mean|); `None` for a constant signal.
    pub fit_percent: Option<f64>,
    /// The largest error of the output by the step size, estimated at the found parameters; `None` for simulations
    /// with checkpoints.
    pub step_error: Option<f64>,
}

/// A group of predicted numbers with what was measured of them.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[non_exhaustive]
pub struct FittedPrediction {
    /// The experiment's name, where there are several.
    pub experiment: Option<String>,
    /// The prediction's name.
    pub prediction: String,
    /// Name of the group.
    pub group: String,
    /// Unit of the numbers.
    pub unit: String,
    /// Name of the abscissa.
    pub abscissa: String,
    /// Unit of the abscissa.
    pub abscissa_unit: String,
    /// Name of what the measured numbers come from; empty if it was not given.
    pub source: String,
    /// Abscissa of every number.
    pub places: Vec<f64>,
    /// Measured numbers, in the unit of the prediction.
    pub measured: Vec<f64>,
    /// Standard deviations of the measured numbers, given or from the residuals.
    pub standard_deviations: Vec<f64>,
    /// True if the standard deviations were given, false if they follow from the residuals, up to a common factor or
    /// altogether.
    pub are_deviations_given: bool,
    /// Numbers at the start values; empty where there is no prediction at the start. Angles are on the turn of the
    /// measured ones.
    pub start: Vec<f64>,
    /// Numbers at the found values.
    pub fitted: Vec<f64>,
    /// Part of the cost J.
    pub cost: f64,
    /// Number of unknowns that the group determines in the fit, not necessarily an integer.
    pub determined: f64,
    /// Explained part of the numbers: 100 (1 - |residuals| / |measured - mean|); `None` for constant numbers.
    pub fit_percent: Option<f64>,
    /// Tests of residuals that were left out, each with the reason.
    pub left_out_tests: Vec<String>,
}

impl FittedPrediction {
    /// Returns the name of the prediction with that of the group.
    pub(super) fn name(&self) -> String {
        with_prediction(&self.prediction, &self.group)
    }

    /// Describes the standard deviations: `std. deviation 0.01 Hz (given)`.
    pub(super) fn deviations_in_words(&self) -> String {
        let least = self.standard_deviations.iter().copied().fold(f64::INFINITY, f64::min);
        let largest = self.standard_deviations.iter().copied().fold(0.0, f64::max);
        if !least.is_finite() {
            return "std. deviation not known".to_owned();
        }
        let unit = if self.unit == "1" { "" } else { self.unit.as_str() };
        let range = match significant(least, 3) == significant(largest, 3) {
            true => significant(least, 3),
            false => format!("{} to {}", significant(least, 3), significant(largest, 3)),
        };
        let origin = if self.are_deviations_given { "given" } else { "from the residuals" };
        format!("std. deviation {} ({origin})", format!("{range} {unit}").trim_end())
    }
}

/// A cost beside the least squares of the measured outputs.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[non_exhaustive]
pub struct FittedCost {
    /// The experiment's name, where there are several.
    pub experiment: Option<String>,
    /// Name of the cost, such as `spectrum of twist`.
    pub name: String,
    /// Weight of the cost.
    pub weight: f64,
    /// Value of the cost at the found parameters, without the weight.
    pub cost: f64,
    /// Number of residuals; 0 for a cost that is no sum of squares.
    pub residuals: usize,
    /// Standard deviation of a residual, from the residuals; infinite where it cannot be estimated.
    pub standard_deviation: f64,
    /// Explained part of the amplitudes, 100 (1 - |fitted - measured| / |measured|), with the weights of the lines;
    /// `None` for costs without lines.
    pub fit_percent: Option<f64>,
    /// The largest error of a residual by the steps; `None` where it is not known.
    pub step_error: Option<f64>,
    /// The measured lines of a spectrum, or orders, with those of the fit.
    pub lines: Vec<ComparedLine>,
}

/// Checks whether times are those of the record.
fn is_zero(beginning: &f64) -> bool {
    *beginning == 0.0
}
