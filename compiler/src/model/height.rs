//! How many operations build on each other: later stages walk expressions by recursion.

use rustc_hash::FxHashMap;

use super::lower::Lowering;
use crate::diagnostic::Place;
use crate::symbolic::{Graph, Id};

/// Higher expressions are refused, lest a model overflow the compiler's stack. A sum of so many terms is as high.
const HIGHEST: usize = 2000;

/// The heights of the expressions looked at so far.
#[derive(Debug, Default)]
pub struct Heights(FxHashMap<Id, usize>);

impl Heights {
    /// Without recursion, which is what this is about.
    fn of(&mut self, graph: &Graph, id: Id) -> usize {
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

impl Lowering<'_> {
    /// `id`, unless too many operations build on each other, or there are too many in all.
    pub(super) fn bounded(&mut self, id: Id, place: Place) -> Option<Id> {
        if let Some(limit) = self.graph.passed() {
            let message = format!("with this the model comes to more than {limit}; write a smaller model");
            self.error_at(place, message);
            return None;
        }
        if self.heights.of(&self.graph, id) <= HIGHEST {
            return Some(id);
        }
        let message =
            format!("more than {HIGHEST} operations build on each other; shorten the sum or the `let`s");
        self.error_at(place, message);
        None
    }
}
