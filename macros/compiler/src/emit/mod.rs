//! Writing of programs as readable Rust.
//!
//! `groups`, `step_functions` and `constants` write the functions, each with the arguments that it uses: `statement`
//! writes their statements and keeps very long functions flat, `expression` their expressions, with as few parentheses
//! as possible, and `names` has the names of everything that occurs in a function. `along_motion` writes those that
//! take numbers with rates.
//!
//! `structure` writes the struct of the parameters and the typed names, `description` the table of the model, with
//! `scene`, `elimination`, the factors that are watched at run time, and `patterns`, the positions of entries; `tables`
//! the data of tables. `interpreted` writes a model that is executed without code, and `fallback` an inert model after
//! errors, so that one mistake gives one message.

mod along_motion;
mod constants;
mod contract;
mod description;
mod documentation;
mod elimination;
mod expression;
mod fallback;
mod groups;
mod implementation;
mod interpreted;
mod names;
mod part_loop;
mod patterns;
mod scene;
mod statement;
mod step_functions;
mod structure;
mod tables;

pub use fallback::fallback;
pub use implementation::emit;
pub use interpreted::interpreted;
