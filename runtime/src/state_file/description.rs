//! What of a simulation a stored state belongs to.

use costate_ensemble::Description;

use crate::identifiers::Input;
use crate::model::Model;
use crate::problem::Problem;

/// The model with its parameters, the settings of its simulation, its inputs and tables.
pub(crate) fn description_of<M: Model>(problem: &Problem<M>, parameters: &M::Parameters<f64>) -> Description {
    let mut description = Description::default();
    description.text("the model", M::DESCRIPTION.name);
    describe(&mut description, problem, parameters, "");
    description
}

/// The parameters of a model, the settings of its simulation, its inputs and tables; every fact ends with `of`.
pub(crate) fn describe<M: Model>(
    description: &mut Description,
    problem: &Problem<M>,
    parameters: &M::Parameters<f64>,
    of: &str,
) {
    for (quantity, value) in M::DESCRIPTION.parameters.iter().zip(parameters.as_ref()) {
        description.number(format!("parameter `{}`{of}", quantity.name), *value);
    }
    // limits of memory change not a bit of the results
    let simulation = format!("the simulation{of}");
    description.settings(&simulation, problem.settings(), &["memory_limit", "checkpoints"]);
    for input in Input::<M>::all() {
        let values: Vec<f64> = problem.inputs().iter().map(|row| row.as_ref()[input.index()]).collect();
        description.values(format!("input `{}`{of}", input.name()), &values);
    }
    for (name, numbers) in problem.tables().numbers() {
        description.values(format!("table `{name}`{of}"), &numbers);
    }
}
