//! Steps, end and accuracy of simulations.

use costate_system::simulation::Simulation;
use costate_system::step::NewtonSettings;

use super::names::output;
use crate::fit::campaign::RunSettings;
use crate::fit::campaign::error::CampaignError;
use crate::loaded::Loaded;

/// Sets what a campaign gives of the settings of a simulation.
///
/// # Errors
/// A name of a judged output that the model does not have.
pub fn with_settings(
    mut simulation: Simulation,
    settings: &RunSettings,
    loaded: &Loaded,
) -> Result<Simulation, CampaignError> {
    if let Some(step) = settings.step {
        simulation = simulation.step(step);
    }
    if let Some(end) = settings.end {
        simulation = simulation.until(end);
    }
    if let Some(scheme) = settings.scheme {
        simulation = simulation.scheme(scheme);
    }
    if let Some(tolerance) = settings.tolerance {
        simulation = simulation.adaptive(tolerance);
    }
    if let Some(limit) = settings.error_limit {
        simulation = simulation.error_limit(limit);
    }
    if let Some(names) = &settings.judge {
        let outputs: Result<Vec<_>, _> = names.iter().map(|name| output(loaded, name)).collect();
        simulation = simulation.judge(outputs?);
    }
    if let Some(bytes) = settings.memory_limit {
        simulation = simulation.memory_limit(bytes);
    }
    if let Some(checkpoints) = settings.checkpoints {
        simulation = simulation.checkpoints(checkpoints);
    }
    Ok(simulation.newton(newton(settings)))
}

fn newton(settings: &RunSettings) -> NewtonSettings {
    let mut newton = NewtonSettings::default();
    if let Some(tolerance) = settings.newton_tolerance {
        newton = newton.with_tolerance(tolerance);
    }
    if let Some(iterations) = settings.newton_iterations {
        newton = newton.with_maximum_iterations(iterations);
    }
    if let Some(reuse) = settings.newton_reuse {
        newton = newton.with_reuse(reuse);
    }
    if let Some(estimate) = settings.newton_estimate {
        newton = newton.with_estimate(estimate);
    }
    newton
}
