//! Names: declarations, scopes, and the meaning of a name in use.
//!
//! Declared names are in spaces: one space for the model, and one for each component in use, body, joint and element.
//! `let`s and loop variables are in a stack of scopes. Indices and sizes are numbers here already; nothing is known of
//! expressions.
//!
//! Indices and sizes are numbers here already; nothing is known of expressions.

mod arguments;
mod bound;
mod declare;
mod integer;
mod kind;
mod path;
mod quantities;
mod resolve;
mod scope;
mod space;
mod table;
mod unknown;
mod usage;
mod words;

use std::collections::{BTreeSet, HashMap, HashSet};

use super::report::Report;
pub use kind::Kind;
pub use path::{Segment, segments};
pub use quantities::{Bound, Quantities};
pub use scope::{Array, LetValue, Local, MeasuredVector, Scopes};
pub use space::{Elements, Space};
pub use table::NameTable;
pub use usage::Usage;
pub use words::{rust_name, written_name};

/// The names of a model while it is read.
#[derive(Default)]
pub struct Names {
    pub report: Report,
    pub table: NameTable,
    pub scopes: Scopes,
    pub quantities: Quantities,
    pub usage: Usage,
    pub lets: Lets,
    /// While structural arguments are declared: those that have no value yet, for a better message.
    pub later_arguments: Vec<String>,
    /// The components that are defined, for a better message.
    pub components: BTreeSet<String>,
    /// Repetitions of all loops and sums so far.
    pub repetitions: i64,
    /// The model is too large, which has been reported.
    pub full: bool,
    /// A single expression is read, and nothing can be declared.
    pub is_outside_of_models: bool,
}

/// `let`s that can't be used where something is being read, for better messages.
#[derive(Debug, Default)]
pub struct Lets {
    /// `let`s that are declared further below.
    pub later: Vec<String>,
    /// `let`s inside blocks.
    pub inside: HashSet<String>,
    /// `let`s inside loops, with the variable of the innermost loop.
    pub inside_loops: HashMap<String, String>,
    /// The `let` whose value is being read.
    pub defining: Option<String>,
}
