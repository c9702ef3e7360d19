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

/// A change of what a step begins with, in a direction.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct StepChange<'a> {
    /// Change of q, v, a, lambda and s at its beginning (4n + m).
    pub state: &'a [f64],
    /// Change of the inputs at its end.
    pub inputs: &'a [f64],
    /// Change of the inputs at its beginning, which count for HHT alone.
    pub inputs_before: &'a [f64],
    /// Change of all parameters.
    pub parameters: &'a [f64],
}

/// Returns how many numbers a step begins with, 4n + m.
fn numbers<M: Functions>(program: M::Program) -> usize {
    M::lengths(program).state() + M::lengths(program).coordinates
}

fn check(given: &[f64], expected: usize) -> Result<(), SimulationError> {
    let given = given.len();
    if given == expected { Ok(()) } else { Err(CostDerivativeError::End { given, expected }.into()) }
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
        check(gradient, numbers::<M>(self.program))?;
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

    /// The tangent of the last step: the change of q, v, a, lambda and s at its end (4n + m) that follows from a change
    /// of what it begins with. It costs a solution for the state, and one for every other entry that is not zero.
    ///
    /// # Errors
    /// [`StepError::NoStep`] and [`StepError::Singular`] as of [`derivatives`](Self::derivatives);
    /// [`SimulationError::CostDerivatives`] for parts of other lengths.
    pub fn tangent(&mut self, change: StepChange<'_>) -> Result<Vec<f64>, SimulationError> {
        self.check_change(change)?;
        self.check_step()?;
        let program = self.program;
        let zeros = vec![0.0; change.state.len()];
        let input = |input: usize, change: f64| With::Input { input, change };
        let of = |with: With, start: &[f64]| Tangent::<M>::single(program, with, start);
        let changed = |part: &[f64]| -> Vec<(usize, f64)> {
            part.iter().copied().enumerate().filter(|(_, change)| *change != 0.0).collect()
        };
        // each with the factor of its sum, the direct change where the step begins, and that where it ends
        let mut columns = vec![(1.0, With::Nothing, of(With::Nothing, change.state))];
        for (k, factor) in changed(change.parameters) {
            columns.push((factor, With::Parameter(k), of(With::Parameter(k), &zeros)));
        }
        for (k, change) in changed(change.inputs_before) {
            columns.push((1.0, With::Nothing, of(input(k, change), &zeros)));
        }
        for (k, change) in changed(change.inputs) {
            columns.push((1.0, input(k, change), of(With::Nothing, &zeros)));
        }
        self.linearize_before();
        columns.iter_mut().for_each(|(.., tangent)| tangent.remember_force_residual(&self.linear));
        self.linearize_after()?;
        let mut end = zeros;
        for (factor, with, mut tangent) in columns {
            tangent.set_with(0, with);
            tangent.step(&self.linear, self.last_constants());
            end.iter_mut().zip(tangent.values()).for_each(|(sum, value)| *sum += factor * value);
        }
        Ok(end)
    }

    /// The derivatives of a sum of the outputs at the current time, each with its weight, by the state there, the
    /// inputs there (`inputs`; `inputs_before` are zero) and the parameters.
    ///
    /// # Errors
    /// [`SimulationError::CostDerivatives`] for another number of weights.
    pub fn output_adjoint(&mut self, weights: &[f64]) -> Result<StepGradient, SimulationError> {
        let (n, m) = (M::lengths(self.program).coordinates, M::lengths(self.program).multipliers);
        check(weights, M::lengths(self.program).outputs)?;
        self.linearize_outputs();
        let (blocks, group) = (&self.linear.blocks, self.linear.outputs());
        let mut state = vec![0.0; 4 * n + m];
        let inputs = vec![0.0; self.inputs.as_ref().len()];
        let parameters = vec![0.0; self.parameters.as_ref().len()];
        let mut rest = &mut state[..];
        let parts = [(blocks.output_q, n), (blocks.output_v, n), (blocks.output_a, n), (blocks.output_lambda, m)];
        for (block, length) in parts {
            let (part, others) = rest.split_at_mut(length);
            block.add_transposed_product(group, 1.0, weights, part);
            rest = others;
        }
        let mut by = StepGradient { state, inputs_before: inputs.clone(), inputs, parameters };
        blocks.output_p.add_transposed_product(group, 1.0, weights, &mut by.parameters);
        blocks.output_u.add_transposed_product(self.linear.of_inputs(), 1.0, weights, &mut by.inputs);
        Ok(by)
    }

    /// The change of the outputs at the current time that follows from a change of the state there, of the inputs there
    /// (`inputs`) and of the parameters.
    ///
    /// # Errors
    /// [`SimulationError::CostDerivatives`] for parts of other lengths.
    pub fn output_tangent(&mut self, change: StepChange<'_>) -> Result<Vec<f64>, SimulationError> {
        self.check_change(change)?;
        self.linearize_outputs();
        let (blocks, group) = (&self.linear.blocks, self.linear.outputs());
        let (n, m) = (M::lengths(self.program).coordinates, M::lengths(self.program).multipliers);
        let mut outputs = vec![0.0; M::lengths(self.program).outputs];
        let mut rest = change.state;
        let parts = [(blocks.output_q, n), (blocks.output_v, n), (blocks.output_a, n), (blocks.output_lambda, m)];
        for (block, length) in parts {
            let (part, others) = rest.split_at(length);
            block.add_product(group, 1.0, part, &mut outputs);
            rest = others;
        }
        blocks.output_p.add_product(group, 1.0, change.parameters, &mut outputs);
        blocks.output_u.add_product(self.linear.of_inputs(), 1.0, change.inputs, &mut outputs);
        Ok(outputs)
    }

    fn check_change(&self, change: StepChange<'_>) -> Result<(), SimulationError> {
        let (inputs, parameters) = (self.inputs.as_ref().len(), self.parameters.as_ref().len());
        check(change.state, numbers::<M>(self.program))?;
        check(change.inputs, inputs)?;
        check(change.inputs_before, inputs)?;
        check(change.parameters, parameters)
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

    /// Derivatives of the outputs at the current time.
    fn linearize_outputs(&mut self) {
        let mut stored = Vec::with_capacity(M::lengths(self.program).state());
        self.integrator.state().store(&mut stored);
        self.linear.load(self.clock.moment(self.at.as_ref()), &stored);
        self.linear.evaluate_outputs(&self.constants);
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
