//! The heights of expressions, numbers of operations that build on each other: later stages walk expressions by
//! recursion.

use rustc_hash::FxHashMap;

use crate::symbolic::{Graph, Id};

/// Higher expressions are refused, since a model could overflow the compiler's stack. A sum of so many terms is as
/// high.
pub const MAX_HEIGHT: usize = 2000;

/// The heights of the expressions looked at so far.
#[derive(Debug, Default)]
pub struct Heights(FxHashMap<Id, usize>);

impl Heights {
    /// Found without recursion, which is what this is about.
    pub fn of(&mut self, graph: &Graph, id: Id) -> usize {
        let mut stack = vec![id];
        while let Some(&top) = stack.last() {
            let known = stack.len();
            let mut below = 0;
            for operand in graph.node(top).operands() {
                match self.0.get(&operand) {
                    Some(height) => below = below.max(*height),
                    None => stack.push(operand),
                }
            }
            if stack.len() == known {
                self.0.insert(top, below + 1);
                stack.pop();
            }
        }
        self.0.get(&id).copied().unwrap_or_default()
    }
}
