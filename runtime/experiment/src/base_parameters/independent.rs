//! Independent columns of a matrix, and the others as combinations of them.

use nalgebra::{DMatrix, DVector};

/// The part of a column that earlier ones must leave for it to be independent: what depends on them leaves rounding,
/// about 1e-13, and what does not leaves more than 1e-4 at random states.
const MIN_PART: f64 = 1e-8;

/// Coefficients below this part of what they contribute to are rounding.
const MIN_SHARE: f64 = 1e-8;

/// The columns of a matrix as combinations of some of them.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Independent {
    /// Independent columns, in order.
    pub columns: Vec<usize>,
    /// Every other column: its place, and its coefficients of the independent columns.
    pub dependent: Vec<(usize, Vec<f64>)>,
}

impl Independent {
    /// Goes through columns in this order, and keeps each that is no combination of those before it. Orthogonalises
    /// twice, so that rounding does not add up.
    pub fn of(matrix: &DMatrix<f64>, order: &[usize]) -> Self {
        let mut basis: Vec<DVector<f64>> = Vec::new();
        // the columns of R in column = basis R
        let mut factors: Vec<Vec<f64>> = Vec::new();
        let mut new = Self { columns: Vec::new(), dependent: Vec::new() };
        for &place in order {
            let column = matrix.column(place);
            let norm = column.norm();
            let mut rest: DVector<f64> = column.into_owned();
            let mut along = vec![0.0; basis.len()];
            for _ in 0..2 {
                for (direction, sum) in basis.iter().zip(&mut along) {
                    let part = direction.dot(&rest);
                    rest.axpy(-part, direction, 1.0);
                    *sum += part;
                }
            }
            let left = rest.norm();
            if left > MIN_PART * norm {
                basis.push(rest / left);
                along.push(left);
                factors.push(along);
                new.columns.push(place);
            } else {
                new.dependent.push((place, along));
            }
        }
        for (place, along) in &mut new.dependent {
            // columns that were kept later have no part in it
            for k in (0..along.len()).rev() {
                along[k] /= factors[k][k];
                let coefficient = along[k];
                along[..k].iter_mut().zip(&factors[k]).for_each(|(sum, factor)| *sum -= coefficient * factor);
            }
            let least = MIN_SHARE * matrix.column(*place).norm();
            for (coefficient, &of) in along.iter_mut().zip(&new.columns) {
                if coefficient.abs() * matrix.column(of).norm() < least {
                    *coefficient = 0.0;
                }
            }
            along.resize(new.columns.len(), 0.0);
        }
        new
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A third column that is twice the first one less half the second, and a fifth one that is the fourth.
    #[test]
    fn combinations_are_found_in_columns_of_any_size() {
        let entry = |row: usize, column: usize| (1.0 + row as f64).powf(0.5 + column as f64).sin();
        let matrix = DMatrix::from_fn(20, 5, |row, column| match column {
            2 => 2.0 * entry(row, 0) - 0.5 * 1e-6 * entry(row, 1),
            1 => 1e-6 * entry(row, 1),
            4 => 1e3 * entry(row, 3),
            _ => entry(row, column),
        });
        let found = Independent::of(&matrix, &[0, 1, 2, 3, 4]);
        assert_eq!(found.columns, [0, 1, 3]);
        let places: Vec<usize> = found.dependent.iter().map(|(place, _)| *place).collect();
        assert_eq!(places, [2, 4]);
        let wanted = [[2.0, -0.5, 0.0], [0.0, 0.0, 1e3]];
        for ((_, coefficients), wanted) in found.dependent.iter().zip(wanted) {
            for (found, wanted) in coefficients.iter().zip(wanted) {
                assert!((found - wanted).abs() <= 1e-6 * wanted.abs(), "{coefficients:?}");
            }
        }
        assert_eq!(Independent::of(&matrix, &[4, 2, 1]).columns, [4, 2, 1]);
        assert_eq!(Independent::of(&matrix, &[4, 3]).dependent, [(3, vec![1e-3])]);
    }
}
