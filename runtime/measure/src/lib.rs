//! Measured data: [`formats`] reads the files of measuring devices, [`record`] makes channels with units over time of them, and
//! [`signal`] prepares these for a fit.
//!
//! A module uses those before it. Models are not known here; the reader of each format is a feature.

pub mod formats;
pub mod record;
pub mod signal;
