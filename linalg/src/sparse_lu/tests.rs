use nalgebra::{DMatrix, DVector};
use proptest::prelude::*;

use super::*;

/// A saddle-point matrix [N C^T; C 0] with random sparse blocks and rows scaled over many orders of magnitude.
#[derive(Debug, Clone)]
struct Saddle {
    size: usize,
    pattern: Vec<(u32, u32)>,
    values: Vec<f64>,
}

impl Saddle {
    fn dense(&self) -> DMatrix<f64> {
        let mut dense = DMatrix::zeros(self.size, self.size);
        for (&(row, column), value) in self.pattern.iter().zip(&self.values) {
            dense[(row as usize, column as usize)] = *value;
        }
        dense
    }
}

fn saddle() -> impl Strategy<Value = Saddle> {
    (2usize..14)
        .prop_flat_map(|n| (Just(n), 0..n))
        .prop_flat_map(|(n, m)| {
            (
                Just((n, m)),
                prop::collection::vec((-1.0..1.0f64, 0.0..1.0f64), n * n),
                prop::collection::vec((0.2..1.0f64, 0.0..1.0f64), n * m),
                prop::collection::vec(-3.0..3.0f64, n + m),
            )
        })
        .prop_map(|((n, m), block, jacobian, powers)| {
            let (mut pattern, mut values) = (Vec::new(), Vec::new());
            let mut push = |row: usize, column: usize, value: f64| {
                pattern.push((row as u32, column as u32));
                values.push(value * 10f64.powf(powers[row] + powers[column]));
            };
            for row in 0..n {
                for column in 0..n {
                    let (value, density) = block[row * n + column];
                    if row == column {
                        push(row, column, 3.0 + value);
                    } else if density < 0.3 {
                        push(row, column, 0.3 * value);
                    }
                }
            }
            for row in 0..m {
                for column in 0..n {
                    let (value, density) = jacobian[row * n + column];
                    if column == row || density < 0.3 {
                        let value = if column == row { value + 1.0 } else { 0.4 * value };
                        push(n + row, column, value);
                        push(column, n + row, value);
                    }
                }
            }
            Saddle { size: n + m, pattern, values }
        })
}

/// Backward error of A x = b, by rows of the matrix: independent of its condition and scaling.
fn backward_error(a: &DMatrix<f64>, x: &DVector<f64>, b: &DVector<f64>) -> f64 {
    let residual = a * x - b;
    let size = a.abs() * x.abs() + b.abs();
    residual.iter().zip(size.iter()).map(|(r, s)| r.abs() / s.max(f64::MIN_POSITIVE)).fold(0.0, f64::max)
}

fn check(lu: &SparseLu, a: &DMatrix<f64>, b: &DVector<f64>, limit: f64) {
    let mut x = b.clone();
    lu.solve(x.as_mut_slice());
    let error = backward_error(a, &x, b);
    assert!(error < limit, "solve: backward error {error:e}");
    let mut x = b.clone();
    lu.solve_transposed(x.as_mut_slice());
    let error = backward_error(&a.transpose(), &x, b);
    assert!(error < limit, "solve_transposed: backward error {error:e}");
}

proptest! {
    #[test]
    fn saddle_point_systems(saddle in saddle(), shift in 0.0..0.3f64) {
        let b = DVector::from_fn(saddle.size, |row, _| (row as f64 + 1.0).sin());
        let mut lu = SparseLu::new(&saddle.pattern, saddle.size);
        prop_assume!(lu.factor(&saddle.values).is_ok());
        check(&lu, &saddle.dense(), &b, 1e-9);
        // other values in the same pattern
        let mut changed = saddle.clone();
        for (index, value) in changed.values.iter_mut().enumerate() {
            *value *= 1.0 + shift * (3.0 * index as f64).cos();
        }
        prop_assume!(lu.factor(&changed.values).is_ok());
        check(&lu, &changed.dense(), &b, 1e-9);
    }

    #[test]
    fn against_dense_elimination(saddle in saddle()) {
        // without the bad scaling the solutions themselves agree
        let mut even = saddle.clone();
        for (&(row, column), value) in even.pattern.iter().zip(&mut even.values) {
            *value = if row == column { 4.0 } else { value.signum() * (f64::from(row * 7 + column * 3)).sin() };
        }
        let (a, b) = (even.dense(), DVector::from_fn(even.size, |row, _| row as f64 - 1.5));
        let condition = a.clone().svd(false, false).singular_values;
        prop_assume!(condition.min() > 1e-3 * condition.max());
        let mut lu = SparseLu::new(&even.pattern, even.size);
        lu.factor(&even.values).unwrap();
        let mut x = b.clone();
        lu.solve(x.as_mut_slice());
        let reference = a.lu().solve(&b).unwrap();
        prop_assert!((&x - &reference).amax() <= 1e-10 * reference.amax());
    }
}

#[test]
fn refactorisation_keeps_pivots_and_notices_bad_ones() {
    let pattern = [(0, 0), (0, 1), (1, 0), (1, 1)];
    let mut lu = SparseLu::new(&pattern, 2);
    lu.factor(&[4.0, 1.0, 1.0, 3.0]).unwrap();
    lu.factor(&[5.0, 1.0, 2.0, 3.0]).unwrap();
    assert_eq!(lu.analyses(), 1);
    lu.factor(&[1e-9, 1.0, 1.0, 1e-9]).unwrap();
    assert_eq!(lu.analyses(), 2);
    let mut x = [1.0, 2.0];
    lu.solve(&mut x);
    assert!((x[0] - 2.0).abs() < 1e-8 && (x[1] - 1.0).abs() < 1e-8, "{x:?}");
}

#[test]
fn factors_serve_after_a_singular_matrix() {
    let pattern = [(0, 0), (0, 1), (1, 0), (1, 1)];
    let mut lu = SparseLu::new(&pattern, 2);
    lu.factor(&[4.0, 1.0, 1.0, 3.0]).unwrap();
    lu.factor(&[1e6, 1e6, 1.0, 1.0]).unwrap_err();
    lu.factor(&[4.0, 1.0, 1.0, 3.0]).unwrap();
    assert_eq!(lu.analyses(), 2);
    let mut x = [5.0, 4.0];
    lu.solve(&mut x);
    assert!((x[0] - 1.0).abs() < 1e-14 && (x[1] - 1.0).abs() < 1e-14, "{x:?}");
}

#[test]
fn singular_matrices_name_what_is_left() {
    // two equal constraint rows
    let pattern = [(0, 0), (1, 1), (0, 2), (2, 0), (0, 3), (3, 0)];
    let mut lu = SparseLu::new(&pattern, 4);
    let singular = lu.factor(&[1.0; 6]).unwrap_err();
    assert!(singular.row >= 2 && singular.column >= 2, "{singular:?}");
    // a row without entries
    let mut lu = SparseLu::new(&[(0, 0), (2, 2)], 3);
    let singular = lu.factor(&[1.0, 1.0]).unwrap_err();
    assert_eq!((singular.row, singular.column, singular.pivot), (1, 1, 0.0));
    // NaN
    let mut lu = SparseLu::new(&[(0, 0), (1, 1)], 2);
    assert_eq!(lu.factor(&[1.0, f64::NAN]).unwrap_err().row, 1);
    // recovers
    assert!(lu.factor(&[1.0, 2.0]).is_ok());
}

#[test]
fn a_failed_analysis_leaves_no_stale_factors() {
    let mut lu = SparseLu::new(&[(0, 0), (1, 1)], 2);
    lu.factor(&[1.0, 2.0]).unwrap();
    assert!(lu.factor(&[0.0, 2.0]).is_err());
    lu.factor(&[2.0, 4.0]).unwrap();
    let mut x = [2.0, 2.0];
    lu.solve(&mut x);
    assert_eq!(x, [1.0, 0.5]);
}
