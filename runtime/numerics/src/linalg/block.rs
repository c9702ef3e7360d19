//! Products with the sparse blocks of a group, and finding a block in it.

use std::ops::Mul;

use costate_contract::{Argument, Block, Function};

use crate::scalar::Scalar;

/// The block of `function` (its value, or its derivative with respect to `argument`) in a group; an empty block
/// where the group leaves it out because it has no structural nonzero.
pub fn find(group: &'static [Block], function: Function, argument: Option<Argument>) -> &'static Block {
    group
        .iter()
        .find(|block| block.function == function && block.argument == argument)
        .unwrap_or(const { &Block::EMPTY })
}

/// Products with a matrix whose values are in the group's array.
pub trait Products {
    /// `y += scale * B x`; a matrix of plain numbers goes with vectors of any.
    fn add_product<R: Scalar, S: Scalar + Mul<R, Output = S>>(&self, group: &[R], scale: f64, x: &[S], y: &mut [S]);
    /// `y += scale * B^T x`.
    fn add_transposed_product<R: Scalar, S: Scalar + Mul<R, Output = S>>(
        &self,
        group: &[R],
        scale: f64,
        x: &[S],
        y: &mut [S],
    );
    /// `y += scale * B e`, with the unit vector e of one column.
    fn add_column<S: Scalar>(&self, group: &[S], scale: f64, column: usize, y: &mut [S]);
    /// The entries of one column with their rows.
    fn column<S: Scalar>(&self, group: &[S], column: usize) -> impl Iterator<Item = (usize, S)>;
}

impl Products for Block {
    #[inline(always)]
    fn add_product<R: Scalar, S: Scalar + Mul<R, Output = S>>(&self, group: &[R], scale: f64, x: &[S], y: &mut [S]) {
        for (&(row, column), &value) in self.entries.iter().zip(self.values(group)) {
            y[row as usize] += x[column as usize] * (value * scale);
        }
    }

    #[inline(always)]
    fn add_transposed_product<R: Scalar, S: Scalar + Mul<R, Output = S>>(
        &self,
        group: &[R],
        scale: f64,
        x: &[S],
        y: &mut [S],
    ) {
        for (&(row, column), &value) in self.entries.iter().zip(self.values(group)) {
            y[column as usize] += x[row as usize] * (value * scale);
        }
    }

    fn add_column<S: Scalar>(&self, group: &[S], scale: f64, column: usize, y: &mut [S]) {
        self.column(group, column).for_each(|(row, value)| y[row] += value * scale);
    }

    #[inline(always)]
    fn column<S: Scalar>(&self, group: &[S], column: usize) -> impl Iterator<Item = (usize, S)> {
        let entries = self.entries.iter().zip(self.values(group));
        let own = entries.filter(move |((_, other), _)| *other as usize == column);
        own.map(|(&(row, _), &value)| (row as usize, value))
    }
}
