//! L and U of parts of equal structure, four of them side by side.

use std::ops::{Deref, DerefMut};

use crate::scalar::{LANES, Scalar};

use super::numeric::Four;
use super::part_bounds::PartBounds;
use super::parts::{AT_ONCE, Parts, Short};

/// Four numbers at their own alignment: otherwise every second vector would cross a line of the cache.
#[derive(Debug, Clone, Copy, Default)]
#[repr(C, align(32))]
pub struct Aligned(pub Four);

impl Aligned {
    #[inline(always)]
    pub fn from_fn(number: impl Fn(usize) -> f64) -> Self {
        Self(std::array::from_fn(number))
    }
}

impl Deref for Aligned {
    type Target = Four;

    #[inline(always)]
    fn deref(&self) -> &Four {
        &self.0
    }
}

impl DerefMut for Aligned {
    #[inline(always)]
    fn deref_mut(&mut self) -> &mut Four {
        &mut self.0
    }
}

/// The factors of the parts, without the border.
#[derive(Debug, Clone, Default)]
pub struct PartNumbers {
    /// Entries of every four parts: pivot, L and U of each step, and then what changes the border.
    entries: Vec<Aligned>,
    /// The border.
    border: Vec<f64>,
    /// Reciprocals of the pivots.
    pub inverses: Vec<Aligned>,
}

impl PartNumbers {
    /// Creates room for the factors.
    pub fn new(parts: &Parts) -> Self {
        let fours = parts.count.div_ceil(LANES);
        Self {
            entries: vec![Aligned::default(); fours * parts.stored()],
            border: vec![0.0; parts.border_pattern.len()],
            inverses: vec![Aligned::default(); fours * parts.steps.len()],
        }
    }

    /// Lists the entries of every four parts.
    pub fn fours<'a>(&'a self, parts: &Parts) -> impl Iterator<Item = &'a [Aligned]> + use<'a> {
        self.entries.chunks_exact(parts.stored().max(1)).take(parts.count.div_ceil(LANES))
    }

    /// Lists row and column of every pivot with its reciprocal.
    pub fn pivots<'a>(&'a self, parts: &'a Parts) -> impl Iterator<Item = ((u32, u32), f64)> + 'a {
        let length = parts.steps.len().max(1);
        let steps = parts.rows.iter().zip(&parts.columns).zip(&self.inverses).enumerate();
        steps.flat_map(move |(at, ((rows, columns), inverses))| {
            let used = parts.used(at / length);
            (0..used).map(move |lane| ((rows[lane], columns[lane]), inverses[lane]))
        })
    }

    /// Eliminates the parts of the matrix with these values; returns the border that is left, and true if the factors
    /// keep their bounds. L may grow without limit where it has none.
    #[inline(always)]
    pub fn eliminate(&mut self, parts: &Parts, bounds: &PartBounds, values: &[f64]) -> (&[f64], bool) {
        let Self { entries, inverses, border } = self;
        let entries = entries.as_mut_slice();
        parts.zeros.iter().for_each(|&at| entries[at as usize] = Aligned::default());
        for (at, places) in &parts.runs {
            let [Some(a), Some(b), Some(c), Some(d)] =
                places.map(|place| values.get(place as usize..).and_then(|from| from.first_chunk::<LANES>()))
            else {
                continue;
            };
            for (i, &at) in at.iter().enumerate() {
                // a sum is stored as one vector, copies are stored one by one
                entries[at as usize] = Aligned([a[i] + 0.0, b[i] + 0.0, c[i] + 0.0, d[i] + 0.0]);
            }
        }
        for &(at, places) in &parts.gathered {
            entries[at as usize] = Aligned(places.map(|place| values[place as usize]));
        }
        for &(at, lane, place) in &parts.scattered {
            entries[at as usize][lane as usize] = values[place as usize];
        }
        border.fill(0.0);
        for (border, &place) in border.iter_mut().zip(&parts.of_border) {
            *border = values[place as usize];
        }
        let (length, width) = (parts.steps.len().max(1), parts.places().max(1));
        let limits = bounds.smallest.chunks(length).zip(bounds.growth.chunks(length));
        let bounds = limits.zip(bounds.weights.chunks(width)).zip(inverses.chunks_mut(length));
        let mut keeps = [1; LANES];
        let fours = entries.chunks_exact_mut(parts.stored().max(1)).zip(bounds).enumerate();
        for (four, (entries, ((limits, weights), inverses))) in fours {
            eliminate_four(parts, parts.used(four), entries, inverses, (limits, weights), &mut keeps);
            for (&at, change) in parts.changes.iter().zip(&entries[parts.factors()..]) {
                border[at as usize] += (change[0] + change[2]) + (change[1] + change[3]);
            }
        }
        (border, keeps == [1; LANES])
    }

    /// Eliminates the parts from a right-hand side: leaves the part of the solution in `vector`, and subtracts from the
    /// border's rows in `x`.
    #[inline(always)]
    pub fn reduce(&self, parts: &Parts, vector: &mut [Aligned], x: &mut [f64]) {
        let (length, border) = (parts.steps.len(), parts.border.len());
        for (four, entries) in self.fours(parts).enumerate() {
            let own = &mut vector[four * (length + border)..][..length + border];
            let rows = &parts.rows[four * length..][..length];
            gather(own, rows, x);
            let (mut places, mut entries) = (parts.lower.as_slice(), entries);
            for (k, step) in parts.steps.iter().enumerate() {
                let value = own[k];
                let (rows, of_step);
                (rows, places) = places.split_at(step.lower as usize);
                (of_step, entries) = entries.split_at(step.entries());
                for (&row, lower) in rows.iter().zip(&of_step[1..]) {
                    subtract_product(&mut own[row as usize], &value, lower);
                }
            }
            for (&(row, _), change) in parts.border.iter().zip(&own[length..]) {
                x[row as usize] += (change[0] + change[2]) + (change[1] + change[3]);
            }
        }
    }

    /// Completes a solution of which `vector` holds what [`reduce`](Self::reduce) has left, and `x` the columns of the
    /// border.
    #[inline(always)]
    pub fn complete(&self, parts: &Parts, vector: &mut [Aligned], x: &mut [f64]) {
        let (length, border) = (parts.steps.len(), parts.border.len());
        for (four, (entries, inverses)) in self.fours(parts).zip(self.inverses.chunks(length.max(1))).enumerate() {
            let own = &mut vector[four * (length + border)..][..length + border];
            let columns = &parts.columns[four * length..][..length];
            for (value, &(_, column)) in own[length..].iter_mut().zip(&parts.border) {
                *value = Aligned([x[column as usize]; LANES]);
            }
            let (mut places, mut entries) = (parts.upper.as_slice(), &entries[..parts.factors()]);
            for (k, (step, inverse)) in parts.steps.iter().zip(inverses).enumerate().rev() {
                let (columns, of_step);
                (places, columns) = places.split_at(places.len() - step.upper as usize);
                (entries, of_step) = entries.split_at(entries.len() - step.entries());
                let upper = &of_step[1 + step.lower as usize..];
                let left = minus_products(own, k, columns, upper);
                own[k] = Aligned::from_fn(|lane| left[lane] * inverse[lane]);
            }
            scatter(own, columns, parts.used(four), x);
        }
    }

    /// Does for the transposed matrix what [`reduce`](Self::reduce) does.
    #[inline(always)]
    pub fn reduce_transposed(&self, parts: &Parts, vector: &mut [Aligned], x: &mut [f64]) {
        let (length, border) = (parts.steps.len(), parts.border.len());
        for (four, (entries, inverses)) in self.fours(parts).zip(self.inverses.chunks(length.max(1))).enumerate() {
            let own = &mut vector[four * (length + border)..][..length + border];
            gather(own, &parts.columns[four * length..][..length], x);
            let (mut places, mut entries) = (parts.upper.as_slice(), entries);
            for (k, (step, inverse)) in parts.steps.iter().zip(inverses).enumerate() {
                let value = Aligned::from_fn(|lane| own[k][lane] * inverse[lane]);
                own[k] = value;
                let (columns, of_step);
                (columns, places) = places.split_at(step.upper as usize);
                (of_step, entries) = entries.split_at(step.entries());
                for (&column, upper) in columns.iter().zip(&of_step[1 + step.lower as usize..]) {
                    subtract_product(&mut own[column as usize], &value, upper);
                }
            }
            for (&(_, column), change) in parts.border.iter().zip(&own[length..]) {
                x[column as usize] += (change[0] + change[2]) + (change[1] + change[3]);
            }
        }
    }

    /// Does for the transposed matrix what [`complete`](Self::complete) does.
    #[inline(always)]
    pub fn complete_transposed(&self, parts: &Parts, vector: &mut [Aligned], x: &mut [f64]) {
        let (length, border) = (parts.steps.len(), parts.border.len());
        for (four, entries) in self.fours(parts).enumerate() {
            let own = &mut vector[four * (length + border)..][..length + border];
            for (value, &(row, _)) in own[length..].iter_mut().zip(&parts.border) {
                *value = Aligned([x[row as usize]; LANES]);
            }
            let (mut places, mut entries) = (parts.lower.as_slice(), &entries[..parts.factors()]);
            for (k, step) in parts.steps.iter().enumerate().rev() {
                let (rows, of_step);
                (places, rows) = places.split_at(places.len() - step.lower as usize);
                (entries, of_step) = entries.split_at(entries.len() - step.entries());
                own[k] = minus_products(own, k, rows, &of_step[1..=step.lower as usize]);
            }
            scatter(own, &parts.rows[four * length..][..length], parts.used(four), x);
        }
    }
}

#[inline(always)]
fn eliminate_four(
    parts: &Parts,
    used: usize,
    entries: &mut [Aligned],
    inverses: &mut [Aligned],
    ((smallest, growth), weights): ((&[Aligned], &[Aligned]), &[Aligned]),
    keeps: &mut [u64; LANES],
) {
    let (mut left, mut targets, mut rows) = (entries, parts.targets.as_slice(), parts.lower.as_slice());
    let limits = smallest.iter().zip(growth).zip(inverses);
    for (step, ((smallest, growth), inverse)) in parts.steps.iter().zip(limits) {
        let (own, later) = left.split_at_mut(step.entries());
        let Some((pivot, own)) = own.split_first_mut() else { break };
        // idle lanes have unit pivots
        pivot[used..].fill(1.0);
        let reciprocal = Aligned(pivot.map(|pivot| 1.0 / pivot));
        *inverse = reciprocal;
        *keeps = std::array::from_fn(|lane| {
            let size = pivot[lane].abs();
            keeps[lane] & u64::from(size >= smallest[lane]) & u64::from(size < f64::INFINITY)
        });
        let (lower, upper) = own.split_at_mut(step.lower as usize);
        let own_rows;
        (own_rows, rows) = rows.split_at(lower.len());
        for (entry, &row) in lower.iter_mut().zip(own_rows) {
            *entry = Aligned::from_fn(|lane| entry[lane] * reciprocal[lane]);
            let weight = &weights[row as usize];
            // false for those that are no numbers as well
            let is_small = |lane: usize| entry[lane].abs() * weight[lane] <= growth[lane];
            *keeps = std::array::from_fn(|lane| keeps[lane] & u64::from(is_small(lane)));
        }
        let of_step;
        (of_step, targets) = targets.split_at(lower.len() * upper.len());
        subtract_products(later, lower, upper, of_step);
        left = later;
    }
}

/// Subtracts the products of the entries of U and L of a step: first those with the first [`AT_ONCE`] entries of L.
#[inline(always)]
fn subtract_products(entries: &mut [Aligned], lower: &[Aligned], upper: &[Aligned], targets: &[Short]) {
    let mut targets = targets;
    for lower in lower.chunks(AT_ONCE) {
        let own;
        (own, targets) = targets.split_at(lower.len() * upper.len());
        match lower.len() {
            1 => subtract::<1>(entries, lower, upper, own),
            2 => subtract::<2>(entries, lower, upper, own),
            3 => subtract::<3>(entries, lower, upper, own),
            4 => subtract::<4>(entries, lower, upper, own),
            5 => subtract::<5>(entries, lower, upper, own),
            6 => subtract::<6>(entries, lower, upper, own),
            7 => subtract::<7>(entries, lower, upper, own),
            _ => subtract::<AT_ONCE>(entries, lower, upper, own),
        }
    }
}

/// Subtracts the products of N entries of L, which stay in registers, and all entries of U.
#[inline(always)]
fn subtract<const N: usize>(entries: &mut [Aligned], lower: &[Aligned], upper: &[Aligned], targets: &[Short]) {
    let Some(lower) = lower.first_chunk::<N>().copied() else { return };
    for (factor, targets) in upper.iter().zip(targets.as_chunks::<N>().0) {
        let factor = *factor;
        for (lower, &target) in lower.iter().zip(targets) {
            subtract_product(&mut entries[target as usize], &factor, lower);
        }
    }
}

#[inline(always)]
fn subtract_product(from: &mut Aligned, a: &Aligned, b: &Aligned) {
    *from = Aligned::from_fn(|lane| from[lane].minus_product(a[lane], b[lane]));
}

/// Returns a value of the vector less the products of others with these entries.
#[inline(always)]
fn minus_products(vector: &[Aligned], k: usize, places: &[u32], entries: &[Aligned]) -> Aligned {
    // chains that need not wait for each other
    let mut sums = [vector[k], Aligned::default()];
    let ((pairs, last), (entries, last_entry)) = (places.as_chunks::<2>(), entries.as_chunks::<2>());
    for (places, entries) in pairs.iter().zip(entries) {
        for i in 0..2 {
            subtract_product(&mut sums[i], &vector[places[i] as usize], &entries[i]);
        }
    }
    for (&place, entry) in last.iter().zip(last_entry) {
        subtract_product(&mut sums[0], &vector[place as usize], entry);
    }
    Aligned::from_fn(|lane| sums[0][lane] + sums[1][lane])
}

#[inline(always)]
fn gather(vector: &mut [Aligned], places: &[[u32; LANES]], x: &[f64]) {
    for (value, places) in vector.iter_mut().zip(places) {
        *value = Aligned(places.map(|place| x[place as usize]));
    }
    vector[places.len()..].fill(Aligned::default());
}

#[inline(always)]
fn scatter(vector: &[Aligned], places: &[[u32; LANES]], used: usize, x: &mut [f64]) {
    for (value, places) in vector.iter().zip(places) {
        for lane in 0..used {
            x[places[lane] as usize] = value[lane];
        }
    }
}
