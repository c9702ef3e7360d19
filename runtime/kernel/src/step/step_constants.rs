//! Quantities that are constant over steps.

use costate_numerics::linalg::block::find;
use costate_numerics::scalar::{Scalar, real_part};
use costate_system::model::{Argument, Function, Functions, Weights};
use costate_system::table::{AnyTable, Tables};

use crate::evaluate;

/// The constants of steps with one length and one set of parameters.
#[derive(Clone)]
pub struct StepConstants<M: Functions, S: Scalar> {
    /// The coefficients of the scheme.
    pub weights: Weights,
    /// The model's constants.
    pub model: M::Constants<S>,
    /// The model's constants for the real parts of the parameters.
    pub real: M::Constants<f64>,
    is_determined: bool,
}

impl<M: Functions, S: Scalar> StepConstants<M, S> {
    /// False for a compiled model whose constraints do not determine its motion, so that nothing is compiled for it.
    const MAY_BE_DETERMINED: bool = match M::COMPILED {
        Some(description) => description.determined,
        None => true,
    };

    /// Evaluates the constants of a model with these parameters and tables.
    pub fn new(program: M::Program, parameters: &M::Parameters<S>, weights: Weights, tables: &Tables) -> Self {
        Self {
            model: evaluate::constants::<M, _>(program, parameters, &weights, tables),
            real: evaluate::constants::<M, _>(program, &real_part::<S, _, _>(parameters), &weights, tables),
            weights,
            is_determined: Self::MAY_BE_DETERMINED && is_determined::<M>(program, &weights, tables),
        }
    }

    /// Returns true for steps whose state follows from the constraints alone, see [`determined`](super::determined).
    #[inline(always)]
    pub(crate) fn is_determined(&self) -> bool {
        Self::MAY_BE_DETERMINED && self.is_determined
    }

    /// Returns the program of the model.
    #[inline(always)]
    pub fn program(&self) -> M::Program {
        M::program(&self.model)
    }
}

/// Checks whether the constraints determine the motion and no table in them has straight lines, whose bends are
/// impulses that the scheme spreads over steps. HHT has forces between the ends of steps, and
/// remains what DA describes.
fn is_determined<M: Functions>(program: M::Program, weights: &Weights, tables: &Tables) -> bool {
    let description = M::description(program);
    let lookups = find(description.groups.lookups, Function::Constraint, Some(Argument::Lookups));
    let is_bent = |column: u32| {
        let table = description.lookups.get(column as usize).and_then(|lookup| tables.at(lookup.table));
        table.is_none_or(AnyTable::is_bent)
    };
    description.determined && weights.previous == 0.0 && !lookups.entries.iter().any(|&(_, column)| is_bent(column))
}

impl<M: Functions> StepConstants<M, f64> {
    /// Replaces the model's constants by those of other parameters and tables.
    pub fn renew(&mut self, parameters: &M::Parameters<f64>, tables: &Tables) {
        evaluate::renew_constants::<M, _>(&mut self.model, parameters, &self.weights, tables);
        self.real.clone_from(&self.model);
    }
}
