//! The derivatives of a step.

use super::ImplicitModel;
use crate::block::find;
use crate::model::{Argument, Block, Function, Model, Weights};

#[derive(Debug, Clone, Copy)]
pub(super) struct Blocks {
    inertia_q: &'static Block,
    residual_q: &'static Block,
    residual_v: &'static Block,
    constraint_q: &'static Block,
    inertia_p: &'static Block,
    residual_p: &'static Block,
    constraint_p: &'static Block,
}

impl Blocks {
    pub fn of<M: Model>() -> Self {
        let by = |function, argument| find(M::DESCRIPTION.groups.adjoint, function, Some(argument));
        Self {
            inertia_q: by(Function::Inertia, Argument::Coordinates),
            residual_q: by(Function::ForceResidual, Argument::Coordinates),
            residual_v: by(Function::ForceResidual, Argument::Velocities),
            constraint_q: by(Function::Constraint, Argument::Coordinates),
            inertia_p: by(Function::Inertia, Argument::Parameters),
            residual_p: by(Function::ForceResidual, Argument::Parameters),
            constraint_p: by(Function::Constraint, Argument::Parameters),
        }
    }
}

impl<M: Model> ImplicitModel<M> {
    /// The matrices of a sample, as those at t_{i-1} (0) or t_i (1).
    pub(super) fn linearize(&mut self, which: usize, time: f64, x: &[f64]) {
        self.state.load(&x[..Self::FIXED]);
        let point = self.state.point(time, &self.inputs[which], &self.constants);
        let factors = if which == 1 { &mut self.matrix.factors } else { &mut self.factors };
        M::adjoint(&point, &mut self.adjoint[which], factors);
    }

    /// Column of F for a change of x_{i-1}.
    pub(super) fn column(&mut self, column: usize, result: &mut [f64]) {
        let (n, m) = (Self::N, Self::M);
        let Weights {
            step: h,
            accelerations: inertia,
            previous,
            coordinates: q_of_a,
            velocities: v_of_a,
            coordinates_of_auxiliary: q_of_old_a,
            velocities_of_auxiliary: v_of_old_a,
            ..
        } = self.weights;
        let unit = |from: usize, j: usize| f64::from(column == from + j);
        let [q, v] = &mut self.change;
        let (motion, constraints) = self.right.as_mut().split_at_mut(n);
        // d(alpha/(1 + alpha) G_{i-1})
        motion.fill(0.0);
        constraints.fill(0.0);
        let (old, new) = (self.adjoint[0].as_ref(), self.adjoint[1].as_ref());
        let parameter = column.checked_sub(Self::FIXED).and_then(|k| self.selected.estimated.get(k)).copied();
        let blocks = self.blocks;
        if column < n {
            blocks.residual_q.add_column(old, previous, column, motion);
        } else if column < 2 * n {
            blocks.residual_v.add_column(old, previous, column - n, motion);
        } else if (3 * n..3 * n + m).contains(&column) {
            for (row, at, value) in blocks.constraint_q.iter(old) {
                motion[at] += previous * value * unit(3 * n, row);
            }
        }
        for j in 0..n {
            q.as_mut()[j] = unit(0, j) + h * unit(n, j) + q_of_old_a * unit(2 * n, j);
            v.as_mut()[j] = unit(n, j) + v_of_old_a * unit(2 * n, j);
        }
        blocks.inertia_q.add_product(new, -inertia, q.as_ref(), motion);
        blocks.residual_q.add_product(new, -1.0, q.as_ref(), motion);
        blocks.residual_v.add_product(new, -1.0, v.as_ref(), motion);
        blocks.constraint_q.add_product(new, -1.0 / q_of_a, q.as_ref(), constraints);
        if let Some(parameter) = parameter {
            blocks.residual_p.add_column(old, previous, parameter, motion);
            blocks.inertia_p.add_column(new, -inertia, parameter, motion);
            blocks.residual_p.add_column(new, -1.0, parameter, motion);
            blocks.constraint_p.add_column(new, -1.0 / q_of_a, parameter, constraints);
        }
        self.matrix.solve(&self.constants, &mut self.right);
        let (a, lambda) = self.right.as_ref().split_at(n);
        for j in 0..n {
            result[j] = q.as_ref()[j] + q_of_a * a[j];
            result[n + j] = v.as_ref()[j] + v_of_a * a[j];
        }
        result[2 * n..3 * n].copy_from_slice(a);
        result[3 * n..Self::FIXED].copy_from_slice(lambda);
        for (k, entry) in result[Self::FIXED..].iter_mut().enumerate() {
            *entry = unit(Self::FIXED, k);
        }
    }
}
