//! Positions of the entries of a group.

use crate::{Argument, Function};

/// One vector or sparse matrix in a group's array. A matrix without a block in the group has no structural nonzeros.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Block {
    /// The function.
    pub function: Function,
    /// The argument of the derivative; `None` for the function's value, which is stored densely.
    pub argument: Option<Argument>,
    /// Index of the first entry in the group's array.
    pub offset: usize,
    /// (row, column) of every stored entry, by rows; a value has all rows.
    pub entries: &'static [(u32, u32)],
}

impl Block {
    /// The block of a matrix without structural nonzeros.
    pub const EMPTY: Self = Self { function: Function::Force, argument: None, offset: 0, entries: &[] };

    /// Creates the block of a function's value, of length `ROWS`.
    pub const fn value<const ROWS: usize>(function: Function) -> Self {
        Self { function, argument: None, offset: 0, entries: const { &all_rows::<ROWS>() } }
    }

    /// Creates the block of the derivative of a function with respect to an argument.
    pub const fn derivative(function: Function, argument: Argument, entries: &'static [(u32, u32)]) -> Self {
        Self { function, argument: Some(argument), offset: 0, entries }
    }

    /// Creates the pattern with entries in these rows and columns.
    pub const fn entries<const COUNT: usize>(rows: [u32; COUNT], columns: [u32; COUNT]) -> [(u32, u32); COUNT] {
        let mut entries = [(0, 0); COUNT];
        let mut i = 0;
        while i < COUNT {
            entries[i] = (rows[i], columns[i]);
            i += 1;
        }
        entries
    }

    /// Creates the pattern of entries by rows: `counts` has the number of entries of each row up to the last one with
    /// entries, `columns` the columns of all entries.
    pub const fn by_rows<const ROWS: usize, const COUNT: usize>(
        counts: [u32; ROWS],
        columns: [u32; COUNT],
    ) -> [(u32, u32); COUNT] {
        let mut entries = [(0, 0); COUNT];
        let (mut row, mut end) = (0, if ROWS > 0 { counts[0] as usize } else { COUNT });
        let mut i = 0;
        while i < COUNT {
            while i >= end && row + 1 < ROWS {
                row += 1;
                end += counts[row] as usize;
            }
            entries[i] = (row as u32, columns[i]);
            i += 1;
        }
        entries
    }

    /// Sets the offsets of blocks that are stored one after the other.
    pub const fn in_sequence<const COUNT: usize>(mut blocks: [Self; COUNT]) -> [Self; COUNT] {
        let (mut i, mut offset) = (0, 0);
        while i < COUNT {
            blocks[i].offset = offset;
            offset += blocks[i].entries.len();
            i += 1;
        }
        blocks
    }

    /// Returns the values of the entries in the group's array; an empty slice if the array is too short, and so not
    /// that of the block's group.
    pub fn values<'a, S>(&self, group: &'a [S]) -> &'a [S] {
        let values = group.get(self.offset..).and_then(|values| values.get(..self.entries.len()));
        values.unwrap_or_default()
    }

    /// Returns (row, column, value) of every entry.
    pub fn iter<'a, S: Copy>(&'a self, group: &'a [S]) -> impl Iterator<Item = (usize, usize, S)> + 'a {
        self.entries
            .iter()
            .zip(self.values(group))
            .map(|(&(row, column), &value)| (row as usize, column as usize, value))
    }
}

/// Creates the pattern of a vector.
const fn all_rows<const ROWS: usize>() -> [(u32, u32); ROWS] {
    let mut entries = [(0, 0); ROWS];
    let mut row = 0;
    while row < ROWS {
        entries[row].0 = row as u32;
        row += 1;
    }
    entries
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patterns_by_rows_skip_rows_without_entries() {
        assert_eq!(Block::by_rows([0, 2, 0, 1], [3, 5, 0]), [(1, 3), (1, 5), (3, 0)]);
        assert_eq!(Block::by_rows([1, 1], [7, 8]), Block::entries([0, 1], [7, 8]));
        assert_eq!(Block::by_rows([], []), []);
    }

    #[test]
    fn blocks_follow_each_other() {
        let blocks = Block::in_sequence([
            Block::value::<3>(Function::Inertia),
            Block::derivative(Function::Constraint, Argument::Coordinates, &[(0, 1), (1, 0)]),
            Block::value::<0>(Function::Constraint),
            Block::value::<1>(Function::Output),
        ]);
        assert_eq!(blocks.map(|block| block.offset), [0, 3, 5, 5]);
        assert_eq!(blocks[0].entries, [(0, 0), (1, 0), (2, 0)]);
        assert_eq!(Block::entries([0, 2, 2], [1, 0, 4]), [(0, 1), (2, 0), (2, 4)]);
        let group = [1, 2, 3, 4, 5, 6];
        assert_eq!(blocks[1].iter(&group).collect::<Vec<_>>(), [(0, 1, 4), (1, 0, 5)]);
        assert_eq!(blocks[3].values(&group), [6]);
        assert!(blocks[3].values(&group[..5]).is_empty() && Block::EMPTY.values(&group).is_empty());
    }
}
