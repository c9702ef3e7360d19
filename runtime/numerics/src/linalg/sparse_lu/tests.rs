mod parts;

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

/// Bodies in a row, each coupled with the next one and held by a constraint of both, in units that differ.
fn row_of_bodies(bodies: usize) -> Saddle {
    let (mut pattern, mut values) = (Vec::new(), Vec::new());
    let mut push = |row: usize, column: usize, value: f64| {
        pattern.push((row as u32, column as u32));
        values.push(value);
    };
    for i in 0..bodies {
        push(i, i, 4.0 + (i as f64).sin());
        if i + 1 < bodies {
            push(i, i + 1, -1.0);
            push(i + 1, i, -1.2);
            for (j, value) in [(i, 1e3), (i + 1, -1e3 * (1.0 + 0.05 * (3.0 * i as f64).cos()))] {
                push(bodies + i, j, value);
                push(j, bodies + i, value);
            }
        }
    }
    Saddle { size: 2 * bodies - 1, pattern, values }
}

/// Every body, and then the constraint that couples it with the next one.
fn along_the_row(bodies: usize) -> Vec<(u32, u32)> {
    let n = bodies as u32;
    (0..n).flat_map(|i| [i, n + i]).take(2 * bodies - 1).map(|i| (i, i)).collect()
}

#[test]
fn a_given_order_needs_no_search() {
    for bodies in [3, 40, 130, 1100] {
        let mut matrix = row_of_bodies(bodies);
        let order = along_the_row(bodies);
        let mut lu = SparseLu::with_order(&matrix.pattern, matrix.size, &order);
        let b: Vec<f64> = (0..matrix.size).map(|i| (i as f64).cos()).collect();
        for turn in 0..3 {
            lu.factor(&matrix.values).unwrap();
            assert!(lu.is_in_order() && lu.analyses() == 0, "{bodies} bodies, turn {turn}");
            if bodies < 500 {
                check(&lu, &matrix.dense(), &DVector::from_vec(b.clone()), 1e-10);
            }
            let x: Vec<f64> = (0..matrix.size).map(|i| 1.0 + (i as f64).sin()).collect();
            let mut found = vec![0.0; matrix.size];
            for (&(row, column), value) in matrix.pattern.iter().zip(&matrix.values) {
                found[row as usize] += value * x[column as usize];
            }
            lu.solve(&mut found);
            assert!(x.iter().zip(&found).all(|(x, found)| (x - found).abs() < 1e-8), "{bodies} bodies");
            // all equations of motion in other units: the scales follow
            for (&(row, _), value) in matrix.pattern.iter().zip(&mut matrix.values) {
                *value *= if (row as usize) < bodies { 1e-5 } else { 1.0 };
            }
        }
        assert_eq!(lu.changes(), 3, "{bodies} bodies");
    }
}

#[test]
fn pivots_are_searched_where_the_order_fails_and_the_order_returns() {
    let pattern = [(0, 0), (0, 1), (1, 0), (1, 1)];
    let mut lu = SparseLu::with_order(&pattern, 2, &[(0, 0), (1, 1)]);
    let mut solve = |values: [f64; 4]| {
        lu.factor(&values).unwrap();
        let mut x = [values[0] + 2.0 * values[1], values[2] + 2.0 * values[3]];
        lu.solve(&mut x);
        assert!((x[0] - 1.0).abs() < 1e-12 && (x[1] - 2.0).abs() < 1e-12, "{x:?}");
        (lu.is_in_order(), lu.analyses())
    };
    assert_eq!(solve([4.0, 1.0, 1.0, 3.0]), (true, 0));
    assert_eq!(solve([1e-12, 1.0, 1.0, 1e-12]), (false, 1));
    // the pivots that were found are used on
    assert_eq!(solve([0.5, 1.0, 1.0, 0.5]), (false, 1));
    assert_eq!(solve([4.0, 1e-9, 1e-9, 3.0]), (true, 1));
    lu.factor(&[1.0, 1.0, 1.0, 1.0]).unwrap_err();
    lu.factor(&[4.0, 1.0, 1.0, 3.0]).unwrap();
    assert!(lu.is_in_order());
}

#[test]
fn an_order_that_is_none_is_not_used() {
    let pattern = [(0, 0), (1, 1)];
    for order in [&[(0, 0)][..], &[(0, 0), (0, 1)], &[(0, 0), (1, 0)], &[(0, 0), (1, 2)]] {
        let mut lu = SparseLu::with_order(&pattern, 2, order);
        lu.factor(&[2.0, 4.0]).unwrap();
        assert!(!lu.is_in_order() && lu.analyses() == 1);
    }
    // pivots that are no entries of the matrix
    let mut lu = SparseLu::with_order(&pattern, 2, &[(0, 1), (1, 0)]);
    lu.factor(&[2.0, 4.0]).unwrap();
    assert!(!lu.is_in_order());
}

#[test]
fn an_order_that_loses_digits_does_not_serve() {
    // entries of L stay below the limit, but multiply from row to row
    let size = 8;
    let pattern: Vec<(u32, u32)> = (0..size).flat_map(|i| (0..size).map(move |j| (i, j))).collect();
    let values: Vec<f64> = pattern
        .iter()
        .map(|&(i, j)| match (i as usize, j as usize) {
            (i, j) if i == j => 0.02,
            (i, j) => 1.0 + 0.3 * ((i * 5 + j * 3) as f64).sin(),
        })
        .collect();
    let order: Vec<(u32, u32)> = (0..size).map(|i| (i, i)).collect();
    let mut lu = SparseLu::with_order(&pattern, size as usize, &order);
    lu.factor(&values).unwrap();
    let saddle = Saddle { size: size as usize, pattern, values };
    check(&lu, &saddle.dense(), &DVector::from_element(8, 1.0), 1e-13);
}

#[test]
fn dense_matrices_of_all_sizes_are_solved() {
    for size in (1..20).chain([31, 32, 33, 67]) {
        let value = |i: u32, j: u32| if i == j { 3.0 + f64::from(i) } else { f64::from(3 * i + 7 * j).sin() };
        let pattern: Vec<(u32, u32)> = (0..size).flat_map(|i| (0..size).map(move |j| (i, j))).collect();
        let values: Vec<f64> = pattern.iter().map(|&(i, j)| value(i, j)).collect();
        let matrix = Saddle { size: size as usize, pattern, values };
        let mut lu = SparseLu::new(&matrix.pattern, matrix.size);
        lu.factor(&matrix.values).unwrap();
        let b = DVector::from_fn(matrix.size, |row, _| 1.0 + row as f64);
        let dense = matrix.dense();
        check(&lu, &dense, &b, 1e-12);
        let mut x = b.clone();
        lu.solve(x.as_mut_slice());
        let reference = dense.lu().solve(&b).unwrap();
        assert!((&x - &reference).amax() < 1e-11 * reference.amax(), "{size}");
    }
}

#[test]
fn a_copy_factorises_with_the_same_bits() {
    let mut matrix = row_of_bodies(20);
    let mut lu = SparseLu::with_order(&matrix.pattern, matrix.size, &along_the_row(20));
    lu.factor(&matrix.values).unwrap();
    let mut copy = lu.clone();
    matrix.values.iter_mut().for_each(|value| *value *= 1.01);
    let solve = |lu: &mut SparseLu| {
        lu.factor(&matrix.values).unwrap();
        let mut x = vec![1.0; matrix.size];
        lu.solve(&mut x);
        x
    };
    let expected = solve(&mut lu);
    assert_eq!(solve(&mut copy), expected);
    assert_eq!(copy.changes(), 1);
}

#[test]
fn solutions_in_an_order_with_large_factors_are_refined() {
    // the first pivot is small, but not so small that its digits are lost
    let pattern: Vec<(u32, u32)> = (0..3).flat_map(|i| (0..3).map(move |j| (i, j))).collect();
    let matrix = |pivot: f64| Saddle {
        size: 3,
        pattern: pattern.clone(),
        values: vec![pivot, 1.0, 0.3, 1.0, 0.4, 0.7, -0.6, 1.0, 2.0],
    };
    let mut lu = SparseLu::with_order(&pattern, 3, &[(0, 0), (1, 1), (2, 2)]);
    let b = DVector::from_row_slice(&[0.3, 1.0 / 3.0, -0.7]);
    for pivot in [1.0, 1e-3, 1e-6, 1e-5, 3e-6] {
        let matrix = matrix(pivot);
        lu.factor(&matrix.values).unwrap();
        assert!(lu.is_in_order() && lu.analyses() == 0, "{pivot:e}");
        check(&lu, &matrix.dense(), &b, 1e-12);
    }
    // a pivot without digits
    let matrix = matrix(1e-13);
    lu.factor(&matrix.values).unwrap();
    assert!(!lu.is_in_order() && lu.analyses() == 1);
    check(&lu, &matrix.dense(), &b, 1e-14);
}
