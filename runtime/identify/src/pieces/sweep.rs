//! The start of one piece that is fitted to its own samples alone.

use nalgebra::{DMatrix, DVector};

use costate_system::problem::SimulationError;

use super::piece::{Evaluated, Piece, PieceStart};

/// Fits the independent numbers of a start to the samples of the piece, with the unknowns held, by a few steps of
/// Levenberg and Marquardt; directions on which the samples do not depend stay where they are. `factors` multiply the
/// residuals of every channel, and `pull`, by number of the state, the distances from where the search begins.
pub(super) fn fitted_start(
    piece: &Piece,
    start: PieceStart,
    unknowns: &[f64],
    (factors, pull): (&[f64], Option<&[f64]>),
) -> Result<(PieceStart, Evaluated), SimulationError> {
    /// Steps, and trials of a step, at most: the search for all unknowns follows.
    const MAX_STEPS: usize = 5;
    const MAX_TRIALS: usize = 6;
    /// Relative reduction of the cost by a step below which the start is found.
    const MIN_REDUCTION: f64 = 1e-2;
    let pull: Vec<f64> = start.independent.iter().map(|k| pull.map_or(0.0, |pull| pull[*k])).collect();
    let origin = start.state.clone();
    let stretched = |at: &PieceStart| {
        let distances = at.independent.iter().map(|k| at.state[*k] - origin[*k]);
        DVector::from_iterator(pull.len(), distances.zip(&pull).map(|(distance, weight)| weight * distance))
    };
    let (mut start, mut at) = (start, None);
    let mut damping = 1e-3;
    for _ in 0..MAX_STEPS {
        let mut evaluated = match at.take() {
            Some(evaluated) => evaluated,
            None => piece.evaluate(Some(&start), unknowns)?,
        };
        piece.differentiate_by_start(&mut evaluated, &start, unknowns)?;
        let own = start.independent.len();
        let (matrix, values) = rows(&evaluated, own, unknowns.len(), factors);
        let stretch = stretched(&start);
        let cost = values.norm_squared() + stretch.norm_squared();
        let weights = DVector::from_column_slice(&pull);
        let gram = matrix.tr_mul(&matrix) + DMatrix::from_diagonal(&weights.component_mul(&weights));
        let slope = matrix.tr_mul(&values) + weights.component_mul(&stretch);
        let largest = gram.diagonal().amax();
        let mut found = None;
        for _ in 0..MAX_TRIALS {
            let damped = |k: usize| damping * gram[(k, k)].max(f64::EPSILON * largest);
            let dampened = &gram + DMatrix::from_diagonal(&DVector::from_fn(own, |k, _| damped(k)));
            let Some(step) = dampened.cholesky().map(|factors| -factors.solve(&slope)) else { break };
            let trial = moved(piece, &start, &step, unknowns).and_then(|trial| {
                let evaluated = piece.evaluate(Some(&trial), unknowns)?;
                Ok((trial, evaluated))
            });
            if let Ok((trial, evaluated)) = trial {
                let reached = rows(&evaluated, own, unknowns.len(), factors).1.norm_squared();
                let reached = reached + stretched(&trial).norm_squared();
                if reached < cost {
                    found = Some((trial, evaluated, reached));
                    damping = (damping * 0.1).max(f64::EPSILON);
                    break;
                }
            }
            damping *= 10.0;
        }
        let Some((trial, evaluated, reached)) = found else { return Ok((start, evaluated)) };
        start = trial;
        if cost - reached <= MIN_REDUCTION * cost {
            return Ok((start, evaluated));
        }
        at = Some(evaluated);
    }
    match at {
        Some(evaluated) => Ok((start, evaluated)),
        None => piece.evaluate(Some(&start), unknowns).map(|evaluated| (start, evaluated)),
    }
}

/// Returns the start with changed independent numbers, on the constraints.
pub(super) fn moved(
    piece: &Piece,
    start: &PieceStart,
    step: &DVector<f64>,
    unknowns: &[f64],
) -> Result<PieceStart, SimulationError> {
    let mut moved = start.clone();
    start.independent.iter().zip(step.iter()).for_each(|(place, change)| moved.state[*place] += change);
    moved.state = piece.admitted(&moved, unknowns)?;
    Ok(moved)
}

/// Returns the derivatives of all residuals by the independent numbers, and the residuals.
fn rows(evaluated: &Evaluated, own: usize, unknowns: usize, factors: &[f64]) -> (DMatrix<f64>, DVector<f64>) {
    let channels = || evaluated.residuals.iter().zip(factors);
    let values = channels().flat_map(|(linear, factor)| linear.values.iter().map(move |value| factor * value));
    let values = DVector::from_vec(values.collect());
    let column = |k: usize| {
        channels().flat_map(move |(linear, factor)| {
            let column = linear.derivatives.get(unknowns + k).map_or(&[][..], |column| column);
            column.iter().map(move |value| factor * value)
        })
    };
    let mut matrix = DMatrix::zeros(values.len(), own);
    for k in 0..own {
        matrix.column_mut(k).iter_mut().zip(column(k)).for_each(|(entry, value)| *entry = value);
    }
    (matrix, values)
}
