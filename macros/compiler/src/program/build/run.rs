//! The functions that are evaluated once for a run: constants, and numbers of the scene.

use super::arguments::Arguments;
use super::code::Code;
use super::constants::Constants;
use super::local_names::LocalNames;
use super::variables::Variables;
use crate::model::Model;
use crate::program::{Array, Function, Statement};
use crate::symbolic::{Graph, Id};

/// Returns the function that computes the constants of a run from parameters, weights and tables.
pub fn constants(model: &Model, graph: &Graph, constants: &Constants) -> Function {
    let roots: Vec<Id> = constants.fields.iter().map(|(id, _)| *id).collect();
    let mut arguments = arguments(model, graph, &roots);
    arguments.parameters();
    arguments.weights();
    let function = function(arguments, model, graph, constants, &roots, Array::Constants);
    Function { name: "constants", ..function }
}

/// Returns the function that computes the numbers of the scene, with lowered powers, from parameters and tables; `None`
/// for a model without bodies.
pub fn geometry(model: &Model, graph: &Graph, constants: &Constants, roots: &[Id]) -> Option<Function> {
    if roots.is_empty() {
        return None;
    }
    let mut arguments = arguments(model, graph, roots);
    arguments.parameters();
    let function = function(arguments, model, graph, constants, roots, Array::Out);
    Some(Function { name: "geometry", ..function })
}

fn arguments<'a>(model: &'a Model, graph: &'a Graph, roots: &[Id]) -> Arguments<'a> {
    Arguments::without_constants(model, graph, roots, Variables::new(LocalNames::new()))
}

/// Returns the function that fills `array`, whose variables for constants have the names of these.
fn function(
    arguments: Arguments<'_>,
    model: &Model,
    graph: &Graph,
    constants: &Constants,
    roots: &[Id],
    array: Array,
) -> Function {
    let Arguments { known, mut variables, statements: mut body, .. } = arguments;
    let tables = model.tables.iter().map(|table| variables.names.unique(&table.quantity.field.to_string())).collect();
    let mut code = Code::new(model, graph, constants, known, variables);
    if array == Array::Constants {
        code = code.naming(&constants.fields);
    }
    let values = code.write(roots);
    body.extend(code.take_statements());
    body.push(Statement::store_whole(array, values));
    Function { variables: code.into_variables(), tables, body, ..Function::default() }
}
