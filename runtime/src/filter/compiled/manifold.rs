//! Where a mechanism can be: its constraints on the levels of position, velocity and acceleration, and its equations of
//! motion, as equations between the parts of a state (q, v, a, lambda, p).
//!
//! A correction is linear, and leaves this manifold by its curvature. A step of index 3 satisfies the constraints by its
//! new position alone: what a velocity lacks is made up for by accelerations of the size of the lack over h, and by
//! multipliers that have nothing to do with what is measured.

use crate::block::find;
use crate::integrator::State;
use crate::linalg::SparseLu;
use crate::model::{Argument, Block, Function, Model, Point};
use crate::scalar::Vector;

/// Newton's method for positions: near the manifold it converges quadratically.
const ROUNDS: usize = 4;

/// Work space.
pub(super) struct Manifold<M: Model> {
    linearization: M::Linearization<f64>,
    residual: M::Residual<f64>,
    kinematics: M::Kinematics<f64>,
    derivatives: M::KinematicsDerivatives<f64>,
    blocks: Blocks,
    /// C_q C_q^T and its Cholesky factor, m x m by rows.
    normal: Vec<f64>,
    shift: M::Multipliers<f64>,
    /// What a state lacks of the conditions on a and lambda, and the solution.
    unknowns: M::Unknowns<f64>,
    kkt: AccelerationMatrix,
    /// C_q v + C_t and rest of the other conditions of the state before.
    velocity_level: M::Multipliers<f64>,
    rest: M::Unknowns<f64>,
}

struct Blocks {
    jacobian: &'static Block,
    inertia: &'static Block,
    force_residual: &'static Block,
    constraint: &'static Block,
    velocity_level: &'static Block,
    acceleration_level: &'static Block,
    /// Derivatives of M a and C_q^T lambda, which add, and f, which subtracts, by q, v, p.
    motion: [[(&'static Block, f64); 3]; 3],
    velocity_by: [&'static Block; 2],
    acceleration_by: [&'static Block; 3],
    constraint_p: &'static Block,
}

const Q: usize = 0;
const V: usize = 1;
const P: usize = 2;

impl Blocks {
    fn of<M: Model>() -> Self {
        let groups = M::DESCRIPTION.groups;
        let arguments = [Argument::Coordinates, Argument::Velocities, Argument::Parameters];
        let linear = |function, argument| find(groups.linearization, function, Some(argument));
        let level = |function, argument| find(groups.kinematics_derivatives, function, Some(argument));
        Self {
            jacobian: linear(Function::Constraint, Argument::Coordinates),
            inertia: find(groups.residual, Function::Inertia, None),
            force_residual: find(groups.residual, Function::ForceResidual, None),
            constraint: find(groups.residual, Function::Constraint, None),
            velocity_level: find(groups.kinematics, Function::ConstraintVelocity, None),
            acceleration_level: find(groups.kinematics, Function::ConstraintAcceleration, None),
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

impl<M: Model> Manifold<M> {
    const N: usize = <M::Coordinates<f64> as Vector<f64>>::LENGTH;
    const M: usize = <M::Multipliers<f64> as Vector<f64>>::LENGTH;

    pub fn new() -> Self {
        Self {
            linearization: Vector::zeros(),
            residual: Vector::zeros(),
            kinematics: Vector::zeros(),
            derivatives: Vector::zeros(),
            blocks: Blocks::of::<M>(),
            normal: vec![0.0; Self::M * Self::M],
            shift: Vector::zeros(),
            unknowns: Vector::zeros(),
            kkt: AccelerationMatrix::new::<M>(),
            velocity_level: Vector::zeros(),
            rest: Vector::zeros(),
        }
    }

    /// Notes how far a state of a simulation, from which a correction starts, is from the conditions at the levels of
    /// velocity and acceleration: steps satisfy these to second order in h only, and are to go on as they are.
    pub fn start_from(&mut self, point: &Point<'_, M, f64>) {
        self.conditions(point);
        let level = self.blocks.velocity_level.values(self.kinematics.as_ref());
        self.velocity_level.as_mut().copy_from_slice(level);
        self.rest.as_mut().copy_from_slice(self.unknowns.as_ref());
    }

    /// M a + C_q^T lambda - f and the constraints at the level of acceleration, in `unknowns`.
    fn conditions(&mut self, point: &Point<'_, M, f64>) {
        M::residual(point, &mut self.residual);
        M::kinematics(point, &mut self.kinematics);
        let (motion, level) = self.unknowns.as_mut().split_at_mut(Self::N);
        let group = self.residual.as_ref();
        let terms = self.blocks.inertia.values(group).iter().zip(self.blocks.force_residual.values(group));
        for (to, (inertia, force)) in motion.iter_mut().zip(terms) {
            *to = inertia + force;
        }
        level.copy_from_slice(self.blocks.acceleration_level.values(self.kinematics.as_ref()));
    }

    /// Moves q to the closest point that satisfies the constraints, v to the closest one that satisfies their
    /// derivative, and gives a and lambda the values that go with these, but for what
    /// [`start_from`](Self::start_from) has noted. Where constraints depend on each other, or nothing determines a and
    /// lambda, they stay.
    pub fn admit(
        &mut self,
        time: f64,
        inputs: &M::Inputs<f64>,
        constants: &M::Constants<f64>,
        state: &mut State<M, f64>,
    ) {
        for round in 0..ROUNDS {
            let point = state.point(time, inputs, constants);
            M::residual(&point, &mut self.residual);
            let constraint = self.blocks.constraint.values(self.residual.as_ref());
            self.shift.as_mut().copy_from_slice(constraint);
            if round > 0 && self.shift.as_ref().iter().all(|shift| *shift == 0.0) {
                break;
            }
            M::linearization(&point, &mut self.linearization);
            if !self.factor_normal() {
                return;
            }
            self.shift_to(state.coordinates.as_mut());
        }
        let point = state.point(time, inputs, constants);
        M::linearization(&point, &mut self.linearization);
        M::kinematics(&point, &mut self.kinematics);
        if !self.factor_normal() {
            return;
        }
        let level = self.blocks.velocity_level.values(self.kinematics.as_ref());
        for ((to, level), before) in
            self.shift.as_mut().iter_mut().zip(level).zip(self.velocity_level.as_ref())
        {
            *to = level - before;
        }
        self.shift_to(state.velocities.as_mut());
        if !self.kkt.factor(self.linearization.as_ref()) {
            return;
        }
        self.conditions(&state.point(time, inputs, constants));
        for (to, before) in self.unknowns.as_mut().iter_mut().zip(self.rest.as_ref()) {
            *to -= before;
        }
        self.kkt.solve(self.unknowns.as_mut());
        let (accelerations, multipliers) = self.unknowns.as_ref().split_at(Self::N);
        for (a, change) in state.accelerations.as_mut().iter_mut().zip(accelerations) {
            *a -= change;
        }
        for (lambda, change) in state.multipliers.as_mut().iter_mut().zip(multipliers) {
            *lambda -= change;
        }
    }

    /// Prepares [`tangent`](Self::tangent) at a state; false where the directions are not determined.
    pub fn linearize(&mut self, point: &Point<'_, M, f64>) -> bool {
        M::linearization(point, &mut self.linearization);
        M::kinematics_derivatives(point, &mut self.derivatives);
        self.factor_normal() && self.kkt.factor(self.linearization.as_ref())
    }

    /// Makes a deviation (dq, dv, da, dlambda, and dp of the parameters with these indices) one that the linearised
    /// conditions admit: dq and dv closest to those given, da and dlambda as they demand.
    pub fn tangent(&mut self, deviation: &mut [f64], parameters: &[usize]) {
        let n = Self::N;
        let (fixed, dp) = deviation.split_at_mut(3 * n + Self::M);
        let (dq, rest) = fixed.split_at_mut(n);
        let (dv, dx) = rest.split_at_mut(n);
        let parameters = || parameters.iter().copied().zip(dp.iter().copied());
        // C_q dq + C_p dp = 0
        let (blocks, group, shift) = (&self.blocks, self.linearization.as_ref(), self.shift.as_mut());
        shift.fill(0.0);
        blocks.jacobian.add_product(group, 1.0, dq, shift);
        parameters().for_each(|(p, dp)| blocks.constraint_p.add_column(group, dp, p, shift));
        self.shift_to(dq);
        // C_q dv + (C_q v + C_t)_q dq + (C_q v + C_t)_p dp = 0
        let (blocks, group, shift) = (&self.blocks, self.linearization.as_ref(), self.shift.as_mut());
        let levels = self.derivatives.as_ref();
        shift.fill(0.0);
        blocks.jacobian.add_product(group, 1.0, dv, shift);
        blocks.velocity_by[0].add_product(levels, 1.0, dq, shift);
        parameters().for_each(|(p, dp)| blocks.velocity_by[1].add_column(levels, dp, p, shift));
        self.shift_to(dv);
        let (blocks, group, levels) = (&self.blocks, self.linearization.as_ref(), self.derivatives.as_ref());
        self.unknowns.as_mut().fill(0.0);
        let (motion, level) = self.unknowns.as_mut().split_at_mut(n);
        for (by, direction) in [(Q, &*dq), (V, &*dv)] {
            for (block, sign) in blocks.motion[by] {
                block.add_product(group, -sign, direction, motion);
            }
            blocks.acceleration_by[by].add_product(levels, -1.0, direction, level);
        }
        for (p, dp) in parameters() {
            for (block, sign) in blocks.motion[P] {
                block.add_column(group, -sign * dp, p, motion);
            }
            blocks.acceleration_by[P].add_column(levels, -dp, p, level);
        }
        self.kkt.solve(self.unknowns.as_mut());
        self.kkt.free().for_each(|j| self.unknowns.as_mut()[j] = dx[j]);
        dx.copy_from_slice(self.unknowns.as_ref());
    }

    /// x -= C_q^T (C_q C_q^T)^-1 shift.
    fn shift_to(&mut self, x: &mut [f64]) {
        self.solve_normal();
        self.blocks.jacobian.add_transposed_product(
            self.linearization.as_ref(),
            -1.0,
            self.shift.as_ref(),
            x,
        );
    }

    /// Cholesky's factor of C_q C_q^T; false if constraints depend on each other.
    fn factor_normal(&mut self) -> bool {
        let (m, group) = (Self::M, self.linearization.as_ref());
        self.normal.fill(0.0);
        for (row, column, value) in self.blocks.jacobian.iter(group) {
            for (other, same, factor) in self.blocks.jacobian.iter(group) {
                if same == column {
                    self.normal[row * m + other] += value * factor;
                }
            }
        }
        for j in 0..m {
            for i in j..m {
                let product: f64 = (0..j).map(|k| self.normal[i * m + k] * self.normal[j * m + k]).sum();
                let value = self.normal[i * m + j] - product;
                self.normal[i * m + j] = if i > j {
                    value / self.normal[j * m + j]
                } else if value > 0.0 {
                    value.sqrt()
                } else {
                    return false;
                };
            }
        }
        true
    }

    /// shift = (C_q C_q^T)^-1 shift.
    fn solve_normal(&mut self) {
        let (m, x) = (Self::M, self.shift.as_mut());
        for i in 0..m {
            let product: f64 = (0..i).map(|k| self.normal[i * m + k] * x[k]).sum();
            x[i] = (x[i] - product) / self.normal[i * m + i];
        }
        for i in (0..m).rev() {
            let product: f64 = (i + 1..m).map(|k| self.normal[k * m + i] * x[k]).sum();
            x[i] = (x[i] - product) / self.normal[i * m + i];
        }
    }
}

/// The matrix [M, C_q^T; C_q, 0] of accelerations and multipliers. A coordinate with neither mass nor constraint has no
/// acceleration of its own: its row is that of a unit matrix.
struct AccelerationMatrix {
    mass: &'static Block,
    jacobian: &'static Block,
    values: Vec<f64>,
    /// Coordinates without constraint, the place of their diagonal entry, and whether they lack mass as well.
    unconstrained: Vec<(usize, usize, bool)>,
    factors: SparseLu,
}

impl AccelerationMatrix {
    fn new<M: Model>() -> Self {
        let n = <M::Coordinates<f64> as Vector<f64>>::LENGTH;
        let m = <M::Multipliers<f64> as Vector<f64>>::LENGTH;
        let groups = M::DESCRIPTION.groups.linearization;
        let mass = find(groups, Function::Inertia, Some(Argument::Accelerations));
        let jacobian = find(groups, Function::Constraint, Some(Argument::Coordinates));
        let mut pattern = mass.entries.to_vec();
        pattern.extend(jacobian.entries.iter().map(|&(row, column)| (n as u32 + row, column)));
        pattern.extend(jacobian.entries.iter().map(|&(row, column)| (column, n as u32 + row)));
        let mut unconstrained = Vec::new();
        for j in 0..n as u32 {
            if jacobian.entries.iter().any(|&(_, column)| column == j) {
                continue;
            }
            let place = mass.entries.iter().position(|&entry| entry == (j, j)).unwrap_or(pattern.len());
            if place == pattern.len() {
                pattern.push((j, j));
            }
            unconstrained.push((j as usize, place, false));
        }
        let (values, factors) = (vec![0.0; pattern.len()], SparseLu::new(&pattern, n + m));
        Self { mass, jacobian, values, unconstrained, factors }
    }

    /// False for a singular matrix.
    fn factor(&mut self, group: &[f64]) -> bool {
        let (mass, jacobian) = (self.mass.values(group), self.jacobian.values(group));
        let (first, rest) = self.values.split_at_mut(mass.len());
        let (lower, rest) = rest.split_at_mut(jacobian.len());
        let (upper, rest) = rest.split_at_mut(jacobian.len());
        first.copy_from_slice(mass);
        lower.copy_from_slice(jacobian);
        upper.copy_from_slice(jacobian);
        rest.fill(0.0);
        for (j, place, is_free) in &mut self.unconstrained {
            *is_free = self.mass.iter(group).all(|(row, _, value)| row != *j || value == 0.0);
            if *is_free {
                self.values[*place] = 1.0;
            }
        }
        self.factors.factor(&self.values).is_ok()
    }

    fn free(&self) -> impl Iterator<Item = usize> + '_ {
        self.unconstrained.iter().filter(|(_, _, is_free)| *is_free).map(|&(j, _, _)| j)
    }

    /// Solves for a and lambda; the accelerations of free coordinates become zero.
    fn solve(&self, x: &mut [f64]) {
        self.free().for_each(|j| x[j] = 0.0);
        self.factors.solve(x);
    }
}
