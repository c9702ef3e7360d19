//! Products with the transpose of a sparse block, by four columns that follow each other.

use costate_contract::Block;

use crate::scalar::{LANES, Scalar, Work};

/// The transpose of a block in the array of its group: its entries, in fours where a row has entries in consecutive
/// columns.
#[derive(Debug)]
pub struct Transposed {
    /// Row, first column, and place of the first entry in the array of the group.
    fours: Vec<(u32, u32, u32)>,
    /// Row, column, and place of the others.
    singles: Vec<(u32, u32, u32)>,
}

impl Transposed {
    /// Finds the fours of a block.
    pub fn of(block: &Block) -> Self {
        let (mut fours, mut singles) = (Vec::new(), Vec::new());
        let entries = block.entries.iter().zip(block.offset as u32..);
        let entries: Vec<_> = entries.map(|(&(row, column), place)| (row, column, place)).collect();
        for run in entries.chunk_by(|a, b| a.0 == b.0 && a.1 + 1 == b.1) {
            // coordinates of a body end with the four of its orientation, which are read and written together
            let (first, rest) = run.as_rchunks::<LANES>();
            singles.extend_from_slice(first);
            fours.extend(rest.iter().map(|four| four[0]));
        }
        Self { fours, singles }
    }

    /// `y += scale * B^T x` with the values that the block has in its group's array; x has an entry for each row of B,
    /// y for each column.
    pub fn add_product<S: Scalar>(&self, group: &[S], scale: f64, x: &[S], y: &mut [S]) {
        S::dispatch(Product { of: self, group, scale, x, y });
    }
}

struct Product<'a, S> {
    of: &'a Transposed,
    group: &'a [S],
    scale: f64,
    x: &'a [S],
    y: &'a mut [S],
}

impl<S: Scalar> Work for Product<'_, S> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        let Self { of, group, scale, x, y } = self;
        for &(row, column, place) in &of.fours {
            let values = group.get(place as usize..).and_then(|values| values.first_chunk::<LANES>());
            let to = y.get_mut(column as usize..).and_then(|to| to.first_chunk_mut::<LANES>());
            let (Some(values), Some(to)) = (values, to) else { continue };
            let factor = x[row as usize] * scale;
            *to = std::array::from_fn(|i| to[i] + factor * values[i]);
        }
        for &(row, column, place) in &of.singles {
            y[column as usize] += x[row as usize] * scale * group[place as usize];
        }
    }
}

#[cfg(test)]
mod tests {
    use costate_contract::{Argument, Function};

    use super::*;
    use crate::linalg::block::Products;

    #[test]
    fn a_product_is_that_of_the_block() {
        // runs of seven, four and two, one entry alone, and two runs of four in one row
        const ENTRIES: &[(u32, u32)] =
            &Block::by_rows([7, 4, 2, 1, 8], [1, 2, 3, 4, 5, 6, 7, 4, 5, 6, 7, 0, 1, 8, 0, 1, 2, 3, 5, 6, 7, 8]);
        let block = Block { offset: 3, ..Block::derivative(Function::Force, Argument::Coordinates, ENTRIES) };
        let transposed = Transposed::of(&block);
        assert_eq!((transposed.fours.len(), transposed.singles.len()), (4, 6));
        let group: Vec<f64> = (0..25).map(|i| f64::from(i).sin()).collect();
        let x: Vec<f64> = (0..5).map(|i| 1.0 + f64::from(i).cos()).collect();
        let mut expected = vec![0.5; 9];
        let mut found = expected.clone();
        block.add_transposed_product(&group, -1.5, &x, &mut expected);
        transposed.add_product(&group, -1.5, &x, &mut found);
        for (found, expected) in found.iter().zip(&expected) {
            assert!((found - expected).abs() < 1e-14, "{found}, not {expected}");
        }
    }
}
