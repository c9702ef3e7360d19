//! From groups of expressions to readable Rust.

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
