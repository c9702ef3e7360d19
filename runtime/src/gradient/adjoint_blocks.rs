//! A step of the discrete adjoint by the blocks of its matrices: for models without emitted factors, for steps where these
//! do not serve, and for several costs at once.

use crate::model::{Model, Weights};
use crate::scalar::Scalar;

use super::adjoint::CostSweep;
use super::selection::Selection;
use crate::step::{Blocks, LinearStep};

/// The derivative of the cost with respect to the state through the outputs of one step.
pub(super) struct CostGradient<S> {
    q: Vec<S>,
    v: Vec<S>,
    a: Vec<S>,
    lambda: Vec<S>,
}

impl<S: Scalar> CostGradient<S> {
    pub fn zeros(n: usize, m: usize) -> Self {
        let zeros = |length| vec![S::default(); length];
        Self { q: zeros(n), v: zeros(n), a: zeros(n), lambda: zeros(m) }
    }
}

/// Derivatives with respect to the unknown parameters.
pub(super) struct ParameterBlocks {
    inertia: Selection,
    residual: Selection,
    constraint: Selection,
    output: Selection,
}

/// All components.
fn is_zero<S: Scalar>(value: S) -> bool {
    (0..S::COMPONENTS).all(|component| value.component(component) == 0.0)
}

impl ParameterBlocks {
    pub fn new(blocks: &Blocks, unknown: &[usize]) -> Self {
        Self {
            inertia: Selection::of(blocks.inertia_p, unknown),
            residual: Selection::of(blocks.residual_p, unknown),
            constraint: Selection::of(blocks.constraint_p, unknown),
            output: Selection::of(blocks.output_p, unknown),
        }
    }
}

/// What the adjoint variables y, z and that of s of a step pass on to a and s of the step before.
fn before<S: Scalar>(weights: &Weights, [y, z, auxiliary]: [S; 3]) -> [S; 2] {
    let of_a = y * weights.coordinates_of_acceleration
        + z * weights.velocities_of_acceleration
        + auxiliary * weights.auxiliary_of_acceleration;
    let of_s = y * weights.coordinates_of_auxiliary
        + z * weights.velocities_of_auxiliary
        + auxiliary * weights.auxiliary_of_auxiliary;
    [of_a, of_s]
}

impl<M: Model, S: Scalar> CostSweep<'_, M, S> {
    /// From the adjoint variables of step i + 1 to those of step i, where `linear` is evaluated and factorised.
    pub fn step_by_blocks(
        &mut self,
        linear: &mut LinearStep<'_, M, S>,
        weights: &Weights,
        parameters: &ParameterBlocks,
    ) {
        self.share.as_mut().fill(S::default());
        self.adjoint.clone_from(&self.later);
        self.differentiate_cost(linear, parameters);
        self.carry_over(linear, weights);
        linear.solve_transposed(&mut self.solution);
        self.finish_step(linear, weights, parameters);
    }

    /// J_q, J_v, J_a, J_lambda at the step; J_p goes into the step's share.
    fn differentiate_cost(&mut self, linear: &mut LinearStep<'_, M, S>, parameters: &ParameterBlocks) {
        let cost = &mut self.cost;
        for part in [&mut cost.q, &mut cost.v, &mut cost.a, &mut cost.lambda] {
            part.fill(S::default());
        }
        if let Some(last) = self.end_gradient.take() {
            let mut rest = last;
            for part in [&mut cost.q, &mut cost.v, &mut cost.a, &mut cost.lambda] {
                let (own, others) = rest.split_at(part.len());
                part.copy_from_slice(own);
                rest = others;
            }
        }
        let output_gradient = self.output_gradient.of_step(linear.step());
        if output_gradient.iter().all(|derivative| is_zero(*derivative)) {
            return;
        }
        linear.evaluate_outputs();
        let (blocks, group) = (&linear.blocks, linear.outputs());
        for (block, part) in [
            (blocks.output_q, &mut cost.q),
            (blocks.output_v, &mut cost.v),
            (blocks.output_a, &mut cost.a),
            (blocks.output_lambda, &mut cost.lambda),
        ] {
            block.add_transposed_product(group, 1.0, output_gradient, part);
        }
        parameters.output.add_transposed_product(group, 1.0, output_gradient, self.share.as_mut());
    }

    /// The right-hand sides: y, z and the solution hold what step i + 1 and the cost contribute.
    fn carry_over(&mut self, linear: &LinearStep<'_, M, S>, weights: &Weights) {
        let previous = weights.previous;
        let (blocks, group) = (&linear.blocks, linear.adjoint());
        let (y, z, w) = (self.adjoint.y.as_mut(), self.adjoint.z.as_mut(), self.later.w.as_ref());
        let auxiliary = self.adjoint.auxiliary.as_mut();
        let (motion, constraints) = self.solution.as_mut().split_at_mut(LinearStep::<M, S>::N);
        for (j, row) in motion.iter_mut().enumerate() {
            let [of_a, of_s] = before(weights, [y[j], z[j], auxiliary[j]]);
            *row = of_a + of_s * weights.auxiliary_of_new - self.cost.a[j];
            auxiliary[j] = of_s;
            z[j] += y[j] * weights.step - self.cost.v[j];
            y[j] -= self.cost.q[j];
        }
        blocks.residual_q.add_transposed_product(group, previous, w, y);
        blocks.residual_v.add_transposed_product(group, previous, w, z);
        for (row, (y, z)) in motion.iter_mut().zip(y.iter().zip(z.iter())) {
            *row += *y * weights.coordinates + *z * weights.velocities;
        }
        for (row, derivative) in constraints.iter_mut().zip(&self.cost.lambda) {
            *row = -*derivative;
        }
        blocks.constraint_q.add_product(group, previous, w, constraints);
    }

    /// y_i and z_i, and the share of step i in the gradient.
    fn finish_step(
        &mut self,
        linear: &LinearStep<'_, M, S>,
        weights: &Weights,
        parameters: &ParameterBlocks,
    ) {
        let Weights { accelerations: inertia, previous, coordinates: q_of_a, .. } = *weights;
        let (blocks, group) = (&linear.blocks, linear.adjoint());
        let (w, mu) = self.solution.as_ref().split_at(LinearStep::<M, S>::N);
        let (y, z) = (self.adjoint.y.as_mut(), self.adjoint.z.as_mut());
        blocks.inertia_q.add_transposed_product(group, -inertia, w, y);
        blocks.residual_q.add_transposed_product(group, -1.0, w, y);
        blocks.constraint_q.add_transposed_product(group, -1.0 / q_of_a, mu, y);
        blocks.residual_v.add_transposed_product(group, -1.0, w, z);
        let share = self.share.as_mut();
        parameters.inertia.add_transposed_product(group, inertia, w, share);
        parameters.constraint.add_transposed_product(group, 1.0 / q_of_a, mu, share);
        // G_i enters step i with w_i and step i + 1 with -k' w_{i+1}.
        let change = self.adjoint.w.as_mut();
        for (change, &new) in change.iter_mut().zip(w) {
            *change = new - *change * previous;
        }
        parameters.residual.add_transposed_product(group, 1.0, change, share);
        change.copy_from_slice(w);
        self.adjoint.mu.as_mut().copy_from_slice(mu);
    }

    /// Step 0, where `linear` is evaluated: G_0 in the first step goes into the gradient; dJ/dx_0 and dJ/ds_0 (4n + m).
    pub fn initial_by_blocks(
        &mut self,
        linear: &mut LinearStep<'_, M, S>,
        weights: &Weights,
        parameters: &ParameterBlocks,
    ) -> Vec<S> {
        let previous = weights.previous;
        self.share.as_mut().fill(S::default());
        self.differentiate_cost(linear, parameters);
        let (blocks, group) = (&linear.blocks, linear.adjoint());
        let (y, z, w) = (self.later.y.as_ref(), self.later.z.as_ref(), self.later.w.as_ref());
        parameters.residual.add_transposed_product(group, -previous, w, self.share.as_mut());
        for (gradient, share) in self.gradient.as_mut().iter_mut().zip(self.share.as_ref()) {
            *gradient += *share;
        }
        let CostGradient { q, v, a, lambda } = &mut self.cost;
        let mut s = vec![S::default(); LinearStep::<M, S>::N];
        for (j, (s, auxiliary)) in s.iter_mut().zip(self.later.auxiliary.as_ref()).enumerate() {
            let [of_a, of_s] = before(weights, [y[j], z[j], *auxiliary]);
            q[j] -= y[j];
            v[j] -= y[j] * weights.step + z[j];
            a[j] -= of_a;
            *s -= of_s;
        }
        blocks.residual_q.add_transposed_product(group, -previous, w, q);
        blocks.residual_v.add_transposed_product(group, -previous, w, v);
        blocks.constraint_q.add_product(group, -previous, w, lambda);
        [&q[..], v, a, lambda, &s].concat()
    }
}
