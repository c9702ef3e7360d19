//! The projection of a state onto the constraints, of one state or of one in each lane.

use costate_numerics::linalg::block::{Products, find};
use costate_numerics::scalar::{Scalar, Vector};
use costate_system::model::{Argument, Block, Function, Functions, Group, Point};

use crate::step::State;

/// Working memory of a projection. Components of S are independent: plain numbers or lanes.
pub(super) struct Projection<M: Functions, S: Scalar> {
    pub linearization: M::Linearization<S>,
    residual: M::Residual<S>,
    kinematics: M::Kinematics<S>,
    blocks: Blocks,
    /// C_q C_q^T and its Cholesky factor, m x m by rows.
    normal: Vec<S>,
    pub shift: M::Multipliers<S>,
    /// Residual of the conditions on a and lambda, then the solution for it.
    pub unknowns: M::Unknowns<S>,
    /// Residuals of the state before the change: C_q v + C_t, and the conditions on a and lambda.
    pub velocity_level: M::Multipliers<S>,
    pub rest: M::Unknowns<S>,
}

struct Blocks {
    jacobian: &'static Block,
    inertia: &'static Block,
    force_residual: &'static Block,
    constraint: &'static Block,
    velocity_level: &'static Block,
    acceleration_level: &'static Block,
}

impl<M: Functions, S: Scalar> Projection<M, S> {
    pub fn new(program: M::Program) -> Self {
        let lengths = M::lengths(program);
        let groups = M::description(program).groups;
        Self {
            linearization: Vector::zeros(lengths.group(Group::Linearization)),
            residual: Vector::zeros(lengths.group(Group::Residual)),
            kinematics: Vector::zeros(lengths.group(Group::Kinematics)),
            blocks: Blocks {
                jacobian: find(groups.linearization, Function::Constraint, Some(Argument::Coordinates)),
                inertia: find(groups.residual, Function::Inertia, None),
                force_residual: find(groups.residual, Function::ForceResidual, None),
                constraint: find(groups.residual, Function::Constraint, None),
                velocity_level: find(groups.kinematics, Function::ConstraintVelocity, None),
                acceleration_level: find(groups.kinematics, Function::ConstraintAcceleration, None),
            },
            normal: vec![S::default(); lengths.multipliers * lengths.multipliers],
            shift: Vector::zeros(lengths.multipliers),
            unknowns: Vector::zeros(lengths.unknowns),
            velocity_level: Vector::zeros(lengths.multipliers),
            rest: Vector::zeros(lengths.unknowns),
        }
    }

    /// Returns the number of coordinates.
    pub fn n(&self) -> usize {
        self.unknowns.as_ref().len() - self.shift.as_ref().len()
    }

    /// Stores the residuals of a state at the levels of velocity and acceleration.
    #[inline(always)]
    pub fn start_from(&mut self, point: &Point<'_, M, S>) {
        self.conditions(point);
        let level = self.blocks.velocity_level.values(self.kinematics.as_ref());
        self.velocity_level.as_mut().copy_from_slice(level);
        self.rest.as_mut().copy_from_slice(self.unknowns.as_ref());
    }

    /// Evaluates M a + C_q^T lambda - f and the constraints at acceleration level, in `unknowns`.
    #[inline(always)]
    fn conditions(&mut self, point: &Point<'_, M, S>) {
        M::residual(point, &mut self.residual);
        M::kinematics(point, &mut self.kinematics);
        let n = self.n();
        let (motion, level) = self.unknowns.as_mut().split_at_mut(n);
        let group = self.residual.as_ref();
        let terms = self.blocks.inertia.values(group).iter().zip(self.blocks.force_residual.values(group));
        for (to, (inertia, force)) in motion.iter_mut().zip(terms) {
            *to = *inertia + *force;
        }
        level.copy_from_slice(self.blocks.acceleration_level.values(self.kinematics.as_ref()));
    }

    /// Moves q and v to the closest ones that satisfy the constraints and their derivative, except for the
    /// stored residuals. The mask says where the constraints are independent of each other; the other states
    /// can no longer be used, except for a plain one, which stays where the dependence was found.
    #[inline(always)]
    pub fn project(
        &mut self,
        time: f64,
        inputs: &M::Inputs<S>,
        constants: &M::Constants<S>,
        state: &mut State<M, S>,
        is_nowhere: fn(S::Mask) -> bool,
    ) -> S::Mask {
        /// Number of Newton iterations for positions: near the manifold they converge quadratically.
        const ROUNDS: usize = 4;
        let zero = S::constant(0.0);
        let mut is_regular = zero.equal(zero);
        for round in 0..ROUNDS {
            let point = state.point(time, inputs, constants);
            M::residual(&point, &mut self.residual);
            let constraint = self.blocks.constraint.values(self.residual.as_ref());
            self.shift.as_mut().copy_from_slice(constraint);
            let mut moves = is_regular;
            if round > 0 {
                let mut rests = is_regular;
                for shift in self.shift.as_ref() {
                    rests = S::and(rests, shift.equal(zero));
                }
                moves = S::and(is_regular, S::not(rests));
                if is_nowhere(moves) {
                    break;
                }
            }
            M::linearization(&point, &mut self.linearization);
            is_regular = S::and(is_regular, S::or(S::not(moves), self.factor_normal()));
            self.shift_to(S::and(moves, is_regular), state.coordinates.as_mut());
        }
        let point = state.point(time, inputs, constants);
        M::linearization(&point, &mut self.linearization);
        M::kinematics(&point, &mut self.kinematics);
        is_regular = S::and(is_regular, self.factor_normal());
        let level = self.blocks.velocity_level.values(self.kinematics.as_ref());
        let shift = self.shift.as_mut().iter_mut();
        for ((to, level), before) in shift.zip(level).zip(self.velocity_level.as_ref()) {
            *to = *level - *before;
        }
        self.shift_to(is_regular, state.velocities.as_mut());
        is_regular
    }

    /// Computes the change of the residual of the conditions on a and lambda from the stored one, in
    /// `unknowns`.
    #[inline(always)]
    pub fn prepare(&mut self, point: &Point<'_, M, S>) {
        self.conditions(point);
        for (to, before) in self.unknowns.as_mut().iter_mut().zip(self.rest.as_ref()) {
            *to -= *before;
        }
    }

    /// Subtracts the solution for the residual of [`prepare`](Self::prepare) from a and lambda.
    #[inline(always)]
    pub fn correct(&self, state: &mut State<M, S>) {
        let n = self.n();
        let (accelerations, multipliers) = self.unknowns.as_ref().split_at(n);
        for (a, change) in state.accelerations.as_mut().iter_mut().zip(accelerations) {
            *a -= *change;
        }
        for (lambda, change) in state.multipliers.as_mut().iter_mut().zip(multipliers) {
            *lambda -= *change;
        }
    }

    /// Computes x -= C_q^T (C_q C_q^T)^-1 shift where x `moves`.
    #[inline(always)]
    pub fn shift_to(&mut self, moves: S::Mask, x: &mut [S]) {
        self.solve_normal();
        for shift in self.shift.as_mut() {
            *shift = S::select(moves, *shift, S::constant(0.0));
        }
        let (group, shift) = (self.linearization.as_ref(), self.shift.as_ref());
        self.blocks.jacobian.add_transposed_product(group, -1.0, shift, x);
    }

    /// Computes the Cholesky factor of C_q C_q^T; the mask says where the constraints are independent of each
    /// other.
    #[inline(always)]
    pub fn factor_normal(&mut self) -> S::Mask {
        let (m, zero) = (self.shift.as_ref().len(), S::constant(0.0));
        let entries = self.blocks.jacobian.entries;
        let values = self.blocks.jacobian.values(self.linearization.as_ref());
        self.normal.fill(zero);
        for (&(row, column), value) in entries.iter().zip(values) {
            for (&(other, same), factor) in entries.iter().zip(values) {
                if same == column {
                    self.normal[row as usize * m + other as usize] += *value * *factor;
                }
            }
        }
        let mut is_regular = zero.equal(zero);
        for j in 0..m {
            for i in j..m {
                let mut product = zero;
                for k in 0..j {
                    product += self.normal[i * m + k] * self.normal[j * m + k];
                }
                let value = self.normal[i * m + j] - product;
                self.normal[i * m + j] = if i > j {
                    value / self.normal[j * m + j]
                } else {
                    is_regular = S::and(is_regular, zero.less(value));
                    value.sqrt()
                };
            }
        }
        is_regular
    }

    /// Computes shift = (C_q C_q^T)^-1 shift.
    #[inline(always)]
    fn solve_normal(&mut self) {
        let (m, x) = (self.shift.as_ref().len(), self.shift.as_mut());
        for i in 0..m {
            let mut product = S::constant(0.0);
            for (k, x) in x[..i].iter().enumerate() {
                product += self.normal[i * m + k] * *x;
            }
            x[i] = (x[i] - product) / self.normal[i * m + i];
        }
        for i in (0..m).rev() {
            let mut product = S::constant(0.0);
            for (k, x) in x.iter().enumerate().skip(i + 1) {
                product += self.normal[k * m + i] * *x;
            }
            x[i] = (x[i] - product) / self.normal[i * m + i];
        }
    }
}
