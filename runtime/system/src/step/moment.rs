//! The arguments of a step besides the state: time, inputs, and constants.

use costate_numerics::scalar::{Scalar, Vector, lift_into};

/// A time t_i of a run, with the inputs u_i there.
#[derive(Debug, Clone, Copy)]
pub struct Moment<'a> {
    /// The number i of the step that ends at this time, for errors.
    pub step: usize,
    /// t_i in s.
    pub time: f64,
    /// u_i.
    pub inputs: &'a [f64],
    /// du_i for numbers that carry derivatives; `None` for zero.
    pub changes: Option<&'a [f64]>,
}

impl Moment<'_> {
    /// Writes u_i, with du_i in numbers that carry derivatives.
    #[inline(always)]
    pub fn lift_inputs<S: Scalar, V: Vector<S>>(&self, to: &mut V) {
        // the length of an array is known at compile time
        let inputs = self.inputs.get(..V::LENGTH.unwrap_or(self.inputs.len())).unwrap_or_default();
        lift_into(inputs, to.as_mut());
        if S::COMPONENTS > 1
            && let Some(changes) = self.changes
        {
            for (to, change) in to.as_mut().iter_mut().zip(changes) {
                to.set_component(1, *change);
            }
        }
    }

    /// Returns u_i as plain numbers.
    #[inline(always)]
    pub fn plain_inputs<V: Vector<f64>>(&self) -> V {
        let mut inputs = V::zeros(self.inputs.len());
        let length = V::LENGTH.unwrap_or(self.inputs.len());
        lift_into(self.inputs.get(..length).unwrap_or_default(), inputs.as_mut());
        inputs
    }
}
