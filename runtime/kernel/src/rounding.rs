//! Numbers of roundings that count, shared by everything that asks whether a number is the rest of larger ones.

/// Roundings of the largest terms of a sum below which the sum is the rest of an exact zero: an estimate for rows of
/// equations, which have some ten terms.
pub(crate) const ROUNDINGS: f64 = 16.0;

/// Roundings of the terms of a force that may be left where forces are in balance: the positions that determine these
/// come from equations that mix many numbers. An estimate, which gives up 12 of the 52 bits of a number.
pub(crate) const MIXED_ROUNDINGS: f64 = 4096.0;
