//! Work-precision diagrams: processor time of runs and gradients of several orders over their errors.

use std::time::Duration;

use anyhow::Result;
use costate::cost::{Cost, LeastSquares, Quadrature};
use costate::simulate::Problem;
use costate::{Model, Parameter, Simulation, gradient};
use costate_examples::processor_time;
use serde::Serialize;

use crate::study::{Kinds, Results, Study, errors};

/// The orders that are compared.
pub const ORDERS: [u32; 3] = [2, 4, 6];

/// Order of the reference, and its number of samples over that of the finest run of this order.
const ORDER_OF_REFERENCE: u32 = 6;
const FINER_REFERENCE: usize = 2;

/// Errors for which the times of all orders are compared: of positions, and of gradients.
const ERROR_OF_POSITIONS: f64 = 1e-6;
const ERROR_OF_GRADIENTS: f64 = 1e-8;

/// Errors that are rounding: shorter steps are not tried.
const ROUNDING: f64 = 1e-11;

/// Processor time after which a run is not repeated, many ticks of the system's clock, and repetitions at most.
const MIN_TIME: Duration = Duration::from_millis(60);
const MAX_REPETITIONS: u32 = 500;

/// A run and its gradient.
#[derive(Debug, Clone, Copy, Serialize)]
pub struct Point {
    /// Number of samples after the first one.
    pub samples: usize,
    /// Processor time of the run in s.
    pub run: f64,
    /// Processor time of the run and the gradient in s.
    pub gradient: f64,
    /// Errors relative to the largest value of the kind.
    #[serde(flatten)]
    pub of: Kinds,
}

/// Runs of one order, from the longest step to the shortest one.
#[derive(Debug, Clone, Serialize)]
pub struct OfOrder {
    /// The order.
    pub order: u32,
    /// The runs.
    pub points: Vec<Point>,
    /// The time for relative errors of 1e-6 in the positions, of a run.
    pub to_positions: Reached,
    /// The time for relative errors of 1e-8 in the gradient, of a run and its gradient.
    pub to_gradients: Reached,
}

/// The processor time for an error.
#[derive(Debug, Clone, Copy, Serialize)]
pub struct Reached {
    /// The time in s.
    pub time: f64,
    /// The time over that of the second order.
    pub share: f64,
    /// True if no run has so small an error: the time follows from the order.
    pub is_expected: bool,
}

impl<M: Model> Study<M> {
    /// Compares the orders, each from a quarter of the study's steps on, to this number of doublings.
    pub fn precision(&self, doublings: u32) -> Result<Vec<OfOrder>> {
        let first = (self.steps / 4).max(1);
        let finest = FINER_REFERENCE * (first << doublings);
        let (reference, ..) = self.timed(ORDER_OF_REFERENCE, finest, first)?;
        let of_order = |order: u32| {
            let mut points: Vec<Point> = Vec::new();
            for doubled in 0..=doublings {
                let samples = first << doubled;
                // long steps may end at a singular position
                let Ok((results, run, gradient)) = self.timed(order, samples, first) else { continue };
                points.push(Point { samples, run, gradient, of: errors(&results, &reference) });
                let is_exact = points.last().is_some_and(|one| one.of.q.max(one.of.gradient.unwrap_or(0.0)) < ROUNDING);
                if is_exact {
                    break;
                }
            }
            let of_positions: Vec<_> = points.iter().map(|point| (point.of.q, point.run)).collect();
            let of_gradients = points.iter().filter_map(|point| Some((point.of.gradient?, point.gradient)));
            let to_positions = time_for(&of_positions, ERROR_OF_POSITIONS, order);
            let to_gradients = time_for(&of_gradients.collect::<Vec<_>>(), ERROR_OF_GRADIENTS, order);
            Ok(OfOrder { order, points, to_positions, to_gradients })
        };
        let mut all = ORDERS.into_iter().map(of_order).collect::<Result<Vec<_>>>()?;
        if let Some((positions, gradients)) = all.first().map(|one| (one.to_positions.time, one.to_gradients.time)) {
            for one in &mut all {
                one.to_positions.share = one.to_positions.time / positions;
                one.to_gradients.share = one.to_gradients.time / gradients;
            }
        }
        Ok(all)
    }

    /// Computes the state at the end and the gradient of a cost of `compared` samples, with their times in s.
    fn timed(&self, order: u32, samples: usize, compared: usize) -> Result<(Results, f64, f64)> {
        let simulation = Simulation::new(&self.model).order(order).step(self.end / samples as f64).until(self.end);
        let problem = simulation.error_limit(None).problem()?;
        let (mut run, mut gradient, mut repetitions) = (Duration::ZERO, Duration::ZERO, 0);
        loop {
            let (results, of_run, of_gradient) = self.timed_once(&problem, compared)?;
            (run, gradient, repetitions) = (run + of_run, gradient + of_gradient, repetitions + 1);
            if run >= MIN_TIME || repetitions == MAX_REPETITIONS {
                let [run, both] = [run, run + gradient].map(|time| time.as_secs_f64() / f64::from(repetitions));
                return Ok((results, run, both));
            }
        }
    }

    fn timed_once(&self, problem: &Problem, compared: usize) -> Result<(Results, Duration, Duration)> {
        let parameters = self.model.parameters();
        let begun = processor_time();
        let run = problem.forward(parameters.as_ref())?;
        let of_run = processor_time() - begun;
        let outputs = run.outputs();
        let times: Vec<f64> = (0..=compared).map(|i| self.end * i as f64 / compared as f64).collect();
        let cost = LeastSquares::new(outputs.step(), outputs.samples(), Quadrature::Trapezoid);
        let cost = cost.with_channel(self.output, &times, &vec![0.0; times.len()], 1.0)?;
        let by_outputs = cost.output_gradient(&outputs);
        let unknown: Vec<Parameter<M>> = Parameter::all().collect();
        let begun = processor_time();
        let gradient = gradient(problem, &run, &by_outputs, &unknown)?;
        let of_gradient = processor_time() - begun;
        let scaled = gradient.iter().zip(parameters.as_ref()).map(|(derivative, p)| derivative * p).collect();
        let end = run.step_of_sample(outputs.samples() - 1);
        let [q, v, a, lambda] =
            [run.coordinates(end), run.velocities(end), run.accelerations(end), run.multipliers(end)]
                .map(<[f64]>::to_vec);
        Ok(([q, v, a, lambda, scaled], of_run, of_gradient))
    }
}

/// Returns the time for this error, between two runs with a larger and a smaller one, on logarithmic axes; beyond the
/// last run, as the order promises.
fn time_for(runs: &[(f64, f64)], wanted: f64, order: u32) -> Reached {
    let at = runs.iter().position(|(error, _)| *error <= wanted);
    let (time, is_expected) = match (at.and_then(|at| Some((runs.get(at)?, runs.get(at.wrapping_sub(1))))), runs.last())
    {
        (Some(((error, time), Some((before, shorter)))), _) => {
            let share = (before / wanted).ln() / (before / error).ln();
            (shorter * (time / shorter).powf(share), false)
        }
        (Some(((_, time), None)), _) => (*time, false),
        (None, Some((error, time))) => (time * (error / wanted).powf(f64::from(order).recip()), true),
        (None, None) => (f64::INFINITY, true),
    };
    Reached { time, share: 1.0, is_expected }
}
