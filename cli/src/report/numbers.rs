//! The report as numbers for other programs: quantities with their units, sizes and operations.

use std::path::Path;

use costate_compiler::{Compiled, Operations, Quantity};
use serde_json::{Value, json};

/// Collects what `--json` prints.
pub fn of(compiled: &Compiled, file: Option<&Path>) -> Value {
    let model = &compiled.model;
    let parameters = model.parameters.iter().zip(&model.defaults).map(|(parameter, default)| {
        let mut object = quantity(parameter);
        object["default"] = json!(default);
        object
    });
    let all = |quantities: &[Quantity]| quantities.iter().map(quantity).collect::<Vec<Value>>();
    let operations = compiled.operations.iter();
    let operations =
        operations.map(|count: &Operations| json!({ "function": count.function, "operations": count.total() }));
    json!({
        "model": model.name.to_string(),
        "documentation": model.documentation,
        "parameters": parameters.collect::<Vec<Value>>(),
        "inputs": all(&model.inputs),
        "coordinates": all(&model.coordinates),
        "constraints": all(&model.constraints),
        "outputs": all(&model.outputs),
        "operations": operations.collect::<Vec<Value>>(),
        "file": file,
    })
}

fn quantity(quantity: &Quantity) -> Value {
    json!({ "name": quantity.name, "unit": quantity.unit, "documentation": quantity.documentation })
}
