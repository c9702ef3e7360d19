//! The arrays that functions read and fill.

use costate_compiler::program::Array;
use costate_numerics::scalar::{Entries, Scalar};

/// The arrays that a function reads and does not fill. Those that it does not use may be empty.
#[derive(Debug, Clone, Copy, Default)]
pub struct Given<'a, S> {
    /// Time t, one number.
    pub time: &'a [S],
    /// Coordinates q (n).
    pub coordinates: &'a [S],
    /// Velocities v (n).
    pub velocities: &'a [S],
    /// Accelerations a (n).
    pub accelerations: &'a [S],
    /// Multipliers lambda (m).
    pub multipliers: &'a [S],
    /// Inputs u.
    pub inputs: &'a [S],
    /// Parameters p.
    pub parameters: &'a [S],
    /// Weights of the integrator, in the order of `Integrator::ALL`.
    pub weights: &'a [S],
    /// History term of a step (n).
    pub history: &'a [S],
    /// Factors of the Newton matrix.
    pub factors: Entries<'a, S>,
    /// Coefficients of the recurrence of the adjoint.
    pub adjoint_coefficients: Entries<'a, S>,
    /// Derivatives of the cost with respect to the outputs.
    pub output_gradient: &'a [S],
    /// Right-hand side that the step after passes on (n + m).
    pub carry_right: &'a [S],
    /// k' w of the step after (n).
    pub carried: &'a [S],
}

/// The arrays that a function fills. Those that it does not use may be empty.
#[derive(Debug, Default)]
pub struct Results<'a, S> {
    /// Constants of the run.
    pub constants: &'a mut [S],
    /// Factors of the Newton matrix.
    pub factors: &'a mut [S],
    /// Coefficients of the recurrence of the adjoint.
    pub adjoint_coefficients: &'a mut [S],
    /// Right-hand side that the step after passes on (n + m), to which something is added.
    pub carry_right: &'a mut [S],
    /// Results of a group; numbers of the scene.
    pub out: &'a mut [S],
    /// Correction of a Newton iteration (n + m).
    pub correction: &'a mut [S],
    /// Right-hand side of a linear system before, its solution after (n + m).
    pub unknowns: &'a mut [S],
    /// Adjoint variables of the coordinates (n).
    pub update_coordinates: &'a mut [S],
    /// Adjoint variables of the velocities (n).
    pub update_velocities: &'a mut [S],
    /// Adjoint variables of the equations of motion and of the constraints (n + m).
    pub update_unknowns: &'a mut [S],
    /// The gradient of the cost with respect to the parameters; other entries than those of selected parameters stay.
    pub gradient: &'a mut [S],
}

impl<'a, S> Given<'a, S> {
    /// Returns an array; an empty one if functions never read it.
    #[inline(always)]
    pub(crate) fn array(&self, array: Array) -> Entries<'a, S> {
        Entries::Array(match array {
            Array::Time => self.time,
            Array::Coordinates => self.coordinates,
            Array::Velocities => self.velocities,
            Array::Accelerations => self.accelerations,
            Array::Multipliers => self.multipliers,
            Array::Inputs => self.inputs,
            Array::Parameters => self.parameters,
            Array::Weights => self.weights,
            Array::History => self.history,
            Array::Factors => return self.factors,
            Array::AdjointCoefficients => return self.adjoint_coefficients,
            Array::OutputGradient => self.output_gradient,
            Array::CarryRight => self.carry_right,
            Array::Carried => self.carried,
            _ => &[],
        })
    }

    /// Checks whether factors and coefficients are a lane each of arrays of lanes.
    #[inline(always)]
    pub(crate) fn are_in_lanes(&self) -> bool {
        matches!(self.factors, Entries::Lane(..)) || matches!(self.adjoint_coefficients, Entries::Lane(..))
    }
}

impl<S: Scalar> Results<'_, S> {
    /// Makes every number one that is not a number.
    pub(crate) fn invalidate(&mut self) {
        let Self { constants, factors, adjoint_coefficients, carry_right, out, correction, .. } = self;
        let Self { unknowns, update_coordinates, update_velocities, update_unknowns, gradient, .. } = self;
        let arrays = [
            constants,
            factors,
            adjoint_coefficients,
            carry_right,
            out,
            correction,
            unknowns,
            update_coordinates,
            update_velocities,
            update_unknowns,
            gradient,
        ];
        arrays.into_iter().for_each(|array| array.fill(S::constant(f64::NAN)));
    }
}

impl<'a, S> Results<'a, S> {
    /// Returns an array; an empty one if functions never fill it.
    #[inline(always)]
    pub(crate) fn array(&mut self, array: Array) -> &mut &'a mut [S] {
        match array {
            Array::Constants => &mut self.constants,
            Array::Factors => &mut self.factors,
            Array::AdjointCoefficients => &mut self.adjoint_coefficients,
            Array::CarryRight => &mut self.carry_right,
            Array::Correction => &mut self.correction,
            Array::Unknowns => &mut self.unknowns,
            Array::UpdateCoordinates => &mut self.update_coordinates,
            Array::UpdateVelocities => &mut self.update_velocities,
            Array::UpdateUnknowns => &mut self.update_unknowns,
            Array::Gradient => &mut self.gradient,
            // functions fill no other arrays
            _ => &mut self.out,
        }
    }

    /// Takes an array, in whose place an empty one is left.
    #[inline(always)]
    pub(crate) fn take(&mut self, array: Array) -> &'a mut [S] {
        std::mem::take(self.array(array))
    }
}
