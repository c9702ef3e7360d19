//! Parameters of models as numbers with derivatives.

use costate::model::{Dual, Scalar, Vector};

/// The parameters as constants.
pub fn lifted<S: Scalar, V: Vector<S>>(parameters: &[f64]) -> V {
    let mut lifted = V::zeros(parameters.len());
    for (to, from) in lifted.as_mut().iter_mut().zip(parameters) {
        *to = S::constant(*from);
    }
    lifted
}

/// The parameters, of which the one with this index has the derivative 1.
pub fn seeded(parameters: &[f64], index: usize) -> Vec<Dual> {
    let mut seeded: Vec<Dual> = lifted(parameters);
    seeded[index].derivative = 1.0;
    seeded
}
