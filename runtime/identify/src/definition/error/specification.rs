//! Specifications that are impossible or contradictory.

use costate_cost::CostWeightError;
use costate_cost::residuals::ResidualError;
use costate_optimize::{MultistartError, StartError};
use costate_system::model::{OtherModel, SelectionError};
use costate_system::table::prior::{PriorError, Shape};

/// An identification whose settings are impossible or contradict each other: change the named setting in the program.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SpecificationError {
    /// A parameter, input or output of another model.
    #[error(transparent)]
    OtherModel(#[from] OtherModel),
    /// No unknown parameter.
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
    /// No measured output and no cost.
    #[error(
        "no output of `{model}` is measured; name one with `.measured(output, &record)` or add a cost with \
             `.cost(weight, cost)`"
    )]
    NoMeasurement {
        /// The model's name.
        model: &'static str,
    },
    /// An output that is compared with two measurements.
    #[error(
        "the output `{output}` is measured twice, by {first} and by {second}, and one run can be compared with one \
             measurement of it only; remove one of them, or give the mean of two sensors as one channel (measurements \
             of separate runs need an `Experiment` each)"
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
        "the window from {from} to {to} s of the output `{output}` is empty or reversed; give its start first, then a \
             later end"
    )]
    Window {
        /// The output's name.
        output: &'static str,
        /// Begin in s.
        from: f64,
        /// End in s.
        to: f64,
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
    /// An unknown inertia that is not possible.
    #[error("the body with the mass `{body}`, whose mass and inertia are found together, {limit}")]
    Inertia {
        /// The name of the mass.
        body: &'static str,
        /// The fault, and what to do.
        limit: &'static str,
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
    #[error("the prior of the table `{table}` is not possible")]
    TablePrior {
        /// The table's name.
        table: &'static str,
        /// The reason.
        #[source]
        source: PriorError,
    },
    /// A surface with a shape that only curves have.
    #[error(
        "shapes apply to tables of one argument only, and the table `{table}` has two; use `.smooth()` or \
             `.smoothness(..)` instead"
    )]
    SurfaceShape {
        /// The table's name.
        table: &'static str,
    },
    /// Shapes that cannot be kept together while values are varied.
    #[error(
        "the table `{table}` cannot be {} at once, as these are more conditions than it has values; remove one of them",
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
    #[error("two experiments are called `{name}`; names identify the results, so give each experiment its own")]
    RepeatedExperiment {
        /// The name.
        name: String,
    },
    /// Measurements or costs of the identification itself, which also has experiments.
    #[error(
        "the identification has experiments, and {what} of its own that belongs to none of them; add it to an \
             experiment"
    )]
    BesideExperiments {
        /// The setting that belongs to no experiment.
        what: &'static str,
    },
    /// A simulation of another model.
    #[error(
        "the simulation of {whose} is one of the model `{simulated}`, and `{model}` is identified; give a \
             `Simulation` of `{model}`"
    )]
    OtherSimulation {
        /// The identification, or the experiment by its name.
        whose: String,
        /// Name of the simulated model.
        simulated: &'static str,
        /// Name of the identified model.
        model: &'static str,
    },
    /// Tables of one experiment that are not those of the others.
    #[error(
        "the simulation of the experiment `{experiment}` has other tables than that of the identification, and tables \
             are common to all experiments; give them to the simulation of the identification, and make that of the \
             experiment from it"
    )]
    TablesOfExperiment {
        /// The experiment's name.
        experiment: String,
    },
    /// Experiments without a common unknown.
    #[error(
        "no unknown is common to two of the {experiments} experiments; identify them one by one, or name a common \
             unknown with `.unknown([..])`"
    )]
    NothingInCommon {
        /// Number of experiments.
        experiments: usize,
    },
    /// Experiments that all validate.
    #[error(
        "all {experiments} experiments are for validation and none is fitted; remove `.validation()` from those to be \
             fitted"
    )]
    NothingFitted {
        /// Number of experiments.
        experiments: usize,
    },
    /// A setting that needs the weights of maximum likelihood.
    #[error(
        "{what} requires residuals to be weighted by their standard deviations; leave out the weights of measurements \
             and `.weighting(..)`, or choose `Weighting::Likelihood`"
    )]
    NeedsLikelihood {
        /// The setting that needs them.
        what: &'static str,
    },
    /// A loss that is not possible.
    #[error(transparent)]
    Loss(#[from] ResidualError),
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
    #[error("`{parameter}` has a prior and is not unknown; add it with `.unknown([..])`, or leave out the prior")]
    PriorOfKnown {
        /// The parameter's name.
        parameter: &'static str,
    },
    /// A standard deviation that is not positive.
    #[error(
        "the standard deviation {deviation} of the output `{output}` is not a positive number; choose one above 0 or \
             leave it out"
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
        "cost {index}, counted from 0, does not fit this run; make it for steps of {step} s, {samples} samples and \
             {outputs} outputs"
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
    #[error("without a measured record the run has no {what}; set it with `.{method}(..)` of the simulation")]
    NoRecord {
        /// The setting.
        what: &'static str,
        /// The method that sets it.
        method: &'static str,
    },
    /// The step size is neither given nor obvious.
    #[error(
        "the samples of `{record}` are not equidistant, so that no step size follows from them; set one with \
             `.step(h)` of the simulation"
    )]
    NoStep {
        /// The record's name.
        record: String,
    },
    /// A prediction of another model than the one that is identified.
    #[error(
        "the prediction `{prediction}` is one of `{predicted}`, and `{model}` is identified; make both of one model"
    )]
    OtherPrediction {
        /// The prediction's name.
        prediction: String,
        /// The model of the prediction.
        predicted: String,
        /// The model that is identified.
        model: &'static str,
    },
    /// A prediction in an identification that cannot have one.
    #[error("{what} cannot be identified from the prediction `{prediction}`; {remedy}")]
    NotPredicted {
        /// The unknown or the kind of identification.
        what: &'static str,
        /// The prediction's name.
        prediction: String,
        /// Remedy, for the message.
        remedy: &'static str,
    },
    /// A multistart that cannot begin.
    #[error(transparent)]
    Multistart(#[from] MultistartError),
    /// A setting that only a single identification has.
    #[error("a multistart has no {what}; leave out `.{method}(..)` or identify from a single start with `.run()`")]
    NotInMultistart {
        /// The setting.
        what: &'static str,
        /// The method that sets it.
        method: &'static str,
    },
    /// Growing parts or pieces of records, where nothing is compared over parts.
    #[error(
        "a fit over parts of records needs measured outputs, and neither unknown inputs nor further costs such as \
             spectra: these belong to whole runs"
    )]
    NothingGrows,
    /// Pieces that cannot be.
    #[error("the records cannot be cut into {what}: {remedy}")]
    Pieces {
        /// The pieces that were asked for.
        what: String,
        /// Remedy, for the message.
        remedy: &'static str,
    },
    /// A setting without a likelihood, where a posterior is requested.
    #[error("a posterior is not defined with {what}; {remedy}")]
    NoPosterior {
        /// The setting.
        what: &'static str,
        /// Remedy, for the message.
        remedy: &'static str,
    },
}
