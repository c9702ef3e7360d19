//! From a first guess of curves and surfaces to an exact fit.

mod forces;
mod knots;
mod result;
mod stages;
mod start;

pub use forces::{ElementTables, RefinementError};
pub use result::{Refined, RefinedOutput, RefinedStage, RefinedTable};
pub use start::StartingTable;

use super::Identification;
use super::said::error::IdentificationError;
use crate::model::Model;

/// Refines a first guess of tables, such as the curves of a filter, by a fit of their values at knots to whole records: few knots
/// first and then more of them, which lie where the run looks into the tables, and steps that become finer until what they leave
/// is small beside what the noise leaves.
///
/// What is measured, what drives the model, and which parameters are unknown besides, such as the initial state, is said by the
/// [`Identification`]; sensors and elements may be of any kind.
/// [`RestoringForces::refine`](crate::restoring_force::RestoringForces::refine) does all of it in one call.
///
/// ```text
/// let refined = Refinement::new(identification)
///     .table(StartingTable::curve(Damper::FORCE, guess).shape(Shape::ThroughOrigin))
///     .run()?;
/// println!("{refined}");
/// ```
pub struct Refinement<'a, M: Model> {
    identification: Identification<'a, M>,
    tables: Vec<StartingTable<M>>,
}

impl<'a, M: Model> Refinement<'a, M> {
    /// Of what `identification` says but for the tables. Its step is the one to begin with; by default that is the sampling
    /// interval. Residuals are weighed by their likelihood.
    pub fn new(identification: Identification<'a, M>) -> Self {
        Self { identification, tables: Vec::new() }
    }

    /// Adds a table that is to be refined.
    #[must_use]
    pub fn table(mut self, table: StartingTable<M>) -> Self {
        self.tables.push(table);
        self
    }

    /// Refines.
    ///
    /// # Errors
    /// [`IdentificationError`]: as [`Identification::run`]; [`IdentificationError::UnknownTable`] for too few knots or a guess
    /// without extent; [`IdentificationError::NoTable`].
    pub fn run(self) -> Result<Refined<M>, IdentificationError> {
        if self.tables.is_empty() {
            return Err(IdentificationError::NoTable { model: M::DESCRIPTION.name });
        }
        stages::run(self.identification, self.tables)
    }
}
