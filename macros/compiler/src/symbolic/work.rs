//! The cost of computing expressions.

use super::graph::{Graph, Node};
use super::id::Id;

impl Graph {
    /// Estimates the cost of computing `roots` in every step, in additions.
    pub fn work(&self, roots: &[Id]) -> usize {
        // Cost of a function such as a sine, in additions.
        const FUNCTION_COST: usize = 10;
        let reachable = self.reachable(roots).into_iter();
        let costs = reachable.filter(|&id| !self.is_run_constant(id)).map(|id| match self.node(id) {
            Node::Constant(_) | Node::Symbol(_) => 0,
            Node::Unary(..) | Node::Power(..) | Node::Atan2(..) | Node::Curve(..) | Node::Surface(..) => FUNCTION_COST,
            _ => 1,
        });
        costs.sum()
    }
}
