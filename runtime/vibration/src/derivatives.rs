//! Derivatives of linear models, modes and frequency responses with respect to parameters.
//!
//! The matrices depend on a parameter directly and by the equilibrium, which moves with it: both in one evaluation of
//! the model's functions in dual numbers. What eigenvalues and responses do then follows from their left vectors and
//! from adjoint solutions.

use std::f64::consts::TAU;

use costate_system::equilibrium::MotionMatrices;
use nalgebra::{Complex, DMatrix};

use costate_numerics::scalar::Dual;
use costate_system::identifiers::{Input, Output, Parameter};
use costate_system::model::Model;
use costate_system::system::{DualEquations, Instant, StateVectors};

use crate::error::VibrationError;
use crate::frequency_response::{FrequencyResponse, check_frequencies};
use crate::linear_model::LinearModel;
use crate::mode::{Modes, left_of, slope, transposed_forces};
use crate::outputs::OutputMatrices;
use crate::sparse::{Vector, dot, real_times, real_transposed_times, times, transposed_times};

/// The derivatives of the matrices of a linear model with respect to parameters, the equilibrium following them.
#[derive(Debug, Clone)]
pub struct LinearDerivatives {
    pub(crate) parameters: Vec<usize>,
    pub(crate) matrices: Vec<MotionMatrices>,
    pub(crate) outputs: Vec<OutputMatrices>,
}

/// The derivatives of a mode with respect to parameters, one entry each.
#[derive(Debug, Clone, PartialEq)]
pub struct ModeDerivatives {
    /// Derivatives of the eigenvalue, in 1/s over the unit of the parameter.
    pub eigenvalue: Vec<Complex<f64>>,
    /// Derivatives of the natural frequency in Hz.
    pub frequency: Vec<f64>,
    /// Derivatives of the damping ratio.
    pub damping_ratio: Vec<f64>,
}

/// A frequency response with its derivatives with respect to parameters.
#[derive(Debug, Clone, PartialEq)]
pub struct ResponseDerivatives {
    /// The response.
    pub response: FrequencyResponse,
    /// One list for each parameter, with a derivative per frequency.
    pub derivatives: Vec<Vec<Complex<f64>>>,
}

impl LinearModel {
    /// Computes the derivatives of the matrices with respect to these parameters; the equilibrium moves with them.
    ///
    /// The function is generic because derivatives of matrices need the model's functions in dual numbers, which are
    /// compiled where they are used.
    ///
    /// # Errors
    /// [`VibrationError::NotAtEquilibrium`], [`VibrationError::OtherModel`].
    pub fn derivatives<M: Model>(&self, parameters: &[Parameter<M>]) -> Result<LinearDerivatives, VibrationError> {
        parameters.iter().try_for_each(|parameter| parameter.check_model(self.description()))?;
        self.derivatives_by(M::dual_equations(), &Parameter::indices(parameters))
    }

    /// Computes the derivatives of the matrices with respect to the parameters at these positions, by the functions of
    /// the same model in dual numbers.
    ///
    /// # Errors
    /// [`VibrationError::NotAtEquilibrium`].
    pub fn derivatives_by(
        &self,
        dual: &dyn DualEquations,
        parameters: &[usize],
    ) -> Result<LinearDerivatives, VibrationError> {
        let equilibrium = self.equilibrium.as_ref().ok_or(VibrationError::NotAtEquilibrium)?;
        let states = equilibrium.by_parameters(parameters)?;
        let directions = parameters.iter().zip(states.column_iter());
        let all = directions.map(|(&index, state)| self.differentiated(dual, index, state.as_slice()));
        let (matrices, outputs) = all.unzip();
        Ok(LinearDerivatives { parameters: parameters.to_vec(), matrices, outputs })
    }

    /// Evaluates the derivatives of the matrices in the direction of a parameter and of this change of the state (3n +
    /// m).
    pub(crate) fn differentiated(
        &self,
        dual: &dyn DualEquations,
        parameter: usize,
        change: &[f64],
    ) -> (MotionMatrices, OutputMatrices) {
        let lifted = |values: &[f64]| values.iter().map(|&value| Dual { value, derivative: 0.0 }).collect::<Vec<_>>();
        let mut parameters = lifted(&self.place.parameters);
        if let Some(varied) = parameters.get_mut(parameter) {
            varied.derivative = 1.0;
        }
        let mut state = lifted(&self.state.stored());
        state.iter_mut().zip(change).for_each(|(number, change)| number.derivative = *change);
        let state = StateVectors::of_stored(self.description().coordinates.len(), &state);
        let inputs = lifted(&self.place.inputs);
        let mut evaluated = None;
        dual.with_dual_equations(&self.place.problem, &parameters, &mut |equations| {
            let at = Instant { time: self.place.time, state: &state, inputs: &inputs };
            let matrices = MotionMatrices::at(equations, at).component(1);
            evaluated = Some((matrices, OutputMatrices::at(equations, at, 1)));
        });
        // a system always calls its work
        evaluated.unwrap_or_else(|| (self.matrices.clone(), self.outputs.clone()))
    }

    /// Computes the response of an output to an input at these frequencies in Hz, with its derivatives.
    ///
    /// # Errors
    /// As [`frequency_response`](Self::frequency_response).
    pub fn response_derivatives<M>(
        &self,
        frequencies: &[f64],
        input: Input<M>,
        output: Output<M>,
        derivatives: &LinearDerivatives,
    ) -> Result<ResponseDerivatives, VibrationError> {
        input.check_model(self.description())?;
        output.check_model(self.description())?;
        self.response_derivatives_at(0.0, frequencies, input.index(), output.index(), derivatives)
    }

    /// Computes the response of the output to the input with these positions at s = decay + 2 pi i f, with its
    /// derivatives.
    pub(crate) fn response_derivatives_at(
        &self,
        decay: f64,
        frequencies: &[f64],
        input: usize,
        output: usize,
        derivatives: &LinearDerivatives,
    ) -> Result<ResponseDerivatives, VibrationError> {
        check_frequencies(frequencies)?;
        let mut responses = self.responses_at(decay, frequencies, &[input], &[output])?;
        let response = responses.pop().ok_or(VibrationError::Empty { what: "outputs" })?;
        let mut all = vec![Vec::with_capacity(frequencies.len()); derivatives.parameters.len()];
        for &frequency in frequencies {
            let s = Complex::new(decay, TAU * frequency);
            let changes = self.response_changes(s, input, output, derivatives);
            let changes = changes.ok_or(VibrationError::Resonance { frequency })?;
            all.iter_mut().zip(changes).for_each(|(to, change)| to.push(change));
        }
        Ok(ResponseDerivatives { response, derivatives: all })
    }

    /// dH = dS X + dS_u + Y^T (dB - dP X) with P X = B and P^T Y = S^T.
    fn response_changes(
        &self,
        s: Complex<f64>,
        input: usize,
        output: usize,
        derivatives: &LinearDerivatives,
    ) -> Option<Vec<Complex<f64>>> {
        let minimal = &self.minimal;
        let driven = self.driven.column(input).map(|entry| Complex::new(entry, 0.0));
        let y = self.solve(s, DMatrix::from_columns(&[driven]))?.column(0).into_owned();
        let deviations = self.deviations(&y, s);
        let mut forces = -self.forces(&deviations);
        self.matrices.inputs.column(input).iter().for_each(|&(row, value)| forces[row] += value);
        let multipliers = real_transposed_times(&minimal.reactions, &forces);

        // the adjoint solution
        let of = |matrix: &costate_numerics::linalg::SparseMatrix| {
            let mut row = Vector::zeros(matrix.columns());
            matrix.iter().filter(|entry| entry.0 == output).for_each(|(_, column, value)| row[column] = value.into());
            row
        };
        let generator = self.generator();
        let turned = |x: &Vector| x * s + transposed_times(&generator, x);
        let outputs = &self.outputs;
        let by_motion = of(&outputs.by_coordinates)
            + turned(&(of(&outputs.by_velocities) + turned(&of(&outputs.by_accelerations))));
        let particular = real_times(&minimal.reactions, &of(&outputs.by_multipliers));
        let right = &by_motion - transposed_forces(self, &particular, s);
        let right = real_transposed_times(&minimal.motions, &right);
        let free = minimal.dynamic_stiffness(s).transpose().lu().solve(&right)?;
        let psi = particular + real_times(&minimal.motions, &free);
        let mu = real_transposed_times(&minimal.reactions, &(by_motion - transposed_forces(self, &psi, s)));

        let changes = derivatives.matrices.iter().zip(&derivatives.outputs).map(|(matrices, outputs)| {
            let [q, v, a] = &deviations;
            let direct = times(&outputs.by_coordinates, q)
                + times(&outputs.by_velocities, v)
                + times(&outputs.by_accelerations, a)
                + times(&outputs.by_multipliers, &multipliers);
            let entry = |matrix: &costate_numerics::linalg::SparseMatrix, row: usize| {
                matrix.column(input).iter().filter(|entry| entry.0 == row).map(|entry| entry.1).sum::<f64>()
            };
            let mut change = direct[output] + entry(&outputs.by_inputs, output);
            for &(row, value) in matrices.inputs.column(input) {
                change += psi[row] * value;
            }
            change - equations_change(matrices, &deviations, &multipliers, (&psi, &mu))
        });
        Some(changes.collect())
    }
}

/// Y^T dP X of deviations X = (dq, dv, da; lambda) and a left vector Y = (psi, mu).
fn equations_change(
    matrices: &MotionMatrices,
    [q, v, a]: &[Vector; 3],
    multipliers: &Vector,
    (psi, mu): (&Vector, &Vector),
) -> Complex<f64> {
    let forces = times(&matrices.mass, a)
        + times(&matrices.damping, v)
        + times(&matrices.stiffness, q)
        + transposed_times(&matrices.jacobian, multipliers);
    dot(psi, &forces) + dot(mu, &times(&matrices.jacobian, q))
}

impl Modes {
    /// Computes the derivatives of a mode's eigenvalue, frequency and damping ratio.
    ///
    /// # Errors
    /// [`VibrationError::Repeated`] for an eigenvalue that several modes have, or a rigid motion;
    /// [`VibrationError::NoMode`].
    pub fn derivatives(
        &self,
        index: usize,
        derivatives: &LinearDerivatives,
    ) -> Result<ModeDerivatives, VibrationError> {
        let mode = self.check_single(index)?;
        let (model, s) = (&self.model, mode.eigenvalue);
        let deviations = model.deviations(&mode.pair.right, s);
        let multipliers = Vector::from_vec(mode.multipliers.clone());
        let (psi, mu) = left_of(model, &mode.pair.left, s);
        let slope = slope(model, &psi, &deviations[0], &deviations[1]);
        let change = |matrices| -equations_change(matrices, &deviations, &multipliers, (&psi, &mu)) / slope;
        let eigenvalue: Vec<Complex<f64>> = derivatives.matrices.iter().map(change).collect();
        let size = s.norm();
        let of_size = |change: &Complex<f64>| (s.conj() * change).re / size;
        let damping = |change: &Complex<f64>| -change.re / size + s.re * of_size(change) / (size * size);
        Ok(ModeDerivatives {
            frequency: eigenvalue.iter().map(|change| of_size(change) / TAU).collect(),
            damping_ratio: eigenvalue.iter().map(damping).collect(),
            eigenvalue,
        })
    }
}
