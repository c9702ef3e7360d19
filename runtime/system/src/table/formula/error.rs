//! The errors of a search for formulas.

use super::kind::Formula;
use costate_contract::shown::Shown;

/// Points or formulas that cannot be compared.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
#[allow(missing_docs, reason = "messages say what the fields are")]
pub enum FormulaError {
    /// Points whose arguments, values and deviations are not equally many.
    #[error(
        "{arguments} arguments have {values} values and {deviations} standard deviations; give one of each for every \
         point"
    )]
    Lengths { arguments: usize, values: usize, deviations: usize },
    /// A number that is infinite or not a number, or a standard deviation that is not above 0.
    #[error("point {point} has {field} = {value}; it must be {limit}", value = Shown(*value))]
    Point { point: usize, field: &'static str, value: f64, limit: &'static str },
    /// A polynomial whose degree is not possible.
    #[error("a {formula} is not possible; its degree is between {least} and {most}")]
    Degree { formula: Formula, least: usize, most: usize },
    /// No formula was named.
    #[error("there is no formula to compare; name some, or take `Formula::USUAL`")]
    NoFormula,
    /// Fewer points than every formula has coefficients.
    #[error(
        "{points} points determine none of the formulas; the shortest one has {coefficients} coefficients and needs at \
         least one point more than that"
    )]
    TooFewPoints { points: usize, coefficients: usize },
    /// A table of two arguments, which no formula here has.
    #[error("the table `{table}` has two arguments, and formulas have one; compare a section of it")]
    Surface { table: &'static str },
}
