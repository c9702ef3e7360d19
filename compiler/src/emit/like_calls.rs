//! Sines and cosines that can be computed side by side.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::rc::Rc;

use crate::symbolic::{Function, Graph, Id, Node};

/// Fewest arguments that are worth a call for all of them.
const FEWEST: usize = 3;

/// Groups of arguments whose sines and cosines do not depend on one another.
pub struct LikeCalls {
    groups: HashMap<Id, Rc<[Id]>>,
}

impl LikeCalls {
    /// Looks among the nodes of `order`, operands first.
    pub fn find(graph: &Graph, order: &[Id]) -> LikeCalls {
        // how many sines and cosines lie one inside the other
        let mut depths: HashMap<Id, usize> = HashMap::new();
        let mut arguments: BTreeMap<usize, BTreeSet<Id>> = BTreeMap::new();
        let mut calls: BTreeMap<usize, Vec<Id>> = BTreeMap::new();
        for &id in order {
            let node = graph.node(id);
            let inner = node.operands().map(|operand| depths.get(&operand).copied().unwrap_or(0)).max();
            let mut depth = inner.unwrap_or(0);
            if let Node::Unary(Function::Sin | Function::Cos, argument) = node {
                arguments.entry(depth).or_default().insert(argument);
                calls.entry(depth).or_default().push(id);
                depth += 1;
            }
            depths.insert(id, depth);
        }
        let mut groups = HashMap::new();
        for (depth, arguments) in arguments.into_iter().filter(|(_, arguments)| arguments.len() >= FEWEST) {
            let group: Rc<[Id]> = arguments.into_iter().collect();
            let calls = calls.remove(&depth).unwrap_or_default();
            groups.extend(calls.into_iter().map(|call| (call, Rc::clone(&group))));
        }
        LikeCalls { groups }
    }

    /// The arguments that go with the sine or cosine `call`, its own among them.
    pub fn group_of(&self, call: Id) -> Option<Rc<[Id]>> {
        self.groups.get(&call).cloned()
    }
}
