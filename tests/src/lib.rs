//! Models that the tests share, beside the ready-made ones: together they use every part of the language.

mod models;

pub use models::{Functions, Gyroscope, ParametersEverywhere};
