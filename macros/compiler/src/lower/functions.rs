//! The functions of the language.

use crate::dimension::Measure;
use crate::symbolic::{Function, Graph, Id};
use crate::units::Exponent;

/// A function of numbers whose value is a number.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NumberFunction {
    Unary(Function),
    Atan2,
    Min,
    Max,
    SmoothStep,
}

/// Functions that are composed of others: names and arguments.
const MADE: [(NumberFunction, &str, &str); 4] = [
    (NumberFunction::Atan2, "atan2", "y, x"),
    (NumberFunction::Min, "min", "a, b, ..."),
    (NumberFunction::Max, "max", "a, b, ..."),
    (NumberFunction::SmoothStep, "smooth_step", "x, from, to"),
];

/// A function that takes vectors. Quantities other than tables may have the same names.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum VectorFunction {
    Norm,
    Inner,
    Cross,
}

/// Names and arguments of the functions of vectors.
const OF_VECTORS: [(VectorFunction, &str, &[&str]); 3] = [
    (VectorFunction::Norm, "norm", &["v"]),
    (VectorFunction::Inner, "inner", &["v", "w"]),
    (VectorFunction::Cross, "cross", &["v", "w"]),
];

impl VectorFunction {
    /// Finds the function called `name`.
    pub fn named(name: &str) -> Option<Self> {
        OF_VECTORS.into_iter().find(|(_, known, _)| *known == name).map(|(function, ..)| function)
    }

    /// Returns the name.
    pub fn name(self) -> &'static str {
        self.entry().1
    }

    /// Returns the number of arguments.
    pub fn count(self) -> usize {
        self.entry().2.len()
    }

    /// Returns the name and the arguments, for messages.
    pub fn signature(self) -> String {
        format!("{}({})", self.name(), self.entry().2.join(", "))
    }

    fn entry(self) -> (Self, &'static str, &'static [&'static str]) {
        OF_VECTORS[self as usize]
    }
}

/// The units of the arguments of a function.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Arguments {
    /// Pure numbers, angles among them.
    Numbers,
    /// Arguments that all have the same unit.
    Alike,
}

/// Functions that take names or units instead of values.
pub const NAME_FUNCTIONS: [&str; 4] = ["dot", "ddot", "multiplier", "value"];

/// Names from other languages, and what to write here.
const FOREIGN: [(&str, &str); 15] = [
    ("log", "`ln(x)` or `log10(x)`"),
    ("pow", "`x^y`"),
    ("powi", "`x^n`"),
    ("powf", "`x^y`"),
    ("arcsin", "`asin(x)`"),
    ("arccos", "`acos(x)`"),
    ("arctan", "`atan(x)`"),
    ("arctan2", "`atan2(y, x)`"),
    ("fabs", "`abs(x)`"),
    ("sgn", "`sign(x)`"),
    ("signum", "`sign(x)`"),
    ("der", "`dot(x)`"),
    ("smoothstep", "`smooth_step(x, from, to)`"),
    ("sqr", "`x^2`"),
    ("sum", "`sum(i in 1..=3, x[i])`"),
];

impl NumberFunction {
    /// Finds the function called `name`.
    pub fn named(name: &str) -> Option<Self> {
        let made = MADE.into_iter().find(|(_, known, _)| *known == name).map(|(function, ..)| function);
        made.or_else(|| Function::ALL.into_iter().find(|known| known.name() == name).map(Self::Unary))
    }

    /// Returns the name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Unary(function) => function.name(),
            made => MADE.into_iter().find(|(function, ..)| *function == made).map_or("", |(_, name, _)| name),
        }
    }

    /// Returns the name and the arguments, for messages.
    pub fn signature(self) -> String {
        let arguments = MADE.into_iter().find(|(function, ..)| *function == self);
        format!("{}({})", self.name(), arguments.map_or("x", |(.., arguments)| arguments))
    }

    /// Returns the units of the arguments.
    pub fn arguments(self) -> Arguments {
        match self {
            Self::Unary(Function::Sqrt | Function::Abs | Function::Sign) => Arguments::Alike,
            Self::Unary(_) => Arguments::Numbers,
            Self::Atan2 | Self::Min | Self::Max | Self::SmoothStep => Arguments::Alike,
        }
    }

    /// Returns the unit of the function's value for arguments that are all in `unit`.
    pub fn unit(self, unit: Measure) -> Measure {
        match self {
            Self::Unary(Function::Sqrt) => unit.power(Exponent::ONE_HALF),
            Self::Unary(Function::Abs) | Self::Min | Self::Max => unit,
            Self::Unary(_) | Self::Atan2 | Self::SmoothStep => Measure::NUMBER,
        }
    }

    /// Builds the function's value; `None` if the number of arguments is wrong.
    pub fn apply(self, graph: &mut Graph, arguments: &[Id]) -> Option<Id> {
        match (self, arguments) {
            (Self::Unary(function), &[x]) => Some(graph.unary(function, x)),
            (Self::Atan2, &[y, x]) => Some(graph.atan2(y, x)),
            (Self::Min, &[first, ref rest @ ..]) if !rest.is_empty() => {
                Some(rest.iter().fold(first, |least, &x| graph.min(least, x)))
            }
            (Self::Max, &[first, ref rest @ ..]) if !rest.is_empty() => {
                Some(rest.iter().fold(first, |most, &x| graph.max(most, x)))
            }
            (Self::SmoothStep, &[x, from, to]) => Some(graph.smooth_step(x, from, to)),
            _ => None,
        }
    }
}

/// Checks whether `name` is a function of numbers or a name function of the language.
pub fn is_function(name: &str) -> bool {
    NAME_FUNCTIONS.contains(&name) || NumberFunction::named(name).is_some()
}

/// Lists the names of all functions.
pub fn names() -> Vec<&'static str> {
    let mut names: Vec<&str> = Function::ALL.into_iter().map(Function::name).collect();
    names.extend(MADE.map(|(_, name, _)| name));
    names.extend(NAME_FUNCTIONS);
    names.extend(OF_VECTORS.map(|(_, name, _)| name));
    names
}

/// Returns what to write instead of a function known from another language.
pub fn foreign(name: &str) -> Option<&'static str> {
    FOREIGN.iter().find(|(foreign, _)| *foreign == name).map(|(_, here)| *here)
}
