//! A step's tangent: what it makes of a change of the state before it (OB 3.8).

use std::ops::Mul;

use crate::block::Products;
use crate::model::{Block, Model, Weights};
use crate::scalar::{LANES, Vector};

use super::column_scalar::ColumnScalar;
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

/// Where the derivatives of one function are by what may change together with a state.
struct Direct<'s> {
    of_parameters: (&'static Block, &'s [f64]),
    of_inputs: (&'static Block, &'s [f64]),
    of_lookups: &'static Block,
}

impl With {
    /// Calls `add` with the rows of a function that change, and by how much.
    #[inline(always)]
    fn change<M: Model>(self, linear: &LinearStep<M>, of: &Direct<'_>, mut add: impl FnMut(usize, f64)) {
        match self {
            Self::Nothing => (),
            Self::Parameter(parameter) => {
                let (block, group) = of.of_parameters;
                block.column(group, parameter).for_each(|(row, value)| add(row, value));
            }
            Self::Input { input, change } => {
                let (block, group) = of.of_inputs;
                block.column(group, input).for_each(|(row, value)| add(row, value * change));
            }
            Self::TableValue(column) => {
                let (entries, rates) = (of.of_lookups.entries, linear.rates(column));
                for (&(row, lookup), value) in entries.iter().zip(of.of_lookups.values(linear.of_lookups())) {
                    add(row as usize, value * rates[lookup as usize]);
                }
            }
        }
    }
}

/// The Newton matrix of a linearised step, to be solved with for columns side by side.
pub(crate) struct Solver<'s, M: Model, S: ColumnScalar> {
    pub linear: &'s LinearStep<M>,
    pub constants: &'s M::Constants<S>,
    pub factors: &'s M::Factors<S>,
}

impl<M: Model, S: ColumnScalar> Solver<'_, M, S> {
    #[inline(always)]
    fn solve(&self, unknowns: &mut M::Unknowns<S>) {
        if self.linear.matrix.is_pivoted() {
            self.solve_pivoted(unknowns);
        } else {
            M::solve(self.constants, self.factors, unknowns);
        }
    }

    #[inline(never)]
    fn solve_pivoted(&self, unknowns: &mut M::Unknowns<S>) {
        let mut one = M::Unknowns::<f64>::zeros();
        for column in 0..S::COUNT {
            for (one, all) in one.as_mut().iter_mut().zip(unknowns.as_ref()) {
                *one = all.numbers()[column];
            }
            self.linear.matrix.solve_pivoted(&mut one);
            for (all, one) in unknowns.as_mut().iter_mut().zip(one.as_ref()) {
                let mut numbers = all.numbers();
                numbers[column] = *one;
                *all = S::of(numbers);
            }
        }
    }
}

/// A change of the state: its derivative with respect to one parameter, or what else a run carries on; or four of them side by
/// side.
pub(crate) struct Tangent<M: Model, S: ColumnScalar = f64> {
    /// What changes besides the state, column by column.
    with: [With; LANES],
    pub q: Vec<S>,
    pub v: Vec<S>,
    pub a: Vec<S>,
    lambda: Vec<S>,
    /// Of the auxiliary acceleration.
    s: Vec<S>,
    /// dG/dp of the step before.
    force_residual: Vec<S>,
    solution: M::Unknowns<S>,
    /// What a function changes directly, by rows: equations of motion, constraints, outputs.
    direct: Vec<[f64; LANES]>,
}

impl<M: Model, S: ColumnScalar> Tangent<M, S> {
    /// Every column with the derivative of x_0 and s_0 (4n + m) that it starts with.
    pub fn new(columns: &[(With, Vec<f64>)]) -> Self {
        let n = LinearStep::<M>::N;
        let (m, outputs) = (LinearStep::<M>::M, <M::Outputs<f64> as Vector<f64>>::LENGTH);
        let mut tangent = Self {
            with: [With::Nothing; LANES],
            q: vec![S::default(); n],
            v: vec![S::default(); n],
            a: vec![S::default(); n],
            lambda: vec![S::default(); m],
            s: vec![S::default(); n],
            force_residual: vec![S::default(); n],
            solution: Vector::zeros(),
            direct: vec![[0.0; LANES]; outputs.max(n + m)],
        };
        let Self { q, v, a, lambda, s, .. } = &mut tangent;
        for (place, number) in [q, v, a, lambda, s].into_iter().flatten().enumerate() {
            let mut numbers = [0.0; LANES];
            for (value, (_, start)) in numbers.iter_mut().zip(columns) {
                *value = start[place];
            }
            *number = S::of(numbers);
        }
        for (place, (with, _)) in tangent.with.iter_mut().zip(columns) {
            *place = *with;
        }
        tangent
    }

    /// Says what changes besides the state, in one of the columns.
    pub fn set_with(&mut self, column: usize, with: With) {
        self.with[column] = with;
    }

    /// From step i - 1 to step i: the derivative of the step's equations, solved with the Newton matrix.
    #[inline(always)]
    pub fn advance(&mut self, weights: &Weights, solver: &Solver<'_, M, S>)
    where
        S: Mul<f64, Output = S>,
    {
        let Weights { accelerations: inertia, previous, coordinates: q_of_a, velocities: v_of_a, .. } =
            *weights;
        for j in 0..self.q.len() {
            let (a, s) = (self.a[j], self.s[j]);
            self.q[j] += self.v[j] * weights.step
                + s * weights.coordinates_of_auxiliary
                + a * weights.coordinates_of_acceleration;
            self.v[j] += s * weights.velocities_of_auxiliary + a * weights.velocities_of_acceleration;
            self.s[j] = s * weights.auxiliary_of_auxiliary + a * weights.auxiliary_of_acceleration;
        }
        let linear = solver.linear;
        let (blocks, group) = (&linear.blocks, linear.adjoint());
        let n = self.q.len();
        let (motion, constraints) = self.solution.as_mut().split_at_mut(n);
        for (row, old) in motion.iter_mut().zip(&self.force_residual) {
            *row = *old * previous;
        }
        constraints.fill(S::default());
        blocks.inertia_q.add_product(group, -inertia, &self.q, motion);
        blocks.residual_q.add_product(group, -1.0, &self.q, motion);
        blocks.residual_v.add_product(group, -1.0, &self.v, motion);
        blocks.constraint_q.add_product(group, -1.0 / q_of_a, &self.q, constraints);
        let of_inputs = linear.of_inputs();
        let functions = [
            (blocks.inertia_p, &Block::EMPTY, blocks.inertia_tau, -inertia, 0),
            (blocks.residual_p, blocks.residual_u, blocks.residual_tau, -1.0, 0),
            (blocks.constraint_p, &Block::EMPTY, blocks.constraint_tau, -1.0 / q_of_a, n),
        ];
        self.direct.fill([0.0; LANES]);
        for (of_parameters, of_input, of_lookups, scale, first) in functions {
            let of = Direct {
                of_parameters: (of_parameters, group),
                of_inputs: (of_input, of_inputs),
                of_lookups,
            };
            for column in 0..S::COUNT {
                let direct = &mut self.direct[first..];
                let with = self.with[column];
                with.change(linear, &of, |row, change| direct[row][column] += change * scale);
            }
        }
        for (row, direct) in self.solution.as_mut().iter_mut().zip(&self.direct) {
            *row += S::of(*direct);
        }
        solver.solve(&mut self.solution);
        let (a, lambda) = self.solution.as_ref().split_at(n);
        self.a.copy_from_slice(a);
        self.lambda.copy_from_slice(lambda);
        for (j, a) in a.iter().enumerate() {
            self.q[j] += *a * q_of_a;
            self.v[j] += *a * v_of_a;
            self.s[j] += *a * weights.auxiliary_of_new;
        }
    }

    /// Before a step whose length is `ratio` times that of the one before.
    pub fn change_step(&mut self, ratio: f64) {
        scale_auxiliary(&mut self.s, &self.a, ratio);
    }

    /// The change of the state and of s, q, v, a, lambda and s in sequence (4n + m).
    pub fn values(&self) -> impl Iterator<Item = S> {
        let Self { q, v, a, lambda, s, .. } = self;
        [q, v, a, lambda, s].into_iter().flatten().copied()
    }

    /// dG/dp of the step before.
    pub fn force_residual_mut(&mut self) -> &mut [S] {
        &mut self.force_residual
    }

    /// dG_i/dp for the next step.
    #[inline(always)]
    pub fn remember_force_residual(&mut self, linear: &LinearStep<M>)
    where
        S: Mul<f64, Output = S>,
    {
        let (blocks, group) = (&linear.blocks, linear.adjoint());
        let Self { force_residual, direct, q, v, lambda, .. } = self;
        force_residual.fill(S::default());
        blocks.residual_q.add_product(group, 1.0, q, force_residual);
        blocks.residual_v.add_product(group, 1.0, v, force_residual);
        blocks.constraint_q.add_transposed_product(group, 1.0, lambda, force_residual);
        let of = Direct {
            of_parameters: (blocks.residual_p, group),
            of_inputs: (blocks.residual_u, linear.of_inputs()),
            of_lookups: blocks.residual_tau,
        };
        add_direct(&self.with, linear, &of, direct, force_residual);
    }

    /// Adds the derivatives of the outputs.
    #[inline(always)]
    pub fn differentiate_outputs(&mut self, linear: &LinearStep<M>, row: &mut [S])
    where
        S: Mul<f64, Output = S>,
    {
        let (blocks, group) = (&linear.blocks, linear.outputs());
        blocks.output_q.add_product(group, 1.0, &self.q, row);
        blocks.output_v.add_product(group, 1.0, &self.v, row);
        blocks.output_a.add_product(group, 1.0, &self.a, row);
        blocks.output_lambda.add_product(group, 1.0, &self.lambda, row);
        let of = Direct {
            of_parameters: (blocks.output_p, group),
            of_inputs: (blocks.output_u, linear.of_inputs()),
            of_lookups: blocks.output_tau,
        };
        add_direct(&self.with, linear, &of, &mut self.direct, row);
    }
}

/// Adds what changes directly to the rows of a function.
#[inline(always)]
fn add_direct<M: Model, S: ColumnScalar>(
    with: &[With; LANES],
    linear: &LinearStep<M>,
    of: &Direct<'_>,
    direct: &mut [[f64; LANES]],
    rows: &mut [S],
) {
    let direct = &mut direct[..rows.len()];
    direct.fill([0.0; LANES]);
    for (column, with) in with.iter().enumerate().take(S::COUNT) {
        with.change(linear, of, |row, change| direct[row][column] += change);
    }
    for (row, direct) in rows.iter_mut().zip(direct) {
        *row += S::of(*direct);
    }
}

impl<M: Model> Tangent<M> {
    /// A single column.
    pub fn single(with: With, start: &[f64]) -> Self {
        Self::new(&[(with, start.to_vec())])
    }

    /// Begins anew with this derivative of a state (3n + m) and of its auxiliary acceleration.
    pub fn begin(&mut self, with: With, state: &[f64], auxiliary: &[f64]) {
        let n = self.q.len();
        self.with[0] = with;
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

    /// From step i - 1 to step i, where `linear` is that at its end.
    pub fn step(&mut self, linear: &LinearStep<M>, constants: &StepConstants<M, f64>) {
        let factors = &linear.matrix.factors;
        self.advance(&constants.weights, &Solver { linear, constants: &constants.model, factors });
    }
}
