//! Models with a type of their own, which `model!` creates.

use costate_contract::Description;
use costate_numerics::scalar::Vector;

use crate::system::{Differentiable, DualEquations, SecondOrder, System};
use crate::table::Tables;

use super::functions::Functions;

/// A multibody model with a type of its own, which `model!` declares; the struct that implements the trait holds the
/// values of the parameters. The model is compiled, or interpreted from its text: the same program runs both.
pub trait Model: Clone + std::fmt::Debug + Send + Sync + Sized + 'static {
    /// The functions of the model: this type itself where the model is compiled, `Interpreted` where it is interpreted.
    type Functions: Functions;
    /// The values of all parameters, in the order of declaration: an array of `f64`.
    type Values: Vector<f64>;

    /// Returns the parts of an interpreted model, which is read when they are first asked for.
    fn program() -> <Self::Functions as Functions>::Program;
    /// Returns names, units, patterns and sizes.
    fn description() -> &'static Description {
        Self::Functions::description(Self::program())
    }
    /// Returns the parameters' values, in the order of declaration.
    fn parameters(&self) -> Self::Values;
    /// Creates the model with these parameters.
    fn from_parameters(parameters: &Self::Values) -> Self;
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
        Self::Functions::own_tables(Self::program())
    }
}

/// The type of a name that a model with these functions knows: the type of the model, or
/// [`Dynamic`](super::Dynamic).
pub trait NameOf<F: Functions> {}

impl<M: Model> NameOf<M::Functions> for M {}

impl<F: Functions> NameOf<F> for super::Dynamic {}

/// A model whose own type has its functions: one that is compiled.
pub trait CompiledModel: Model<Functions = Self> + Functions<Program = ()> {}

impl<M: Model<Functions = M> + Functions<Program = ()>> CompiledModel for M {}
