//! Equilibria, modes and frequency responses of a model, without building anything.

pub mod modes;
pub mod response;
pub mod rest;
