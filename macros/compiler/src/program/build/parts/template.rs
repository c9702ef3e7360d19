//! One expression for the expressions of all parts.

use rustc_hash::FxHashMap;

use super::split::{Shapes, kind_of_symbol};
use crate::mechanics::Parts;
use crate::symbolic::{Given, Graph, Id, Node, Symbol};

/// The expressions of all parts at one place, each with `true` where it is negated. The first one is not.
type Column = Vec<(Id, bool)>;

/// Numbers that differ between parts.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Leaf {
    /// Symbols of the parts.
    Symbols(Vec<Symbol>),
    /// Plain numbers.
    Numbers(Vec<Id>),
    /// Constants of a run, and plain numbers among them.
    Constants(Vec<Id>),
}

/// Templates: expressions with a symbol for what differs between parts.
pub struct Templates<'a> {
    parts: &'a Parts,
    shapes: Shapes,
    /// Tells constants of a run, into whose expressions templates do not look.
    is_constant: &'a dyn Fn(Id) -> bool,
    /// Numbers that differ between parts, in the order of the symbols [`Given::Part`].
    pub leaves: Vec<Leaf>,
    known_leaves: FxHashMap<Leaf, usize>,
    known: FxHashMap<Column, Option<Id>>,
}

/// The way in which a column is made of others.
enum Made {
    Leaf(Leaf),
    /// An expression that is equal in all parts.
    Same(Id),
    /// A sum of two columns; the second is subtracted for `true`.
    Sum(Signed, Signed),
    Product(Signed, Signed),
    /// An operation on columns without signs.
    Operation(Node, Vec<Signed>),
    /// A column that is negated in some parts.
    Flipped(Vec<Id>, Signed),
    /// No template.
    Nothing,
}

/// A column and its sign.
#[derive(Clone)]
struct Signed {
    column: Column,
    negative: bool,
}

impl Signed {
    fn new(graph: &Graph, entries: impl IntoIterator<Item = (Id, bool)>) -> Signed {
        let entries = entries.into_iter().map(|(id, negative)| {
            let (id, inner) = graph.without_sign(id);
            (id, negative != inner)
        });
        let mut column: Column = entries.collect();
        let negative = column[0].1;
        column.iter_mut().for_each(|entry| entry.1 ^= negative);
        Signed { column, negative }
    }
}

impl<'a> Templates<'a> {
    /// Starts without templates, for expressions among `values` and their operands.
    pub fn new(parts: &'a Parts, graph: &Graph, values: &[Id], is_constant: &'a dyn Fn(Id) -> bool) -> Self {
        let (leaves, known_leaves, known) = (Vec::new(), FxHashMap::default(), FxHashMap::default());
        Templates { parts, shapes: Shapes::new(parts, graph, values), is_constant, leaves, known_leaves, known }
    }

    /// Returns the template of expressions, one of every part; `None` where their operations differ.
    pub fn of(&mut self, graph: &mut Graph, values: &[Id]) -> Option<Id> {
        let root = Signed::new(graph, values.iter().map(|&id| (id, false)));
        let mut open = vec![root.column.clone()];
        while let Some(column) = open.last().cloned() {
            if self.known.contains_key(&column) {
                open.pop();
                continue;
            }
            let made = self.made(graph, &column);
            let missing: Vec<Column> = made
                .operands()
                .filter(|operand| !self.known.contains_key(&operand.column))
                .map(|operand| operand.column.clone())
                .collect();
            if missing.is_empty() {
                let template = self.build(graph, made);
                self.known.insert(column, template);
                open.pop();
            } else {
                open.extend(missing);
            }
        }
        self.signed(graph, &root)
    }

    fn signed(&self, graph: &mut Graph, of: &Signed) -> Option<Id> {
        let template = self.known.get(&of.column).copied().flatten()?;
        Some(if of.negative { graph.negate(template) } else { template })
    }

    /// Says how a column is made.
    fn made(&self, graph: &mut Graph, column: &Column) -> Made {
        let has_signs = column.iter().any(|(_, negative)| *negative);
        let first = column[0].0;
        if !has_signs && column.iter().all(|(id, _)| *id == first) {
            return Made::Same(first);
        }
        if column.iter().all(|(id, _)| *id == first) {
            return self.flipped(graph, column);
        }
        let is_number = |id: Id| graph.as_constant(id).is_some();
        if column.iter().all(|&(id, _)| is_number(id) || (self.is_constant)(id)) {
            let all_are_numbers = column.iter().all(|&(id, _)| is_number(id));
            let constants = column.iter().map(|&(id, negative)| if negative { graph.negate(id) } else { id });
            let constants: Vec<Id> = constants.collect();
            return Made::Leaf(if all_are_numbers { Leaf::Numbers(constants) } else { Leaf::Constants(constants) });
        }
        let nodes: Vec<Node> = column.iter().map(|&(id, _)| graph.node(id)).collect();
        if let Some(symbols) = self.symbols(&nodes) {
            return if has_signs { self.flipped(graph, column) } else { Made::Leaf(Leaf::Symbols(symbols)) };
        }
        let pairs: Option<Vec<(Id, Id)>> = nodes.iter().map(|node| sum(*node).or(product(*node))).collect();
        let Some(mut pairs) = pairs else { return self.operation(graph, column, &nodes, has_signs) };
        let [a, b] = [pairs[0].0, pairs[0].1].map(|id| self.shapes.of(id));
        let mut swapped = vec![false; pairs.len()];
        for (pair, swapped) in pairs.iter_mut().zip(&mut swapped) {
            if (self.shapes.of(pair.0), self.shapes.of(pair.1)) != (a, b) {
                (*pair, *swapped) = ((pair.1, pair.0), true);
            }
        }
        if nodes.iter().all(|node| product(*node).is_some()) {
            let signs = column.iter().map(|(_, negative)| *negative);
            let takes = |graph: &Graph, id: Id| graph.as_constant(left_factor(graph, id)).is_some();
            let first_takes = pairs.iter().all(|pair| takes(graph, pair.0));
            if has_signs && !first_takes && !pairs.iter().all(|pair| takes(graph, pair.1)) {
                return self.flipped(graph, column);
            }
            let sign = |to_first: bool| signs.clone().map(move |negative| negative && to_first == first_takes);
            let [first, second] = [true, false].map(|is_first| {
                let operands = pairs.iter().map(|pair| if is_first { pair.0 } else { pair.1 });
                Signed::new(graph, operands.zip(sign(is_first)))
            });
            return Made::Product(first, second);
        }
        if nodes.iter().all(|node| sum(*node).is_some()) {
            let terms = nodes.iter().zip(column).zip(&swapped).map(|((node, &(_, negative)), &swapped)| {
                let subtracted = matches!(node, Node::Subtract(..));
                let signs = if swapped { (subtracted, false) } else { (false, subtracted) };
                (signs.0 != negative, signs.1 != negative)
            });
            let terms: Vec<(bool, bool)> = terms.collect();
            let first = Signed::new(graph, pairs.iter().zip(&terms).map(|(pair, signs)| (pair.0, signs.0)));
            let second = Signed::new(graph, pairs.iter().zip(&terms).map(|(pair, signs)| (pair.1, signs.1)));
            return Made::Sum(first, second);
        }
        Made::Nothing
    }

    /// Returns a column of symbols that correspond to each other.
    fn symbols(&self, nodes: &[Node]) -> Option<Vec<Symbol>> {
        let symbol = |(part, node): (usize, &Node)| match *node {
            Node::Symbol(symbol) => {
                let (owner, place) = self.parts.of(symbol)?;
                (owner == part).then_some((symbol, (kind_of_symbol(symbol), place)))
            }
            _ => None,
        };
        let found: Vec<_> = nodes.iter().enumerate().map(symbol).collect::<Option<_>>()?;
        found.iter().all(|(_, key)| *key == found[0].1).then(|| found.into_iter().map(|(symbol, _)| symbol).collect())
    }

    /// Returns an operation other than sum and product, the same in all parts.
    fn operation(&self, graph: &mut Graph, column: &Column, nodes: &[Node], has_signs: bool) -> Made {
        let operation = nodes[0].operation();
        if nodes.iter().any(|node| node.operation() != operation || node.operands().next().is_none()) {
            return Made::Nothing;
        }
        if has_signs {
            return self.flipped(graph, column);
        }
        let operands: Vec<Vec<Id>> = nodes.iter().map(|node| node.operands().collect()).collect();
        let columns =
            (0..operands[0].len()).map(|k| Signed::new(graph, operands.iter().map(|operands| (operands[k], false))));
        Made::Operation(operation, columns.collect())
    }

    /// Returns the column without its signs, and the signs as factors.
    fn flipped(&self, graph: &mut Graph, column: &Column) -> Made {
        let signs: Vec<Id> =
            column.iter().map(|(_, negative)| graph.constant(if *negative { -1.0 } else { 1.0 })).collect();
        let plain: Column = column.iter().map(|&(id, _)| (id, false)).collect();
        Made::Flipped(signs, Signed { column: plain, negative: false })
    }

    fn leaf(&mut self, graph: &mut Graph, leaf: Leaf) -> Id {
        let next = self.leaves.len();
        let number = *self.known_leaves.entry(leaf.clone()).or_insert(next);
        if number == next {
            self.leaves.push(leaf);
        }
        graph.symbol(Symbol::Given(Given::Part, number))
    }

    /// Builds the template of a column from those of its operands.
    fn build(&mut self, graph: &mut Graph, made: Made) -> Option<Id> {
        match made {
            Made::Leaf(leaf) => Some(self.leaf(graph, leaf)),
            Made::Same(id) => Some(id),
            Made::Sum(a, b) => {
                let (a, b) = (self.signed(graph, &a)?, self.signed(graph, &b)?);
                Some(graph.add(a, b))
            }
            Made::Product(a, b) => {
                let (a, b) = (self.signed(graph, &a)?, self.signed(graph, &b)?);
                // squares are products already
                Some(if a == b { graph.with_operands(Node::Multiply(a, a), &[a, a]) } else { graph.multiply(a, b) })
            }
            Made::Operation(node, operands) => {
                let operands: Vec<Id> =
                    operands.iter().map(|operand| self.signed(graph, operand)).collect::<Option<_>>()?;
                Some(graph.with_operands(node, &operands))
            }
            Made::Flipped(signs, plain) => {
                let plain = self.signed(graph, &plain)?;
                let signs = self.leaf(graph, Leaf::Numbers(signs));
                Some(graph.multiply(signs, plain))
            }
            Made::Nothing => None,
        }
    }
}

impl Made {
    fn operands(&self) -> impl Iterator<Item = &Signed> {
        let (pair, list): ([Option<&Signed>; 2], &[Signed]) = match self {
            Made::Sum(a, b) | Made::Product(a, b) => ([Some(a), Some(b)], &[]),
            Made::Flipped(_, plain) => ([Some(plain), None], &[]),
            Made::Operation(_, operands) => ([None, None], operands),
            Made::Leaf(_) | Made::Same(_) | Made::Nothing => ([None, None], &[]),
        };
        pair.into_iter().flatten().chain(list)
    }
}

fn sum(node: Node) -> Option<(Id, Id)> {
    match node {
        Node::Add(a, b) | Node::Subtract(a, b) => Some((a, b)),
        _ => None,
    }
}

fn product(node: Node) -> Option<(Id, Id)> {
    match node {
        Node::Multiply(a, b) => Some((a, b)),
        _ => None,
    }
}

/// Returns the first factor of a product, where numbers stand.
fn left_factor(graph: &Graph, id: Id) -> Id {
    product(graph.node(id)).map_or(id, |(first, _)| first)
}
