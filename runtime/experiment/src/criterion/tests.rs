use super::*;
use costate_numerics::linalg::MatrixFault;
use costate_numerics::scalar::Dual;

const ALL: [Criterion; 6] = [
    Criterion::Trace,
    Criterion::Determinant,
    Criterion::SmallestEigenvalue,
    Criterion::TraceOfInverse,
    Criterion::SpectralRadius,
    Criterion::ConditionNumber,
];

/// Entries of very different units.
fn matrix() -> DMatrix<f64> {
    let root = DMatrix::from_row_slice(4, 3, &[1.0, 2.0, -1.0, 0.5, -1.0, 3.0, 2.0, 0.3, 0.7, -0.4, 1.1, 0.2]);
    let scale = DMatrix::from_diagonal(&DVector::from_vec(vec![1.0, 30.0, 0.02]));
    let root = root * scale;
    root.transpose() * root
}

/// Phi along M + e dM with dual numbers, from formulas that the criterion does not use: the adjugate and Cardano's
/// characteristic polynomial of a 3 x 3 matrix.
fn along(criterion: Criterion, m: &DMatrix<f64>, direction: &DMatrix<f64>) -> Dual {
    let a = |j: usize, k: usize| Dual { value: m[(j, k)], derivative: direction[(j, k)] };
    let minor = |j: usize, k: usize| a(j, j) * a(k, k) - a(j, k) * a(j, k);
    let trace = a(0, 0) + a(1, 1) + a(2, 2);
    let minors = minor(0, 1) + minor(0, 2) + minor(1, 2);
    let determinant = a(0, 0) * minor(1, 2) - a(0, 1) * (a(0, 1) * a(2, 2) - a(1, 2) * a(0, 2))
        + a(0, 2) * (a(0, 1) * a(1, 2) - a(1, 1) * a(0, 2));
    let zero = Dual { value: 0.0, derivative: 0.0 };
    match criterion {
        Criterion::Trace => zero - trace,
        Criterion::Determinant => {
            Dual { value: -determinant.value.ln(), derivative: -determinant.derivative / determinant.value }
        }
        Criterion::TraceOfInverse => minors / determinant,
        Criterion::SmallestEigenvalue => zero - eigenvalue_from(zero, [trace, minors, determinant]),
        Criterion::SpectralRadius => zero - eigenvalue_from(trace, [trace, minors, determinant]),
        Criterion::ConditionNumber => {
            let [low, high] = [zero, trace].map(|from| eigenvalue_from(from, [trace, minors, determinant]));
            high / low
        }
    }
}

/// Newton on the characteristic polynomial in dual numbers, from 0, below all roots, or from the trace, above all.
fn eigenvalue_from(start: Dual, [trace, minors, determinant]: [Dual; 3]) -> Dual {
    let mut x = start;
    for _ in 0..200 {
        let p = ((x - trace) * x + minors) * x - determinant;
        let slope = (x * 3.0 - trace * 2.0) * x + minors;
        x -= p / slope;
    }
    x
}

#[test]
fn derivatives_are_those_of_dual_numbers() {
    let m = matrix();
    for criterion in ALL {
        let (value, derivative) = criterion.evaluate(&m).unwrap();
        assert_eq!(derivative, derivative.transpose());
        for j in 0..3 {
            for k in 0..=j {
                // a change in proportion to the entries' size
                let size = (m[(j, j)] * m[(k, k)]).sqrt();
                let mut direction = DMatrix::zeros(3, 3);
                direction[(j, k)] = size;
                direction[(k, j)] = size;
                let expected = along(criterion, &m, &direction);
                let found = derivative.dot(&direction);
                assert!((value - expected.value).abs() <= 1e-11 * value.abs(), "{criterion} {value} {expected:?}");
                let error = (found - expected.derivative).abs();
                assert!(error <= 1e-10 * expected.derivative.abs().max(value.abs() * 1e-3), "{criterion}: {error:e}");
            }
        }
    }
}

#[test]
fn the_determinant_does_not_overflow() {
    let m = DMatrix::from_diagonal(&DVector::from_element(40, 1e-12));
    let (value, derivative) = Criterion::Determinant.evaluate(&m).unwrap();
    assert!((value - 40.0 * 12.0 * 10_f64.ln()).abs() < 1e-11 * value);
    assert!((derivative[(3, 3)] + 1e12).abs() < 1.0);
}

#[test]
fn a_double_eigenvalue_has_a_subgradient() {
    // eigenvalues 1, 1, 4 in a rotated basis
    let v = DVector::from_vec(vec![1.0, 2.0, 2.0]) / 3.0;
    let m = DMatrix::identity(3, 3) + &v * v.transpose() * 3.0;
    let (value, derivative) = Criterion::SmallestEigenvalue.evaluate(&m).unwrap();
    assert!((value + 1.0).abs() < 1e-14);
    // Phi is convex: Phi(M + D) >= Phi(M) + <dPhi/dM, D> for every D
    for seed in 0..50_u32 {
        let entry = |j: usize, k: usize| (f64::from(seed) * 1.7 + (j.min(k) * 3 + j.max(k)) as f64 * 2.3).sin() * 0.3;
        let change = DMatrix::from_fn(3, 3, entry);
        let (other, _) = Criterion::SmallestEigenvalue.evaluate(&(&m + &change)).unwrap();
        assert!(other >= value + derivative.dot(&change) - 1e-12, "{seed}");
    }
    assert!((derivative.trace() + 1.0).abs() < 1e-14);
    assert!((derivative * v).norm() < 1e-9);
}

#[test]
fn matrices_without_information_are_refused() {
    let refused = |criterion: Criterion, m: DMatrix<f64>| criterion.evaluate(&m).unwrap_err();
    let size = |rows, columns, expected| {
        let fault = MatrixFault::Size { rows, columns, expected_rows: expected, expected_columns: expected };
        InformationError::from(fault)
    };
    for criterion in ALL {
        assert_eq!(refused(criterion, DMatrix::zeros(2, 3)), size(2, 3, 2));
        assert_eq!(refused(criterion, DMatrix::zeros(0, 0)), size(0, 0, 1));
        let m = DMatrix::from_row_slice(2, 2, &[1.0, f64::INFINITY, 0.0, 1.0]);
        let error = refused(criterion, m);
        assert_eq!(error, MatrixFault::NotFinite { row: 0, column: 1, value: f64::INFINITY }.into());
        let error = refused(criterion, DMatrix::from_row_slice(2, 2, &[1.0, 0.5, 0.4, 1.0]));
        assert!(
            matches!(error, InformationError::Matrix(MatrixFault::NotSymmetric { row: 1, column: 0, .. })),
            "{error}"
        );
    }
    // the second and third parameters act alike
    let m = DMatrix::from_row_slice(3, 3, &[1.0, 0.1, 0.2, 0.1, 4.0, 8.0, 0.2, 8.0, 16.0]);
    for criterion in [Criterion::Determinant, Criterion::TraceOfInverse, Criterion::ConditionNumber] {
        let error = refused(criterion, m.clone());
        // Cholesky's factor stops at the third row; the second has the larger share in the undetermined combination
        let named = if criterion == Criterion::ConditionNumber { 1 } else { 2 };
        assert!(matches!(error, InformationError::Singular { row, .. } if row == named), "{error}");
        assert!(matches!(refused(criterion, DMatrix::zeros(2, 2)), InformationError::Singular { row: 0, .. }));
    }
    let (smallest, _) = Criterion::SmallestEigenvalue.evaluate(&m).unwrap();
    assert!(smallest.abs() < 1e-13 && Criterion::Trace.evaluate(&m).unwrap().0 == -21.0);
}

#[test]
fn a_round_ellipsoid_has_the_best_condition() {
    let round = DMatrix::identity(3, 3) * 7.0;
    let (value, derivative) = Criterion::ConditionNumber.evaluate(&round).unwrap();
    assert!((value - 1.0).abs() < 1e-14 && derivative.norm() < 1e-14);
    let long = DMatrix::from_diagonal(&DVector::from_vec(vec![2.0, 8.0, 4.0]));
    let (value, derivative) = Criterion::ConditionNumber.evaluate(&long).unwrap();
    assert!((value - 4.0).abs() < 1e-14);
    assert!((derivative.diagonal() - DVector::from_vec(vec![-2.0, 0.5, 0.0])).norm() < 1e-13);
    assert!((Criterion::SpectralRadius.evaluate(&long).unwrap().0 + 8.0).abs() < 1e-14);
}
