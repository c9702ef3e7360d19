//! The settings of a run, without the type of its model.

use crate::gradient::check_accuracy;
use crate::identifiers::{Input, Output, Parameter};
use crate::input::InputSignal;
use crate::interrupt::Interrupt;
use crate::model::OtherModel;
use crate::problem::{Memory, Problem, RunSizes, Settings, SettingsError, SimulationError};
use crate::simulation::run::RunResult;
use crate::system::SystemValue;
use crate::table::Tables;

/// The settings of a [`Simulation`](crate::simulation::Simulation), without the type of its model. Step and end are
/// here, and not in `settings`, until they are known: an identification takes missing ones from its records.
#[derive(Debug, Clone)]
pub struct RunDescription {
    /// The model and the values of its parameters.
    pub model: SystemValue,
    /// Settings of the integrator, of accuracy and of memory.
    pub settings: Settings,
    /// Step size h in s.
    pub step: Option<f64>,
    /// End time T in s.
    pub end: Option<f64>,
    /// Inputs and their signals; of two signals of an input the later one counts.
    pub signals: Vec<(Input, InputSignal)>,
    /// Data of the tables.
    pub tables: Tables,
    /// The flag that stops the run.
    pub interrupt: Interrupt,
    /// Outputs by whose errors the run is judged; all coordinates and outputs if `None`.
    pub judged: Option<Vec<Output>>,
    /// The first parameter of another model that was given a value.
    other_model: Option<OtherModel>,
}

impl RunDescription {
    /// Creates a description without signals, step and end, with the default settings and the tables of the model.
    pub fn new(model: SystemValue) -> Self {
        Self {
            settings: Settings::default(),
            step: None,
            end: None,
            signals: Vec::new(),
            tables: model.system.tables(),
            model,
            interrupt: Interrupt::new(),
            judged: None,
            other_model: None,
        }
    }

    /// Sets the value of a parameter; a parameter of another model is refused when the run is prepared.
    pub(crate) fn set_parameter(&mut self, parameter: Parameter, value: f64) {
        let checked = parameter.check_model(self.model.system.description());
        match self.model.parameters.get_mut(parameter.index()) {
            Some(own) if checked.is_ok() => *own = value,
            _ => self.other_model = self.other_model.take().or(checked.err()),
        }
    }

    /// Returns the settings with step and end.
    ///
    /// # Errors
    /// [`SettingsError::Missing`].
    pub fn settings(&self) -> Result<Settings, SettingsError> {
        let step = self.step.ok_or(SettingsError::Missing { field: "step" })?;
        let end = self.end.ok_or(SettingsError::Missing { field: "end" })?;
        Ok(self.settings.clone().with_step_and_end(step, end))
    }

    /// Checks that parameters, inputs and judged outputs are those of the model.
    ///
    /// # Errors
    /// [`OtherModel`].
    pub fn check_names(&self) -> Result<(), OtherModel> {
        let model = self.model.system.description();
        if let Some(error) = &self.other_model {
            return Err(error.clone());
        }
        self.signals.iter().try_for_each(|(input, _)| input.check_model(model))?;
        self.judged.iter().flatten().try_for_each(|output| output.check_model(model))
    }

    /// Prepares the run.
    ///
    /// # Errors
    /// As [`Simulation::problem`](crate::simulation::Simulation::problem).
    pub fn problem(&self) -> Result<Problem, SimulationError> {
        self.problem_with(self.settings()?, &self.signals, &self.tables, &self.model.parameters)
    }

    /// Prepares a run with these settings, signals, tables and parameters in place of those of the description.
    ///
    /// # Errors
    /// As [`Simulation::problem`](crate::simulation::Simulation::problem).
    pub fn problem_with(
        &self,
        settings: Settings,
        signals: &[(Input, InputSignal)],
        tables: &Tables,
        parameters: &[f64],
    ) -> Result<Problem, SimulationError> {
        self.check_names()?;
        let problem = Problem::of(self.model.system, settings, signals, tables.clone())?;
        problem.check_count(parameters.len())?;
        let judged = self.judged.as_ref().map(|outputs| outputs.iter().map(|output| output.index()).collect());
        let problem = problem.with_interrupt(self.interrupt.clone()).with_judged(judged);
        problem.with_steps_for(parameters)
    }

    /// Prepares the problem at whose start a stepper begins.
    ///
    /// # Errors
    /// As [`Simulation::problem`](crate::simulation::Simulation::problem), and [`SimulationError::InitialState`].
    pub fn problem_of_stepper(&self) -> Result<Problem, SimulationError> {
        let step = self.step.ok_or(SettingsError::Missing { field: "step" })?;
        if self.settings.steps.is_adaptive() {
            return Err(SettingsError::Adaptive { what: "a stepper" }.into());
        }
        let problem = Self { end: Some(step), ..self.clone() }.problem()?;
        problem.check_start(&self.model.parameters)?;
        Ok(problem)
    }

    /// Prepares a problem that is never run, at whose start functions are evaluated; inputs without a signal are 0.
    ///
    /// # Errors
    /// As [`Simulation::problem`](crate::simulation::Simulation::problem).
    pub fn problem_at_start(&self) -> Result<Problem, SimulationError> {
        /// The length of the step where none is known, in s.
        const UNUSED_STEP: f64 = 1e-3;
        let step = self.step.unwrap_or(UNUSED_STEP);
        let model = self.model.system;
        let given = |input: &Input| self.signals.iter().any(|(own, _)| own == input);
        let others = Input::each_of(model.description()).filter(|input| !given(input));
        let zeros = others.map(|input| (input, InputSignal::Constant(0.0)));
        let signals: Vec<(Input, InputSignal)> = zeros.chain(self.signals.iter().cloned()).collect();
        Problem::of(model, Settings::new(step, step), &signals, self.tables.clone())
    }

    /// Returns the description with another step.
    pub(crate) fn with_step(&self, step: f64) -> Self {
        Self { step: Some(step), ..self.clone() }
    }

    /// Implements [`Simulation::run`](crate::simulation::Simulation::run).
    pub(crate) fn run(&self) -> Result<RunResult, SimulationError> {
        let problem = self.problem()?;
        let trajectory = problem.forward(&self.model.parameters);
        // such values may be the reason for a run that fails
        problem.check_start(&self.model.parameters)?;
        let trajectory = trajectory?;
        let outputs = trajectory.outputs();
        let finer = || match problem.has_adaptive_steps() {
            true => problem.refined(),
            false => self.with_step(0.5 * problem.settings().step).problem(),
        };
        check_accuracy(&problem, &trajectory, &outputs, finer)?;
        let memory = match problem.levels() {
            None => Memory::of_all(problem.steps(), &RunSizes::of(problem.system())),
            Some(_) => problem.memory(),
        };
        Ok(RunResult { trajectory, outputs, memory, problem })
    }
}
