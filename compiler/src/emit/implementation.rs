//! Assembly of the implementation of the runtime's `Model`.

use proc_macro2::TokenStream;
use quote::quote;

use super::constants::Constants;
use super::operations::Operations;
use super::{description, faults, function, loops, scene, step_functions, structure, tables};
use crate::mechanics::{Elimination, Groups, StepFunctions};
use crate::model::Model;
use crate::symbolic::{Graph, Id};

/// Checks whether the functions of a step, apart from a split adjoint, become short when written in loops.
pub fn is_short_in_loops(model: &Model, graph: &mut Graph, functions: &StepFunctions) -> bool {
    let lowered = functions.lowered(graph);
    let roots = step_functions::roots(&StepFunctions { adjoint_parts: None, ..lowered });
    are_short_in_loops(model, graph, &roots)
}

/// Checks whether all functions with these results are short in loops.
fn are_short_in_loops(model: &Model, graph: &mut Graph, roots: &[Vec<Id>]) -> bool {
    let constants = Constants::collect(model, graph, roots, &[]);
    roots.iter().all(|roots| loops::is_short(model, graph, &constants, roots))
}

/// Writes the struct of the parameters, the typed names, and the implementation of the runtime's `Model`.
///
/// # Errors
/// Expressions that a function does not know, which is a mistake of this compiler.
pub fn emit(
    model: &Model,
    graph: &mut Graph,
    groups: &Groups,
    elimination: Option<(&Elimination, &StepFunctions)>,
) -> Result<(TokenStream, Vec<Operations>), Vec<String>> {
    let mut roots: Vec<Vec<_>> = groups.all.iter().map(|group| graph.lower_powers(&group.values())).collect();
    let mut step_functions = elimination.map(|(_, functions)| functions.lowered(graph));
    if let Some(functions) = &mut step_functions
        && functions.in_loops
        && !are_short_in_loops(model, graph, &step_functions::adjoint_roots(functions))
    {
        functions.adjoint_parts = None;
    }
    roots.extend(step_functions.iter().flat_map(step_functions::roots));
    let names = groups.all.iter().map(|group| group.kind.name());
    let names: Vec<&str> = names.chain(step_functions.iter().flat_map(step_functions::names)).collect();
    let constants = Constants::collect(model, graph, &roots, &names);
    if graph.exceeded().is_some() {
        // too large, which the caller reports
        return Ok(Default::default());
    }
    faults::sound(model, graph, &roots)?;
    let geometry = graph.lower_powers(&model.geometry);
    let geometry = scene::geometry(model, graph, &constants, &geometry);
    let mut operations = vec![constants.operations(graph)];
    let mut functions = Vec::new();
    for (group, values) in groups.all.iter().zip(&roots) {
        if !(group.kind.fills_slice() && values.is_empty()) {
            operations.push(Operations::count(graph, group.kind.name(), values, |id| constants.holds(id)));
        }
        functions.push(function::emit(model, graph, &constants, group, values));
    }
    if let Some(step_functions) = &step_functions {
        functions.push(step_functions::emit(model, graph, &constants, step_functions));
        operations.extend(step_functions::operations(graph, &constants, step_functions));
    }
    let structure = structure::parameters(model);
    let constants_struct = constants.emit_struct(model, graph);
    let constants_function = constants.emit_function(model, graph);
    let tables = tables::data(model);
    let (conversions, of_compiled) = (structure::conversions(model), structure::of_compiled());
    let adjoint_parts = step_functions.as_ref().and_then(|functions| functions.adjoint_parts.as_ref());
    let types = structure::types(model, groups, adjoint_parts.map_or(0, |parts| parts.coefficients.len()));
    let description =
        description::emit(model, graph, groups, elimination.map(|(elimination, _)| elimination));
    let name = &model.name;
    let tokens = quote! {
        #structure
        #constants_struct
        #[automatically_derived]
        #[allow(clippy::all, clippy::pedantic, non_snake_case, unused_parens)]
        impl ::costate::Model for #name {
            #description
            #conversions
        }
        #[automatically_derived]
        #[allow(clippy::all, clippy::pedantic, non_snake_case, unused_parens)]
        impl ::costate::emitted::Functions for #name {
            #of_compiled
            #types
            #tables
            #constants_function
            #geometry
            #(#functions)*
        }
    };
    constants.faults.result()?;
    Ok((tokens, operations))
}
