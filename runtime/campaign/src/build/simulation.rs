//! Steps, end and accuracy of simulations.

use costate_system::simulation::Simulation;
use costate_system::step::NewtonSettings;

use super::names::output;
use crate::Loaded;
use crate::RunSettings;
use crate::error::CampaignError;
use crate::reading::given;

/// Sets what a campaign gives of the settings of a simulation.
///
/// # Errors
/// A name of a judged output that the model does not have.
pub fn with_settings(
    mut simulation: Simulation,
    settings: &RunSettings,
    loaded: &Loaded,
) -> Result<Simulation, CampaignError> {
    simulation = given(simulation, settings.step, |own, step| own.step(step.0));
    simulation = given(simulation, settings.end, |own, end| own.until(end.0));
    simulation = given(simulation, settings.scheme, Simulation::scheme);
    simulation = given(simulation, settings.order, Simulation::order);
    simulation = given(simulation, settings.tolerance, |own, tolerance| own.adaptive(tolerance.0));
    simulation = given(simulation, settings.error_limit, Simulation::error_limit);
    simulation = given(simulation, settings.memory_limit, Simulation::memory_limit);
    simulation = given(simulation, settings.checkpoints, Simulation::checkpoints);
    if let Some(names) = &settings.judge {
        let outputs: Result<Vec<_>, _> = names.0.iter().map(|name| output(loaded, name)).collect();
        simulation = simulation.judge(outputs?);
    }
    let newton = NewtonSettings::default();
    let newton = given(newton, settings.newton_tolerance, |own, tolerance| own.with_tolerance(tolerance.0));
    let newton = given(newton, settings.newton_iterations, NewtonSettings::with_maximum_iterations);
    let newton = given(newton, settings.newton_reuse, NewtonSettings::with_reuse);
    Ok(simulation.newton(given(newton, settings.newton_estimate, NewtonSettings::with_estimate)))
}
