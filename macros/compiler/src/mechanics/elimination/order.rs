//! Choice of the pivot order with the fewest operations in every step of a run.
//!
//! Markowitz' rule with operations weighted by cost: operations on constants and on constants of a run cost nothing
//! in the factorisation, divisions cost most. Ties and near ties are broken at random, and the best of many trials is
//! taken. Random numbers have fixed seeds, so that a model always gives the same code.

use super::random::Random;
use super::samples::{SAMPLES, Values};
use crate::symbolic::{Graph, Id};

/// Smallest ratios of a pivot to the largest entry in its column, at every sample. The ratios are tried in this
/// order: an order with larger pivots is suitable in more states.
const PIVOT_THRESHOLDS: [f64; 3] = [0.1, 0.02, 0.001];

/// Ratio that is tried first for many pivots.
const PIVOT_THRESHOLD_OF_MANY: f64 = 0.3;

/// Largest number of unknowns of a small matrix. A larger one has many pivots, one of which becomes small sooner or
/// later; its order is suitable in the states that a mechanism reaches, and not in all.
pub const MAX_SMALL_SIZE: usize = 60;

/// Smallest pivot at every sample, where the largest entries of the matrix are 1.
pub const MIN_PIVOT: f64 = 1e-9;

/// Number of factorisations and solutions in one step of a run with its gradient, as weights of the costs.
const FACTORISATIONS_PER_STEP: usize = 2;
const SOLUTIONS_PER_STEP: usize = 3;

/// Cost of a division, for which later operations have to wait.
const DIVISION_COST: usize = 12;

/// The dependence of an entry on symbols.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Class {
    Constant(f64),
    /// Depends on parameters and the step size alone.
    Run,
    Varying,
}

impl Class {
    fn varies(self) -> bool {
        self == Class::Varying
    }

    fn is_unit(self) -> bool {
        matches!(self, Class::Constant(value) if value.abs() == 1.0)
    }

    /// Returns the class of a product.
    fn times(self, other: Class) -> Class {
        match (self, other) {
            (Class::Constant(a), Class::Constant(b)) => Class::Constant(a * b),
            _ if self.varies() || other.varies() => Class::Varying,
            _ => Class::Run,
        }
    }

    fn minus(self, other: Class) -> Class {
        match (self, other) {
            (Class::Constant(a), Class::Constant(b)) => Class::Constant(a - b),
            _ if self.varies() || other.varies() => Class::Varying,
            _ => Class::Run,
        }
    }

    fn inverse(self) -> Class {
        match self {
            Class::Constant(value) => Class::Constant(1.0 / value),
            other => other,
        }
    }
}

/// An entry of a row.
#[derive(Debug, Clone, Copy)]
pub struct Entry {
    row: usize,
    column: usize,
    class: Class,
    values: Values,
}

/// Classifies the entries, and adds their sampled values.
pub fn classified(graph: &Graph, entries: &[(usize, usize, Id)], samples: &[Values]) -> Vec<Entry> {
    let class = |id: Id| match graph.as_constant(id) {
        Some(value) => Class::Constant(value),
        None if graph.is_run_constant(id) => Class::Run,
        None => Class::Varying,
    };
    let entry =
        |(&(row, column, id), &values): (&(usize, usize, Id), &Values)| Entry { row, column, class: class(id), values };
    entries.iter().zip(samples).map(entry).collect()
}

/// Chooses the order of pivots (row, column) with the least cost; `None` if no order is suitable.
pub fn choose(size: usize, entries: &[Entry]) -> Option<Vec<(usize, usize)>> {
    // Largest number of entries of a matrix for which many orders are tried.
    const MAX_ENTRIES_OF_TRIALS: usize = 2000;
    if entries.len() > MAX_ENTRIES_OF_TRIALS {
        return None;
    }
    let of_many = (size > MAX_SMALL_SIZE).then_some(PIVOT_THRESHOLD_OF_MANY);
    of_many.into_iter().chain(PIVOT_THRESHOLDS).find_map(|threshold| best_of_trials(size, entries, threshold))
}

/// Chooses an order that repeats itself where parts of the model are alike, so that its code can be loops: pivots on
/// the diagonal, the cheapest first, and among equal ones the first. `None` if there is none.
///
/// The `coordinates` are eliminated before the constraints: if the masses are definite, the remaining matrix of the
/// constraints is definite in every state, and bodies are eliminated independently. If this is not possible, the
/// pivots are chosen by cost alone.
pub fn regular(size: usize, coordinates: usize, entries: &[Entry]) -> Option<Vec<(usize, usize)>> {
    // Smallest ratio of a definite pivot to the largest entry in its column. The runtime accepts factors slightly
    // larger than those that result.
    const MIN_DEFINITE_PIVOT: f64 = 0.02;
    let definite = Matrix::new(size, entries, MIN_DEFINITE_PIVOT).diagonal_order(coordinates);
    definite.or_else(|| Matrix::new(size, entries, PIVOT_THRESHOLDS[0]).diagonal_order(size))
}

fn best_of_trials(size: usize, entries: &[Entry], threshold: f64) -> Option<Vec<(usize, usize)>> {
    // Largest cost with [many](MAX_SMALL_SIZE) pivots, where like parts may be written in loops.
    const MAX_COST_OF_MANY: usize = 12_000;
    // Largest cost of an elimination that is written out as code; the unit is about one operation on varying numbers.
    const MAX_COST: usize = 16_000;
    // Work of all trials, in visited entries, after which no further trial is made.
    const MAX_WORK: usize = 2_000_000;
    // Number of orders that are tried.
    const TRIALS: u64 = 40;
    let mut best: Option<Vec<(usize, usize)>> = None;
    let largest = if size > MAX_SMALL_SIZE { MAX_COST_OF_MANY } else { MAX_COST };
    let (mut least, mut work) = (largest, 0);
    for trial in 0..TRIALS {
        let mut matrix = Matrix::new(size, entries, threshold);
        // the first trial follows the rule without noise
        let noise = if trial == 0 { 0.0 } else { 0.5 };
        if let Some(order) = matrix.eliminate(&mut Random::new(trial + 1), noise, least) {
            least = matrix.cost;
            best = Some(order);
        }
        work += matrix.work;
        // where the rule without noise is far too expensive, random variations do not help
        if work > MAX_WORK || (best.is_none() && matrix.cost >= largest) {
            break;
        }
    }
    best
}

/// The part of the matrix that has not been eliminated.
struct Matrix {
    rows: Vec<Vec<Entry>>,
    /// Rows with an entry in each column.
    columns: Vec<Vec<usize>>,
    left: Vec<usize>,
    threshold: f64,
    cost: usize,
    /// Number of products that are constants of the run.
    run_work: usize,
    work: usize,
}

impl Matrix {
    fn new(size: usize, entries: &[Entry], threshold: f64) -> Matrix {
        let mut matrix = Matrix {
            rows: vec![Vec::new(); size],
            columns: vec![Vec::new(); size],
            left: (0..size).collect(),
            threshold,
            cost: 0,
            run_work: 0,
            work: 0,
        };
        for entry in entries {
            matrix.rows[entry.row].push(*entry);
            matrix.columns[entry.column].push(entry.row);
        }
        matrix
    }

    /// Eliminates all rows; `None` if no pivot is large enough, or if the cost or the number of products that are
    /// constants of the run exceeds its limit.
    fn eliminate(&mut self, random: &mut Random, noise: f64, limit: usize) -> Option<Vec<(usize, usize)>> {
        // Largest number of products that are computed once per run: they take no time in the steps, but they take
        // code.
        const MAX_RUN_WORK: usize = 3000;
        let mut order = Vec::with_capacity(self.rows.len());
        while !self.left.is_empty() {
            let (row, column) = self.best(random, noise)?;
            self.eliminate_pivot(row, column);
            order.push((row, column));
            if self.cost >= limit || self.run_work > MAX_RUN_WORK {
                return None;
            }
        }
        Some(order)
    }

    /// Eliminates all rows with pivots on the diagonal, the `first` ones before the others.
    fn diagonal_order(&mut self, first: usize) -> Option<Vec<(usize, usize)>> {
        // Largest cost per row where many operations may be one statement in a loop. If the cost is higher, every part
        // of the model is coupled with all others, and the elimination does not follow a chain of parts.
        const MAX_COST_OF_ROW: usize = 1000;
        let size = self.rows.len();
        let mut order = Vec::with_capacity(size);
        // costs of the pivots, with `None` for pivots that are too small; deleted when a pivot changes
        let mut costs: Vec<Option<Option<usize>>> = vec![None; size];
        while !self.left.is_empty() {
            let mut best: Option<(bool, usize, usize)> = None;
            for &row in &self.left {
                let cost = *costs[row].get_or_insert_with(|| self.diagonal_cost(row));
                if let Some(cost) = cost
                    && best.is_none_or(|(is_later, least, _)| (row >= first, cost) < (is_later, least))
                {
                    best = Some((row >= first, cost, row));
                }
            }
            let (_, _, row) = best?;
            self.columns[row].iter().for_each(|&below| costs[below] = None);
            self.rows[row].iter().for_each(|right| costs[right.column] = None);
            self.eliminate_pivot(row, row);
            order.push((row, row));
            if self.cost >= MAX_COST_OF_ROW * size {
                return None;
            }
        }
        Some(order)
    }

    fn best(&mut self, random: &mut Random, noise: f64) -> Option<(usize, usize)> {
        let mut largest = vec![[0f64; SAMPLES]; self.columns.len()];
        let mut varying = vec![0usize; self.columns.len()];
        for entry in self.left.iter().flat_map(|&row| &self.rows[row]) {
            for (largest, value) in largest[entry.column].iter_mut().zip(entry.values) {
                *largest = largest.max(value.abs());
            }
            varying[entry.column] += usize::from(entry.class.varies());
        }
        let mut best: Option<(f64, usize, usize)> = None;
        for &row in &self.left {
            let entries = &self.rows[row];
            self.work += entries.len();
            let row_varying = entries.iter().filter(|entry| entry.class.varies()).count();
            for pivot in entries {
                let column = pivot.column;
                let large =
                    |(value, largest): (&f64, &f64)| value.abs() >= self.threshold * largest && value.abs() > MIN_PIVOT;
                if !pivot.values.iter().zip(&largest[column]).all(large) {
                    continue;
                }
                let cost = self.pivot_cost(pivot, row_varying, varying[column]);
                let cost = (cost as f64 + 0.01 * random.unit()) * (1.0 + noise * random.unit());
                if best.is_none_or(|(least, ..)| cost < least) {
                    best = Some((cost, row, column));
                }
            }
        }
        best.map(|(_, row, column)| (row, column))
    }

    /// Estimates the cost of a pivot in a row and a column with these numbers of varying entries.
    fn pivot_cost(&self, pivot: &Entry, row_varying: usize, column_varying: usize) -> usize {
        let pivot_varies = usize::from(pivot.class.varies());
        let (right, below) = (self.rows[pivot.row].len() - 1, self.columns[pivot.column].len() - 1);
        let right_varying = row_varying - pivot_varies;
        let below_varying = if pivot.class.varies() { below } else { column_varying - pivot_varies };
        let pairs = right * below;
        let fixed = (right - right_varying) * (below - below_varying);
        let scaled = if pivot.class.is_unit() { 0 } else { below_varying };
        FACTORISATIONS_PER_STEP * (2 * (pairs - fixed) + scaled + DIVISION_COST * pivot_varies)
            + SOLUTIONS_PER_STEP * (pairs + right + below + usize::from(!pivot.class.is_unit()))
    }

    /// Returns the cost of the pivot on the diagonal; `None` if the pivot is too small.
    fn diagonal_cost(&self, row: usize) -> Option<usize> {
        let is_varying = |entry: &&Entry| entry.class.varies();
        // every row is searched once: rows of a full matrix are long
        let column: Vec<&Entry> = self.columns[row].iter().filter_map(|&other| self.entry(other, row)).collect();
        let pivot = column.iter().copied().find(|entry| entry.row == row)?;
        if !self.is_large(pivot, &column) {
            return None;
        }
        let varying = self.rows[row].iter().filter(is_varying).count();
        Some(self.pivot_cost(pivot, varying, column.into_iter().filter(is_varying).count()))
    }

    fn entry(&self, row: usize, column: usize) -> Option<&Entry> {
        self.rows[row].iter().find(|entry| entry.column == column)
    }

    /// Checks whether a pivot is large enough compared with the entries in its column, at every sample.
    fn is_large(&self, pivot: &Entry, column: &[&Entry]) -> bool {
        (0..SAMPLES).all(|sample| {
            let sizes = column.iter().map(|entry| entry.values[sample].abs());
            let value = pivot.values[sample].abs();
            value >= self.threshold * sizes.fold(0.0, f64::max) && value > MIN_PIVOT
        })
    }

    fn eliminate_pivot(&mut self, row: usize, column: usize) {
        self.left.retain(|&left| left != row);
        let mut upper = std::mem::take(&mut self.rows[row]);
        for entry in &upper {
            self.columns[entry.column].retain(|&other| other != row);
        }
        let Some(at) = upper.iter().position(|entry| entry.column == column) else { return };
        let pivot = upper.swap_remove(at);
        let inverse = pivot.class.inverse();
        if pivot.class.varies() {
            self.cost += FACTORISATIONS_PER_STEP * DIVISION_COST;
        }
        self.cost += SOLUTIONS_PER_STEP * usize::from(!pivot.class.is_unit());
        self.cost += upper.iter().map(|entry| solution_cost(entry.class)).sum::<usize>();
        for below in std::mem::take(&mut self.columns[column]) {
            let Some(at) = self.rows[below].iter().position(|entry| entry.column == column) else { continue };
            let entry = self.rows[below].swap_remove(at);
            let factor = entry.class.times(inverse);
            self.cost += FACTORISATIONS_PER_STEP * usize::from(factor.varies() && !inverse.is_unit());
            self.cost += solution_cost(factor);
            let factors: Values = std::array::from_fn(|i| entry.values[i] / pivot.values[i]);
            for right in &upper {
                self.update(below, factor, &factors, right);
            }
        }
    }

    /// Subtracts `factor` times an entry of the pivot row from row `row`.
    fn update(&mut self, row: usize, factor: Class, factors: &Values, right: &Entry) {
        let product = factor.times(right.class);
        if product.varies() && !factor.is_unit() && !right.class.is_unit() {
            self.cost += FACTORISATIONS_PER_STEP;
        }
        self.run_work += usize::from(product == Class::Run);
        let column = right.column;
        let change: Values = std::array::from_fn(|i| -factors[i] * right.values[i]);
        let Some(at) = self.rows[row].iter().position(|entry| entry.column == column) else {
            let class = Class::Constant(0.0).minus(product);
            self.rows[row].push(Entry { row, column, class, values: change });
            self.columns[column].push(row);
            return;
        };
        let old = &mut self.rows[row][at];
        old.class = old.class.minus(product);
        for (value, change) in old.values.iter_mut().zip(change) {
            *value += change;
        }
        if old.class.varies() {
            self.cost += FACTORISATIONS_PER_STEP;
        }
        if old.class == Class::Constant(0.0) {
            self.rows[row].swap_remove(at);
            self.columns[column].retain(|&other| other != row);
        }
    }
}

/// Returns the cost of a product and a sum in every solution; factors 1 and -1 need no product.
fn solution_cost(class: Class) -> usize {
    SOLUTIONS_PER_STEP * if class.is_unit() { 1 } else { 2 }
}
