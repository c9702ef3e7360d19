//! Regrouping of sums and products to shorten chains of operations.
//!
//! A processor computes several sums at once if none of them is an operand of another. Substitution generates sums of
//! many terms in sequence; computed in that order, every term waits for the terms before it. Here the two terms that
//! are known first are added first, and so on, which makes the longest chain of operations as short as possible. Large
//! functions keep the processor busy in any order and are not changed: more parallel operations would need more
//! registers. Functions with loops need sums of like terms to be alike, and are not balanced: only sums of very many
//! terms are added in groups there. Terms that are constant during a run come first of all, so that their sum is a
//! constant of the run.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use rustc_hash::FxHashMap;

use super::graph::{Function, Graph, Node};
use super::id::Id;
use super::rewrite::with_operands;

/// Largest number of terms of a sum that is added term by term in functions with loops.
pub const MAX_SINGLE_TERMS: usize = 64;

/// The operation that joins terms.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Join {
    Sum,
    Product,
}

/// A part of a sum or product: the time when it is known, its place among the terms, its id, and `true` if its sign
/// is reversed.
type Term = Reverse<(u32, usize, Id, bool)>;

impl Graph {
    /// Regroups sums and products of `roots`, the results of one function. Values change only by rounding. The new
    /// expressions are for emission and are not simplified again.
    pub fn balance(&mut self, roots: &[Id]) -> Vec<Id> {
        let reachable = self.reachable(roots);
        if !self.is_chain(&reachable, roots) {
            return roots.to_vec();
        }
        let mut uses: FxHashMap<Id, usize> = FxHashMap::default();
        let operands = reachable.iter().flat_map(|&id| self.node(id).operands()).collect::<Vec<_>>();
        operands.iter().chain(roots).for_each(|&id| *uses.entry(id).or_default() += 1);
        // an expression that is used once, by an operation of the same kind, is a part of this operation
        let mut parts: FxHashMap<Id, Join> = FxHashMap::default();
        for &id in &reachable {
            let Some(join) = self.join(id) else { continue };
            for operand in self.node(id).operands() {
                if uses[&operand] == 1 && self.joins(operand, join) && !self.is_known_at_start(operand) {
                    parts.insert(operand, join);
                }
            }
        }
        let mut work = Balance { done: FxHashMap::default(), clock: Clock::default(), parts };
        for id in reachable {
            if work.parts.contains_key(&id) {
                continue;
            }
            let new = match self.join(id) {
                Some(join) if !self.is_known_at_start(id) => work.regroup(self, id, join),
                _ => {
                    let node = with_operands(self.node(id), |operand| work.at(operand));
                    self.intern(node)
                }
            };
            work.done.insert(id, new);
        }
        roots.iter().map(|&id| work.at(id)).collect()
    }

    /// Adds the terms of very long sums in groups, and the groups one after the other, for functions with loops: a term
    /// waits for few others, and groups are as alike as the terms. Values change only by rounding.
    pub fn group_long_sums(&mut self, roots: &[Id]) -> Vec<Id> {
        roots.iter().map(|&root| self.group_long_sum(root)).collect()
    }

    fn group_long_sum(&mut self, sum: Id) -> Id {
        // Number of terms in a group of a sum with more terms: sums over bodies have as many for a body, or a few more
        // or less.
        const GROUP_TERMS: usize = 4;
        let (mut terms, mut first) = (Vec::new(), sum);
        loop {
            let (before, term, negative) = match self.node(first) {
                Node::Add(before, term) => (before, term, false),
                Node::Subtract(before, term) => (before, term, true),
                _ => break,
            };
            terms.push((term, negative));
            first = before;
        }
        terms.push((first, false));
        terms.reverse();
        if terms.len() <= MAX_SINGLE_TERMS {
            return sum;
        }
        let groups: Vec<(Id, bool)> = terms.chunks(GROUP_TERMS).map(|group| self.signed_sum(group)).collect();
        self.signed_sum(&groups).0
    }

    /// Adds terms one after the other; `true` stands for the opposite of a term, and of the sum.
    fn signed_sum(&mut self, terms: &[(Id, bool)]) -> (Id, bool) {
        let join = |(sum, opposite), &(term, negative): &(Id, bool)| {
            let node = if negative == opposite { Node::Add(sum, term) } else { Node::Subtract(sum, term) };
            (self.intern(node), opposite)
        };
        let Some((&first, others)) = terms.split_first() else { return (self.zero(), false) };
        others.iter().fold(first, join)
    }

    /// Checks whether the longest chain of operations takes longer than all operations in parallel.
    fn is_chain(&self, reachable: &[Id], roots: &[Id]) -> bool {
        // Operations per cycle above which the number of operations determines the time, and not their order.
        const OPERATIONS_PER_CYCLE: f64 = 2.5;
        let is_work = |&&id: &&Id| self.node(id).operands().next().is_some() && !self.is_known_at_start(id);
        let operations = reachable.iter().filter(is_work).count();
        let mut clock = Clock::default();
        let longest = roots.iter().map(|&id| clock.known(self, id)).max().unwrap_or(0);
        operations as f64 <= OPERATIONS_PER_CYCLE * f64::from(longest)
    }

    fn join(&self, id: Id) -> Option<Join> {
        match self.node(id) {
            Node::Add(..) | Node::Subtract(..) => Some(Join::Sum),
            Node::Multiply(..) => Some(Join::Product),
            _ => None,
        }
    }

    /// Checks whether `id` may be split up within a sum or product.
    fn joins(&self, id: Id, join: Join) -> bool {
        self.join(id) == Some(join) || matches!(self.node(id), Node::Negate(_))
    }

    fn is_known_at_start(&self, id: Id) -> bool {
        self.is_run_constant(id)
    }
}

struct Balance {
    /// New expressions by old ones.
    done: FxHashMap<Id, Id>,
    /// Times at which new expressions are known.
    clock: Clock,
    parts: FxHashMap<Id, Join>,
}

impl Balance {
    fn at(&self, id: Id) -> Id {
        self.done.get(&id).copied().unwrap_or(id)
    }

    fn regroup(&mut self, graph: &mut Graph, id: Id, join: Join) -> Id {
        let (mut terms, mut count) = (BinaryHeap::new(), 0);
        // operands that are still to be split up, the first one on top
        let mut open = vec![(id, false)];
        while let Some((next, negative)) = open.pop() {
            let is_part = next == id || self.parts.contains_key(&next);
            match graph.node(next) {
                Node::Add(a, b) | Node::Multiply(a, b) if is_part => {
                    // the sign of a product belongs to one of its factors
                    open.extend([(b, negative && join == Join::Sum), (a, negative)]);
                }
                Node::Subtract(a, b) if is_part => open.extend([(b, !negative), (a, negative)]),
                Node::Negate(a) if is_part => open.push((a, !negative)),
                _ => {
                    let (term, sign) = graph.without_sign(self.at(next));
                    let known = self.clock.known(graph, term);
                    terms.push(Reverse((known, count, term, negative != sign)));
                    count += 1;
                }
            }
        }
        let (all, negative) = self.combine(graph, terms, join);
        if negative { graph.intern(Node::Negate(all)) } else { all }
    }

    /// Combines the two terms that are known first, until one is left.
    fn combine(&mut self, graph: &mut Graph, mut terms: BinaryHeap<Term>, join: Join) -> (Id, bool) {
        let mut last = (graph.zero(), false);
        while let Some(Reverse((_, place, a, of_a))) = terms.pop() {
            let Some(Reverse((_, other, b, of_b))) = terms.pop() else {
                last = (a, of_a);
                break;
            };
            // in the order in which the terms were written
            let [(a, of_a), (b, of_b)] = if place < other { [(a, of_a), (b, of_b)] } else { [(b, of_b), (a, of_a)] };
            let (node, negative) = match (join, of_a, of_b) {
                (Join::Product, ..) => (Node::Multiply(a, b), of_a != of_b),
                (Join::Sum, false, true) => (Node::Subtract(a, b), false),
                (Join::Sum, true, false) => (Node::Subtract(b, a), false),
                (Join::Sum, ..) => (Node::Add(a, b), of_a),
            };
            let both = graph.intern(node);
            let known = self.clock.known(graph, both);
            terms.push(Reverse((known, place.min(other), both, negative)));
        }
        last
    }
}

/// Times at which expressions are known, in cycles of a processor that computes every operation as soon as its
/// operands are known.
#[derive(Default)]
struct Clock {
    known: FxHashMap<Id, u32>,
}

impl Clock {
    fn known(&mut self, graph: &Graph, id: Id) -> u32 {
        let mut open = vec![id];
        while let Some(&next) = open.last() {
            if self.known.contains_key(&next) {
                open.pop();
                continue;
            }
            if graph.is_known_at_start(next) {
                self.known.insert(next, 0);
                continue;
            }
            let node = graph.node(next);
            let before = open.len();
            open.extend(node.operands().filter(|operand| !self.known.contains_key(operand)));
            if open.len() == before {
                let operands = node.operands().map(|operand| self.known[&operand]).max().unwrap_or(0);
                self.known.insert(next, operands + duration(node));
            }
        }
        self.known[&id]
    }
}

/// Estimates the cycles of an operation.
fn duration(node: Node) -> u32 {
    match node {
        Node::Constant(_) | Node::Symbol(_) => 0,
        Node::Negate(_) | Node::And(..) | Node::Or(..) | Node::Not(_) | Node::Unary(Function::Abs, _) => 1,
        Node::Add(..)
        | Node::Subtract(..)
        | Node::Multiply(..)
        | Node::Select(..)
        | Node::Less(..)
        | Node::LessEqual(..)
        | Node::Equal(..) => 4,
        Node::Divide(..) => 14,
        Node::Unary(Function::Sqrt, _) => 18,
        Node::PowerInteger(..) => 12,
        Node::Unary(..) | Node::Atan2(..) | Node::Power(..) | Node::Curve(..) | Node::Surface(..) => 50,
    }
}
