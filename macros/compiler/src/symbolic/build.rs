//! Construction of expressions, and the only place where these are simplified.
//!
//! Every rule is exact: for finite operands the simplified expression has the same value, to the last bit, as
//! the original (the sign of zero aside). Sums and products are never regrouped.

use super::graph::{Function, Graph, Lookup, Node};
use super::id::Id;
use super::symbol::{Given, Integrator, Symbol};

impl Graph {
    /// A number.
    pub fn constant(&mut self, value: f64) -> Id {
        // One zero: -0 and 0 are the same number to a user.
        let value = if value == 0.0 { 0.0 } else { value };
        self.intern(Node::Constant(value.to_bits()))
    }

    /// A symbol.
    pub fn symbol(&mut self, symbol: Symbol) -> Id {
        self.intern(Node::Symbol(symbol))
    }

    /// A weight of the integrator.
    pub fn weight(&mut self, weight: Integrator) -> Id {
        self.symbol(Symbol::Integrator(weight))
    }

    /// A vector of numbers that an emitted function is given.
    pub fn given(&mut self, given: Given, length: usize) -> Vec<Id> {
        (0..length).map(|i| self.symbol(Symbol::Given(given, i))).collect()
    }

    /// 0
    pub fn zero(&mut self) -> Id {
        self.constant(0.0)
    }

    /// Checks whether `id` is the constant 0, a structural zero.
    pub fn is_zero(&self, id: Id) -> bool {
        self.as_constant(id) == Some(0.0)
    }

    /// `-a`
    pub fn negate(&mut self, a: Id) -> Id {
        match self.node(a) {
            Node::Constant(bits) => self.constant(-f64::from_bits(bits)),
            Node::Negate(inner) => inner,
            Node::Subtract(left, right) => self.subtract(right, left),
            Node::Multiply(left, right) if self.as_constant(left).is_some() => {
                let factor = self.negate(left);
                self.multiply(factor, right)
            }
            _ => self.intern(Node::Negate(a)),
        }
    }

    /// `a + b`
    pub fn add(&mut self, a: Id, b: Id) -> Id {
        match (self.node(a), self.node(b)) {
            (Node::Constant(x), Node::Constant(y)) => self.constant(f64::from_bits(x) + f64::from_bits(y)),
            _ if self.is_zero(a) => b,
            _ if self.is_zero(b) => a,
            _ if a == b => {
                let two = self.constant(2.0);
                self.multiply(two, a)
            }
            (_, Node::Negate(b)) => self.subtract(a, b),
            (Node::Negate(a), _) => self.subtract(b, a),
            _ => self.intern_commutative(Node::Add, a, b),
        }
    }

    /// `a - b`
    pub fn subtract(&mut self, a: Id, b: Id) -> Id {
        match (self.node(a), self.node(b)) {
            (Node::Constant(x), Node::Constant(y)) => self.constant(f64::from_bits(x) - f64::from_bits(y)),
            _ if self.is_zero(b) => a,
            _ if self.is_zero(a) => self.negate(b),
            _ if a == b => self.zero(),
            (_, Node::Negate(b)) => self.add(a, b),
            (Node::Negate(a), _) => {
                let sum = self.add(a, b);
                self.negate(sum)
            }
            _ => self.intern(Node::Subtract(a, b)),
        }
    }

    /// `a * b`
    pub fn multiply(&mut self, a: Id, b: Id) -> Id {
        if self.as_constant(a).is_none() && self.as_constant(b).is_some() {
            return self.multiply(b, a);
        }
        if let Some(factor) = self.as_constant(a) {
            return self.scale(factor, a, b);
        }
        match (self.node(a), self.node(b)) {
            (Node::Negate(a), Node::Negate(b)) => self.multiply(a, b),
            (Node::Negate(inner), _) => {
                let product = self.multiply(inner, b);
                self.negate(product)
            }
            (_, Node::Negate(inner)) => {
                let product = self.multiply(a, inner);
                self.negate(product)
            }
            _ if a == b => self.power_integer(a, 2),
            // x^2 x is evaluated just as x^3 is; for odd exponents the order of the products would differ.
            (Node::PowerInteger(base, n), _) if base == b && n > 0 && n % 2 == 0 => self.power_integer(b, n + 1),
            (_, Node::PowerInteger(base, n)) if base == a && n > 0 && n % 2 == 0 => self.power_integer(a, n + 1),
            _ => self.intern_commutative(Node::Multiply, a, b),
        }
    }

    /// `factor * b`, where `a` is the constant `factor`.
    fn scale(&mut self, factor: f64, a: Id, b: Id) -> Id {
        match self.node(b) {
            Node::Constant(bits) => self.constant(factor * f64::from_bits(bits)),
            _ if factor == 0.0 => self.zero(),
            _ if factor == 1.0 => b,
            _ if factor == -1.0 => self.negate(b),
            Node::Negate(inner) => {
                let factor = self.constant(-factor);
                self.multiply(factor, inner)
            }
            Node::Multiply(left, right) => match self.as_constant(left) {
                // Scaling by a power of two is exact, so two constant factors may be merged.
                Some(other) if is_power_of_two(factor) || is_power_of_two(other) => {
                    let factor = self.constant(factor * other);
                    self.multiply(factor, right)
                }
                _ => self.intern(Node::Multiply(a, b)),
            },
            _ => self.intern(Node::Multiply(a, b)),
        }
    }

    /// `1 / a`
    pub fn reciprocal(&mut self, a: Id) -> Id {
        let one = self.constant(1.0);
        self.divide(one, a)
    }

    /// `a / b`
    pub fn divide(&mut self, a: Id, b: Id) -> Id {
        let divisor = self.as_constant(b);
        match (self.node(a), self.node(b)) {
            (Node::Constant(x), Node::Constant(y)) if f64::from_bits(y) != 0.0 => {
                self.constant(f64::from_bits(x) / f64::from_bits(y))
            }
            _ if self.is_zero(a) && divisor != Some(0.0) => a,
            _ if divisor == Some(1.0) => a,
            _ if divisor == Some(-1.0) => self.negate(a),
            _ if divisor.is_some_and(is_power_of_two) => {
                let factor = self.constant(1.0 / divisor.unwrap_or(1.0));
                self.multiply(factor, a)
            }
            (Node::Negate(a), Node::Negate(b)) => self.divide(a, b),
            (Node::Negate(inner), _) => {
                let quotient = self.divide(inner, b);
                self.negate(quotient)
            }
            (_, Node::Negate(inner)) => {
                let quotient = self.divide(a, inner);
                self.negate(quotient)
            }
            _ => self.intern(Node::Divide(a, b)),
        }
    }

    /// `base ^ exponent`
    pub fn power(&mut self, base: Id, exponent: Id) -> Id {
        // Largest exponent that is computed by repeated multiplication.
        const MAX_INTEGER_EXPONENT: f64 = 64.0;
        match self.as_constant(exponent) {
            Some(n) if n.fract() == 0.0 && n.abs() <= MAX_INTEGER_EXPONENT => self.power_integer(base, n as i32),
            _ => self.intern(Node::Power(base, exponent)),
        }
    }

    /// `base ^ n`
    pub fn power_integer(&mut self, base: Id, n: i32) -> Id {
        if n == 0 {
            return self.constant(1.0);
        }
        if n == 1 {
            return base;
        }
        match self.node(base) {
            Node::Constant(bits) if bits != 0 || n > 0 => self.constant(integer_power(f64::from_bits(bits), n)),
            Node::Negate(inner) => {
                let power = self.power_integer(inner, n);
                if n % 2 == 0 { power } else { self.negate(power) }
            }
            _ => self.intern(Node::PowerInteger(base, n)),
        }
    }

    /// `function(a)`. Constants are folded only where every machine gives the same bits.
    pub fn unary(&mut self, function: Function, a: Id) -> Id {
        if let Some(x) = self.as_constant(a) {
            let folded = match function {
                Function::Sqrt if x >= 0.0 => Some(x.sqrt()),
                Function::Abs => Some(x.abs()),
                Function::Sign => Some(if x == 0.0 { 0.0 } else { x.signum() }),
                Function::Sin | Function::Tan | Function::Asin | Function::Atan if x == 0.0 => Some(0.0),
                Function::Sinh | Function::Tanh if x == 0.0 => Some(0.0),
                Function::Cos | Function::Cosh | Function::SechSquared | Function::Exp if x == 0.0 => Some(1.0),
                Function::Ln | Function::Log10 | Function::Acos if x == 1.0 => Some(0.0),
                _ => None,
            };
            if let Some(value) = folded {
                return self.constant(value);
            }
        }
        self.intern(Node::Unary(function, a))
    }

    /// `atan2(y, x)`
    pub fn atan2(&mut self, y: Id, x: Id) -> Id {
        self.intern(Node::Atan2(y, x))
    }

    /// A table of one argument, or its derivative.
    pub fn curve(&mut self, lookup: Lookup, x: Id) -> Id {
        self.intern(Node::Curve(lookup, x))
    }

    /// A table of two arguments, or a partial derivative of it.
    pub fn surface(&mut self, lookup: Lookup, x: Id, y: Id) -> Id {
        self.intern(Node::Surface(lookup, x, y))
    }

    /// The smaller of two; `a` if they are equal.
    pub fn min(&mut self, a: Id, b: Id) -> Id {
        let condition = self.less_equal(a, b);
        self.select(condition, a, b)
    }

    /// The larger of two; `a` if they are equal.
    pub fn max(&mut self, a: Id, b: Id) -> Id {
        let condition = self.less_equal(b, a);
        self.select(condition, a, b)
    }

    /// 0 up to `from`, 1 from `to` on, and between them the polynomial s^3 (10 - 15 s + 6 s^2), whose first and
    /// second derivatives are continuous.
    pub fn smooth_step(&mut self, x: Id, from: Id, to: Id) -> Id {
        let zero = self.zero();
        let one = self.constant(1.0);
        let distance = self.subtract(x, from);
        let width = self.subtract(to, from);
        let fraction = self.divide(distance, width);
        let lower = self.max(fraction, zero);
        let s = self.min(lower, one);
        let [six, ten, fifteen] = [6.0, 10.0, 15.0].map(|value| self.constant(value));
        let inner = self.multiply(six, s);
        let inner = self.subtract(inner, fifteen);
        let inner = self.multiply(s, inner);
        let inner = self.add(ten, inner);
        let cube = self.power_integer(s, 3);
        self.multiply(cube, inner)
    }

    /// `if condition { yes } else { no }`
    pub fn select(&mut self, condition: Id, yes: Id, no: Id) -> Id {
        match self.node(condition) {
            _ if yes == no => yes,
            Node::Equal(a, b) if a == b => yes,
            Node::Not(inner) => self.select(inner, no, yes),
            Node::Less(a, b) | Node::LessEqual(a, b) | Node::Equal(a, b) => {
                let (Some(x), Some(y)) = (self.as_constant(a), self.as_constant(b)) else {
                    return self.intern(Node::Select(condition, yes, no));
                };
                let holds = match self.node(condition) {
                    Node::Less(..) => x < y,
                    Node::LessEqual(..) => x <= y,
                    _ => x == y,
                };
                if holds { yes } else { no }
            }
            _ => self.intern(Node::Select(condition, yes, no)),
        }
    }

    /// `a < b`
    pub fn less(&mut self, a: Id, b: Id) -> Id {
        self.intern(Node::Less(a, b))
    }

    /// `a <= b`
    pub fn less_equal(&mut self, a: Id, b: Id) -> Id {
        self.intern(Node::LessEqual(a, b))
    }

    /// `a == b`
    pub fn equal(&mut self, a: Id, b: Id) -> Id {
        self.intern_commutative(Node::Equal, a, b)
    }

    /// Both conditions.
    pub fn and(&mut self, a: Id, b: Id) -> Id {
        self.intern_commutative(Node::And, a, b)
    }

    /// At least one condition.
    pub fn or(&mut self, a: Id, b: Id) -> Id {
        self.intern_commutative(Node::Or, a, b)
    }

    /// The opposite condition.
    pub fn not(&mut self, a: Id) -> Id {
        match self.node(a) {
            Node::Not(inner) => inner,
            _ => self.intern(Node::Not(a)),
        }
    }

    /// Sum of all terms, from the first to the last; 0 without terms.
    pub fn sum(&mut self, terms: impl IntoIterator<Item = Id>) -> Id {
        let zero = self.zero();
        terms.into_iter().fold(zero, |sum, term| self.add(sum, term))
    }

    /// Keeps the operands in the order in which they were first written, so that code reads like the model.
    fn intern_commutative(&mut self, node: fn(Id, Id) -> Node, a: Id, b: Id) -> Id {
        match self.find(node(b, a)) {
            Some(id) => id,
            None => self.intern(node(a, b)),
        }
    }
}

fn is_power_of_two(value: f64) -> bool {
    const MANTISSA: u64 = (1 << 52) - 1;
    value.is_normal() && value.to_bits() & MANTISSA == 0 && value.abs() > 1e-200 && value.abs() < 1e200
}

/// The power as the emitted code computes it: by halving the exponent.
pub(super) fn integer_power(base: f64, n: i32) -> f64 {
    match n {
        i32::MIN..0 => 1.0 / integer_power(base, n.saturating_neg()),
        0 => 1.0,
        1 => base,
        _ if n % 2 == 0 => {
            let half = integer_power(base, n / 2);
            half * half
        }
        _ => integer_power(base, n - 1) * base,
    }
}
