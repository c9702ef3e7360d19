//! a = M^-1 f of a model without constraints.

use nalgebra::DMatrix;

use crate::block::find;
use crate::model::{Argument, Function, Model, Point};
use crate::scalar::{Scalar, Vector};

/// a = M^-1 f in any number type: factorises M in `mass` for its real part, and refines for the other components.
pub(super) fn accelerations<M: Model, S: Scalar>(
    point: &Point<'_, M, S>,
    group: &mut M::Newton<S>,
    mass: &mut DMatrix<f64>,
    result: &mut M::Coordinates<S>,
) -> bool {
    M::newton(point, group);
    let groups = M::DESCRIPTION.groups.newton;
    let force = find(groups, Function::ForceResidual, None);
    let matrix = find(groups, Function::Step, Some(Argument::Accelerations));
    let values = force.values(group.as_ref());
    let n = values.len();
    mass.fill(0.0);
    for (row, column, value) in matrix.iter(group.as_ref()) {
        mass[(row, column)] = value.real();
    }
    if !factorize(mass) {
        return false;
    }
    // M a = f: the real part first, then each component with what the others leave.
    result.as_mut().fill(S::default());
    for component in 0..S::COMPONENTS {
        let mut rest = M::Coordinates::<S>::zeros();
        for (rest, value) in rest.as_mut().iter_mut().zip(values) {
            *rest = -*value;
        }
        for (row, column, value) in matrix.iter(group.as_ref()) {
            let rest = &mut rest.as_mut()[row];
            *rest -= value * result.as_ref()[column];
        }
        let mut real = M::Coordinates::<f64>::zeros();
        for (real, rest) in real.as_mut().iter_mut().zip(rest.as_ref()) {
            *real = rest.component(component);
        }
        substitute(mass, real.as_mut());
        for j in 0..n {
            result.as_mut()[j].set_component(component, real.as_ref()[j]);
        }
    }
    true
}

/// L and D of a symmetric matrix, without pivoting: unit L below the diagonal.
fn factorize(matrix: &mut DMatrix<f64>) -> bool {
    let n = matrix.nrows();
    for j in 0..n {
        let size = matrix[(j, j)].abs();
        let mut pivot = matrix[(j, j)];
        for k in 0..j {
            pivot -= matrix[(j, k)] * matrix[(j, k)] * matrix[(k, k)];
        }
        if !(pivot.is_finite() && pivot.abs() > 1e-13 * size) {
            return false;
        }
        matrix[(j, j)] = pivot;
        for i in j + 1..n {
            let mut sum = matrix[(i, j)];
            for k in 0..j {
                sum -= matrix[(i, k)] * matrix[(j, k)] * matrix[(k, k)];
            }
            matrix[(i, j)] = sum / pivot;
        }
    }
    true
}

/// Solves with those factors.
pub(super) fn substitute(factors: &DMatrix<f64>, x: &mut [f64]) {
    let n = x.len();
    for i in 0..n {
        let sum: f64 = (0..i).map(|k| factors[(i, k)] * x[k]).sum();
        x[i] -= sum;
    }
    for i in (0..n).rev() {
        let sum: f64 = (i + 1..n).map(|k| factors[(k, i)] * x[k]).sum();
        x[i] = x[i] / factors[(i, i)] - sum;
    }
}
