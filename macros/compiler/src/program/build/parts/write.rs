//! The statements of a function that is cut by parts.

use rustc_hash::{FxHashMap, FxHashSet};

use super::split::{Item, Split, Target};
use super::template::{Leaf, Templates};
use crate::mechanics::Parts;
use crate::model::Model;
use crate::program::build::arguments::Arguments;
use crate::program::build::code::Code;
use crate::program::build::constants::Constants;
use crate::program::build::local_names::LocalNames;
use crate::program::build::loops::{self, Written};
use crate::program::build::operations::needed;
use crate::program::build::runs::{takes, with_runs};
use crate::program::build::variables::Variables;
use crate::program::{Array, Expression, Function, Index, Local, LocalArray, Place, Statement, Variable};
use crate::symbolic::{Given, Graph, Id, Node, Symbol};

/// Writes a function, given by its parts, that fills the array `Out`; `None` where the parts have too little in common.
pub fn write(
    model: &Model,
    graph: &mut Graph,
    constants: &Constants,
    parts: &Parts,
    split: &Split,
    mut names: LocalNames,
) -> Option<Written> {
    // Largest part of the operations that may be left of those of straight-line code.
    const MAX_REST: f64 = 0.7;
    let all = split.values();
    let is_constant = |id| constants.holds(id);
    let mut templates = Templates::new(parts, graph, &all, &is_constant);
    let mut own = split.own.clone();
    let mut items: Vec<(Id, &Item)> = Vec::new();
    for item in &split.items {
        match templates.of(graph, &item.values) {
            Some(template) => items.push((template, item)),
            None => keep(graph, &mut own, item),
        }
    }
    let leaves = templates.leaves;
    let roots: Vec<Id> = own.iter().flatten().copied().chain(items.iter().map(|(template, _)| *template)).collect();
    let (before, after) = (needed(graph, &all, is_constant).len(), needed(graph, &roots, is_constant).len());
    if items.is_empty() || after as f64 > MAX_REST * before as f64 {
        return None;
    }
    let [constants_name, _repetition] = ["constants", "i"].map(|name| names.unique(name));
    let mut arguments = Arguments::new(model, graph, constants, &roots, Variables::new(names));
    arguments.point();
    let Arguments { known, variables, statements: mut body, .. } = arguments;
    let code = Code::new(model, graph, constants, known, variables);
    let mut writer = Writer { model, graph, code, positions: Vec::new(), numbers: Vec::new(), pool: Vec::new() };
    let straight = writer.straight(&own, &items);
    let repeated = writer.repeated(&leaves, &items);
    let Writer { code, positions, numbers, pool, .. } = writer;
    let mut locals = Vec::new();
    if !pool.is_empty() {
        locals.push(LocalArray { name: constants_name, length: pool.len() });
        body.push(Statement::store_whole(Array::Local(POOL), pool));
    }
    body.extend(straight);
    body.push(Statement::Loop { count: parts.count, body: repeated });
    let function =
        Function { variables: code.into_variables(), locals, positions, numbers, body, ..Function::default() };
    Some(Written { function, loops: 1 })
}

/// The array of constants that differ between parts.
const POOL: Local = Local(0);

/// Keeps an item without a template among what is computed once.
fn keep(graph: &mut Graph, own: &mut [Option<Id>], item: &Item) {
    match &item.to {
        Target::Each(positions) => {
            for (&position, &value) in positions.iter().zip(&item.values) {
                own[position] = Some(value);
            }
        }
        Target::Sum(position) => {
            for &value in &item.values {
                own[*position] = Some(own[*position].map_or(value, |sum| graph.add(sum, value)));
            }
        }
    }
}

struct Writer<'a> {
    model: &'a Model,
    graph: &'a Graph,
    code: Code<'a>,
    positions: Vec<Vec<usize>>,
    numbers: Vec<Vec<f64>>,
    /// Constants of the run that differ between parts.
    pool: Vec<Expression>,
}

impl Writer<'_> {
    /// Writes what is computed once: results of no part, the first terms of sums, and what all parts need of it.
    fn straight(&mut self, own: &[Option<Id>], items: &[(Id, &Item)]) -> Vec<Statement> {
        let results = own.iter().enumerate().filter_map(|(position, id)| Some((position, (*id)?)));
        let (positions, mut ids): (Vec<usize>, Vec<Id>) = results.unzip();
        let templates: Vec<Id> = items.iter().map(|(template, _)| *template).collect();
        let shared = self.shared(&templates);
        ids.extend(&shared);
        let mut values = self.code.write(&ids);
        let of_shared = values.split_off(positions.len());
        let mut statements = self.code.take_statements();
        for (id, value) in shared.into_iter().zip(of_shared) {
            if !matches!(value, Expression::Variable(_) | Expression::Entry(_) | Expression::Number(_)) {
                let to = self.code.variable_like(id);
                statements.push(Statement::Let { to, value });
                self.code.know(id, Expression::Variable(to));
            }
        }
        let place = |position| Place { array: Array::Out, index: Index::At(position) };
        let results = positions.iter().zip(values);
        let (constant, varying): (Vec<_>, Vec<_>) =
            results.partition(|(_, value)| matches!(value, Expression::Number(_)));
        let varying = varying.into_iter().map(|(&at, value)| (place(at), value));
        let mut written = with_runs(statements, varying.collect());
        let constant = constant.into_iter().filter_map(|(&at, value)| match value {
            Expression::Number(number) => Some((at, number)),
            _ => None,
        });
        let mut constant: Vec<(usize, f64)> = constant.collect();
        let begun: FxHashSet<usize> = positions.iter().copied().collect();
        let sums = items.iter().filter_map(|(_, item)| match item.to {
            Target::Sum(position) if !begun.contains(&position) => Some((position, 0.0)),
            _ => None,
        });
        constant.extend(sums);
        written.extend(self.constants(constant));
        written
    }

    /// Stores plain numbers, in a loop over tables.
    fn constants(&mut self, results: Vec<(usize, f64)>) -> Option<Statement> {
        let (positions, numbers): (Vec<usize>, Vec<f64>) = results.into_iter().unzip();
        let count = positions.len();
        let index = (count > 0).then(|| loops::index(&mut self.positions, &positions))?;
        self.numbers.push(numbers);
        let to = Place { array: Array::Out, index };
        let value = Expression::NumberOf(self.numbers.len() - 1);
        Some(Statement::Loop { count, body: vec![Statement::Store { to, value }] })
    }

    /// Lists the largest expressions of templates that are the same in all parts.
    fn shared(&self, templates: &[Id]) -> Vec<Id> {
        let order = needed(self.graph, templates, |id| self.code.knows(id));
        let differs =
            |id: Id| self.graph.symbols(id).iter().any(|symbol| matches!(symbol, Symbol::Given(Given::Part, _)));
        let is_shared = |id: Id| {
            !differs(id) && !self.code.knows(id) && !matches!(self.graph.node(id), Node::Constant(_) | Node::Symbol(_))
        };
        let mut found = Vec::new();
        let mut seen = FxHashSet::default();
        let operands = order.iter().filter(|&&id| differs(id)).flat_map(|&id| self.graph.node(id).operands());
        for id in templates.iter().copied().chain(operands) {
            if is_shared(id) && !self.graph.node(id).is_condition() && seen.insert(id) {
                found.push(id);
            }
        }
        found
    }

    /// Writes the body of the loop over the parts.
    fn repeated(&mut self, leaves: &[Leaf], items: &[(Id, &Item)]) -> Vec<Statement> {
        let names = self.code.names();
        let templates: Vec<Id> = items.iter().map(|(template, _)| *template).collect();
        let used = self.graph.symbols_of(&templates);
        let mut taken = Vec::new();
        let mut numbers: FxHashMap<Vec<u64>, usize> = FxHashMap::default();
        for (number, leaf) in leaves.iter().enumerate() {
            let symbol = Symbol::Given(Given::Part, number);
            let Some(id) = self.graph.find(Node::Symbol(symbol)).filter(|_| used.contains(&symbol)) else {
                continue;
            };
            let known = match leaf {
                Leaf::Symbols(symbols) => self.symbols(symbols, &mut taken),
                Leaf::Numbers(ids) => self.numbers(ids, &mut numbers),
                Leaf::Constants(ids) => {
                    let first = self.pool.len();
                    let values: Vec<Expression> = ids.iter().map(|&id| self.code.expression(id)).collect();
                    self.pool.extend(values);
                    let index = Index::Rising { offset: first, stride: 1 };
                    Expression::Entry(Place { array: Array::Local(POOL), index })
                }
            };
            self.code.know(id, known);
        }
        let values = self.code.write(&templates);
        let mut statements = takes(taken);
        statements.extend(self.code.take_statements());
        let mut adds = Vec::new();
        let mut results = Vec::new();
        for ((_, item), value) in items.iter().zip(values) {
            match &item.to {
                Target::Each(positions) => {
                    let index = loops::index(&mut self.positions, positions);
                    results.push((Place { array: Array::Out, index }, value));
                }
                Target::Sum(position) => {
                    let to = Place { array: Array::Out, index: Index::At(*position) };
                    adds.push(Statement::Add { to, value });
                }
            }
        }
        let mut body = with_runs(statements, results);
        body.extend(adds);
        self.code.forget_names_but(names);
        body
    }

    /// Reads symbols of the parts into a variable, which has the name of the first part's.
    fn symbols(&mut self, symbols: &[Symbol], taken: &mut Vec<(Place, Variable)>) -> Expression {
        let places: Vec<(Array, usize)> = symbols.iter().filter_map(|&symbol| place(symbol)).collect();
        let Some(&(array, _)) = places.first().filter(|_| places.len() == symbols.len()) else {
            return self.code.fault("a part does not know a symbol");
        };
        let positions: Vec<usize> = places.into_iter().map(|(_, position)| position).collect();
        let index = loops::index(&mut self.positions, &positions);
        let name = self.model.quantity(symbols[0]).map_or("part".to_owned(), |quantity| quantity.field.to_string());
        let to = self.code.unique(&match array {
            Array::Velocities => format!("{name}_dot"),
            Array::Accelerations => format!("{name}_ddot"),
            Array::Multipliers => format!("lambda_{name}"),
            _ => name,
        });
        taken.push((Place { array, index }, to));
        Expression::Variable(to)
    }

    fn numbers(&mut self, ids: &[Id], known: &mut FxHashMap<Vec<u64>, usize>) -> Expression {
        let numbers: Option<Vec<f64>> = ids.iter().map(|&id| self.graph.as_constant(id)).collect();
        let Some(numbers) = numbers else { return self.code.fault("a part does not know a number") };
        let bits = numbers.iter().map(|number| number.to_bits()).collect();
        let next = self.numbers.len();
        let table = *known.entry(bits).or_insert(next);
        if table == next {
            self.numbers.push(numbers);
        }
        Expression::NumberOf(table)
    }
}

/// Returns the entry that holds a symbol of a part.
fn place(symbol: Symbol) -> Option<(Array, usize)> {
    match symbol {
        Symbol::Coordinate(i) => Some((Array::Coordinates, i)),
        Symbol::Velocity(i) => Some((Array::Velocities, i)),
        Symbol::Acceleration(i) => Some((Array::Accelerations, i)),
        Symbol::Multiplier(i) => Some((Array::Multipliers, i)),
        Symbol::Input(i) => Some((Array::Inputs, i)),
        _ => None,
    }
}
