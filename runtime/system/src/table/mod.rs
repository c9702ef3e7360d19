//! The tables of a model.

mod set;

pub use costate_table::{
    AnyTable, Axis, Curve, Extension, GridError, Interpolation, Surface, TableAdjoint, TableBasis, basis,
    formula, prior,
};
pub use set::{MissingTable, Table, TableData, TableFault, Tables};
