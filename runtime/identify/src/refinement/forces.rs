//! From the curves and surfaces of a filter to a fit.

use costate_filter::restoring_force::{APriori, CurveSettings, RestoringForceError, RestoringForces, SurfaceSettings};
use costate_measure::record::Record;
use costate_system::identifiers::{Output, Parameter};
use costate_system::simulation::Simulation;
use costate_system::table::prior::Shape;
use costate_system::table::{Curve, Surface, Table};

use super::{Refinement, StartingTable};
use crate::Identification;
use crate::definition::error::IdentificationError;
use crate::definition::experiment::Experiment;

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

/// The reason why restoring forces cannot be refined.
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
        "tables are given for {given} elements, and there are forces of {elements} elements; give one `ElementTables` \
             for each, in their order"
    )]
    Elements {
        /// The number of elements with tables.
        given: usize,
        /// The number of elements.
        elements: usize,
    },
}

impl<M> Refinement<M> {
    /// The refinement of forces that a filter has found: their curves and surfaces become the `tables` of a model, one
    /// entry for each element, and a fit to the whole record finds their values once more, together with all that
    /// `identification` says is unknown, such as the initial state. [`table`](Self::table) has more to say of every
    /// table.
    ///
    /// Curves go through the origin: accelerations tell neither where a deformation is zero, which is where the
    /// structure rests, nor which of two curves has a constant part.
    ///
    /// # Errors
    /// [`RefinementError`].
    pub fn of_forces(
        identification: Identification<M>,
        forces: &RestoringForces,
        tables: &[ElementTables<M>],
    ) -> Result<Self, RefinementError> {
        if tables.len() != forces.elements() {
            return Err(RefinementError::Elements { given: tables.len(), elements: forces.elements() });
        }
        let mut refinement = Self::new(identification);
        for (element, tables) in tables.iter().enumerate() {
            match *tables {
                ElementTables::Curves { elastic, dissipative } => {
                    let [elastic, dissipative] = StartingTable::curves_of(forces, element, elastic, dissipative)?;
                    refinement = refinement.table(elastic).table(dissipative);
                }
                ElementTables::Surface(table) => {
                    refinement = refinement.table(StartingTable::surface_of(forces, element, table)?);
                }
            }
        }
        Ok(refinement)
    }
}

impl<M> StartingTable<M> {
    /// The curves of an element of restoring forces as guesses of a refinement: through the origin, and straight with
    /// the stiffness and the damping that were expected where the model cannot be simulated with what the filter has
    /// found.
    ///
    /// # Errors
    /// As [`RestoringForces::curves`].
    pub fn curves_of(
        forces: &RestoringForces,
        element: usize,
        elastic: Table<M, Curve>,
        dissipative: Table<M, Curve>,
    ) -> Result<[Self; 2], RestoringForceError> {
        let settings = CurveSettings::default();
        let guesses = forces.curves(element, &settings)?;
        let [elastic, dissipative] = [
            Self::curve(elastic, guesses[0].table()?).shape(Shape::ThroughOrigin),
            Self::curve(dissipative, guesses[1].table()?).shape(Shape::ThroughOrigin),
        ];
        Ok(match forces.expected(element) {
            Some(APriori { stiffness, damping }) => {
                [elastic.or_straight(&[stiffness]), dissipative.or_straight(&[damping])]
            }
            None => [elastic, dissipative],
        })
    }

    /// The surface of an element of restoring forces as a guess of a refinement: a plane with the stiffness and the
    /// damping that were expected where the model cannot be simulated with what the filter has found.
    ///
    /// # Errors
    /// As [`RestoringForces::surface`].
    pub fn surface_of(
        forces: &RestoringForces,
        element: usize,
        table: Table<M, Surface>,
    ) -> Result<Self, RestoringForceError> {
        let guess = forces.surface(element, &SurfaceSettings::default())?;
        let starting = Self::surface(table, guess.table()?);
        Ok(match forces.expected(element) {
            Some(APriori { stiffness, damping }) => starting.or_straight(&[stiffness, damping]),
            None => starting,
        })
    }
}

impl<M> Experiment<M> {
    /// Experiments of the [pieces](Record::segments) of the record that a filter ran over, with the time in s at which
    /// each begins: `outputs` are compared with the channels of their names, and motions begin where the filter has
    /// been, `starts` being the deformation and the rate of every element at the start. `simulation` returns the run of
    /// a piece that begins at the given time in s, with inputs by the time since that. The identification says that
    /// starts are [those of each experiment](Identification::unknown_per_experiment). Pieces that the filter has not
    /// come to, and those of a single sample, are left out.
    ///
    /// # Errors
    /// Those of `simulation`.
    pub fn pieces_of<E>(
        forces: &RestoringForces,
        pieces: &[(f64, Record)],
        starts: &[[Parameter<M>; 2]],
        outputs: &[Output<M>],
        simulation: impl Fn(f64) -> Result<Simulation<M>, E>,
    ) -> Result<Vec<Self>, E> {
        let first = pieces.first().map_or(0.0, |(begin, _)| *begin);
        let of_piece = |(begin, record): &(f64, Record)| {
            let end = record.times().last().copied().filter(|_| record.times().len() > 1)?;
            let sample = ((begin - first) / forces.run().interval()).round() as usize;
            let motions = starts.iter().enumerate().map(|(element, _)| forces.motion(sample, element));
            let motions: Vec<[f64; 2]> = motions.collect::<Option<_>>()?;
            Some(simulation(*begin).map(|simulation| {
                let begins = |simulation: Simulation<M>, ([deformation, rate], [z, v]): (&[_; 2], &[f64; 2])| {
                    simulation.parameter(*deformation, *z).parameter(*rate, *v)
                };
                let simulation = starts.iter().zip(&motions).fold(simulation.until(end), begins);
                let experiment = Self::new(format!("from {begin:.3} s")).simulation(&simulation);
                let measured = |experiment: Self, output: &Output<M>| experiment.measured(*output, record);
                outputs.iter().fold(experiment, measured)
            }))
        };
        pieces.iter().filter_map(of_piece).collect()
    }
}
