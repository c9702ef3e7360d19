//! The errors that inputs leave whose impulse in a step is not that of their samples.

use crate::problem::SimulationError;

use super::compare::{Differences, Own};

/// Returns the differences between a run and one whose inputs have their impulse in every step, at samples that no
/// replaced input reaches directly; `None` where samples have the impulses.
pub(super) fn missed_impulses(own: Own<'_>) -> Result<Option<Differences>, SimulationError> {
    let Some(whole) = own.problem.with_whole_impulses() else { return Ok(None) };
    let run = whole.problem.forward(own.run.parameters())?;
    let outputs = run.outputs();
    // runs of high order have several steps between two samples
    let parts = own.problem.steps() / (own.run.samples() - 1).max(1);
    let width = own.run.coordinates(0).len() + own.outputs.width();
    let mut found = Differences::zeros(width);
    for k in 0..own.run.samples() {
        let step = own.run.step_of_sample(k);
        let others = || run.coordinates(run.step_of_sample(k)).iter().chain(outputs.row(k));
        found.widen(others());
        let beside = whole.differs.iter().take((k + 1) * parts).skip(k.saturating_sub(1) * parts);
        if !beside.into_iter().any(|differs| *differs) {
            found.take(own, (k, step), others());
        }
    }
    Ok(Some(found))
}
