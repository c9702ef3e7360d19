//! Calls of elementary functions that can be computed together: sines and cosines, and exponential functions.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use rustc_hash::FxHashMap;

use crate::symbolic::{Function, Graph, Id, Node};

/// The functions of one call.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Family {
    SinCos,
    Exp,
}

/// Groups of arguments whose calls are independent of one another.
pub struct LikeCalls {
    groups: FxHashMap<Id, Rc<[Id]>>,
}

impl LikeCalls {
    /// Finds the groups among the nodes of `order`, operands first.
    pub fn find(graph: &Graph, order: &[Id]) -> LikeCalls {
        // Fewest arguments for which one common call is worth while.
        const MIN_ARGUMENTS: usize = 3;
        // nesting depth of calls of any family: calls of one group must not depend on one another
        let mut depths: FxHashMap<Id, usize> = FxHashMap::default();
        let mut arguments: BTreeMap<(usize, Family), BTreeSet<Id>> = BTreeMap::new();
        let mut calls: BTreeMap<(usize, Family), Vec<Id>> = BTreeMap::new();
        for &id in order {
            let node = graph.node(id);
            let inner = node.operands().map(|operand| depths.get(&operand).copied().unwrap_or(0)).max();
            let mut depth = inner.unwrap_or(0);
            let family = match node {
                Node::Unary(Function::Sin | Function::Cos, argument) => Some((Family::SinCos, argument)),
                Node::Unary(Function::Exp, argument) => Some((Family::Exp, argument)),
                _ => None,
            };
            if let Some((family, argument)) = family {
                arguments.entry((depth, family)).or_default().insert(argument);
                calls.entry((depth, family)).or_default().push(id);
                depth += 1;
            }
            depths.insert(id, depth);
        }
        let mut groups = FxHashMap::default();
        for (place, arguments) in arguments.into_iter().filter(|(_, arguments)| arguments.len() >= MIN_ARGUMENTS) {
            let group: Rc<[Id]> = arguments.into_iter().collect();
            let calls = calls.remove(&place).unwrap_or_default();
            groups.extend(calls.into_iter().map(|call| (call, Rc::clone(&group))));
        }
        LikeCalls { groups }
    }

    /// Returns the arguments of the group of `call`, its own among them.
    pub fn group_of(&self, call: Id) -> Option<Rc<[Id]>> {
        self.groups.get(&call).cloned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::symbolic::Symbol;

    #[test]
    fn calls_go_together_that_do_not_wait_for_each_other() {
        let mut graph = Graph::new();
        let q: Vec<Id> = (0..4).map(|i| graph.symbol(Symbol::Coordinate(i))).collect();
        let sines: Vec<Id> = q.iter().map(|&q| graph.unary(Function::Sin, q)).collect();
        let cosine = graph.unary(Function::Cos, q[0]);
        // two exponential functions of coordinates, too few for a group, and three exponential functions of sines
        let outer: Vec<Id> = q[..2].iter().map(|&q| graph.unary(Function::Exp, q)).collect();
        let inner: Vec<Id> = sines[..3].iter().map(|&sine| graph.unary(Function::Exp, sine)).collect();
        let order: Vec<Id> = q.iter().chain(&sines).chain([&cosine]).chain(&outer).chain(&inner).copied().collect();
        let calls = LikeCalls::find(&graph, &order);
        let group = |id| calls.group_of(id).map(|group| group.to_vec());
        assert_eq!(group(sines[3]), Some(q.clone()));
        assert_eq!(group(cosine), Some(q));
        assert_eq!(group(outer[0]), None);
        assert_eq!(group(inner[2]), Some(sines[..3].to_vec()));
    }
}
