//! The columns of a derivative with respect to the parameters that belong to unknowns; there are often many others.

use costate_numerics::scalar::Scalar;
use costate_system::model::Block;

/// The entries of some columns of a block.
pub struct Selection {
    /// Row, column, and place in the group's array.
    entries: Vec<(u32, u32, u32)>,
}

impl Selection {
    /// The columns `unknown` of `block`.
    pub fn of(block: &Block, unknown: &[usize]) -> Self {
        let entries = block.entries.iter().enumerate();
        let entries = entries
            .filter(|(_, (_, column))| unknown.contains(&(*column as usize)))
            .map(|(i, &(row, column))| (row, column, (block.offset + i) as u32))
            .collect();
        Self { entries }
    }

    /// `y += scale * B^T x`, in the selected entries of y.
    pub fn add_transposed_product<S: Scalar>(&self, group: &[S], scale: f64, x: &[S], y: &mut [S]) {
        for &(row, column, place) in &self.entries {
            y[column as usize] += group[place as usize] * scale * x[row as usize];
        }
    }
}
