//! Counts of the operations in functions.

use crate::symbolic::{Graph, Id, Node, in_order};

/// Operation counts of one function.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Operations {
    /// The function's name.
    pub function: &'static str,
    /// Additions, subtractions and negations.
    pub additions: usize,
    /// Multiplications.
    pub multiplications: usize,
    /// Divisions.
    pub divisions: usize,
    /// Calls of sin, exp, powf and their like, and values of tables.
    pub calls: usize,
    /// Comparisons and selections.
    pub selections: usize,
}

impl Operations {
    /// Counts every operation that `roots` need once, down to what is `known` already.
    pub fn count(graph: &Graph, function: &'static str, roots: &[Id], known: impl Fn(Id) -> bool) -> Operations {
        let mut count = Operations { function, ..Operations::default() };
        for id in needed(graph, roots, known) {
            match graph.node(id) {
                Node::Constant(_) | Node::Symbol(_) => {}
                Node::Negate(_) | Node::Add(..) | Node::Subtract(..) => count.additions += 1,
                Node::Multiply(..) => count.multiplications += 1,
                Node::Divide(..) => count.divisions += 1,
                Node::PowerInteger(..)
                | Node::Power(..)
                | Node::Unary(..)
                | Node::Atan2(..)
                | Node::Curve(..)
                | Node::Surface(..) => count.calls += 1,
                _ => count.selections += 1,
            }
        }
        count
    }

    /// All operations.
    pub fn total(&self) -> usize {
        self.additions + self.multiplications + self.divisions + self.calls + self.selections
    }
}

/// The nodes that `roots` need, operands first, without those that are `known`.
pub fn needed(graph: &Graph, roots: &[Id], known: impl Fn(Id) -> bool) -> Vec<Id> {
    let mut seen = vec![false; graph.len()];
    let mut stack = roots.to_vec();
    let mut found = Vec::new();
    while let Some(id) = stack.pop() {
        if !known(id) && !std::mem::replace(&mut seen[id.index()], true) {
            found.push(id);
            stack.extend(graph.node(id).operands());
        }
    }
    in_order(found, &seen)
}
