//! The data of lookup tables: knots and values on a rectangular grid, their CSV files, what is checked of them, and the
//! slopes of a spline through them.
//!
//! CSV text is read line by line, and bytes that are not text are refused at the place where they begin.

mod error;
mod file;
mod grid;
mod heading;
mod interpolation;
mod lines;
mod ringing;
mod source;
pub mod spline;

pub use error::{Axis, GridError};
pub use file::{read_curve, read_surface};
pub use grid::{CurveGrid, Extension, SurfaceGrid};
pub use heading::{Column, FileTable, name_and_unit};
pub use interpolation::Interpolation;
pub use lines::{CsvLines, csv_lines};
pub use ringing::{Excursion, excursion, surface_excursion};
