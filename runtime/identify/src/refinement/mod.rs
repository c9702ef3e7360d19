//! Refinement of first guesses of curves and surfaces to a fit to whole records.
//!
//! A refinement is a sequence of identifications (`stages`); `session` has one of them and the start of the next one,
//! `steps` how fine its steps are. `search` looks for breaks of a curve by their evidence (`evidence`), with the
//! information that the rows of a fit have about the curve whatever all other unknowns are.

mod coverage;
mod evidence;
mod forces;
mod knots;
mod result;
mod search;
mod session;
mod stages;
mod start;
mod steps;

use std::marker::PhantomData;

pub use forces::{ElementTables, RefinementError};
pub use result::{Refined, RefinedOutput, RefinedStage, RefinedTable};
pub use search::FoundBreak;
pub use start::StartingTable;

use super::Identification;
use super::definition::Definition;
use super::definition::error::{IdentificationError, SpecificationError};
use costate_system::identifiers::Dynamic;

/// Refines a first guess of tables, such as the curves of a filter, by a fit of their values at knots to whole
/// records: few knots first and then more of them, placed where the run evaluates the tables, and steps that become
/// finer until their errors shift the unknowns by a tenth of the deviations that the noise leaves. Derivatives may
/// come from coarser steps (`FinerSteps`), which makes them cheap and does not change the result.
///
/// Measurements, inputs, and further unknown parameters, such as the initial state, are those of the
/// [`Identification`]; sensors and elements may be of any kind.
/// [`Refinement::of_forces`] begins with all curves and surfaces of a filter.
///
/// ```
/// # costate::model! {
/// #     pub Damped {
/// #         parameters { m: kg = 1, c: N/m = 400 }
/// #         inputs { drive: N }
/// #         tables { damper(speed: m/s): N }
/// #         coordinates { x: m }
/// #         mass { x: m }
/// #         forces { x: drive - c*x - damper(dot(x)) }
/// #         outputs { acceleration: m/s^2 = ddot(x) }
/// #     }
/// # }
/// use costate::identify::{Refinement, StartingTable};
/// use costate::table::prior::Shape;
/// use costate::table::{Curve, Extension};
/// use costate::{Identification, Record, Simulation};
///
/// # fn main() -> anyhow::Result<()> {
/// let force = |v: f64| 3.0 * v + 8.0 * (2.0 * v).tanh();
/// let drive = |t: f64| 40.0 * (6.0 * t + 6.0 * t * t).sin();
/// # let speeds: Vec<f64> = (-60..=60).map(|i| 0.05 * f64::from(i)).collect();
/// # let forces = speeds.iter().map(|v| force(*v)).collect();
/// # let truth = Curve::new(speeds, forces, Extension::Linear)?;
/// # let model = Damped::default();
/// # let simulation = Simulation::new(&model).table(Damped::DAMPER, truth).input(Damped::DRIVE, drive);
/// # let run = simulation.step(1e-3).until(2.0).run()?;
/// # let noise = |i: usize| 0.4 * ((12.9898 * i as f64).sin() * 43758.5453).fract();
/// # let noisy = run.output(Damped::ACCELERATION).iter().enumerate().map(|(i, a)| a + noise(i)).collect();
/// # let record = Record::new(run.times())?.with_channel("acceleration", Some("m/s^2"), noisy)?;
/// // what an accelerometer has measured, and no more than a straight line to begin with
/// let line = Curve::new(vec![-1.0, 1.0], vec![-5.0, 5.0], Extension::Linear)?;
/// let simulation = Simulation::new(&Damped::default()).input(Damped::DRIVE, drive);
/// let identification = Identification::new(&simulation).measured(Damped::ACCELERATION, &record);
/// let damper = StartingTable::curve(Damped::DAMPER, line).shape(Shape::ThroughOrigin).knots(30);
/// let refined = Refinement::new(identification).table(damper).run()?;
/// println!("{refined}");
/// assert!(refined.outputs[0].before_percent.is_some_and(|before| before > 5.0 * refined.outputs[0].after_percent));
/// let found = refined.fit.tables().curve(Damped::DAMPER);
/// assert!([-1.0, -0.3, 0.3, 1.0].iter().all(|v| (found.value(*v) / force(*v) - 1.0).abs() < 0.05));
/// # Ok(())
/// # }
/// ```
#[derive(Debug)]
pub struct Refinement<M = Dynamic> {
    identification: Definition,
    tables: Vec<StartingTable>,
    model: PhantomData<fn() -> M>,
}

impl<M> Refinement<M> {
    /// Creates a refinement with everything in `identification` but the tables. The first step is that of the
    /// identification; by default the sampling interval. Residuals are weighed by their likelihood.
    pub fn new(identification: Identification<M>) -> Self {
        Self { identification: identification.definition, tables: Vec::new(), model: PhantomData }
    }

    /// Adds a table that is to be refined.
    #[must_use]
    pub fn table(mut self, table: StartingTable<M>) -> Self {
        self.tables.push(table.erased());
        self
    }

    /// Runs the refinement.
    ///
    /// # Errors
    /// [`IdentificationError`]: as [`Identification::run`]; [`SpecificationError::UnknownTable`] for too few knots or a
    /// guess without extent; [`SpecificationError::NoTable`].
    pub fn run(self) -> Result<Refined<M>, IdentificationError> {
        if self.tables.is_empty() {
            return Err(SpecificationError::NoTable { model: self.identification.model.name() }.into());
        }
        self.identification.check_no_predictions(
            "a table that is refined",
            "a refinement judges residuals in time: leave out the prediction",
        )?;
        Ok(stages::run(self.identification, self.tables)?.tagged())
    }
}
