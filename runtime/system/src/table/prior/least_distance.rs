//! The smallest values that satisfy linear conditions, or the conditions that contradict each other: least
//! distance programming by nonnegative least squares (Lawson and Hanson 1974, 23.4).

use nalgebra::{DMatrix, DVector};

use super::condition::Condition;
use super::form::LinearForm;

/// The reason why there are no values.
pub(super) enum Infeasible {
    /// The conditions with these indices contradict each other.
    By(Vec<usize>),
    /// Rounding prevents a decision.
    Undecided,
}

/// A condition of unit length as an inequality, with the index of the given condition.
struct Row {
    form: LinearForm,
    bound: f64,
    of: usize,
}

/// Returns the values of least length that satisfy the conditions; those with `true` are equalities.
pub(super) fn least_distance(conditions: &[(Condition, bool)]) -> Result<Vec<f64>, Infeasible> {
    /// Remainder of a certificate, relative to the largest bound, below which conditions contradict each other.
    const CONTRADICTION_REST: f64 = 1e-11;
    /// Multipliers below this fraction of the largest one are rounding.
    const MULTIPLIER_ROUNDING: f64 = 1e-9;
    let largest = conditions.iter().fold(0.0, |most: f64, (condition, _)| most.max(condition.bound.abs()));
    let scale = if largest > 0.0 { largest } else { 1.0 };
    let mut rows = Vec::new();
    for (of, (Condition { form, bound, .. }, is_equality)) in conditions.iter().enumerate() {
        let norm = form.norm();
        let signs: &[f64] = if *is_equality { &[1.0, -1.0] } else { &[1.0] };
        for sign in signs {
            let directed = if *sign > 0.0 { form.clone() } else { form.negated() };
            let unit = directed.coefficients.into_iter().map(|(i, factor)| (i, factor / norm));
            rows.push(Row { form: LinearForm::new(unit), bound: sign * bound / (norm * scale), of });
        }
    }
    let length = rows.iter().filter_map(|row| row.form.coefficients.last()).map(|(i, _)| i + 1).max();
    let multipliers = multipliers(&rows).ok_or(Infeasible::Undecided)?;
    let rest = 1.0 - rows.iter().zip(&multipliers).map(|(row, size)| row.bound * size).sum::<f64>();
    if rest <= CONTRADICTION_REST {
        let most = multipliers.iter().copied().fold(0.0, f64::max);
        let involved = rows.iter().zip(&multipliers).filter(|(_, size)| **size > MULTIPLIER_ROUNDING * most);
        return Err(Infeasible::By(involved.map(|(row, _)| row.of).collect()));
    }
    let mut values = vec![0.0; length.unwrap_or(0)];
    for (row, size) in rows.iter().zip(&multipliers) {
        row.form.coefficients.iter().for_each(|&(i, factor)| values[i] += factor * size * scale / rest);
    }
    Ok(values)
}

/// Returns u >= 0 that minimises |sum of u times (form, bound) - (0, 1)|; `None` where rounding prevents
/// convergence.
fn multipliers(rows: &[Row]) -> Option<Vec<f64>> {
    let products = DMatrix::from_fn(rows.len(), rows.len(), |i, j| {
        rows[i].form.product(&rows[j].form) + rows[i].bound * rows[j].bound
    });
    let right: Vec<f64> = rows.iter().map(|row| row.bound).collect();
    nonnegative(&products, &right)
}

/// Returns u >= 0 that minimises |sum of u times vectors - target| (Lawson and Hanson 1974, 23.3), from the
/// `products` of the vectors with each other, and those with the target in `right`; `None` where rounding
/// prevents convergence.
#[doc(hidden)]
pub fn nonnegative(products: &DMatrix<f64>, right: &[f64]) -> Option<Vec<f64>> {
    /// Derivatives up to this size are zero up to rounding.
    const ZERO: f64 = 1e-12;
    let mut multipliers = vec![0.0; right.len()];
    let mut free: Vec<usize> = Vec::new();
    for _ in 0..3 * right.len() + 1 {
        let descent = |j: usize| {
            let others: f64 = free.iter().map(|&i| products[(i, j)] * multipliers[i]).sum();
            right[j] - others
        };
        let held = (0..right.len()).filter(|j| !free.contains(j));
        let mut candidates: Vec<(f64, usize)> =
            held.map(|j| (descent(j), j)).filter(|(descent, _)| *descent > ZERO).collect();
        candidates.sort_by(|one, other| other.0.total_cmp(&one.0));
        // vectors that depend on the free ones are skipped
        let next = candidates.iter().find_map(|&(_, j)| {
            let trial = [&free[..], &[j]].concat();
            let solution = solve(products, right, &trial)?;
            (*solution.last()? > 0.0).then_some((trial, solution))
        });
        let Some((trial, mut solution)) = next else { return Some(multipliers) };
        free = trial;
        while solution.iter().any(|size| *size <= 0.0) {
            let step = free.iter().zip(&solution).filter(|(_, size)| **size <= 0.0);
            let part = step.map(|(&i, size)| multipliers[i] / (multipliers[i] - size)).fold(1.0, f64::min);
            for (&i, size) in free.iter().zip(&solution) {
                multipliers[i] += part * (size - multipliers[i]);
            }
            let before = free.len();
            free.retain(|&i| multipliers[i] > ZERO);
            if free.len() == before {
                return None;
            }
            for (i, size) in multipliers.iter_mut().enumerate() {
                *size = if free.contains(&i) { *size } else { 0.0 };
            }
            solution = solve(products, right, &free)?;
        }
        free.iter().zip(&solution).for_each(|(&i, size)| multipliers[i] = *size);
    }
    None
}

/// Returns the multipliers of the `free` rows alone; `None` where these depend on each other.
fn solve(products: &DMatrix<f64>, right: &[f64], free: &[usize]) -> Option<Vec<f64>> {
    let matrix = DMatrix::from_fn(free.len(), free.len(), |i, j| products[(free[i], free[j])]);
    let right = DVector::from_fn(free.len(), |i, _| right[free[i]]);
    Some(matrix.cholesky()?.solve(&right).iter().copied().collect())
}
