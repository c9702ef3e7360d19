//! The errors that were found in a run, beside what they are compared with.

use crate::model::{Model, Quantity};
use crate::problem::Steps;
use crate::run::Trajectory;
use crate::series::Series;

use super::{Accuracy, ErrorEstimate};
use crate::run::{Scales, ranges};
use crate::step::LinearStep;

/// An output counts from this part of what the ranges of the state reach on: below is rounding.
const LEAST_OUTPUT: f64 = 1e-6;

/// A range below this part of the largest magnitude is rounding.
const LEAST_RANGE: f64 = 1e-9;

/// A quantity whose values without the error have less than this part of the error as range is constant.
const CONSTANT: f64 = 0.5;

/// The largest errors so far, and what they are compared with.
pub(super) struct Found<'a, M: Model> {
    run: &'a Trajectory<M, f64>,
    outputs: &'a Series<f64>,
    of_coordinates: Vec<Largest>,
    of_outputs: Vec<Largest>,
    pub scales: Scales,
    stride: usize,
    order: u32,
    /// Of adaptive steps.
    tolerance: Option<f64>,
}

/// The largest error of a quantity, and the bounds of its values without it.
#[derive(Clone, Copy)]
struct Largest {
    error: f64,
    step: usize,
    least: f64,
    largest: f64,
}

impl Largest {
    const NONE: Self = Self { error: 0.0, step: 0, least: f64::INFINITY, largest: f64::NEG_INFINITY };

    fn take(&mut self, i: usize, value: f64, error: f64) {
        // an error that is no number stays
        if !self.error.is_nan() && (error.is_nan() || error.abs() > self.error) {
            (self.error, self.step) = (error.abs(), i);
        }
        let corrected = value - error;
        (self.least, self.largest) = (self.least.min(corrected), self.largest.max(corrected));
    }

    /// The largest magnitude of the quantity.
    fn magnitude(&self) -> f64 {
        self.least.abs().max(self.largest.abs())
    }

    /// Whether the quantity only moves because of the error.
    fn is_constant(&self) -> bool {
        self.largest - self.least < CONSTANT * self.error
    }
}

impl<'a, M: Model> Found<'a, M> {
    /// Of errors at every `stride`-th step, which fall with the step's power `order`.
    pub fn new(
        run: &'a Trajectory<M, f64>,
        outputs: &'a Series<f64>,
        (stride, order): (usize, u32),
        steps: Steps,
    ) -> Self {
        let (n, width) = (LinearStep::<M>::N, outputs.width());
        let [of_coordinates, of_outputs] = [n, width].map(|length| vec![Largest::NONE; length]);
        Self {
            run,
            outputs,
            of_coordinates,
            of_outputs,
            scales: Scales::new(run, stride, width),
            stride,
            order,
            tolerance: if let Steps::Adaptive { tolerance } = steps { Some(tolerance) } else { None },
        }
    }

    /// The errors of step i, at whose end sample k stands.
    pub fn take(&mut self, (i, k): (usize, usize), errors: &[f64], output_errors: &[f64]) {
        let coordinates = self.run.coordinates(i).iter().zip(errors);
        let outputs = self.outputs.row(k).iter().zip(output_errors);
        self.of_coordinates.iter_mut().zip(coordinates).for_each(|(own, (&q, &error))| own.take(i, q, error));
        self.of_outputs.iter_mut().zip(outputs).for_each(|(own, (&s, &error))| own.take(i, s, error));
    }

    /// The accuracy with the errors that a run with half the step shows, in place of those carried along.
    pub fn measured(mut self, finer: &Trajectory<M, f64>) -> Accuracy {
        self.of_coordinates.fill(Largest::NONE);
        self.of_outputs.fill(Largest::NONE);
        // what halving the step removes, of the whole
        let whole = 1.0 / (1.0 - 0.5f64.powi(self.order as i32));
        let (run, outputs, finer_outputs) = (self.run, self.outputs, finer.outputs());
        let differences = |own: &[f64], finer: &[f64]| -> Vec<f64> {
            own.iter().zip(finer).map(|(own, finer)| whole * (own - finer)).collect()
        };
        // runs of a problem with half the step have twice as many samples, refined ones the same
        let ratio = (finer.samples() - 1) / (run.samples() - 1).max(1);
        for k in 0..run.samples() {
            let (i, of_finer) = (run.step_of_sample(k), finer.step_of_sample(ratio * k));
            let errors = differences(run.coordinates(i), finer.coordinates(of_finer));
            self.take((i, k), &errors, &differences(outputs.row(k), finer_outputs.row(ratio * k)));
        }
        self.accuracy()
    }

    /// What was found.
    pub fn accuracy(&self) -> Accuracy {
        let (run, scales) = (self.run, &self.scales);
        let estimate = |quantity: Quantity, largest: &Largest, range: f64, scale: f64| ErrorEstimate {
            quantity,
            error: largest.error,
            time: run.time(largest.step),
            range,
            scale: scale.max(LEAST_RANGE * largest.magnitude()),
        };
        let coordinate = |(j, largest): (usize, &Largest)| {
            let (range, least) = (scales.ranges[j], scales.least_range(j));
            estimate(M::DESCRIPTION.coordinates[j], largest, range, range.max(least))
        };
        let rows = (0..self.outputs.samples()).step_by(self.stride).map(|i| self.outputs.row(i));
        let ranges = ranges(rows, self.outputs.width());
        let output = |(k, largest): (usize, &Largest)| {
            let range = ranges[k];
            let reached = scales.reached[k];
            let scale = if largest.is_constant() { reached } else { range.max(LEAST_OUTPUT * reached) };
            estimate(M::DESCRIPTION.outputs[k], largest, range, scale.max(largest.magnitude()))
        };
        Accuracy {
            step: run.step(),
            tolerance: self.tolerance,
            end: run.time(run.steps()),
            order: self.order,
            coordinates: self.of_coordinates.iter().enumerate().map(coordinate).collect(),
            outputs: self.of_outputs.iter().enumerate().map(output).collect(),
        }
    }
}
