//! From the curves and surfaces of a filter to a fit, in one call.

use super::{Refined, Refinement, StartingTable};
use crate::identification::Identification;
use crate::identification::said::error::IdentificationError;
use crate::model::Model;
use crate::restoring_force::{
    CurveSettings, RestoringForceCurve, RestoringForceError, RestoringForceSurface, RestoringForces,
    SurfaceSettings,
};
use crate::table::prior::Shape;
use crate::table::{Curve, Surface, Table};

/// The tables of a model that stand for the force of one element.
#[derive(Debug, Clone)]
pub enum ElementTables<M: Model> {
    /// An additive force: c_E(z) and c_D(v).
    Curves {
        /// c_E(z).
        elastic: Table<M, Curve>,
        /// c_D(v).
        dissipative: Table<M, Curve>,
    },
    /// c(z, v).
    Surface(Table<M, Surface>),
}

/// Why restoring forces cannot be refined.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum RefinementError {
    /// The filter's curves or surfaces.
    #[error(transparent)]
    Forces(#[from] RestoringForceError),
    /// The fit.
    #[error(transparent)]
    Fit(#[from] IdentificationError),
    /// Tables for more or fewer elements than there are.
    #[error(
        "there are tables for {given} elements, and forces of {elements}; give one `ElementTables` for each, in their order"
    )]
    Elements {
        /// How many have tables.
        given: usize,
        /// How many there are.
        elements: usize,
    },
}

impl RestoringForces {
    /// Refines the forces that a filter has found: its curves and surfaces become the `tables` of a model, one entry for each
    /// element, and a fit to the whole record finds their values once more, together with all that `identification` says is unknown,
    /// such as the initial state. [`Refinement`] has more to say of every table.
    ///
    /// Curves go through the origin: accelerations tell neither where a deformation is zero, which is where the structure rests, nor
    /// which of two curves has a constant part.
    ///
    /// # Errors
    /// [`RefinementError`].
    pub fn refine<M: Model>(
        &self,
        identification: Identification<'_, M>,
        tables: &[ElementTables<M>],
    ) -> Result<Refined<M>, RefinementError> {
        if tables.len() != self.elements() {
            return Err(RefinementError::Elements { given: tables.len(), elements: self.elements() });
        }
        let mut refinement = Refinement::new(identification);
        for (element, tables) in tables.iter().enumerate() {
            match *tables {
                ElementTables::Curves { elastic, dissipative } => {
                    let settings = CurveSettings::default();
                    let curves = [
                        (elastic, self.elastic_curve(element, &settings)?),
                        (dissipative, self.dissipative_curve(element, &settings)?),
                    ];
                    for (table, curve) in curves {
                        refinement = refinement.table(StartingTable::force(table, &curve)?);
                    }
                }
                ElementTables::Surface(table) => {
                    let surface = self.surface(element, &SurfaceSettings::default())?;
                    refinement = refinement.table(StartingTable::force_surface(table, &surface)?);
                }
            }
        }
        Ok(refinement.run()?)
    }
}

impl<M: Model> StartingTable<M> {
    /// The curve of a restoring force, which goes through the origin.
    ///
    /// # Errors
    /// As [`RestoringForceCurve::table`].
    pub fn force(table: Table<M, Curve>, guess: &RestoringForceCurve) -> Result<Self, RestoringForceError> {
        Ok(Self::curve(table, guess.table()?).shape(Shape::ThroughOrigin))
    }

    /// The surface of a restoring force.
    ///
    /// # Errors
    /// As [`RestoringForceSurface::table`].
    pub fn force_surface(
        table: Table<M, Surface>,
        guess: &RestoringForceSurface,
    ) -> Result<Self, RestoringForceError> {
        Ok(Self::surface(table, guess.table()?))
    }
}
