//! Measured numbers that cannot be compared with a prediction.

use costate_contract::units::UnitError;

/// Measured numbers that do not fit the group of a prediction with which they are to be compared.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum NumbersError {
    /// No group of this name.
    #[error("the prediction has no such group; name one of {}", .groups.join(", "))]
    UnknownGroup {
        /// Names of the groups.
        groups: Vec<String>,
    },
    /// Two sets of numbers for one group.
    #[error("there are two sets of numbers for the group; leave one of them out")]
    Repeated,
    /// Another number of values, deviations or places than there are predicted numbers.
    #[error("{given} {what} are given for {needed} predicted numbers; give one for each")]
    Count {
        /// The values, in words.
        what: &'static str,
        /// Number of given values.
        given: usize,
        /// Number of predicted values.
        needed: usize,
    },
    /// A value that is NaN or infinite.
    #[error("value {index}, counted from 0, is {value}; give finite numbers")]
    NotFinite {
        /// Index of the value, from 0.
        index: usize,
        /// The value.
        value: f64,
    },
    /// A standard deviation that is not positive.
    #[error(
        "the standard deviation {deviation} of value {index}, counted from 0, is not a positive number; give one \
             above 0"
    )]
    Deviation {
        /// Index of the value, from 0.
        index: usize,
        /// The deviation.
        deviation: f64,
    },
    /// Values or places in a unit that does not fit.
    #[error(transparent)]
    Unit(#[from] Box<UnitError>),
    /// An abscissa that does not increase.
    #[error(
        "the {whose} abscissa is {value} at number {index}, counted from 0, and {before} before it; it must be finite \
             and increase"
    )]
    Places {
        /// `measured` or `predicted`.
        whose: &'static str,
        /// Index of the number, from 0.
        index: usize,
        /// The abscissa there.
        value: f64,
        /// The abscissa before.
        before: f64,
    },
    /// A number that was measured at another place than it is predicted at.
    #[error(
        "number {index}, counted from 0, was measured at {measured} {unit} and is predicted at {predicted} {unit}; \
             make the prediction for the measured places"
    )]
    OtherPlace {
        /// Index of the number, from 0.
        index: usize,
        /// Place of the measured number.
        measured: f64,
        /// Place of the predicted number.
        predicted: f64,
        /// Unit of both.
        unit: String,
    },
}
