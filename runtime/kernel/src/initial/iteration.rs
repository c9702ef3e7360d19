//! Common parts of the iterations for the initial state.

use nalgebra::DMatrix;

use costate_numerics::scalar::Scalar;
use costate_numerics::scalar::largest::largest;
use costate_system::model::Description;
use costate_system::problem::InitialStateError;

use crate::step::Unknown;

/// Largest number of Newton iterations.
pub(super) const MOST_ITERATIONS: usize = 50;

/// Checks whether an iteration has converged: changes (first) are at the rounding of the values (second), or
/// small and no longer falling.
pub(super) fn settled(sizes: &[(f64, f64)], previous: &mut f64) -> bool {
    let relative = |&(change, value): &(f64, f64)| if change == 0.0 { 0.0 } else { change / value };
    let largest = largest(sizes.iter().map(relative));
    let resting = largest <= 4.0 * f64::EPSILON || (largest < 1e-9 && largest > 0.3 * *previous);
    *previous = largest;
    resting
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
