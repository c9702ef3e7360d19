//! Rewriting of expressions: replacement of symbols, and powers as products for emission.

use rustc_hash::FxHashMap;

use super::graph::{Graph, Node};
use super::id::Id;
use super::symbol::Symbol;

impl Graph {
    /// Replaces symbols in `id`; a symbol is kept where `replace` returns `None`.
    pub fn substitute(&mut self, id: Id, replace: &impl Fn(&mut Graph, Symbol) -> Option<Id>) -> Id {
        let mut done: FxHashMap<Id, Id> = FxHashMap::default();
        for old in self.reachable(&[id]) {
            let at = |id: Id| done.get(&id).copied().unwrap_or(id);
            let new = match self.node(old) {
                Node::Constant(_) => old,
                Node::Symbol(symbol) => replace(self, symbol).unwrap_or(old),
                Node::Negate(a) => self.negate(at(a)),
                Node::Add(a, b) => self.add(at(a), at(b)),
                Node::Subtract(a, b) => self.subtract(at(a), at(b)),
                Node::Multiply(a, b) => self.multiply(at(a), at(b)),
                Node::Divide(a, b) => self.divide(at(a), at(b)),
                Node::PowerInteger(a, n) => self.power_integer(at(a), n),
                Node::Power(a, b) => self.power(at(a), at(b)),
                Node::Unary(function, a) => self.unary(function, at(a)),
                Node::Atan2(a, b) => self.atan2(at(a), at(b)),
                Node::Curve(lookup, a) => self.curve(lookup, at(a)),
                Node::Surface(lookup, a, b) => self.surface(lookup, at(a), at(b)),
                Node::Select(c, a, b) => self.select(at(c), at(a), at(b)),
                Node::Less(a, b) => self.less(at(a), at(b)),
                Node::LessEqual(a, b) => self.less_equal(at(a), at(b)),
                Node::Equal(a, b) => self.equal(at(a), at(b)),
                Node::And(a, b) => self.and(at(a), at(b)),
                Node::Or(a, b) => self.or(at(a), at(b)),
                Node::Not(a) => self.not(at(a)),
            };
            done.insert(old, new);
        }
        done.get(&id).copied().unwrap_or(id)
    }

    /// Writes integer powers in `roots` as products that share their factors: x^3 = x^2 x, x^2 = x x. The results are
    /// for emission only: they are not simplified again.
    pub fn lower_powers(&mut self, roots: &[Id]) -> Vec<Id> {
        let mut done: FxHashMap<Id, Id> = FxHashMap::default();
        for old in self.reachable(roots) {
            let at = |id: Id| done.get(&id).copied().unwrap_or(id);
            let new = match self.node(old) {
                Node::PowerInteger(a, n) => self.lower_power(at(a), n),
                _ => self.on_operands(old, at),
            };
            if new != old {
                done.insert(old, new);
            }
        }
        roots.iter().map(|id| done.get(id).copied().unwrap_or(*id)).collect()
    }

    /// Replaces some expressions in `roots`; the results are not simplified again.
    pub fn replace(&mut self, roots: &[Id], replacements: &FxHashMap<Id, Id>) -> Vec<Id> {
        let mut done: FxHashMap<Id, Id> = FxHashMap::default();
        for old in self.reachable(roots) {
            let at = |id: Id| done.get(&id).copied().unwrap_or(id);
            let new = match replacements.get(&old) {
                Some(new) => *new,
                None => self.on_operands(old, at),
            };
            if new != old {
                done.insert(old, new);
            }
        }
        roots.iter().map(|id| done.get(id).copied().unwrap_or(*id)).collect()
    }

    /// Applies the operation of `node` to other operands; the result is not simplified.
    pub fn with_operands(&mut self, node: Node, operands: &[Id]) -> Id {
        let next = std::cell::Cell::new(0);
        let new = with_operands(node, |old| {
            let operand = operands.get(next.get()).copied();
            next.set(next.get() + 1);
            operand.unwrap_or(old)
        });
        self.intern(new)
    }

    /// Applies the operation of an expression to the operands that `at` returns.
    fn on_operands(&mut self, old: Id, at: impl Fn(Id) -> Id) -> Id {
        let node = self.node(old);
        let new = with_operands(node, at);
        if new == node { old } else { self.intern(new) }
    }

    fn lower_power(&mut self, base: Id, n: i32) -> Id {
        match n {
            i32::MIN..=0 => {
                let one = self.constant(1.0);
                let power = self.lower_power(base, n.saturating_neg());
                self.intern(Node::Divide(one, power))
            }
            1 => base,
            _ if n % 2 == 0 => {
                let half = self.lower_power(base, n / 2);
                self.intern(Node::Multiply(half, half))
            }
            _ => {
                let rest = self.lower_power(base, n - 1);
                self.intern(Node::Multiply(rest, base))
            }
        }
    }
}

impl Node {
    /// Returns the operation without its operands.
    pub fn operation(self) -> Node {
        with_operands(self, |_| Id::ANY)
    }

    /// Checks whether the value is a condition and not a number.
    pub fn is_condition(self) -> bool {
        matches!(
            self,
            Node::Less(..) | Node::LessEqual(..) | Node::Equal(..) | Node::And(..) | Node::Or(..) | Node::Not(_)
        )
    }
}

/// Applies the operation of `node` to the operands that `at` returns.
pub(super) fn with_operands(node: Node, at: impl Fn(Id) -> Id) -> Node {
    match node {
        Node::Constant(_) | Node::Symbol(_) => node,
        Node::Negate(a) => Node::Negate(at(a)),
        Node::Add(a, b) => Node::Add(at(a), at(b)),
        Node::Subtract(a, b) => Node::Subtract(at(a), at(b)),
        Node::Multiply(a, b) => Node::Multiply(at(a), at(b)),
        Node::Divide(a, b) => Node::Divide(at(a), at(b)),
        Node::PowerInteger(a, n) => Node::PowerInteger(at(a), n),
        Node::Power(a, b) => Node::Power(at(a), at(b)),
        Node::Unary(function, a) => Node::Unary(function, at(a)),
        Node::Atan2(a, b) => Node::Atan2(at(a), at(b)),
        Node::Curve(lookup, a) => Node::Curve(lookup, at(a)),
        Node::Surface(lookup, a, b) => Node::Surface(lookup, at(a), at(b)),
        Node::Select(c, a, b) => Node::Select(at(c), at(a), at(b)),
        Node::Less(a, b) => Node::Less(at(a), at(b)),
        Node::LessEqual(a, b) => Node::LessEqual(at(a), at(b)),
        Node::Equal(a, b) => Node::Equal(at(a), at(b)),
        Node::And(a, b) => Node::And(at(a), at(b)),
        Node::Or(a, b) => Node::Or(at(a), at(b)),
        Node::Not(a) => Node::Not(at(a)),
    }
}
