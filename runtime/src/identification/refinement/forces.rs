//! From the curves and surfaces of a filter to a fit, in one call.

use super::{Refined, Refinement, StartingTable};
use crate::identification::Identification;
use crate::identification::said::error::IdentificationError;
use crate::identification::said::experiment::Experiment;
use crate::identifiers::{Output, Parameter};
use crate::measure::Record;
use crate::restoring_force::{APriori, CurveSettings, RestoringForceError, RestoringForces, SurfaceSettings};
use crate::table::prior::Shape;
use crate::table::{Curve, Surface, Table};

/// The tables of a model that stand for the force of one element.
#[derive(Debug, Clone)]
pub enum ElementTables<M> {
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
    pub fn refine<M>(
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
                    let [elastic, dissipative] = self.starting_curves(element, elastic, dissipative)?;
                    refinement = refinement.table(elastic).table(dissipative);
                }
                ElementTables::Surface(table) => {
                    refinement = refinement.table(self.starting_surface(element, table)?);
                }
            }
        }
        Ok(refinement.run()?)
    }

    /// The curves of an element as guesses of a refinement: through the origin, and straight with the stiffness and the damping
    /// that were expected where the model cannot be simulated with what the filter has found.
    ///
    /// # Errors
    /// As [`elastic_curve`](Self::elastic_curve).
    pub fn starting_curves<M>(
        &self,
        element: usize,
        elastic: Table<M, Curve>,
        dissipative: Table<M, Curve>,
    ) -> Result<[StartingTable<M>; 2], RestoringForceError> {
        let settings = CurveSettings::default();
        let guesses = [self.elastic_curve(element, &settings)?, self.dissipative_curve(element, &settings)?];
        let [elastic, dissipative] = [
            StartingTable::curve(elastic, guesses[0].table()?).shape(Shape::ThroughOrigin),
            StartingTable::curve(dissipative, guesses[1].table()?).shape(Shape::ThroughOrigin),
        ];
        Ok(match self.expected(element) {
            Some(APriori { stiffness, damping }) => {
                [elastic.or_straight(&[stiffness]), dissipative.or_straight(&[damping])]
            }
            None => [elastic, dissipative],
        })
    }

    /// Experiments of the [pieces](Record::segments) of the record that the filter ran over, with the time in s at which each begins: `outputs`
    /// are compared with the channels of their names, and motions begin where the filter has been, `starts` being the deformation and the rate of
    /// every element at the start. What drives a piece, by time since its begin, is to be said by its caller, and that its
    /// start is [its own](Identification::unknown_per_experiment). Pieces that the filter has not come to, and those of a single
    /// sample, are left out.
    pub fn pieces<'a, M>(
        &self,
        pieces: &'a [(f64, Record)],
        starts: &[[Parameter<M>; 2]],
        outputs: &[Output<M>],
    ) -> Vec<(f64, Experiment<'a, M>)> {
        let first = pieces.first().map_or(0.0, |(begin, _)| *begin);
        let of_piece = |(begin, record): &'a (f64, Record)| {
            let end = record.times().last().copied().filter(|_| record.times().len() > 1)?;
            let sample = ((begin - first) / self.run().interval()).round() as usize;
            let mut experiment = Experiment::new(format!("from {begin:.3} s")).until(end);
            for (element, [deformation, rate]) in starts.iter().enumerate() {
                let [z, v] = self.motion(sample, element)?;
                experiment = experiment.parameter(*deformation, z).parameter(*rate, v);
            }
            let measured =
                |experiment: Experiment<'a, M>, output: &Output<M>| experiment.measured(*output, record);
            Some((*begin, outputs.iter().fold(experiment, measured)))
        };
        pieces.iter().filter_map(of_piece).collect()
    }

    /// As [`starting_curves`](Self::starting_curves), the surface of an element.
    ///
    /// # Errors
    /// As [`surface`](Self::surface).
    pub fn starting_surface<M>(
        &self,
        element: usize,
        table: Table<M, Surface>,
    ) -> Result<StartingTable<M>, RestoringForceError> {
        let guess = self.surface(element, &SurfaceSettings::default())?;
        let starting = StartingTable::surface(table, guess.table()?);
        Ok(match self.expected(element) {
            Some(APriori { stiffness, damping }) => starting.or_straight(&[stiffness, damping]),
            None => starting,
        })
    }
}
