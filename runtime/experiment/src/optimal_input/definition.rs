//! The settings of a search for an optimal input, without the type of its model.

use std::fmt;
use std::path::PathBuf;

use costate_system::simulation::RunDescription;

use crate::information_gradient::SecondOrderModel;

use super::result::DesignIteration;
use super::setup::Setup;

pub(super) type Observer<'a> = dyn FnMut(&DesignIteration) + Send + 'a;

/// All settings of an [`OptimalInput`](super::OptimalInput), without the type of its model: its methods work on them.
pub(super) struct Definition {
    pub setup: Setup,
    pub state_file: Option<PathBuf>,
    pub progress: bool,
}

impl fmt::Debug for Definition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("OptimalInput")
            .field("model", &self.setup.model.description().name)
            .field("state_file", &self.state_file)
            .field("progress", &self.progress)
            .finish_non_exhaustive()
    }
}

impl Definition {
    /// Creates a definition without inputs to be found.
    pub fn new(model: SecondOrderModel, run: RunDescription) -> Self {
        Self { setup: Setup::new(model, run), state_file: None, progress: false }
    }
}
