//! The settings of a search for an optimal input, without the type of its model, and the search that they make.

use std::fmt;
use std::path::{Path, PathBuf};
use std::time::Duration;

use costate_contract::machine::{Room, bytes};
use costate_identify::UnknownParameter;
use costate_optimize::{Method, OptimizerSettings, OptimizerState, Stop};
use costate_system::identifiers::Input;
use costate_system::input::InputSignal;
use costate_system::problem::{Problem, Settings, SimulationError};
use costate_system::simulation::RunDescription;
use costate_system::state_file::{Description, description_of};

use crate::Criterion;
use crate::information::Fisher;
use crate::information_gradient::{Experiment, SecondOrderModel};
use crate::noise::Sensors;

use super::condition::{EndCondition, InputLimit, Peaks};
use super::designed_input::DesignedInput;
use super::error::OptimalInputError;
use super::error::interrupted;
use super::evaluation::{Measure, Search};
use super::lagrangian::Lagrangian;
use super::result::{OptimalExperiment, Outcome};
use super::state::SearchState;

/// All settings of an [`OptimalInput`](super::OptimalInput), without the type of its model: its methods work on them.
#[derive(Clone)]
pub(super) struct Definition {
    pub model: SecondOrderModel,
    /// The runs, but for the inputs that are to be found.
    pub run: RunDescription,
    pub unknowns: Vec<UnknownParameter>,
    pub sensors: Option<Sensors>,
    pub criterion: Criterion,
    pub known: Option<Fisher>,
    pub designs: Vec<DesignedInput>,
    pub conditions: Vec<EndCondition>,
    pub limits: Vec<InputLimit>,
    pub tolerance: f64,
    pub optimizer: OptimizerSettings,
    pub state_file: Option<PathBuf>,
    pub progress: bool,
}

impl fmt::Debug for Definition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("OptimalInput")
            .field("model", &self.model.description().name)
            .field("state_file", &self.state_file)
            .field("progress", &self.progress)
            .finish_non_exhaustive()
    }
}

impl Definition {
    /// Creates a definition with the defaults, without inputs to be found.
    pub fn new(model: SecondOrderModel, run: RunDescription) -> Self {
        /// Default of the cost tolerance: the measure of the criterion is a logarithm of size 10, so that less than a
        /// millionth of information is gained.
        const COST_TOLERANCE: f64 = 1e-7;
        /// Default for the iterations of all rounds.
        const MAX_ITERATIONS: usize = 1000;
        /// The default of [`OptimalInput::tolerance`](super::OptimalInput::tolerance).
        const TOLERANCE: f64 = 1e-6;
        Self {
            unknowns: Vec::new(),
            sensors: None,
            criterion: Criterion::TraceOfInverse,
            known: None,
            designs: Vec::new(),
            model,
            run,
            conditions: Vec::new(),
            limits: Vec::new(),
            tolerance: TOLERANCE,
            optimizer: OptimizerSettings::default()
                .with_method(Method::limited_memory_bfgs())
                .with_bend_at_bounds(true)
                .with_cost_tolerance(COST_TOLERANCE)
                .with_maximum_iterations(MAX_ITERATIONS),
            state_file: None,
            progress: false,
        }
    }

    /// Returns the settings of all runs.
    pub fn settings(&self) -> Result<Settings, SimulationError> {
        let settings = self.run.settings()?;
        settings.validate_for(self.model.description())?;
        Ok(settings)
    }

    /// Returns the search and the state to begin with; `file` is the path of the state file.
    pub fn prepared(&self, file: Option<&Path>) -> Result<(Search, SearchState), OptimalInputError> {
        self.prepare().map_err(|error| error.within(|| interrupted(0, file)))
    }

    fn prepare(&self) -> Result<(Search, SearchState), OptimalInputError> {
        /// Number of values that a search keeps for an input at every step, at least: its times, start, variables and
        /// gradients.
        const NUMBERS_PER_STEP: usize = 8;
        let model = self.model.description().name;
        let sensors = self.sensors.clone().ok_or(OptimalInputError::NoSensors { model })?;
        if self.designs.is_empty() {
            return Err(OptimalInputError::NoInputs { model });
        }
        self.check_setting("tolerance", self.tolerance, 1e-14, 0.1)?;
        let settings = self.settings()?;
        // times and values of every designed input, and the further values that the search keeps for them
        let numbers = bytes(self.designs.len(), NUMBERS_PER_STEP * size_of::<f64>());
        let room = Room::of_steps("the designed inputs", settings.steps());
        room.check(numbers.saturating_mul(settings.steps() as u64 + 1)).map_err(SimulationError::from)?;
        let mut signals = self.run.signals.clone();
        let mut inputs = Vec::new();
        for (i, design) in self.designs.iter().enumerate() {
            let input = design.input();
            if self.designs[..i].iter().any(|other| other.input() == input) {
                return Err(OptimalInputError::RepeatedInput { input: input.name() });
            }
            inputs.push(design.prepare(&settings)?);
            signals.push((input, InputSignal::Constant(0.0)));
        }
        for limit in &self.limits {
            limit.check()?;
            if !inputs.iter().any(|input| input.index == limit.input()) {
                return Err(OptimalInputError::LimitedInput { limit: limit.name() });
            }
        }
        let problem = self.run.problem_with(settings, &signals, &self.run.tables, &self.run.model.parameters)?;
        problem.require_constant_steps("a search for inputs").map_err(SimulationError::from)?;
        let experiment = Experiment {
            model: self.model.clone(),
            parameters: self.model.informed(&self.unknowns)?,
            sensors,
            criterion: self.criterion,
            known: self.known.clone(),
        };
        let variables = inputs.iter().flat_map(|input| input.variables.clone()).collect();
        let search = Search {
            problem,
            experiment,
            inputs,
            conditions: self.conditions.clone(),
            scales: Vec::new(),
            limits: self.limits.clone(),
            measure: Measure::of(self.criterion),
        };
        let search = self.scaled(search)?;
        let optimizer = OptimizerState::new(variables, self.optimizer.clone())?;
        let (equalities, inequalities) = search.constraints();
        let state = SearchState::new(Lagrangian::new(equalities, inequalities), optimizer);
        Ok((search, state))
    }

    fn check_setting(&self, setting: &'static str, value: f64, low: f64, high: f64) -> Result<(), OptimalInputError> {
        match (low..=high).contains(&value) {
            true => Ok(()),
            false => Err(OptimalInputError::Setting { setting, value, low, high }),
        }
    }

    /// Sets the scales of end conditions from a run with the start inputs, which must have some information.
    fn scaled(&self, mut search: Search) -> Result<Search, OptimalInputError> {
        let problem = search.problem_with(&search.start())?;
        let evaluated = search.experiment.evaluate(&problem)?;
        let cost = evaluated.cost;
        if search.measure == Measure::Logarithm && !(cost != 0.0 && cost.is_finite()) {
            return Err(OptimalInputError::NoInformation { criterion: self.criterion, cost });
        }
        let mut peaks = Peaks { outputs: Peaks::of_outputs(&evaluated.outputs), ..Peaks::default() };
        if !self.conditions.is_empty() {
            peaks.state = peaks_of_state(&problem, &search.experiment.model.parameters)?;
        }
        let scales = self.conditions.iter().map(|condition| condition.scale(&peaks));
        search.scales = scales.collect::<Result<_, _>>()?;
        Ok(search)
    }

    /// Describes everything that the result depends on, except the number of iterations.
    pub fn description(&self, search: &Search) -> Description {
        let mut description = description_of(&search.problem, &search.experiment.model.parameters);
        for known in &search.experiment.parameters {
            description.number(format!("the scale of the unknown parameter `{}`", known.name()), known.scale);
        }
        let sensors = &search.experiment.sensors;
        let names: Vec<_> = sensors.outputs.iter().map(|output| output.name()).collect();
        description.text("the sensors", names.join(", "));
        description.values("the noise of the sensors", sensors.factor.as_slice());
        description.text("the criterion", self.criterion);
        if let Some(known) = &self.known {
            description.values("the information of other experiments", known.matrix().as_slice());
        }
        for (design, prepared) in self.designs.iter().zip(&search.inputs) {
            design.describe(prepared, &mut description);
        }
        for (condition, scale) in self.conditions.iter().zip(&search.scales) {
            let of = format!("the end condition of `{}`", condition.name());
            description.number(of.clone(), condition.target());
            description.number(format!("the scale of {of}"), *scale);
        }
        for limit in &self.limits {
            description.number(format!("the limit of the {}", limit.name()), limit.most());
        }
        description.number("the tolerance", self.tolerance);
        description.settings("the optimizer", &self.optimizer, &["maximum_iterations"]);
        description
    }

    /// Returns the result of a search that ended in `state`, with the start of the `given` one for comparison.
    pub fn conclude(
        &self,
        (given, search): (&Search, &Search),
        state: &SearchState,
        stop: Stop,
        elapsed: Duration,
    ) -> Result<OptimalExperiment, OptimalInputError> {
        let start = given.problem_with(&given.start())?;
        let found = search.problem_with(&state.optimizer.parameters())?;
        let (_, at_start) = search.evaluate(&start)?;
        let (values, evaluated) = search.evaluate(&found)?;
        let inputs: Vec<Input> = self.designs.iter().map(|design| design.input()).collect();
        Ok(OptimalExperiment::new(Outcome {
            search,
            inputs,
            start,
            found,
            start_information: at_start.fisher,
            evaluated,
            values,
            tolerance: self.tolerance,
            history: state.history.clone(),
            rounds: state.rounds,
            evaluations: state.evaluations,
            stop,
            elapsed,
        }))
    }
}

/// Returns the largest magnitudes of q, v, a and lambda in a run (3n + m).
fn peaks_of_state(problem: &Problem, parameters: &[f64]) -> Result<Vec<f64>, SimulationError> {
    let run = problem.forward(parameters)?;
    let mut peaks = run.stored(0).to_vec();
    for i in 1..=run.steps() {
        peaks.iter_mut().zip(run.stored(i)).for_each(|(peak, value)| *peak = peak.abs().max(value.abs()));
    }
    Ok(peaks)
}
