//! Structures on a moving base from JSON files, and the filter's models of them.

#[expect(missing_docs, reason = "fields are those of the file, which `--help` of the example explains")]
mod file;
mod model;

pub use file::{Base, Element, Filter, Force, Inertia, ProcessNoise, Sensor, Structure, StructureError};
pub use model::identification;
