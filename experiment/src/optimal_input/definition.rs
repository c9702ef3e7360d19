//! The settings of a search for an optimal input, without the type of its model.

use std::fmt;
use std::path::PathBuf;

use crate::ensemble::Ensemble;
use crate::information_gradient::SecondOrderModel;

use super::result::DesignIteration;
use super::setup::Setup;

pub(super) type Observer<'a> = Box<dyn FnMut(&DesignIteration) + Send + 'a>;

/// All settings of an [`OptimalInput`](super::OptimalInput), without the type of its model: its methods work on them.
pub(super) struct Definition<'a> {
    pub setup: Setup,
    pub state_file: Option<PathBuf>,
    pub observer: Option<Observer<'a>>,
    pub progress: bool,
    pub ensemble: Ensemble<'a>,
}

impl fmt::Debug for Definition<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("OptimalInput")
            .field("model", &self.setup.model.description().name)
            .field("state_file", &self.state_file)
            .field("progress", &self.progress)
            .finish_non_exhaustive()
    }
}

impl Definition<'_> {
    /// Creates a definition without inputs to be found.
    pub fn new(model: SecondOrderModel) -> Self {
        Self {
            setup: Setup::new(model),
            state_file: None,
            observer: None,
            progress: false,
            ensemble: Ensemble::new(),
        }
    }
}
