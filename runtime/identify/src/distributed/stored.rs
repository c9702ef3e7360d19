//! The state file of a joint fit, which process 0 alone reads and writes.

use std::path::Path;

use costate_system::ensemble::Executor;
use costate_system::interrupt::Interrupt;
use costate_system::state_file::{Description, StateFile, StateFileError};

use crate::definition::error::IdentificationError;
use crate::estimation::reweighting::Round;

use super::consensus::{exchange, shared};

/// Name of the work that state files belong to, for messages.
const WORK: &str = "a joint identification";

/// The state file of a minimisation that all processes run alike.
pub(super) struct Stored<'e> {
    executor: &'e dyn Executor,
    /// The file, in process 0; `None` elsewhere, and without a state file.
    file: Option<(StateFile, Description)>,
}

impl<'e> Stored<'e> {
    /// Opens the file at `path`, if there is one, and continues `round` from the state in it. The file must match the
    /// `description`, and a minimisation that began as `round` does.
    pub fn open(
        executor: &'e dyn Executor,
        path: Option<&Path>,
        description: Description,
        round: &mut Round,
    ) -> Result<Self, IdentificationError> {
        let Some(path) = path else { return Ok(Self { executor, file: None }) };
        let (mut file, mut read) = (None, Ok(None));
        if executor.is_root() {
            match opened(path, &description, round) {
                Ok((opened, stored)) => (file, read) = (Some((opened, description)), Ok(stored)),
                Err(error) => read = Err(error.into()),
            }
        }
        if let Some(stored) = shared(executor, read)? {
            *round = stored;
        }
        Ok(Self { executor, file })
    }

    /// Writes the current round of all processes; returns true if one of them is to stop, or an error in all of them
    /// where the file cannot be written.
    pub fn keep(&self, round: &Round, interrupt: &Interrupt) -> Result<bool, IdentificationError> {
        let written = self.file.as_ref().map_or(Ok(()), |(file, description)| file.write(description, round));
        let own = written.map(|()| interrupt.is_triggered()).map_err(IdentificationError::from);
        Ok(exchange(self.executor, own)?.contains(&true))
    }
}

/// Opens the file, and reads the round in it if there is one.
fn opened(path: &Path, description: &Description, fresh: &Round) -> Result<(StateFile, Option<Round>), StateFileError> {
    let file = StateFile::open(path, WORK)?;
    let stored = file.read::<Round>(description)?;
    match stored.as_ref().is_none_or(|stored| stored.continues(fresh)) {
        true => Ok((file, stored)),
        false => Err(file.damaged()),
    }
}
