//! The adjoint of a step (DA 9 to 20), computed with the blocks of the step's matrices: propagates the
//! derivatives of a cost with respect to the state after the step to the state before the step. The emitted
//! [`Functions::adjoint_step`] computes the same at once.

use costate_numerics::linalg::Transposed;
use costate_numerics::linalg::block::Products;
use costate_numerics::scalar::{Scalar, Vector};
use costate_system::model::{Functions, Weights};

use super::adjoint_variables::AdjointVariables;
use super::linear::{AdjointStep, LinearStep};
use super::selection::Selection;
use crate::step::Blocks;

/// The derivative of a number with respect to a state.
pub struct StateGradient<S> {
    pub q: Vec<S>,
    pub v: Vec<S>,
    pub a: Vec<S>,
    pub lambda: Vec<S>,
    /// Derivative with respect to the auxiliary acceleration (n).
    pub s: Vec<S>,
}

impl<S: Scalar> StateGradient<S> {
    fn zeros(n: usize, m: usize) -> Self {
        let zeros = |length| vec![S::default(); length];
        Self { q: zeros(n), v: zeros(n), a: zeros(n), lambda: zeros(m), s: zeros(n) }
    }

    /// Sets all derivatives to zero.
    pub fn clear(&mut self) {
        for part in self.parts() {
            part.fill(S::default());
        }
    }

    /// Returns the derivatives with respect to q, v, a, lambda and s.
    pub fn parts(&mut self) -> [&mut Vec<S>; 5] {
        let Self { q, v, a, lambda, s } = self;
        [q, v, a, lambda, s]
    }
}

/// Derivatives with respect to the unknown parameters.
pub struct ParameterBlocks {
    pub(super) inertia: Selection,
    pub(super) residual: Selection,
    pub(super) constraint: Selection,
    pub(super) velocity: Selection,
    pub(super) acceleration: Selection,
    /// Derivatives of the outputs.
    pub output: Selection,
}

impl ParameterBlocks {
    /// Selects the entries of the blocks that belong to the `unknown` parameters.
    pub fn new(blocks: &Blocks, unknown: &[usize]) -> Self {
        Self {
            inertia: Selection::of(blocks.inertia_p, unknown),
            residual: Selection::of(blocks.residual_p, unknown),
            constraint: Selection::of(blocks.constraint_p, unknown),
            velocity: Selection::of(blocks.velocity_p, unknown),
            acceleration: Selection::of(blocks.acceleration_p, unknown),
            output: Selection::of(blocks.output_p, unknown),
        }
    }
}

/// The transposed matrices of the equations for y and z.
struct TransposedBlocks {
    inertia_q: Transposed,
    residual_q: Transposed,
    residual_v: Transposed,
    constraint_q: Transposed,
}

impl TransposedBlocks {
    fn of(blocks: &Blocks) -> Self {
        Self {
            inertia_q: Transposed::of(blocks.inertia_q),
            residual_q: Transposed::of(blocks.residual_q),
            residual_v: Transposed::of(blocks.residual_v),
            constraint_q: Transposed::of(blocks.constraint_q),
        }
    }
}

/// Propagates the adjoint variables y, z and that of s of a step to a and s of the step before.
pub(super) fn before<S: Scalar>(weights: &Weights, [y, z, auxiliary]: [S; 3]) -> [S; 2] {
    let of_a = y * weights.coordinates_of_acceleration
        + z * weights.velocities_of_acceleration
        + auxiliary * weights.auxiliary_of_acceleration;
    let of_s = y * weights.coordinates_of_auxiliary
        + z * weights.velocities_of_auxiliary
        + auxiliary * weights.auxiliary_of_auxiliary;
    [of_a, of_s]
}

/// The state of a backward sweep between two steps.
pub struct StepAdjoint<M: Functions, S: Scalar> {
    // boxed, because `later` and `adjoint` are swapped in every step
    /// The adjoint variables of the step after the current one.
    pub later: Box<AdjointVariables<M, S>>,
    /// The adjoint variables of the current step.
    pub adjoint: Box<AdjointVariables<M, S>>,
    /// The share of the current step in dJ/dp.
    pub share: M::Parameters<S>,
    /// The derivative of the cost with respect to the state of the current step.
    pub cost: StateGradient<S>,
    /// Adjoint variables of the constraints at velocity and acceleration level, for states that these determine.
    pub levels: [M::Multipliers<S>; 2],
    /// Right-hand side, then w_i and mu_i (n + m).
    pub(super) solution: M::Unknowns<S>,
    /// The transposed matrices, once a step has needed them.
    transposed: Option<Box<TransposedBlocks>>,
}

impl<M: Functions, S: Scalar> StepAdjoint<M, S> {
    /// Creates the adjoint after the last step, with all variables zero.
    pub fn new(program: M::Program) -> Self {
        let lengths = M::lengths(program);
        Self {
            later: Box::new(AdjointVariables::zeros(program)),
            adjoint: Box::new(AdjointVariables::zeros(program)),
            share: Vector::zeros(lengths.parameters),
            cost: StateGradient::zeros(lengths.coordinates, lengths.multipliers),
            levels: std::array::from_fn(|_| Vector::zeros(lengths.multipliers)),
            solution: Vector::zeros(lengths.unknowns),
            transposed: None,
        }
    }

    /// Returns the arguments of the emitted step.
    #[inline(always)]
    pub fn emitted<'s>(&'s mut self, output_gradient: &'s [S]) -> AdjointStep<'s, M, S> {
        let Self { later, adjoint, share, .. } = self;
        AdjointStep { output_gradient, later, adjoint, share }
    }

    /// Ends the step: its adjoint variables become those of the step after.
    #[inline(always)]
    pub fn commit(&mut self) {
        std::mem::swap(&mut self.later, &mut self.adjoint);
    }

    /// Computes the adjoint variables of step i from those of step i + 1, where `linear` is evaluated,
    /// `solve_transposed` solves with its transposed Newton matrix, and `cost` and the share of the cost in `share` are
    /// given.
    pub fn step(
        &mut self,
        linear: &LinearStep<M, S>,
        weights: &Weights,
        parameters: &ParameterBlocks,
        solve_transposed: impl Fn(&mut M::Unknowns<S>),
    ) {
        if let Some(kinematics) = linear.determined() {
            return self.determined(linear, kinematics, weights, parameters, solve_transposed);
        }
        let (adjoint, later) = (&mut *self.adjoint, &*self.later);
        adjoint.y.clone_from(&later.y);
        adjoint.z.clone_from(&later.z);
        adjoint.auxiliary.clone_from(&later.auxiliary);
        adjoint.w.clone_from(&later.w);
        self.carry_over(linear, weights);
        solve_transposed(&mut self.solution);
        self.finish_step(linear, weights, parameters);
    }

    /// Assembles the right-hand sides: y, z and the solution hold the contributions of step i + 1 and of the
    /// cost.
    fn carry_over(&mut self, linear: &LinearStep<M, S>, weights: &Weights) {
        let previous = weights.previous;
        let (blocks, group) = (&linear.blocks, linear.adjoint());
        let (y, z, w) = (self.adjoint.y.as_mut(), self.adjoint.z.as_mut(), self.later.w.as_ref());
        let auxiliary = self.adjoint.auxiliary.as_mut();
        let (motion, constraints) = self.solution.as_mut().split_at_mut(w.len());
        for (j, row) in motion.iter_mut().enumerate() {
            let [of_a, of_s] = before(weights, [y[j], z[j], auxiliary[j]]);
            auxiliary[j] = of_s - self.cost.s[j];
            *row = of_a + auxiliary[j] * weights.auxiliary_of_new - self.cost.a[j];
            z[j] += y[j] * weights.step - self.cost.v[j];
            y[j] -= self.cost.q[j];
        }
        // only HHT carries the force residual over
        if previous != 0.0 {
            let transposed = self.transposed.get_or_insert_with(|| Box::new(TransposedBlocks::of(blocks)));
            transposed.residual_q.add_product(group, previous, w, y);
            transposed.residual_v.add_product(group, previous, w, z);
        }
        for (row, (y, z)) in motion.iter_mut().zip(y.iter().zip(z.iter())) {
            *row += *y * weights.coordinates + *z * weights.velocities;
        }
        for (row, derivative) in constraints.iter_mut().zip(&self.cost.lambda) {
            *row = -*derivative;
        }
        if previous != 0.0 {
            blocks.constraint_q.add_product(group, previous, w, constraints);
        }
    }

    /// Computes y_i and z_i, and adds the share of step i to the gradient.
    fn finish_step(&mut self, linear: &LinearStep<M, S>, weights: &Weights, parameters: &ParameterBlocks) {
        let Weights { accelerations: inertia, previous, coordinates: q_of_a, .. } = *weights;
        let (blocks, group) = (&linear.blocks, linear.adjoint());
        let (w, mu) = self.solution.as_ref().split_at(self.adjoint.w.as_ref().len());
        let (y, z) = (self.adjoint.y.as_mut(), self.adjoint.z.as_mut());
        let transposed = self.transposed.get_or_insert_with(|| Box::new(TransposedBlocks::of(blocks)));
        transposed.inertia_q.add_product(group, -inertia, w, y);
        transposed.residual_q.add_product(group, -1.0, w, y);
        transposed.constraint_q.add_product(group, -1.0 / q_of_a, mu, y);
        transposed.residual_v.add_product(group, -1.0, w, z);
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

    /// Ends the sweep at the initial state, where `linear` is evaluated: adds the contribution of G at that
    /// state to the first step's gradient in `share`, and completes `cost` to the derivative with respect to
    /// that state.
    pub fn begin(&mut self, linear: &LinearStep<M, S>, weights: &Weights, parameters: &ParameterBlocks) {
        let previous = weights.previous;
        let (blocks, group) = (&linear.blocks, linear.adjoint());
        let (y, z, w) = (self.later.y.as_ref(), self.later.z.as_ref(), self.later.w.as_ref());
        parameters.residual.add_transposed_product(group, -previous, w, self.share.as_mut());
        let StateGradient { q, v, a, lambda, s } = &mut self.cost;
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
    }
}
