//! KE 2.2.2: mean and variance of products of correlated normal variables.

use costate::filter::{Gaussian, SigmaPoints, Transformation, VectorFunction};
use nalgebra::{DMatrix, DVector};

use super::data::{number, read};

/// X1 X2, or X1 X2 X3.
struct Product(usize);

impl VectorFunction for Product {
    fn length(&self) -> usize {
        1
    }

    fn value(&self, x: &[f64], y: &mut [f64]) {
        y[0] = x[..self.0].iter().product();
    }

    fn jacobian(&self, x: &[f64], matrix: &mut DMatrix<f64>) {
        for k in 0..x.len() {
            let others = (0..self.0).filter(|&j| j != k).map(|j| x[j]).product();
            matrix[(0, k)] = if k < self.0 { others } else { 0.0 };
        }
    }
}

/// KE (2.40).
fn x() -> Gaussian {
    let covariance = DMatrix::from_row_slice(3, 3, &[0.15, 0.15, 0.15, 0.15, 0.3, 0.2, 0.15, 0.2, 0.3]);
    Gaussian::new(DVector::from_vec(vec![1.0, 2.0, 2.0]), covariance).unwrap()
}

/// E(X1 X2), E(X1 X2 X3) and var(X1 X2) of a normal distribution.
fn exact() -> (f64, f64, f64) {
    let (m, p) = (x().mean, x().covariance);
    let two = m[0] * m[1] + p[(0, 1)];
    let three = m[0] * m[1] * m[2] + m[0] * p[(1, 2)] + m[1] * p[(0, 2)] + m[2] * p[(0, 1)];
    let variance = m[0] * m[0] * p[(1, 1)]
        + m[1] * m[1] * p[(0, 0)]
        + 2.0 * m[0] * m[1] * p[(0, 1)]
        + p[(0, 0)] * p[(1, 1)]
        + p[(0, 1)] * p[(0, 1)];
    (two, three, variance)
}

#[test]
fn the_mean_errors_are_the_closed_ones() {
    let (two, three, variance) = exact();
    let error = |found: f64, exact: f64| 100.0 * (found / exact - 1.0).abs();
    let linear = |factors| Transformation::Linearized.transform(&x(), &Product(factors)).unwrap();
    assert!((error(linear(2).mean[0], two) - 6.976_744_186).abs() < 1e-6);
    assert!((error(linear(3).mean[0], three) - 16.666_666_667).abs() < 1e-6);
    // The linearised variance lacks P_1 P_2 + P_12^2.
    assert!((linear(2).covariance[(0, 0)] - (variance - 0.0675)).abs() < 1e-14);
    for points in [SigmaPoints::default(), SigmaPoints { alpha: 1e-3, ..SigmaPoints::default() }] {
        let transformed = |factors| Transformation::Unscented(points).transform(&x(), &Product(factors)).unwrap();
        // Sums of weights of a million cost digits.
        let rounding = if points.alpha < 0.1 { 1e-8 } else { 1e-13 };
        assert!(error(transformed(2).mean[0], two) < 100.0 * rounding, "{:?}", transformed(2).mean);
        assert!(error(transformed(3).mean[0], three) < 100.0 * rounding);
        let cross = &transformed(2).cross_covariance - &linear(2).cross_covariance;
        assert!(cross.amax() < rounding, "{cross}");
    }
    let random =
        |factors| Transformation::MonteCarlo { samples: 300_000, seed: 1 }.transform(&x(), &Product(factors)).unwrap();
    assert!(error(random(2).mean[0], two) < 0.5);
    assert!(error(random(3).mean[0], three) < 0.5);
    assert!(error(random(2).covariance[(0, 0)], variance) < 1.0);
    assert!((random(2).cross_covariance - linear(2).cross_covariance).amax() < 0.02);
}

#[test]
fn weights_are_those_of_the_reference() {
    let reference = &read("small_vectors")["ut_weights"];
    let weights = SigmaPoints { alpha: 1e-3, beta: 2.0, kappa: 0.0 }.weights(4).unwrap();
    for (found, name) in [
        (weights.spread, "gamma"),
        (weights.central_mean, "wm0"),
        (weights.central_covariance, "wc0"),
        (weights.other, "wi"),
    ] {
        let expected = number(&reference[name]);
        assert!((found / expected - 1.0).abs() < 1e-10, "{name}: {found}");
    }
    // Of the spread 1 all are positive.
    let weights = SigmaPoints::default().weights(3).unwrap();
    assert_eq!((weights.central_mean, weights.central_covariance), (0.0, 2.0));
}
