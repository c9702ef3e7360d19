//! What a step is given besides the state: where it ends, and what does not change from step to step.

use crate::scalar::{Scalar, Vector, lift_into};

/// A time t_i of a run, with the inputs u_i there.
#[derive(Debug, Clone, Copy)]
pub struct Moment<'a> {
    /// The number i of the step that ends there, for errors.
    pub step: usize,
    /// t_i in s.
    pub time: f64,
    /// u_i.
    pub inputs: &'a [f64],
    /// What numbers that carry derivatives take for du_i; zero where there are none.
    pub changes: Option<&'a [f64]>,
}

impl Moment<'_> {
    /// Writes u_i, with du_i in numbers that carry derivatives.
    #[inline(always)]
    pub fn lift_inputs<S: Scalar, V: Vector<S>>(&self, to: &mut V) {
        // of a length that is known here
        let inputs = self.inputs.get(..V::LENGTH).unwrap_or_default();
        lift_into(inputs, to.as_mut());
        if S::COMPONENTS > 1
            && let Some(changes) = self.changes
        {
            for (to, change) in to.as_mut().iter_mut().zip(changes) {
                to.set_component(1, *change);
            }
        }
    }

    /// u_i as plain numbers.
    #[inline(always)]
    pub fn plain_inputs<V: Vector<f64>>(&self) -> V {
        let mut inputs = V::zeros();
        lift_into(self.inputs.get(..V::LENGTH).unwrap_or_default(), inputs.as_mut());
        inputs
    }
}
