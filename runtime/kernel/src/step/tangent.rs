//! The tangent of a step: the change of the state after it that follows from a change of the state before it
//! (OB 3.8).

use std::ops::Mul;

use costate_numerics::linalg::block::Products as _;
use costate_numerics::scalar::{CollectVec, LANES, Vector, each_lane};
use costate_system::model::{Block, Functions, Weights};

use super::column_scalar::ColumnScalar;
use super::displacement::{DisplacedLookups, Displacement};
use super::linear::LinearStep;
use crate::step::StepConstants;
use crate::step::TableRates;

/// A direct change besides that of the state.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum With {
    /// No direct change: only the initial state changes.
    Nothing,
    /// A change of the parameter with this index.
    Parameter(usize),
    /// A change of the input with this index by `change`, where `linear` has evaluated the derivatives by
    /// inputs.
    Input {
        /// Position of the input.
        input: usize,
        /// du at the step.
        change: f64,
    },
}

/// The direct derivatives of one function with respect to parameters, inputs and lookups.
pub(super) struct Direct<'s> {
    pub of_parameters: (&'static Block, &'s [f64]),
    pub of_inputs: (&'static Block, &'s [f64]),
    pub of_lookups: (&'static Block, &'s [f64]),
}

impl With {
    /// Calls `add` with the rows of a function that change, and their changes.
    #[inline(always)]
    fn change(self, of: &Direct<'_>, mut add: impl FnMut(usize, f64)) {
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
        }
    }
}

/// The Newton matrix of a linearised step, for the solution of several columns side by side.
pub struct Solver<'s, M: Functions, S: ColumnScalar> {
    /// The step.
    pub linear: &'s LinearStep<M>,
    /// The constants in the number type of the columns.
    pub constants: &'s M::Constants<S>,
    /// The factors of the Newton matrix in the number type of the columns.
    pub factors: &'s M::Factors<S>,
}

impl<M: Functions, S: ColumnScalar> Solver<'_, M, S> {
    /// Solves for the right-hand sides of every column, matrices by rows: `right` has the equations of motion and the
    /// constraints, `upper` and `lower` receive what belongs to coordinates and to multipliers; `one` is working
    /// memory.
    #[inline(always)]
    pub(super) fn solve_columns(
        &self,
        one: &mut M::Unknowns<S>,
        right: &[S],
        width: usize,
        upper: &mut [S],
        lower: &mut [S],
    ) {
        for column in 0..width {
            for (one, row) in one.as_mut().iter_mut().zip(right.chunks_exact(width)) {
                *one = row[column];
            }
            self.solve(one);
            let rows = upper.chunks_exact_mut(width).chain(lower.chunks_exact_mut(width));
            for (row, one) in rows.zip(one.as_ref()) {
                row[column] = *one;
            }
        }
    }

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
        let mut one = M::Unknowns::<f64>::zeros(unknowns.as_ref().len());
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

/// Direct changes of the columns, besides the changes of their states.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Changes {
    /// One change for each column, in groups that go side by side.
    Each(Vec<[With; LANES]>),
    /// The values of tables from this column of the rates on, one value for each column, where `linear` has
    /// evaluated rates.
    TableValues(usize),
}

/// Changes of the state: its derivatives with respect to some numbers, or other directions that a run
/// propagates. All columns are propagated through a step together, so that the step's blocks are read once.
///
/// Every vector is a matrix by rows; a row has one entry per group of columns.
pub struct Tangent<M: Functions, S: ColumnScalar = f64> {
    pub(super) changes: Changes,
    /// Number of groups of columns.
    pub(super) width: usize,
    /// dq of every column.
    pub q: Vec<S>,
    /// dv of every column.
    pub v: Vec<S>,
    /// da of every column.
    pub a: Vec<S>,
    pub(super) lambda: Vec<S>,
    /// Change of the auxiliary acceleration.
    pub(super) s: Vec<S>,
    /// dG/dp at the step before.
    force_residual: Vec<S>,
    /// Right-hand sides of a step: equations of motion and constraints.
    pub(super) right: Vec<S>,
    pub(super) solution: M::Unknowns<S>,
    /// Direct changes of a function in one group, by rows: equations of motion, constraints, outputs.
    pub(super) direct: Vec<[f64; LANES]>,
}

impl<M: Functions, S: ColumnScalar> Tangent<M, S> {
    /// Creates columns, each from its direct change and its initial derivative of x_0 and s_0 (4n + m).
    pub fn new<V: AsRef<[f64]>>(program: M::Program, columns: &[(With, V)]) -> Self {
        let mut groups = vec![[With::Nothing; LANES]; columns.len().div_ceil(S::COUNT)];
        for (k, (with, _)) in columns.iter().enumerate() {
            groups[k / S::COUNT][k % S::COUNT] = *with;
        }
        let starts: Vec<&[f64]> = columns.iter().map(|(_, start)| start.as_ref()).collect_vec();
        Self::with(program, Changes::Each(groups), &starts)
    }

    /// Creates columns for the values of tables from this column of the rates on, each with its initial
    /// derivative of x_0 and s_0 (4n + m).
    pub fn of_tables(program: M::Program, first: usize, starts: &[&[f64]]) -> Self {
        Self::with(program, Changes::TableValues(first), starts)
    }

    fn with(program: M::Program, changes: Changes, starts: &[&[f64]]) -> Self {
        let lengths = M::lengths(program);
        let (n, m, outputs) = (lengths.coordinates, lengths.multipliers, lengths.outputs);
        let width = starts.len().div_ceil(S::COUNT);
        let zeros = |rows: usize| vec![S::default(); rows * width];
        let mut tangent = Self {
            changes,
            width,
            q: zeros(n),
            v: zeros(n),
            a: zeros(n),
            lambda: zeros(m),
            s: zeros(n),
            force_residual: zeros(n),
            right: zeros(n + m),
            solution: Vector::zeros(lengths.unknowns),
            direct: vec![[0.0; LANES]; outputs.max(n + m)],
        };
        let Self { q, v, a, lambda, s, .. } = &mut tangent;
        for (place, number) in [q, v, a, lambda, s].into_iter().flatten().enumerate() {
            let (row, first) = (place / width, place % width * S::COUNT);
            let mut numbers = [0.0; LANES];
            for (value, start) in numbers.iter_mut().zip(&starts[first..]).take(S::COUNT) {
                *value = start[row];
            }
            *number = S::of(numbers);
        }
        tangent
    }

    /// Sets the direct change of one of the columns; without effect on columns of table values.
    pub fn set_with(&mut self, column: usize, with: With) {
        if let Changes::Each(groups) = &mut self.changes {
            groups[column / S::COUNT][column % S::COUNT] = with;
        }
    }

    /// Advances from step i - 1 to step i: the derivative of the step's equations, solved with the Newton
    /// matrix.
    #[inline(always)]
    pub fn advance(&mut self, weights: &Weights, solver: &Solver<'_, M, S>)
    where
        S: Mul<f64, Output = S>,
    {
        if let Some(kinematics) = solver.linear.determined() {
            return self.determined(kinematics, weights, solver);
        }
        let Weights { accelerations: inertia, previous, coordinates: q_of_a, velocities: v_of_a, .. } = *weights;
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
        let (n, width) = (linear.n(), self.width);
        let Self { changes, q, v, right, force_residual, direct, .. } = self;
        let (motion, constraints) = right.split_at_mut(n * width);
        for (row, old) in motion.iter_mut().zip(force_residual) {
            *row = *old * previous;
        }
        constraints.fill(S::default());
        add_products(blocks.inertia_q, group, -inertia, q, motion, width);
        add_products(blocks.residual_q, group, -1.0, q, motion, width);
        add_products(blocks.residual_v, group, -1.0, v, motion, width);
        add_products(blocks.constraint_q, group, -1.0 / q_of_a, q, constraints, width);
        let of_inputs = linear.of_inputs();
        let of = |of_parameters, of_input, of_lookups| Direct {
            of_parameters: (of_parameters, group),
            of_inputs: (of_input, of_inputs),
            of_lookups: (of_lookups, linear.of_lookups()),
        };
        let of_inertia = of(blocks.inertia_p, &Block::EMPTY, blocks.inertia_tau);
        changes.add(linear, &of_inertia, -inertia, direct, motion, width);
        let of_residual = of(blocks.residual_p, blocks.residual_u, blocks.residual_tau);
        changes.add(linear, &of_residual, -1.0, direct, motion, width);
        let of_constraint = of(blocks.constraint_p, &Block::EMPTY, blocks.constraint_tau);
        changes.add(linear, &of_constraint, -1.0 / q_of_a, direct, constraints, width);
        solver.solve_columns(&mut self.solution, &self.right, width, &mut self.a, &mut self.lambda);
        for (j, a) in self.a.iter().enumerate() {
            self.q[j] += *a * q_of_a;
            self.v[j] += *a * v_of_a;
            self.s[j] += *a * weights.auxiliary_of_new;
        }
    }

    /// Computes the changes of s before a step that restarts with velocities displaced from this state;
    /// `lookups` are those of the displacement, for columns that are values of `tables`.
    #[inline(never)]
    pub fn restart(
        &mut self,
        displacement: &Displacement<f64>,
        lookups: Option<(&DisplacedLookups<f64>, &TableRates)>,
    ) {
        let width = self.width;
        let n = self.q.len() / width.max(1);
        let part = |all: &[S], group: usize, column: usize| -> Vec<f64> {
            (0..n).map(|j| all[j * width + group].numbers()[column]).collect_vec()
        };
        for group in 0..width {
            let mut columns = [const { Vec::new() }; LANES];
            for (column, change) in columns.iter_mut().enumerate().take(S::COUNT) {
                let q = part(&self.q, group, column);
                let v = part(&self.v, group, column);
                let a = part(&self.a, group, column);
                let direct = match (&self.changes, lookups) {
                    (Changes::Each(groups), _) => match groups[group][column] {
                        With::Parameter(parameter) => Some(displacement.by_parameter(parameter)),
                        With::Nothing | With::Input { .. } => None,
                    },
                    (Changes::TableValues(first), Some((lookups, tables))) => {
                        Some(lookups.by_value(tables, first + group * S::COUNT + column))
                    }
                    (Changes::TableValues(_), None) => None,
                };
                *change = displacement.tangent([&q, &v, &a], direct.as_ref());
            }
            for j in 0..n {
                let number = |column: usize| columns[column].get(j).copied().unwrap_or_default();
                self.s[j * width + group] = S::of(each_lane(number));
            }
        }
    }

    /// Returns the changes of q, v, a, lambda and s in sequence (4n + m).
    pub fn values(&self) -> impl Iterator<Item = S> {
        let Self { q, v, a, lambda, s, .. } = self;
        [q, v, a, lambda, s].into_iter().flatten().copied()
    }

    /// Computes dG_i/dp for the next step.
    #[inline(always)]
    pub fn remember_force_residual(&mut self, linear: &LinearStep<M>)
    where
        S: Mul<f64, Output = S>,
    {
        let (blocks, group) = (&linear.blocks, linear.adjoint());
        let Self { changes, width, force_residual, direct, q, v, lambda, .. } = self;
        force_residual.fill(S::default());
        add_products(blocks.residual_q, group, 1.0, q, force_residual, *width);
        add_products(blocks.residual_v, group, 1.0, v, force_residual, *width);
        let transposed = blocks.constraint_q.entries.iter().zip(blocks.constraint_q.values(group));
        for (&(row, column), &value) in transposed {
            add_row(lambda, row as usize, value, force_residual, column as usize, *width);
        }
        let of = Direct {
            of_parameters: (blocks.residual_p, group),
            of_inputs: (blocks.residual_u, linear.of_inputs()),
            of_lookups: (blocks.residual_tau, linear.of_lookups()),
        };
        changes.add(linear, &of, 1.0, direct, force_residual, *width);
    }

    /// Adds the derivatives of the outputs: one row per output, one entry per group of columns.
    #[inline(always)]
    pub fn differentiate_outputs(&mut self, linear: &LinearStep<M>, rows: &mut [S])
    where
        S: Mul<f64, Output = S>,
    {
        let (blocks, group, width) = (&linear.blocks, linear.outputs(), self.width);
        add_products(blocks.output_q, group, 1.0, &self.q, rows, width);
        add_products(blocks.output_v, group, 1.0, &self.v, rows, width);
        add_products(blocks.output_a, group, 1.0, &self.a, rows, width);
        add_products(blocks.output_lambda, group, 1.0, &self.lambda, rows, width);
        let of = Direct {
            of_parameters: (blocks.output_p, group),
            of_inputs: (blocks.output_u, linear.of_inputs()),
            of_lookups: (blocks.output_tau, linear.of_lookups()),
        };
        self.changes.add(linear, &of, 1.0, &mut self.direct, rows, width);
    }

    /// Returns the number of groups of columns.
    pub fn width(&self) -> usize {
        self.width
    }
}

/// `y[to] += x[from] * factor`, for rows of matrices with `width` entries per row.
#[inline(always)]
fn add_row<S: ColumnScalar + Mul<f64, Output = S>>(
    x: &[S],
    from: usize,
    factor: f64,
    y: &mut [S],
    to: usize,
    width: usize,
) {
    let (x, y) = (&x[from * width..][..width], &mut y[to * width..][..width]);
    for (y, x) in y.iter_mut().zip(x) {
        *y += *x * factor;
    }
}

/// `y += scale * B x`, for matrices by rows with `width` entries per row.
#[inline(always)]
pub(super) fn add_products<S: ColumnScalar + Mul<f64, Output = S>>(
    block: &Block,
    group: &[f64],
    scale: f64,
    x: &[S],
    y: &mut [S],
    width: usize,
) {
    for (&(row, column), &value) in block.entries.iter().zip(block.values(group)) {
        add_row(x, column as usize, value * scale, y, row as usize, width);
    }
}

impl Changes {
    /// Adds `scale` times the direct changes to the rows of a function.
    #[inline(always)]
    pub(super) fn add<M: Functions, S: ColumnScalar>(
        &self,
        linear: &LinearStep<M>,
        of: &Direct<'_>,
        scale: f64,
        direct: &mut [[f64; LANES]],
        rows: &mut [S],
        width: usize,
    ) {
        match self {
            Self::Each(groups) => {
                let direct = &mut direct[..rows.len() / width];
                for (k, group) in groups.iter().enumerate() {
                    direct.fill([0.0; LANES]);
                    for (column, with) in group.iter().enumerate().take(S::COUNT) {
                        with.change(of, |row, change| direct[row][column] += change * scale);
                    }
                    for (row, direct) in rows.chunks_exact_mut(width).zip(&*direct) {
                        row[k] += S::of(*direct);
                    }
                }
            }
            Self::TableValues(first) => {
                let (block, group) = of.of_lookups;
                for (&(row, lookup), value) in block.entries.iter().zip(block.values(group)) {
                    let rates = linear.rates(lookup as usize).get(*first..).unwrap_or_default();
                    let row = &mut rows[row as usize * width..][..width];
                    for (sum, rates) in row.iter_mut().zip(rates.chunks(S::COUNT)) {
                        let mut changes = [0.0; LANES];
                        changes.iter_mut().zip(rates).for_each(|(change, rate)| *change = rate * (value * scale));
                        *sum += S::of(changes);
                    }
                }
            }
        }
    }
}

impl<M: Functions> Tangent<M> {
    /// Creates a single column.
    pub fn single(program: M::Program, with: With, start: &[f64]) -> Self {
        Self::new(program, &[(with, start)])
    }

    /// Restarts with this derivative of a state (3n + m) and of its auxiliary acceleration.
    pub fn begin(&mut self, with: With, state: &[f64], auxiliary: &[f64]) {
        let n = self.q.len();
        self.set_with(0, with);
        self.q.copy_from_slice(&state[..n]);
        self.v.copy_from_slice(&state[n..2 * n]);
        self.a.copy_from_slice(&state[2 * n..3 * n]);
        self.lambda.copy_from_slice(&state[3 * n..]);
        self.s.copy_from_slice(auxiliary);
        self.force_residual.fill(0.0);
    }

    /// Writes the change of the state (3n + m).
    pub fn store(&self, state: &mut [f64]) {
        let n = self.q.len();
        state[..n].copy_from_slice(&self.q);
        state[n..2 * n].copy_from_slice(&self.v);
        state[2 * n..3 * n].copy_from_slice(&self.a);
        state[3 * n..].copy_from_slice(&self.lambda);
    }

    /// Returns the change of the auxiliary acceleration.
    pub fn auxiliary(&self) -> &[f64] {
        &self.s
    }

    /// Advances from step i - 1 to step i, where `linear` is evaluated and factorised at step i.
    pub fn step(&mut self, linear: &LinearStep<M>, constants: &StepConstants<M, f64>) {
        let factors = &linear.matrix.factors;
        self.advance(&constants.weights, &Solver { linear, constants: &constants.model, factors });
    }
}
