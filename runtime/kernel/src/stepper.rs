//! One step after another, driven from outside.

mod derivatives;

use std::fmt;

use costate_numerics::scalar::Vector;
use costate_system::identifiers::{Input, Output, Parameter};
use costate_system::input::InputError;
use costate_system::model::{Description, Functions, Model, NameOf, OtherModel};
use costate_system::problem::{InitialStateError, OtherProblem, Problem, ProblemDifference, Settings, SimulationError};
use costate_system::state_bytes::StateBytes;
use costate_system::table::Tables;

use crate::initial::{check_parameters, consistent_state};
use crate::run::check_model;
use crate::step::{Integrator, LinearStep, Moment, Snapshot, State, Statistics, StepConstants};

pub use derivatives::{StepChange, StepDerivatives, StepGradient};

/// A model that is advanced step by step with inputs that are not known beforehand: in a control loop, in a
/// co-simulation, or in a filter of your own. Created by `stepper::start`.
///
/// ```
/// # costate::model! {
/// #     pub Mount {
/// #         parameters { m: kg = 20, c: N/m = 100e3, d: N*s/m = 40 }
/// #         inputs { drive: N }
/// #         coordinates { x: m }
/// #         mass { x: m }
/// #         forces { x: drive - c*x - d*dot(x) }
/// #         outputs { position: m = x }
/// #     }
/// # }
/// # fn main() -> anyhow::Result<()> {
/// use costate::{Simulation, stepper};
///
/// let simulation = Simulation::new(&Mount::default()).input(Mount::DRIVE, 0.0).step(1e-4);
/// let mut mount = stepper::start(&simulation)?;
/// for _ in 0..1000 {
///     // a controller
///     mount.set_input(Mount::DRIVE, 50.0 - 20e3 * mount.output(Mount::POSITION));
///     mount.step()?;
/// }
/// println!("{} m after {} s", mount.output(Mount::POSITION), mount.time());
/// # Ok(())
/// # }
/// ```
///
/// The steps are those of [`Problem::forward`] with the same inputs, to the bit, as long as parameters, step
/// and state are not changed from outside. A step allocates only where pivots are chosen again.
pub type Stepper<M> = StepperOf<<M as Model>::Functions>;

/// The saved state of a [`Stepper`], from [`save`](StepperOf::save).
pub type SavedStepper<M> = SavedStepperOf<<M as Model>::Functions>;

/// A [`Stepper`] of the models with these functions.
pub struct StepperOf<M: Functions> {
    program: M::Program,
    settings: Settings,
    tables: Tables,
    parameters: M::Parameters<f64>,
    constants: StepConstants<M, f64>,
    /// The constants of a step that restarts; `None` unless the next step does.
    start: Option<StepConstants<M, f64>>,
    integrator: Integrator<M, f64>,
    clock: Clock,
    /// The inputs at the state, and those of the step to come.
    at: M::Inputs<f64>,
    inputs: M::Inputs<f64>,
    /// State, time and inputs before the last step, valid while `has_step` is true.
    before: Before<M>,
    has_step: bool,
    /// A name of another model that was given.
    other: Option<OtherModel>,
    linear: Box<LinearStep<M>>,
}

/// The time, counted in steps of one length since `origin`.
#[derive(Debug, Clone, Copy)]
struct Clock {
    origin: f64,
    since: usize,
    /// Number of all steps.
    steps: usize,
    length: f64,
}

impl Clock {
    fn time(self) -> f64 {
        self.origin + self.since as f64 * self.length
    }

    fn after_a_step(self) -> Self {
        Self { since: self.since + 1, steps: self.steps + 1, ..self }
    }

    fn with_length(self, length: f64) -> Self {
        Self { origin: self.time(), since: 0, length, ..self }
    }

    fn moment(self, inputs: &[f64]) -> Moment<'_> {
        Moment { step: self.steps, time: self.time(), inputs, changes: None }
    }
}

/// The state, its auxiliary acceleration, time and inputs before a step.
struct Before<M: Functions> {
    state: State<M, f64>,
    auxiliary: M::Coordinates<f64>,
    clock: Clock,
    inputs: M::Inputs<f64>,
    /// The constants of the step, if it restarted.
    start: Option<StepConstants<M, f64>>,
}

/// The saved state of a [stepper](StepperOf).
pub struct SavedStepperOf<M: Functions> {
    parameters: M::Parameters<f64>,
    constants: StepConstants<M, f64>,
    start: Option<StepConstants<M, f64>>,
    integrator: Snapshot<M, f64>,
    settings: Settings,
    clock: Clock,
    at: M::Inputs<f64>,
    inputs: M::Inputs<f64>,
}

impl<M: Functions> StepperOf<M> {
    /// Creates a stepper at the consistent initial state of a problem, whose end does not count.
    #[doc(hidden)]
    pub fn new(
        program: M::Program,
        problem: &Problem,
        parameters: M::Parameters<f64>,
    ) -> Result<Self, SimulationError> {
        check_model::<M>(program, problem)?;
        problem.require_constant_steps("a stepper")?;
        let initial = consistent_state::<M, _>(program, problem, &parameters)?.start::<M>();
        let (settings, at) = (problem.settings().clone(), problem.moment(0).plain_inputs::<M::Inputs<f64>>());
        let constants = StepConstants::new(program, &parameters, settings.weights(), problem.tables());
        let clock = Clock { origin: 0.0, since: 0, steps: 0, length: settings.step };
        let before =
            Before { state: initial.0.clone(), auxiliary: initial.1.clone(), clock, inputs: at.clone(), start: None };
        let start_weights = settings.scheme.start_weights(settings.step);
        let start = StepConstants::new(program, &parameters, start_weights, problem.tables());
        let integrator = Integrator::new(&settings.newton, &parameters, &start, initial, problem.moment(0));
        let start = settings.scheme.has_auxiliary().then_some(start);
        Ok(Self {
            program,
            settings,
            tables: problem.tables().clone(),
            parameters,
            constants,
            start,
            integrator,
            clock,
            inputs: at.clone(),
            at,
            before,
            has_step: false,
            other: None,
            linear: Box::new(LinearStep::new(program)),
        })
    }

    /// Sets the value of an input at the end of the next step and of those after it.
    pub fn set_input<N: NameOf<M>>(&mut self, input: Input<N>, value: f64) {
        if let Err(other) = input.check_model(self.description()) {
            self.other = Some(other);
            return;
        }
        self.inputs.as_mut()[input.index()] = value;
    }

    /// Makes one step and returns the state at its end. Where the step fails, the stepper stays at the state
    /// before it.
    ///
    /// # Errors
    /// [`SimulationError::Step`]; [`SimulationError::Input`] for an input that is infinite or not a number.
    pub fn step(&mut self) -> Result<&State<M, f64>, SimulationError> {
        let after = self.clock.after_a_step();
        if let Some(other) = &self.other {
            return Err(other.clone().into());
        }
        for (input, &value) in self.description().inputs.iter().zip(self.inputs.as_ref()) {
            if !value.is_finite() {
                return Err(InputError::NotFinite { name: input.name, time: after.time(), value }.into());
            }
        }
        let before = &mut self.before;
        let (kept, state) = (&mut before.state, self.integrator.state());
        kept.coordinates.clone_from(&state.coordinates);
        kept.velocities.clone_from(&state.velocities);
        kept.accelerations.clone_from(&state.accelerations);
        kept.multipliers.clone_from(&state.multipliers);
        self.integrator.auxiliary_into(&self.constants.weights, before.auxiliary.as_mut());
        before.clock = self.clock;
        before.inputs.clone_from(&self.at);
        let constants = self.start.as_ref().unwrap_or(&self.constants);
        if let Err(error) = self.integrator.step(constants, after.moment(self.inputs.as_ref())) {
            let at = self.clock.moment(self.at.as_ref());
            self.integrator.begin_at(constants, &before.state, &before.auxiliary, at);
            self.has_step = false;
            return Err(error.into());
        }
        before.start = self.start.take();
        if let Some(start) = &before.start {
            self.integrator.settle(&start.weights);
            self.integrator.take_step(&self.constants.weights);
        }
        (self.clock, self.has_step) = (after, true);
        self.at.clone_from(&self.inputs);
        Ok(self.integrator.state())
    }

    fn description(&self) -> &'static Description {
        M::description(self.program)
    }

    /// Returns the time in s.
    pub fn time(&self) -> f64 {
        self.clock.time()
    }

    /// Returns q, v, a and lambda at the current time.
    pub fn state(&self) -> &State<M, f64> {
        self.integrator.state()
    }

    /// Returns the outputs at the current time.
    pub fn outputs(&self) -> M::Outputs<f64> {
        let mut outputs = M::Outputs::zeros(M::lengths(self.program).outputs);
        self.outputs_into(&mut outputs);
        outputs
    }

    /// Writes the outputs at the current time to an array of theirs, without allocation.
    pub fn outputs_into(&self, outputs: &mut M::Outputs<f64>) {
        let point = self.integrator.state().point(self.time(), &self.at, &self.constants.model);
        M::outputs(&point, outputs);
    }

    /// Returns one of the outputs; NaN for one of another model.
    pub fn output<N: NameOf<M>>(&self, output: Output<N>) -> f64 {
        match output.check_model(self.description()) {
            Ok(()) => self.outputs().as_ref()[output.index()],
            Err(_) => f64::NAN,
        }
    }

    /// Returns the work counters of the steps so far.
    pub fn statistics(&self) -> Statistics {
        self.integrator.statistics()
    }

    /// Returns the parameters, in the order of declaration.
    pub fn parameters(&self) -> &M::Parameters<f64> {
        &self.parameters
    }

    /// Changes the value of a parameter for the steps to come. Where constraints depend on the parameter, the
    /// next step moves the positions so that the constraints are satisfied, and the velocities accordingly.
    ///
    /// # Errors
    /// [`SimulationError::InitialState`] for a value that is infinite or not a number.
    pub fn set_parameter<N: NameOf<M>>(&mut self, parameter: Parameter<N>, value: f64) -> Result<(), SimulationError> {
        parameter.check_model(self.description())?;
        let mut parameters = self.parameters.clone();
        parameters.as_mut()[parameter.index()] = value;
        check_parameters(self.description(), parameters.as_ref())?;
        self.parameters = parameters;
        let (state, auxiliary) = self.current();
        let of = |weights| StepConstants::new(self.program, &self.parameters, weights, &self.tables);
        let (constants, start) = (of(self.constants.weights), self.start.as_ref().map(|start| of(start.weights)));
        (self.constants, self.start) = (constants, start);
        let constants = self.start.as_ref().unwrap_or(&self.constants);
        self.integrator.begin_at(constants, &state, &auxiliary, self.clock.moment(self.at.as_ref()));
        self.has_step = false;
        Ok(())
    }

    /// Changes the step size, in s, for the steps to come; the scheme keeps its order.
    ///
    /// # Errors
    /// [`SimulationError::Settings`] for a step that is not positive and finite.
    pub fn set_step(&mut self, step: f64) -> Result<(), SimulationError> {
        let mut settings = self.settings.clone();
        (settings.step, settings.end) = (step, step);
        settings.validate_for(self.description())?;
        // the auxiliary acceleration after the last step, from which the steps to come continue
        let weights = self.start.as_ref().map_or(self.constants.weights, |start| start.weights);
        self.integrator.settle(&weights);
        self.constants = StepConstants::new(self.program, &self.parameters, settings.weights(), &self.tables);
        self.clock = self.clock.with_length(step);
        (self.settings, self.has_step) = (settings, false);
        self.restart();
        Ok(())
    }

    /// Replaces the state at the current time, for example by one that a measurement has corrected. The new
    /// state has to satisfy the constraints in position and velocity, and its accelerations and multipliers
    /// have to be those of the motion.
    ///
    /// # Errors
    /// [`SimulationError::InitialState`] for a state with numbers that are not finite;
    /// [`SimulationError::OtherProblem`] for one of another size.
    pub fn set_state(&mut self, state: &State<M, f64>) -> Result<(), SimulationError> {
        let Description { coordinates, constraints, .. } = *self.description();
        let named = [
            ("position", coordinates),
            ("velocity", coordinates),
            ("acceleration", coordinates),
            ("multiplier", constraints),
        ];
        for ((part, quantities), values) in named.into_iter().zip(state.parts()) {
            // the states of all interpreted models have one type
            if values.len() != quantities.len() {
                let difference = ProblemDifference::Model { run: "another", problem: self.description().name };
                return Err(OtherProblem { difference }.into());
            }
            if let Some((quantity, &value)) = quantities.iter().zip(values).find(|(_, x)| !x.is_finite()) {
                return Err(InitialStateError::Given { part, name: quantity.name, value }.into());
            }
        }
        let auxiliary = state.accelerations.clone();
        self.integrator.begin_at(&self.constants, state, &auxiliary, self.clock.moment(self.at.as_ref()));
        self.has_step = false;
        self.restart();
        Ok(())
    }

    /// Returns the state and its auxiliary acceleration.
    fn current(&self) -> (State<M, f64>, M::Coordinates<f64>) {
        let mut auxiliary = M::Coordinates::zeros(M::lengths(self.program).coordinates);
        self.integrator.auxiliary_into(&self.constants.weights, auxiliary.as_mut());
        (self.integrator.state().clone(), auxiliary)
    }

    /// Makes the next step restart, where the scheme has such steps.
    fn restart(&mut self) {
        if !self.settings.scheme.has_auxiliary() {
            self.integrator.forget_steps(&self.constants.weights);
            return;
        }
        let weights = self.settings.scheme.start_weights(self.settings.step);
        let start = StepConstants::new(self.program, &self.parameters, weights, &self.tables);
        self.integrator.restart(&start, self.clock.time());
        self.start = Some(start);
    }

    /// Saves everything that the steps to come depend on, for [`restore`](Self::restore).
    pub fn save(&self) -> SavedStepperOf<M> {
        SavedStepperOf {
            parameters: self.parameters.clone(),
            constants: self.constants.clone(),
            start: self.start.clone(),
            integrator: self.integrator.save(self.clock.steps, &[]),
            settings: self.settings.clone(),
            clock: self.clock,
            at: self.at.clone(),
            inputs: self.inputs.clone(),
        }
    }

    /// Returns to a state that this stepper has saved: the same steps give the same bits.
    ///
    /// # Errors
    /// [`SimulationError::Step`] where the matrix of the last step before the save cannot be factorised
    /// again, which happens for a state that another stepper has saved; [`SimulationError::OtherProblem`] for a stepper
    /// of another model.
    pub fn restore(&mut self, saved: &SavedStepperOf<M>) -> Result<(), SimulationError> {
        let (own, other) = (self.description(), M::description(M::program(&saved.constants.model)));
        if !own.is_same(other) {
            let difference = ProblemDifference::Model { run: other.name, problem: own.name };
            return Err(OtherProblem { difference }.into());
        }
        self.has_step = false;
        self.parameters.clone_from(&saved.parameters);
        self.constants.clone_from(&saved.constants);
        self.start.clone_from(&saved.start);
        self.settings.clone_from(&saved.settings);
        self.clock = saved.clock;
        self.at.clone_from(&saved.at);
        self.inputs.clone_from(&saved.inputs);
        Ok(self.integrator.restore(&saved.integrator, saved.clock.moment(saved.at.as_ref()))?)
    }
}

impl<M: Functions> StepperOf<M> {
    /// Writes a state that a stepper of this model and scheme has saved, or replaces one by what was written, also in
    /// another process; `None` for bytes of something else.
    #[doc(hidden)]
    pub fn pass(&self, saved: &mut SavedStepperOf<M>, bytes: &mut StateBytes<'_>) -> Option<()> {
        bytes.reals(saved.parameters.as_mut())?;
        bytes.reals(saved.at.as_mut())?;
        bytes.reals(saved.inputs.as_mut())?;
        let Clock { origin, since, steps, length } = &mut saved.clock;
        [origin, length, &mut saved.settings.step].into_iter().try_for_each(|number| bytes.real(number))?;
        [since, steps].into_iter().try_for_each(|count| bytes.count(count))?;
        let mut restarts = saved.start.is_some();
        bytes.flag(&mut restarts)?;
        saved.integrator.pass(bytes, &self.integrator)?;
        let Settings { step, scheme, .. } = saved.settings;
        if !(step > 0.0 && step.is_finite()) {
            return None;
        }
        saved.settings.end = step;
        let of = |weights| StepConstants::new(self.program, &saved.parameters, weights, &self.tables);
        (saved.constants, saved.start) =
            (of(saved.settings.weights()), restarts.then(|| of(scheme.start_weights(step))));
        Some(())
    }
}

impl<M: Functions> fmt::Debug for StepperOf<M> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Stepper")
            .field("model", &self.description().name)
            .field("time", &self.time())
            .field("settings", &self.settings)
            .finish_non_exhaustive()
    }
}

impl<M: Functions> fmt::Debug for SavedStepperOf<M> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SavedStepper")
            .field("model", &M::description(M::program(&self.constants.model)).name)
            .field("time", &self.clock.time())
            .finish_non_exhaustive()
    }
}
