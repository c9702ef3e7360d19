//! A function cut into units: one for every expression that has a name of its own in straight-line code.

use rustc_hash::FxHashMap;

use super::super::code::MAX_EXPRESSION;
use super::super::like_calls::LikeCalls;
use super::super::operations::needed;
use crate::model::Model;
use crate::symbolic::{Function, Given, Graph, Id, Lookup, MAX_SINGLE_TERMS, Node, Symbol};

/// The computation of a unit from its expressions.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Kind {
    /// The expression itself.
    Value,
    /// An entry of the result that is a symbol, a constant, or equal to another entry.
    Copy,
    /// Sine and cosine of the expression, computed together with those of other arguments.
    SinCosEach,
    /// Sine and cosine of the expression.
    SinCos,
    /// Values of a table at the expressions.
    Lookup,
}

/// One expression that a unit computes.
#[derive(Debug, Clone)]
pub struct Output {
    /// The expression; `None` if no other unit needs it.
    pub id: Option<Id>,
    /// Positions in the result of the function.
    pub destinations: Vec<usize>,
}

/// A part of a function that is computed by one statement.
#[derive(Debug, Clone)]
pub struct Unit {
    pub kind: Kind,
    /// The expressions.
    pub roots: Vec<Id>,
    pub outputs: Vec<Output>,
    /// The units that must be computed before.
    pub dependencies: Vec<usize>,
    /// Length of the longest chain of units before this one.
    pub level: usize,
    /// The sum of many terms to which this unit belongs.
    pub sum: Option<Id>,
}

/// The unit that computes an expression, and the position among its outputs, in a table over all expressions, because
/// lookups are frequent.
pub struct Givers(Vec<(u32, u32)>);

impl Givers {
    const NONE: u32 = u32::MAX;

    fn new(graph: &Graph) -> Givers {
        Givers(vec![(Self::NONE, 0); graph.len()])
    }

    pub fn get(&self, id: Id) -> Option<(usize, usize)> {
        let (unit, output) = *self.0.get(id.index())?;
        (unit != Self::NONE).then_some((unit as usize, output as usize))
    }

    fn insert(&mut self, id: Id, unit: usize, output: usize) {
        if let (Some(entry), Ok(unit), Ok(output)) = (self.0.get_mut(id.index()), unit.try_into(), output.try_into()) {
            *entry = (unit, output);
        }
    }
}

/// A function cut into units.
pub struct Units<'a> {
    pub graph: &'a Graph,
    is_constant: &'a dyn Fn(Id) -> bool,
    /// Units in an order in which they can be computed.
    pub units: Vec<Unit>,
    /// The unit that computes an expression, and the position among its outputs.
    pub givers: Givers,
    /// The end of the results of each array.
    pub ends: Vec<usize>,
    model: &'a Model,
}

/// Fewest units for which a loop is worth while.
pub const MIN_UNITS: usize = 8;

/// The values needed of tables, by table and arguments.
type Lookups = FxHashMap<(u32, [Option<Id>; 2]), Vec<(Lookup, Id)>>;

impl<'a> Units<'a> {
    /// Cuts the function with the results `values`, of which the results before each of `ends` go to an array of
    /// their own; `is_constant` determines which expressions are constant during a run. `None` if a condition is too
    /// long.
    pub fn new(
        model: &'a Model,
        graph: &'a Graph,
        values: &[Id],
        ends: &[usize],
        is_constant: &'a dyn Fn(Id) -> bool,
    ) -> Option<Units<'a>> {
        // Largest number of operations of a condition: conditions have no names and cannot be cut.
        const MAX_CONDITION: usize = 20 * MAX_EXPRESSION;
        let order = needed(graph, values, is_constant);
        let mut uses = vec![0u32; graph.len()];
        let operands = order.iter().flat_map(|&id| graph.node(id).operands());
        operands.chain(values.iter().copied()).for_each(|id| uses[id.index()] += 1);
        let mut destinations: FxHashMap<Id, Vec<usize>> = FxHashMap::default();
        for (position, &id) in values.iter().enumerate() {
            destinations.entry(id).or_default().push(position);
        }
        let mut lookups = Lookups::default();
        for &id in &order {
            if let Some((table, arguments)) = graph.node(id).lookup() {
                lookups.entry((table.table, arguments)).or_default().push((table, id));
            }
        }
        let like_calls = LikeCalls::find(graph, &order);
        let long_sums = long_sums(graph, &order, &uses);
        let mut cut =
            Units { graph, is_constant, units: Vec::new(), givers: Givers::new(graph), ends: ends.to_vec(), model };
        // sizes of expressions that are written out where they are used
        let mut sizes = vec![0usize; graph.len()];
        for &id in &order {
            let node = graph.node(id);
            if cut.givers.get(id).is_some() || matches!(node, Node::Constant(_) | Node::Symbol(_)) {
                continue;
            }
            let known = |id: Id| sizes[id.index()];
            let size = node.operands().map(known).fold(1, usize::saturating_add);
            if node.is_condition() {
                if size > MAX_CONDITION {
                    return None;
                }
                sizes[id.index()] = size;
                continue;
            }
            let (kind, roots, outputs) = if let Some((table, arguments)) = node.lookup() {
                let mut found = lookups.remove(&(table.table, arguments)).unwrap_or_default();
                found.sort_unstable();
                let outputs = found.into_iter().map(|(_, id)| Some(id)).collect();
                (Kind::Lookup, arguments.into_iter().flatten().collect(), outputs)
            } else if let Some((kind, argument)) = cut.sin_cos(id, &uses, &like_calls) {
                let output = |function| graph.find(Node::Unary(function, argument)).filter(|id| uses[id.index()] > 0);
                (kind, vec![argument], vec![output(Function::Sin), output(Function::Cos)])
            } else if uses[id.index()] > 1
                || size > MAX_EXPRESSION
                || destinations.contains_key(&id)
                || long_sums.contains_key(&id)
            {
                (Kind::Value, vec![id], vec![Some(id)])
            } else {
                sizes[id.index()] = size;
                continue;
            };
            let outputs = outputs
                .into_iter()
                .map(|id| Output { id, destinations: id.and_then(|id| destinations.remove(&id)).unwrap_or_default() });
            cut.push(kind, roots, outputs.collect(), long_sums.get(&id).copied());
        }
        for (position, &id) in values.iter().enumerate() {
            // the remaining results are symbols and constants
            if destinations.contains_key(&id) {
                cut.push(Kind::Copy, vec![id], vec![Output { id: None, destinations: vec![position] }], None);
            }
        }
        Some(cut)
    }

    /// Returns the argument of a sine or cosine that is computed together with others.
    fn sin_cos(&self, id: Id, uses: &[u32], like_calls: &LikeCalls) -> Option<(Kind, Id)> {
        let Node::Unary(function @ (Function::Sin | Function::Cos), argument) = self.graph.node(id) else {
            return None;
        };
        if like_calls.group_of(id).is_some() {
            return Some((Kind::SinCosEach, argument));
        }
        let other = if function == Function::Sin { Function::Cos } else { Function::Sin };
        let other = self.graph.find(Node::Unary(other, argument))?;
        (uses[id.index()] > 0 && uses[other.index()] > 0).then_some((Kind::SinCos, argument))
    }

    fn push(&mut self, kind: Kind, roots: Vec<Id>, outputs: Vec<Output>, sum: Option<Id>) {
        let index = self.units.len();
        let dependencies = self.dependencies(&roots);
        let level = dependencies.iter().map(|&unit| self.units[unit].level + 1).max().unwrap_or(0);
        for (position, output) in outputs.iter().enumerate() {
            if let Some(id) = output.id {
                self.givers.insert(id, index, position);
            }
        }
        self.units.push(Unit { kind, roots, outputs, dependencies, level, sum });
    }

    /// Finds the units whose outputs `roots` are made of.
    fn dependencies(&self, roots: &[Id]) -> Vec<usize> {
        let (mut found, mut stack) = (Vec::new(), roots.to_vec());
        while let Some(id) = stack.pop() {
            match self.givers.get(id) {
                Some((unit, _)) => found.push(unit),
                None if self.is_constant(id) => {}
                None => stack.extend(self.graph.node(id).operands()),
            }
        }
        found.sort_unstable();
        found.dedup();
        found
    }

    /// Returns the array of a result, and the position in it.
    pub fn array_of(&self, position: usize) -> (usize, usize) {
        let array = self.ends.partition_point(|&end| end <= position);
        let start = array.checked_sub(1).map_or(0, |before| self.ends[before]);
        (array, position - start)
    }

    /// Returns the index of a symbol in its vector.
    pub fn array_index(&self, id: Id) -> Option<usize> {
        match self.graph.node(id) {
            Node::Symbol(
                Symbol::Coordinate(i)
                | Symbol::Velocity(i)
                | Symbol::Acceleration(i)
                | Symbol::Multiplier(i)
                | Symbol::Input(i)
                | Symbol::Given(_, i),
            ) => Some(i),
            _ => None,
        }
    }

    /// Returns the name, without indices, of the quantity that a symbol belongs to. Parameters and derivatives of a
    /// cost have none, so that units which differ in these alone have the same shape.
    pub fn family(&self, id: Id) -> Option<&'a str> {
        match self.graph.node(id) {
            Node::Symbol(Symbol::Parameter(_) | Symbol::Given(Given::OutputGradient, _)) => None,
            Node::Symbol(symbol) => self.model.quantity(symbol).map(|quantity| quantity.family.as_str()),
            _ => None,
        }
    }

    /// Checks whether `id` is constant during a run.
    pub fn is_constant(&self, id: Id) -> bool {
        (self.is_constant)(id)
    }
}

/// Finds the partial sums of sums with many terms, where a term may be a group of terms. Each is mapped to the whole
/// sum, so that every term or group is added by a unit of its own and like ones by like units.
fn long_sums(graph: &Graph, order: &[Id], uses: &[u32]) -> FxHashMap<Id, Id> {
    let used_once = |id: &Id| uses[id.index()] == 1;
    let sum = |id: Id| match graph.node(id) {
        Node::Add(first, last) | Node::Subtract(first, last) => Some((first, last)),
        _ => None,
    };
    let mut terms: FxHashMap<Id, usize> = FxHashMap::default();
    for &id in order {
        if let Some((first, last)) = sum(id) {
            let of = |id: Id| terms.get(&id).copied().filter(|_| used_once(&id)).unwrap_or(1);
            terms.insert(id, of(first) + of(last));
        }
    }
    let mut found = FxHashMap::default();
    for &id in order.iter().rev() {
        if terms.get(&id).is_some_and(|&terms| terms > MAX_SINGLE_TERMS) && !found.contains_key(&id) {
            let mut partial = id;
            while found.insert(partial, id).is_none()
                && let Some((first, _)) = sum(partial).filter(|(first, _)| used_once(first))
                && sum(first).is_some()
            {
                partial = first;
            }
        }
    }
    found
}
