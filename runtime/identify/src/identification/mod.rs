//! The builder of an identification, whose fits, checks and evaluations stand in `fits`.

use std::fmt;
use std::marker::PhantomData;
use std::path::PathBuf;
use std::sync::Arc;

use costate_cost::residuals::Loss;
use costate_cost::{Cost, Quadrature};
use costate_optimize::{Iteration, OptimizerSettings};
use costate_system::body_inertia::BodyInertia;
use costate_system::gradient::GradientMethod;
use costate_system::identifiers::{Dynamic, Input, Output, Parameter};
use costate_system::interrupt::Interrupt;
use costate_system::model::Model;
use costate_system::prediction::Prediction;
use costate_system::simulation::Simulation;
use costate_system::system::Differentiable;

use crate::definition::Definition;
use crate::definition::approach::Approach;
use crate::definition::correction::Correction;
use crate::definition::experiment::Experiment;
use crate::definition::measurement::{Measurement, OutputMeasurement};
use crate::definition::predicted::{MeasuredNumbers, MeasuredPrediction};
use crate::definition::prior::Prior;
use crate::definition::unknown::UnknownParameter;
use crate::definition::unknown_inertia::UnknownInertia;
use crate::definition::unknown_input::UnknownInput;
use crate::definition::unknown_table::UnknownTable;
use crate::definition::weighting::Weighting;
use crate::estimation::layout::Owner;
use crate::result::summary::ChosenSteps;

mod fits;

/// An identification in the making: a simulation, its unknown parameters, and measurements.
///
/// [`run`](Identification::run) minimises [`LeastSquares`](costate_cost::LeastSquares) of the measured outputs,
/// together with any further [`cost`](Identification::cost), from the parameters of the simulation as start values.
/// Derivatives are exact. By default the method is Levenberg-Marquardt in a trust region, or BFGS where a cost has no
/// residuals, see [`Method`](costate_optimize::Method).
///
/// ```text
/// let simulation = Simulation::new(&mount).input(EngineMount::DRIVE, sweep);
/// let fit = Identification::new(&simulation)
///     .unknown([EngineMount::C_E1, EngineMount::C_E2, EngineMount::D_E, EngineMount::D_H2])
///     .measured(EngineMount::ACCELERATION, &record)
///     .run()?;
/// println!("{fit}");
/// ```
pub struct Identification<M = Dynamic> {
    pub(crate) definition: Definition,
    pub(crate) model: PhantomData<fn() -> M>,
}

impl<M> fmt::Debug for Identification<M> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.definition.fmt(f)
    }
}

impl<M> Identification<M> {
    fn defined(definition: Definition) -> Self {
        Self { definition, model: PhantomData }
    }
}

impl<M: Model> Identification<M> {
    /// Creates an identification that runs this simulation, and starts from its parameters.
    ///
    /// The simulation needs neither step nor end: by default the step is the sampling interval of the first measured
    /// record, and the end the first step that is not before the last sample of any record. An input without a signal
    /// is taken from the channel with its name in a measured record, linear between the samples and constant after the
    /// record; that channel may have no gap. Where such a record, or one that is given to the simulation, begins later
    /// than 0 s, so does the run, unless an end, a signal that is a function of the time, a further cost or an unknown
    /// input says what its times are: [`MeasuredOutput::beginning`](crate::MeasuredOutput::beginning) has the time of
    /// the record at which the run begins. A run whose estimated error is beyond the simulation's limit is refused at
    /// the start values; how the error compares with the noise is in the result,
    /// [`MeasuredOutput::step_error`](crate::MeasuredOutput::step_error). The interrupt stops the identification, and
    /// at most the current iteration is lost. A memory limit is that of one run; `Checkpoints::Automatic` is shared by
    /// the runs of a multistart.
    pub fn new(simulation: &Simulation<M>) -> Self {
        Self::defined(Definition::new(M::differentiable(), simulation.description().clone()))
    }
}

impl Identification {
    /// Creates an identification of a model that is chosen while the program runs, with a simulation of the same model,
    /// see [`new`](Identification::new). What is unknown and measured is named by
    /// [`System::parameter`](costate_system::system::System::parameter) and
    /// [`System::output`](costate_system::system::System::output).
    pub fn of(model: &'static dyn Differentiable, simulation: &Simulation) -> Self {
        Self::defined(Definition::new(model, simulation.description().clone()))
    }
}

/// Unknowns, measurements, and settings of simulation and minimisation.
impl<M> Identification<M> {
    /// Adds unknown parameters: [`Parameter`]s, or [`UnknownParameter`]s with bounds and scaling.
    #[must_use]
    pub fn unknown(mut self, unknowns: impl IntoIterator<Item = impl Into<UnknownParameter<M>>>) -> Self {
        self.definition.unknowns.extend(unknowns.into_iter().map(|unknown| (unknown.into().erased(), Owner::All)));
        self
    }

    /// Adds unknown parameters of which every experiment has its own, such as an initial position or the zero of a
    /// sensor.
    #[must_use]
    pub fn unknown_per_experiment(
        mut self,
        unknowns: impl IntoIterator<Item = impl Into<UnknownParameter<M>>>,
    ) -> Self {
        self.definition
            .unknowns
            .extend(unknowns.into_iter().map(|unknown| (unknown.into().erased(), Owner::Experiment)));
        self
    }

    /// Adds unknown parameters that the experiments of a [group](Experiment::group) have in common, such as a preload.
    #[must_use]
    pub fn unknown_per_group(mut self, unknowns: impl IntoIterator<Item = impl Into<UnknownParameter<M>>>) -> Self {
        self.definition.unknowns.extend(unknowns.into_iter().map(|unknown| (unknown.into().erased(), Owner::Group)));
        self
    }

    /// Adds mass and inertia of a body, and its centre where this is of parameters, as unknowns that stay those of a
    /// possible body: the mass positive, the second moments positive definite, whatever the data say. The minimisation
    /// goes along logarithms of a Cholesky factor (Rucker, Wensing, IEEE Robotics and Automation Letters 7, 2022);
    /// values, deviations and correlations are those of the parameters. All experiments have them in common, and they
    /// have no bounds. A profile of one of them varies the others of its body by themselves.
    #[must_use]
    pub fn unknown_inertia(self, body: BodyInertia<M>) -> Self {
        self.with_inertia(&body, None)
    }

    /// Adds mass and inertia of a body as [`unknown_inertia`](Self::unknown_inertia) does, with a prior about the
    /// values of the model, such as those of a drawing: the logarithms of mass and of the radii of the body, and its
    /// centre relative to the radius of gyration, have this standard deviation; 0.1 is about 10 %. What the data do not
    /// tell then stays near the drawing.
    #[must_use]
    pub fn unknown_inertia_near(self, body: BodyInertia<M>, deviation: f64) -> Self {
        self.with_inertia(&body, Some(deviation))
    }

    fn with_inertia(self, body: &BodyInertia<M>, deviation: Option<f64>) -> Self {
        let mut new = self.unknown(body.parameters());
        new.definition.inertias.push(UnknownInertia { body: body.erased(), deviation });
        new
    }

    /// Adds the values of a table, which all experiments have in common, as unknowns.
    #[must_use]
    pub fn unknown_table(mut self, unknown: UnknownTable<M>) -> Self {
        self.definition.unknown_tables.push(unknown.erased());
        self
    }

    /// Adds an experiment. With experiments, the identification's simulation is that of all experiments without one of
    /// their own, and only the experiments have measurements.
    #[must_use]
    pub fn experiment(mut self, experiment: Experiment<M>) -> Self {
        self.definition.add_experiment(experiment.definition);
        self
    }

    /// Adds a prior of an unknown parameter; each experiment or group with its own value of the parameter has the
    /// prior. The fit is then the maximum a posteriori.
    #[must_use]
    pub fn prior(mut self, parameter: Parameter<M>, prior: Prior) -> Self {
        self.definition.priors.push((parameter.erased(), prior));
        self
    }

    /// Sets how residuals of different channels are weighed.
    #[must_use]
    pub fn weighting(mut self, weighting: Weighting) -> Self {
        self.definition.weighting = weighting;
        self
    }

    /// Sets the loss as a function of the residual in units of its standard deviation; squares by default, others
    /// where there are outliers.
    #[must_use]
    pub fn loss(mut self, loss: Loss) -> Self {
        self.definition.loss = loss;
        self
    }

    /// Adds a measured output with its measurement: a record, of which the channel with the output's name, or the only
    /// channel, is taken with weight 1, or a [`Measurement`] with channel, weight, delay and so on. Every output has
    /// one measurement; a cost in frequency may follow it as well.
    #[must_use]
    pub fn measured(mut self, output: Output<M>, measurement: impl Into<Measurement>) -> Self {
        let measurement = OutputMeasurement { output: output.erased(), data: measurement.into() };
        self.definition.own.measurements.push(measurement);
        self
    }

    /// Adds `weight` times a further cost, such as a [`SpectrumCost`](costate_cost::SpectrumCost), to the least
    /// squares of the measured outputs or instead of them. The cost must be made for the step size and the number of
    /// samples of the run.
    ///
    /// The [`residuals`](Cost::residuals) of the cost take part in the standard deviations of the found parameters;
    /// where a cost has no residuals, these deviations are infinite. A state file distinguishes costs by their
    /// `Debug` output.
    #[must_use]
    pub fn cost(mut self, weight: f64, cost: impl Cost + 'static) -> Self {
        self.definition.own.costs.push((weight, Arc::new(cost)));
        self
    }

    /// Adds numbers that the model predicts without a run, such as natural frequencies or a frequency response, with
    /// what was measured of them. Residuals are weighed by the standard deviations of the measured numbers, and the
    /// result judges the predictions as it judges measured outputs, beside which they may stand.
    #[must_use]
    pub fn predicted(
        mut self,
        prediction: impl Prediction + 'static,
        measured: impl IntoIterator<Item = MeasuredNumbers>,
    ) -> Self {
        self.definition.own.predictions.push(MeasuredPrediction::new(prediction, measured));
        self
    }

    /// Sets the delay of an input, see [`Experiment::input_delay`], in every experiment that has no delay of that
    /// input itself.
    #[must_use]
    pub fn input_delay(mut self, input: Input<M>, delay: impl Into<Correction>) -> Self {
        self.definition.own.input_delays.push((input.erased(), delay.into()));
        self
    }

    /// Adds an input that was not measured as an unknown, beside the parameters. Where there are experiments, it must
    /// be added to these instead.
    #[must_use]
    pub fn unknown_input(mut self, unknown: UnknownInput<M>) -> Self {
        self.definition.own.unknown_inputs.push(unknown.erased());
        self
    }

    /// Sets the interval of time that each sample stands for; [`Quadrature::Rectangle`] by default.
    #[must_use]
    pub fn quadrature(mut self, quadrature: Quadrature) -> Self {
        self.definition.quadrature = quadrature;
        self
    }

    /// Sets stopping rules and step limits.
    #[must_use]
    pub fn optimizer(mut self, settings: OptimizerSettings) -> Self {
        self.definition.optimizer = settings;
        self
    }

    /// Begins to fit also where the preceding [check](Self::check) finds that an unknown has no influence: the
    /// unknown keeps its start value, and the result reports that it is not determined.
    #[must_use]
    pub fn ignore_check(mut self) -> Self {
        self.definition.ignores_check = true;
        self
    }

    /// Sets how the gradient is computed; by the discrete adjoint by default.
    ///
    /// Gauss-Newton and Levenberg-Marquardt take the residuals' derivatives from direct differentiation whatever is
    /// chosen.
    #[must_use]
    pub fn gradient_method(mut self, method: GradientMethod) -> Self {
        self.definition.gradient_method = method;
        self
    }

    /// Stores the state in this file after every iteration, and continues from the file if it exists already. The
    /// file must then belong to the same identification; only the maximum number of iterations may have changed.
    /// Differences are named, and a damaged file is refused.
    ///
    /// No other process may use the file meanwhile: a file beside it, with `.lock` after the name, is locked as long
    /// as the identification runs. The lock file is not deleted at the end; it may be deleted when nothing runs.
    #[must_use]
    pub fn state_file(mut self, path: impl Into<PathBuf>) -> Self {
        self.definition.state_file = Some(path.into());
        self
    }

    /// Sets the way in which the fit follows its records in time.
    ///
    /// Growing parts begin as long as the start values keep the phase, are at least twice as long each time, and begin
    /// with the values found before; the whole records follow. [Pieces](Self::pieces) have starts of their own. By
    /// default, pieces and then growing parts are tried where a fit of the whole records explains little of them.
    /// Unknown inputs and further costs belong to whole runs: with them, growing parts and pieces are refused, and the
    /// default is one simulation.
    #[must_use]
    pub fn approach(mut self, approach: Approach) -> Self {
        self.definition.approach = approach;
        self
    }

    /// Cuts every record into so many pieces, each of which begins with positions and velocities of its own, in
    /// independent coordinates (multiple shooting). Gaps between the pieces weigh more from stage to stage, until one
    /// simulation follows the records, from whose values the whole records are fitted. For records in which a small
    /// error of a value grows: long, unstable or chaotic motions, and starts far away.
    #[must_use]
    pub fn pieces(self, number: usize) -> Self {
        self.approach(Approach::Pieces(number))
    }

    /// Cuts every record into [pieces](Self::pieces) of about so many seconds.
    #[must_use]
    pub fn pieces_of(self, seconds: f64) -> Self {
        self.approach(Approach::PiecesOf(seconds))
    }

    /// Lets [`run`](Self::run) choose steps and order where no simulation has a step: those with the fewest steps whose
    /// errors are below a tenth of the noise of a sample, or below a thousandth of the range where no noise is known,
    /// and shift no unknown; each is a part of the sampling interval of its record. They are chosen at the start, and
    /// again where they are not accurate enough for the found values;
    /// [`FitSummary::chosen_steps`](crate::FitSummary::chosen_steps) says what they cost. Without this, the sampling
    /// interval is the step.
    #[must_use]
    pub fn choosing_steps(mut self) -> Self {
        self.definition.may_choose_steps = true;
        self
    }

    /// Sets the function that is called with the steps and the order that [`run`](Self::run) chooses: at the start, and
    /// again where those are not accurate enough for the found values.
    #[must_use]
    pub fn on_steps(mut self, listener: impl Fn(&ChosenSteps) + Send + Sync + 'static) -> Self {
        self.definition.steps_listener = Some(std::sync::Arc::new(listener));
        self
    }

    /// Sets the function that is called with what is tried beside the fit, such as delays of the channels, and with
    /// each iteration of that; without words when the fit goes on.
    #[doc(hidden)]
    #[must_use]
    pub fn on_trials(mut self, listener: impl Fn(&str, Option<&Iteration>) + Send + Sync + 'static) -> Self {
        self.definition.trial_listener = Some(std::sync::Arc::new(listener));
        self
    }

    /// Chooses whether to show the memory needed, and then a line with iteration, cost and evaluations, on the
    /// terminal.
    #[must_use]
    pub fn progress(mut self, show: bool) -> Self {
        self.definition.progress = show;
        self
    }

    /// Leaves the errors of the steps unchecked, for records that were simulated with the same steps.
    #[doc(hidden)]
    #[must_use]
    pub fn without_error_limit(mut self) -> Self {
        self.definition.may_choose_steps = false;
        self.definition.change_settings(|settings| settings.error_limit = None);
        self
    }

    /// Sets the flag that stops the identification.
    #[doc(hidden)]
    #[must_use]
    pub fn interrupted_by(mut self, interrupt: Interrupt) -> Self {
        self.definition.interrupt_by(&interrupt);
        self
    }
}
