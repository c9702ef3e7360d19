//! Evaluation of expressions by plain recursion, with derivatives of any order.

use crate::models::flat::{Symbol, Value};
use crate::models::jet::{Jet, smooth};
use crate::models::tree::{Condition, Expr, Operator, Table};

/// Function that evaluates the partial derivative of these orders of a table at these arguments; tables of one
/// argument ignore the second.
pub type TableValues<'a> = &'a dyn Fn(usize, [usize; 2], [f64; 2]) -> f64;

/// Numbers of all quantities of a model.
#[derive(Debug, Clone, PartialEq)]
pub struct Numbers<T> {
    /// t
    pub time: T,
    /// q
    pub coordinates: Vec<T>,
    /// v
    pub velocities: Vec<T>,
    /// a
    pub accelerations: Vec<T>,
    /// lambda
    pub multipliers: Vec<T>,
    /// p
    pub parameters: Vec<T>,
    /// u
    pub inputs: Vec<T>,
}

/// A quantity that has a number of its own.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum Variable {
    Time,
    Coordinate(usize),
    Velocity(usize),
    Acceleration(usize),
    Multiplier(usize),
    Parameter(usize),
    Input(usize),
}

impl<T> Numbers<T> {
    /// Applies `change` to every number.
    pub fn map<U>(&self, mut change: impl FnMut(Variable, &T) -> U) -> Numbers<U> {
        let mut list = |variable: fn(usize) -> Variable, all: &[T]| -> Vec<U> {
            all.iter().enumerate().map(|(i, number)| change(variable(i), number)).collect()
        };
        Numbers {
            coordinates: list(Variable::Coordinate, &self.coordinates),
            velocities: list(Variable::Velocity, &self.velocities),
            accelerations: list(Variable::Acceleration, &self.accelerations),
            multipliers: list(Variable::Multiplier, &self.multipliers),
            parameters: list(Variable::Parameter, &self.parameters),
            inputs: list(Variable::Input, &self.inputs),
            time: change(Variable::Time, &self.time),
        }
    }
}

/// Numbers with derivatives.
#[derive(Debug, Clone)]
pub struct Point {
    /// The numbers.
    pub numbers: Numbers<Jet>,
    /// Largest number of nilpotent parts of the numbers.
    pub order: usize,
}

impl Point {
    /// Makes a point without derivatives.
    pub fn new(numbers: &Numbers<f64>) -> Point {
        Point { numbers: numbers.map(|_, number| Jet::constant(*number)), order: 0 }
    }

    /// Adds a part with the derivative of every number.
    pub fn along(&self, derivative: impl Fn(Variable) -> Option<Jet>) -> Point {
        let numbers = self.numbers.map(|variable, number| match derivative(variable) {
            Some(derivative) => Jet::joined(number, &derivative, self.order),
            None => number.clone(),
        });
        Point { numbers, order: self.order + 1 }
    }

    /// Adds a part for the time: its coefficients are d/dt.
    fn moving(&self) -> Point {
        self.along(|variable| match variable {
            Variable::Time => Some(Jet::constant(1.0)),
            Variable::Coordinate(i) => Some(self.numbers.velocities[i].clone()),
            Variable::Velocity(i) => Some(self.numbers.accelerations[i].clone()),
            _ => None,
        })
    }
}

/// Evaluator of expressions at a point.
pub struct Evaluate<'a> {
    /// The numbers.
    pub at: Point,
    /// Factors that convert parameters and inputs to SI units.
    pub scales: [&'a [f64]; 2],
    /// The tables, with their units.
    pub tables: &'a [Table],
    /// Values of the tables.
    pub table: TableValues<'a>,
}

impl Evaluate<'_> {
    fn moving(&self) -> Evaluate<'_> {
        Evaluate { at: self.at.moving(), scales: self.scales, tables: self.tables, table: self.table }
    }

    /// Evaluates an expression.
    pub fn value(&self, expr: &Value) -> Jet {
        match expr {
            Expr::Number(value, unit) => Jet::constant(value * unit.as_ref().map_or(1.0, |unit| unit.scale)),
            Expr::Pi => Jet::constant(std::f64::consts::PI),
            Expr::Time => self.at.numbers.time.clone(),
            Expr::Leaf(Symbol::Parameter(i)) => scaled(&self.at.numbers.parameters[*i], self.scales[0][*i]),
            Expr::Leaf(Symbol::Input(i)) => scaled(&self.at.numbers.inputs[*i], self.scales[1][*i]),
            Expr::Leaf(Symbol::Coordinate(i)) => self.at.numbers.coordinates[*i].clone(),
            Expr::Multiplier(Symbol::Constraint(i)) => self.at.numbers.multipliers[*i].clone(),
            Expr::Leaf(Symbol::Constraint(_)) | Expr::Multiplier(_) => Jet::constant(f64::NAN),
            Expr::Negate(a) => -&self.value(a),
            Expr::Binary(operator, a, b) => {
                let (a, b) = (self.value(a), self.value(b));
                match operator {
                    Operator::Add => &a + &b,
                    Operator::Subtract => &a - &b,
                    Operator::Multiply => &a * &b,
                    Operator::Divide => &a / &b,
                    Operator::Power => a.power(&b),
                }
            }
            Expr::Call(function, arguments) => {
                let arguments: Vec<Jet> = arguments.iter().map(|argument| self.value(argument)).collect();
                call(function, &arguments)
            }
            Expr::Table(name, arguments) => self.lookup(name, arguments),
            Expr::Value(a, unit) => scaled(&self.value(a), 1.0 / unit.scale),
            Expr::If(condition, a, b) => self.value(if self.holds(condition) { a } else { b }),
            Expr::Rate(a) => self.rate(a),
            Expr::SecondRate(a) => {
                let order = self.at.order;
                self.moving().moving().value(a).part(order + 1).part(order)
            }
        }
    }

    fn rate(&self, value: &Value) -> Jet {
        match value {
            Expr::Leaf(Symbol::Coordinate(i)) => self.at.numbers.velocities[*i].clone(),
            _ => self.moving().value(value).part(self.at.order),
        }
    }

    fn lookup(&self, name: &str, arguments: &[Value]) -> Jet {
        let Some(position) = self.tables.iter().position(|table| table.name == name) else {
            return Jet::constant(f64::NAN);
        };
        let table = &self.tables[position];
        let in_units = |i: usize| match arguments.get(i) {
            Some(argument) => scaled(&self.value(argument), 1.0 / table.arguments[i].1.scale),
            None => Jet::constant(0.0),
        };
        let values = |orders, x| (self.table)(position, orders, x);
        let value = Jet::partial(&values, [0, 0], [&in_units(0), &in_units(1)]);
        scaled(&value, table.unit.scale)
    }

    fn holds(&self, condition: &Condition<Symbol>) -> bool {
        match condition {
            Condition::Compare(sign, a, b) => {
                let (a, b) = (self.value(a).value(), self.value(b).value());
                match *sign {
                    "<" => a < b,
                    "<=" => a <= b,
                    ">" => a > b,
                    ">=" => a >= b,
                    "==" => a == b,
                    _ => a != b,
                }
            }
            Condition::And(a, b) => self.holds(a) && self.holds(b),
            Condition::Or(a, b) => self.holds(a) || self.holds(b),
            Condition::Not(a) => !self.holds(a),
            Condition::Feature(_) => false,
        }
    }
}

fn scaled(value: &Jet, scale: f64) -> Jet {
    value * &Jet::constant(scale)
}

fn call(function: &str, arguments: &[Jet]) -> Jet {
    let [first, rest @ ..] = arguments else { return Jet::constant(f64::NAN) };
    match (function, rest) {
        ("atan2", [x]) => first.atan2(x),
        ("min", rest) => choose(first, rest, |new, old| new < old),
        ("max", rest) => choose(first, rest, |new, old| new > old),
        ("smooth_step", [from, to]) => smooth_step(first, from, to),
        _ => smooth(function).map_or_else(|| Jet::constant(f64::NAN), |function| first.apply(function)),
    }
}

/// Returns the first argument unless a later one is better.
fn choose(first: &Jet, rest: &[Jet], better: fn(f64, f64) -> bool) -> Jet {
    let best = rest.iter().fold(first, |best, next| if better(next.value(), best.value()) { next } else { best });
    best.clone()
}

fn smooth_step(x: &Jet, from: &Jet, to: &Jet) -> Jet {
    let s = &(x - from) / &(to - from);
    if s.value() <= 0.0 {
        return Jet::constant(0.0);
    }
    if s.value() >= 1.0 {
        return Jet::constant(1.0);
    }
    let inner = &(&Jet::constant(10.0) - &(&Jet::constant(15.0) * &s)) + &(&Jet::constant(6.0) * &(&s * &s));
    &s.whole_power(3) * &inner
}
