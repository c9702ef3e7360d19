//! Equilibria, modes and frequency responses of a model, without building anything.

mod elements;
pub mod modes;
pub mod response;
pub mod rest;
