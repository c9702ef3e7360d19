//! The part of a vector's square that given directions explain.

/// b^T G^+ b for a symmetric positive semidefinite G of order `order`, by rows, and the rank of G: the square of the
/// projection on the columns of X of a vector y with G = X^T X and b = X^T y.
///
/// Cholesky's factorisation with the largest remaining diagonal entry as pivot stops where what remains is rounding, so
/// that dependent columns do not count.
pub(crate) fn projected_square(gram: &mut [f64], products: &mut [f64]) -> (f64, usize) {
    /// Square of a pivot, over the largest, below which a direction follows from those before it.
    const DEPENDENCE_ROUNDING: f64 = 1e-10;
    let order = products.len();
    let mut open: Vec<usize> = (0..order).collect();
    let largest = open.iter().map(|&i| gram[i * order + i]).fold(0.0, f64::max);
    let mut square = 0.0;
    let mut rank = 0;
    let by_diagonal = |gram: &[f64], a: usize, b: usize| gram[a * order + a].total_cmp(&gram[b * order + b]);
    while let Some(at) = (0..open.len()).max_by(|&a, &b| by_diagonal(gram, open[a], open[b])) {
        let p = open.swap_remove(at);
        let pivot = gram[p * order + p];
        if pivot <= DEPENDENCE_ROUNDING * largest {
            break;
        }
        rank += 1;
        square += products[p] * products[p] / pivot;
        for &i in &open {
            let factor = gram[i * order + p] / pivot;
            products[i] -= factor * products[p];
            for &k in &open {
                gram[i * order + k] -= factor * gram[p * order + k];
            }
        }
    }
    (square, rank)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_vector_in_the_space_of_dependent_columns() {
        // Columns (1, 1, 0), (0, 1, 1) and their sum; y = 2 a - b + (1, -1, 1), of which the last is orthogonal.
        let columns = [[1.0, 1.0, 0.0], [0.0, 1.0, 1.0], [1.0, 2.0, 1.0]];
        let y = [3.0, 0.0, 0.0];
        let dot = |a: [f64; 3], b: [f64; 3]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f64>();
        let mut gram: Vec<f64> = columns.iter().flat_map(|a| columns.map(|b| dot(*a, b))).collect();
        let mut products = columns.map(|a| dot(a, y));
        let (square, rank) = projected_square(&mut gram, &mut products);
        // |y|^2 = 9 less |(1, -1, 1)|^2 = 3.
        assert!((square - 6.0).abs() < 1e-12 && rank == 2);
        assert_eq!(projected_square(&mut [0.0], &mut [0.0]), (0.0, 0));
    }
}
