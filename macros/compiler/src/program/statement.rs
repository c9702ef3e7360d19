//! Statements: what a function does with numbers, one after the other.

use super::{Array, Expression, Local, Place, Variable};

/// A statement of a function. A list of variables has one for each entry, argument or order; `None` is not used. Tables
/// and parameters are counted in the order of declaration.
#[derive(Debug, Clone, PartialEq)]
#[allow(missing_docs, reason = "the names say it")]
pub enum Statement {
    /// Computes a variable.
    Let { to: Variable, value: Expression },
    /// Takes variables from the first entries of an array.
    Unpack { array: Array, entries: Vec<Option<Variable>> },
    /// Takes variables from entries that follow each other.
    Take { first: Place, entries: Vec<Option<Variable>> },
    /// Computes a sine and a cosine together.
    SinCos { sin: Option<Variable>, cos: Option<Variable>, argument: Expression },
    /// Computes the sines and cosines of several arguments together.
    SinCosEach { sines: Vec<Option<Variable>>, cosines: Vec<Option<Variable>>, arguments: Vec<Expression> },
    /// Computes the exponential function of several arguments together.
    ExpEach { values: Vec<Option<Variable>>, arguments: Vec<Expression> },
    /// Looks up values of a table and of its derivatives at one place.
    Lookup {
        values: Vec<Option<Variable>>,
        table: usize,
        arguments: Vec<Expression>,
        /// Orders of derivative by the arguments; the second one is 0 for a curve.
        orders: Vec<[u8; 2]>,
    },
    /// Stores a number.
    Store { to: Place, value: Expression },
    /// Stores numbers in the entries from `first` on.
    StoreAll {
        array: Array,
        first: usize,
        /// True if these are all entries of the array.
        is_whole: bool,
        /// The name of the numbers, for back ends that name them; `None` where the array says it.
        name: Option<String>,
        values: Vec<Expression>,
    },
    /// Stores numbers in entries that follow each other.
    Put { first: Place, values: Vec<Expression> },
    /// Adds a number to an entry.
    Add { to: Place, value: Expression },
    /// Repeats statements.
    Loop { count: usize, body: Vec<Self> },
    /// Computes the sines and cosines of as many arguments as there are repetitions.
    SinCosLoop {
        /// Number of repetitions.
        count: usize,
        before: Vec<Self>,
        argument: Expression,
        arguments: Local,
        sines: Local,
        cosines: Local,
    },
    /// Does something if a parameter is selected.
    IfSelected { parameter: usize, body: Vec<Self> },
    /// Copies all entries of an array into a local one.
    Copy { from: Array, to: Local },
    /// Adds all entries of a local array to those of an array.
    AddAll { from: Local, to: Array },
    /// Stores the entries of selected parameters; both arrays have one for every parameter.
    StoreSelected { from: Local, to: Array },
    /// Does what another function does, with the same arguments.
    Call(&'static str),
    /// Stores in a local array what the function of a group stores in `Out`, at the same point.
    Evaluate { function: &'static str, to: Local },
}

impl Statement {
    /// Stores numbers in all entries of an array.
    pub(crate) fn store_whole(array: Array, values: Vec<Expression>) -> Self {
        Self::StoreAll { array, first: 0, is_whole: true, name: None, values }
    }

    /// Checks whether the statement computes variables for those after it.
    pub fn computes_variables(&self) -> bool {
        matches!(
            self,
            Self::Let { .. }
                | Self::Unpack { .. }
                | Self::Take { .. }
                | Self::SinCos { .. }
                | Self::SinCosEach { .. }
                | Self::ExpEach { .. }
                | Self::Lookup { .. }
        )
    }

    /// Returns the variables that the statement computes for those after it.
    pub fn variables(&self) -> Vec<Variable> {
        let lists: [&[Option<Variable>]; 2] = match self {
            Self::Let { to, .. } => return vec![*to],
            Self::SinCos { sin, cos, .. } => return [*sin, *cos].into_iter().flatten().collect(),
            Self::Unpack { entries, .. } | Self::Take { entries, .. } => [entries, &[]],
            Self::SinCosEach { sines, cosines, .. } => [sines, cosines],
            Self::ExpEach { values, .. } | Self::Lookup { values, .. } => [values, &[]],
            _ => return Vec::new(),
        };
        lists.concat().into_iter().flatten().collect()
    }
}
