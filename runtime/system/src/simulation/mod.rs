//! The description of a run, which everything that runs a model takes, and the result of a simulation.
//!
//! [`Simulation`] is the builder, [`RunDescription`] its settings without the type of the model, for the crates above;
//! [`Run`] is a result. Runs are asked of models by the traits of [`system`](crate::system).

mod builder;
mod description;
mod run;
mod step_for;

pub use builder::Simulation;
pub use description::RunDescription;
pub use run::Run;
