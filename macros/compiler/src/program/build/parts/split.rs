//! The numbers of a function, cut by the parts to which they belong.

use std::collections::BTreeMap;
use std::hash::BuildHasher;

use rustc_hash::FxHashMap;

use crate::mechanics::{EntryPlace, Group, Parts};
use crate::symbolic::{Graph, Id, Node, Symbol};

/// Numbers that correspond to each other, one of every part.
#[derive(Debug)]
pub struct Item {
    /// The expression of every part.
    pub values: Vec<Id>,
    /// Positions in the results.
    pub to: Target,
}

/// Positions in the results of a function.
#[derive(Debug)]
pub enum Target {
    /// The result of every part.
    Each(Vec<usize>),
    /// One result, to which all parts are added.
    Sum(usize),
}

/// The results of a function.
#[derive(Debug)]
pub struct Split {
    /// The expression of every result that is computed once; `None` where there is none.
    pub own: Vec<Option<Id>>,
    /// Expressions that are computed for every part.
    pub items: Vec<Item>,
}

impl Split {
    /// Cuts the results `values` of the function of a group.
    pub fn new(parts: &Parts, graph: &mut Graph, group: &Group, values: &[Id]) -> Split {
        let mut cut = Cut { parts, owners: Vec::new(), done: FxHashMap::default() };
        cut.find_owners(graph, values);
        let mut split = Split { own: vec![None; values.len()], items: Vec::new() };
        let mut of_parts: Vec<Vec<(usize, Id)>> = vec![Vec::new(); parts.count];
        for (position, &value) in values.iter().enumerate() {
            match cut.owner(value) {
                Owner::None => split.own[position] = Some(value),
                Owner::Part(part) => of_parts[part].push((position, value)),
                Owner::Several => {
                    let found: Vec<Option<Id>> =
                        (0..parts.count).map(|part| cut.share(graph, value, Some(part))).collect();
                    split.own[position] = cut.share(graph, value, None);
                    match found.iter().copied().collect::<Option<Vec<Id>>>() {
                        Some(values) => split.items.push(Item { values, to: Target::Sum(position) }),
                        // parts that do not all have a share
                        None => split.own[position] = Some(value),
                    }
                }
            }
        }
        split.pair(parts, graph, &of_parts);
        split.pair_shared(graph, parts.count, &parts.places(group));
        let lowered = graph.lower_powers(&split.values());
        split.replace(&lowered);
        split
    }

    /// Lists all expressions.
    pub fn values(&self) -> Vec<Id> {
        let items = self.items.iter().flat_map(|item| &item.values);
        self.own.iter().flatten().chain(items).copied().collect()
    }

    fn replace(&mut self, new: &[Id]) {
        let items = self.items.iter_mut().flat_map(|item| &mut item.values);
        self.own.iter_mut().flatten().chain(items).zip(new).for_each(|(value, new)| *value = *new);
    }

    /// Finds which results of parts correspond: the first ones with the same operations, the second ones, ..
    fn pair(&mut self, parts: &Parts, graph: &Graph, of_parts: &[Vec<(usize, Id)>]) {
        let all: Vec<Id> = of_parts.iter().flatten().map(|(_, value)| *value).collect();
        let shapes = Shapes::new(parts, graph, &all);
        let mut alike: Vec<FxHashMap<u64, Vec<(usize, Id)>>> = vec![FxHashMap::default(); of_parts.len()];
        for (alike, results) in alike.iter_mut().zip(of_parts) {
            for &(position, value) in results {
                alike.entry(shapes.of(value)).or_default().push((position, value));
            }
        }
        let mut seen: FxHashMap<u64, usize> = FxHashMap::default();
        for &(position, value) in of_parts.iter().flatten() {
            let shape = shapes.of(value);
            let lists: Vec<_> = alike.iter().map(|alike| alike.get(&shape).map_or(&[][..], Vec::as_slice)).collect();
            if lists.iter().any(|list| list.len() != lists[0].len()) {
                self.own[position] = Some(value);
                continue;
            }
            // the first part speaks for all
            let number = seen.entry(shape).or_default();
            if let Some(&(first, _)) = lists[0].get(*number)
                && first == position
            {
                let found = lists.iter().map(|list| list[*number]);
                let (positions, values) = found.unzip();
                self.items.push(Item { values, to: Target::Each(positions) });
                *number += 1;
            }
        }
    }

    /// Finds results of corresponding places that depend on no part, such as derivatives of a part's constraints with
    /// respect to coordinates of the body between the parts.
    fn pair_shared(&mut self, graph: &Graph, count: usize, places: &[Option<(usize, EntryPlace)>]) {
        let mut alike: BTreeMap<EntryPlace, Vec<Option<(usize, Id)>>> = BTreeMap::new();
        let own = self.own.iter().zip(places).enumerate();
        for (position, (&value, &place)) in own {
            // plain numbers are stored from a table
            if let (Some(value), Some((part, place))) = (value, place)
                && graph.as_constant(value).is_none()
            {
                alike.entry(place).or_insert_with(|| vec![None; count])[part] = Some((position, value));
            }
        }
        for found in alike.into_values() {
            let Some(found) = found.into_iter().collect::<Option<Vec<_>>>() else { continue };
            let (positions, values): (Vec<usize>, Vec<Id>) = found.into_iter().unzip();
            positions.iter().for_each(|&position| self.own[position] = None);
            self.items.push(Item { values, to: Target::Each(positions) });
        }
    }
}

/// The parts on which an expression depends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Owner {
    None,
    Part(usize),
    Several,
}

struct Cut<'a> {
    parts: &'a Parts,
    /// Sets of parts, by expression.
    owners: Vec<u32>,
    done: FxHashMap<(Id, Option<usize>), Option<Id>>,
}

impl Cut<'_> {
    fn find_owners(&mut self, graph: &Graph, values: &[Id]) {
        self.owners = vec![0; graph.len()];
        for id in graph.reachable(values) {
            let node = graph.node(id);
            self.owners[id.index()] = match node {
                Node::Symbol(symbol) => self.parts.of(symbol).map_or(0, |(part, _)| 1 << part),
                _ => node.operands().fold(0, |set, operand| set | self.owners[operand.index()]),
            };
        }
    }

    fn owner(&self, id: Id) -> Owner {
        match self.owners[id.index()] {
            0 => Owner::None,
            set if set.is_power_of_two() => Owner::Part(set.trailing_zeros() as usize),
            _ => Owner::Several,
        }
    }

    /// Returns the terms of a sum that depend on one part, or, for `None`, those that depend on none or on several that
    /// cannot be separated; `None` where there are no such terms.
    fn share(&mut self, graph: &mut Graph, id: Id, part: Option<usize>) -> Option<Id> {
        match self.owner(id) {
            Owner::None => return part.is_none().then_some(id),
            // differences within products are left as they are: their terms may be large
            Owner::Part(owner) if !matches!(graph.node(id), Node::Negate(_) | Node::Add(..) | Node::Subtract(..)) => {
                return (part == Some(owner)).then_some(id);
            }
            Owner::Part(_) | Owner::Several => {}
        }
        if let Some(&done) = self.done.get(&(id, part)) {
            return done;
        }
        let found = match graph.node(id) {
            Node::Negate(a) => self.share(graph, a, part).map(|a| graph.negate(a)),
            Node::Add(a, b) => match (self.share(graph, a, part), self.share(graph, b, part)) {
                (Some(a), Some(b)) => Some(graph.add(a, b)),
                (a, b) => a.or(b),
            },
            Node::Subtract(a, b) => match (self.share(graph, a, part), self.share(graph, b, part)) {
                (Some(a), Some(b)) => Some(graph.subtract(a, b)),
                (a, None) => a,
                (None, Some(b)) => Some(graph.negate(b)),
            },
            Node::Multiply(a, b) if self.owner(a) == Owner::None => {
                self.share(graph, b, part).map(|b| graph.multiply(a, b))
            }
            Node::Multiply(a, b) if self.owner(b) == Owner::None => {
                self.share(graph, a, part).map(|a| graph.multiply(a, b))
            }
            Node::Divide(a, b) if self.owner(b) == Owner::None => {
                self.share(graph, a, part).map(|a| graph.divide(a, b))
            }
            _ => part.is_none().then_some(id),
        };
        self.done.insert((id, part), found);
        found
    }
}

/// The operations of expressions, without signs and numbers, and with the places of symbols in their parts.
#[derive(Debug)]
pub struct Shapes(Vec<u64>);

impl Shapes {
    /// Finds the shapes of `values` and their operands.
    pub fn new(parts: &Parts, graph: &Graph, values: &[Id]) -> Shapes {
        let mut shapes = vec![0; graph.len()];
        for id in graph.reachable(values) {
            let node = graph.node(id);
            shapes[id.index()] = if graph.is_run_constant(id) {
                CONSTANT_SHAPE
            } else {
                let operand = |id: Id| -> u64 { shapes[id.index()] };
                match node {
                    Node::Symbol(symbol) => of_symbol(parts, symbol),
                    Node::Negate(a) => operand(a),
                    Node::Add(a, b) | Node::Subtract(a, b) => mixed(1, operand(a).wrapping_add(operand(b))),
                    Node::Multiply(a, b) => mixed(2, operand(a).wrapping_add(operand(b))),
                    _ => node.operands().fold(mixed(3, kind(node)), |shape, id| mixed(shape, operand(id))),
                }
            };
        }
        Shapes(shapes)
    }

    /// Returns the shape of an expression.
    pub fn of(&self, id: Id) -> u64 {
        self.0.get(id.index()).copied().unwrap_or(CONSTANT_SHAPE)
    }
}

const CONSTANT_SHAPE: u64 = 0x5bd1_e995;

fn of_symbol(parts: &Parts, symbol: Symbol) -> u64 {
    match parts.of(symbol) {
        Some((_, place)) => mixed(mixed(7, place as u64), kind_of_symbol(symbol)),
        None => mixed(5, kind(Node::Symbol(symbol))),
    }
}

/// Returns a number for an operation without its operands.
fn kind(node: Node) -> u64 {
    rustc_hash::FxBuildHasher.hash_one(node.operation())
}

/// Returns a number for the vector of a symbol.
pub fn kind_of_symbol(symbol: Symbol) -> u64 {
    match symbol {
        Symbol::Coordinate(_) => 1,
        Symbol::Velocity(_) => 2,
        Symbol::Acceleration(_) => 3,
        Symbol::Multiplier(_) => 4,
        Symbol::Input(_) => 5,
        _ => 6,
    }
}

/// Mixes two numbers well enough that different shapes are different numbers.
fn mixed(a: u64, b: u64) -> u64 {
    let mut x = a.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ b.wrapping_add(0x7f4a_7c15_9e37_79b9);
    x = (x ^ (x >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    x ^ (x >> 31)
}
