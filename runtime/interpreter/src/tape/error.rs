//! Programs that cannot be translated.

use costate_compiler::program::Array;

/// The reason why a function of a program does not become a tape.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum TranslationError {
    /// A function that the program does not have.
    #[error("the program has no function `{name}`")]
    NoFunction {
        /// Name of the function.
        name: String,
    },
    /// A function that calls itself.
    #[error("`{function}` calls itself")]
    Recursion {
        /// Name of the function.
        function: &'static str,
    },
    /// A variable that has no value where it is used, or that the function does not have.
    #[error("`{function}` uses variable {variable} where that has no value")]
    NoValue {
        /// Name of the function.
        function: &'static str,
        /// Position of the variable.
        variable: usize,
    },
    /// A local array that the function does not have.
    #[error("`{function}` has no local array {local}; it has {count}")]
    NoLocal {
        /// Name of the function.
        function: &'static str,
        /// Position of the local array.
        local: usize,
        /// Number of local arrays.
        count: usize,
    },
    /// A position outside an array.
    #[error("`{function}` uses entry {index} of {array:?}, which has {length}")]
    OutsideArray {
        /// Name of the function.
        function: &'static str,
        /// The array.
        array: Array,
        /// Position of the entry.
        index: usize,
        /// Number of entries of the array.
        length: usize,
    },
    /// A position below the first entry of an array.
    #[error("`{function}` uses an entry before the first one of {array:?}, in repetition {repetition}")]
    BeforeArray {
        /// Name of the function.
        function: &'static str,
        /// The array.
        array: Array,
        /// Repetition of the loop.
        repetition: usize,
    },
    /// A store to an array that a function only reads.
    #[error("`{function}` stores in {array:?}, which functions only read")]
    ReadOnly {
        /// Name of the function.
        function: &'static str,
        /// The array.
        array: Array,
    },
    /// A table by repetitions without an entry for this repetition.
    #[error("table {table} of `{function}` has no entry for repetition {repetition}")]
    NoTableEntry {
        /// Name of the function.
        function: &'static str,
        /// Position of the table among those of the function.
        table: usize,
        /// Repetition of the loop.
        repetition: usize,
    },
    /// A position or number by repetition outside of loops.
    #[error("`{function}` uses the repetition of a loop outside of loops")]
    NotInLoop {
        /// Name of the function.
        function: &'static str,
    },
    /// A condition in the place of a number, or a number in the place of a condition.
    #[error("`{function}` uses a {found} where a {wanted} \
         belongs", found = kind(*.is_condition), wanted = kind(!*.is_condition))]
    Kind {
        /// Name of the function.
        function: &'static str,
        /// True if the operand is a condition.
        is_condition: bool,
    },
    /// Lists of a statement whose lengths differ.
    #[error("a statement of `{function}` has {found} {what}, and not {expected}")]
    Count {
        /// Name of the function.
        function: &'static str,
        /// The things of which there are too many or too few.
        what: &'static str,
        /// Number that was found.
        found: usize,
        /// Number that belongs there.
        expected: usize,
    },
    /// A table that the model does not have.
    #[error("`{function}` looks up table {table}; the model has {count}")]
    NoTable {
        /// Name of the function.
        function: &'static str,
        /// Position of the table.
        table: usize,
        /// Number of tables of the model.
        count: usize,
    },
    /// An expression that is nested too deeply.
    #[error("an expression of `{function}` is nested more than {limit} deep")]
    TooDeep {
        /// Name of the function.
        function: &'static str,
        /// Largest depth.
        limit: usize,
    },
    /// Too many operations, loops written out.
    #[error("`{function}` has more than {limit} operations")]
    TooLong {
        /// Name of the function.
        function: &'static str,
        /// Largest number of operations.
        limit: usize,
    },
}

fn kind(is_condition: bool) -> &'static str {
    if is_condition { "condition" } else { "number" }
}
