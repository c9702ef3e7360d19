//! The reference evaluator of expressions, in f64.

use super::build::integer_power;
use super::graph::{Function, Graph, Lookup, Node};
use super::id::Id;
use super::symbol::Symbol;

impl Graph {
    /// Evaluates all expressions in `roots`, given the symbols' values. Conditions count as 1 and 0; tables, whose
    /// data are not part of the graph, are NaN.
    pub fn evaluate(&self, roots: &[Id], value: impl Fn(Symbol) -> f64) -> Vec<f64> {
        self.evaluate_with(roots, value, |_, _| f64::NAN)
    }

    /// Evaluates all expressions in `roots`. `value` returns the symbols' values, and `table` returns the values of
    /// tables and their derivatives at given arguments; the second argument is NaN for a table of one argument.
    pub fn evaluate_with(
        &self,
        roots: &[Id],
        value: impl Fn(Symbol) -> f64,
        table: impl Fn(Lookup, [f64; 2]) -> f64,
    ) -> Vec<f64> {
        let values = self.values(&self.reachable(roots), value, table);
        roots.iter().map(|id| values[id.index()]).collect()
    }

    /// Finds the operation in `root` whose value is not finite though its operands are, and all values; `None` for a
    /// root with a value, and where a table has none.
    pub fn undefined(&self, root: Id, value: impl Fn(Symbol) -> f64) -> Option<(Id, Vec<f64>)> {
        let values = self.values(&self.reachable(&[root]), value, |_, _| f64::NAN);
        let is_undefined = |id: &Id| !values[id.index()].is_finite();
        let mut found = Some(root).filter(is_undefined)?;
        loop {
            let inner = match self.node(found) {
                // the other branch does not matter
                Node::Select(condition, yes, no) => {
                    let chosen = if values[condition.index()] != 0.0 { yes } else { no };
                    [condition, chosen].into_iter().find(is_undefined)
                }
                node => node.operands().find(is_undefined),
            };
            match (inner, self.node(found)) {
                (Some(inner), _) => found = inner,
                (None, Node::Curve(..) | Node::Surface(..)) => return None,
                (None, _) => return Some((found, values)),
            }
        }
    }

    /// Evaluates these nodes, operands before results; others are NaN.
    pub fn values(
        &self,
        order: &[Id],
        value: impl Fn(Symbol) -> f64,
        table: impl Fn(Lookup, [f64; 2]) -> f64,
    ) -> Vec<f64> {
        let mut values = vec![f64::NAN; self.len()];
        self.write_values(&mut values, order, value, table);
        values
    }

    /// Writes the [`values`](Self::values) of these nodes to their places among those of all nodes.
    pub fn write_values(
        &self,
        values: &mut [f64],
        order: &[Id],
        value: impl Fn(Symbol) -> f64,
        table: impl Fn(Lookup, [f64; 2]) -> f64,
    ) {
        for &id in order {
            let at = |id: Id| values[id.index()];
            let truth = |holds: bool| if holds { 1.0 } else { 0.0 };
            values[id.index()] = match self.node(id) {
                Node::Constant(bits) => f64::from_bits(bits),
                Node::Symbol(symbol) => value(symbol),
                Node::Negate(a) => -at(a),
                Node::Add(a, b) => at(a) + at(b),
                Node::Subtract(a, b) => at(a) - at(b),
                Node::Multiply(a, b) => at(a) * at(b),
                Node::Divide(a, b) => at(a) / at(b),
                Node::PowerInteger(a, n) => integer_power(at(a), n),
                Node::Power(a, b) => at(a).powf(at(b)),
                Node::Unary(function, a) => function.evaluate(at(a)),
                Node::Atan2(y, x) => at(y).atan2(at(x)),
                Node::Curve(lookup, x) => table(lookup, [at(x), f64::NAN]),
                Node::Surface(lookup, x, y) => table(lookup, [at(x), at(y)]),
                Node::Select(condition, a, b) => {
                    if at(condition) != 0.0 {
                        at(a)
                    } else {
                        at(b)
                    }
                }
                Node::Less(a, b) => truth(at(a) < at(b)),
                Node::LessEqual(a, b) => truth(at(a) <= at(b)),
                Node::Equal(a, b) => truth(at(a) == at(b)),
                Node::And(a, b) => truth(at(a) != 0.0 && at(b) != 0.0),
                Node::Or(a, b) => truth(at(a) != 0.0 || at(b) != 0.0),
                Node::Not(a) => truth(at(a) == 0.0),
            };
        }
    }

    /// Checks whether `id` has more than `most` operations and operands when shared subexpressions are written out at
    /// every use.
    pub fn is_written_longer(&self, id: Id, most: usize) -> bool {
        let (mut open, mut length) = (vec![id], 0);
        while let Some(id) = open.pop() {
            length += 1;
            if length > most {
                return true;
            }
            open.extend(self.node(id).operands());
        }
        false
    }

    /// Lists all nodes of `roots`, operands before results.
    pub fn reachable(&self, roots: &[Id]) -> Vec<Id> {
        let mut seen = vec![false; self.len()];
        let mut stack = roots.to_vec();
        let mut found = Vec::new();
        while let Some(id) = stack.pop() {
            if !std::mem::replace(&mut seen[id.index()], true) {
                found.push(id);
                stack.extend(self.node(id).operands());
            }
        }
        in_order(found, &seen)
    }
}

/// Sorts the nodes that were met, operands before results; `seen` marks them among all nodes of the graph.
pub fn in_order(mut met: Vec<Id>, seen: &[bool]) -> Vec<Id> {
    /// Inverse of the part of the graph above which the order is read from `seen` instead of sorting.
    const LARGE_PART: usize = 16;
    if met.len() > seen.len() / LARGE_PART {
        let all = (0u32..).zip(seen).filter(|(_, seen)| **seen);
        return all.map(|(index, _)| Id::at(index)).collect();
    }
    met.sort_unstable();
    met
}

impl Function {
    fn evaluate(self, x: f64) -> f64 {
        match self {
            Function::Sin => x.sin(),
            Function::Cos => x.cos(),
            Function::Tan => x.tan(),
            Function::Asin => x.asin(),
            Function::Acos => x.acos(),
            Function::Atan => x.atan(),
            Function::Sinh => x.sinh(),
            Function::Cosh => x.cosh(),
            Function::Tanh => x.tanh(),
            Function::SechSquared => {
                let decay = (-2.0 * x.abs()).exp();
                let sum = decay + 1.0;
                decay * 4.0 / (sum * sum)
            }
            Function::Exp => x.exp(),
            Function::Ln => x.ln(),
            Function::Log10 => x.log10(),
            Function::Sqrt => x.sqrt(),
            Function::Abs => x.abs(),
            Function::Sign => {
                if x == 0.0 {
                    0.0
                } else {
                    x.signum()
                }
            }
        }
    }
}
