//! The compiled form of a model, which `model!` creates.

use costate_contract::Description;

use crate::system::{Differentiable, DualEquations, SecondOrder, System};
use crate::table::Tables;

use super::functions::Functions;

/// A compiled multibody model; the struct that implements the trait holds the values of the parameters. `model!` writes
/// the implementation, and that of the [`Functions`] of the model.
pub trait Model: Functions<Program = ()> {
    /// Names, units, patterns and sizes.
    const DESCRIPTION: Description;

    /// Returns the parameters' values, in the order of declaration.
    fn parameters(&self) -> Self::Parameters<f64>;
    /// Creates the model with these parameters.
    fn from_parameters(parameters: &Self::Parameters<f64>) -> Self;
    /// Returns the model as a value that can be run. The function is neither generic nor inlined, so that the
    /// loops over steps are compiled once, with the crate that contains the model.
    fn system() -> &'static dyn System;
    /// Returns the model as a value that can be differentiated too, compiled in the same way.
    fn differentiable() -> &'static dyn Differentiable;
    /// Returns the model as a value with second derivatives too. Few programs use them: they are compiled
    /// only where they are used.
    fn second_order() -> &'static dyn SecondOrder;
    /// Returns the functions of the model at points in dual numbers, also compiled only where they are used.
    fn dual_equations() -> &'static dyn DualEquations;
    /// Returns the data of the tables that are part of the model; tables that are given to a run have no data
    /// here.
    fn tables() -> Tables {
        Self::own_tables(())
    }
}
