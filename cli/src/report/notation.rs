//! Formulas of a model in LaTeX, short enough to read: what the model names by `let` keeps its name, and what would be
//! written too often or too long gets one.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

use costate_compiler::Compiled;
use costate_compiler::symbolic::{Id, Node, latex_name};

/// An expression that stands in several places is written once if it has more operations than this.
const MAX_REPEATED_OPERATIONS: usize = 24;
/// An expression with more operations than this is written apart from what it is a part of.
const MAX_OPERATIONS: usize = 160;

/// Names of expressions.
pub struct Notation<'a> {
    compiled: &'a Compiled,
    named: HashMap<Id, String>,
    /// The named expressions that are needed, operands first.
    definitions: BTreeSet<Id>,
}

impl<'a> Notation<'a> {
    /// For formulas with these expressions.
    pub fn new(compiled: &'a Compiled, roots: &[Id]) -> Self {
        let graph = &compiled.graph;
        let composed = |id: Id| graph.node(id).operands().next().is_some();
        let lets: BTreeMap<Id, &String> =
            compiled.model.let_names.iter().filter(|(id, _)| composed(**id)).map(|(id, name)| (*id, name)).collect();
        let mut uses: HashMap<Id, usize> = HashMap::new();
        let mut needed = BTreeSet::new();
        let mut open = roots.to_vec();
        while let Some(id) = open.pop() {
            if needed.insert(id) {
                for operand in graph.node(id).operands() {
                    *uses.entry(operand).or_default() += 1;
                    open.push(operand);
                }
            }
        }
        // Operands come before what is made of them.
        let mut sizes: HashMap<Id, usize> = HashMap::new();
        let mut definitions = BTreeSet::new();
        for &id in &needed {
            let operands = graph.node(id).operands();
            let size = operands.fold(0usize, |sum, id| sum.saturating_add(1 + sizes.get(&id).unwrap_or(&0)));
            let shared = uses.get(&id).is_some_and(|uses| *uses > 1);
            let long = size > MAX_OPERATIONS || shared && size > MAX_REPEATED_OPERATIONS;
            let is_part = uses.contains_key(&id);
            if is_part && (lets.contains_key(&id) || long && !is_condition(graph.node(id))) {
                definitions.insert(id);
                sizes.insert(id, 0);
            } else {
                sizes.insert(id, size);
            }
        }
        let named = names(compiled, &definitions, &lets);
        Self { compiled, named, definitions }
    }

    /// The expression in LaTeX.
    pub fn formula(&self, id: Id) -> String {
        let name = self.named.get(&id);
        name.map_or_else(|| self.definition(id), |name| latex_name(name))
    }

    /// `name = expression` for every name, operands first.
    pub fn definitions(&self) -> Vec<String> {
        let definition = |id: &Id| {
            let name = self.named.get(id).map(|name| latex_name(name)).unwrap_or_default();
            format!("{name} = {}", self.definition(*id))
        };
        self.definitions.iter().map(definition).collect()
    }

    fn definition(&self, id: Id) -> String {
        let model = &self.compiled.model;
        self.compiled.graph.latex(id, model, &self.named)
    }
}

/// One name for each definition, none of them twice, and none that the model gives to something else.
fn names(compiled: &Compiled, definitions: &BTreeSet<Id>, lets: &BTreeMap<Id, &String>) -> HashMap<Id, String> {
    let model = &compiled.model;
    let quantities = [&model.parameters, &model.inputs, &model.coordinates, &model.constraints, &model.outputs];
    let mut taken: HashSet<String> = quantities.into_iter().flatten().map(|quantity| quantity.name.clone()).collect();
    let mut counts: HashMap<&str, usize> = HashMap::new();
    for id in definitions {
        *counts.entry(lets.get(id).map_or("e", |name| name.as_str())).or_default() += 1;
    }
    let mut named = HashMap::new();
    for id in definitions {
        let word = lets.get(id).map_or("e", |name| name.as_str());
        let alone = lets.contains_key(id) && counts.get(word) == Some(&1);
        let mut name = word.to_owned();
        let mut number = 0;
        while number == 0 && !alone || taken.contains(&name) {
            number += 1;
            name = format!("{word}[{number}]");
        }
        taken.insert(name.clone());
        named.insert(*id, name);
    }
    named
}

fn is_condition(node: Node) -> bool {
    matches!(node, Node::Less(..) | Node::LessEqual(..) | Node::Equal(..) | Node::And(..) | Node::Or(..) | Node::Not(_))
}
