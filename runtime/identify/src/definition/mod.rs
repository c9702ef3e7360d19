//! The settings of an identification, without the type of its model.

pub mod approach;
pub mod complex_curve;
pub mod correction;
pub mod curve;
pub mod digits;
pub mod error;
pub mod experiment;
pub mod measurement;
pub mod noise;
pub mod parameter_set;
pub mod predicted;
pub mod prior;
pub mod step_choice;
pub mod unknown;
pub mod unknown_inertia;
pub mod unknown_input;
pub mod unknown_table;
pub mod weighting;

use std::fmt;
use std::path::PathBuf;
use std::sync::Arc;

use costate_cost::Quadrature;
use costate_cost::residuals::Loss;
use costate_optimize::{Iteration, OptimizerSettings};
use costate_system::gradient::GradientMethod;
use costate_system::identifiers::{Input, Parameter};
use costate_system::interrupt::Interrupt;
use costate_system::problem::Settings;
use costate_system::simulation::RunDescription;
use costate_system::system::{Differentiable, ModelValue};
use costate_system::table::Tables;

use self::approach::Approach;
use self::experiment::ExperimentDefinition;
use self::prior::Prior;
use self::step_choice::StepChoice;
use self::unknown::UnknownParameter;
use self::unknown_inertia::UnknownInertia;
use self::unknown_table::UnknownTable;
use self::weighting::Weighting;
use crate::estimation::layout::Owner;
use crate::result::summary::ChosenSteps;

/// All settings of an [`Identification`](super::Identification), without the type of its model: its methods work on
/// them.
#[derive(Clone)]
pub struct Definition {
    pub model: ModelValue,
    pub unknowns: Vec<(UnknownParameter, Owner)>,
    /// The simulation of all experiments without one of their own.
    pub run: RunDescription,
    /// The only experiment; with several experiments, their common delays of inputs.
    pub own: ExperimentDefinition,
    pub experiments: Vec<ExperimentDefinition>,
    /// Factors of measured inputs.
    pub input_factors: Vec<(Input, f64)>,
    /// The tables of all experiments.
    pub tables: Tables,
    pub unknown_tables: Vec<UnknownTable>,
    pub priors: Vec<(Parameter, Prior)>,
    /// Bodies whose mass and inertia are among the unknowns.
    pub inertias: Vec<UnknownInertia>,
    pub loss: Loss,
    pub weighting: Weighting,
    pub quadrature: Quadrature,
    pub optimizer: OptimizerSettings,
    pub gradient_method: GradientMethod,
    pub state_file: Option<PathBuf>,
    pub progress: bool,
    pub approach: Approach,
    /// True if a fit begins even where the check before it refuses to.
    pub ignores_check: bool,
    /// Number of parts into which steps are divided for the residuals, where steps can be divided.
    pub finer: usize,
    /// Steps and order of the runs without a given step, once they are chosen.
    pub choice: Option<StepChoice>,
    /// True if the fit may choose steps and order where no step is given.
    pub may_choose_steps: bool,
    /// Is called with the steps and the order that a fit chooses.
    pub steps_listener: Option<StepsListener>,
    /// Is called with what is tried beside the fit, and with every iteration of it.
    pub trial_listener: Option<TrialListener>,
}

/// A function that is called with chosen steps.
pub type StepsListener = Arc<dyn Fn(&ChosenSteps) + Send + Sync>;

/// A function that is called with the words for what is tried, and an iteration; without words when the fit goes on.
pub type TrialListener = Arc<dyn Fn(&str, Option<&Iteration>) + Send + Sync>;

impl fmt::Debug for Definition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Identification")
            .field("model", &self.model)
            .field("own", &self.own)
            .field("experiments", &self.experiments)
            .field("run", &self.run)
            .field("optimizer", &self.optimizer)
            .finish_non_exhaustive()
    }
}

impl Definition {
    /// Creates a definition without unknowns or measurements.
    pub fn new(system: &'static dyn Differentiable, run: RunDescription) -> Self {
        Self {
            unknowns: Vec::new(),
            own: ExperimentDefinition::default(),
            experiments: Vec::new(),
            input_factors: Vec::new(),
            unknown_tables: Vec::new(),
            priors: Vec::new(),
            inertias: Vec::new(),
            loss: Loss::Squares,
            weighting: Weighting::default(),
            model: ModelValue { system, parameters: run.model.parameters.clone() },
            tables: run.tables.clone(),
            run,
            quadrature: Quadrature::default(),
            optimizer: OptimizerSettings::default(),
            gradient_method: GradientMethod::default(),
            state_file: None,
            progress: false,
            approach: Approach::default(),
            ignores_check: false,
            finer: 1,
            choice: None,
            may_choose_steps: false,
            steps_listener: None,
            trial_listener: None,
        }
    }

    /// Says what is tried from now on; without words, that the fit goes on.
    pub fn tell_trial(&self, words: &str, iteration: Option<&Iteration>) {
        if let Some(listener) = &self.trial_listener {
            listener(words, iteration);
        }
    }

    /// Adds an experiment; values of its simulation's parameters that are not the model's are its own. Its runs are
    /// stopped by the flag of the identification's simulation.
    pub fn add_experiment(&mut self, mut experiment: ExperimentDefinition) {
        if let Some(run) = &mut experiment.run {
            run.interrupt = self.run.interrupt.clone();
            let all = Parameter::each_of(self.model.description());
            let values = self.model.parameters.iter().zip(&run.model.parameters);
            let own = all.zip(values).filter(|(_, (common, own))| common.to_bits() != own.to_bits());
            experiment.known = own.map(|(parameter, (_, own))| (parameter, *own)).collect();
        }
        self.experiments.push(experiment);
    }

    /// Changes the settings of the simulations of all experiments.
    pub fn change_settings(&mut self, change: impl Fn(&mut Settings)) {
        change(&mut self.run.settings);
        let own = self.experiments.iter_mut().filter_map(|experiment| experiment.run.as_mut());
        own.for_each(|run| change(&mut run.settings));
    }

    /// Sets the flag that stops the runs of all experiments.
    pub fn interrupt_by(&mut self, interrupt: &Interrupt) {
        self.run.interrupt = interrupt.clone();
        let own = self.experiments.iter_mut().filter_map(|experiment| experiment.run.as_mut());
        own.for_each(|run| run.interrupt = interrupt.clone());
    }

    /// Returns true if the steps of some experiment are adaptive.
    pub fn has_adaptive_steps(&self) -> bool {
        self.all_experiments().into_iter().any(|experiment| self.run_of(experiment).settings.steps.is_adaptive())
    }

    /// Returns the simulation of an experiment.
    pub fn run_of<'a>(&'a self, experiment: &'a ExperimentDefinition) -> &'a RunDescription {
        experiment.run.as_ref().unwrap_or(&self.run)
    }
}
