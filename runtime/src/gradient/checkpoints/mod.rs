//! Runs that keep checkpoints instead of all states.

mod plan;
mod run;
mod schedule;
mod store;

pub(crate) use plan::{Plan, Sizes};
pub(crate) use run::{Checkpointed, run};
pub(crate) use store::Store;
