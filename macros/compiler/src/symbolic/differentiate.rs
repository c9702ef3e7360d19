//! Exact derivatives.

use super::change::Change;
use super::graph::{Function, Graph, Node};
use super::id::Id;
use super::symbol::{Integrator, Symbol};

impl Graph {
    /// Returns the partial derivative of `id` with respect to `symbol`.
    ///
    /// Derivatives are memoised and built from the nodes of `id` itself, so that shared subexpressions stay shared.
    /// Piecewise expressions are differentiated branch by branch; conditions have no derivative. Where a function is
    /// not differentiable: abs' = sign (0 at 0), sign' = 0, min and max take the derivative of the branch that gives
    /// the value, and the derivative of a speed, the root of a sum of squares that depends on velocities, is 0 at
    /// standstill.
    pub fn differentiate(&mut self, id: Id, symbol: Symbol) -> Id {
        self.derivative_by(id, Change::Symbol(symbol))
    }

    /// Returns the derivative of `id` with respect to the acceleration of coordinate `i` at the end of an implicit
    /// step, on which velocity and position depend: dv/da = w_v, dq/da = w_q. This takes fewer operations than the
    /// sum of three derivatives.
    pub fn differentiate_by_step(&mut self, id: Id, i: usize) -> Id {
        self.derivative_by(id, Change::Step(i))
    }

    /// Returns the partial derivative of `id` with respect to the value of the lookup `lookup` in a table, as if that
    /// value did not depend on its arguments: the contribution of this lookup to the effect of a change of the
    /// table's data on `id`.
    pub fn differentiate_by_lookup(&mut self, id: Id, lookup: Id) -> Id {
        self.derivative_by(id, Change::Lookup(lookup))
    }

    fn derivative_by(&mut self, id: Id, change: Change) -> Id {
        if self.exceeded().is_some() || !self.changes_by(id, change) {
            return self.zero();
        }
        let id = self.dependent_term(id, change);
        self.derivative(id, change)
    }

    /// Checks whether this is a sum of squares, one of which depends on a velocity: the sum can vanish at standstill,
    /// where the derivative of its root is 0/0.
    fn is_length_at_rest(&self, id: Id) -> bool {
        let (mut open, mut squares) = (vec![id], Vec::new());
        while let Some(term) = open.pop() {
            match self.node(term) {
                Node::Add(a, b) => open.extend([a, b]),
                Node::PowerInteger(a, exponent) if exponent > 0 && exponent % 2 == 0 => squares.push(a),
                Node::Multiply(a, b) if a == b => squares.push(a),
                _ => return false,
            }
        }
        squares.into_iter().any(|square| self.depends_on_velocities(square))
    }

    fn changes_by(&self, id: Id, change: Change) -> bool {
        if let Change::Lookup(lookup) = change {
            return self.may_depend_on_lookup(id, lookup);
        }
        let (symbols, length) = change.symbols();
        symbols[..length].iter().any(|&symbol| self.depends_on(id, symbol))
    }

    /// Returns the derivative of a symbol that depends on `change`.
    fn rate_of(&mut self, symbol: Symbol, change: Change) -> Id {
        match (change, symbol) {
            (Change::Step(_), Symbol::Velocity(_)) => self.symbol(Symbol::Integrator(Integrator::Velocities)),
            (Change::Step(_), Symbol::Coordinate(_)) => self.symbol(Symbol::Integrator(Integrator::Coordinates)),
            _ => self.constant(1.0),
        }
    }

    /// Descends to the term of a sum that alone depends on `change`. Long sums have many such partial sums, which
    /// need not be memoised.
    fn dependent_term(&self, mut id: Id, change: Change) -> Id {
        loop {
            id = match self.node(id) {
                Node::Add(a, b) | Node::Subtract(a, b) if !self.changes_by(b, change) => a,
                Node::Add(a, b) if !self.changes_by(a, change) => b,
                _ => return id,
            };
        }
    }

    /// Returns the derivative of `id`, which depends on `change`.
    fn derivative(&mut self, id: Id, change: Change) -> Id {
        if let Some(&derivative) = self.derivatives.get(&(id, change)) {
            return derivative;
        }
        let derivative = self.derivative_of_node(id, change);
        self.derivatives.insert((id, change), derivative);
        derivative
    }

    fn derivative_of_node(&mut self, id: Id, change: Change) -> Id {
        if change == Change::Lookup(id) {
            return self.constant(1.0);
        }
        match self.node(id) {
            Node::Symbol(_) if matches!(change, Change::Lookup(_)) => self.zero(),
            Node::Symbol(symbol) => self.rate_of(symbol, change),
            Node::Negate(a) => {
                let da = self.derivative_by(a, change);
                self.negate(da)
            }
            Node::Add(a, b) => {
                let (da, db) = (self.derivative_by(a, change), self.derivative_by(b, change));
                self.add(da, db)
            }
            Node::Subtract(a, b) => {
                let (da, db) = (self.derivative_by(a, change), self.derivative_by(b, change));
                self.subtract(da, db)
            }
            Node::Multiply(a, b) => {
                let (da, db) = (self.derivative_by(a, change), self.derivative_by(b, change));
                let (left, right) = (self.multiply(da, b), self.multiply(a, db));
                self.add(left, right)
            }
            Node::Divide(a, b) => self.derivative_of_quotient(id, a, b, change),
            Node::PowerInteger(a, n) => {
                let da = self.derivative_by(a, change);
                let factor = self.constant(f64::from(n));
                let power = self.power_integer(a, n - 1);
                let outer = self.multiply(factor, power);
                self.multiply(outer, da)
            }
            Node::Power(a, b) => self.derivative_of_power(id, a, b, change),
            Node::Unary(function, a) => {
                let da = self.derivative_by(a, change);
                self.derivative_of_function(id, function, a, da)
            }
            Node::Atan2(y, x) => {
                let (dy, dx) = (self.derivative_by(y, change), self.derivative_by(x, change));
                let (left, right) = (self.multiply(x, dy), self.multiply(y, dx));
                let numerator = self.subtract(left, right);
                let (xx, yy) = (self.power_integer(x, 2), self.power_integer(y, 2));
                let denominator = self.add(xx, yy);
                self.divide(numerator, denominator)
            }
            Node::Curve(lookup, x) => {
                let Some(lookup) = lookup.differentiated(0) else { return self.zero() };
                let (slope, dx) = (self.curve(lookup, x), self.derivative_by(x, change));
                self.multiply(slope, dx)
            }
            Node::Surface(lookup, x, y) => {
                let mut sum = self.zero();
                for (argument, of) in [x, y].into_iter().enumerate() {
                    let rate = self.derivative_by(of, change);
                    if let Some(lookup) = lookup.differentiated(argument)
                        && !self.is_zero(rate)
                    {
                        let slope = self.surface(lookup, x, y);
                        let term = self.multiply(slope, rate);
                        sum = self.add(sum, term);
                    }
                }
                sum
            }
            Node::Select(condition, a, b) => {
                let (da, db) = (self.derivative_by(a, change), self.derivative_by(b, change));
                self.select(condition, da, db)
            }
            Node::Constant(_)
            | Node::Less(..)
            | Node::LessEqual(..)
            | Node::Equal(..)
            | Node::And(..)
            | Node::Or(..)
            | Node::Not(_) => self.zero(),
        }
    }

    /// Derives (a/b)' = (a' - (a/b) b')/b, which reuses the quotient.
    fn derivative_of_quotient(&mut self, quotient: Id, a: Id, b: Id, change: Change) -> Id {
        let (da, db) = (self.derivative_by(a, change), self.derivative_by(b, change));
        let scaled = self.multiply(quotient, db);
        let numerator = self.subtract(da, scaled);
        self.divide(numerator, b)
    }

    /// Derives (a^b)' = b a^(b-1) a' + a^b ln(a) b'.
    fn derivative_of_power(&mut self, power: Id, a: Id, b: Id, change: Change) -> Id {
        let (da, db) = (self.derivative_by(a, change), self.derivative_by(b, change));
        let mut result = self.zero();
        if !self.is_zero(da) {
            let one = self.constant(1.0);
            let exponent = self.subtract(b, one);
            let smaller = self.power(a, exponent);
            let outer = self.multiply(b, smaller);
            result = self.multiply(outer, da);
        }
        if !self.is_zero(db) {
            let logarithm = self.unary(Function::Ln, a);
            let outer = self.multiply(power, logarithm);
            let of_exponent = self.multiply(outer, db);
            result = self.add(result, of_exponent);
        }
        result
    }

    /// Derives `id` = function(a), given da.
    fn derivative_of_function(&mut self, id: Id, function: Function, a: Id, da: Id) -> Id {
        let one = self.constant(1.0);
        match function {
            Function::Sin => {
                let outer = self.unary(Function::Cos, a);
                self.multiply(outer, da)
            }
            Function::Cos => {
                let sine = self.unary(Function::Sin, a);
                let outer = self.negate(sine);
                self.multiply(outer, da)
            }
            Function::Tan => {
                let square = self.power_integer(id, 2);
                let outer = self.add(one, square);
                self.multiply(outer, da)
            }
            Function::Asin | Function::Acos => {
                let square = self.power_integer(a, 2);
                let rest = self.subtract(one, square);
                let root = self.unary(Function::Sqrt, rest);
                let quotient = self.divide(da, root);
                if function == Function::Acos { self.negate(quotient) } else { quotient }
            }
            Function::Atan => {
                let square = self.power_integer(a, 2);
                let denominator = self.add(one, square);
                self.divide(da, denominator)
            }
            Function::Sinh => {
                let outer = self.unary(Function::Cosh, a);
                self.multiply(outer, da)
            }
            Function::Cosh => {
                let outer = self.unary(Function::Sinh, a);
                self.multiply(outer, da)
            }
            Function::Tanh => {
                let outer = self.unary(Function::SechSquared, a);
                self.multiply(outer, da)
            }
            Function::SechSquared => {
                let (minus_two, tangent) = (self.constant(-2.0), self.unary(Function::Tanh, a));
                let product = self.multiply(tangent, id);
                let outer = self.multiply(minus_two, product);
                self.multiply(outer, da)
            }
            Function::Exp => self.multiply(id, da),
            Function::Ln => self.divide(da, a),
            Function::Log10 => {
                let scale = self.constant(std::f64::consts::LN_10);
                let denominator = self.multiply(scale, a);
                self.divide(da, denominator)
            }
            Function::Sqrt => {
                let two = self.constant(2.0);
                let denominator = self.multiply(two, id);
                let slope = self.divide(da, denominator);
                if !self.is_length_at_rest(a) {
                    return slope;
                }
                let zero = self.zero();
                let rests = self.equal(id, zero);
                self.select(rests, zero, slope)
            }
            Function::Abs => {
                let outer = self.unary(Function::Sign, a);
                self.multiply(outer, da)
            }
            Function::Sign => self.zero(),
        }
    }

    /// Returns the total time derivative along a motion: q' = v, v' = a. Inputs, accelerations and multipliers have
    /// no time derivative here; the caller refuses them.
    pub fn time_derivative(&mut self, id: Id) -> Id {
        let symbols = self.symbols(id).to_vec();
        let mut terms = Vec::new();
        for symbol in symbols {
            let rate = match symbol {
                Symbol::Time => self.constant(1.0),
                Symbol::Coordinate(i) => self.symbol(Symbol::Velocity(i)),
                Symbol::Velocity(i) => self.symbol(Symbol::Acceleration(i)),
                _ => continue,
            };
            let partial = self.differentiate(id, symbol);
            terms.push(self.multiply(partial, rate));
        }
        self.sum(terms)
    }
}
