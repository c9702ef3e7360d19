//! The shape of a unit: its operations without their operands.

use rustc_hash::FxHashMap;

use super::unit::{Kind, Output, Units};
use crate::symbolic::{Given, Id, Node, Symbol};

/// The array, or other source, of a number that may differ between the repetitions of a loop.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Place {
    /// The array of intermediate values.
    Value,
    Coordinate,
    Velocity,
    Acceleration,
    Multiplier,
    Input,
    /// An additional argument of the functions of a step.
    Given(Given),
    /// Constants of the run.
    Constant,
    /// Numbers.
    Literal,
}

/// A part of a shape.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
enum Mark {
    /// An operation, followed by its operands.
    Operation(Node),
    /// A number that is the same wherever the shape occurs.
    Fixed(Id),
    /// A number from an array; equal numbers have the same index.
    Leaf(Place, usize),
    /// An output: the operation that computes it, and the array of each of its places in the results.
    Output(Option<Node>, Vec<usize>),
}

/// The key of a shape: units with equal keys can be computed by one statement.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Key {
    kind: Kind,
    marks: Vec<Mark>,
}

/// A shape, with the leaves of one unit.
pub struct Shape {
    pub key: Key,
    /// The place of every leaf.
    pub places: Vec<Place>,
    /// The unit's leaves.
    pub leaves: Vec<Id>,
    /// Number of uses of every leaf.
    pub uses: Vec<usize>,
}

impl Units<'_> {
    /// Determines the shape of a unit. If it is `loose`, constants may differ between units of the same shape.
    pub fn shape(&self, kind: Kind, roots: &[Id], outputs: &[Output], loose: bool) -> Shape {
        let mut walk = Walk {
            units: self,
            loose,
            marks: Vec::new(),
            numbers: FxHashMap::default(),
            places: Vec::new(),
            leaves: Vec::new(),
            uses: Vec::new(),
        };
        for output in outputs {
            let operation = match kind {
                Kind::Value | Kind::Copy => None,
                _ => output.id.map(|id| self.graph.node(id).operation()),
            };
            let arrays = output.destinations.iter().map(|&position| self.array_of(position).0);
            walk.marks.push(Mark::Output(operation, arrays.collect()));
        }
        for &root in roots {
            if kind == Kind::Value { walk.operation(root) } else { walk.at(root) }
        }
        let Walk { marks, places, leaves, uses, .. } = walk;
        Shape { key: Key { kind, marks }, places, leaves, uses }
    }

    /// Returns the source of `id`, if `id` is a leaf that may differ.
    fn place(&self, id: Id, loose: bool) -> Option<Place> {
        if self.givers.get(id).is_some() {
            return Some(Place::Value);
        }
        if self.is_constant(id) {
            return loose.then_some(Place::Constant);
        }
        match self.graph.node(id) {
            Node::Constant(_) => loose.then_some(Place::Literal),
            Node::Symbol(Symbol::Coordinate(_)) => Some(Place::Coordinate),
            Node::Symbol(Symbol::Velocity(_)) => Some(Place::Velocity),
            Node::Symbol(Symbol::Acceleration(_)) => Some(Place::Acceleration),
            Node::Symbol(Symbol::Multiplier(_)) => Some(Place::Multiplier),
            Node::Symbol(Symbol::Input(_)) => Some(Place::Input),
            Node::Symbol(Symbol::Given(given, _)) => Some(Place::Given(given)),
            _ => None,
        }
    }
}

struct Walk<'a> {
    units: &'a Units<'a>,
    loose: bool,
    marks: Vec<Mark>,
    numbers: FxHashMap<Id, usize>,
    places: Vec<Place>,
    leaves: Vec<Id>,
    uses: Vec<usize>,
}

impl Walk<'_> {
    fn at(&mut self, id: Id) {
        if let Some(place) = self.units.place(id, self.loose) {
            let next = self.numbers.len();
            let number = *self.numbers.entry(id).or_insert(next);
            if number == next {
                self.places.push(place);
                self.leaves.push(id);
                self.uses.push(0);
            }
            self.uses[number] += 1;
            self.marks.push(Mark::Leaf(place, number));
        } else if self.units.is_constant(id) || matches!(self.units.graph.node(id), Node::Constant(_) | Node::Symbol(_))
        {
            self.marks.push(Mark::Fixed(id));
        } else {
            self.operation(id);
        }
    }

    fn operation(&mut self, id: Id) {
        let node = self.units.graph.node(id);
        self.marks.push(Mark::Operation(node.operation()));
        node.operands().for_each(|operand| self.at(operand));
    }
}
