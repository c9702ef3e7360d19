//! Random expressions of a given dimension.

use std::rc::Rc;

use rand::Rng;
use rand::seq::IndexedRandom;

use super::Generator;
use super::names::{Item, Kinds, Names};
use crate::models::tree::{
    Condition, Expr, Operator, Written, add, binary, call, divide, multiply, negate, number, power, rate, subtract,
};
use crate::models::units::{Dimension, ENERGY, FORCE, LENGTH, MASS, ONE, TIME, Unit};

/// Quantities that an expression may use.
#[derive(Clone, Copy)]
pub(super) struct Allowed<'a> {
    pub names: &'a Names,
    pub kinds: Kinds,
}

impl<'a> Allowed<'a> {
    fn items(self) -> impl Iterator<Item = &'a Item> {
        self.names.items.iter().filter(move |item| self.kinds.contain(item.kinds))
    }

    fn with(self, kinds: Kinds) -> Self {
        Allowed { kinds, ..self }
    }
}

impl Generator {
    /// Makes a number with a unit, between 0.1 and 3 in SI units.
    pub(super) fn number(&mut self, dimension: Dimension) -> Written {
        let unit = self.unit(dimension);
        let value = rounded(self.random.random_range(0.1..3.0) / unit.scale);
        if unit.scale == 1.0 && dimension == ONE && self.chance(0.9) {
            return Expr::Number(value, None);
        }
        Expr::Number(value, Some(unit))
    }

    /// Chooses a unit of a dimension.
    pub(super) fn unit(&mut self, dimension: Dimension) -> Unit {
        let units = dimension.units();
        units[self.random.random_range(0..units.len())].clone()
    }

    /// Chooses a dimension that occurs in mechanics.
    pub(super) fn any_dimension(&mut self) -> Dimension {
        let some = [ONE, LENGTH, MASS, FORCE, ENERGY, LENGTH - TIME, ONE - TIME, ENERGY - TIME];
        some[self.random.random_range(0..some.len())]
    }

    /// Chooses a quantity of this dimension, or a number where there is none.
    fn leaf(&mut self, dimension: Dimension, allowed: Allowed<'_>) -> Written {
        let fitting: Vec<&Item> = allowed.items().filter(|item| item.dimension == dimension).collect();
        match fitting.choose(&mut self.random) {
            Some(item) if self.chance(0.85) => item.expr.clone(),
            _ => self.number(dimension),
        }
    }

    fn item<'a>(&mut self, allowed: Allowed<'a>) -> Option<&'a Item> {
        let all: Vec<&Item> = allowed.items().collect();
        all.choose(&mut self.random).copied()
    }

    /// Makes an expression with about `depth` nested operations at most.
    pub(super) fn expr(&mut self, dimension: Dimension, allowed: Allowed<'_>, depth: usize) -> Written {
        if depth == 0 || self.chance(0.1) {
            return self.leaf(dimension, allowed);
        }
        let depth = depth - 1;
        match self.random.random_range(0..22) {
            0..=2 => {
                let (a, b) = (self.expr(dimension, allowed, depth), self.expr(dimension, allowed, depth));
                if self.chance(0.5) { add(a, b) } else { subtract(a, b) }
            }
            3..=6 => self.product(dimension, allowed, depth),
            7 => divide(self.expr(dimension + LENGTH, allowed, depth), self.positive(LENGTH, allowed, depth)),
            8 => {
                let over = self.any_dimension();
                divide(self.expr(dimension + over, allowed, depth), self.positive(over, allowed, depth))
            }
            9 => negate(self.expr(dimension, allowed, depth)),
            10 => self.choice(dimension, allowed, depth),
            11 => {
                let count = self.random.random_range(2..4);
                let name = if self.chance(0.5) { "min" } else { "max" };
                Expr::Call(name, (0..count).map(|_| self.expr(dimension, allowed, depth)).collect())
            }
            12 => call("abs", self.expr(dimension, allowed, depth)),
            13 => call("sqrt", self.positive(dimension.times(2), allowed, depth)),
            14 => self.root(dimension, allowed, depth),
            15 => self.rate_of(dimension, allowed, depth),
            16 | 17 => self.lookup(dimension, allowed, depth),
            18 => {
                let inner = self.expr(ONE, allowed, depth);
                multiply(self.number(dimension), inner)
            }
            _ if dimension == ONE => self.function(allowed, depth),
            _ => self.product(dimension, allowed, depth),
        }
    }

    fn product(&mut self, dimension: Dimension, allowed: Allowed<'_>, depth: usize) -> Written {
        let Some(item) = self.item(allowed) else { return self.leaf(dimension, allowed) };
        let rest = dimension - item.dimension;
        if !rest.is_moderate() {
            return self.leaf(dimension, allowed);
        }
        let (a, b) = (item.expr.clone(), self.expr(rest, allowed, depth));
        if self.chance(0.5) { multiply(a, b) } else { multiply(b, a) }
    }

    /// Makes an expression that is positive, and not small, at every state and with all parameters.
    pub(super) fn positive(&mut self, dimension: Dimension, allowed: Allowed<'_>, depth: usize) -> Written {
        let known: Vec<&Item> = allowed.items().filter(|item| item.positive && item.dimension == dimension).collect();
        if let Some(item) = known.choose(&mut self.random)
            && self.chance(0.5)
        {
            return item.expr.clone();
        }
        let one = self.number(dimension);
        if depth == 0 {
            return one;
        }
        let depth = depth - 1;
        match self.random.random_range(0..5) {
            0 => one,
            1 => multiply(one, call("exp", call("sin", self.expr(ONE, allowed, depth)))),
            2 => add(one, call("abs", self.expr(dimension, allowed, depth))),
            3 => match dimension.divided(2) {
                Some(half) => add(one, power(self.expr(half, allowed, depth), 2.0)),
                None => multiply(one, call("cosh", call("tanh", self.expr(ONE, allowed, depth)))),
            },
            _ => {
                let wave = call("cos", self.expr(ONE, allowed, depth));
                multiply(one, add(number(1.0), multiply(number(0.5), wave)))
            }
        }
    }

    /// Makes a power of a positive expression, with an exponent of 0.5, -0.5 or -1.
    fn root(&mut self, dimension: Dimension, allowed: Allowed<'_>, depth: usize) -> Written {
        let exponents = [(0.5, dimension.times(2)), (-0.5, dimension.times(-2)), (-1.0, dimension.times(-1))];
        let (exponent, inner) = exponents[self.random.random_range(0..3)];
        if !inner.is_moderate() {
            return self.leaf(dimension, allowed);
        }
        let base = self.positive(inner, allowed, depth);
        let exponent = if exponent < 0.0 { negate(number(-exponent)) } else { number(exponent) };
        binary(Operator::Power, base, exponent)
    }

    /// Makes `dot(..)` or `ddot(..)` of an expression of positions and time.
    fn rate_of(&mut self, dimension: Dimension, allowed: Allowed<'_>, depth: usize) -> Written {
        let positions = allowed.with(if allowed.kinds.contain(Kinds::TIME) { Kinds::CONSTRAINT } else { Kinds::MASS });
        let second = allowed.kinds.contain(Kinds::ACCELERATIONS) && self.chance(0.5);
        let inner = dimension + if second { TIME + TIME } else { TIME };
        if !allowed.kinds.contain(Kinds::VELOCITIES) || !inner.is_moderate() {
            return self.leaf(dimension, allowed);
        }
        let inner = self.expr(inner, positions, depth.min(2));
        if second { Expr::SecondRate(inner.into()) } else { rate(inner) }
    }

    fn lookup(&mut self, dimension: Dimension, allowed: Allowed<'_>, depth: usize) -> Written {
        let Some((name, arguments, unit)) = allowed.names.tables.choose(&mut self.random) else {
            return self.product(dimension, allowed, depth);
        };
        let rest = dimension - *unit;
        if !rest.is_moderate() {
            return self.leaf(dimension, allowed);
        }
        let arguments = arguments.iter().map(|argument| self.expr(*argument, allowed, depth.min(2))).collect();
        let value = Expr::Table(name.clone(), arguments);
        if rest == ONE { value } else { multiply(value, self.leaf(rest, allowed)) }
    }

    fn choice(&mut self, dimension: Dimension, allowed: Allowed<'_>, depth: usize) -> Written {
        let (a, b) = (self.expr(dimension, allowed, depth), self.expr(dimension, allowed, depth));
        let feature = allowed.names.features.choose(&mut self.random);
        let condition = match feature {
            Some(feature) if self.chance(0.3) => Condition::Feature(feature.clone()),
            _ => match self.condition(allowed, 2) {
                Some(condition) => condition,
                None => return a,
            },
        };
        Expr::If(Rc::new(condition), a.into(), b.into())
    }

    /// Makes a condition; `None` if there is no quantity that it may depend on.
    fn condition(&mut self, allowed: Allowed<'_>, depth: usize) -> Option<Condition<crate::models::tree::Path>> {
        if depth > 0 && self.chance(0.3) {
            let (a, b) = (self.condition(allowed, depth - 1)?, self.condition(allowed, depth - 1)?);
            return Some(match self.random.random_range(0..3) {
                0 => Condition::And(a.into(), b.into()),
                1 => Condition::Or(a.into(), b.into()),
                _ => Condition::Not(a.into()),
            });
        }
        let item = self.item(allowed)?;
        let sign = ["<", "<=", ">", ">=", "!=", "=="][self.random.random_range(0..6)];
        // numbers compared for equality must be exactly equal, or far from it
        let depth = if sign.ends_with("==") || sign.starts_with('!') { 0 } else { depth };
        let other = self.expr(item.dimension, allowed, depth.min(1));
        if other == item.expr {
            return Some(Condition::Compare("<", item.expr.clone(), self.number(item.dimension)));
        }
        Some(Condition::Compare(sign, item.expr.clone(), other))
    }

    /// Makes a dimensionless number by a function.
    fn function(&mut self, allowed: Allowed<'_>, depth: usize) -> Written {
        const ANYWHERE: [&str; 5] = ["sin", "cos", "atan", "tanh", "sign"];
        const SMALL: [&str; 6] = ["tan", "asin", "acos", "exp", "sinh", "cosh"];
        let inner = self.expr(ONE, allowed, depth);
        match self.random.random_range(0..16) {
            0..=4 => call(ANYWHERE[self.random.random_range(0..ANYWHERE.len())], inner),
            5..=8 => {
                let bounded = if self.chance(0.5) { "sin" } else { "tanh" };
                let small = multiply(number(0.9), call(bounded, inner));
                call(SMALL[self.random.random_range(0..SMALL.len())], small)
            }
            9 => call("ln", self.positive(ONE, allowed, depth)),
            10 => call("log10", self.positive(ONE, allowed, depth)),
            11 => {
                let dimension = self.any_dimension();
                let (y, x) = (self.expr(dimension, allowed, depth), self.expr(dimension, allowed, depth));
                Expr::Call("atan2", vec![y, x])
            }
            12 => {
                let dimension = self.any_dimension();
                let (x, from) = (self.expr(dimension, allowed, depth), self.number(dimension));
                let width = self.number(dimension);
                let to = if self.chance(0.7) { add(from.clone(), width) } else { subtract(from.clone(), width) };
                Expr::Call("smooth_step", vec![x, from, to])
            }
            13 => {
                let dimension = self.any_dimension();
                let unit = self.unit(dimension);
                // large numbers in small units stay moderate inside of a function
                let number_of = Expr::Value(self.expr(dimension, allowed, depth).into(), unit.clone());
                call("tanh", multiply(number(rounded(unit.scale)), number_of))
            }
            14 => binary(Operator::Power, self.positive(ONE, allowed, depth), call("sin", inner)),
            _ => power(inner, f64::from(self.random.random_range(2..5))),
        }
    }
}

/// Rounds to four digits, so that texts are short.
pub(super) fn rounded(value: f64) -> f64 {
    format!("{value:.3e}").parse().unwrap_or(value)
}
