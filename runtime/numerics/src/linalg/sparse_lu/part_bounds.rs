//! The sizes within which pivots suit parts of equal structure.

use crate::scalar::LANES;

use super::part_numbers::{Aligned, PartNumbers};
use super::parts::Parts;

/// The sizes that factors of parts must keep, in the units of the matrix.
#[derive(Debug, Clone, Default)]
pub struct PartBounds {
    /// Smallest pivots by steps.
    pub smallest: Vec<Aligned>,
    /// Largest products of an entry of L with the weight of its row, by steps.
    pub growth: Vec<Aligned>,
    /// Weights of the rows by places of every four parts.
    pub weights: Vec<Aligned>,
}

impl PartBounds {
    /// Returns the bounds of pivots that are chosen for a matrix with these scales: the limit of a scaled pivot, and of
    /// an entry of L relative to its pivot's row.
    pub fn new(parts: &Parts, (rows, columns): (&[f64], &[f64]), limit: f64, growth: f64) -> Self {
        let mut bounds = Self::default();
        let length = parts.steps.len();
        let fours = parts.rows.chunks(length).zip(parts.columns.chunks(length)).enumerate();
        for (four, (of_rows, of_columns)) in fours {
            // every pivot of an idle lane suits
            let used = parts.used(four);
            for (of_row, of_column) in of_rows.iter().zip(of_columns) {
                let row = Aligned(of_row.map(|row| rows[row as usize]));
                let column = Aligned(of_column.map(|column| columns[column as usize]));
                let smallest = |lane: usize| if lane < used { limit / row[lane] / column[lane] } else { 0.0 };
                bounds.smallest.push(Aligned::from_fn(smallest));
                bounds.growth.push(Aligned::from_fn(|lane| growth * row[lane]));
                bounds.weights.push(row);
            }
            let of_border = parts.border.iter().map(|&(row, _)| Aligned([rows[row as usize]; LANES]));
            bounds.weights.extend(of_border);
        }
        bounds
    }

    /// Allows pivots down to `share` of their size in `numbers`.
    pub fn follow(&mut self, numbers: &PartNumbers, share: f64) {
        for (smallest, inverse) in self.smallest.iter_mut().zip(&numbers.inverses) {
            *smallest = Aligned::from_fn(|lane| smallest[lane].max(share / inverse[lane].abs()));
        }
    }

    /// Takes as limits `factor` times the entries of the columns of L that exceed their limits; returns true if there
    /// are any.
    pub fn widen(&mut self, parts: &Parts, numbers: &PartNumbers, factor: f64) -> bool {
        let mut is_wide = false;
        let (length, width) = (parts.steps.len().max(1), parts.places().max(1));
        let limits = self.growth.chunks_mut(length).zip(self.weights.chunks(width));
        for (mut entries, (growth, weights)) in numbers.fours(parts).zip(limits) {
            let mut rows = parts.lower.as_slice();
            for (step, growth) in parts.steps.iter().zip(growth) {
                let (own, own_rows);
                (own_rows, rows) = rows.split_at(step.lower as usize);
                (own, entries) = entries.split_at(step.entries());
                let mut excess = [1.0f64; LANES];
                for (entry, &row) in own[1..].iter().zip(own_rows) {
                    let weight = &weights[row as usize];
                    let size = |lane: usize| entry[lane].abs() * weight[lane] / growth[lane];
                    excess = std::array::from_fn(|lane| excess[lane].max(size(lane)));
                }
                for lane in 0..LANES {
                    if excess[lane] > 1.0 {
                        is_wide = true;
                        growth[lane] *= factor * excess[lane];
                    }
                }
            }
        }
        is_wide
    }
}
