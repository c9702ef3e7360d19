//! Generators of models, their texts and their reference values. The build script of the tests compiles this module
//! as well.

pub mod compare;
pub mod evaluate;
pub mod flat;
mod flat_text;
pub mod flatten;
pub mod generate;
pub mod jet;
pub mod mutate;
pub mod options;
pub mod planar;
pub mod points;
pub mod reference;
pub mod spatial;
pub mod text;
pub mod tree;
pub mod units;
mod walk;
