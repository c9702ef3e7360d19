//! Models with inputs of every kind, compiled with some optimisation: in the tests, which have none, searches for
//! inputs take minutes.

mod models;

pub use models::{DrivenAxes, DrivenCloud, DrivenPendulum, PushedOscillator, Strut};
