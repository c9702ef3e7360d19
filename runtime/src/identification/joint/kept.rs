//! The state file of a joint fit, which process 0 alone reads and writes.

use std::path::Path;

use crate::ensemble::Executor;
use crate::identification::said::error::IdentificationError;
use crate::interrupt::Interrupt;
use crate::optimize::OptimizerState;
use crate::state_file::{Description, StateFile, StateFileError};

use super::agreement::{exchange, shared};

/// What is said of the work that such files belong to.
const WORK: &str = "a joint identification";

/// What is kept of a minimisation that all processes do alike.
pub(super) struct Kept<'e> {
    executor: &'e dyn Executor,
    /// In process 0, where there is one.
    file: Option<(StateFile, Description)>,
}

impl<'e> Kept<'e> {
    /// Takes the file at `path` into use, if there is one, and goes on from the state in it. It must belong to what the `description`
    /// says, and to a minimisation that began as `state` does.
    pub fn open(
        executor: &'e dyn Executor,
        path: Option<&Path>,
        description: Description,
        state: &mut OptimizerState,
    ) -> Result<Self, IdentificationError> {
        let Some(path) = path else { return Ok(Self { executor, file: None }) };
        let (mut file, mut read) = (None, Ok(None));
        if executor.is_root() {
            match opened(path, &description, state) {
                Ok((opened, stored)) => (file, read) = (Some((opened, description)), Ok(stored)),
                Err(error) => read = Err(error.into()),
            }
        }
        let most = state.settings().maximum_iterations;
        if let Some(mut stored) = shared::<Option<OptimizerState>>(executor, read)? {
            stored.set_maximum_iterations(most);
            *state = stored;
        }
        Ok(Self { executor, file })
    }

    /// Writes the state that all processes have come to. Whether one of them is to stop; an error in all of them where
    /// the file cannot be written.
    pub fn keep(&self, state: &OptimizerState, interrupt: &Interrupt) -> Result<bool, IdentificationError> {
        let written = self.file.as_ref().map_or(Ok(()), |(file, description)| file.write(description, state));
        let own = written.map(|()| interrupt.is_triggered()).map_err(IdentificationError::from);
        Ok(exchange(self.executor, own)?.contains(&true))
    }
}

/// The file, and the state in it if there is one.
fn opened(
    path: &Path,
    description: &Description,
    fresh: &OptimizerState,
) -> Result<(StateFile, Option<OptimizerState>), StateFileError> {
    let file = StateFile::open(path, WORK)?;
    let stored = file.read::<OptimizerState>(description)?;
    let is_whole = |state: &OptimizerState| state.is_consistent() && state.variables() == fresh.variables();
    if !stored.as_ref().is_none_or(is_whole) {
        return Err(file.damaged());
    }
    Ok((file, stored))
}
