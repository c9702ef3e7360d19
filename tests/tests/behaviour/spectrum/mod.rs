//! Costs in frequency: lines, orders over speed and over the angle, spectra of records, sums, identifications, faults.

mod costs;
mod faults;
mod identification;
mod lines;
mod orders;
mod shaft;
