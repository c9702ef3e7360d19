//! L and U as numbers, and the loops that compute them and solve with them.
//!
//! Every loop updates four rows at once, by the vectors of processors that have them, and runs over the tables of a
//! [`Layout`].

use crate::scalar::{LANES, Scalar, Work};

use super::layout::{Layout, Source, Step};
use super::part_bounds::PartBounds;
use super::part_numbers::{Aligned, PartNumbers};
use super::parts::Parts;
use super::pieces::Pieces;

/// Four rows.
pub type Four = [f64; LANES];

/// Ones in the rows of a set of bits, zeros in the others.
const ONES: [Four; 1 << LANES] = {
    let mut ones = [[0.0; LANES]; 1 << LANES];
    let mut i = 0;
    while i < LANES << LANES {
        let (set, row) = (i / LANES, i % LANES);
        ones[set][row] = (set >> row & 1) as f64;
        i += 1;
    }
    ones
};

/// The factors of one matrix.
#[derive(Debug, Clone, Default)]
pub struct Numbers {
    /// The factors of parts of equal structure.
    pub parts: PartNumbers,
    /// The columns of the matrix, of which the elimination leaves U.
    stored: Vec<Four>,
    /// Reciprocals of the pivots.
    pub inverses: Vec<f64>,
    /// L, by groups.
    pub lower: Vec<Four>,
    /// U next to the pivots.
    pub upper: Vec<f64>,
}

/// The sizes that factors must keep, in the units of the matrix.
#[derive(Debug, Clone, Default)]
pub struct Bounds {
    /// Bounds of parts of equal structure.
    pub parts: PartBounds,
    /// Smallest pivot of every step.
    pub smallest: Vec<f64>,
    /// Largest product of an entry of a column of L with the weight of its row.
    pub growth: Vec<f64>,
    /// Weights of the rows, by groups.
    pub weights: Vec<Four>,
}

impl Numbers {
    /// Creates room for the factors.
    pub fn new(layout: &Layout) -> Self {
        Self {
            parts: layout.parts.as_ref().map(PartNumbers::new).unwrap_or_default(),
            stored: vec![[0.0; LANES]; layout.stored],
            inverses: vec![0.0; layout.steps.len()],
            lower: vec![[0.0; LANES]; layout.groups.len()],
            upper: vec![0.0; layout.places.len()],
        }
    }

    /// Factorises the matrix in pieces of an array; returns false if the factors exceed their bounds.
    pub fn factor(&mut self, layout: &Layout, bounds: &Bounds, matrix: (&Pieces, &[f64])) -> bool {
        f64::dispatch(Elimination { layout, bounds, matrix, numbers: self })
    }

    /// Returns the largest product of an entry of a column of L with the weight of its row.
    pub fn largest_of_column(&self, layout: &Layout, weights: &[Four], step: &Step) -> f64 {
        let (groups, lower) = column(layout, self, step);
        let weights = groups.iter().map(|&group| &weights[group as usize]);
        let sizes = lower.as_flattened().iter().zip(weights.flatten()).map(|(entry, weight)| entry.abs() * weight);
        sizes.fold(0.0, f64::max)
    }

    /// Solves A x = b; `x` holds b before and x after.
    pub fn solve(&self, layout: &Layout, x: &mut [f64]) {
        with_vector(layout.vector, |vector| match &layout.parts {
            None => f64::dispatch(Solution { layout, numbers: self, vector, x }),
            Some(parts) => with_vector(parts.vector(), |of_parts| {
                f64::dispatch(SolutionByParts {
                    parts,
                    of_parts,
                    border: Solution { layout, numbers: self, vector, x },
                });
            }),
        });
    }

    /// Solves A^T x = b; `x` holds b before and x after.
    pub fn solve_transposed(&self, layout: &Layout, x: &mut [f64]) {
        with_vector(layout.vector, |vector| match &layout.parts {
            None => f64::dispatch(Transposed { layout, numbers: self, vector, x }),
            Some(parts) => with_vector(parts.vector(), |of_parts| {
                f64::dispatch(TransposedByParts {
                    parts,
                    of_parts,
                    border: Transposed { layout, numbers: self, vector, x },
                });
            }),
        });
    }
}

/// Calls `with` with a vector of so many groups, which is on the stack up to 4096 groups: nothing is allocated but for
/// a very large matrix. Four sizes keep the frame of a small matrix small.
pub fn with_vector<T: Copy + Default>(groups: usize, with: impl FnOnce(&mut [T])) {
    match groups {
        0..=8 => on_stack::<T, 8>(groups, with),
        9..=64 => on_stack::<T, 64>(groups, with),
        65..=512 => on_stack::<T, 512>(groups, with),
        513..=4096 => on_stack::<T, 4096>(groups, with),
        _ => with(&mut vec![T::default(); groups]),
    }
}

/// Calls `with` with a vector on the stack. Not inlined, so that each size has a frame of its own.
#[inline(never)]
fn on_stack<T: Copy + Default, const N: usize>(groups: usize, with: impl FnOnce(&mut [T])) {
    with(&mut [T::default(); N][..groups.min(N)]);
}

struct Elimination<'a> {
    layout: &'a Layout,
    bounds: &'a Bounds,
    matrix: (&'a Pieces, &'a [f64]),
    numbers: &'a mut Numbers,
}

impl Work for Elimination<'_> {
    type Output = bool;

    #[inline(always)]
    fn run(self) -> bool {
        let Self { layout, bounds, matrix, numbers: Numbers { parts, stored, inverses, lower, upper } } = self;
        let (pieces, array) = matrix;
        stored.fill([0.0; LANES]);
        let mut holds = true;
        match &layout.parts {
            Some(tables) => {
                let border;
                (border, holds) = parts.eliminate(tables, &bounds.parts, array);
                assemble(stored, &layout.scatter, border);
            }
            None => {
                let mut scatter = layout.scatter.as_slice();
                for values in pieces.of(array) {
                    let own;
                    (own, scatter) = scatter.split_at(values.len().min(scatter.len()));
                    assemble(stored, own, values);
                }
            }
        }
        let mut keeps = [1; LANES];
        let of_steps = bounds.smallest.iter().zip(&bounds.growth).zip(inverses);
        for (step, ((smallest, growth), inverse)) in layout.steps.iter().zip(of_steps) {
            let pivot = stored.as_flattened()[step.pivot as usize];
            *inverse = 1.0 / pivot;
            holds &= pivot.abs() >= *smallest && pivot.abs() < f64::INFINITY;
            let of_lower = step.lower.0 as usize..step.lower.1 as usize;
            let of_upper = step.upper.0 as usize..step.upper.1 as usize;
            let (lower, upper) = (&mut lower[of_lower.clone()], &mut upper[of_upper.clone()]);
            let sources = &layout.sources[of_lower];
            scale(lower, sources, stored, *inverse, (*growth, &bounds.weights), &mut keeps);
            let positions = &layout.positions[of_upper];
            let targets = &layout.targets[step.targets as usize..][..lower.len() * positions.len()];
            match lower.len() {
                0 => copy(stored, upper, positions),
                1 => subtract::<1>(stored, lower, upper, positions, targets),
                2 => subtract::<2>(stored, lower, upper, positions, targets),
                3 => subtract::<3>(stored, lower, upper, positions, targets),
                4 => subtract::<4>(stored, lower, upper, positions, targets),
                5 => subtract::<5>(stored, lower, upper, positions, targets),
                6 => subtract::<6>(stored, lower, upper, positions, targets),
                7 => subtract::<7>(stored, lower, upper, positions, targets),
                8 => subtract::<8>(stored, lower, upper, positions, targets),
                _ => subtract_many(stored, lower, upper, positions, targets),
            }
        }
        holds && keeps == [1; LANES]
    }
}

/// Writes the entries of the matrix, several per round of the loop.
#[inline(always)]
fn assemble(stored: &mut [Four], scatter: &[u32], values: &[f64]) {
    const AT_ONCE: usize = 8;
    let stored = stored.as_flattened_mut();
    let ((positions, last), (values, last_values)) = (scatter.as_chunks::<AT_ONCE>(), values.as_chunks::<AT_ONCE>());
    for (positions, values) in positions.iter().zip(values) {
        for i in 0..AT_ONCE {
            stored[positions[i] as usize] = values[i];
        }
    }
    for (&position, value) in last.iter().zip(last_values) {
        stored[position as usize] = *value;
    }
}

/// Computes a column of L, and clears `keeps` where an entry exceeds its bound.
#[inline(always)]
fn scale(
    lower: &mut [Four],
    sources: &[Source],
    stored: &[Four],
    inverse: f64,
    (growth, weights): (f64, &[Four]),
    keeps: &mut [u64; LANES],
) {
    for (lower, source) in lower.iter_mut().zip(sources) {
        let (ones, weights) = (&ONES[source.rows as usize % ONES.len()], &weights[source.group as usize]);
        let stored = &stored[source.stored as usize];
        let entries: Four = std::array::from_fn(|i| stored[i] * ones[i] * inverse);
        let sizes: Four = std::array::from_fn(|i| entries[i].abs() * weights[i]);
        // false for those that are no numbers as well
        *keeps = std::array::from_fn(|i| keeps[i] & u64::from(sizes[i] <= growth));
        *lower = entries;
    }
}

#[inline(always)]
fn copy(stored: &[Four], upper: &mut [f64], positions: &[u32]) {
    let stored = stored.as_flattened();
    for (upper, &position) in upper.iter_mut().zip(positions) {
        *upper = stored[position as usize];
    }
}

/// Subtracts the products of a column of L, of N groups, and a row of U.
#[inline(always)]
fn subtract<const N: usize>(
    stored: &mut [Four],
    lower: &[Four],
    upper: &mut [f64],
    positions: &[u32],
    targets: &[u32],
) {
    let Some(lower) = lower.first_chunk::<N>().copied() else { return };
    for ((upper, &position), targets) in upper.iter_mut().zip(positions).zip(targets.as_chunks::<N>().0) {
        let factor = stored.as_flattened()[position as usize];
        *upper = factor;
        for (lower, &target) in lower.iter().zip(targets) {
            subtract_product(&mut stored[target as usize], factor, lower);
        }
    }
}

#[inline(always)]
fn subtract_many(stored: &mut [Four], lower: &[Four], upper: &mut [f64], positions: &[u32], targets: &[u32]) {
    let targets = targets.chunks_exact(lower.len().max(1));
    for ((upper, &position), targets) in upper.iter_mut().zip(positions).zip(targets) {
        let factor = stored.as_flattened()[position as usize];
        *upper = factor;
        for (lower, &target) in lower.iter().zip(targets) {
            subtract_product(&mut stored[target as usize], factor, lower);
        }
    }
}

#[inline(always)]
fn subtract_product(from: &mut Four, factor: f64, four: &Four) {
    *from = std::array::from_fn(|i| from[i].plus_product(-factor, four[i]));
}

struct Solution<'a> {
    layout: &'a Layout,
    numbers: &'a Numbers,
    vector: &'a mut [Four],
    x: &'a mut [f64],
}

impl Work for Solution<'_> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        let Self { layout, numbers, vector, x } = self;
        for step in &layout.steps {
            vector.as_flattened_mut()[step.place as usize] = x[step.row as usize];
        }
        for step in &layout.steps {
            let value = vector.as_flattened()[step.place as usize];
            let (groups, lower) = column(layout, numbers, step);
            for (&group, lower) in groups.iter().zip(lower) {
                subtract_product(&mut vector[group as usize], value, lower);
            }
        }
        let vector = vector.as_flattened_mut();
        for (step, inverse) in layout.steps.iter().zip(&numbers.inverses).rev() {
            let (places, upper) = row(layout, numbers, step);
            // chains that need not wait for each other; the unknowns that were found last come last
            let (mut left, mut sums) = (vector[step.place as usize], [0.0; LANES]);
            let (fours, rest) = places.as_chunks::<LANES>();
            let (upper, upper_rest) = upper.as_chunks::<LANES>();
            for (places, upper) in fours.iter().zip(upper) {
                for i in 0..LANES {
                    sums[i] = sums[i].plus_product(upper[i], vector[places[i] as usize]);
                }
            }
            left -= (sums[0] + sums[2]) + (sums[1] + sums[3]);
            for (&place, upper) in rest.iter().zip(upper_rest) {
                left = left.plus_product(-upper, vector[place as usize]);
            }
            left *= inverse;
            vector[step.place as usize] = left;
            x[step.column as usize] = left;
        }
    }
}

/// A solution of which parts of equal structure are eliminated first.
struct SolutionByParts<'a> {
    parts: &'a Parts,
    of_parts: &'a mut [Aligned],
    border: Solution<'a>,
}

impl Work for SolutionByParts<'_> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        let Self { parts, of_parts, border: Solution { layout, numbers, vector, x } } = self;
        numbers.parts.reduce(parts, of_parts, x);
        Solution { layout, numbers, vector, x }.run();
        numbers.parts.complete(parts, of_parts, x);
    }
}

struct Transposed<'a> {
    layout: &'a Layout,
    numbers: &'a Numbers,
    vector: &'a mut [Four],
    x: &'a mut [f64],
}

impl Work for Transposed<'_> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        let Self { layout, numbers, vector, x } = self;
        let unknowns = vector.as_flattened_mut();
        for step in &layout.steps {
            unknowns[step.place as usize] = x[step.column as usize];
        }
        for (step, inverse) in layout.steps.iter().zip(&numbers.inverses) {
            let value = unknowns[step.place as usize] * inverse;
            unknowns[step.place as usize] = value;
            let (places, upper) = row(layout, numbers, step);
            for (&place, upper) in places.iter().zip(upper) {
                let unknown = &mut unknowns[place as usize];
                *unknown = unknown.plus_product(-value, *upper);
            }
        }
        for step in layout.steps.iter().rev() {
            let (groups, lower) = column(layout, numbers, step);
            let mut sums = [0.0; LANES];
            for (&group, lower) in groups.iter().zip(lower) {
                let four = &vector[group as usize];
                sums = std::array::from_fn(|i| sums[i].plus_product(four[i], lower[i]));
            }
            let (four, own) = (step.place as usize / LANES, step.place as usize % LANES);
            let four = &mut vector[four];
            let left = four[own] - ((sums[0] + sums[2]) + (sums[1] + sums[3]));
            x[step.row as usize] = left;
            // written as a whole, because it is read as a whole
            *four = std::array::from_fn(|i| if i == own { left } else { four[i] });
        }
    }
}

/// A solution with the transposed matrix of which parts of equal structure are eliminated first.
struct TransposedByParts<'a> {
    parts: &'a Parts,
    of_parts: &'a mut [Aligned],
    border: Transposed<'a>,
}

impl Work for TransposedByParts<'_> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        let Self { parts, of_parts, border: Transposed { layout, numbers, vector, x } } = self;
        numbers.parts.reduce_transposed(parts, of_parts, x);
        Transposed { layout, numbers, vector, x }.run();
        numbers.parts.complete_transposed(parts, of_parts, x);
    }
}

/// The column of L of a step, with its groups of rows.
#[inline(always)]
fn column<'a>(layout: &'a Layout, numbers: &'a Numbers, step: &Step) -> (&'a [u32], &'a [Four]) {
    let range = step.lower.0 as usize..step.lower.1 as usize;
    (&layout.groups[range.clone()], &numbers.lower[range])
}

/// The row of U of a step, next to the pivot, with the places of its unknowns.
#[inline(always)]
fn row<'a>(layout: &'a Layout, numbers: &'a Numbers, step: &Step) -> (&'a [u32], &'a [f64]) {
    let range = step.upper.0 as usize..step.upper.1 as usize;
    (&layout.places[range.clone()], &numbers.upper[range])
}
