//! Settings that a joint cost cannot have, since processes know only their own experiments.

use crate::definition::Definition;
use crate::definition::approach::Approach;
use crate::definition::error::DistributedError;

impl Definition {
    /// Refuses settings that need the data of all experiments in one process.
    pub(super) fn check_joint(&self) -> Result<(), DistributedError> {
        let refused = |what, remedy| Err(DistributedError::NotDistributed { what, remedy });
        let measurements = || self.experiments.iter().flat_map(|one| &one.measurements);
        match () {
            () if !self.unknown_tables.is_empty() => {
                refused("an unknown table", "identify it with `.run()` in one process")
            }
            () if self.experiments.iter().any(|one| !one.predictions.is_empty()) => {
                refused("a prediction", "identify with `.run()` in one process, or measure outputs alone")
            }
            () if measurements().any(|one| one.data.noise.is_some()) => {
                refused("coloured noise", "leave out `Measurement::coloured_noise`")
            }
            () if !matches!(self.approach, Approach::Automatic | Approach::Single) => {
                refused("parts of records", "leave out `Identification::approach` and `pieces`")
            }
            () if self.has_adaptive_steps() => {
                refused("an adaptive step size", "set a constant one with `.step(h)` of the simulation")
            }
            () => Ok(()),
        }
    }
}
