//! Models whose equations depend on the time itself.

use costate_contract::{Function, Group};
use costate_numerics::linalg::block::find;
use costate_system::system::{Equations, Instant, StateVectors};

use crate::harmonic::error::HarmonicError;

/// Refuses a model whose functions change with the time while everything else stays: at the start and at made-up states
/// near it.
pub(crate) fn refuse(
    equations: &dyn Equations<f64>,
    start: &StateVectors<f64>,
    inputs: &[f64],
) -> Result<(), HarmonicError> {
    let description = equations.description();
    let groups =
        [(Group::Residual, "forces and constraints"), (Group::Kinematics, "constraints"), (Group::Outputs, "outputs")];
    for made_up in 0..3 {
        let state = moved(start, f64::from(made_up));
        for (group, function) in groups {
            let at = |time: f64| equations.group(group, Instant { time, state: &state, inputs });
            let first = bits(&at(0.0));
            // from microseconds to days
            let times = (-20..=20).map(|k| 1.234 * 10f64.powf(0.3 * f64::from(k)));
            if times.into_iter().any(|time| bits(&at(time)) != first) {
                return Err(HarmonicError::ExplicitTime { model: description.name, function });
            }
        }
        // the rate of constraints without velocities is their derivative with respect to the time
        let still = StateVectors { velocities: vec![0.0; state.velocities.len()], ..state };
        let rates = equations.group(Group::Kinematics, Instant { time: 0.7, state: &still, inputs });
        let block = find(description.groups.kinematics, Function::ConstraintVelocity, None);
        if block.iter(&rates).any(|(_, _, rate)| rate != 0.0) {
            return Err(HarmonicError::ExplicitTime { model: description.name, function: "constraints" });
        }
    }
    Ok(())
}

fn bits(values: &[f64]) -> Vec<u64> {
    values.iter().map(|value| value.to_bits()).collect()
}

/// A state near another one, all of whose numbers differ from zero.
fn moved(state: &StateVectors<f64>, part: f64) -> StateVectors<f64> {
    let shift = |values: &[f64]| -> Vec<f64> {
        let moved = values.iter().enumerate();
        moved.map(|(k, value)| value + 1e-3 * part * ((k + 1) as f64 * (1.7 + part)).sin()).collect()
    };
    StateVectors {
        coordinates: shift(&state.coordinates),
        velocities: shift(&state.velocities),
        accelerations: shift(&state.accelerations),
        multipliers: shift(&state.multipliers),
    }
}
