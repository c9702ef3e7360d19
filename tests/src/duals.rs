//! Parameters of models as numbers with derivatives.

use costate::Model;
use costate::model::{CompiledModel, Dual, Scalar, Vector};

/// The parameters as constants.
pub fn lifted<M: CompiledModel, S: Scalar>(parameters: &[f64]) -> M::Parameters<S> {
    let mut lifted = M::Parameters::<S>::zeros(<M as Model>::description().parameters.len());
    for (to, from) in lifted.as_mut().iter_mut().zip(parameters) {
        *to = S::constant(*from);
    }
    lifted
}

/// The parameters, of which the one with this index has the derivative 1.
pub fn seeded<M: CompiledModel>(parameters: &[f64], index: usize) -> M::Parameters<Dual> {
    let mut seeded = lifted::<M, Dual>(parameters);
    seeded.as_mut()[index].derivative = 1.0;
    seeded
}
