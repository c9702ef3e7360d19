//! Runs that keep checkpoints instead of all states.

mod run;
mod store;

pub(crate) use run::Checkpointed;
pub(super) use run::run;
pub(super) use store::Store;
