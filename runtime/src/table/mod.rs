//! Lookup tables of one and two arguments: cubic splines, twice continuously differentiable everywhere, or
//! [monotone curves](Interpolation::Monotone) or straight lines.
//!
//! A model reads a table from a CSV file while its crate builds, or declares a table whose data are given to the
//! simulation:
//!
//! ```
//! costate::model! {
//!     pub Damped {
//!         parameters { m: kg = 1, c: N/m = 100 }
//!         tables { damper(speed: m/s): N }
//!         coordinates { x: m }
//!         mass { x: m }
//!         forces { x: -c*x - damper(dot(x)) }
//!         initial { x = 0.1[m], dot(x) = 0[m/s] }
//!         outputs { position: m = x }
//!     }
//! }
//!
//! use costate::Simulation;
//! use costate::table::{Curve, Extension};
//!
//! # fn main() -> anyhow::Result<()> {
//! let damper = Curve::new(vec![-1.0, 0.0, 1.0], vec![-3.0, 0.0, 5.0], Extension::Linear)?;
//! let run = Simulation::new(&Damped::default()).table(Damped::DAMPER, damper).step(1e-3).until(1.0).run()?;
//! assert!(run.output(Damped::POSITION)[1000].abs() < 0.1);
//! # Ok(())
//! # }
//! ```
//!
//! The values of a table may be unknown: [`differentiate`](crate::differentiate) has the derivatives of a cost with
//! respect to the values, [`Curve::with_values`] and [`Problem::with_table`](crate::simulate::Problem::with_table)
//! replace them, [`prior`] has priors of a table, and [`formula`] finds the formula that a curve follows.
//!
//! The documentation of [`model!`](macro@crate::model) describes tables in the language.

pub use costate_system::table::{Curve, Extension, Surface, Table};

// Parts of results, errors, and what few programs name: their pages are those of the crates.
#[doc(no_inline)]
pub use costate_system::table::{Axis, GridError, Interpolation, MissingTable, TableData, Tables, formula, prior};
