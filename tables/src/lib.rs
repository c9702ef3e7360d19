//! The data of lookup tables: knots and values on a rectangular grid, their CSV files, and what is checked of them.
//!
//! The compiler reads and checks tables while a crate is built, the runtime those that are given to a run; both do it
//! here, so that the same file is right or wrong for both. Interpolation is the runtime's.

mod error;
mod file;
mod grid;
mod lines;

pub use error::{Axis, GridError};
pub use file::{read_curve, read_surface};
pub use grid::{CurveGrid, Extension, SurfaceGrid};
pub use lines::csv_lines;
