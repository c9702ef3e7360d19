//! States that follow from the constraints alone, of models without a degree of freedom: the scheme finds q by C = 0,
//! and with C_q square
//!
//! ```text
//! C_q v = -C_t,   C_q a = -gamma,   C_q^T lambda = f - M a
//! ```
//!
//! replace what the scheme leaves in v, a and lambda, errors of the order of h^2. The Newton matrix K = [A C_q^T;
//! C_q 0], whose A is M and terms of the step, solves all of them: K (x, y) = (r, g) gives C_q x = g and
//! C_q^T y = r - A x. The auxiliary acceleration s alone depends on the state before.

use std::ops::Mul;

use costate_numerics::linalg::block::{Products, find};
use costate_numerics::scalar::{Scalar, component_into};
use costate_system::model::{Block, Function, Functions, Weights};

use super::adjoint::{ParameterBlocks, StateGradient, StepAdjoint, before};
use super::column_scalar::ColumnScalar;
use super::correction::Correction;
use super::integrator::Integrator;
use super::linear::LinearStep;
use super::tangent::{Direct, Solver, Tangent, add_products};
use crate::evaluate;
use crate::step::{Moment, StepConstants, StepError, Unknown};

impl<M: Functions, S: Scalar> Integrator<M, S> {
    /// Computes v, a and lambda at the positions that the step has found.
    ///
    /// The equations are linear, but derivatives need the solution of the real parts, and lambda that of a.
    /// `unknowns` is working memory.
    #[inline(never)]
    pub(super) fn determine(
        &mut self,
        constants: &StepConstants<M, S>,
        at: Moment<'_>,
        unknowns: &mut M::Unknowns<S>,
    ) -> Result<(), StepError> {
        let (rounds, n) = (S::COMPONENTS.min(2), M::lengths(self.program).coordinates);
        self.correct(constants, at, true, false, unknowns)?;
        let layout = M::description(self.program).groups.kinematics;
        for function in [Function::ConstraintVelocity, Function::ConstraintAcceleration] {
            let has_forces = function == Function::ConstraintAcceleration;
            for _ in 0..rounds + usize::from(has_forces) {
                let point = self.state.point(at.time, &self.inputs, &constants.model);
                let Correction { residual, residual_rows, kinematics, .. } = &mut self.correction;
                evaluate::kinematics(&point, kinematics);
                let (motion, constraints) = unknowns.as_mut().split_at_mut(n);
                motion.fill(S::default());
                if has_forces {
                    evaluate::residual(&point, residual);
                    let inertia = residual_rows.inertia.values(residual.as_ref());
                    let forces = residual_rows.force_residual.values(residual.as_ref());
                    for (row, (inertia, force)) in motion.iter_mut().zip(inertia.iter().zip(forces)) {
                        *row = -(*inertia + *force);
                    }
                }
                for (row, value) in constraints.iter_mut().zip(find(layout, function, None).values(kinematics.as_ref()))
                {
                    *row = -*value;
                }
                self.solve_determined(constants, at, unknowns)?;
                let (motion, rest) = unknowns.as_ref().split_at(n);
                let state = &mut self.state;
                if has_forces {
                    add(state.accelerations.as_mut(), motion);
                    add(state.multipliers.as_mut(), rest);
                } else {
                    add(state.velocities.as_mut(), motion);
                }
            }
        }
        Ok(())
    }

    /// Solves with the real part of the Newton matrix for every component of a right-hand side, which must be finite.
    fn solve_determined(
        &mut self,
        constants: &StepConstants<M, S>,
        at: Moment<'_>,
        unknowns: &mut M::Unknowns<S>,
    ) -> Result<(), StepError> {
        let Correction { matrix, component: part, .. } = &mut self.correction;
        for component in 0..S::COMPONENTS {
            component_into(unknowns.as_ref(), component, part.as_mut());
            if let Some(row) = part.as_ref().iter().position(|row| !row.is_finite()) {
                let (equation, value) = (Unknown::at(M::description(self.program), row), -part.as_ref()[row]);
                return Err(StepError::NotFinite { time: at.time, step: at.step, equation, value });
            }
            matrix.solve(&constants.real, part);
            for (unknown, part) in unknowns.as_mut().iter_mut().zip(part.as_ref()) {
                unknown.set_component(component, *part);
            }
        }
        Ok(())
    }
}

fn add<S: Scalar>(sum: &mut [S], values: &[S]) {
    sum.iter_mut().zip(values).for_each(|(sum, value)| *sum += *value);
}

impl<M: Functions, S: Scalar> StepAdjoint<M, S> {
    /// Computes the adjoint variables of a step like [`step`](Self::step): those of the equations for lambda, a, v and
    /// q, in this order.
    pub(super) fn determined(
        &mut self,
        linear: &LinearStep<M, S>,
        kinematics: &[S],
        weights: &Weights,
        parameters: &ParameterBlocks,
        solve_transposed: impl Fn(&mut M::Unknowns<S>),
    ) {
        let (blocks, group, zero) = (&linear.blocks, linear.adjoint(), S::default());
        let Self { later, adjoint, share, cost, levels: [velocity, acceleration], solution, .. } = self;
        let solve = |(right, solution): (&[S], &mut M::Unknowns<S>), lambda: Option<&[S]>| {
            let (rows, rest) = solution.as_mut().split_at_mut(right.len());
            rows.copy_from_slice(right);
            rest.fill(zero);
            rest.iter_mut().zip(lambda.into_iter().flatten()).for_each(|(row, derivative)| *row = -*derivative);
            solve_transposed(solution);
        };
        let add = |block: &Block, array: &[S], scale: f64, x: &[S], y: &mut [S]| {
            block.add_transposed_product(array, scale, x, y);
        };
        adjoint.y.as_mut().fill(zero);
        adjoint.z.as_mut().fill(zero);
        let StateGradient { q, v, a: rows, lambda, s } = cost;
        let w = adjoint.w.as_mut();
        w.fill(zero);
        solve((w, solution), Some(lambda));
        w.copy_from_slice(&solution.as_ref()[..w.len()]);
        for (j, auxiliary) in adjoint.auxiliary.as_mut().iter_mut().enumerate() {
            let [of_a, of_s] = before(weights, [zero, zero, later.auxiliary.as_ref()[j]]);
            *auxiliary = of_s - s[j];
            rows[j] = of_a + *auxiliary * weights.auxiliary_of_new - rows[j];
        }
        // without the terms of the step in the Newton matrix
        add(blocks.inertia_q, group, weights.accelerations * weights.coordinates, w, rows);
        add(blocks.residual_q, group, weights.coordinates, w, rows);
        add(blocks.residual_v, group, weights.velocities, w, rows);
        solve((rows, solution), Some(lambda));
        let constraints = |solution: &M::Unknowns<S>, to: &mut [S]| to.copy_from_slice(&solution.as_ref()[w.len()..]);
        constraints(solution, acceleration.as_mut());
        let acceleration = acceleration.as_ref();
        rows.iter_mut().zip(&*v).for_each(|(row, derivative)| *row = -*derivative);
        add(blocks.residual_v, group, -1.0, w, rows);
        add(blocks.acceleration_v, kinematics, -1.0, acceleration, rows);
        solve((rows, solution), None);
        constraints(solution, velocity.as_mut());
        let velocity = velocity.as_ref();
        rows.iter_mut().zip(&*q).for_each(|(row, derivative)| *row = -*derivative);
        add(blocks.inertia_q, group, -1.0, w, rows);
        add(blocks.residual_q, group, -1.0, w, rows);
        add(blocks.acceleration_q, kinematics, -1.0, acceleration, rows);
        add(blocks.velocity_q, kinematics, -1.0, velocity, rows);
        solve((rows, solution), None);
        let constraint = &solution.as_ref()[w.len()..];
        let share = share.as_mut();
        parameters.inertia.add_transposed_product(group, 1.0, w, share);
        parameters.residual.add_transposed_product(group, 1.0, w, share);
        parameters.constraint.add_transposed_product(group, 1.0, constraint, share);
        parameters.velocity.add_transposed_product(kinematics, 1.0, velocity, share);
        parameters.acceleration.add_transposed_product(kinematics, 1.0, acceleration, share);
        for (mu, own) in adjoint.mu.as_mut().iter_mut().zip(constraint) {
            *mu = *own * weights.coordinates;
        }
    }
}

impl<M: Functions, S: ColumnScalar> Tangent<M, S> {
    /// Advances a step like [`advance`](Self::advance), by the derivatives of the equations for q, v, a and lambda, in
    /// this order.
    #[inline(always)]
    pub(super) fn determined(&mut self, kinematics: &[f64], weights: &Weights, solver: &Solver<'_, M, S>)
    where
        S: Mul<f64, Output = S>,
    {
        let (linear, width) = (solver.linear, self.width);
        let (blocks, group) = (&linear.blocks, linear.adjoint());
        let Self { changes, q, v, a, lambda, s, right, solution, direct, .. } = self;
        for (s, a) in s.iter_mut().zip(&*a) {
            *s = *s * weights.auxiliary_of_auxiliary + *a * weights.auxiliary_of_acceleration;
        }
        let of = |of_parameters, of_inputs, of_lookups| Direct {
            of_parameters,
            of_inputs: (of_inputs, linear.of_inputs()),
            of_lookups,
        };
        let none = &Block::EMPTY;
        right.fill(S::default());
        let rows = linear.n() * width;
        let direct_of_q = of((blocks.constraint_p, group), none, (blocks.constraint_tau, linear.of_lookups()));
        changes.add(linear, &direct_of_q, -1.0, direct, &mut right[rows..], width);
        solver.solve_columns(solution, right, width, q, lambda);
        right.fill(S::default());
        let direct_of_v = of((blocks.velocity_p, kinematics), none, (blocks.velocity_tau, linear.of_levels()));
        changes.add(linear, &direct_of_v, -1.0, direct, &mut right[rows..], width);
        add_products(blocks.velocity_q, kinematics, -1.0, q, &mut right[rows..], width);
        solver.solve_columns(solution, right, width, v, lambda);
        right.fill(S::default());
        let direct_of_a = of((blocks.acceleration_p, kinematics), none, (blocks.acceleration_tau, linear.of_levels()));
        changes.add(linear, &direct_of_a, -1.0, direct, &mut right[rows..], width);
        add_products(blocks.acceleration_q, kinematics, -1.0, q, &mut right[rows..], width);
        add_products(blocks.acceleration_v, kinematics, -1.0, v, &mut right[rows..], width);
        solver.solve_columns(solution, right, width, a, lambda);
        let motion = &mut right[..rows];
        let lookups = linear.of_lookups();
        let direct_of_inertia = of((blocks.inertia_p, group), none, (blocks.inertia_tau, lookups));
        changes.add(linear, &direct_of_inertia, -1.0, direct, motion, width);
        let direct_of_residual = of((blocks.residual_p, group), blocks.residual_u, (blocks.residual_tau, lookups));
        changes.add(linear, &direct_of_residual, -1.0, direct, motion, width);
        add_products(blocks.inertia_q, group, -1.0, q, motion, width);
        add_products(blocks.residual_q, group, -1.0, q, motion, width);
        add_products(blocks.residual_v, group, -1.0, v, motion, width);
        // without the terms of the step in the Newton matrix
        add_products(blocks.inertia_q, group, weights.accelerations * weights.coordinates, a, motion, width);
        add_products(blocks.residual_q, group, weights.coordinates, a, motion, width);
        add_products(blocks.residual_v, group, weights.velocities, a, motion, width);
        solver.solve_columns(solution, right, width, a, lambda);
        for (s, a) in s.iter_mut().zip(&*a) {
            *s += *a * weights.auxiliary_of_new;
        }
    }
}
