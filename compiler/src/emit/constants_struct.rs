//! The struct of a run's constants, and the function that computes them.

use proc_macro2::{Ident, TokenStream};
use quote::{format_ident, quote};
use rustc_hash::FxHashMap;

use super::code::Code;
use super::constants::{Constants, parameter_pattern, symbol_id, weight_name};
use super::documentation::{count, doc};
use super::local_names::LocalNames;
use super::operations::Operations;
use super::tables::{TableVariable, data_type, from_set};
use crate::model::Model;
use crate::symbolic::{Graph, Id, Integrator, Node, Symbol};

/// Largest number of operations of a formula that is written in the documentation of a field.
const LONGEST_FORMULA: usize = 40;

/// The weights that the runtime provides.
const WEIGHTS: [Integrator; 5] = [
    Integrator::Accelerations,
    Integrator::Coordinates,
    Integrator::Velocities,
    Integrator::Step,
    Integrator::Previous,
];

impl Constants {
    fn struct_name(model: &Model) -> Ident {
        format_ident!("{}Constants", model.name)
    }

    /// Writes the definition of the struct.
    pub fn emit_struct(&self, model: &Model, graph: &Graph) -> TokenStream {
        let (name, visibility) = (Self::struct_name(model), &model.visibility);
        let text =
            format!("The quantities that do not change during a run of [`{}`], computed once.", model.name);
        let documentation = doc(&text);
        let fields = self.fields.iter().map(|(id, field)| {
            let documentation = doc(&self.field_text(model, graph, *id));
            quote!(#documentation pub #field: S,)
        });
        let tables = model.tables.iter().zip(&self.tables).enumerate().map(|(i, (table, field))| {
            let documentation = doc(&format!("Table `{}`.", table.signature()));
            let data = data_type(table);
            // a table that only parameters use is read once, before the run; the model's author is told of unused
            // tables
            let allowed = (!self.read.contains(&i)).then(|| quote!(#[allow(dead_code)]));
            quote!(#documentation #allowed pub #field: ::std::sync::Arc<#data>,)
        });
        let marker = self.fields.is_empty().then(|| quote!(scalar: ::core::marker::PhantomData<S>,));
        quote! {
            #documentation
            #[derive(Debug, Clone)]
            #[allow(non_snake_case)]
            #visibility struct #name<S> { #(#fields)* #(#tables)* #marker }
        }
    }

    /// Describes a field: its formula, unless the formula is too long to explain anything.
    fn field_text(&self, model: &Model, graph: &Graph, id: Id) -> String {
        match graph.node(id) {
            Node::Symbol(Symbol::Parameter(i)) => {
                return format!("Parameter `{}`.", model.parameters[i].name);
            }
            Node::Symbol(Symbol::Integrator(weight)) => return weight_text(weight).to_owned(),
            _ => {}
        }
        if graph.is_written_longer(id, LONGEST_FORMULA) {
            let operations = Operations::count(graph, "", &[id], |_| false).total();
            let function = self.needed_by.get(&id).map_or("several functions", String::as_str);
            return format!(
                "A part of `{function}` that depends on parameters and step size alone: {}.",
                count(operations)
            );
        }
        format!("`{}`", graph.print(id, model))
    }

    /// Writes the associated type and the function that computes it.
    pub fn emit_function(&self, model: &Model, graph: &Graph) -> TokenStream {
        let struct_name = Self::struct_name(model);
        let roots: Vec<Id> = self.fields.iter().map(|(id, _)| *id).collect();
        let used = graph.symbols_of(&roots);
        let mut names = LocalNames::new();
        let mut known = FxHashMap::default();
        let pattern = parameter_pattern(model, graph, &used, &mut names, &mut known);
        let mut weights = Vec::new();
        for weight in WEIGHTS {
            if !used.contains(&Symbol::Integrator(weight)) {
                continue;
            }
            let (local, field) =
                (names.unique(weight_name(weight)), format_ident!("{}", weight_field(weight)));
            weights.push(quote!(let #local = S::constant(weights.#field);));
            if let Some(id) = symbol_id(graph, Symbol::Integrator(weight)) {
                known.insert(id, quote!(#local));
            }
        }
        let (mut bindings, mut locals, mut tables) = (Vec::new(), Vec::new(), Vec::new());
        for (table, field) in model.tables.iter().zip(&self.tables) {
            let (local, value) = (names.unique(&table.quantity.field.to_string()), from_set(table));
            bindings.push(quote!(let #local = #value;));
            locals.push(if *field == local { quote!(#local,) } else { quote!(#field: #local,) });
            tables.push(TableVariable::new(table, quote!(#local)));
        }
        let tables_name = if tables.is_empty() { quote!(_) } else { quote!(tables) };
        let mut code = Code::new(graph, self, tables, known, names).naming(&self.by_id);
        let values = code.write(&roots);
        let statements = code.statements();
        let fields = self.fields.iter().zip(values).map(|((_, field), value)| {
            // The local variable's own token is used: inside a macro, the token of the field may have another
            // meaning.
            if *field == value.to_string() { quote!(#value,) } else { quote!(#field: #value,) }
        });
        let parameters = if pattern.iter().all(|name| name.to_string() == "_") {
            TokenStream::new()
        } else {
            quote!(let [#(#pattern),*] = *parameters;)
        };
        let marker = self.fields.is_empty().then(|| quote!(scalar: ::core::marker::PhantomData));
        let parameters_name = if parameters.is_empty() { quote!(_) } else { quote!(parameters) };
        let weights_name = if weights.is_empty() { quote!(_) } else { quote!(weights) };
        quote! {
            type Constants<S: ::costate::model::Scalar> = #struct_name<S>;

            #[inline(always)]
            fn constants<S: ::costate::model::Scalar>(
                (): (),
                #parameters_name: &Self::Parameters<S>,
                #weights_name: &::costate::emitted::Weights,
                #tables_name: &::costate::table::Tables,
            ) -> Self::Constants<S> {
                #parameters
                #(#weights)*
                #(#bindings)*
                #(#statements)*
                #struct_name { #(#fields)* #(#locals)* #marker }
            }
        }
    }
}

fn weight_text(weight: Integrator) -> &'static str {
    match weight {
        Integrator::Accelerations => "The weight of M in the matrix of a step.",
        Integrator::Coordinates => "By how much a step's positions change with its accelerations, in s^2.",
        Integrator::Velocities => "By how much a step's velocities change with its accelerations, in s.",
        Integrator::Step => "The step size in s.",
        Integrator::Previous => "The weight of the force residual of the step before.",
    }
}

fn weight_field(weight: Integrator) -> &'static str {
    match weight {
        Integrator::Accelerations => "accelerations",
        Integrator::Coordinates => "coordinates",
        Integrator::Velocities => "velocities",
        Integrator::Step => "step",
        Integrator::Previous => "previous",
    }
}
