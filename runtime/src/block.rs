//! Products with the sparse blocks of a group, and finding a block in it.

use crate::model::{Argument, Block, Function};
use crate::scalar::Scalar;

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
        .unwrap_or(const { &Block::EMPTY })
}

/// Products with a matrix whose values are in the group's array.
pub(crate) trait Products {
    /// `y += scale * B x`.
    fn add_product<S: Scalar>(&self, group: &[S], scale: f64, x: &[S], y: &mut [S]);
    /// `y += scale * B^T x`.
    fn add_transposed_product<S: Scalar>(&self, group: &[S], scale: f64, x: &[S], y: &mut [S]);
    /// `y += scale * B e`, with the unit vector e of one column.
    fn add_column<S: Scalar>(&self, group: &[S], scale: f64, column: usize, y: &mut [S]);
}

impl Products for Block {
    #[inline]
    fn add_product<S: Scalar>(&self, group: &[S], scale: f64, x: &[S], y: &mut [S]) {
        for (&(row, column), &value) in self.entries.iter().zip(self.values(group)) {
            y[row as usize] += value * scale * x[column as usize];
        }
    }

    #[inline(always)]
    fn add_transposed_product<S: Scalar>(&self, group: &[S], scale: f64, x: &[S], y: &mut [S]) {
        for (&(row, column), &value) in self.entries.iter().zip(self.values(group)) {
            y[column as usize] += value * scale * x[row as usize];
        }
    }

    fn add_column<S: Scalar>(&self, group: &[S], scale: f64, column: usize, y: &mut [S]) {
        for (&(row, other), &value) in self.entries.iter().zip(self.values(group)) {
            if other as usize == column {
                y[row as usize] += value * scale;
            }
        }
    }
}
