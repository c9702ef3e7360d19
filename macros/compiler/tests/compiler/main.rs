//! The compiler as a library: text in; models, messages or code out.

// Tests may unwrap.
#![allow(clippy::unwrap_used)]

mod checks;
mod defaults;
mod expressions;
mod files;
mod formulas;
mod golden;
mod language;
mod loops;
mod messages;
mod mutated;
mod names;
mod robustness;
mod size;
mod table_units;
mod tables;
mod variants;
