//! The saddle-point matrix of a step, [N C_q^T; C_q 0], assembled from emitted blocks and factorised.

use costate_contract::Block;

use crate::linalg::block::Products;
use crate::linalg::{FourFactors, Patience, Scales, Singular, SparseLu};
use crate::scalar::{Lanes, Scalar, real_into};

/// Matrix and factors. The first n rows are equations of motion, the last m constraints.
///
/// The groups `newton` and `adjoint` hold the same two blocks at different offsets, so each has a `Kkt` of its own.
#[derive(Debug, Clone)]
pub struct Kkt {
    step: &'static Block,
    jacobian: &'static Block,
    /// The values of all entries of the matrix that was equilibrated last.
    values: Vec<f64>,
    factors: SparseLu,
    /// The [`matrix`](Self::matrix) for which pivots were chosen last; empty before.
    chosen_for: Vec<f64>,
    /// Row and column factors that bring the largest entries near 1, once they were asked for.
    scales: Scales,
    /// Residual and sum of the terms of every row, while they are summed up.
    rows: Vec<(f64, f64)>,
}

impl Kkt {
    /// For n coordinates, m constraints and a group's blocks of N = d(step)/da (n x n) and C_q (m x n), with an order
    /// of pivots that is used wherever it is accurate enough, empty without.
    pub fn new((n, m): (usize, usize), step: &'static Block, jacobian: &'static Block, order: &[(u32, u32)]) -> Self {
        let offset = n as u32;
        let mut pattern: Vec<(u32, u32)> = step.entries.to_vec();
        pattern.extend(jacobian.entries.iter().map(|&(row, column)| (offset + row, column)));
        pattern.extend(jacobian.entries.iter().map(|&(row, column)| (column, offset + row)));
        let [of_step, of_jacobian] = [step, jacobian].map(|block| block.offset..block.offset + block.entries.len());
        let pieces = [of_step, of_jacobian.clone(), of_jacobian];
        let factors = SparseLu::with_order(&pattern, n + m, order).in_pieces(pieces);
        let (scales, rows) = (Scales::new(n + m, n + m), vec![(0.0, 0.0); n + m]);
        Self { step, jacobian, values: vec![0.0; pattern.len()], factors, chosen_for: Vec::new(), scales, rows }
    }

    /// Forgets the order of pivots: they are searched, and nothing is allocated as long as they are accurate enough.
    pub fn without_order(self) -> Self {
        Self { factors: self.factors.without_order(), ..self }
    }

    /// Returns the matrix before its first factorisation.
    pub fn without_pivots(&self) -> Self {
        Self { factors: self.factors.without_pivots(), chosen_for: Vec::new(), ..self.clone() }
    }

    /// Factorises the real parts of the blocks' values in the group.
    pub fn factor<S: Scalar>(&mut self, group: &[S]) -> Result<(), Singular> {
        if let Some(group) = S::plain(group) {
            let changes = self.changes();
            let factored = self.factors.factor(group);
            if self.changes() != changes {
                self.chosen_for = self.matrix(group);
            }
            return factored;
        }
        let mut real = vec![0.0; group.len()];
        real_into(group, &mut real);
        self.factor(&real)
    }

    /// Factorises four matrices that a group holds side by side, with the pivots of the last matrix; returns false if
    /// these are not those of the given order as it is, or are not accurate enough for all four.
    pub fn factor_four(&self, group: &[Lanes], four: &mut Option<Box<FourFactors>>) -> bool {
        let (step, jacobian) = (self.step.values(group), self.jacobian.values(group));
        self.factors.factor_four(four, [step, jacobian, jacobian])
    }

    /// Returns the matrix that a group holds: the entries of N, then those of C_q.
    pub fn matrix(&self, group: &[f64]) -> Vec<f64> {
        [self.step.values(group), self.jacobian.values(group)].concat()
    }

    /// Returns the [`matrix`](Self::matrix) for which pivots were chosen last, and true if they are those of the given
    /// order.
    pub fn choice(&self) -> (&[f64], bool) {
        (&self.chosen_for, self.factors.is_in_order())
    }

    /// Chooses the pivots once more that were chosen for this [`matrix`](Self::matrix), which is written into the
    /// group; `changes` counts all choices. Returns false for a matrix that has none.
    pub fn choose_again(&mut self, (matrix, is_in_order): (&[f64], bool), changes: usize, group: &mut [f64]) -> bool {
        if matrix.len() != self.step.entries.len() + self.jacobian.entries.len() {
            return false;
        }
        self.place(matrix, group);
        self.chosen_for = matrix.to_vec();
        self.factors.choose_again(group, is_in_order, changes)
    }

    /// Writes a matrix to its place in the group.
    fn place(&self, matrix: &[f64], group: &mut [f64]) {
        let (step, jacobian) = matrix.split_at(self.step.entries.len().min(matrix.len()));
        for (block, values) in [(self.step, step), (self.jacobian, jacobian)] {
            let own = group.iter_mut().skip(block.offset);
            own.zip(values).for_each(|(to, value)| *to = *value);
        }
    }

    /// Becomes `pivots` with the factors of this [`matrix`](Self::matrix), bit by bit those of a `Kkt` that had
    /// chosen these pivots by then, and with the patience that it had. The matrix goes to its place in the group.
    pub fn restore(
        &mut self,
        pivots: &Self,
        (matrix, patience): (&[f64], Patience),
        group: &mut [f64],
    ) -> Result<(), Singular> {
        self.clone_from(pivots);
        self.place(matrix, group);
        self.factors.restore(group, patience)
    }

    /// Solves with the matrix; `x` = (n rows, m rows) holds the right-hand side before.
    pub fn solve(&self, x: &mut [f64]) {
        self.factors.solve(x);
    }

    /// Solves with the transposed matrix.
    pub fn solve_transposed(&self, x: &mut [f64]) {
        self.factors.solve_transposed(x);
    }

    /// `y -= K^T x` with the matrix K of n coordinates that a group in another number type holds.
    pub fn subtract_transposed_product<S: Scalar>(&self, n: usize, group: &[S], x: &[S], y: &mut [S]) {
        let ((x, multipliers), (motion, constraints)) = (x.split_at(n), y.split_at_mut(n));
        self.step.add_transposed_product(group, -1.0, x, motion);
        self.jacobian.add_transposed_product(group, -1.0, multipliers, motion);
        self.jacobian.add_product(group, -1.0, x, constraints);
    }

    /// The largest entry of N over that of C_q in a group, the size of multipliers that goes with a unit of
    /// acceleration; 0 without constraints.
    pub fn multipliers_per_acceleration(&self, group: &[f64]) -> f64 {
        let largest = |values: &[f64]| values.iter().fold(0.0, |most: f64, value| most.max(value.abs()));
        let jacobian = largest(self.jacobian.values(group));
        if jacobian > 0.0 { largest(self.step.values(group)) / jacobian } else { 0.0 }
    }

    /// Finds the row and column factors that bring the largest entries of the matrix in the group near 1.
    pub fn equilibrate(&mut self, group: &[f64]) {
        self.take(group);
        self.scales.find(self.factors.pattern(), &self.values);
    }

    /// The factors that [`equilibrate`](Self::equilibrate) found, of rows and columns.
    pub fn scales(&self) -> (&[f64], &[f64]) {
        (&self.scales.rows, &self.scales.columns)
    }

    /// Takes the values of all entries from the group.
    fn take(&mut self, group: &[f64]) {
        let (step, jacobian) = (self.step.values(group), self.jacobian.values(group));
        self.values.clear();
        [step, jacobian, jacobian].into_iter().for_each(|values| self.values.extend_from_slice(values));
    }

    /// The backward error of `x` in K x = b with the matrix that was [equilibrated](Self::equilibrate) last: the
    /// largest residual of a row relative to the largest sum of a row's terms, both scaled by the row's factor.
    pub fn backward_error(&mut self, x: &[f64], b: &[f64]) -> f64 {
        let Self { rows, factors, values, scales, .. } = self;
        rows.clear();
        rows.extend(b.iter().map(|b| (*b, b.abs())));
        for (&(row, column), value) in factors.pattern().iter().zip(&*values) {
            let term = value * x[column as usize];
            let (sum, terms) = &mut rows[row as usize];
            *sum -= term;
            *terms += term.abs();
        }
        let (mut worst, mut size) = (0.0, 0.0);
        for (&(sum, terms), scale) in rows.iter().zip(&scales.rows) {
            // sums that are not finite must not get lost
            worst = if sum.is_finite() { f64::max(worst, sum.abs() * scale) } else { f64::INFINITY };
            size = f64::max(size, terms * scale);
            if worst.is_infinite() {
                return worst;
            }
        }
        if worst == 0.0 { 0.0 } else { worst / size }
    }

    /// The number of times that pivots were searched.
    pub fn analyses(&self) -> usize {
        self.factors.analyses()
    }

    /// The number of times that pivots or their bounds were set: equal numbers mean equal pivots in one run.
    pub fn changes(&self) -> usize {
        self.factors.changes()
    }

    /// Returns how long the given order of pivots is not tried.
    pub fn patience(&self) -> Patience {
        self.factors.patience()
    }

    /// Sets how long the given order of pivots is not tried.
    pub fn set_patience(&mut self, patience: Patience) {
        self.factors.set_patience(patience);
    }

    /// Returns true if the last matrix was factorised in the given order of pivots.
    pub fn is_in_order(&self) -> bool {
        self.factors.is_in_order()
    }
}
