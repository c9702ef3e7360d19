//! Models that the tests share, beside the ready-made ones: together they use every part of the language. Numbers that
//! these are compared with, and their noise.

mod component_models;
pub mod duals;
mod energy_models;
pub mod hyper_dual;
pub mod lanes;
mod models;
pub mod noise;
pub mod one_by_one;
pub mod published;
pub mod reference;
pub mod sources;

pub use component_models::{CrankTrain, TwoCylinders, WrittenOut};
pub use energy_models::{ChainByEnergies, Top, TopByEnergies, WhirledPendulum};
pub use models::{
    Creeping, DisplacedMount, Functions, Gyroscope, ParametersEverywhere, SwingingRod, TableDriven, table_driven,
};

/// The README's code compiles and runs.
#[cfg(doctest)]
#[doc = include_str!("../../README.md")]
pub struct Readme;
