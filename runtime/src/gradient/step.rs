//! The matrices of one step of a stored run, and the derivatives of its outputs.

use crate::block::find;
use crate::integrator::{SimulationError, State, Unknown};
use crate::model::{AdjointVariables, Argument, Block, Function, Model, Point, SelectedParameters};
use crate::problem::Problem;
use crate::scalar::{Scalar, Vector, Work};
use crate::step_matrix::StepMatrix;

use super::adjoint::CostSweep;

/// Where the groups `adjoint` and `output_derivatives` hold their matrices.
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
}

impl Blocks {
    pub fn of<M: Model>() -> Self {
        let groups = M::DESCRIPTION.groups;
        let adjoint = |function, argument| find(groups.adjoint, function, Some(argument));
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
        }
    }
}

/// A run, linearised step by step.
pub(super) struct LinearStep<'a, M: Model> {
    pub problem: &'a Problem<M>,
    constants: &'a M::Constants<f64>,
    pub blocks: Blocks,
    pub matrix: StepMatrix<M>,
    state: State<M, f64>,
    adjoint: M::Adjoint<f64>,
    outputs: M::OutputDerivatives<f64>,
}

impl<'a, M: Model> LinearStep<'a, M> {
    /// n
    pub const N: usize = <M::Coordinates<f64> as Vector<f64>>::LENGTH;
    /// m
    pub const M: usize = <M::Multipliers<f64> as Vector<f64>>::LENGTH;

    pub fn new(problem: &'a Problem<M>, constants: &'a M::Constants<f64>) -> Self {
        Self {
            problem,
            constants,
            blocks: Blocks::of::<M>(),
            matrix: StepMatrix::new(M::DESCRIPTION.groups.adjoint),
            state: State::zeros(),
            adjoint: Vector::zeros(),
            outputs: Vector::zeros(),
        }
    }

    /// Takes the state x_i (3n + m).
    pub fn load(&mut self, state: &[f64]) {
        self.state.load(state);
    }

    /// The emitted step of the adjoint at the [loaded](Self::load) state, if its factors can be trusted.
    pub fn adjoint_step(
        &mut self,
        i: usize,
        selected: &SelectedParameters,
        cost: &mut CostSweep<'_, M>,
    ) -> bool {
        self.matrix.tries_emitted() && f64::dispatch(AdjointWork { linear: self, i, selected, cost })
    }

    /// Evaluates the matrices of the equations of motion at step i, whose state is [loaded](Self::load).
    pub fn evaluate(&mut self, i: usize) {
        let inputs = &self.problem.inputs()[i];
        let point = self.state.point(self.time(i), inputs, self.constants);
        M::adjoint(&point, &mut self.adjoint, &mut self.matrix.factors);
    }

    /// Evaluates the outputs' derivatives at the state of the last [`evaluate`](Self::evaluate).
    pub fn evaluate_outputs(&mut self, i: usize) {
        let inputs = &self.problem.inputs()[i];
        let point = self.state.point(self.time(i), inputs, self.constants);
        M::output_derivatives(&point, &mut self.outputs);
    }

    /// Factorises the Newton matrix of step i, where [`evaluate`](Self::evaluate) was called last.
    pub fn factor(&mut self, i: usize) -> Result<(), SimulationError> {
        let factorised = if StepMatrix::<M>::HAS_FACTORS {
            let emitted = self.matrix.tries_emitted();
            if emitted && self.matrix.accept() {
                return Ok(());
            }
            let inputs = &self.problem.inputs()[i];
            let point = self.state.point(self.time(i), inputs, self.constants);
            if emitted { self.matrix.check(&point) } else { self.matrix.pivot(&point) }
        } else {
            self.matrix.factor_blocks(self.adjoint.as_ref())
        };
        factorised.map_err(|singular| SimulationError::Singular {
            time: self.time(i),
            step: i,
            unknown: Unknown::at(&M::DESCRIPTION, singular.column),
            pivot: singular.pivot,
            limit: singular.limit,
        })
    }

    /// Solves with the Newton matrix that was factorised last.
    pub fn solve(&self, unknowns: &mut M::Unknowns<f64>) {
        self.matrix.solve(self.constants, unknowns);
    }

    /// Solves with its transpose.
    pub fn solve_transposed(&self, unknowns: &mut M::Unknowns<f64>) {
        self.matrix.solve_transposed(self.constants, unknowns);
    }

    fn time(&self, i: usize) -> f64 {
        i as f64 * self.problem.settings().step
    }

    /// The array of the group `adjoint`.
    pub fn adjoint(&self) -> &[f64] {
        self.adjoint.as_ref()
    }

    /// The array of the group `output_derivatives`.
    pub fn outputs(&self) -> &[f64] {
        self.outputs.as_ref()
    }
}

/// A step of the adjoint as a piece of work.
struct AdjointWork<'s, 'a, 'c, M: Model> {
    linear: &'s mut LinearStep<'a, M>,
    i: usize,
    selected: &'s SelectedParameters,
    cost: &'s mut CostSweep<'c, M>,
}

impl<M: Model> Work for AdjointWork<'_, '_, '_, M> {
    type Output = bool;

    #[inline(always)]
    fn run(self) -> bool {
        let Self { linear, i, selected, cost } = self;
        let mut output_gradient = M::Outputs::zeros();
        output_gradient.as_mut().copy_from_slice(cost.output_gradient.row(i));
        let point = linear.state.point(linear.time(i), &linear.problem.inputs()[i], linear.constants);
        let (later, adjoint, share) = (&cost.later, &mut cost.adjoint, &mut cost.share);
        let factors = &mut linear.matrix.factors;
        adjoint_step(&point, &output_gradient, selected, later, adjoint, share, factors);
        linear.matrix.accept()
    }
}

/// The emitted function, compiled once: it is long, and the sweep is compiled for several kinds of processor.
#[inline(never)]
fn adjoint_step<M: Model>(
    point: &Point<'_, M, f64>,
    output_gradient: &M::Outputs<f64>,
    selected: &SelectedParameters,
    later: &AdjointVariables<M, f64>,
    adjoint: &mut AdjointVariables<M, f64>,
    share: &mut M::Parameters<f64>,
    factors: &mut M::Factors<f64>,
) {
    M::adjoint_step(point, output_gradient, selected, later, adjoint, share, factors);
}

/// The numbers of the scheme, DA (12) and (13).
#[derive(Clone, Copy)]
pub(super) struct Scheme {
    /// h
    pub h: f64,
    /// 1/(1 + alpha)
    pub inertia: f64,
    /// alpha/(1 + alpha)
    pub previous: f64,
    /// dq_i/da_i = beta h^2
    pub q_of_a: f64,
    /// dv_i/da_i = gamma h
    pub v_of_a: f64,
    /// dq_i/da_{i-1} = h^2/2 (1 - 2 beta)
    pub q_of_old_a: f64,
    /// dv_i/da_{i-1} = h (1 - gamma)
    pub v_of_old_a: f64,
}

impl Scheme {
    pub fn of<M: Model>(problem: &Problem<M>) -> Self {
        let settings = problem.settings();
        let weights = settings.weights();
        let h = settings.step;
        Self {
            h,
            inertia: weights.accelerations,
            previous: settings.history_weight(),
            q_of_a: weights.coordinates,
            v_of_a: weights.velocities,
            q_of_old_a: h * h * (0.5 - settings.beta()),
            v_of_old_a: h * (1.0 - settings.gamma()),
        }
    }
}
