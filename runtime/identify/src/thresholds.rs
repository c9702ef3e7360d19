//! Thresholds that several parts of an identification have in common.

/// Largest relative difference of two numbers, of times or of measured values, that are the same up to rounding: those
/// of files have nine digits or more.
pub(crate) const ROUNDING_OF_DECIMALS: f64 = 1e-9;

/// Largest relative difference of two costs that are the same: minimisations end with about such a difference.
pub(crate) const SAME_COST: f64 = 1e-6;

/// Shift of an unknown, in its standard deviations, or error of steps, in those of a measured value, beyond which it is
/// noticed: two such effects are as large as one by noise.
pub(crate) const NOTICEABLE_SHIFT: f64 = 0.5;

/// Smallest part of the information about a value from data with which the value counts as determined by them: the rest
/// is that of priors.
pub(crate) const MIN_SHARE_OF_DATA: f64 = 0.5;

/// Part of the information about an unknown below which its source does not matter.
pub(crate) const NEGLIGIBLE_SHARE: f64 = 1e-3;
