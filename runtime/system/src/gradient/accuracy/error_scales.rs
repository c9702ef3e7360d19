//! The scales that the differences of a run to others are compared with.

use crate::model::Quantity;
use crate::problem::{Problem, SimulationError, Steps, UndefinedOutput};
use crate::run::{Scales, Trajectory};
use crate::series::Series;

use super::compare::{Differences, Own};
use super::{Accuracy, ErrorEstimate, ScaleKind};

/// A run and the scales of its errors.
pub(super) struct ErrorScales<'a> {
    problem: &'a Problem,
    run: &'a Trajectory,
    outputs: &'a Series<f64>,
    scales: Scales,
    /// The least and the largest value of every output.
    bounds: Vec<(f64, f64)>,
    turns: Vec<f64>,
}

impl<'a> ErrorScales<'a> {
    /// Evaluates the scales of a run.
    ///
    /// # Errors
    /// [`SimulationError::OtherProblem`] for a run of another problem.
    pub fn new(problem: &'a Problem, run: &'a Trajectory, outputs: &'a Series<f64>) -> Result<Self, SimulationError> {
        /// Largest number of places at which scales are evaluated.
        const MAX_SCALE_PLACES: usize = 100;
        /// Least number of places at which scales are evaluated.
        const MIN_SCALE_PLACES: usize = 12;
        /// Number of steps between two places at which scales are evaluated.
        const STEPS_PER_PLACE: usize = 200;
        /// Number of states from which ranges are taken, at least, where there are more.
        const MIN_RANGE_STATES: usize = 1000;
        run.conditions().check(&problem.conditions())?;
        let steps = run.steps();
        let places = (steps / STEPS_PER_PLACE).clamp(MIN_SCALE_PLACES, MAX_SCALE_PLACES);
        let strides = ((steps / MIN_RANGE_STATES).max(1), steps.div_ceil(places).max(1));
        let (scales, description) = (run.system().scales(problem, run, strides), problem.description());
        let mut bounds = vec![(f64::INFINITY, f64::NEG_INFINITY); outputs.width()];
        for k in 0..outputs.samples() {
            for (bounds, value) in bounds.iter_mut().zip(outputs.row(k)) {
                *bounds = (bounds.0.min(*value), bounds.1.max(*value));
            }
        }
        let mut turns = vec![0.0; description.coordinates.len()];
        turns.extend(
            bounds.iter().enumerate().map(|(k, bounds)| turn(description.outputs[k].unit, outputs, k, *bounds)),
        );
        Ok(Self { problem, run, outputs, scales, bounds, turns })
    }

    pub fn own(&self) -> Own<'_> {
        let Self { problem, run, outputs, turns, .. } = self;
        Own { problem, run, outputs, turns }
    }

    /// Checks whether nothing moves, whatever the step is, but for rounding.
    pub fn rests(&self, differences: &Differences) -> bool {
        /// Largest range and difference of a coordinate of a run that rests, relative to the largest coordinate in the
        /// same unit.
        const REST_ROUNDING: f64 = 1e-13;
        let coordinates = self.problem.description().coordinates;
        let magnitude = |j: usize| differences.bounds[j].0.abs().max(differences.bounds[j].1.abs());
        (0..coordinates.len()).all(|j| {
            let alike = (0..coordinates.len()).filter(|&i| coordinates[i].unit == coordinates[j].unit);
            let largest = alike.fold(0.0, |most: f64, i| most.max(magnitude(i)));
            let limit = REST_ROUNDING * largest;
            self.scales.ranges[j] <= limit && differences.largest[j].0.abs() <= limit
        })
    }

    /// Estimates the accuracy from differences to a run with so many `times` the step: the error of a coordinate or
    /// output is `part` of its index times its difference, and errors fall with the power `order` of the step.
    pub fn accuracy(
        &self,
        (differences, times): (&Differences, f64),
        part: impl Fn(usize) -> f64,
        order: u32,
    ) -> Accuracy {
        /// Smallest scale of an output, relative to the range that it reaches by the ranges of the state: smaller
        /// changes are rounding.
        const MIN_OUTPUT_SCALE: f64 = 1e-6;
        /// Smallest scale of an output that is no linear function of velocities, such as an energy, relative to the
        /// range that it reaches by the ranges of the state: its terms oscillate.
        const MIN_CURVED_OUTPUT_SCALE: f64 = 0.1;
        /// Smallest range, relative to the largest magnitude: smaller ranges are rounding.
        const MIN_RANGE_RATIO: f64 = 1e-9;
        /// Ratio of the ranges of an output in two runs, over that of their steps, up to which the output moves only
        /// because of the error, which is at least of first order.
        const MAX_CONSTANT_RATIO: f64 = 1.4;
        let (run, scales, n) = (self.run, &self.scales, self.problem.description().coordinates.len());
        let rests = self.rests(differences);
        let estimate = |quantity: Quantity, j: usize, range: f64, scales: &[(f64, ScaleKind)]| {
            let (difference, step) = differences.largest[j];
            let (difference, step) = if rests && difference.is_finite() { (0.0, 0) } else { (difference, step) };
            let (error, time) = (difference * part(j), run.time(step));
            let larger =
                |most: (f64, ScaleKind), other: &(f64, ScaleKind)| if other.0 > most.0 { *other } else { most };
            let (scale, kind) = scales.iter().fold((range, ScaleKind::Range), larger);
            ErrorEstimate { quantity, error, time, range, scale, kind }
        };
        let coordinate = |j: usize| {
            let (least, largest) = differences.bounds[j];
            let counts = scales.counting_range(j).max(MIN_RANGE_RATIO * least.abs().max(largest.abs()));
            estimate(self.problem.description().coordinates[j], j, scales.ranges[j], &[(counts, ScaleKind::Least)])
        };
        let output = |k: usize| {
            let ((least, largest), others) = (self.bounds[k], differences.bounds[n + k]);
            let (range, of_others) = ((largest - least).max(0.0), (others.1 - others.0).max(0.0));
            let (magnitude, reached) = (least.abs().max(largest.abs()), scales.reached[k]);
            let (finer, coarser) = if times < 1.0 { (of_others, range) } else { (range, of_others) };
            let counts = if finer < MAX_CONSTANT_RATIO * times.min(1.0 / times) * coarser {
                reached
            } else if scales.is_curved[k] {
                MIN_CURVED_OUTPUT_SCALE * reached
            } else {
                MIN_OUTPUT_SCALE * reached
            };
            let turn = self.turns[n + k];
            let all = [(magnitude, ScaleKind::Magnitude), (turn, ScaleKind::Turn), (counts, ScaleKind::Terms)];
            estimate(self.problem.description().outputs[k], n + k, range, &all)
        };
        Accuracy {
            step: run.step(),
            tolerance: match self.problem.settings().steps {
                Steps::Adaptive { tolerance } => Some(tolerance),
                Steps::Constant => None,
            },
            end: run.time(run.steps()),
            order,
            coordinates: (0..n).map(coordinate).collect(),
            outputs: (0..self.outputs.width()).map(output).collect(),
            unseen: None,
            negative_mass: None,
            jump: None,
            kink: None,
            swings: false,
            following_step: None,
            undefined_outputs: self.undefined_outputs(),
            judged: self.problem.judged().map(<[usize]>::to_vec),
            is_rounding: false,
            is_bound: self.problem.step_plan().is_some_and(|plan| plan.longest_part() > 0.5),
        }
    }

    /// Returns an accuracy whose errors are unknown (NaN).
    pub fn unknown(&self) -> Accuracy {
        let width = self.problem.description().coordinates.len() + self.outputs.width();
        let bounds = vec![(0.0, 0.0); width];
        let unknown =
            Differences { largest: vec![(f64::NAN, 0); width], at_every_other: vec![f64::NAN; width], bounds };
        self.accuracy((&unknown, 1.0), |_| 1.0, 1)
    }

    /// Finds the judged outputs that are no finite number somewhere.
    fn undefined_outputs(&self) -> Vec<UndefinedOutput> {
        let outputs = self.problem.description().outputs.iter().enumerate();
        let judged = outputs.filter(|(index, _)| self.problem.judged().is_none_or(|judged| judged.contains(index)));
        let first = judged.filter_map(|(index, quantity)| {
            let mut values = (0..self.outputs.samples()).map(|k| (k, self.outputs.row(k)[index]));
            let (sample, value) = values.find(|(_, value)| !value.is_finite())?;
            let time = self.run.time(self.run.step_of_sample(sample));
            Some(UndefinedOutput { output: quantity.name, index, sample, time, value })
        });
        first.collect()
    }
}

/// Returns a full turn of an output that is an angle and comes back to where it was, else 0.
fn turn(unit: &str, outputs: &Series<f64>, k: usize, (least, largest): (f64, f64)) -> f64 {
    /// Jump of an angle, as a fraction of a full turn, from which on the angle has come back by a full turn.
    const FULL_TURN_JUMP: f64 = 0.6;
    let turn = match unit {
        "rad" => std::f64::consts::TAU,
        "deg" => 360.0,
        _ => return 0.0,
    };
    let jumps =
        (1..outputs.samples()).any(|i| (outputs.row(i)[k] - outputs.row(i - 1)[k]).abs() > FULL_TURN_JUMP * turn);
    if jumps && largest - least <= 1.001 * turn { turn } else { 0.0 }
}
