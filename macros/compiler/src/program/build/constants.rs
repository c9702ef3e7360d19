//! Constants of a run: parameters, and every subexpression of parameters alone.

use rustc_hash::FxHashMap;

use super::faults::Faults;
use super::local_names::LocalNames;
use super::operations::{Operations, needed};
use super::words::in_words;
use crate::model::Model;
use crate::program::{Array, Expression, Index, Place};
use crate::symbolic::{Graph, Id, Integrator, Node, Symbol};

/// The constants of a run, which functions take from an array.
pub struct Constants {
    /// The constants and their names.
    pub fields: Vec<(Id, String)>,
    positions: FxHashMap<Id, usize>,
    /// The names of parameters and weights, and those given by the user.
    words: FxHashMap<Id, String>,
    /// The function that needs a constant, for constants without another name.
    pub needed_by: FxHashMap<Id, String>,
    /// The name of every table, next to the constants.
    pub tables: Vec<String>,
    /// `let` names by lowered expression.
    pub let_names: FxHashMap<Id, String>,
    /// Faults of the functions that use these constants.
    pub faults: Faults,
}

impl Constants {
    /// Finds the largest subexpressions of `roots` that depend on parameters and weights alone. `functions` are the
    /// names of the functions with these results.
    pub fn collect(model: &Model, graph: &mut Graph, roots: &[Vec<Id>], functions: &[&str]) -> Constants {
        // Largest number of operations of a formula after which a constant is named.
        const MAX_NAMED_OPERATIONS: usize = 2;
        let let_names = lowered_let_names(model, graph);
        let mut found: Vec<Id> = Vec::new();
        let mut needed_by = FxHashMap::<Id, String>::default();
        for (position, group) in roots.iter().enumerate() {
            let function = functions.get(position).copied().unwrap_or("constant");
            let varying = needed(graph, group, |id| is_run_constant(graph, id));
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
            let name = match own.clone().or_else(|| in_words(graph, id, MAX_NAMED_OPERATIONS, &known)) {
                Some(name) => {
                    let name = match graph.node(id) {
                        Node::Symbol(Symbol::Parameter(i)) => model.parameters[i].field.to_string(),
                        _ => names.unique(&name),
                    };
                    words.extend(own.map(|_| (id, name.clone())));
                    needed_by.remove(&id);
                    name
                }
                None => names.numbered(&format!("{}_", needed_by[&id])),
            };
            fields.push((id, name));
        }
        let positions = fields.iter().enumerate().map(|(position, (id, _))| (*id, position)).collect();
        let tables = model.tables.iter().map(|table| names.unique(&table.quantity.field.to_string())).collect();
        Constants { fields, positions, words, needed_by, tables, let_names, faults: Faults::default() }
    }

    /// Checks whether `id` is a constant of the run.
    pub fn holds(&self, id: Id) -> bool {
        self.positions.contains_key(&id)
    }

    /// Returns where functions find every constant.
    pub fn known(&self) -> FxHashMap<Id, Expression> {
        let place = |position| Place { array: Array::Constants, index: Index::At(position) };
        self.positions.iter().map(|(id, &position)| (*id, Expression::Entry(place(position)))).collect()
    }

    /// Returns the name of a parameter or a weight, or the name given by the user.
    pub fn word(&self, id: Id) -> Option<&String> {
        self.words.get(&id).or_else(|| self.let_names.get(&id))
    }

    /// Counts the operations that compute the constants of one run.
    pub fn operations(&self, graph: &Graph) -> Operations {
        let roots: Vec<Id> = self.fields.iter().map(|(id, _)| *id).collect();
        Operations::count(graph, "constants", &roots, |_| false)
    }
}

/// Returns the name of a parameter or of a weight of the integrator, or the name given by the user.
fn own_name(model: &Model, graph: &Graph, let_names: &FxHashMap<Id, String>, id: Id) -> Option<String> {
    match graph.node(id) {
        Node::Symbol(Symbol::Parameter(i)) => model.parameters.get(i).map(|parameter| parameter.field.to_string()),
        Node::Symbol(Symbol::Integrator(weight)) => Some(weight_name(weight).to_owned()),
        _ => let_names.get(&id).cloned(),
    }
}

/// Checks whether an expression depends on symbols, and on none that changes during a run. A condition on such
/// numbers is no constant of the run: it is a mask, and costs one comparison where it is used.
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

/// Returns the id of a symbol that occurs in the graph.
pub fn symbol_id(graph: &Graph, symbol: Symbol) -> Option<Id> {
    graph.find(Node::Symbol(symbol))
}

/// Returns the name of a local variable that holds a weight.
pub fn weight_name(weight: Integrator) -> &'static str {
    match weight {
        Integrator::Accelerations => "w_a",
        Integrator::Coordinates => "w_q",
        Integrator::Velocities => "w_v",
        Integrator::Step => "h",
        Integrator::Previous => "w_previous",
    }
}
