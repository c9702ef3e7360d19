//! The data of lookup tables: knots and values on a rectangular grid, their CSV files, and what is checked of them.
//!
//! The compiler reads and checks tables while a crate is built, the runtime those that are given to a run; both do it
//! here, so that the same file is right or wrong for both. Interpolation is the runtime's. Units of data and of models are
//! read and compared in [`units`].

mod error;
mod file;
mod grid;
mod heading;
mod lines;
pub mod nearest;
pub mod units;

pub use error::{Axis, GridError};
pub use file::{read_curve, read_surface};
pub use grid::{CurveGrid, Extension, SurfaceGrid};
pub use heading::{Column, FileTable, name_and_unit};
pub use lines::csv_lines;
