//! Accelerations a = M^-1 f of a model without constraints.

use nalgebra::DMatrix;

use costate_numerics::linalg::block::find;
use costate_numerics::scalar::{Scalar, Vector};
use costate_system::model::{Argument, Function, Functions, Point};

use crate::evaluate;

/// Computes a = M^-1 f in any number type: factorises M in `mass` for its real part, and refines for the
/// other components.
pub(super) fn accelerations<M: Functions, S: Scalar>(
    point: &Point<'_, M, S>,
    group: &mut M::Newton<S>,
    mass: &mut DMatrix<f64>,
    result: &mut M::Coordinates<S>,
) -> bool {
    evaluate::newton(point, group);
    let groups = M::description(M::program(point.constants)).groups.newton;
    let force = find(groups, Function::ForceResidual, None);
    let matrix = find(groups, Function::Step, Some(Argument::Accelerations));
    let values = force.values(group.as_ref());
    let n = values.len();
    mass.fill(0.0);
    for (row, column, value) in matrix.iter(group.as_ref()) {
        mass[(row, column)] = value.real();
    }
    if !factorize(mass.as_mut_slice(), n) {
        return false;
    }
    // M a = f: the real part first, then each component of the remaining residual.
    result.as_mut().fill(S::default());
    for component in 0..S::COMPONENTS {
        let mut rest = M::Coordinates::<S>::zeros(n);
        for (rest, value) in rest.as_mut().iter_mut().zip(values) {
            *rest = -*value;
        }
        for (row, column, value) in matrix.iter(group.as_ref()) {
            let rest = &mut rest.as_mut()[row];
            *rest -= value * result.as_ref()[column];
        }
        let mut real = M::Coordinates::<f64>::zeros(n);
        for (real, rest) in real.as_mut().iter_mut().zip(rest.as_ref()) {
            *real = rest.component(component);
        }
        substitute(mass.as_slice(), real.as_mut());
        for j in 0..n {
            result.as_mut()[j].set_component(component, real.as_ref()[j]);
        }
    }
    true
}

/// Smallest pivot relative to its diagonal entry.
pub(super) const LEAST_PIVOT: f64 = 1e-13;

/// Computes L and D of a symmetric matrix (n x n), without pivoting: unit L below the diagonal. Components of
/// S are independent numbers. The mask says where the matrix is regular.
#[inline(always)]
pub(super) fn factorize<S: Scalar>(matrix: &mut [S], n: usize) -> S::Mask {
    let zero = S::constant(0.0);
    let mut is_regular = zero.equal(zero);
    for j in 0..n {
        let size = matrix[j * n + j].abs();
        let mut pivot = matrix[j * n + j];
        for k in 0..j {
            let entry = matrix[k * n + j];
            pivot -= entry * entry * matrix[k * n + k];
        }
        let is_finite = pivot.abs().less_equal(S::constant(f64::MAX));
        is_regular = S::and(is_regular, S::and(is_finite, (size * LEAST_PIVOT).less(pivot.abs())));
        matrix[j * n + j] = pivot;
        for i in j + 1..n {
            let mut sum = matrix[j * n + i];
            for k in 0..j {
                sum -= matrix[k * n + i] * matrix[k * n + j] * matrix[k * n + k];
            }
            matrix[j * n + i] = sum / pivot;
        }
    }
    is_regular
}

/// Solves with the factors of `factorize`.
#[inline(always)]
pub(super) fn substitute<S: Scalar>(factors: &[S], x: &mut [S]) {
    let n = x.len();
    for i in 0..n {
        let mut sum = S::constant(0.0);
        for k in 0..i {
            sum += factors[k * n + i] * x[k];
        }
        x[i] -= sum;
    }
    for i in (0..n).rev() {
        let mut sum = S::constant(0.0);
        for k in i + 1..n {
            sum += factors[i * n + k] * x[k];
        }
        x[i] = x[i] / factors[i * n + i] - sum;
    }
}
