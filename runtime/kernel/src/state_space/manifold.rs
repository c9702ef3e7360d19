//! The manifold of a mechanism's states: its constraints on the levels of position, velocity and acceleration, and its
//! equations of motion, as equations between the parts of a state (q, v, a, lambda, p).
//!
//! A correction is linear, and leaves this manifold by its curvature. A step of index 3 satisfies the constraints by
//! its new position alone: what a velocity lacks is made up for by accelerations of the size of the lack over h, and by
//! multipliers that are unrelated to the measurements.

use costate_numerics::linalg::block::{Products, find};
use costate_numerics::scalar::Vector;
use costate_system::model::{Argument, Block, Function, Functions, Group, Point};

use super::layout::Layout;
use super::projection::Projection;
use crate::evaluate;
use crate::step::{AccelerationMatrix, State};

/// Work space.
pub(super) struct Manifold<M: Functions> {
    pub projection: Projection<M, f64>,
    derivatives: M::KinematicsDerivatives<f64>,
    blocks: Blocks,
    pub kkt: AccelerationMatrix,
}

struct Blocks {
    jacobian: &'static Block,
    /// Derivatives of M a and C_q^T lambda, which add, and f, which subtracts, by q, v, p.
    motion: [[(&'static Block, f64); 3]; 3],
    velocity_by: [&'static Block; 2],
    acceleration_by: [&'static Block; 3],
    constraint_p: &'static Block,
}

impl Blocks {
    fn of<M: Functions>(program: M::Program) -> Self {
        let groups = M::description(program).groups;
        let arguments = [Argument::Coordinates, Argument::Velocities, Argument::Parameters];
        let linear = |function, argument| find(groups.linearization, function, Some(argument));
        let level = |function, argument| find(groups.kinematics_derivatives, function, Some(argument));
        Self {
            jacobian: linear(Function::Constraint, Argument::Coordinates),
            motion: arguments.map(|argument| {
                [(Function::Inertia, 1.0), (Function::ConstraintForce, 1.0), (Function::Force, -1.0)]
                    .map(|(function, sign)| (linear(function, argument), sign))
            }),
            velocity_by: [
                level(Function::ConstraintVelocity, Argument::Coordinates),
                level(Function::ConstraintVelocity, Argument::Parameters),
            ],
            acceleration_by: arguments.map(|argument| level(Function::ConstraintAcceleration, argument)),
            constraint_p: linear(Function::Constraint, Argument::Parameters),
        }
    }
}

impl<M: Functions> Manifold<M> {
    pub fn new(program: M::Program) -> Self {
        Self {
            projection: Projection::new(program),
            derivatives: Vector::zeros(M::lengths(program).group(Group::KinematicsDerivatives)),
            blocks: Blocks::of::<M>(program),
            kkt: AccelerationMatrix::new(M::description(program)),
        }
    }

    /// Notes how far a state of a simulation, from which a correction starts, is from the conditions at the levels of
    /// velocity and acceleration: steps satisfy these to second order in h only, and are to go on as they are.
    #[inline(never)]
    pub fn start_from(&mut self, point: &Point<'_, M, f64>) {
        self.projection.start_from(point);
    }

    /// Moves q to the closest point that satisfies the constraints, v to the closest one that satisfies their
    /// derivative, and gives a and lambda the values that go with these, but for what
    /// [`start_from`](Self::start_from) has noted. Where constraints depend on each other, or nothing determines a and
    /// lambda, they stay; else `projection.unknowns` is what was subtracted from them. Returns true if they have
    /// changed.
    #[inline(never)]
    pub fn admit(
        &mut self,
        time: f64,
        inputs: &M::Inputs<f64>,
        constants: &M::Constants<f64>,
        state: &mut State<M, f64>,
    ) -> bool {
        let projection = &mut self.projection;
        if !projection.project(time, inputs, constants, state, |moves| !moves)
            || !self.kkt.factor(projection.linearization.as_ref())
        {
            return false;
        }
        projection.prepare(&state.point(time, inputs, constants));
        self.kkt.solve(projection.unknowns.as_mut());
        projection.correct(state);
        true
    }

    /// Prepares [`tangent`](Self::tangent) at a state; false where the directions are not determined.
    pub fn linearize(&mut self, point: &Point<'_, M, f64>) -> bool {
        let projection = &mut self.projection;
        evaluate::linearization(point, &mut projection.linearization);
        M::kinematics_derivatives(point, &mut self.derivatives);
        projection.factor_normal() && self.kkt.factor(projection.linearization.as_ref())
    }

    /// Makes a deviation (dq, dv, da, dlambda, ds, and dp of the parameters with these indices) one that the linearised
    /// conditions admit: dq and dv closest to those given, da and dlambda as they demand, and with `moves_auxiliary` ds
    /// moved with da.
    pub fn tangent(&mut self, deviation: &mut [f64], layout: Layout, parameters: &[usize], moves_auxiliary: bool) {
        let n = self.projection.n();
        let (fixed, dp) = deviation.split_at_mut(layout.fixed());
        let (state, ds) = fixed.split_at_mut(layout.state());
        let (dq, rest) = state.split_at_mut(n);
        let (dv, dx) = rest.split_at_mut(n);
        let parameters = || parameters.iter().copied().zip(dp.iter().copied());
        // C_q dq + C_p dp = 0
        let Projection { linearization, shift, .. } = &mut self.projection;
        let (blocks, group, shift) = (&self.blocks, linearization.as_ref(), shift.as_mut());
        shift.fill(0.0);
        blocks.jacobian.add_product(group, 1.0, dq, shift);
        parameters().for_each(|(p, dp)| blocks.constraint_p.add_column(group, dp, p, shift));
        self.projection.shift_to(true, dq);
        // C_q dv + (C_q v + C_t)_q dq + (C_q v + C_t)_p dp = 0
        let Projection { linearization, shift, .. } = &mut self.projection;
        let (blocks, group, shift) = (&self.blocks, linearization.as_ref(), shift.as_mut());
        let levels = self.derivatives.as_ref();
        shift.fill(0.0);
        blocks.jacobian.add_product(group, 1.0, dv, shift);
        blocks.velocity_by[0].add_product(levels, 1.0, dq, shift);
        parameters().for_each(|(p, dp)| blocks.velocity_by[1].add_column(levels, dp, p, shift));
        self.projection.shift_to(true, dv);
        let part = if moves_auxiliary { 1.0 } else { 0.0 };
        ds.iter_mut().zip(&*dx).for_each(|(ds, da)| *ds -= part * da);
        self.follow(dq, dv, parameters, dx);
        ds.iter_mut().zip(&*dx).for_each(|(ds, da)| *ds += part * da);
    }

    /// da and dlambda in `dx`, as dq, dv and dp demand.
    fn follow<P: Iterator<Item = (usize, f64)>>(
        &mut self,
        dq: &[f64],
        dv: &[f64],
        parameters: impl Fn() -> P,
        dx: &mut [f64],
    ) {
        let n = self.projection.n();
        let Projection { linearization, unknowns, .. } = &mut self.projection;
        let (blocks, group, levels) = (&self.blocks, linearization.as_ref(), self.derivatives.as_ref());
        unknowns.as_mut().fill(0.0);
        let (motion, level) = unknowns.as_mut().split_at_mut(n);
        let ([by_q, by_v, by_p], [level_q, level_v, level_p]) = (blocks.motion, blocks.acceleration_by);
        for (blocks, of_level, direction) in [(by_q, level_q, dq), (by_v, level_v, dv)] {
            for (block, sign) in blocks {
                block.add_product(group, -sign, direction, motion);
            }
            of_level.add_product(levels, -1.0, direction, level);
        }
        for (p, dp) in parameters() {
            for (block, sign) in by_p {
                block.add_column(group, -sign * dp, p, motion);
            }
            level_p.add_column(levels, -dp, p, level);
        }
        self.kkt.solve(unknowns.as_mut());
        self.kkt.free().for_each(|j| unknowns.as_mut()[j] = dx[j]);
        dx.copy_from_slice(unknowns.as_ref());
    }
}
