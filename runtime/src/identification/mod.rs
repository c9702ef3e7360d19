//! Parameter identification: the parameters with which a model reproduces measured outputs.

mod campaign;
mod check;
mod check_gradient;
mod density;
mod fixed;
mod joint;
mod multistart;
mod multistart_fit;
mod other_sign;
mod prepare;
mod profile;
mod profile_side;
mod profile_table;
mod refinement;
mod resampling;
mod resampling_table;
mod result;
mod run;
mod said;
mod state_file;

use std::fmt;
use std::path::PathBuf;
use std::sync::Arc;

use crate::cost::{Cost, Quadrature};
use crate::ensemble::{Ensemble, Executor};
use crate::gradient::GradientMethod;
use crate::identifiers::{Input, Output, Parameter};
use crate::input::InputSignal;
use crate::interrupt::Interrupt;
use crate::model::Model;
use crate::optimize::{Iteration, OptimizerSettings};
use crate::problem::{Checkpoints, Settings, Steps};
use crate::record::Record;
use crate::step::{NewtonSettings, Scheme};
use crate::table::{Table, TableData, Tables};

pub use campaign::failed_trials::FailedTrials;
pub(crate) use campaign::progress::Progress;
pub use check::{CheckedUnknown, IdentificationCheck, Told};
pub use density::{DensityUnknown, JointDensity, JointDensityEvaluator};
pub use joint::{
    ExperimentShare, JointCost, JointExperiment, JointFit, JointMemory, JointParameter, JointValidated,
    JointValidation,
};
pub use multistart_fit::{FittedStart, MultistartFit};
pub use profile::{Identifiability, Profile, ProfileEnd, ProfilePoint, ProfileSettings, ProfiledFit};
pub use refinement::{
    ElementTables, FoundBreak, Refined, RefinedOutput, RefinedStage, RefinedTable, Refinement,
    RefinementError, StartingTable,
};
pub use resampling::{BootstrapFit, LeaveOneOut, LeftOut, Resampling};
pub use result::fit::Fit;
pub use result::fitted_experiment::FittedExperiment;
pub use result::joint_region::JointRegion;
pub use result::model_comparison::{ComparedModel, ModelComparison, ModelComparisonError};
pub use result::summary::{
    AdaptiveSteps, FinerSteps, FitSettings, FitSummary, FittedCost, FittedInput, FittedParameter, FittedRun,
    FittedTable, InformationShare, MeasuredOutput, SettledWeights, Validation,
};
pub use result::written::FitFileError;
pub use said::correction::Correction;
pub use said::error::IdentificationError;
pub use said::experiment::Experiment;
pub use said::measurement::Measurement;
pub use said::noise::ColouredNoise;
pub use said::parameter_set::{ParameterSet, ParameterSetError};
pub use said::prior::Prior;
pub use said::unknown::UnknownParameter;
pub use said::unknown_input::UnknownInput;
pub use said::unknown_table::UnknownTable;
pub use said::weighting::Weighting;

use campaign::layout::Owner;
use costate_residuals::Loss;

pub(crate) use result::table::write_columns;
pub(crate) use said::digits::significant;

type Observer<'a> = Box<dyn FnMut(&Iteration) + Send + 'a>;

/// An identification in the making: which parameters are unknown, what was measured, how to simulate.
///
/// [`run`](Identification::run) minimises [`LeastSquares`](crate::cost::LeastSquares) of the measured outputs, together with any
/// further [`cost`](Identification::cost), with BFGS ([`minimize`](crate::optimize::minimize)) and exact gradients, from the model's
/// parameters as start values.
///
/// ```text
/// let fit = Identification::new(mount)
///     .unknown([EngineMount::C_E1, EngineMount::C_E2, EngineMount::D_E, EngineMount::D_H2])
///     .measured(EngineMount::ACCELERATION, &record)
///     .input(EngineMount::DRIVE, |t| sweep(t))
///     .run()?;
/// println!("{fit}");
/// ```
pub struct Identification<'a, M: Model> {
    model: M,
    unknowns: Vec<(UnknownParameter<M>, Owner)>,
    /// What is said of the only experiment, or of all that have nothing of their own.
    own: Experiment<'a, M>,
    experiments: Vec<Experiment<'a, M>>,
    unknown_tables: Vec<UnknownTable<M>>,
    priors: Vec<(Parameter<M>, Prior)>,
    loss: Loss,
    weighting: Weighting,
    tables: Tables<M>,
    settings: Settings,
    quadrature: Quadrature,
    optimizer: OptimizerSettings,
    gradient_method: GradientMethod,
    state_file: Option<PathBuf>,
    interrupt: Interrupt,
    ensemble: Ensemble<'a>,
    experiments_on: Option<&'a dyn Executor>,
    observer: Option<Observer<'a>>,
    progress: bool,
    /// Whether a fit begins whatever the check before says.
    ignores_check: bool,
    /// Residuals are of steps that are divided into so many parts, where they can be.
    finer: usize,
}

impl<M: Model> fmt::Debug for Identification<'_, M> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Identification")
            .field("model", &self.model)
            .field("own", &self.own)
            .field("experiments", &self.experiments)
            .field("settings", &self.settings)
            .field("optimizer", &self.optimizer)
            .finish_non_exhaustive()
    }
}

impl<'a, M: Model> Identification<'a, M> {
    /// An identification that starts from the parameters of `model`.
    pub fn new(model: M) -> Self {
        Self {
            model,
            unknowns: Vec::new(),
            own: Experiment::new(""),
            experiments: Vec::new(),
            unknown_tables: Vec::new(),
            priors: Vec::new(),
            loss: Loss::Squares,
            weighting: Weighting::default(),
            tables: M::tables(),
            settings: Settings::default(),
            quadrature: Quadrature::default(),
            optimizer: OptimizerSettings::default(),
            gradient_method: GradientMethod::default(),
            state_file: None,
            interrupt: Interrupt::new(),
            ensemble: Ensemble::new(),
            experiments_on: None,
            observer: None,
            progress: false,
            ignores_check: false,
            finer: 1,
        }
    }

    /// Adds unknown parameters: [`Parameter`](crate::Parameter)s, or [`UnknownParameter`]s with bounds and scaling.
    #[must_use]
    pub fn unknown(mut self, unknowns: impl IntoIterator<Item = impl Into<UnknownParameter<M>>>) -> Self {
        self.unknowns.extend(unknowns.into_iter().map(|unknown| (unknown.into(), Owner::All)));
        self
    }

    /// Adds unknown parameters of which every experiment has its own, such as an initial position or the zero of a sensor.
    #[must_use]
    pub fn unknown_per_experiment(
        mut self,
        unknowns: impl IntoIterator<Item = impl Into<UnknownParameter<M>>>,
    ) -> Self {
        self.unknowns.extend(unknowns.into_iter().map(|unknown| (unknown.into(), Owner::Experiment)));
        self
    }

    /// Adds unknown parameters that the experiments of a [group](Experiment::group) have in common, such as a preload.
    #[must_use]
    pub fn unknown_per_group(
        mut self,
        unknowns: impl IntoIterator<Item = impl Into<UnknownParameter<M>>>,
    ) -> Self {
        self.unknowns.extend(unknowns.into_iter().map(|unknown| (unknown.into(), Owner::Group)));
        self
    }

    /// Looks for the values of a table, which all experiments have in common.
    #[must_use]
    pub fn unknown_table(mut self, unknown: UnknownTable<M>) -> Self {
        self.unknown_tables.push(unknown);
        self
    }

    /// Adds an experiment. With one or more of them, inputs, step and end of the identification are those of every experiment that
    /// has none of its own, and what is measured is said by the experiments alone.
    #[must_use]
    pub fn experiment(mut self, experiment: Experiment<'a, M>) -> Self {
        self.experiments.push(experiment);
        self
    }

    /// What is known beforehand of an unknown parameter, in each experiment or group that has its own. The fit is then the
    /// maximum a posteriori.
    #[must_use]
    pub fn prior(mut self, parameter: Parameter<M>, prior: Prior) -> Self {
        self.priors.push((parameter, prior));
        self
    }

    /// How residuals of different channels are weighed.
    #[must_use]
    pub fn weighting(mut self, weighting: Weighting) -> Self {
        self.weighting = weighting;
        self
    }

    /// What a residual counts in units of its standard deviation; squares by default, others where there are outliers.
    #[must_use]
    pub fn loss(mut self, loss: Loss) -> Self {
        self.loss = loss;
        self
    }

    /// Adds a measured output: the record's channel with the output's name, or its only channel, with weight 1. Every
    /// output has one measurement; a cost in frequency may follow it as well.
    #[must_use]
    pub fn measured(self, output: Output<M>, record: &'a Record) -> Self {
        self.measurement(Measurement::new(output, record))
    }

    /// Adds a measured output with channel, weight or standard deviation of one's own.
    #[must_use]
    pub fn measurement(mut self, measurement: Measurement<'a, M>) -> Self {
        self.own.measurements.push(measurement);
        self
    }

    /// Adds `weight` times a further cost, such as a [`SpectrumCost`](crate::cost::SpectrumCost), to the least squares of the
    /// measured outputs or instead of them. It must be made for the step size and the number of samples of the run.
    ///
    /// Its [`residuals`](Cost::residuals) take part in the standard deviations of the found parameters; where a cost has
    /// none, these are infinite. A state file tells costs apart by what their `Debug` prints.
    #[must_use]
    pub fn cost(mut self, weight: f64, cost: impl Cost + 'a) -> Self {
        self.own.costs.push((weight, Arc::new(cost)));
        self
    }

    /// Drives `input` with a function of the time in s. An input without signal is taken from the channel with its
    /// name in a measured record, linear between the samples and constant behind the record; it may have no gap.
    #[must_use]
    pub fn input(self, input: Input<M>, signal: impl Fn(f64) -> f64 + Send + Sync + 'static) -> Self {
        self.signal(input, InputSignal::function(signal))
    }

    /// Drives `input` with a constant, a [`Sampled`](crate::simulate::Sampled) record or a prepared [`InputSignal`].
    #[must_use]
    pub fn signal(mut self, input: Input<M>, signal: impl Into<InputSignal>) -> Self {
        self.own.signals.push((input, signal.into()));
        self
    }

    /// The delay of an input, see [`Experiment::input_delay`]; of every experiment that says nothing of that input's.
    #[must_use]
    pub fn input_delay(mut self, input: Input<M>, delay: impl Into<Correction>) -> Self {
        self.own.input_delays.push((input, delay.into()));
        self
    }

    /// Looks for an input that was not measured, together with the parameters. Where there are experiments, say it of each.
    #[must_use]
    pub fn unknown_input(mut self, unknown: UnknownInput<M>) -> Self {
        self.own.unknown_inputs.push(unknown);
        self
    }

    /// Gives a table its data, or other data than the model has for it.
    #[must_use]
    pub fn table<D: TableData>(mut self, table: Table<M, D>, data: impl Into<Arc<D>>) -> Self {
        self.tables = self.tables.with(table, data);
        self
    }

    /// Step size h in s; by default the sampling interval of the first measured record.
    #[must_use]
    pub fn step(mut self, step: f64) -> Self {
        self.own.step = Some(step);
        self
    }

    /// End time T in s; by default the first step that no record's last sample is behind.
    #[must_use]
    pub fn until(mut self, end: f64) -> Self {
        self.own.end = Some(end);
        self
    }

    /// How a step leads from one state to the next one, see [`Scheme`].
    #[must_use]
    pub fn scheme(mut self, scheme: Scheme) -> Self {
        self.settings.scheme = scheme;
        self
    }

    /// The scheme [`Scheme::Hht`] with this alpha in [-1/3, 0].
    #[must_use]
    pub fn alpha(self, alpha: f64) -> Self {
        self.scheme(Scheme::Hht { alpha })
    }

    /// The largest estimated error of coordinates and outputs, relative to their ranges, with which the identification
    /// [starts](crate::Simulation::error_limit); 0.05 by default. With `None`, or with checkpoints, it is not looked at. How the error compares with the
    /// noise is in the result, [`MeasuredOutput::step_error`].
    #[must_use]
    pub fn error_limit(mut self, limit: impl Into<Option<f64>>) -> Self {
        self.settings.error_limit = limit.into();
        self
    }

    /// Steps of different lengths, each of which leaves an error of at most `tolerance` relative to the ranges of the
    /// coordinates; the step is the longest, at which outputs are sampled. See [`Steps::Adaptive`] and [`run`](Self::run).
    #[must_use]
    pub fn adaptive(mut self, tolerance: f64) -> Self {
        self.settings.steps = Steps::Adaptive { tolerance };
        self
    }

    /// Settings of the Newton iteration.
    #[must_use]
    pub fn newton(mut self, newton: NewtonSettings) -> Self {
        self.settings.newton = newton;
        self
    }

    /// Largest amount of memory in bytes that one simulation may need.
    #[must_use]
    pub fn memory_limit(mut self, bytes: u64) -> Self {
        self.settings.memory_limit = Some(bytes);
        self
    }

    /// Whether a simulation stores all states for its gradient, or checkpoints from which it computes them once more;
    /// results do not depend on it. The budget is that of one simulation; `Checkpoints::Automatic` is shared by those
    /// that a multistart runs at once.
    #[must_use]
    pub fn checkpoints(mut self, checkpoints: Checkpoints) -> Self {
        self.settings.checkpoints = checkpoints;
        self
    }

    /// The interval of time that each sample stands for; [`Quadrature::Rectangle`] by default.
    #[must_use]
    pub fn quadrature(mut self, quadrature: Quadrature) -> Self {
        self.quadrature = quadrature;
        self
    }

    /// Stopping rules and step limits.
    #[must_use]
    pub fn optimizer(mut self, settings: OptimizerSettings) -> Self {
        self.optimizer = settings;
        self
    }

    /// Begins to fit also where the [check](Self::check) before says that an unknown has no influence: it stays where it is, and the
    /// result says that it is not determined.
    #[must_use]
    pub fn ignore_check(mut self) -> Self {
        self.ignores_check = true;
        self
    }

    /// How the gradient is computed; by the discrete adjoint by default.
    ///
    /// The continuous adjoint needs costs of positions and velocities alone, and differs from the derivative of the
    /// computed cost by the discretisation's error: the optimizer then ends as close to the minimum as that allows.
    /// Gauss-Newton and Levenberg-Marquardt take the residuals' derivatives from direct differentiation whatever is
    /// chosen, and refuse the continuous adjoint, which would contradict them.
    #[must_use]
    pub fn gradient_method(mut self, method: GradientMethod) -> Self {
        self.gradient_method = method;
        self
    }

    /// Stores the state in this file after every iteration, and continues from it where it exists already. It must
    /// then belong to the same identification; only the maximum number of iterations may have changed. What differs is
    /// named, and a damaged file is refused.
    ///
    /// Nobody else may use the file meanwhile: a file beside it, with `.lock` behind the name, is locked as long as the
    /// identification runs. It stays there, and may be deleted when nothing runs.
    #[must_use]
    pub fn state_file(mut self, path: impl Into<PathBuf>) -> Self {
        self.state_file = Some(path.into());
        self
    }

    /// The flag that stops the identification; at most the iteration under way is lost.
    #[must_use]
    pub fn interrupt(mut self, interrupt: Interrupt) -> Self {
        self.interrupt = interrupt;
        self
    }

    /// How [`multistart`](Self::multistart), [`bootstrap`](Self::bootstrap) and [`profiles`](Self::profiles) do their tasks: in shards
    /// or by several processes, with logs in a folder from which they continue, with a limit of time. They are interrupted by the
    /// [`interrupt`](Self::interrupt) of the identification. A limit of time is looked at between iterations.
    #[must_use]
    pub fn ensemble(mut self, ensemble: Ensemble<'a>) -> Self {
        self.ensemble = ensemble;
        self
    }

    /// Shares the experiments among the processes of an executor, each of which runs the same program: where one evaluation of the
    /// cost is too much for one machine. Costs, gradients and residuals are summed in the order of the experiments, whoever has
    /// simulated them, so that the bits of the result do not depend on the number of processes. Every process has the result; what
    /// is computed once alone, deviations at the start and at the end, is computed by each. Tasks of an [`ensemble`](Self::ensemble) are
    /// not shared further. Every process has all records; where these are too many see [`joint`](Self::joint).
    #[must_use]
    pub fn experiments_on(mut self, executor: &'a dyn Executor) -> Self {
        self.experiments_on = Some(executor);
        self
    }

    /// Calls `observer` after every iteration, first with the start.
    #[must_use]
    pub fn observer(mut self, observer: impl FnMut(&Iteration) + Send + 'a) -> Self {
        self.observer = Some(Box::new(observer));
        self
    }

    /// Whether to show the memory needed, and then a line with iteration, cost and evaluations, on the terminal.
    #[must_use]
    pub fn progress(mut self, show: bool) -> Self {
        self.progress = show;
        self
    }
}
