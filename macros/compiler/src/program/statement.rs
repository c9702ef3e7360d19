//! Statements: what a function does with numbers, one after the other.

use super::{Array, Expression, Local, Place, Variable};

/// A statement of a function.
#[derive(Debug, Clone, PartialEq)]
pub enum Statement {
    /// Computes a variable.
    Let {
        /// The variable.
        to: Variable,
        /// The value of the variable.
        value: Expression,
    },
    /// Takes variables from the first entries of an array.
    Unpack {
        /// The array.
        array: Array,
        /// The variable of each entry; `None` for an entry that is not used.
        entries: Vec<Option<Variable>>,
    },
    /// Takes variables from entries that follow each other.
    Take {
        /// The first entry.
        first: Place,
        /// The variable of each entry; `None` for an entry that is not used.
        entries: Vec<Option<Variable>>,
    },
    /// Computes a sine and a cosine together.
    SinCos {
        /// The sine.
        sin: Option<Variable>,
        /// The cosine.
        cos: Option<Variable>,
        /// The argument.
        argument: Expression,
    },
    /// Computes the sines and cosines of several arguments together.
    SinCosEach {
        /// The sine of each argument.
        sines: Vec<Option<Variable>>,
        /// The cosine of each argument.
        cosines: Vec<Option<Variable>>,
        /// The arguments.
        arguments: Vec<Expression>,
    },
    /// Computes the exponential function of several arguments together.
    ExpEach {
        /// The value of each argument.
        values: Vec<Option<Variable>>,
        /// The arguments.
        arguments: Vec<Expression>,
    },
    /// Looks up values of a table and of its derivatives at one place.
    Lookup {
        /// The value of each order.
        values: Vec<Option<Variable>>,
        /// The table, in the order of declaration.
        table: usize,
        /// One argument or two.
        arguments: Vec<Expression>,
        /// Orders of derivative by the arguments; the second one is 0 for a curve.
        orders: Vec<[u8; 2]>,
    },
    /// Stores a number.
    Store {
        /// The entry.
        to: Place,
        /// The number.
        value: Expression,
    },
    /// Stores numbers in the entries from `first` on.
    StoreAll {
        /// The array.
        array: Array,
        /// The first entry.
        first: usize,
        /// True if these are all entries of the array.
        is_whole: bool,
        /// The name of the numbers, for back ends that name them; `None` where the array says it.
        name: Option<String>,
        /// The numbers.
        values: Vec<Expression>,
    },
    /// Stores numbers in entries that follow each other.
    Put {
        /// The first entry.
        first: Place,
        /// The numbers.
        values: Vec<Expression>,
    },
    /// Adds a number to an entry.
    Add {
        /// The entry.
        to: Place,
        /// The number.
        value: Expression,
    },
    /// Repeats statements.
    Loop {
        /// Number of repetitions.
        count: usize,
        /// The statements that are repeated.
        body: Vec<Self>,
    },
    /// Computes the sines and cosines of as many arguments as there are repetitions.
    SinCosLoop {
        /// Number of repetitions.
        count: usize,
        /// The statements before each argument.
        before: Vec<Self>,
        /// The argument of a repetition.
        argument: Expression,
        /// The arguments, as many as repetitions.
        arguments: Local,
        /// The sines, as many as repetitions.
        sines: Local,
        /// The cosines, as many as repetitions.
        cosines: Local,
    },
    /// Does something if a parameter is selected.
    IfSelected {
        /// The parameter.
        parameter: usize,
        /// The statements for a selected parameter.
        body: Vec<Self>,
    },
    /// Copies all entries of an array into a local one.
    Copy {
        /// The array.
        from: Array,
        /// The local array.
        to: Local,
    },
    /// Adds all entries of a local array to those of an array.
    AddAll {
        /// The local array.
        from: Local,
        /// The array.
        to: Array,
    },
    /// Stores the entries of selected parameters.
    StoreSelected {
        /// The local array, an entry for every parameter.
        from: Local,
        /// The array, an entry for every parameter.
        to: Array,
    },
    /// Does what another function does, with the same arguments.
    Call(&'static str),
    /// Stores in a local array what the function of a group stores in `Out`, at the same point.
    Evaluate {
        /// The name of the group's function.
        function: &'static str,
        /// The local array, as long as the array of the group.
        to: Local,
    },
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
