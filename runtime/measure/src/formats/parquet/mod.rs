//! Parquet: a table of columns, one group. Units stand in the metadata of the file, as the value of the key
//! `unit:NAME`.

mod arrow;
mod checked;
mod delta;
mod levels;
mod meaning;
mod read;
mod write;

pub(crate) use read::read;
pub use write::write;

/// Beginning of the keys of units.
const UNIT: &str = "unit:";
