//! The table that describes a model.

use std::collections::BTreeSet;

use costate_contract::Argument;
use proc_macro2::{Literal, TokenStream};
use quote::{ToTokens, format_ident, quote};

use super::contract::variant;
use super::elimination;
use super::patterns::{Patterns, entries};
use super::scene;
use crate::mechanics::{Elimination, Groups, determined, has_timed_forces, jumps, positive};
use crate::model::{Model, Quantity};
use crate::symbolic::Graph;

/// Writes `const COMPILED: Option<&'static Description> = ...;`.
pub fn emit(
    model: &Model,
    graph: &Graph,
    groups: &Groups,
    (elimination, order): (Option<&Elimination>, &[(usize, usize)]),
) -> TokenStream {
    let name = model.name.to_string();
    let quantities = [
        ("parameters", &model.parameters),
        ("inputs", &model.inputs),
        ("coordinates", &model.coordinates),
        ("constraints", &model.constraints),
        ("outputs", &model.outputs),
    ];
    let quantities =
        quantities.into_iter().map(|(field, quantities)| list(field, quantities.iter().map(quantity).collect()));
    let tables = list("tables", tables(model));
    let lookups = list("lookups", lookups(graph, groups));
    let specified_coordinates = flags(model.initial_coordinates.iter().map(Option::is_some).collect());
    let specified_velocities = flags(model.initial_velocities.iter().map(Option::is_some).collect());
    let equilibrium = model.equilibrium.then(|| quote!(equilibrium: true,));
    let positive = indices("positive_parameters", &positive(model, graph));
    let jumps = list("jumps", jumps(model, graph).iter().map(|function| quote!(#function)).collect());
    let timed_forces = has_timed_forces(model, graph).then(|| quote!(timed_forces: true,));
    let determined = determined(model, graph).then(|| quote!(determined: true,));
    let patterns = Patterns::of(groups);
    let has_lookups = !groups.lookups.all.is_empty();
    let pattern_constants = patterns.constants();
    let groups: Vec<TokenStream> = groups.all.iter().map(|group| patterns.group(group)).collect();
    let imports = imports(model, has_lookups, &patterns, elimination);
    let (elimination_constant, elimination) = match elimination {
        None => Default::default(),
        Some(elimination) => (
            elimination::description(graph, elimination),
            quote!(elimination: ::core::option::Option::Some(ELIMINATION),),
        ),
    };
    let order = (!order.is_empty()).then(|| {
        let order = entries(order);
        quote!(order: #order,)
    });
    let (scene_constant, scene) = scene::description(model);
    let version = Literal::u32_unsuffixed(costate_contract::VERSION);
    quote! {
        const COMPILED: ::core::option::Option<&'static ::costate::emitted::Description> = {
            #imports
            #(#pattern_constants)*
            #elimination_constant
            #scene_constant
            ::core::option::Option::Some(&Description {
                version: #version,
                #(#quantities)*
                #tables
                #lookups
                specified_coordinates: #specified_coordinates,
                specified_velocities: #specified_velocities,
                #equilibrium
                #positive
                #jumps
                #timed_forces
                #determined
                groups: Groups { #(#groups)* ..Groups::EMPTY },
                #elimination
                #order
                #scene
                ..Description::new(#name)
            })
        };
    }
}

/// Writes a quantity with its unit and documentation.
fn quantity(quantity: &Quantity) -> TokenStream {
    let (name, unit, documentation) = (&quantity.name, &quantity.unit, &quantity.documentation);
    quote!(Quantity::new(#name, #unit, #documentation))
}

/// Writes the model's tables for its description.
fn tables(model: &Model) -> Vec<TokenStream> {
    let tables = model.tables.iter().map(|table| {
        let (own, arguments) = (quantity(&table.quantity), table.arguments.iter().map(quantity));
        quote!(TableDescription { quantity: #own, arguments: &[#(#arguments),*] })
    });
    tables.collect()
}

/// Writes the lookups in tables that the description lists.
fn lookups(graph: &Graph, groups: &Groups) -> Vec<TokenStream> {
    let lookups = groups.lookups.all.iter().filter_map(|&id| graph.node(id).lookup());
    let lookups = lookups.map(|(lookup, _)| {
        let table = Literal::usize_unsuffixed(lookup.table as usize);
        let [first, second] = lookup.orders.map(|order| Literal::usize_unsuffixed(order.into()));
        quote!(LookupDescription::new(#table, [#first, #second]))
    });
    lookups.collect()
}

/// Writes a field with these elements; nothing if there are none.
fn list(field: &str, elements: Vec<TokenStream>) -> TokenStream {
    if elements.is_empty() {
        return TokenStream::new();
    }
    let field = format_ident!("{field}");
    quote!(#field: &[#(#elements),*],)
}

/// Writes a field with the indices of true entries; nothing if there are none.
fn indices(field: &str, is_so: &[bool]) -> TokenStream {
    let numbers = (0..is_so.len()).filter(|number| is_so[*number]);
    list(field, numbers.map(|number| Literal::usize_unsuffixed(number).into_token_stream()).collect())
}

/// Writes `&[true, false]` or `&[true; 40]`.
fn flags(flags: Vec<bool>) -> TokenStream {
    match flags.first() {
        Some(first) if flags.len() > 1 && flags.iter().all(|flag| flag == first) => {
            let length = Literal::usize_unsuffixed(flags.len());
            quote!(&[#first; #length])
        }
        _ => quote!(&[#(#flags),*]),
    }
}

/// Writes imports for the names that the description uses without a path.
fn imports(
    model: &Model,
    has_lookups: bool,
    patterns: &Patterns<'_>,
    elimination: Option<&Elimination>,
) -> TokenStream {
    let mut types = vec!["Block", "Description", "Groups"];
    if elimination.is_some() {
        types.push("Elimination");
    }
    if !model.tables.is_empty() {
        types.push("TableDescription");
    }
    if has_lookups {
        types.push("LookupDescription");
    }
    types.sort_unstable();
    let types = types.into_iter().map(|name| format_ident!("{name}"));
    let mut functions = BTreeSet::new();
    let mut arguments = BTreeSet::new();
    for block in patterns.blocks() {
        functions.insert(variant(block.function));
        arguments.extend(block.argument.map(|argument: Argument| variant(argument)));
    }
    let arguments = (!arguments.is_empty()).then(|| {
        let arguments = arguments.iter();
        quote!(use ::costate::emitted::Argument::{#(#arguments),*};)
    });
    let functions = functions.iter();
    quote! {
        #arguments
        use ::costate::emitted::Function::{#(#functions),*};
        use ::costate::emitted::{#(#types),*};
        use ::costate::model::Quantity;
    }
}
