//! Measured data: [`formats`] reads the files of measuring devices, [`record`] makes channels with units over time of
//! them, and [`signal`] prepares these for a fit.
//!
//! A module uses those before it. Models are not known here; the reader of each format is a feature.
//!
//! # Where to add
//!
//! - A format of devices: a feature, and a file or folder in `formats`. A layout of text files: a file in
//!   `record/csv/layout`, which recognises it by its first lines and rewrites it as a table. An option on reading:
//!   `CsvReader` of `record`, `cli/src/options/records.rs` of the command, and `runtime/campaign/src/reading.rs`.
//! - A preparation of records: a file in `signal`, a function of a record that refuses gaps or treats them as it says.
//!   A linear map that record and output pass: in addition to `FilterMap` in `signal/filter`, with its transpose, and
//!   `estimation/observed.rs` of `costate-identify`.
//! - An estimator of frequency responses: a variant of `Estimator` in `signal/spectra`, with its limit in
//!   `signal/spectra/statistics.rs`. A quantity of maps: a variant of `Quantity` in `signal/maps`.
//! - Every reader of files: a driver over `costate_fuzz::drive` in `tests/formats_mutated.rs` or
//!   `tests/record_mutated.rs`.

pub mod formats;
pub mod record;
pub mod signal;
