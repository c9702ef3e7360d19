//! Assembly of the implementation of the runtime's `Model`.

use proc_macro2::TokenStream;
use quote::quote;

use super::{along_motion, constants, description, groups, step_functions, structure, tables};
use crate::mechanics::{Elimination, Groups};
use crate::model::Model;
use crate::program::Program;
use crate::symbolic::Graph;

/// Writes the struct of the parameters, the typed names, and the implementation of the runtime's `Model`.
pub fn emit(
    model: &Model,
    graph: &Graph,
    groups: &Groups,
    (elimination, order): (Option<&Elimination>, &[(usize, usize)]),
    program: &Program,
) -> TokenStream {
    let of_groups = groups.all.iter().map(|group| groups::emit(program, group));
    let of_steps = program.functions.iter().map(|function| step_functions::emit(program, function));
    let structure = structure::parameters(model);
    let constants_struct = constants::definition(model, program);
    let constraints = along_motion::constraints(model, program);
    let constants_function = constants::function(model, program);
    let geometry = constants::geometry(model, program);
    let tables = tables::data(model);
    let (conversions, of_compiled) = (structure::conversions(model), structure::of_compiled());
    let values = structure::compiled_values();
    let types = structure::types(model, groups, program);
    let description = description::emit(model, graph, groups, (elimination, order));
    let name = &model.name;
    quote! {
        #structure
        #constants_struct
        #constraints
        #[automatically_derived]
        #[allow(clippy::all, clippy::pedantic, non_snake_case, unused_parens)]
        impl ::costate::Model for #name {
            #conversions
            #values
        }
        #[automatically_derived]
        #[allow(clippy::all, clippy::pedantic, non_snake_case, unused_parens)]
        impl ::costate::emitted::Functions for #name {
            #of_compiled
            #description
            #types
            #tables
            #constants_function
            #geometry
            #(#of_groups)*
            #(#of_steps)*
        }
    }
}
