//! The library against the runtime: FMUs that the command `costate` exports, driven by the functions of the standard.

mod co_simulation;
mod derivatives;
mod export;
mod misuse;
mod states;
mod steps;
mod support;
