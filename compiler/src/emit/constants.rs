//! What does not change during a run: parameters, and every subexpression of parameters alone.

use proc_macro2::{Ident, TokenStream};
use quote::{format_ident, quote};
use rustc_hash::{FxHashMap, FxHashSet};

use super::code::{Code, lookup};
use super::documentation::{count, doc};
use super::faults::Faults;
use super::local_names::LocalNames;
use super::operations::{Operations, needed};
use super::tables::{TableVariable, data_type, from_set};
use super::words::in_words;
use crate::model::Model;
use crate::symbolic::{Graph, Id, Integrator, Node, Symbol};

/// Operations of the longest formula that is written in the documentation of a field.
const LONGEST_FORMULA: usize = 40;

/// Most operations of a formula after which a field is named.
const MOST_OPERATIONS: usize = 2;

/// What the runtime gives as weights.
const WEIGHTS: [Integrator; 5] = [
    Integrator::Accelerations,
    Integrator::Coordinates,
    Integrator::Velocities,
    Integrator::Step,
    Integrator::Previous,
];

/// The fields of the struct of a run's constants.
pub struct Constants {
    fields: Vec<(Id, Ident)>,
    by_id: FxHashMap<Id, Ident>,
    /// The names of parameters and weights, and those that the user gave.
    words: FxHashMap<Id, String>,
    /// The function that needs a field, of those that have no other name.
    needed_by: FxHashMap<Id, String>,
    /// The field of every table.
    tables: Vec<Ident>,
    /// Tables that functions look something up in.
    read: FxHashSet<usize>,
    /// `let` names by lowered expression.
    pub let_names: FxHashMap<Id, String>,
    /// What the code that is made with them does not know.
    pub faults: Faults,
}

impl Constants {
    /// Finds the largest subexpressions of `roots` that depend on parameters and weights alone. `functions` are the names of
    /// the functions with these results.
    pub fn collect(model: &Model, graph: &mut Graph, roots: &[Vec<Id>], functions: &[&str]) -> Constants {
        let let_names = lowered_let_names(model, graph);
        let mut found: Vec<Id> = Vec::new();
        let (mut needed_by, mut read) = (FxHashMap::<Id, String>::default(), FxHashSet::default());
        for (position, group) in roots.iter().enumerate() {
            let function = functions.get(position).copied().unwrap_or("constant");
            let varying = needed(graph, group, |id| is_run_constant(graph, id));
            let lookups = varying.iter().filter_map(|&id| lookup(graph.node(id)));
            read.extend(lookups.map(|(lookup, _)| lookup.table as usize));
            let operands = varying.iter().flat_map(|&id| graph.node(id).operands());
            for id in group.iter().copied().chain(operands) {
                if is_run_constant(graph, id) && !needed_by.contains_key(&id) {
                    needed_by.insert(id, function.to_owned());
                    found.push(id);
                }
            }
        }
        // Parameters first, in the order of declaration; then derived quantities in the order of the expressions.
        found.sort_unstable_by_key(|&id| match graph.node(id) {
            Node::Symbol(Symbol::Parameter(i)) => (0, i),
            Node::Symbol(_) => (1, id.index()),
            _ => (2, id.index()),
        });
        let mut names = LocalNames::new();
        for parameter in &model.parameters {
            names.unique(&parameter.field.to_string());
        }
        let mut words = FxHashMap::default();
        let mut fields = Vec::new();
        for id in found {
            let known = |id| own_name(model, graph, &let_names, id);
            let own = known(id);
            let name = match own.clone().or_else(|| in_words(graph, id, MOST_OPERATIONS, &known)) {
                Some(name) => {
                    let name = match graph.node(id) {
                        Node::Symbol(Symbol::Parameter(i)) => model.parameters[i].field.clone(),
                        _ => names.unique(&name),
                    };
                    words.extend(own.map(|_| (id, name.to_string())));
                    needed_by.remove(&id);
                    name
                }
                None => names.numbered(&format!("{}_", needed_by[&id])),
            };
            fields.push((id, name));
        }
        let by_id = fields.iter().cloned().collect();
        let tables =
            model.tables.iter().map(|table| names.unique(&table.quantity.field.to_string())).collect();
        Constants { fields, by_id, words, needed_by, tables, read, let_names, faults: Faults::default() }
    }

    /// Whether `id` is a field.
    pub fn holds(&self, id: Id) -> bool {
        self.by_id.contains_key(&id)
    }

    /// What is written for every field, as `k.name`.
    pub fn known(&self) -> FxHashMap<Id, TokenStream> {
        self.fields.iter().map(|(id, name)| (*id, quote!(k.#name))).collect()
    }

    /// The name of a parameter or a weight, or the one that the user gave.
    pub fn word(&self, id: Id) -> Option<&String> {
        self.words.get(&id).or_else(|| self.let_names.get(&id))
    }

    /// What is written for every table, `k.name`.
    pub fn tables(&self, model: &Model) -> Vec<TableVariable> {
        let tables = model.tables.iter().zip(&self.tables);
        tables.map(|(table, field)| TableVariable::new(table, quote!(k.#field))).collect()
    }

    /// The work of one run.
    pub fn operations(&self, graph: &Graph) -> Operations {
        let roots: Vec<Id> = self.fields.iter().map(|(id, _)| *id).collect();
        Operations::count(graph, "constants", &roots, |_| false)
    }

    fn struct_name(model: &Model) -> Ident {
        format_ident!("{}Constants", model.name)
    }

    /// The struct's definition.
    pub fn emit_struct(&self, model: &Model, graph: &Graph) -> TokenStream {
        let (name, visibility) = (Self::struct_name(model), &model.visibility);
        let text = format!("What does not change during a run of [`{}`], computed once.", model.name);
        let documentation = doc(&text);
        let fields = self.fields.iter().map(|(id, field)| {
            let documentation = doc(&self.field_text(model, graph, *id));
            quote!(#documentation pub #field: S,)
        });
        let tables = model.tables.iter().zip(&self.tables).enumerate().map(|(i, (table, field))| {
            let documentation = doc(&format!("Table `{}`.", table.signature()));
            let data = data_type(table);
            // a table of parameters is looked up once, before the run; of one without use the model's author is told
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

    /// What a field is: its formula, unless that is so long that it explains nothing.
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
            return format!("What `{function}` needs of parameters and step size: {}.", count(operations));
        }
        format!("`{}`", graph.print(id, model))
    }

    /// The associated type and the function that computes it.
    pub fn emit_function(&self, model: &Model, graph: &Graph) -> TokenStream {
        let struct_name = Self::struct_name(model);
        let roots: Vec<Id> = self.fields.iter().map(|(id, _)| *id).collect();
        let used = graph.symbols_of(&roots);
        let mut names = LocalNames::new();
        let mut known = FxHashMap::default();
        let mut pattern = Vec::new();
        for (i, parameter) in model.parameters.iter().enumerate() {
            if !used.contains(&Symbol::Parameter(i)) {
                pattern.push(quote!(_));
                continue;
            }
            let local = names.unique(&parameter.field.to_string());
            pattern.push(quote!(#local));
            if let Some(id) = symbol_id(graph, Symbol::Parameter(i)) {
                known.insert(id, quote!(#local));
            }
        }
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
            // The local variable's own token: inside a macro the field's may mean something else.
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
                #parameters_name: &Self::Parameters<S>,
                #weights_name: &::costate::emitted::Weights,
                #tables_name: &::costate::table::Tables<Self>,
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

/// The name of a parameter, of a weight of the integrator, or of what the user gave one.
fn own_name(model: &Model, graph: &Graph, let_names: &FxHashMap<Id, String>, id: Id) -> Option<String> {
    match graph.node(id) {
        Node::Symbol(Symbol::Parameter(i)) => {
            model.parameters.get(i).map(|parameter| parameter.field.to_string())
        }
        Node::Symbol(Symbol::Integrator(weight)) => Some(weight_name(weight).to_owned()),
        _ => let_names.get(&id).cloned(),
    }
}

/// A number that depends on something, and on nothing that changes during a run. A condition on such numbers is no field:
/// it is a mask, and costs a comparison where it is used.
fn is_run_constant(graph: &Graph, id: Id) -> bool {
    graph.is_run_constant(id) && !graph.symbols(id).is_empty() && !graph.node(id).is_condition()
}

fn lowered_let_names(model: &Model, graph: &mut Graph) -> FxHashMap<Id, String> {
    let mut named: Vec<(Id, String)> = model.let_names.iter().map(|(id, name)| (*id, name.clone())).collect();
    named.sort();
    let ids: Vec<Id> = named.iter().map(|(id, _)| *id).collect();
    let lowered = graph.lower_powers(&ids);
    let mut names = FxHashMap::default();
    for (id, (_, name)) in lowered.into_iter().zip(named) {
        names.entry(id).or_insert(name);
    }
    names
}

/// The id of a symbol that occurs in the graph.
pub fn symbol_id(graph: &Graph, symbol: Symbol) -> Option<Id> {
    graph.find(Node::Symbol(symbol))
}

fn weight_name(weight: Integrator) -> &'static str {
    match weight {
        Integrator::Accelerations => "w_a",
        Integrator::Coordinates => "w_q",
        Integrator::Velocities => "w_v",
        Integrator::Step => "h",
        Integrator::Previous => "w_previous",
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
