//! The settings of an identification, without the type of its model.

pub mod correction;
pub mod digits;
pub mod error;
pub mod experiment;
pub mod measurement;
pub mod noise;
pub mod parameter_set;
pub mod prior;
pub mod unknown;
pub mod unknown_input;
pub mod unknown_table;
pub mod weighting;

use std::fmt;
use std::path::PathBuf;

use crate::cost::Quadrature;
use crate::gradient::GradientMethod;
use crate::identifiers::Parameter;
use crate::interrupt::Interrupt;
use crate::optimize::OptimizerSettings;
use crate::problem::Settings;
use crate::system::ModelValue;
use crate::table::Tables;
use costate_residuals::Loss;

use self::experiment::Experiment;
use self::prior::Prior;
use self::unknown::UnknownParameter;
use self::unknown_table::UnknownTable;
use self::weighting::Weighting;
use crate::estimation::layout::Owner;

/// All settings of an [`Identification`](super::Identification), without the type of its model: its methods work on
/// them.
#[derive(Clone)]
pub struct Definition {
    pub model: ModelValue,
    pub unknowns: Vec<(UnknownParameter, Owner)>,
    /// The only experiment; with several experiments, defaults for settings that an experiment does not have itself.
    pub own: Experiment,
    pub experiments: Vec<Experiment>,
    pub unknown_tables: Vec<UnknownTable>,
    pub priors: Vec<(Parameter, Prior)>,
    pub loss: Loss,
    pub weighting: Weighting,
    pub tables: Tables,
    pub settings: Settings,
    pub quadrature: Quadrature,
    pub optimizer: OptimizerSettings,
    pub gradient_method: GradientMethod,
    pub state_file: Option<PathBuf>,
    pub interrupt: Interrupt,
    pub progress: bool,
    /// True if a fit begins even where the check before it refuses to.
    pub ignores_check: bool,
    /// Number of parts into which steps are divided for the residuals, where steps can be divided.
    pub finer: usize,
}

impl fmt::Debug for Definition {
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

impl Definition {
    /// Creates a definition without unknowns or measurements.
    pub fn new(model: ModelValue) -> Self {
        Self {
            unknowns: Vec::new(),
            own: Experiment::new(""),
            experiments: Vec::new(),
            unknown_tables: Vec::new(),
            priors: Vec::new(),
            loss: Loss::Squares,
            weighting: Weighting::default(),
            tables: model.system.tables(),
            model,
            settings: Settings::default(),
            quadrature: Quadrature::default(),
            optimizer: OptimizerSettings::default(),
            gradient_method: GradientMethod::default(),
            state_file: None,
            interrupt: Interrupt::new(),
            progress: false,
            ignores_check: false,
            finer: 1,
        }
    }
}
