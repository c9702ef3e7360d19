//! A step's tangent: what it makes of a change of the state before it (OB 3.8).

use crate::block::Products;
use crate::model::{Model, Weights};
use crate::scalar::Vector;

use super::integrator::scale_auxiliary;
use super::linear::LinearStep;
use super::moment::StepConstants;

/// What changes together with a state.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum With {
    Nothing,
    /// The parameter with this index.
    Parameter(usize),
    /// The input with this index by `change`, where `linear` has evaluated what depends on inputs.
    Input {
        input: usize,
        change: f64,
    },
    /// The value of a table in this column, where `linear` has evaluated rates.
    TableValue(usize),
}

/// A change of the state: its derivative with respect to one parameter, or what else a run carries on.
pub(crate) struct Tangent<M: Model> {
    /// What changes besides the state.
    pub with: With,
    pub q: Vec<f64>,
    pub v: Vec<f64>,
    pub a: Vec<f64>,
    lambda: Vec<f64>,
    /// Of the auxiliary acceleration.
    s: Vec<f64>,
    /// dG/dp of the step before.
    force_residual: Vec<f64>,
    solution: M::Unknowns<f64>,
}

impl<M: Model> Tangent<M> {
    /// `start` is the derivative of x_0 and s_0 (4n + m).
    pub fn new(with: With, start: &[f64]) -> Self {
        let n = LinearStep::<M>::N;
        let (state, auxiliary) = start.split_at(start.len() - n);
        Self {
            with,
            q: state[..n].to_vec(),
            v: state[n..2 * n].to_vec(),
            a: state[2 * n..3 * n].to_vec(),
            lambda: state[3 * n..].to_vec(),
            s: auxiliary.to_vec(),
            force_residual: vec![0.0; n],
            solution: Vector::zeros(),
        }
    }

    /// Begins anew with this derivative of a state (3n + m) and of its auxiliary acceleration.
    pub fn begin(&mut self, with: With, state: &[f64], auxiliary: &[f64]) {
        let n = self.q.len();
        self.with = with;
        self.q.copy_from_slice(&state[..n]);
        self.v.copy_from_slice(&state[n..2 * n]);
        self.a.copy_from_slice(&state[2 * n..3 * n]);
        self.lambda.copy_from_slice(&state[3 * n..]);
        self.s.copy_from_slice(auxiliary);
        self.force_residual.fill(0.0);
    }

    /// Writes that of the state (3n + m).
    pub fn store(&self, state: &mut [f64]) {
        let n = self.q.len();
        state[..n].copy_from_slice(&self.q);
        state[n..2 * n].copy_from_slice(&self.v);
        state[2 * n..3 * n].copy_from_slice(&self.a);
        state[3 * n..].copy_from_slice(&self.lambda);
    }

    /// That of the auxiliary acceleration.
    pub fn auxiliary(&self) -> &[f64] {
        &self.s
    }

    /// From step i - 1 to step i: the derivative of the step's equations, solved with the Newton matrix.
    pub fn step(&mut self, linear: &LinearStep<M>, constants: &StepConstants<M, f64>) {
        let weights = &constants.weights;
        let Weights { accelerations: inertia, previous, coordinates: q_of_a, velocities: v_of_a, .. } =
            *weights;
        for (j, (a, s)) in self.a.iter().zip(&mut self.s).enumerate() {
            self.q[j] += weights.step * self.v[j]
                + weights.coordinates_of_auxiliary * *s
                + weights.coordinates_of_acceleration * a;
            self.v[j] += weights.velocities_of_auxiliary * *s + weights.velocities_of_acceleration * a;
            *s = weights.auxiliary_of_auxiliary * *s + weights.auxiliary_of_acceleration * a;
        }
        let (blocks, group) = (&linear.blocks, linear.adjoint());
        let (motion, constraints) = self.solution.as_mut().split_at_mut(self.q.len());
        for (row, old) in motion.iter_mut().zip(&self.force_residual) {
            *row = previous * old;
        }
        constraints.fill(0.0);
        blocks.inertia_q.add_product(group, -inertia, &self.q, motion);
        blocks.residual_q.add_product(group, -1.0, &self.q, motion);
        blocks.residual_v.add_product(group, -1.0, &self.v, motion);
        blocks.constraint_q.add_product(group, -1.0 / q_of_a, &self.q, constraints);
        match self.with {
            With::Nothing => (),
            With::Parameter(parameter) => {
                blocks.inertia_p.add_column(group, -inertia, parameter, motion);
                blocks.residual_p.add_column(group, -1.0, parameter, motion);
                blocks.constraint_p.add_column(group, -1.0 / q_of_a, parameter, constraints);
            }
            With::Input { input, change } => {
                blocks.residual_u.add_column(linear.of_inputs(), -change, input, motion);
            }
            With::TableValue(column) => {
                let (group, rates) = (linear.of_lookups(), linear.rates(column));
                blocks.inertia_tau.add_product(group, -inertia, rates, motion);
                blocks.residual_tau.add_product(group, -1.0, rates, motion);
                blocks.constraint_tau.add_product(group, -1.0 / q_of_a, rates, constraints);
            }
        }
        linear.solve(constants, &mut self.solution);
        let (a, lambda) = self.solution.as_ref().split_at(self.q.len());
        self.a.copy_from_slice(a);
        self.lambda.copy_from_slice(lambda);
        for (j, a) in a.iter().enumerate() {
            self.q[j] += q_of_a * a;
            self.v[j] += v_of_a * a;
            self.s[j] += weights.auxiliary_of_new * a;
        }
    }

    /// Before a step whose length is `ratio` times that of the one before.
    pub fn change_step(&mut self, ratio: f64) {
        scale_auxiliary(&mut self.s, &self.a, ratio);
    }

    /// The change of the state and of s, q, v, a, lambda and s in sequence (4n + m).
    pub fn values(&self) -> impl Iterator<Item = f64> {
        let Self { q, v, a, lambda, s, .. } = self;
        [q, v, a, lambda, s].into_iter().flatten().copied()
    }

    /// dG/dp of the step before.
    pub fn force_residual_mut(&mut self) -> &mut [f64] {
        &mut self.force_residual
    }

    /// dG_i/dp for the next step.
    pub fn remember_force_residual(&mut self, linear: &LinearStep<M>) {
        let (blocks, group) = (&linear.blocks, linear.adjoint());
        let result = &mut self.force_residual;
        result.fill(0.0);
        blocks.residual_q.add_product(group, 1.0, &self.q, result);
        blocks.residual_v.add_product(group, 1.0, &self.v, result);
        blocks.constraint_q.add_transposed_product(group, 1.0, &self.lambda, result);
        match self.with {
            With::Nothing => (),
            With::Parameter(parameter) => blocks.residual_p.add_column(group, 1.0, parameter, result),
            With::Input { input, change } => {
                blocks.residual_u.add_column(linear.of_inputs(), change, input, result);
            }
            With::TableValue(column) => {
                blocks.residual_tau.add_product(linear.of_lookups(), 1.0, linear.rates(column), result);
            }
        }
    }

    pub fn differentiate_outputs(&self, linear: &LinearStep<M>, row: &mut [f64]) {
        let (blocks, group) = (&linear.blocks, linear.outputs());
        blocks.output_q.add_product(group, 1.0, &self.q, row);
        blocks.output_v.add_product(group, 1.0, &self.v, row);
        blocks.output_a.add_product(group, 1.0, &self.a, row);
        blocks.output_lambda.add_product(group, 1.0, &self.lambda, row);
        match self.with {
            With::Nothing => (),
            With::Parameter(parameter) => blocks.output_p.add_column(group, 1.0, parameter, row),
            With::Input { input, change } => {
                blocks.output_u.add_column(linear.of_inputs(), change, input, row);
            }
            With::TableValue(column) => {
                blocks.output_tau.add_product(linear.of_lookups(), 1.0, linear.rates(column), row);
            }
        }
    }
}
