//! Results of the identification.

use costate::restoring_force::{Mode, RestoringForces};

use crate::response::Adapted;
use crate::tables::Curves;

/// All results.
pub struct Found {
    pub forces: RestoringForces,
    pub curves: Curves,
    pub modes: Vec<Mode>,
    pub adapted: Adapted,
}

impl Found {
    /// Lists reasons to doubt the results.
    pub fn warnings(&self) -> Vec<String> {
        let of_filter = self.forces.warnings().iter().map(ToString::to_string);
        of_filter.chain(self.adapted.warnings.iter().cloned()).collect()
    }
}
