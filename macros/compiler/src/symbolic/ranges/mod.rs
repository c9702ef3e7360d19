//! The values that expressions may take, whatever the state is.

mod interval;

#[cfg(test)]
mod tests;

use rustc_hash::FxHashMap;

pub use interval::Interval;

use super::{Graph, Id, Node, Symbol};

/// Ranges of the expressions looked at so far.
#[derive(Debug, Default)]
pub struct Ranges {
    known: FxHashMap<Id, Interval>,
    /// Values of parameters that count as known.
    parameters: Vec<Option<f64>>,
}

impl Ranges {
    /// With parameters that have these values; with any value where there is none.
    pub fn with_parameters(parameters: Vec<Option<f64>>) -> Ranges {
        Ranges { known: FxHashMap::default(), parameters }
    }

    /// All values that `id` may take, and perhaps some more.
    pub fn of(&mut self, graph: &Graph, id: Id) -> Interval {
        let mut stack = vec![id];
        while let Some(&top) = stack.last() {
            let open = stack.len();
            stack.extend(graph.node(top).operands().filter(|operand| !self.known.contains_key(operand)));
            if stack.len() == open {
                let range = self.operation(graph.node(top));
                self.known.insert(top, range);
                stack.pop();
            }
        }
        self.at(id)
    }

    fn at(&self, id: Id) -> Interval {
        self.known.get(&id).copied().unwrap_or(Interval::ALL)
    }

    fn operation(&self, node: Node) -> Interval {
        match node {
            Node::Constant(bits) => Interval::point(f64::from_bits(bits)),
            Node::Symbol(Symbol::Parameter(i)) => {
                self.parameters.get(i).copied().flatten().map_or(Interval::ALL, Interval::point)
            }
            Node::Symbol(_) => Interval::ALL,
            Node::Negate(a) => self.at(a).negate(),
            Node::Add(a, b) => self.at(a).add(self.at(b)),
            Node::Subtract(a, b) => self.at(a).subtract(self.at(b)),
            Node::Multiply(a, b) => self.at(a).multiply(self.at(b)),
            Node::Divide(a, b) => self.at(a).divide(self.at(b)),
            Node::PowerInteger(a, n) => self.at(a).power_integer(n),
            Node::Power(a, _) => self.at(a).real_power(),
            Node::Unary(function, a) => self.at(a).function(function),
            Node::Atan2(..) => Interval::new(-std::f64::consts::PI, std::f64::consts::PI),
            Node::Curve(..) | Node::Surface(..) => Interval::ALL,
            Node::Select(_, yes, no) => self.at(yes).hull(self.at(no)),
            Node::Less(..) | Node::LessEqual(..) | Node::Equal(..) | Node::And(..) | Node::Or(..) | Node::Not(_) => {
                Interval::new(0.0, 1.0)
            }
        }
    }
}
