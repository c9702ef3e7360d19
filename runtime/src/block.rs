//! Products with the sparse blocks of a group, and finding a block in it.

use crate::model::{Argument, Block, Function};
use crate::scalar::Scalar;

/// A block without entries: what a matrix without structural nonzeros is stored as.
const EMPTY: Block =
    Block { function: Function::Force, argument: None, rows: 0, columns: 0, offset: 0, entries: &[] };

/// The block of `function` (its value, or its derivative with respect to `argument`) in a group; an empty block
/// where the group leaves it out because it has no structural nonzero.
pub(crate) fn find(
    group: &'static [Block],
    function: Function,
    argument: Option<Argument>,
) -> &'static Block {
    group
        .iter()
        .find(|block| block.function == function && block.argument == argument)
        .unwrap_or(const { &EMPTY })
}

impl Block {
    /// The entries' values in the group's array; nothing where the array is not that of the block's group.
    pub fn values<'a, S>(&self, group: &'a [S]) -> &'a [S] {
        let values = group.get(self.offset..).and_then(|values| values.get(..self.entries.len()));
        values.unwrap_or_default()
    }

    /// (row, column, value) of every entry.
    pub fn iter<'a, S: Copy>(&'a self, group: &'a [S]) -> impl Iterator<Item = (usize, usize, S)> + 'a {
        self.entries
            .iter()
            .zip(self.values(group))
            .map(|(&(row, column), &value)| (row as usize, column as usize, value))
    }

    /// `y += scale * B x`.
    #[inline]
    pub(crate) fn add_product<S: Scalar>(&self, group: &[S], scale: f64, x: &[S], y: &mut [S]) {
        for (&(row, column), &value) in self.entries.iter().zip(self.values(group)) {
            y[row as usize] += value * scale * x[column as usize];
        }
    }

    /// `y += scale * B^T x`.
    #[inline(always)]
    pub(crate) fn add_transposed_product<S: Scalar>(&self, group: &[S], scale: f64, x: &[S], y: &mut [S]) {
        for (&(row, column), &value) in self.entries.iter().zip(self.values(group)) {
            y[column as usize] += value * scale * x[row as usize];
        }
    }

    /// `y += scale * B e`, with the unit vector e of one column.
    pub(crate) fn add_column<S: Scalar>(&self, group: &[S], scale: f64, column: usize, y: &mut [S]) {
        for (&(row, other), &value) in self.entries.iter().zip(self.values(group)) {
            if other as usize == column {
                y[row as usize] += value * scale;
            }
        }
    }
}
