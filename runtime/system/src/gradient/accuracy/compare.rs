//! The differences between a run and one with other steps.

use crate::problem::Problem;
use crate::run::Trajectory;
use crate::series::Series;

/// The largest differences of all coordinates, followed by those of all outputs.
#[derive(Debug, Clone)]
pub struct Differences {
    /// The largest magnitude of each difference, and the step of the run at whose end it occurs.
    pub largest: Vec<(f64, usize)>,
    /// The largest magnitude of each difference at every other sample.
    pub at_every_other: Vec<f64>,
    /// The least and the largest value of each coordinate and output at the ends of all steps of the other run.
    pub bounds: Vec<(f64, f64)>,
}

/// A run with its problem and its outputs.
#[derive(Debug, Clone, Copy)]
pub struct Own<'a> {
    /// The problem of the run.
    pub problem: &'a Problem,
    /// States of the run.
    pub run: &'a Trajectory,
    /// Outputs of the run.
    pub outputs: &'a Series<f64>,
    /// A full turn of each coordinate and output that comes back to where it was, 0 for others.
    pub turns: &'a [f64],
}

impl Own<'_> {
    /// Returns the coordinate or output j, which exists, at sample k.
    pub fn number(&self, k: usize, j: usize) -> f64 {
        let coordinates = self.run.coordinates(self.run.step_of_sample(k));
        match j.checked_sub(coordinates.len()) {
            Some(output) => self.outputs.of_step(k)[output],
            None => coordinates[j],
        }
    }
}

impl Differences {
    /// Creates the differences of `width` numbers before any is taken.
    pub fn zeros(width: usize) -> Self {
        Self {
            largest: vec![(0.0, 0); width],
            at_every_other: vec![0.0; width],
            bounds: vec![(f64::INFINITY, f64::NEG_INFINITY); width],
        }
    }

    /// Takes the numbers of both runs at sample k of the run, the end of this step.
    #[inline(always)]
    pub fn take<'a>(&mut self, own: Own<'_>, (k, step): (usize, usize), others: impl Iterator<Item = &'a f64>) {
        let numbers = own.run.coordinates(step).iter().chain(own.outputs.row(k));
        for (j, (other, number)) in others.zip(numbers).enumerate() {
            let mut difference = (number - other).abs();
            let turn = own.turns[j];
            if turn > 0.0 && difference > 0.5 * turn {
                difference = (difference - turn * (difference / turn).round()).abs();
            }
            let largest = &mut self.largest[j];
            // NaN is kept
            if !largest.0.is_nan() && (difference.is_nan() || difference > largest.0) {
                *largest = (difference, step);
            }
            if k.is_multiple_of(2) {
                let most = &mut self.at_every_other[j];
                *most = if difference.is_nan() { difference } else { difference.max(*most) };
            }
        }
    }

    /// Widens the bounds of the other run by its numbers at the end of a step.
    #[inline(always)]
    pub fn widen<'a>(&mut self, others: impl Iterator<Item = &'a f64>) {
        for (bounds, other) in self.bounds.iter_mut().zip(others) {
            *bounds = (bounds.0.min(*other), bounds.1.max(*other));
        }
    }
}
