//! The check of the emitted solution with the Newton matrix.

use costate_numerics::linalg::block::find;
use costate_numerics::scalar::Vector;
use costate_numerics::scalar::largest::largest;
use costate_system::model::{Argument, Function, Functions, Group, Point, Weights};

use super::report::{DerivativeReport, Mismatch};
use crate::evaluate;
use crate::step::Unknown;

/// Factor by which the emitted solution may be worse than the same elimination in loops, which rounds differently.
const MAX_LOSS: f64 = 1e4;

/// Checks that the emitted factors solve with the Newton matrix at `point` and with its transpose, as well as
/// the same pivot order can, and that the emitted corrections solve for the residual with the history
/// `given`. Residuals of the equations are relative to the largest sum of their terms.
pub(super) fn check<M: Functions>(
    report: &mut DerivativeReport,
    point: &Point<'_, M, f64>,
    weights: &Weights,
    given: &M::Unknowns<f64>,
    tolerance: f64,
) {
    let program = M::program(point.constants);
    let (described, lengths) = (M::description(program), M::lengths(program));
    let Some(elimination) = described.elimination else { return };
    let matrix = matrix(point);
    let mut history = M::Coordinates::<f64>::zeros(lengths.coordinates);
    let n = history.as_ref().len();
    history.as_mut().copy_from_slice(&given.as_ref()[..n]);
    let negative = negative_residual(point, weights, &history);
    let (mut newton, mut factors) =
        (M::Unknowns::<f64>::zeros(lengths.unknowns), M::Factors::<f64>::zeros(lengths.factors));
    M::newton_correction(point, &history, &mut newton, &mut factors);
    let mut chord = M::Unknowns::<f64>::zeros(lengths.unknowns);
    M::chord_correction(point, &history, &mut chord, &factors);
    let (mut adjoint, mut again) =
        (M::Adjoint::<f64>::zeros(lengths.group(Group::Adjoint)), M::Factors::<f64>::zeros(lengths.factors));
    M::adjoint(point, &mut adjoint, &mut again);
    let sums = sums(&matrix, n, elimination.sums);
    let transposed = transpose(&matrix);
    let pivots: Vec<(usize, usize)> =
        elimination.pivots.iter().map(|&(row, column)| (row as usize, column as usize)).collect();
    let mirrored: Vec<(usize, usize)> = pivots.iter().map(|&(row, column)| (column, row)).collect();
    let mut forward = given.clone();
    M::solve(point.constants, &factors, &mut forward);
    let mut backward = given.clone();
    M::solve_transposed(point.constants, &again, &mut backward);
    let of_rows = |right: &[f64]| {
        let mut right = right.to_vec();
        sums.iter().for_each(|sum| right[sum.to] += sum.factor * right[sum.from]);
        eliminate(summed(&matrix, &sums), &pivots, &right)
    };
    let of_columns = |right: &[f64]| {
        let mut found = eliminate(transpose(&summed(&matrix, &sums)), &mirrored, right);
        sums.iter().for_each(|sum| found[sum.from] += sum.factor * found[sum.to]);
        found
    };
    type Plain<'a> = &'a dyn Fn(&[f64]) -> Vec<f64>;
    for (name, matrix, plain, given, found) in [
        ("solve", &matrix, &of_rows as Plain<'_>, given.as_ref(), forward.as_ref()),
        ("solve_transposed", &transposed, &of_columns, given.as_ref(), backward.as_ref()),
        ("newton_correction", &matrix, &of_rows, negative.as_ref(), newton.as_ref()),
        ("chord_correction", &matrix, &of_rows, negative.as_ref(), chord.as_ref()),
    ] {
        let (_, possible) = remainder(matrix, &plain(given), given);
        if !possible.is_finite() {
            report.skipped += 1;
            continue;
        }
        report.matrices += 1;
        let (row, difference) = remainder(matrix, found, given);
        let allowed = (MAX_LOSS * possible).max(tolerance);
        let is_worse = difference > report.worst || difference.is_nan();
        if is_worse && possible < tolerance / MAX_LOSS {
            report.worst = difference;
        }
        if difference > allowed || difference.is_nan() {
            let (Unknown::Coordinate(row) | Unknown::Constraint(row)) = Unknown::at(described, row);
            report.mismatches.push(Mismatch {
                group: name,
                function: Function::Step,
                argument: Some(Argument::Accelerations),
                row,
                column: row,
                emitted: difference,
                exact: possible,
                difference,
            });
        }
    }
}

/// Evaluates `-(w_a M a + G - history)` and `-C/w_q` (n + m).
fn negative_residual<M: Functions>(
    point: &Point<'_, M, f64>,
    weights: &Weights,
    history: &M::Coordinates<f64>,
) -> M::Unknowns<f64> {
    let program = M::program(point.constants);
    let (described, lengths) = (M::description(program), M::lengths(program));
    let mut group = M::Residual::<f64>::zeros(lengths.group(Group::Residual));
    evaluate::residual(point, &mut group);
    let value = |function| find(described.groups.residual, function, None).values(group.as_ref());
    let (inertia, force) = (value(Function::Inertia), value(Function::ForceResidual));
    let mut right = M::Unknowns::<f64>::zeros(lengths.unknowns);
    let (motion, constraints) = right.as_mut().split_at_mut(history.as_ref().len());
    for (j, row) in motion.iter_mut().enumerate() {
        *row = history.as_ref()[j] - force[j] - weights.accelerations * inertia[j];
    }
    for (row, constraint) in constraints.iter_mut().zip(value(Function::Constraint)) {
        *row = -constraint / weights.coordinates;
    }
    right
}

/// Evaluates the Newton matrix at `point`, dense, by rows.
fn matrix<M: Functions>(point: &Point<'_, M, f64>) -> Vec<Vec<f64>> {
    let program = M::program(point.constants);
    let (described, lengths) = (M::description(program), M::lengths(program));
    let mut group = M::Newton::<f64>::zeros(lengths.group(Group::Newton));
    evaluate::newton(point, &mut group);
    let n = lengths.coordinates;
    let size = lengths.unknowns;
    let mut matrix = vec![vec![0.0; size]; size];
    let blocks = described.groups.newton;
    let step = find(blocks, Function::Step, Some(Argument::Accelerations));
    for (row, column, value) in step.iter(group.as_ref()) {
        matrix[row][column] = value;
    }
    let jacobian = find(blocks, Function::Constraint, Some(Argument::Coordinates));
    for (row, column, value) in jacobian.iter(group.as_ref()) {
        matrix[n + row][column] = value;
        matrix[column][n + row] = value;
    }
    matrix
}

/// The row of a constraint that is added to an equation of motion.
struct Sum {
    from: usize,
    to: usize,
    factor: f64,
}

/// Returns the sums that are made before the elimination begins; added entries are about as large as existing
/// ones.
fn sums(matrix: &[Vec<f64>], n: usize, constraints: &[u32]) -> Vec<Sum> {
    let mut sums = Vec::new();
    for from in constraints.iter().map(|&constraint| constraint as usize) {
        let row = &matrix[from];
        let columns: Vec<usize> = (0..n).filter(|&column| row[column] != 0.0).collect();
        let entries = columns.iter().flat_map(|&i| columns.iter().map(move |&j| (i, j)));
        let largest = entries.map(|(i, j)| matrix[i][j].abs()).fold(0.0, f64::max);
        let square: f64 = row.iter().map(|value| value * value).sum();
        sums.extend(columns.iter().map(|&to| Sum { from, to, factor: largest / square * row[to] }));
    }
    sums
}

/// Returns the matrix with these sums of rows.
fn summed(matrix: &[Vec<f64>], sums: &[Sum]) -> Vec<Vec<f64>> {
    let mut summed = matrix.to_vec();
    for &Sum { from, to, factor } in sums {
        summed[to].iter_mut().zip(&matrix[from]).for_each(|(entry, value)| *entry += factor * value);
    }
    summed
}

fn transpose(matrix: &[Vec<f64>]) -> Vec<Vec<f64>> {
    (0..matrix.len()).map(|column| matrix.iter().map(|row| row[column]).collect()).collect()
}

/// Solves by elimination with the given pivots.
fn eliminate(mut matrix: Vec<Vec<f64>>, pivots: &[(usize, usize)], given: &[f64]) -> Vec<f64> {
    let mut right = given.to_vec();
    for (k, &(row, column)) in pivots.iter().enumerate() {
        let pivot_row = matrix[row].clone();
        for &(other, _) in &pivots[k + 1..] {
            let factor = matrix[other][column] / pivot_row[column];
            if factor != 0.0 {
                matrix[other].iter_mut().zip(&pivot_row).for_each(|(entry, pivot)| *entry -= factor * pivot);
                right[other] -= factor * right[row];
            }
        }
    }
    let mut found = vec![0.0; right.len()];
    for (k, &(row, column)) in pivots.iter().enumerate().rev() {
        let sum: f64 = pivots[k + 1..].iter().map(|&(_, later)| matrix[row][later] * found[later]).sum();
        found[column] = (right[row] - sum) / matrix[row][column];
    }
    found
}

/// Returns the largest row of A x - b relative to the largest sum of a row's terms, and the index of that
/// row.
fn remainder(matrix: &[Vec<f64>], x: &[f64], b: &[f64]) -> (usize, f64) {
    let (mut worst, mut size) = ((0, 0.0), 0.0);
    for (i, (row, b)) in matrix.iter().zip(b).enumerate() {
        let (mut sum, mut terms) = (-b, b.abs());
        for (entry, x) in row.iter().zip(x).filter(|(entry, _)| **entry != 0.0) {
            sum += entry * x;
            terms += (entry * x).abs();
        }
        if !sum.is_finite() {
            return (i, f64::NAN);
        }
        if sum.abs() > worst.1 {
            worst = (i, sum.abs());
        }
        size = largest([size, terms]);
    }
    (worst.0, if worst.1 > 0.0 { worst.1 / size } else { 0.0 })
}
