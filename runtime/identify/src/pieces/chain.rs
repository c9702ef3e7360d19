//! The pieces of one experiment in their order, with their starts.

use std::f64::consts::TAU;

use nalgebra::{DMatrix, DVector};
use rayon::prelude::*;

use costate_system::problem::SimulationError;
use costate_system::series::Series;

use super::piece::{Evaluated, Piece, PieceStart};
use super::sweep::{fitted_start, moved};
use crate::estimation::experiment_problem::ExperimentProblem;
use crate::estimation::linearized_run::LinearizedRun;

/// The pieces of an experiment.
pub(super) struct Chain {
    pub pieces: Vec<Piece>,
    /// Indices of the first channel among those of all experiments, and their number.
    pub first_channel: usize,
}

/// The starts of all pieces of a chain; `None` for the first one, which begins as the model says.
pub(super) type Starts = Vec<Option<PieceStart>>;

impl Chain {
    /// Cuts an experiment at these samples, which begin with 0 and end with the last one.
    pub fn cut(whole: &ExperimentProblem, cuts: &[usize], first_channel: usize) -> Result<Self, SimulationError> {
        let pieces = cuts.windows(2).map(|ends| Piece::cut(whole, (ends[0], ends[1])));
        Ok(Self { pieces: pieces.collect::<Result<_, _>>()?, first_channel })
    }

    /// Multiplies a known parameter by a factor.
    pub fn scale(&mut self, parameter: usize, factor: f64) {
        self.pieces.iter_mut().for_each(|piece| piece.scale(parameter, factor));
    }

    /// Finds starts one after the other: each piece begins where the one before has ended, and is then fitted to its
    /// own samples with the unknowns held, near that end where a `pull` weighs the distances of q and v (2n) from it.
    pub fn first_starts(
        &self,
        unknowns: &[f64],
        factors: &[f64],
        pull: Option<&[f64]>,
    ) -> Result<Starts, SimulationError> {
        let mut starts: Starts = Vec::with_capacity(self.pieces.len());
        let mut end: Option<Vec<f64>> = None;
        for piece in &self.pieces {
            let start = end.as_ref().map(|end| piece.start_at(end, unknowns)).transpose()?;
            let (start, evaluated) = match start {
                None => (None, piece.evaluate(None, unknowns)?),
                Some(start) => {
                    let (start, evaluated) = fitted_start(piece, start, unknowns, (factors, pull))?;
                    (Some(start), evaluated)
                }
            };
            starts.push(start);
            end = Some(evaluated.end);
        }
        Ok(starts)
    }

    /// Returns the starts after these steps of their independent numbers, on the constraints.
    pub fn moved(&self, starts: &Starts, steps: &[DVector<f64>], unknowns: &[f64]) -> Result<Starts, SimulationError> {
        let each = self.pieces.par_iter().zip(starts).zip(steps);
        let moved = each.map(|((piece, start), step)| match start {
            Some(start) => moved(piece, start, step, unknowns).map(Some),
            None => Ok(None),
        });
        moved.collect()
    }

    /// Simulates all pieces, without derivatives.
    pub fn evaluate(&self, starts: &Starts, unknowns: &[f64]) -> Result<Vec<Evaluated>, SimulationError> {
        let pieces = self.pieces.par_iter().zip(starts);
        pieces.map(|(piece, start)| piece.evaluate(start.as_ref(), unknowns)).collect()
    }

    /// Differentiates what was evaluated with these starts and unknowns.
    pub fn differentiate(
        &self,
        evaluated: &mut [Evaluated],
        starts: &Starts,
        unknowns: &[f64],
    ) -> Result<(), SimulationError> {
        let pieces = self.pieces.par_iter().zip(starts).zip(evaluated);
        pieces.try_for_each(|((piece, start), evaluated)| piece.differentiate(evaluated, start.as_ref(), unknowns))
    }

    /// Returns one run that consists of all pieces, with the derivatives of its outputs by the `count` unknowns: the
    /// starts follow these by `by_unknowns`.
    pub fn joined(
        &self,
        starts: &Starts,
        unknowns: &[f64],
        by_unknowns: &[DMatrix<f64>],
    ) -> Result<LinearizedRun, SimulationError> {
        let pieces = self.pieces.par_iter().zip(starts);
        let pieces = pieces.map(|(piece, start)| piece.linearized(start.as_ref(), unknowns));
        let pieces = pieces.collect::<Result<Vec<LinearizedRun>, SimulationError>>()?;
        let samples = 1 + pieces.iter().map(|piece| piece.outputs.samples() - 1).sum::<usize>();
        let first = pieces.first().map(|piece| (piece.outputs.step(), piece.outputs.width()));
        let (step, width) = first.unwrap_or_default();
        let compared = pieces.iter().flat_map(|piece| &piece.derivatives).map(|(_, series)| series.width()).max();
        let of_unknown = |unknown: usize| (unknown, Series::zeros(step, compared.unwrap_or(0), samples));
        let mut outputs = Series::zeros(step, width, samples);
        let mut derivatives: Vec<_> = (0..unknowns.len()).map(of_unknown).collect();
        let mut at = 0;
        for (piece, by_unknowns) in pieces.iter().zip(by_unknowns) {
            for i in 0..piece.outputs.samples() {
                // the start of a piece replaces the end of the one before
                outputs.row_mut(at + i).copy_from_slice(piece.outputs.row(i));
                for (unknown, all) in &mut derivatives {
                    let row = all.row_mut(at + i);
                    row.fill(0.0);
                    for (column, own) in &piece.derivatives {
                        let factor = match column.checked_sub(unknowns.len()) {
                            Some(k) => by_unknowns[(k, *unknown)],
                            None => f64::from(u8::from(column == unknown)),
                        };
                        row.iter_mut().zip(own.row(i)).for_each(|(sum, value)| *sum += factor * value);
                    }
                }
            }
            at += piece.outputs.samples() - 1;
        }
        Ok(LinearizedRun { derivatives, ..LinearizedRun::without_derivatives(outputs) })
    }

    /// Returns typical changes of q and v (2n): their scatter over the starts. A coordinate that goes on and on, as the
    /// angle of a rotor, changes by what its velocity makes of it while a phase of the `period` turns by one radian.
    pub fn scales(starts: &Starts, coordinates: usize, period: Option<f64>) -> Vec<f64> {
        /// Smallest typical change of a position or velocity, relative to the largest one of its level.
        const MIN_RELATIVE_SCALE: f64 = 1e-6;
        let states: Vec<&[f64]> = starts.iter().flatten().map(|start| &start.state[..]).collect();
        let count = states.len().max(1) as f64;
        let square_about = |k: usize, centre: f64| {
            (states.iter().map(|state| (state[k] - centre).powi(2)).sum::<f64>() / count).sqrt()
        };
        let scatter = |k: usize| square_about(k, states.iter().map(|state| state[k]).sum::<f64>() / count);
        let mut scales: Vec<f64> = (0..2 * coordinates).map(scatter).collect();
        if let Some(period) = period {
            for (k, scale) in scales.iter_mut().take(coordinates).enumerate() {
                *scale = scale.min(square_about(coordinates + k, 0.0) * period / TAU);
            }
        }
        for level in scales.chunks_mut(coordinates.max(1)) {
            let largest = level.iter().copied().fold(0.0, f64::max);
            let least = if largest > 0.0 { MIN_RELATIVE_SCALE * largest } else { 1.0 };
            level.iter_mut().for_each(|scale| *scale = scale.max(least));
        }
        scales
    }

    /// Returns the end of each piece minus the start of the next one, in its independent numbers.
    pub fn defects(starts: &Starts, evaluated: &[Evaluated]) -> Vec<Vec<f64>> {
        let next = starts.iter().skip(1).map(Option::as_ref).chain([None]);
        let defect = |(evaluated, next): (&Evaluated, Option<&PieceStart>)| match next {
            Some(next) => next.independent.iter().map(|k| evaluated.end[*k] - next.state[*k]).collect(),
            None => Vec::new(),
        };
        evaluated.iter().zip(next).map(defect).collect()
    }
}
