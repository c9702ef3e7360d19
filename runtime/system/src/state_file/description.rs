//! The description of the simulation to which a stored state belongs.

use costate_ensemble::Description;

use crate::identifiers::Input;
use crate::model::Description as ModelDescription;
use crate::problem::Problem;

/// Describes the model with its parameters, the settings of its simulation, its inputs and tables.
pub fn description_of(problem: &Problem, parameters: &[f64]) -> Description {
    let mut description = Description::default();
    describe_model(&mut description, problem.description());
    describe(&mut description, problem, parameters, "");
    description
}

/// Describes which model it is: by its name, and a loaded one by its text as well.
pub fn describe_model(description: &mut Description, model: &ModelDescription) {
    description.text("the model", model.name);
    if let Some(digest) = model.digest {
        description.text("the text of the model", digest);
    }
}

/// Describes the parameters of a model, the settings of its simulation, its inputs and tables; every fact
/// ends with `of`.
pub fn describe(description: &mut Description, problem: &Problem, parameters: &[f64], of: &str) {
    for (quantity, value) in problem.description().parameters.iter().zip(parameters) {
        description.number(format!("parameter `{}`{of}", quantity.name), *value);
    }
    // limits of memory do not change a bit of the results
    let simulation = format!("the simulation{of}");
    description.settings(&simulation, problem.settings(), &["memory_limit", "checkpoints"]);
    for input in Input::each_of(problem.description()) {
        let values: Vec<f64> = problem.inputs().rows().map(|row| row[input.index()]).collect();
        description.values(format!("input `{}`{of}", input.name()), &values);
    }
    for (name, numbers) in problem.tables().numbers() {
        description.values(format!("table `{name}`{of}"), &numbers);
    }
}
