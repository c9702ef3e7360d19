//! The matrices of one step of a stored run, and the derivatives of its outputs.

use crate::block::find;
use crate::evaluate;
use crate::integrator::{SimulationError, State, Unknown, lift_into, real_part};
use crate::linalg::Singular;
use crate::model::{Argument, Block, Function, Model, Point, SelectedParameters};
use crate::problem::Problem;
use crate::scalar::{Scalar, Vector};
use crate::step_matrix::StepMatrix;

use super::adjoint::CostSweep;

/// Where the groups `adjoint`, `output_derivatives` and `input_derivatives` hold their matrices.
pub(super) struct Blocks {
    pub inertia_q: &'static Block,
    pub residual_q: &'static Block,
    pub residual_v: &'static Block,
    pub constraint_q: &'static Block,
    pub inertia_p: &'static Block,
    pub residual_p: &'static Block,
    pub constraint_p: &'static Block,
    pub output_q: &'static Block,
    pub output_v: &'static Block,
    pub output_a: &'static Block,
    pub output_lambda: &'static Block,
    pub output_p: &'static Block,
    pub residual_u: &'static Block,
    pub output_u: &'static Block,
}

impl Blocks {
    pub fn of<M: Model>() -> Self {
        let groups = M::DESCRIPTION.groups;
        let adjoint = |function, argument| find(groups.adjoint, function, Some(argument));
        let of_inputs = |function| find(groups.input_derivatives, function, Some(Argument::Inputs));
        let output = |argument| find(groups.output_derivatives, Function::Output, Some(argument));
        Self {
            inertia_q: adjoint(Function::Inertia, Argument::Coordinates),
            residual_q: adjoint(Function::ForceResidual, Argument::Coordinates),
            residual_v: adjoint(Function::ForceResidual, Argument::Velocities),
            constraint_q: adjoint(Function::Constraint, Argument::Coordinates),
            inertia_p: adjoint(Function::Inertia, Argument::Parameters),
            residual_p: adjoint(Function::ForceResidual, Argument::Parameters),
            constraint_p: adjoint(Function::Constraint, Argument::Parameters),
            output_q: output(Argument::Coordinates),
            output_v: output(Argument::Velocities),
            output_a: output(Argument::Accelerations),
            output_lambda: output(Argument::Multipliers),
            output_p: output(Argument::Parameters),
            residual_u: of_inputs(Function::ForceResidual),
            output_u: of_inputs(Function::Output),
        }
    }
}

/// A run, linearised step by step.
pub(super) struct LinearStep<'a, M: Model, S: Scalar = f64> {
    pub problem: &'a Problem<M>,
    pub parameters: &'a M::Parameters<S>,
    pub constants: &'a M::Constants<S>,
    /// Those of the parameters' real parts, once pivots are chosen.
    real_constants: Option<M::Constants<f64>>,
    pub blocks: Blocks,
    pub matrix: StepMatrix<M, S>,
    /// The step i of the loaded state.
    step: usize,
    state: State<M, S>,
    inputs: M::Inputs<S>,
    coefficients: M::AdjointCoefficients<S>,
    adjoint: M::Adjoint<S>,
    outputs: M::OutputDerivatives<S>,
    of_inputs: M::InputDerivatives<S>,
    /// The Newton matrix in blocks, where pivots were chosen and the number type has several components.
    newton: Vec<S>,
}

impl<'a, M: Model, S: Scalar> LinearStep<'a, M, S> {
    /// n
    pub const N: usize = <M::Coordinates<S> as Vector<S>>::LENGTH;
    /// m
    pub const M: usize = <M::Multipliers<S> as Vector<S>>::LENGTH;

    pub fn new(
        problem: &'a Problem<M>,
        parameters: &'a M::Parameters<S>,
        constants: &'a M::Constants<S>,
    ) -> Self {
        Self {
            problem,
            parameters,
            constants,
            real_constants: None,
            blocks: Blocks::of::<M>(),
            matrix: StepMatrix::new(M::DESCRIPTION.groups.adjoint),
            step: 0,
            state: State::zeros(),
            inputs: Vector::zeros(),
            coefficients: Vector::zeros(),
            adjoint: Vector::zeros(),
            outputs: Vector::zeros(),
            of_inputs: Vector::zeros(),
            newton: Vec::new(),
        }
    }

    /// With these constants where pivots are chosen, which may be those of other steps than the problem's.
    pub fn with_real_constants(self, constants: &M::Constants<f64>) -> Self {
        Self { real_constants: Some(constants.clone()), ..self }
    }

    /// Takes the state x_i (3n + m) and the inputs of step i.
    pub fn load(&mut self, i: usize, state: &[S]) {
        self.step = i;
        self.state.load(state);
        lift_into(self.problem.inputs()[i].as_ref(), self.inputs.as_mut());
    }

    /// The emitted step of the adjoint at the state x_i (3n + m), whether it is [loaded](Self::load) or not, if its
    /// factors can be trusted.
    #[inline(always)]
    pub fn adjoint_step(
        &mut self,
        i: usize,
        state: &[S],
        selected: &SelectedParameters,
        cost: &mut CostSweep<'_, M, S>,
    ) -> bool {
        if !self.matrix.tries_emitted() {
            return false;
        }
        lift_into(self.problem.inputs()[i].as_ref(), self.inputs.as_mut());
        let time = i as f64 * self.problem.settings().step;
        let Some(point) = Point::of_stored(time, state, &self.inputs, self.constants) else { return false };
        let mut output_gradient = M::Outputs::zeros();
        output_gradient.as_mut().copy_from_slice(cost.output_gradient.of_step(i));
        let (later, adjoint, share) = (&cost.later, &mut cost.adjoint, &mut cost.share);
        let (coefficients, factors) = (&mut self.coefficients, &mut self.matrix.factors);
        M::adjoint_step(&point, &output_gradient, selected, later, adjoint, share, coefficients, factors);
        self.matrix.accept()
    }

    /// Evaluates the matrices of the equations of motion at the [loaded](Self::load) state.
    pub fn evaluate(&mut self) {
        let point = self.state.point(self.time(), &self.inputs, self.constants);
        M::adjoint(&point, &mut self.adjoint, &mut self.matrix.factors);
    }

    /// Evaluates the outputs' derivatives there.
    pub fn evaluate_outputs(&mut self) {
        let point = self.state.point(self.time(), &self.inputs, self.constants);
        M::output_derivatives(&point, &mut self.outputs);
    }

    /// Evaluates there what depends on the inputs.
    pub fn evaluate_inputs(&mut self) {
        let point = self.state.point(self.time(), &self.inputs, self.constants);
        M::input_derivatives(&point, &mut self.of_inputs);
    }

    /// Factorises the Newton matrix, where [`evaluate`](Self::evaluate) was called last.
    pub fn factor(&mut self) -> Result<(), SimulationError> {
        let factorised = if StepMatrix::<M>::HAS_FACTORS {
            let emitted = self.matrix.tries_emitted();
            if emitted && self.matrix.accept() {
                return Ok(());
            }
            self.choose_pivots(emitted)
        } else {
            self.matrix.factor_blocks(self.adjoint.as_ref())
        };
        factorised.map_err(|singular| SimulationError::Singular {
            time: self.time(),
            step: self.step,
            unknown: Unknown::at(&M::DESCRIPTION, singular.column),
            pivot: singular.pivot,
            limit: singular.limit,
        })
    }

    #[inline(never)]
    fn choose_pivots(&mut self, emitted: bool) -> Result<(), Singular> {
        let mut state = State::<M, f64>::zeros();
        self.state.real_into(&mut state);
        let (problem, parameters) = (self.problem, self.parameters);
        let constants = self.real_constants.get_or_insert_with(|| problem.constants(&real_part(parameters)));
        let point =
            state.point(self.step as f64 * problem.settings().step, &problem.inputs()[self.step], constants);
        if emitted {
            self.matrix.check(&point)?
        } else {
            self.matrix.pivot(&point)?
        }
        if S::COMPONENTS > 1 && !self.matrix.is_emitted() {
            let mut newton = M::Newton::<S>::zeros();
            evaluate::newton(&self.state.point(self.time(), &self.inputs, self.constants), &mut newton);
            self.newton.clear();
            self.newton.extend_from_slice(newton.as_ref());
        }
        Ok(())
    }

    /// Solves with the transpose of the Newton matrix that was factorised last.
    pub fn solve_transposed(&self, unknowns: &mut M::Unknowns<S>) {
        if self.matrix.is_emitted() {
            M::solve_transposed(self.constants, &self.matrix.factors, unknowns);
        } else {
            let group = if StepMatrix::<M>::HAS_FACTORS { &self.newton } else { self.adjoint.as_ref() };
            self.matrix.solve_transposed_pivoted(group, unknowns);
        }
    }

    /// The group `residual` at the [loaded](Self::load) state.
    pub fn residual(&self) -> M::Residual<S> {
        let mut residual = M::Residual::zeros();
        evaluate::residual(&self.state.point(self.time(), &self.inputs, self.constants), &mut residual);
        residual
    }

    /// The step of the loaded state.
    pub fn step(&self) -> usize {
        self.step
    }

    fn time(&self) -> f64 {
        self.step as f64 * self.problem.settings().step
    }

    /// The array of the group `adjoint`.
    pub fn adjoint(&self) -> &[S] {
        self.adjoint.as_ref()
    }

    /// The array of the group `output_derivatives`.
    pub fn outputs(&self) -> &[S] {
        self.outputs.as_ref()
    }

    /// The array of the group `input_derivatives`.
    pub fn of_inputs(&self) -> &[S] {
        self.of_inputs.as_ref()
    }
}

impl<M: Model> LinearStep<'_, M> {
    /// Solves with the Newton matrix that was factorised last.
    pub fn solve(&self, unknowns: &mut M::Unknowns<f64>) {
        self.matrix.solve(self.constants, unknowns);
    }
}
