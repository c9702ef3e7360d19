//! The discrete adjoint of the HHT scheme (DA 9 to 20, with the initial state's and the constraints' share).
//!
//! With multipliers y_i, z_i, w_i, mu_i of the step's four equations and K = G_q, backward in i:
//!
//! ```text
//! y_i + [k (M a)_q + K]_i^T w_i + C_q^T mu_i/(beta h^2)  =  y_{i+1} + k' K_i^T w_{i+1} - J_q
//! z_i + G_v^T w_i  =  z_{i+1} + h y_{i+1} + k' G_v^T w_{i+1} - J_v
//! -beta h^2 y_i - gamma h z_i + k M w_i  =  h^2/2 (1 - 2 beta) y_{i+1} + h (1 - gamma) z_{i+1} - J_a
//! C_q w_i  =  k' C_q w_{i+1} - J_lambda
//! ```
//!
//! Without y_i and z_i this is the transpose of the forward Newton matrix: per step one evaluation, one
//! factorisation and one solve.

use crate::integrator::SimulationError;
use crate::model::Model;
use crate::problem::Problem;
use crate::scalar::Vector;
use crate::series::Series;
use crate::stored_run::RunStates;

use super::selection::Selection;
use super::states::Backward;
use super::step::{LinearStep, Scheme};

/// The gradient dJ/dp of a cost of the outputs with respect to the parameters with the indices `unknown`.
///
/// `output_gradient` holds dJ/ds_i of every output at every step of `run`, a run of `problem`: a `&Trajectory`, or a
/// `&mut StoredRun`, whose states are computed once more where it has checkpoints. The result is the same, bit by bit.
/// The cost of the gradient does not depend on the number of unknowns.
///
/// # Errors
/// [`SimulationError::Singular`] at a step whose Newton matrix is singular, [`SimulationError::InitialState`] if the
/// initial state has no derivative, [`SimulationError::Interrupted`].
pub fn gradient<'a, M: Model>(
    problem: &'a Problem<M>,
    run: impl Into<RunStates<'a, M>>,
    output_gradient: &Series<f64>,
    unknown: &[usize],
) -> Result<Vec<f64>, SimulationError> {
    let mut states = Backward::new(problem, run.into().0)?;
    let mut sweep = Sweep::new(problem, states.constants, unknown);
    for i in (1..=problem.steps()).rev() {
        sweep.step(i, states.at(i)?, output_gradient.row(i))?;
        states.poll(i)?;
    }
    let parameters = states.parameters;
    sweep.finish(states.at(0)?, output_gradient.row(0), parameters, unknown)
}

/// The derivative of the cost with respect to the state and the parameters through the outputs of one step.
struct CostGradient {
    q: Vec<f64>,
    v: Vec<f64>,
    a: Vec<f64>,
    lambda: Vec<f64>,
}

/// The backward sweep: the adjoint variables of the step after, and the gradient so far.
struct Sweep<'a, M: Model> {
    linear: LinearStep<'a, M>,
    scheme: Scheme,
    /// y_{i+1}, then y_i (n).
    y: Vec<f64>,
    /// z_{i+1}, then z_i (n).
    z: Vec<f64>,
    /// w_{i+1} (n).
    w: Vec<f64>,
    /// Right-hand side, then w_i and mu_i (n + m).
    solution: M::Unknowns<f64>,
    cost: CostGradient,
    parameters: ParameterBlocks,
    /// dJ/dp so far, of all parameters; only the unknown ones are kept up.
    gradient: Vec<f64>,
}

/// Derivatives with respect to the unknown parameters.
struct ParameterBlocks {
    inertia: Selection,
    residual: Selection,
    constraint: Selection,
    output: Selection,
}

impl<'a, M: Model> Sweep<'a, M> {
    fn new(problem: &'a Problem<M>, constants: &'a M::Constants<f64>, unknown: &[usize]) -> Self {
        let (n, m) = (LinearStep::<M>::N, LinearStep::<M>::M);
        let linear = LinearStep::new(problem, constants);
        Self {
            parameters: ParameterBlocks {
                inertia: Selection::of(linear.blocks.inertia_p, unknown),
                residual: Selection::of(linear.blocks.residual_p, unknown),
                constraint: Selection::of(linear.blocks.constraint_p, unknown),
                output: Selection::of(linear.blocks.output_p, unknown),
            },
            linear,
            scheme: Scheme::of(problem),
            y: vec![0.0; n],
            z: vec![0.0; n],
            w: vec![0.0; n],
            solution: Vector::zeros(),
            cost: CostGradient { q: vec![0.0; n], v: vec![0.0; n], a: vec![0.0; n], lambda: vec![0.0; m] },
            gradient: vec![0.0; <M::Parameters<f64> as Vector<f64>>::LENGTH],
        }
    }

    /// From the adjoint variables of step i + 1 to those of step i.
    fn step(&mut self, i: usize, state: &[f64], output_gradient: &[f64]) -> Result<(), SimulationError> {
        self.linear.evaluate(i, state);
        self.linear.factor(i)?;
        self.differentiate_cost(i, output_gradient);
        self.carry_over();
        self.solve();
        self.finish_step();
        Ok(())
    }

    /// J_q, J_v, J_a, J_lambda at step i; J_p goes into the gradient.
    fn differentiate_cost(&mut self, i: usize, output_gradient: &[f64]) {
        let cost = &mut self.cost;
        for part in [&mut cost.q, &mut cost.v, &mut cost.a, &mut cost.lambda] {
            part.fill(0.0);
        }
        if output_gradient.iter().all(|&derivative| derivative == 0.0) {
            return;
        }
        self.linear.evaluate_outputs(i);
        let (blocks, group) = (&self.linear.blocks, self.linear.outputs());
        for (block, part) in [
            (blocks.output_q, &mut cost.q),
            (blocks.output_v, &mut cost.v),
            (blocks.output_a, &mut cost.a),
            (blocks.output_lambda, &mut cost.lambda),
        ] {
            block.add_transposed_product(group, 1.0, output_gradient, part);
        }
        self.parameters.output.add_transposed_product(group, 1.0, output_gradient, &mut self.gradient);
    }

    /// The right-hand sides: y, z and the solution hold what step i + 1 and the cost contribute.
    fn carry_over(&mut self) {
        let Scheme { h, previous, q_of_a, v_of_a, q_of_old_a, v_of_old_a, .. } = self.scheme;
        let (blocks, group) = (&self.linear.blocks, self.linear.adjoint());
        let (motion, constraints) = self.solution.as_mut().split_at_mut(LinearStep::<M>::N);
        for (j, row) in motion.iter_mut().enumerate() {
            *row = q_of_old_a * self.y[j] + v_of_old_a * self.z[j] - self.cost.a[j];
            self.z[j] += h * self.y[j] - self.cost.v[j];
            self.y[j] -= self.cost.q[j];
        }
        blocks.residual_q.add_transposed_product(group, previous, &self.w, &mut self.y);
        blocks.residual_v.add_transposed_product(group, previous, &self.w, &mut self.z);
        for (row, (y, z)) in motion.iter_mut().zip(self.y.iter().zip(&self.z)) {
            *row += q_of_a * y + v_of_a * z;
        }
        for (row, derivative) in constraints.iter_mut().zip(&self.cost.lambda) {
            *row = -derivative;
        }
        blocks.constraint_q.add_product(group, previous, &self.w, constraints);
    }

    fn solve(&mut self) {
        self.linear.solve_transposed(&mut self.solution);
    }

    /// y_i and z_i, and the share of step i in the gradient.
    fn finish_step(&mut self) {
        let Scheme { inertia, previous, q_of_a, .. } = self.scheme;
        let (blocks, group) = (&self.linear.blocks, self.linear.adjoint());
        let (w, mu) = self.solution.as_ref().split_at(LinearStep::<M>::N);
        blocks.inertia_q.add_transposed_product(group, -inertia, w, &mut self.y);
        blocks.residual_q.add_transposed_product(group, -1.0, w, &mut self.y);
        blocks.constraint_q.add_transposed_product(group, -1.0 / q_of_a, mu, &mut self.y);
        blocks.residual_v.add_transposed_product(group, -1.0, w, &mut self.z);
        self.parameters.inertia.add_transposed_product(group, inertia, w, &mut self.gradient);
        self.parameters.constraint.add_transposed_product(group, 1.0 / q_of_a, mu, &mut self.gradient);
        // G_i enters step i with w_i and step i + 1 with -k' w_{i+1}.
        for (old, &new) in self.w.iter_mut().zip(w) {
            *old = new - previous * *old;
        }
        self.parameters.residual.add_transposed_product(group, 1.0, &self.w, &mut self.gradient);
        self.w.copy_from_slice(w);
    }

    /// Step 0: G_0 in the first step, and the initial state x_0(p).
    fn finish(
        mut self,
        state: &[f64],
        output_gradient: &[f64],
        parameters: &M::Parameters<f64>,
        unknown: &[usize],
    ) -> Result<Vec<f64>, SimulationError> {
        let Scheme { h, previous, q_of_old_a, v_of_old_a, .. } = self.scheme;
        self.linear.evaluate(0, state);
        self.differentiate_cost(0, output_gradient);
        let (blocks, group) = (&self.linear.blocks, self.linear.adjoint());
        self.parameters.residual.add_transposed_product(group, -previous, &self.w, &mut self.gradient);
        let CostGradient { mut q, mut v, mut a, mut lambda } = self.cost;
        for j in 0..LinearStep::<M>::N {
            q[j] -= self.y[j];
            v[j] -= h * self.y[j] + self.z[j];
            a[j] -= q_of_old_a * self.y[j] + v_of_old_a * self.z[j];
        }
        blocks.residual_q.add_transposed_product(group, -previous, &self.w, &mut q);
        blocks.residual_v.add_transposed_product(group, -previous, &self.w, &mut v);
        blocks.constraint_q.add_product(group, -previous, &self.w, &mut lambda);
        let initial = self.linear.problem.initial_derivatives(parameters, unknown)?;
        let state: Vec<f64> = [q, v, a, lambda].concat();
        let total = unknown.iter().zip(initial.column_iter()).map(|(&parameter, column)| {
            let initial: f64 = column.iter().zip(&state).map(|(x, derivative)| x * derivative).sum();
            self.gradient[parameter] + initial
        });
        Ok(total.collect())
    }
}
