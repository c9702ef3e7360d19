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
    /// Processor time in s of a run with relative errors of 1e-6 in the positions; `None` if none has so small ones.
    pub to_positions: Option<f64>,
    /// Processor time in s of a run and a gradient with relative errors of 1e-8; `None` if none has so small ones.
    pub to_gradients: Option<f64>,
}

impl<M: Model> Study<M> {
    /// Compares the orders, each from a quarter of the study's steps on, to this number of doublings.
    pub fn precision(&self, doublings: u32) -> Result<Vec<OfOrder>> {
        let first = (self.steps / 4).max(1);
        let finest = FINER_REFERENCE * (first << doublings);
        let (reference, ..) = self.timed(ORDER_OF_REFERENCE, finest, first)?;
        let of_order = |order: u32| {
            let mut points = Vec::new();
            for doubled in 0..=doublings {
                let samples = first << doubled;
                // long steps of high order may end at a singular position
                let Ok((results, run, gradient)) = self.timed(order, samples, first) else { continue };
                points.push(Point { samples, run, gradient, of: errors(&results, &reference) });
            }
            let to_positions = time_for(&points, ERROR_OF_POSITIONS, |point| (point.of.q, point.run));
            let of_gradient = |point: &Point| (point.of.gradient.unwrap_or(f64::INFINITY), point.gradient);
            let to_gradients = time_for(&points, ERROR_OF_GRADIENTS, of_gradient);
            Ok(OfOrder { order, points, to_positions, to_gradients })
        };
        ORDERS.into_iter().map(of_order).collect()
    }

    /// Computes the state at the end and the gradient of a cost of `compared` samples, with their times in s.
    fn timed(&self, order: u32, samples: usize, compared: usize) -> Result<(Results, f64, f64)> {
        let simulation = Simulation::new(&self.model).order(order).step(self.end / samples as f64).until(self.end);
        let problem = simulation.error_limit(None).problem()?;
        let mut best: Option<(Results, f64, f64)> = None;
        for _ in 0..REPETITIONS {
            let (results, run, gradient) = self.timed_once(&problem, compared)?;
            let [run, gradient] = [run, run + gradient].map(|time| time.as_secs_f64());
            let (before, with) = best.as_ref().map_or((f64::INFINITY, f64::INFINITY), |(_, a, b)| (*a, *b));
            best = Some((results, run.min(before), gradient.min(with)));
        }
        best.ok_or_else(|| anyhow::anyhow!("nothing was repeated"))
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

/// Number of runs of which the shortest one counts.
const REPETITIONS: usize = 3;

/// Returns the time for this error, between the two runs whose errors are on both sides of it, on logarithmic axes;
/// that of the longest step where all errors are smaller.
fn time_for(points: &[Point], wanted: f64, of: impl Fn(&Point) -> (f64, f64)) -> Option<f64> {
    let found: Vec<(f64, f64)> = points.iter().map(of).collect();
    let at = found.iter().position(|(error, _)| *error <= wanted)?;
    let (error, time) = found[at];
    let Some((before, shorter)) = at.checked_sub(1).map(|before| found[before]) else { return Some(time) };
    let share = (before / wanted).ln() / (before / error).ln();
    Some(shorter * (time / shorter).powf(share))
}
