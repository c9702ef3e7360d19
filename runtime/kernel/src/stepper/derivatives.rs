//! The derivatives of the last step, forward and backward.

use nalgebra::DMatrix;

use costate_numerics::linalg::block::Products;
use costate_system::model::Functions;
use costate_system::problem::{CostDerivativeError, SimulationError};

use crate::step::{ParameterBlocks, StepAdjoint, StepConstants, StepError, Tangent, With};

use super::StepperOf;

/// The derivatives of the end of a step with respect to its beginning: rows are q, v, a, lambda and the auxiliary
/// acceleration s at its end (4n + m), in this order. A step that restarts, the first one or the one after another
/// length or state was set, has in the place of s an acceleration by which the velocities along the constraints are
/// displaced over the step.
#[derive(Debug, Clone, PartialEq)]
pub struct StepDerivatives {
    /// By q, v, a, lambda and s at its beginning (4n + m columns).
    pub state: DMatrix<f64>,
    /// By the inputs at its end.
    pub inputs: DMatrix<f64>,
    /// By the inputs at its beginning, where the forces there enter (HHT); zero for other schemes.
    pub inputs_before: DMatrix<f64>,
    /// By all parameters.
    pub parameters: DMatrix<f64>,
}

/// The derivative of a number J with respect to the beginning of a step.
#[derive(Debug, Clone, PartialEq)]
pub struct StepGradient {
    /// By q, v, a, lambda and s at its beginning (4n + m).
    pub state: Vec<f64>,
    /// By the inputs at its end.
    pub inputs: Vec<f64>,
    /// By the inputs at its beginning; zero but for HHT.
    pub inputs_before: Vec<f64>,
    /// By all parameters.
    pub parameters: Vec<f64>,
}

/// Returns how many numbers a step begins with, 4n + m.
fn numbers<M: Functions>(program: M::Program) -> usize {
    M::lengths(program).state() + M::lengths(program).coordinates
}

impl<M: Functions> StepperOf<M> {
    /// The exact derivatives of the last step: what is linear in it is solved with the matrix of its end, column by
    /// column.
    ///
    /// # Errors
    /// [`StepError::NoStep`] if there was none since the start or since parameters, step or state were changed;
    /// [`StepError::Singular`].
    pub fn derivatives(&mut self) -> Result<StepDerivatives, StepError> {
        self.check_step()?;
        let program = self.program;
        let numbers = numbers::<M>(program);
        let (parameters, inputs) = (self.parameters.as_ref().len(), self.inputs.as_ref().len());
        let mut derivatives = StepDerivatives {
            state: DMatrix::zeros(numbers, numbers),
            inputs: DMatrix::zeros(numbers, inputs),
            inputs_before: DMatrix::zeros(numbers, inputs),
            parameters: DMatrix::zeros(numbers, parameters),
        };
        let unit = |column: usize| (0..numbers).map(|row| f64::from(row == column)).collect::<Vec<_>>();
        let mut states: Vec<Tangent<M>> =
            (0..numbers).map(|column| Tangent::single(program, With::Nothing, &unit(column))).collect();
        let zeros = vec![0.0; numbers];
        let of = |with: With| Tangent::<M>::single(program, with, &zeros);
        let mut of_parameters: Vec<_> = (0..parameters).map(|k| of(With::Parameter(k))).collect();
        let mut of_inputs: Vec<_> = (0..inputs).map(|_| of(With::Nothing)).collect();
        let mut of_inputs_before: Vec<_> = (0..inputs).map(|k| of(With::Input { input: k, change: 1.0 })).collect();
        self.linearize_before();
        for tangent in states.iter_mut().chain(&mut of_parameters).chain(&mut of_inputs_before) {
            tangent.remember_force_residual(&self.linear);
        }
        self.linearize_after()?;
        for (k, (of_input, before)) in of_inputs.iter_mut().zip(&mut of_inputs_before).enumerate() {
            of_input.set_with(0, With::Input { input: k, change: 1.0 });
            before.set_with(0, With::Nothing);
        }
        for (tangents, matrix) in [
            (&mut states, &mut derivatives.state),
            (&mut of_parameters, &mut derivatives.parameters),
            (&mut of_inputs, &mut derivatives.inputs),
            (&mut of_inputs_before, &mut derivatives.inputs_before),
        ] {
            for (tangent, mut column) in tangents.iter_mut().zip(matrix.column_iter_mut()) {
                tangent.step(&self.linear, self.last_constants());
                for (entry, value) in column.iter_mut().zip(tangent.values()) {
                    *entry = value;
                }
            }
        }
        Ok(derivatives)
    }

    /// The adjoint of the last step: from the derivatives of a number by q, v, a, lambda and s at its end (4n + m) to
    /// those by its beginning. It costs one solution for any number of parameters.
    ///
    /// # Errors
    /// [`StepError::NoStep`] and [`StepError::Singular`] as of [`derivatives`](Self::derivatives);
    /// [`SimulationError::CostDerivatives`] for another number of derivatives.
    pub fn adjoint(&mut self, gradient: &[f64]) -> Result<StepGradient, SimulationError> {
        let (given, expected) = (gradient.len(), numbers::<M>(self.program));
        if given != expected {
            return Err(CostDerivativeError::End { given, expected }.into());
        }
        self.check_step()?;
        let all: Vec<usize> = (0..self.parameters.as_ref().len()).collect();
        let blocks = ParameterBlocks::new(&self.linear.blocks, &all);
        let mut step = StepAdjoint::<M, f64>::new(self.program);
        let mut rest = gradient;
        for part in step.cost.parts() {
            let (own, others) = rest.split_at(part.len());
            part.copy_from_slice(own);
            rest = others;
        }
        self.linearize_after()?;
        let constants = self.last_constants();
        let solve = |unknowns: &mut _| self.linear.solve_transposed(constants, unknowns);
        step.step(&self.linear, &constants.weights, &blocks, solve);
        step.commit();
        let inputs = self.input_gradient(&step, 1.0);
        step.cost.clear();
        self.linearize_before();
        step.begin(&self.linear, &self.last_constants().weights, &blocks);
        let inputs_before = self.input_gradient(&step, -self.constants.weights.previous);
        let state = step.cost.parts().map(|part| part.clone()).concat();
        Ok(StepGradient { state, inputs, inputs_before, parameters: step.share.as_ref().to_vec() })
    }

    fn check_step(&self) -> Result<(), StepError> {
        if self.has_step { Ok(()) } else { Err(StepError::NoStep) }
    }

    /// The constants of the last step.
    fn last_constants(&self) -> &StepConstants<M, f64> {
        self.before.start.as_ref().unwrap_or(&self.constants)
    }

    /// Matrices where the last step began.
    fn linearize_before(&mut self) {
        let mut stored = Vec::with_capacity(M::lengths(self.program).state());
        self.before.state.store(&mut stored);
        self.linear.load(self.before.clock.moment(self.before.inputs.as_ref()), &stored);
        self.linear.evaluate(&self.constants);
        self.linear.evaluate_inputs(&self.constants);
    }

    /// Matrices where it ended, factorised.
    fn linearize_after(&mut self) -> Result<(), StepError> {
        let mut stored = Vec::with_capacity(M::lengths(self.program).state());
        self.integrator.state().store(&mut stored);
        self.linear.load(self.clock.moment(self.at.as_ref()), &stored);
        let constants = self.before.start.as_ref().unwrap_or(&self.constants);
        self.linear.evaluate(constants);
        self.linear.evaluate_inputs(constants);
        self.linear.factor(constants)
    }

    /// The inputs' share by the forces where `linear` is.
    fn input_gradient(&self, step: &StepAdjoint<M, f64>, weight: f64) -> Vec<f64> {
        let mut gradient = vec![0.0; self.inputs.as_ref().len()];
        let (block, group) = (self.linear.blocks.residual_u, self.linear.of_inputs());
        block.add_transposed_product(group, weight, step.later.w.as_ref(), &mut gradient);
        gradient
    }
}
