//! The sizes within which pivots serve parts of equal structure.

use costate_scalar::LANES;

use super::numeric::Four;
use super::part_numbers::{Aligned, PartNumbers};
use super::parts::Parts;

/// The sizes that factors of parts must keep, in the units of the matrix.
#[derive(Debug, Clone, Default)]
pub struct PartBounds {
    /// Smallest pivots by steps.
    pub smallest: Vec<Aligned>,
    /// Largest entries of L by columns.
    pub largest: Vec<Aligned>,
}

impl PartBounds {
    /// Returns the bounds of pivots that are chosen for a matrix with these scales: the limit of a scaled pivot, and of an
    /// entry of L relative to its pivot's row.
    pub fn new(parts: &Parts, (rows, columns): (&[f64], &[f64]), limit: f64, growth: f64) -> Self {
        let mut bounds = Self::default();
        let length = parts.steps.len();
        let fours = parts.rows.chunks(length).zip(parts.columns.chunks(length)).enumerate();
        for (four, (of_rows, of_columns)) in fours {
            // every pivot of an idle lane serves
            let used = parts.used(four);
            let mut lower = parts.lower.as_slice();
            for (step, (own_rows, own_columns)) in parts.steps.iter().zip(of_rows.iter().zip(of_columns)) {
                let row: Four = std::array::from_fn(|lane| rows[own_rows[lane] as usize]);
                let column: Four = std::array::from_fn(|lane| columns[own_columns[lane] as usize]);
                let smallest = |lane: usize| if lane < used { limit / row[lane] / column[lane] } else { 0.0 };
                bounds.smallest.push(Aligned::from_fn(smallest));
                let own;
                (own, lower) = lower.split_at(step.lower as usize);
                bounds.largest.extend(own.iter().map(|&place| -> Aligned {
                    let of_entry = |lane: usize| match of_rows.get(place as usize) {
                        Some(others) => others[lane],
                        None => parts.border[place as usize - length].0,
                    };
                    Aligned::from_fn(|lane| growth * row[lane] / rows[of_entry(lane) as usize])
                }));
            }
        }
        bounds
    }

    /// Allows pivots down to `share` of their size in `numbers`.
    pub fn follow(&mut self, numbers: &PartNumbers, share: f64) {
        for (smallest, inverse) in self.smallest.iter_mut().zip(&numbers.inverses) {
            *smallest = Aligned::from_fn(|lane| smallest[lane].max(share / inverse[lane].abs()));
        }
    }

    /// Takes as limits `factor` times the entries of the columns of L that exceed their limits; returns true if there are any.
    pub fn widen(&mut self, parts: &Parts, numbers: &PartNumbers, factor: f64) -> bool {
        let mut is_wide = false;
        let mut largest = self.largest.as_mut_slice();
        for of_four in numbers.fours(parts) {
            let mut entries = of_four;
            for step in &parts.steps {
                let (limits, own);
                (limits, largest) = largest.split_at_mut(step.lower as usize);
                (own, entries) = entries.split_at(step.entries());
                let own = &own[1..=step.lower as usize];
                let mut excess = [1.0f64; LANES];
                for (entry, limit) in own.iter().zip(&*limits) {
                    excess = std::array::from_fn(|lane| excess[lane].max(entry[lane].abs() / limit[lane]));
                }
                for lane in 0..LANES {
                    if excess[lane] > 1.0 {
                        is_wide = true;
                        limits.iter_mut().for_each(|limit| limit[lane] *= factor * excess[lane]);
                    }
                }
            }
        }
        is_wide
    }
}
