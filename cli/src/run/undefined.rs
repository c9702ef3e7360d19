//! Outputs that have no value along a run.

use costate::simulate::{Run, SimulationError, UndefinedOutput};

use crate::loaded::Loaded;

/// Returns the doubts with the parts of outputs that have no finite value, a sentence for each output, in place of the
/// advice to look for them.
pub fn explained(mut doubts: Vec<String>, loaded: &Loaded, run: &Run, outputs: &[UndefinedOutput]) -> Vec<String> {
    let trajectory = run.trajectory();
    for undefined in outputs {
        let i = trajectory.step_of_sample(undefined.sample);
        let values = [
            trajectory.coordinates(i),
            trajectory.velocities(i),
            trajectory.accelerations(i),
            trajectory.multipliers(i),
            trajectory.parameters(),
            trajectory.conditions().inputs.row(i),
        ];
        let text = SimulationError::UndefinedOutput(*undefined).to_string();
        let part = loaded.compiled.undefined_part(undefined.index, trajectory.time(i), values);
        if let (Some(part), Some((found, _))) = (part, text.split_once(": look in its expression")) {
            doubts.retain(|doubt| !doubt.starts_with(found));
            doubts.push(format!("{found}: it has {part}"));
        }
    }
    doubts
}
