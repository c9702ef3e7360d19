//! Models with inputs of every kind. Those that are compiled have some optimisation: in the tests, which have none,
//! searches for inputs take minutes.

mod models;

pub use models::{DrivenAxes, DrivenCloud, DrivenPendulum, PushedOscillator, Strut};
