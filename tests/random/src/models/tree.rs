//! Models as trees: expressions over leaves `L`, which are names as written, or quantities of a written-out
//! model; entries with loops, conditions and `let`; blocks and components.

use std::rc::Rc;

use crate::models::units::Unit;

/// An expression.
#[derive(Debug, Clone, PartialEq)]
pub enum Expr<L> {
    /// `0.5[mm]`, never negative.
    Number(f64, Option<Unit>),
    /// `pi`
    Pi,
    /// `t`
    Time,
    /// A name.
    Leaf(L),
    /// `-a`
    Negate(Rc<Expr<L>>),
    /// `a*b`
    Binary(Operator, Rc<Expr<L>>, Rc<Expr<L>>),
    /// A function of numbers.
    Call(&'static str, Vec<Expr<L>>),
    /// A table in use.
    Table(String, Vec<Expr<L>>),
    /// `value(a, mm)`
    Value(Rc<Expr<L>>, Unit),
    /// `if condition { a } else { b }`
    If(Rc<Condition<L>>, Rc<Expr<L>>, Rc<Expr<L>>),
    /// `dot(a)`
    Rate(Rc<Expr<L>>),
    /// `ddot(a)`
    SecondRate(Rc<Expr<L>>),
    /// `multiplier(c)`
    Multiplier(L),
}

/// An operator between two numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Operator {
    /// `+`
    Add,
    /// `-`
    Subtract,
    /// `*`
    Multiply,
    /// `/`
    Divide,
    /// `^`
    Power,
}

/// Condition of an `if`.
#[derive(Debug, Clone, PartialEq)]
pub enum Condition<L> {
    /// `a < b`, with one of the six signs.
    Compare(&'static str, Expr<L>, Expr<L>),
    /// `a && b`
    And(Rc<Condition<L>>, Rc<Condition<L>>),
    /// `a || b`
    Or(Rc<Condition<L>>, Rc<Condition<L>>),
    /// `!a`
    Not(Rc<Condition<L>>),
    /// A structural argument that is true or false.
    Feature(String),
}

/// A whole number: `factor*variable + offset`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Index {
    /// A loop variable or a size; `None` for a number.
    pub variable: Option<String>,
    /// Factor of the variable.
    pub factor: i64,
    /// Number that is added.
    pub offset: i64,
}

impl Index {
    /// Makes the index of a number.
    pub fn number(offset: i64) -> Index {
        Index { variable: None, factor: 0, offset }
    }

    /// Makes the index of a variable with a number added.
    pub fn variable(name: &str, offset: i64) -> Index {
        Index { variable: Some(name.to_owned()), factor: 1, offset }
    }
}

/// `train[k].gear[2].x`
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Path(pub Vec<Segment>);

/// A name with its index.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Segment {
    /// The name.
    pub name: String,
    /// `[i]`
    pub index: Option<Index>,
}

impl Path {
    /// Makes the path of a plain name.
    pub fn name(name: &str) -> Path {
        Path(vec![Segment { name: name.to_owned(), index: None }])
    }

    /// Makes the path of an element of an array.
    pub fn element(name: &str, index: Index) -> Path {
        Path(vec![Segment { name: name.to_owned(), index: Some(index) }])
    }

    /// Returns the path of a member of the component that this path names.
    pub fn member(&self, name: &str) -> Path {
        let mut segments = self.0.clone();
        segments.push(Segment { name: name.to_owned(), index: None });
        Path(segments)
    }
}

/// An expression as it is written.
pub type Written = Expr<Path>;

/// An entry of a block.
#[derive(Debug, Clone)]
pub enum Entry<T> {
    /// A single entry.
    One(T),
    /// `let name = value;`
    Let(String, Written),
    /// `for variable in from..=to { entries }`
    For(String, Index, Index, Vec<Entry<T>>),
    /// `if feature { entries } else { entries }`
    If(Condition<Path>, Vec<Entry<T>>, Vec<Entry<T>>),
}

/// A declaration: `c[1..=3]: N/m = 50`.
#[derive(Debug, Clone)]
pub struct Declared {
    /// The name.
    pub name: String,
    /// First and last index of an array; `None` for a single quantity.
    pub range: Option<(Index, Index)>,
    /// Unit of the quantity.
    pub unit: Unit,
    /// Default value of a parameter, for all elements of an array.
    pub default: Option<f64>,
}

/// `x: m*l`, or `(x, y): m*l` with two coordinates.
#[derive(Debug, Clone)]
pub struct Mass {
    /// The coordinates.
    pub of: (Path, Option<Path>),
    /// The mass.
    pub value: Written,
}

/// `x: -c*x`; of constraints and outputs, the path is the declared name.
#[derive(Debug, Clone)]
pub struct Named {
    /// Path that the expression belongs to.
    pub of: Path,
    /// The unit of an output.
    pub unit: Option<Unit>,
    /// The value.
    pub value: Written,
}

/// `x = 0.1[m]`
#[derive(Debug, Clone)]
pub struct Initial {
    /// The coordinate.
    pub of: Path,
    /// Kind of the given value.
    pub what: InitialKind,
    /// The value.
    pub value: Written,
}

/// Kind of an initial value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum InitialKind {
    /// `x = ..`
    Position,
    /// `x ~ ..`
    Near,
    /// `dot(x) = ..`
    Velocity,
}

/// `-c*x^2`, or `spring: -c*x^2`.
#[derive(Debug, Clone)]
pub struct Energy {
    /// Name of the energy; `None` without one.
    pub name: Option<String>,
    /// The energy.
    pub value: Written,
}

/// `left: Spring { a = x }`
#[derive(Debug, Clone)]
pub struct Use {
    /// The name of this use.
    pub name: String,
    /// Index of a single use with an index, from inside of a loop.
    pub index: Option<Index>,
    /// First and last index of an array of uses; `None` for a single use.
    pub range: Option<(Index, Index)>,
    /// Name of the component.
    pub component: String,
    /// Bound names with their expressions.
    pub bindings: Vec<(String, Written)>,
}

/// `stop(x: mm): N`, whose data are given to each run.
#[derive(Debug, Clone)]
pub struct Table {
    /// The name.
    pub name: String,
    /// Names and units.
    pub arguments: Vec<(String, Unit)>,
    /// Unit of the values.
    pub unit: Unit,
}

/// A block.
#[derive(Debug, Clone)]
#[allow(missing_docs)]
pub enum Block {
    Parameters(Vec<Entry<Declared>>),
    Inputs(Vec<Entry<Declared>>),
    Tables(Vec<Table>),
    Connections(Vec<Declared>),
    Coordinates(Vec<Entry<Declared>>),
    Mass(Vec<Entry<Mass>>),
    Forces(Vec<Entry<Named>>),
    Constraints(Vec<Entry<Named>>),
    Outputs(Vec<Entry<Named>>),
    Initial(Vec<Entry<Initial>>),
    Kinetic(Vec<Entry<Energy>>),
    Potential(Vec<Entry<Energy>>),
    Dissipation(Vec<Entry<Energy>>),
    Components(Vec<Entry<Use>>),
    Let(String, Written),
    Component(String, Vec<Block>),
    Planar(crate::models::planar::Planar),
    Spatial(crate::models::spatial::Spatial),
}

/// A structural argument.
#[derive(Debug, Clone)]
pub struct Argument {
    /// The name.
    pub name: String,
    /// The default.
    pub value: ArgumentValue,
}

/// The value of a structural argument.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ArgumentValue {
    /// `usize`
    Size(usize),
    /// `bool`
    Feature(bool),
}

/// A model.
#[derive(Debug, Clone)]
pub struct Model {
    /// Name of the model.
    pub name: String,
    /// Structural arguments.
    pub arguments: Vec<Argument>,
    /// Blocks in the order of the text.
    pub blocks: Vec<Block>,
}

/// Makes `left operator right`.
pub fn binary<L>(operator: Operator, left: Expr<L>, right: Expr<L>) -> Expr<L> {
    Expr::Binary(operator, Rc::new(left), Rc::new(right))
}

/// Makes a sum.
pub fn add<L>(left: Expr<L>, right: Expr<L>) -> Expr<L> {
    binary(Operator::Add, left, right)
}

/// Makes a difference.
pub fn subtract<L>(left: Expr<L>, right: Expr<L>) -> Expr<L> {
    binary(Operator::Subtract, left, right)
}

/// Makes a product.
pub fn multiply<L>(left: Expr<L>, right: Expr<L>) -> Expr<L> {
    binary(Operator::Multiply, left, right)
}

/// Makes a quotient.
pub fn divide<L>(left: Expr<L>, right: Expr<L>) -> Expr<L> {
    binary(Operator::Divide, left, right)
}

/// Makes a power with a number as its exponent.
pub fn power<L>(base: Expr<L>, exponent: f64) -> Expr<L> {
    binary(Operator::Power, base, Expr::Number(exponent, None))
}

/// Makes `-a`.
pub fn negate<L>(value: Expr<L>) -> Expr<L> {
    Expr::Negate(Rc::new(value))
}

/// Makes `dot(a)`.
pub fn rate<L>(value: Expr<L>) -> Expr<L> {
    Expr::Rate(Rc::new(value))
}

/// Makes a call of a function of one number.
pub fn call<L>(function: &'static str, argument: Expr<L>) -> Expr<L> {
    Expr::Call(function, vec![argument])
}

/// Makes a number without unit.
pub fn number<L>(value: f64) -> Expr<L> {
    Expr::Number(value, None)
}
