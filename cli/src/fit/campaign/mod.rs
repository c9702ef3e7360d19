//! Campaigns: everything of an identification that is data and not code, from a file or from the options of a call.

pub mod bounds;
mod completed;
mod document;
pub mod error;
pub mod fields;
pub mod kinds;
pub mod place;
pub mod predictions;
mod read;
mod read_experiment;
mod read_predictions;
mod read_records;
mod read_settings;
pub mod remedies;
#[cfg(test)]
mod tests;

use std::path::PathBuf;

use costate_compiler::ArgumentValue;
use costate_cost::residuals::Loss;
use costate_cost::{Quadrature, SpectrumForm, Window};
use costate_identify::{Growing, Resampling, Weighting};
use costate_measure::record::CsvReader;
use costate_optimize::OptimizerSettings;
use costate_system::gradient::GradientMethod;
use costate_system::problem::Checkpoints;
use costate_system::step::Scheme;
use costate_system::table::Interpolation;

use self::bounds::Bounds;
use self::place::{Located, Place};
use self::predictions::Predictions;
use crate::options::{Amount, Course};

#[cfg(test)]
pub use read::parse;
pub use read::read;

/// A value under the name that the user has given to it.
#[derive(Debug, Clone)]
pub struct Named<T> {
    /// The name.
    pub name: Located<String>,
    /// The value.
    pub value: T,
}

/// Values of parameters.
pub type Values = Vec<Named<Located<Amount>>>;

/// An identification as data, without the model.
#[derive(Debug)]
pub struct Campaign {
    /// The model.
    pub model: ModelChoice,
    /// Values of parameters in place of their defaults.
    pub parameters: Values,
    /// Steps and end of all simulations.
    pub run: RunSettings,
    /// Options on reading records.
    pub reading: CsvReader,
    /// Signals in all experiments.
    pub inputs: Vec<Named<InputEntry>>,
    /// Measured outputs in all experiments.
    pub measured: Vec<Named<MeasuredEntry>>,
    /// The experiments.
    pub experiments: Vec<ExperimentEntry>,
    /// The parameters to be found.
    pub unknowns: Vec<Named<UnknownEntry>>,
    /// Curves and surfaces with other data, or to be found.
    pub tables: Vec<Named<TableEntry>>,
    /// Weights and losses of residuals.
    pub residuals: ResidualSettings,
    /// The optimizer.
    pub optimizer: OptimizerSettings,
    /// The method of gradients.
    pub gradient: GradientMethod,
    /// The choice whether the fit goes over growing parts of the records.
    pub growing: Growing,
    /// Channels and outputs whose angles are continued over turns.
    pub unwrap: Vec<String>,
    /// True if a fit begins even where the check refuses to.
    pub ignores_check: bool,
    /// Number of starts, and their seed.
    pub multistart: Option<(usize, u64)>,
    /// Settings of profiles.
    pub profiles: ProfileEntry,
    /// Fits to data that are drawn again.
    pub resampling: ResamplingEntry,
    /// Files that are written.
    pub output: OutputFiles,
}

/// The model of a campaign.
#[derive(Debug)]
pub struct ModelChoice {
    /// The file.
    pub file: PathBuf,
    /// The model in the file.
    pub name: Option<String>,
    /// Values of structural arguments.
    pub arguments: Vec<(String, ArgumentValue)>,
    /// Further folders with tables and meshes.
    pub allow_files: Vec<PathBuf>,
    /// The place where the model is named.
    pub place: Place,
}

/// Steps and end of simulations; fields that are not given are those of the library.
#[derive(Debug, Clone, Default)]
pub struct RunSettings {
    /// Step in s.
    pub step: Option<f64>,
    /// End in s.
    pub end: Option<f64>,
    /// Scheme of time integration.
    pub scheme: Option<Scheme>,
    /// Tolerance of adaptive steps.
    pub tolerance: Option<f64>,
    /// Largest accepted error; `Some(None)` for no check.
    pub error_limit: Option<Option<f64>>,
    /// Outputs by which runs are judged.
    pub judge: Option<Vec<Located<String>>>,
    /// Tolerance of Newton's iteration.
    pub newton_tolerance: Option<f64>,
    /// Largest number of iterations.
    pub newton_iterations: Option<usize>,
    /// True if factors are kept.
    pub newton_reuse: Option<bool>,
    /// True if a step may end by an estimate.
    pub newton_estimate: Option<bool>,
    /// Largest memory in bytes.
    pub memory_limit: Option<u64>,
    /// States that are stored.
    pub checkpoints: Option<Checkpoints>,
}

/// One run of the test bench.
#[derive(Debug)]
pub struct ExperimentEntry {
    /// The record; `None` for an experiment of predictions alone.
    pub record: Option<Located<PathBuf>>,
    /// Options on reading the records of the experiment; `None` for those of all.
    pub reading: Option<CsvReader>,
    /// The name; `None` for that of the record's file.
    pub name: Option<Located<String>>,
    /// The group.
    pub group: Option<String>,
    /// True if the experiment validates.
    pub validates: bool,
    /// Values of parameters.
    pub parameters: Values,
    /// Steps and end.
    pub run: RunSettings,
    /// Signals of inputs.
    pub inputs: Vec<Named<InputEntry>>,
    /// Measured outputs.
    pub measured: Vec<Named<MeasuredEntry>>,
    /// Lines of spectra that are compared.
    pub spectra: Vec<SpectrumEntry>,
    /// Measured numbers that the model predicts without a run.
    pub predictions: Predictions,
    /// The place of the experiment.
    pub place: Place,
}

/// The signal of an input.
#[derive(Debug, Clone, Default)]
pub struct InputEntry {
    /// The signal; `None` for the channel with the input's name.
    pub signal: Option<Signal>,
    /// Course of a channel between its samples.
    pub interpolation: Option<Located<Course>>,
    /// Delay in s.
    pub delay: Option<CorrectionEntry>,
    /// The part of the signal that is to be found.
    pub unknown: Option<UnknownInputEntry>,
}

/// The kinds of signals.
#[derive(Debug, Clone)]
pub enum Signal {
    /// A constant.
    Constant(Located<Amount>),
    /// An expression of the time.
    Expression(Located<String>),
    /// A channel of a record.
    Channel(Box<ChannelEntry>),
}

/// A channel of a record.
#[derive(Debug, Clone, Default)]
pub struct ChannelEntry {
    /// The file; `None` for the record of the experiment.
    pub record: Option<Located<PathBuf>>,
    /// The name; `None` for that of the input or output.
    pub channel: Option<Located<String>>,
    /// The unit of a channel that has none.
    pub unit: Option<Located<String>>,
    /// True if an angle that begins anew after each turn is continued.
    pub unwrap: Option<bool>,
}

/// A part of an input that is to be found.
#[derive(Debug, Clone)]
pub struct UnknownInputEntry {
    /// Distance of the knots in s.
    pub interval: f64,
    /// A typical change.
    pub typical: Located<Amount>,
    /// True for straight lines between the knots.
    pub is_straight: bool,
    /// Bounds of the values.
    pub bounds: Option<Bounds>,
    /// First and last time in s.
    pub window: Option<(f64, f64)>,
    /// Prior deviation of the values.
    pub deviation: Option<Located<Amount>>,
    /// Prior deviation of the second derivatives.
    pub smoothness: Option<f64>,
}

/// A measured output. An entry of an experiment is completed by that of all experiments.
#[derive(Debug, Clone, Default)]
pub struct MeasuredEntry {
    /// The channel.
    pub channel: ChannelEntry,
    /// Standard deviation of the errors.
    pub deviation: Option<Located<Amount>>,
    /// Weight in the cost.
    pub weight: Option<f64>,
    /// Channel over output.
    pub gain: Option<CorrectionEntry>,
    /// Channel minus output.
    pub offset: Option<CorrectionEntry>,
    /// Delay of the channel.
    pub delay: Option<CorrectionEntry>,
    /// Spans in s that count.
    pub windows: Option<Vec<(f64, f64)>>,
    /// Spans in s that do not count.
    pub without: Option<Vec<(f64, f64)>>,
    /// Channel with the weights of samples.
    pub weights: Option<String>,
    /// Correlated errors.
    pub noise: Option<Located<NoiseEntry>>,
}

/// Lines of a spectrum that are compared.
#[derive(Debug)]
pub struct SpectrumEntry {
    /// The output.
    pub output: Located<String>,
    /// The channel that measured it.
    pub channel: ChannelEntry,
    /// Frequencies of single lines in Hz.
    pub frequencies: Vec<f64>,
    /// The lowest and the highest frequency in Hz of all lines between them.
    pub band: Option<(f64, f64)>,
    /// First and last time in s; `None` for the whole run.
    pub interval: Option<(f64, f64)>,
    /// The window.
    pub window: Window,
    /// The form in which lines are compared.
    pub form: SpectrumForm,
    /// Weight of a line.
    pub weight: f64,
    /// The place of the spectrum.
    pub place: Place,
}

/// A number of a measurement, in the unit of a quantity that is known later.
#[derive(Debug, Clone)]
pub struct CorrectionEntry {
    /// Value or start value.
    pub value: Located<Amount>,
    /// True if it is to be found.
    pub is_unknown: bool,
    /// Bounds.
    pub bounds: Option<Bounds>,
    /// A typical change.
    pub typical: Option<Located<Amount>>,
    /// The name by which measurements share it.
    pub common: Option<String>,
}

/// Correlated errors.
#[derive(Debug, Clone)]
pub enum NoiseEntry {
    /// A number of coefficients that are estimated.
    Order(usize),
    /// A criterion that chooses it up to a limit; true for Schwarz's criterion.
    Chosen {
        /// True for Schwarz's criterion, false for Akaike's.
        is_bic: bool,
        /// Largest order.
        limit: usize,
    },
    /// Known coefficients, and the deviation of the innovations.
    Known(Vec<f64>, Located<Amount>),
}

/// Who has a value of its own of an unknown.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Owner {
    /// All experiments have one in common.
    #[default]
    All,
    /// Every group of experiments.
    Group,
    /// Every experiment.
    Experiment,
}

/// A parameter to be found.
#[derive(Debug, Clone, Default)]
pub struct UnknownEntry {
    /// Who has a value of its own.
    pub owner: Owner,
    /// Start value.
    pub start: Option<Located<Amount>>,
    /// Bounds.
    pub bounds: Option<Bounds>,
    /// Scale of the search.
    pub scaling: Option<ScalingEntry>,
    /// Prior knowledge.
    pub prior: Option<PriorEntry>,
}

/// The scale of the search.
#[derive(Debug, Clone)]
pub enum ScalingEntry {
    /// The logarithm varies.
    Logarithmic,
    /// The value varies; a typical change, `None` for the start value.
    Linear(Located<Amount>),
}

/// Prior knowledge of a parameter.
#[derive(Debug, Clone)]
pub enum PriorEntry {
    /// Mean and deviation.
    Normal(Located<Amount>, Located<Amount>),
    /// Median, and deviation of the logarithm.
    LogNormal(Located<Amount>, f64),
}

/// A table of the model.
#[derive(Debug, Default)]
pub struct TableEntry {
    /// File with the data.
    pub file: Option<Located<PathBuf>>,
    /// Interpolation for all arguments, or for each.
    pub interpolation: Option<Located<Vec<Interpolation>>>,
    /// Prior knowledge of the values that are to be found.
    pub unknown: Option<UnknownTableEntry>,
}

/// A table whose values are to be found; numbers are in the units of the table.
#[derive(Debug)]
pub struct UnknownTableEntry {
    /// A typical change.
    pub typical: Located<Amount>,
    /// Prior deviation.
    pub deviation: Option<Located<Amount>>,
    /// Prior bend; `Some(None)` if it is estimated.
    pub bend: Option<Option<Located<Amount>>>,
    /// Known shapes.
    pub shapes: Vec<costate_system::table::prior::Shape>,
    /// Kinks and jumps.
    pub breaks: Vec<costate_system::table::prior::Break>,
}

/// Weights and losses of residuals.
#[derive(Debug)]
pub struct ResidualSettings {
    /// Weights.
    pub weighting: Weighting,
    /// Loss.
    pub loss: Loss,
    /// Interval of a sample.
    pub quadrature: Quadrature,
}

impl Default for ResidualSettings {
    fn default() -> Self {
        let (weighting, quadrature) = (Weighting::default(), Quadrature::default());
        Self { weighting, loss: Loss::Squares, quadrature }
    }
}

/// Settings of profiles; fields that are not given are those of the library.
#[derive(Debug, Default)]
pub struct ProfileEntry {
    /// Names of the unknowns.
    pub of: Vec<String>,
    /// Probability.
    pub level: Option<f64>,
    /// Most points on a side.
    pub points: Option<usize>,
}

/// Fits to data that are drawn again.
#[derive(Debug, Default)]
pub struct ResamplingEntry {
    /// The kind of draws, their number, and the seed.
    pub bootstrap: Option<(Resampling, usize, u64)>,
    /// True for fits to all experiments but one.
    pub leave_one_out: bool,
}

/// Files that are written.
#[derive(Debug, Default)]
pub struct OutputFiles {
    /// The page with all results.
    pub report: Option<PathBuf>,
    /// A folder for all results.
    pub folder: Option<PathBuf>,
    /// The page or picture of profiles.
    pub profiles: Option<PathBuf>,
    /// The file that an interrupted fit continues from.
    pub state: Option<PathBuf>,
    /// True if found values become defaults of the model.
    pub write_defaults: bool,
}
