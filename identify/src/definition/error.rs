//! Errors of an identification.

use costate_contract::tables::GridError;
use costate_residuals::{NoiseError, ResidualError};

use crate::cost::{CostWeightError, MeasurementError};
use crate::ensemble::EnsembleError;
use crate::interrupt::Interrupted;
use crate::model::OtherModel;
use crate::optimize::{MultistartError, StartError};
use crate::problem::SimulationError;
use crate::record::RecordError;
use crate::state_file::StateFileError;
use crate::table::prior::{PriorError, Shape};
use costate_system::model::SelectionError;

/// An identification that ended without a result.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum IdentificationError {
    /// A parameter, input or output of another model.
    #[error(transparent)]
    OtherModel(#[from] OtherModel),
    /// Nothing to identify.
    #[error("no parameter of `{model}` is unknown; name at least one with `.unknown([..])`")]
    NoUnknowns {
        /// The model's name.
        model: &'static str,
    },
    /// A parameter that is unknown twice, or that the model does not have.
    #[error(transparent)]
    Selection(#[from] SelectionError),
    /// Start values, bounds, scaling or settings of the optimizer.
    #[error(transparent)]
    Unknowns(#[from] StartError),
    /// Nothing to compare with.
    #[error(
        "no output of `{model}` is measured; name one with `.measured(output, &record)` or add a cost with `.cost(weight, cost)`"
    )]
    NoMeasurement {
        /// The model's name.
        model: &'static str,
    },
    /// It is not clear which channel holds the output.
    #[error("`{record}` has no channel named like the output `{output}`; choose one with `Measurement::channel` (channels: {})", .available.join(", "))]
    Channel {
        /// The output's name.
        output: &'static str,
        /// The record's name.
        record: String,
        /// The names of the channels.
        available: Vec<String>,
    },
    /// A record without the requested channel or data.
    #[error(transparent)]
    Record(#[from] RecordError),
    /// The measured samples do not fit the run.
    #[error("the record `{record}` of the output `{output}` does not fit the run")]
    Measurement {
        /// The record's name.
        record: String,
        /// The output's name.
        output: &'static str,
        /// The reason.
        #[source]
        source: MeasurementError,
    },
    /// An output that is compared with two measurements.
    #[error(
        "the output `{output}` is measured twice, by {first} and by {second}, and a run follows one course of it; leave one of them out, or give the mean of two sensors as one channel (each experiment needs an identification of its own)"
    )]
    RepeatedOutput {
        /// The output's name.
        output: &'static str,
        /// Source of the first measurement: a channel of a record, or one of the further costs.
        first: String,
        /// Source of the second measurement.
        second: String,
    },
    /// A window of time that ends before it begins.
    #[error(
        "the window from {from} to {to} s of the output `{output}` does not end after its beginning; exchange the times"
    )]
    Window {
        /// The output's name.
        output: &'static str,
        /// Begin in s.
        from: f64,
        /// End in s.
        to: f64,
    },
    /// A weight of a sample that is negative.
    #[error(
        "`{record}`, channel `{channel}`: {weight} cannot be the weight of a sample of the output `{output}`; give 0 for a sample that does not count"
    )]
    SampleWeight {
        /// The output's name.
        output: &'static str,
        /// The record's name.
        record: String,
        /// The channel of weights.
        channel: String,
        /// The weight.
        weight: f64,
    },
    /// Windows, masks or delays that leave no sample.
    #[error(
        "none of the {samples} samples of the output `{output}` in `{record}` counts; widen its windows, weights or the bounds of its delay"
    )]
    NothingLeft {
        /// The output's name.
        output: &'static str,
        /// The record's name.
        record: String,
        /// Number of samples before windows, masks and delays.
        samples: usize,
    },
    /// A correction that is no number, or without bounds where these are needed.
    #[error("the {correction} {value} of `{of}` is not possible; {remedy}")]
    Correction {
        /// `gain`, `offset` or `delay`.
        correction: &'static str,
        /// The name of the output or input.
        of: &'static str,
        /// Value of the correction.
        value: f64,
        /// Remedy, for the message.
        remedy: &'static str,
    },
    /// An unknown input that is not possible.
    #[error("the unknown input `{input}` has {field} = {value}; it must be {limit}")]
    UnknownInput {
        /// The input's name.
        input: &'static str,
        /// Name of the property.
        field: &'static str,
        /// Value of the property.
        value: f64,
        /// Required range of the value.
        limit: &'static str,
    },
    /// An unknown table that is not possible.
    #[error("the unknown table `{table}` has {field} = {value}; it must be {limit}")]
    UnknownTable {
        /// The table's name.
        table: &'static str,
        /// Name of the property.
        field: &'static str,
        /// Value of the property.
        value: f64,
        /// Required range of the value.
        limit: &'static str,
    },
    /// A table that is unknown twice.
    #[error("the table `{table}` is unknown twice; leave one of them out")]
    RepeatedTable {
        /// The table's name.
        table: &'static str,
    },
    /// A prior or shape of a table that is impossible, or contradicts another one.
    #[error("what is known of the table `{table}`")]
    TablePrior {
        /// The table's name.
        table: &'static str,
        /// The reason.
        #[source]
        source: PriorError,
    },
    /// A surface with a shape that only curves have.
    #[error("the table `{table}` has two arguments, and shapes are those of curves; say how smooth it is")]
    SurfaceShape {
        /// The table's name.
        table: &'static str,
    },
    /// Shapes that cannot be kept together while values are varied.
    #[error(
        "the table `{table}` cannot be kept {} at once, as these are more conditions than it has values; leave one of them out",
        .shapes.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ")
    )]
    TableShapes {
        /// The table's name.
        table: &'static str,
        /// Shapes of the table.
        shapes: Vec<Shape>,
    },
    /// A refinement without tables.
    #[error(
        "no table of `{model}` is to be refined; name at least one with `.table(StartingTable::curve(table, guess))`"
    )]
    NoTable {
        /// The model's name.
        model: &'static str,
    },
    /// A table without influence on the data.
    #[error(
        "no measured output depends on the table `{table}` at the start values; measure what it changes, or leave it known"
    )]
    UntouchedTable {
        /// The table's name.
        table: &'static str,
    },
    /// An input with contradicting settings, or without a necessary one.
    #[error("the input `{input}` {what}; {remedy}")]
    DrivenInput {
        /// The input's name.
        input: &'static str,
        /// Description of the mistake.
        what: &'static str,
        /// Remedy, for the message.
        remedy: &'static str,
    },
    /// The samples of a delayed input make no spline.
    #[error("the signal of the delayed input `{input}`")]
    DelayedSignal {
        /// The input's name.
        input: &'static str,
        /// The reason.
        #[source]
        source: GridError,
    },
    /// A signal that ends before the end of the run, for a delay within its bounds.
    #[error(
        "the input `{input}` is sampled from {first} s to {last} s, and with delays of {least} s to {most} s the run needs it from {from} s to {to} s; extend the record, narrow the bounds of the delay, or let the run begin later and end earlier"
    )]
    DelayedInput {
        /// The input's name.
        input: &'static str,
        /// First time of the record in s.
        first: f64,
        /// Last time of the record in s.
        last: f64,
        /// The shortest delay in s.
        least: f64,
        /// The longest delay in s.
        most: f64,
        /// First time that is needed in s.
        from: f64,
        /// Last time that is needed in s.
        to: f64,
    },
    /// Coloured noise that cannot be that of the samples of a channel.
    #[error("the noise of the output `{output}` in `{record}`")]
    Noise {
        /// The output's name.
        output: &'static str,
        /// The record's name.
        record: String,
        /// The reason.
        #[source]
        source: NoiseError,
    },
    /// Coloured noise together with a setting that contradicts it.
    #[error("the output `{output}` has coloured noise and {what}; {remedy}")]
    NoiseAnd {
        /// The output's name.
        output: &'static str,
        /// The contradicting setting.
        what: &'static str,
        /// Remedy, for the message.
        remedy: &'static str,
    },
    /// Two experiments with one name.
    #[error("two experiments are called `{name}`; results are told apart by the names, give each its own")]
    RepeatedExperiment {
        /// The name.
        name: String,
    },
    /// Measurements or costs of the identification itself, which also has experiments.
    #[error(
        "the identification has experiments, and {what} of its own that belongs to none of them; add it to an experiment"
    )]
    BesideExperiments {
        /// The setting that belongs to no experiment.
        what: &'static str,
    },
    /// Experiments without a common unknown.
    #[error(
        "no unknown is common to two of the {experiments} experiments; identify them one by one, or name a common unknown with `.unknown([..])`"
    )]
    NothingInCommon {
        /// Number of experiments.
        experiments: usize,
    },
    /// Experiments that all validate.
    #[error(
        "all {experiments} experiments validate, and none is fitted; leave out `.validation()` where data are to be fitted"
    )]
    NothingFitted {
        /// Number of experiments.
        experiments: usize,
    },
    /// Unknowns on which no residual depends.
    #[error(
        "nothing that is compared depends on {} at the start values; leave out what has no influence, measure what depends on it, choose other start values, or go on with `.ignore_check()`", .unknowns.join(", ")
    )]
    WithoutInfluence {
        /// The unknowns.
        unknowns: Vec<String>,
    },
    /// Unknowns on which residuals depend, although their derivatives vanish.
    #[error(
        "what is compared has no derivative by {} at the start values, and yet depends on it: it acts by jumps alone, as in a condition, or where no step looks; write the jump as a `smooth_step` over several steps, take shorter steps or other start values, fit with several values of it in turn, or go on with `.ignore_check()`", .unknowns.join(", ")
    )]
    WithoutDerivative {
        /// The unknowns.
        unknowns: Vec<String>,
    },
    /// A run at the start values whose outputs or derivatives are infinite or NaN.
    #[error(
        "`{output}` is not finite at {time} s with the start values{}; choose others, or look at what the model divides by there", .by.as_ref().map_or(String::new(), |by| format!(", or its derivative by `{by}`"))
    )]
    NotFinite {
        /// The output's name.
        output: &'static str,
        /// The time of the first such sample in s.
        time: f64,
        /// The unknown of an infinite derivative; `None` if the output itself is not finite.
        by: Option<String>,
    },
    /// Fewer data than unknowns.
    #[error("{samples} samples cannot determine {unknowns} unknowns; measure more, or look for fewer")]
    TooFewSamples {
        /// Number of samples and of residuals of priors.
        samples: usize,
        /// Number of unknowns.
        unknowns: usize,
    },
    /// A setting that needs the weights of maximum likelihood.
    #[error(
        "{what} weighs residuals by their standard deviation; leave out the weights of measurements and `.weighting(..)`, or choose `Weighting::Likelihood`"
    )]
    NeedsLikelihood {
        /// The setting that needs them.
        what: &'static str,
    },
    /// A loss that is not possible.
    #[error(transparent)]
    Loss(#[from] ResidualError),
    /// A probability outside of the range from 0 to 1.
    #[error(
        "an interval cannot cover the truth with the probability {level}; choose one between 0 and 1, such as 0.95"
    )]
    Level {
        /// The probability.
        level: f64,
    },
    /// Too few repetitions.
    #[error("{repetitions} repetitions tell no scatter; take at least 2, better 200")]
    Repetitions {
        /// Number of repetitions.
        repetitions: usize,
    },
    /// Too few experiments to draw or leave out some.
    #[error(
        "{experiments} experiments do not suffice, at least {needed} are needed; add some, or draw residuals"
    )]
    TooFewExperiments {
        /// Number of experiments.
        experiments: usize,
        /// Smallest number of experiments.
        needed: usize,
    },
    /// A name that no unknown has.
    #[error("there is no unknown `{name}` (unknowns: {})", .unknowns.join(", "))]
    UnknownName {
        /// The name.
        name: String,
        /// Names of the unknowns.
        unknowns: Vec<String>,
    },
    /// Two unknowns without a joint region.
    #[error(
        "there is no region of `{first}` and `{second}`: the measurement does not determine both, or they are one unknown"
    )]
    NoRegion {
        /// One of them.
        first: String,
        /// The other one.
        second: String,
    },
    /// A prior that is not possible.
    #[error("the prior of `{unknown}` has {field} = {value}; it must be {limit}")]
    Prior {
        /// The unknown.
        unknown: String,
        /// Name of the property of the prior.
        field: &'static str,
        /// Value of the property.
        value: f64,
        /// Required range of the value.
        limit: String,
    },
    /// A prior of a parameter that is not unknown.
    #[error(
        "`{parameter}` has a prior and is not unknown; add it with `.unknown([..])`, or leave out the prior"
    )]
    PriorOfKnown {
        /// The parameter's name.
        parameter: &'static str,
    },
    /// An error of one of several experiments.
    #[error("experiment `{experiment}`")]
    Experiment {
        /// Name of the experiment.
        experiment: String,
        /// The error.
        #[source]
        source: Box<IdentificationError>,
    },
    /// A request for one experiment where there are several.
    #[error("there are {experiments} experiments, and {what} is asked of one; name it")]
    SeveralExperiments {
        /// Number of experiments.
        experiments: usize,
        /// The request.
        what: &'static str,
    },
    /// An experiment that is not part of the identification.
    #[error("there is no experiment `{name}` (experiments: {})", .experiments.join(", "))]
    UnknownExperiment {
        /// The name asked for.
        name: String,
        /// Names of the experiments.
        experiments: Vec<String>,
    },
    /// A standard deviation that is not positive.
    #[error(
        "the standard deviation {deviation} of the output `{output}` is not a positive number; choose one above 0 or leave it out"
    )]
    Deviation {
        /// The output's name.
        output: &'static str,
        /// The given standard deviation.
        deviation: f64,
    },
    /// A further cost with a weight that is not positive.
    #[error(transparent)]
    CostWeight(#[from] CostWeightError),
    /// A further cost that was made for another run.
    #[error(
        "cost {index}, counted from 0, does not belong to this run; make it for steps of {step} s, {samples} samples and {outputs} outputs"
    )]
    CostRun {
        /// The cost, in the order in which the costs were added, from 0.
        index: usize,
        /// Step size of the run in s.
        step: f64,
        /// Samples of the run, N + 1.
        samples: usize,
        /// Outputs of the model.
        outputs: usize,
    },
    /// No record from which a setting could be taken.
    #[error("without a measured record the run has no {what}; give one with `.{method}(..)`")]
    NoRecord {
        /// The setting.
        what: &'static str,
        /// The method that sets it.
        method: &'static str,
    },
    /// The step size is neither given nor obvious.
    #[error(
        "the samples of `{record}` are not equidistant and do not tell a step size; give one with `.step(h)`"
    )]
    NoStep {
        /// The record's name.
        record: String,
    },
    /// The simulation cannot be set up or run.
    #[error(transparent)]
    Simulation(SimulationError),
    /// The simulation fails at the start values.
    #[error("the simulation fails at the start values; choose others or check model and inputs")]
    Start {
        /// The reason.
        #[source]
        source: SimulationError,
    },
    /// Cost or gradient are NaN or infinite at the start values.
    #[error("the cost or its gradient is not finite at the start values; choose others")]
    StartNotFinite,
    /// A multistart that cannot begin.
    #[error(transparent)]
    Multistart(#[from] MultistartError),
    /// A setting that only a single identification has.
    #[error(
        "a multistart has no {what}; leave out `.{method}(..)` or identify from a single start with `.run()`"
    )]
    NotInMultistart {
        /// The setting.
        what: &'static str,
        /// The method that sets it.
        method: &'static str,
    },
    /// A multistart in which every start has failed.
    #[error("none of the {starts} starts led to a result; the first one failed")]
    EveryStart {
        /// Number of starts.
        starts: usize,
        /// The error of the given start values.
        #[source]
        source: Box<IdentificationError>,
    },
    /// The tasks of a multistart, a bootstrap or profiles cannot be done, or are not all done yet.
    #[error(transparent)]
    Ensemble(#[from] EnsembleError),
    /// The error of a task, as a log or another process reports it.
    #[error("{message}")]
    Task {
        /// The error with its causes.
        message: String,
    },
    /// A setting without a likelihood, where a posterior is requested.
    #[error("{what} has no place in a posterior; {remedy}")]
    NoPosterior {
        /// The setting.
        what: &'static str,
        /// Remedy, for the message.
        remedy: &'static str,
    },
    /// More processes than experiments.
    #[error("{processes} processes cannot share {experiments} experiments; start at most {experiments}")]
    IdleProcesses {
        /// Number of processes.
        processes: usize,
        /// Number of experiments.
        experiments: usize,
    },
    /// Other experiments than those of this process.
    #[error(
        "{given} experiments are given, and this process has those with the numbers {} to {}, counted from 0; add these, in their order",
        .own.start, .own.end.saturating_sub(1)
    )]
    ExperimentsOfOthers {
        /// Number of given experiments.
        given: usize,
        /// Numbers of the experiments of this process.
        own: std::ops::Range<usize>,
    },
    /// A setting that needs the data of all experiments in one process.
    #[error("{what} has no place in a joint cost, whose experiments no process has all of; {remedy}")]
    NotDistributed {
        /// The setting.
        what: &'static str,
        /// Remedy, for the message.
        remedy: &'static str,
    },
    /// Processes with different settings.
    #[error(
        "{what} is {there} in process {process} and {root} in process 0; all must be given the same but for their experiments"
    )]
    ProcessesDiffer {
        /// The process.
        process: usize,
        /// Name of the setting that differs.
        what: String,
        /// Value of the setting in this process.
        there: String,
        /// Value of the setting in process 0.
        root: String,
    },
    /// The error of another process.
    #[error("process {process} has failed: {message}")]
    OtherProcess {
        /// The process.
        process: usize,
        /// The error with its causes.
        message: String,
    },
    /// Another number of values than there are unknowns.
    #[error("{given} values are given for {needed} unknowns; give one for each")]
    UnknownCount {
        /// Number of given values.
        given: usize,
        /// Number of unknowns.
        needed: usize,
    },
    /// Stopped by the [`Interrupt`](costate_system::interrupt::Interrupt).
    #[error(transparent)]
    Interrupted(#[from] Interrupted),
    /// The state file cannot be used.
    #[error(transparent)]
    StateFile(#[from] StateFileError),
}

impl From<SimulationError> for IdentificationError {
    fn from(error: SimulationError) -> Self {
        match error {
            SimulationError::Interrupted(run) => Self::Interrupted(run),
            other => Self::Simulation(other),
        }
    }
}

impl IdentificationError {
    /// Adds the name of the experiment of the error.
    pub(crate) fn in_experiment(self, experiment: &str) -> Self {
        match self {
            // an interruption concerns the whole work
            Self::Interrupted(_) | Self::Experiment { .. } => self,
            source => Self::Experiment { experiment: experiment.to_owned(), source: Box::new(source) },
        }
    }

    /// Replaces the run that was interrupted by the whole work.
    pub(crate) fn within(self, work: impl FnOnce() -> Interrupted) -> Self {
        match self {
            Self::Interrupted(_) => Self::Interrupted(work()),
            other => other,
        }
    }
}
