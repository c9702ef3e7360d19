//! Errors of conversions between expressions and atoms.

/// The reason why the expressions of a model cannot be converted to atoms.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
#[allow(missing_docs, reason = "messages say what the fields are")]
pub enum AtomsError {
    /// Symbolica has refused a symbol.
    #[error(
        "Symbolica refuses the symbol `{symbol}`, which stands for `{name}`: {reason}; call `atoms` before the symbol \
             is used"
    )]
    Symbol { symbol: String, name: String, reason: String },
    /// The name of a quantity is a wildcard of Symbolica.
    #[error("`{name}` ends in an underscore, which is a wildcard in Symbolica; rename it in the model")]
    Wildcard { name: String },
    /// A number of the model that is not finite.
    #[error("`{expression}` has the number {value}, which is not finite; check the constants of the model")]
    NotFinite { expression: String, value: String },
    /// A division by zero.
    #[error("`{expression}` divides by an expression that is zero for all values of its symbols; check the model")]
    DivisionByZero { expression: String },
    /// An expression that becomes too long when all its shared parts are written out.
    #[error(
        "`{expression}` has more than {limit} operations when its shared parts are written out; take a smaller model"
    )]
    TooLarge {
        expression: String,
        /// The most operations, [`MAX_OPERATIONS`](crate::MAX_OPERATIONS).
        limit: usize,
    },
    /// A symbol that belongs to nothing in the model.
    #[error("`{expression}` contains a symbol that is not a quantity of the model; use symbols of quantities only")]
    Foreign { expression: String },
}

/// The reason why an atom cannot be written in the language of `model!`.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
#[allow(missing_docs, reason = "messages say what the fields are")]
pub enum TextError {
    /// A function that the language does not have.
    #[error(
        "the model language has no function `{name}`; express it by the available functions, or replace `{call}` by a \
             quantity"
    )]
    Function { name: String, call: String },
    /// A derivative of a table or of an unknown function.
    #[error("the model language cannot express the derivative `{call}`; replace it by a table or a parameter")]
    Derivative { call: String },
    /// A number that is complex, infinite or indeterminate, or too large or too small for double precision.
    #[error(
        "`{number}` cannot be represented as a real double-precision number; take its real part, or the intended limit"
    )]
    Number { number: String },
    /// A condition where a number is expected.
    #[error("the condition `{condition}` stands where a number is expected; write `if(condition, 1, 0)`")]
    Condition { condition: String },
    /// A symbol whose name is not a valid name in the language.
    #[error("`{symbol}` is no name for a quantity; replace it by a symbol of letters, digits and underscores")]
    Name { symbol: String },
    /// A symbol whose name has another meaning in the language.
    #[error(
        "`{symbol}` would be written `{name}`, which has another meaning in the model language; replace it by another \
             symbol"
    )]
    Reserved { symbol: String, name: String },
    /// Two symbols that would be written alike.
    #[error("`{first}` and `{second}` would both be written `{name}`; replace one of them")]
    SameName { first: String, second: String, name: String },
    /// Expressions that are nested too deeply.
    #[error("the expression is nested more than {limit} levels deep; introduce symbols for parts of it")]
    Depth { limit: usize },
}
