//! The iteration for the initial state, which balances, projections and linear systems have in common: corrections of
//! all components of numbers by the factors of their real parts, until the numbers settle.

use nalgebra::{DMatrix, DMatrixView};

use costate_numerics::scalar::Scalar;
use costate_numerics::scalar::largest::largest;
use costate_system::model::Description;
use costate_system::problem::InitialStateError;

use crate::step::Unknown;

/// Largest number of corrections. Quadratic convergence needs five from the first correct digit to the last one; the
/// others are for the way from far away.
pub(super) const MAX_ITERATIONS: usize = 50;

/// Violation of a constraint at any level, relative to its terms, that is taken for rounding.
pub(super) const MAX_VIOLATION: f64 = 1e-12;

/// Residual of a derivative, or force on a coordinate that keeps its value, relative to the largest terms, that is
/// taken for rounding: half of the digits of a number.
pub(super) const MAX_RELATIVE_RESIDUAL: f64 = 1e-8;

/// The largest change and the largest value of one component of corrected numbers.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Sizes {
    change: f64,
    value: f64,
}

/// Corrects numbers until they settle; `correct` makes a correction, and returns the sizes of every component, or
/// `None` where nothing can be corrected. Returns true if the numbers have settled.
pub(super) fn iterate(
    mut correct: impl FnMut() -> Result<Option<Vec<Sizes>>, InitialStateError>,
) -> Result<bool, InitialStateError> {
    let mut previous = f64::INFINITY;
    for _ in 0..MAX_ITERATIONS {
        match correct()? {
            None => return Ok(false),
            Some(sizes) if are_settled(&sizes, &mut previous) => return Ok(true),
            Some(_) => {}
        }
    }
    Ok(false)
}

/// Checks whether an iteration has converged: changes are at the rounding of the values, or small and no longer
/// falling.
fn are_settled(sizes: &[Sizes], previous: &mut f64) -> bool {
    let relative = |size: &Sizes| if size.change == 0.0 { 0.0 } else { size.change / size.value };
    let largest = largest(sizes.iter().map(relative));
    let are_settled = largest <= 4.0 * f64::EPSILON || (largest < 1e-9 && largest > 0.3 * *previous);
    *previous = largest;
    are_settled
}

/// Subtracts the rows of `update` from the numbers with these indices, in the components `first..`; returns the sizes
/// of all components.
pub(super) fn subtract<S: Scalar>(
    update: DMatrixView<'_, f64>,
    first: usize,
    numbers: &mut [S],
    indices: impl IntoIterator<Item = usize>,
) -> Vec<Sizes> {
    let mut sizes = vec![Sizes::default(); S::COMPONENTS];
    for (row, index) in indices.into_iter().enumerate() {
        let number = &mut numbers[index];
        for (component, size) in sizes.iter_mut().enumerate().skip(first) {
            let change = update[(row, component)];
            let value = number.component(component) - change;
            number.set_component(component, value);
            size.change = size.change.max(change.abs());
            size.value = size.value.max(value.abs());
        }
    }
    sizes
}

/// Returns the components of every entry as columns.
pub(super) fn component_matrix<S: Scalar>(rows: &[S]) -> DMatrix<f64> {
    DMatrix::from_fn(rows.len(), S::COMPONENTS, |row, component| rows[row].component(component))
}

/// Fails with the name of the first row that is not finite; `index` gives its index in (n rows, m rows).
pub(super) fn check_finite<S: Scalar>(
    model: &Description,
    rows: &[S],
    index: impl Fn(usize) -> usize,
    level: &'static str,
) -> Result<(), InitialStateError> {
    for (row, value) in rows.iter().enumerate() {
        for component in 0..S::COMPONENTS {
            let value = value.component(component);
            if !value.is_finite() {
                let equation = Unknown::at(model, index(row));
                return Err(InitialStateError::NotFinite { equation, value, level });
            }
        }
    }
    Ok(())
}
