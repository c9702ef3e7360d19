//! The factors of four matrices side by side, with the pivots and the bounds of another matrix's factors.
//!
//! Every operation is done for four matrices at once, and nothing for entries that a matrix does not have. Substitution
//! is done for one of the matrices.

use crate::scalar::{LANES, Lanes, Reals, Scalar, Work};

use super::fill::Fill;
use super::layout::Layout;
use super::numeric::{Bounds, Four, with_vector};

/// Factors of four matrices.
#[derive(Debug, Clone)]
pub struct FourFactors {
    tables: Tables,
    /// The number of changes of pivots and bounds when the limits were taken.
    changes: usize,
    /// Smallest pivots by steps, and largest entries of L by columns.
    smallest: Vec<f64>,
    largest: Vec<f64>,
    /// Pivots by steps, then L by columns, then U by rows.
    entries: Vec<Lanes>,
    inverses: Vec<Lanes>,
}

/// The tables that elimination and substitution run over.
#[derive(Debug, Clone)]
struct Tables {
    /// Position of every entry of the matrix among the stored ones.
    scatter: Vec<u32>,
    steps: Vec<Step>,
    /// Steps of the rows of the entries of L, and of the columns of those of U.
    rows: Vec<u32>,
    columns: Vec<u32>,
    /// Positions that the elimination updates, one for every pair of an entry of U and an entry of L of a step.
    targets: Vec<u32>,
}

/// One step of the elimination: its row and column in the matrix, and the lengths of its column of L and its row of U.
#[derive(Debug, Clone, Copy)]
struct Step {
    row: u32,
    column: u32,
    lower: u32,
    upper: u32,
}

impl Tables {
    /// Makes the tables of a matrix with entries at (row, column), eliminated with these pivots, which name every row
    /// and every column once.
    fn new(pattern: &[(u32, u32)], pivots: &[(u32, u32)]) -> Self {
        let size = pivots.len();
        let (mut of_row, mut of_column) = (vec![0u32; size], vec![0u32; size]);
        for (k, &(row, column)) in pivots.iter().enumerate() {
            of_row[row as usize] = k as u32;
            of_column[column as usize] = k as u32;
        }
        let by_steps = pattern.iter().map(|&(row, column)| (of_row[row as usize], of_column[column as usize]));
        let fill = Fill::new(size, by_steps.clone());
        let starts = Starts::new(&fill);
        let mut tables = Self {
            scatter: by_steps.map(|(row, column)| starts.position(&fill, row, column)).collect(),
            steps: Vec::with_capacity(size),
            rows: fill.lower.concat(),
            columns: fill.upper.concat(),
            targets: Vec::new(),
        };
        for (&(row, column), (lower, upper)) in pivots.iter().zip(fill.lower.iter().zip(&fill.upper)) {
            for &other in upper {
                let below = lower.iter().map(|&row| starts.position(&fill, row, other));
                tables.targets.extend(below);
            }
            tables.steps.push(Step { row, column, lower: lower.len() as u32, upper: upper.len() as u32 });
        }
        tables
    }

    /// Returns the number of entries.
    fn entries(&self) -> usize {
        self.steps.len() + self.rows.len() + self.columns.len()
    }
}

/// The starts of columns of L and rows of U among the stored entries.
struct Starts {
    lower: Vec<u32>,
    upper: Vec<u32>,
}

impl Starts {
    fn new(fill: &Fill) -> Self {
        let mut next = fill.lower.len() as u32;
        let mut starts = |lists: &[Vec<u32>]| {
            let start = |list: &Vec<u32>| {
                let end = next + list.len() as u32;
                std::mem::replace(&mut next, end)
            };
            lists.iter().map(start).collect::<Vec<u32>>()
        };
        Self { lower: starts(&fill.lower), upper: starts(&fill.upper) }
    }

    /// Returns the position of an entry, by the steps of its row and column.
    fn position(&self, fill: &Fill, row: u32, column: u32) -> u32 {
        let (start, list, other) = match row.cmp(&column) {
            std::cmp::Ordering::Equal => return row,
            std::cmp::Ordering::Greater => (self.lower[column as usize], &fill.lower[column as usize], row),
            std::cmp::Ordering::Less => (self.upper[row as usize], &fill.upper[row as usize], column),
        };
        // fill has every entry that is asked for
        start + list.binary_search(&other).unwrap_or(0) as u32
    }
}

impl FourFactors {
    /// Creates room for factors of matrices with entries at (row, column), in the order of `pivots`.
    pub(super) fn new(pattern: &[(u32, u32)], pivots: &[(u32, u32)]) -> Self {
        let tables = Tables::new(pattern, pivots);
        Self {
            changes: 0,
            smallest: Vec::new(),
            largest: Vec::new(),
            entries: vec![Lanes::default(); tables.entries()],
            inverses: vec![Lanes::default(); tables.steps.len()],
            tables,
        }
    }

    /// Takes the bounds within which the same pivots suit another matrix, if these have changed.
    pub(super) fn take_bounds(&mut self, changes: usize, layout: &Layout, bounds: &Bounds) {
        if self.changes == changes {
            return;
        }
        self.changes = changes;
        self.smallest.clone_from(&bounds.smallest);
        self.largest.clear();
        let weights = bounds.weights.as_flattened();
        let mut rows = self.tables.rows.as_slice();
        for (step, growth) in self.tables.steps.iter().zip(&bounds.growth) {
            let own;
            (own, rows) = rows.split_at(step.lower as usize);
            // weights are powers of two
            let limit = own.iter().map(|&row| growth / weights[layout.steps[row as usize].place as usize]);
            self.largest.extend(limit);
        }
    }

    /// Factorises the matrices whose values are chained in `values`; returns false if factors exceed their bounds.
    pub(super) fn factor(&mut self, values: [&[Lanes]; 3]) -> bool {
        Lanes::dispatch(Elimination { factors: self, values })
    }

    /// Solves A^T x = b with the matrix of a lane; `x` holds b before and x after.
    pub fn solve_transposed(&self, lane: usize, x: &mut [f64]) {
        let groups = self.tables.steps.len().div_ceil(LANES);
        with_vector(groups, |vector: &mut [Four]| {
            self.substitute_transposed(lane % LANES, x, vector.as_flattened_mut())
        });
    }

    #[inline]
    fn substitute_transposed(&self, lane: usize, x: &mut [f64], vector: &mut [f64]) {
        let Self { tables, entries, inverses, .. } = self;
        let (_, factors) = entries.split_at(tables.steps.len());
        let (of_lower, of_upper) = factors.split_at(tables.rows.len());
        for (value, step) in vector.iter_mut().zip(&tables.steps) {
            *value = x[step.column as usize];
        }
        let (mut columns, mut upper) = (tables.columns.as_slice(), of_upper);
        for (k, (step, inverse)) in tables.steps.iter().zip(inverses).enumerate() {
            let value = vector[k] * inverse.as_array()[lane];
            vector[k] = value;
            let (places, entries);
            (places, columns) = columns.split_at(step.upper as usize);
            (entries, upper) = upper.split_at(step.upper as usize);
            for (&place, entry) in places.iter().zip(entries) {
                let unknown = &mut vector[place as usize];
                *unknown = unknown.minus_product(value, entry.as_array()[lane]);
            }
        }
        let (mut rows, mut lower) = (tables.rows.as_slice(), of_lower);
        for (k, step) in tables.steps.iter().enumerate().rev() {
            let (places, entries);
            (rows, places) = rows.split_at(rows.len() - step.lower as usize);
            (lower, entries) = lower.split_at(lower.len() - step.lower as usize);
            // chains that need not wait for each other
            let mut sums = [0.0; 2];
            let ((pairs, last), (entries, last_entry)) = (places.as_chunks::<2>(), entries.as_chunks::<2>());
            for (places, entries) in pairs.iter().zip(entries) {
                for i in 0..2 {
                    sums[i] = sums[i].plus_product(vector[places[i] as usize], entries[i].as_array()[lane]);
                }
            }
            for (&place, entry) in last.iter().zip(last_entry) {
                sums[0] = sums[0].plus_product(vector[place as usize], entry.as_array()[lane]);
            }
            vector[k] -= sums[0] + sums[1];
            x[step.row as usize] = vector[k];
        }
    }
}

struct Elimination<'a> {
    factors: &'a mut FourFactors,
    values: [&'a [Lanes]; 3],
}

impl Work for Elimination<'_> {
    type Output = bool;

    #[inline(always)]
    fn run(self) -> bool {
        let FourFactors { tables, smallest, largest, entries, inverses, .. } = self.factors;
        let Some(zero) = entries.first().map(|some| some.same(0.0)) else { return true };
        entries.fill(zero);
        let mut scatter = tables.scatter.as_slice();
        for values in self.values {
            let own;
            (own, scatter) = scatter.split_at(values.len().min(scatter.len()));
            for (&position, value) in own.iter().zip(values) {
                entries[position as usize] = *value;
            }
        }
        let mut holds = zero.equal(zero);
        let size = tables.steps.len();
        let (mut lower, mut upper) = (size, size + tables.rows.len());
        let (mut targets, mut largest) = (tables.targets.as_slice(), largest.as_slice());
        let of_steps = tables.steps.iter().zip(&*smallest).zip(inverses).enumerate();
        for (k, ((step, smallest), inverse)) in of_steps {
            let pivot = entries[k];
            *inverse = pivot.recip();
            let of_pivot = Lanes::and(zero.same(*smallest).less_equal(pivot.abs()), pivot.is_finite());
            holds = Lanes::and(holds, of_pivot);
            let (end_of_lower, end_of_upper) = (lower + step.lower as usize, upper + step.upper as usize);
            let limits;
            (limits, largest) = largest.split_at(step.lower as usize);
            for (entry, limit) in entries[lower..end_of_lower].iter_mut().zip(limits) {
                *entry = *entry * *inverse;
                holds = Lanes::and(holds, entry.abs().less_equal(zero.same(*limit)));
            }
            for row in upper..end_of_upper {
                let factor = entries[row];
                let own;
                (own, targets) = targets.split_at(step.lower as usize);
                for (position, &target) in (lower..end_of_lower).zip(own) {
                    let left = entries[target as usize].minus_product(factor, entries[position]);
                    entries[target as usize] = left;
                }
            }
            (lower, upper) = (end_of_lower, end_of_upper);
        }
        holds.set().is_all()
    }
}

#[cfg(test)]
mod tests {
    use crate::scalar::each_lane;

    use super::super::SparseLu;
    use super::*;

    const SIZE: u32 = 23;

    /// A band with a full last row and column, and values that depend on `matrix`.
    fn entries() -> Vec<(u32, u32)> {
        let all = (0..SIZE).flat_map(|row| (0..SIZE).map(move |column| (row, column)));
        all.filter(|(row, column)| row.abs_diff(*column) < 3 || row.max(column) == &(SIZE - 1)).collect()
    }

    fn values(matrix: usize) -> Vec<f64> {
        let value = |(row, column): (u32, u32)| {
            let varying = f64::from(5 * row + 3 * column + matrix as u32).sin();
            if row == column { 6.0 + varying } else { varying }
        };
        entries().into_iter().map(value).collect()
    }

    fn side_by_side(matrices: [&[f64]; LANES]) -> Vec<Lanes> {
        (0..matrices[0].len()).map(|i| Lanes::of(matrices.map(|values| values[i]))).collect()
    }

    fn factor(lu: &SparseLu, four: &mut Option<Box<FourFactors>>, matrices: [&[f64]; LANES]) -> bool {
        let values = side_by_side(matrices);
        let (first, rest) = values.split_at(7);
        lu.factor_four(four, [first, rest, &[]])
    }

    #[test]
    fn each_of_four_matrices_is_solved() {
        if !Lanes::are_available() {
            return;
        }
        let order: Vec<(u32, u32)> = (0..SIZE).map(|i| (i * 7 % SIZE, i * 7 % SIZE)).collect();
        let mut lu = SparseLu::with_order(&entries(), SIZE as usize, &order);
        let matrices = each_lane(values);
        let all = each_lane(|lane| matrices[lane].as_slice());
        let mut four = None;
        assert!(!factor(&lu, &mut four, all), "no bounds are known");
        lu.factor(&values(9)).unwrap();
        assert!(factor(&lu, &mut four, all));
        for (lane, matrix) in matrices.iter().enumerate() {
            let x: Vec<f64> = (0..SIZE).map(|i| 1.0 + f64::from(i).cos()).collect();
            let mut found = vec![0.0; x.len()];
            for ((row, column), value) in entries().into_iter().zip(matrix) {
                found[column as usize] += value * x[row as usize];
            }
            four.as_ref().unwrap().solve_transposed(lane, &mut found);
            for (x, found) in x.iter().zip(&found) {
                assert!((x - found).abs() < 1e-13, "lane {lane}: {found}, not {x}");
            }
        }
    }

    #[test]
    fn every_matrix_keeps_the_bounds() {
        if !Lanes::are_available() {
            return;
        }
        let order: Vec<(u32, u32)> = (0..SIZE).map(|i| (i, i)).collect();
        let mut lu = SparseLu::with_order(&entries(), SIZE as usize, &order);
        let good = values(0);
        lu.factor(&good).unwrap();
        let diagonal = entries().iter().position(|entry| *entry == (3, 3)).unwrap();
        let mut four = None;
        for lane in 0..LANES {
            // pivots that vanish, and entries of L that are large or no numbers
            for bad in [0.0, 1e-9, f64::NAN, f64::INFINITY] {
                let mut changed = good.clone();
                changed[diagonal] = bad;
                let first: f64 = good[0];
                changed[0] = if bad == 1e-9 { first * 1e-3 } else { first };
                let serves = lu.clone().refactor(&changed);
                let matrices = each_lane(|other| if other == lane { &changed[..] } else { &good });
                assert_eq!(factor(&lu, &mut four, matrices), serves, "{bad} in lane {lane}");
            }
            assert!(factor(&lu, &mut four, each_lane(|_| &good[..])));
        }
        // pivots that were searched are those of no order
        lu.analyse(&good).unwrap();
        assert!(!factor(&lu, &mut four, each_lane(|_| &good[..])));
    }
}
