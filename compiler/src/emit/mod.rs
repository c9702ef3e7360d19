//! Emission of readable Rust from groups of expressions.
//!
//! Every group is one function. Shared subexpressions are `let`s (`code`), subexpressions of parameters alone are fields of
//! the constants of a run (`constants`, `constants_struct`), and structural zeros are left out. An expression without a
//! name of the user's is named after its formula, where that is short (`words`). `statement` keeps very long functions
//! flat, `stores` writes results as soon as they are known, and `like_calls` joins sines, cosines and exponential functions
//! that can be computed together. `loops` writes long functions with like parts as loops over tables.
//!
//! `step_functions` writes the functions of a step and of its adjoint, `elimination` the table of the factors that are
//! watched at run time, `tables` the data of tables, `patterns` the positions of entries. `fallback` emits an inert model
//! after errors, so that one mistake gives one message. `faults` collects expressions that emission does not know: a
//! mistake of the compiler is an error of the model, never a number.

mod code;
mod constants;
mod constants_struct;
mod contract;
mod description;
mod documentation;
mod elimination;
mod fallback;
mod faults;
mod function;
mod implementation;
mod like_calls;
mod local_names;
mod loops;
mod operations;
mod patterns;
mod scene;
mod statement;
mod step_functions;
mod stores;
mod structure;
mod tables;
mod words;

pub use fallback::fallback;
pub use implementation::{emit, is_short_in_loops};
pub use operations::Operations;
