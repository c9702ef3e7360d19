//! The lengths of the vectors of a model.

use costate_numerics::scalar::Vector;

use super::functions::Functions;

/// The number of entries of every vector of a model, named as the [types](Functions::Coordinates) of the vectors.
#[allow(missing_docs)]
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Lengths {
    pub coordinates: usize,
    pub multipliers: usize,
    pub unknowns: usize,
    pub parameters: usize,
    pub inputs: usize,
    pub outputs: usize,
    pub initial: usize,
    pub initial_derivatives: usize,
    pub residual: usize,
    pub newton: usize,
    pub adjoint: usize,
    pub factors: usize,
    pub adjoint_coefficients: usize,
    pub linearization: usize,
    pub kinematics: usize,
    pub kinematics_derivatives: usize,
    pub output_derivatives: usize,
    pub input_derivatives: usize,
}

impl Lengths {
    /// Returns the lengths of the arrays of a compiled model; 0 in place of those of a loaded model, which has no
    /// arrays.
    pub const fn of_arrays<M: Functions>() -> Self {
        Self {
            coordinates: length::<M::Coordinates<f64>>(),
            multipliers: length::<M::Multipliers<f64>>(),
            unknowns: length::<M::Unknowns<f64>>(),
            parameters: length::<M::Parameters<f64>>(),
            inputs: length::<M::Inputs<f64>>(),
            outputs: length::<M::Outputs<f64>>(),
            initial: length::<M::Initial<f64>>(),
            initial_derivatives: length::<M::InitialDerivatives<f64>>(),
            residual: length::<M::Residual<f64>>(),
            newton: length::<M::Newton<f64>>(),
            adjoint: length::<M::Adjoint<f64>>(),
            factors: length::<M::Factors<f64>>(),
            adjoint_coefficients: length::<M::AdjointCoefficients<f64>>(),
            linearization: length::<M::Linearization<f64>>(),
            kinematics: length::<M::Kinematics<f64>>(),
            kinematics_derivatives: length::<M::KinematicsDerivatives<f64>>(),
            output_derivatives: length::<M::OutputDerivatives<f64>>(),
            input_derivatives: length::<M::InputDerivatives<f64>>(),
        }
    }

    /// Returns the length of the stored form of a state, 3n + m.
    pub const fn state(&self) -> usize {
        3 * self.coordinates + self.multipliers
    }
}

const fn length<V: Vector<f64>>() -> usize {
    match V::LENGTH {
        Some(length) => length,
        None => 0,
    }
}
