//! The inertia of the plate from records with low and with high excitation, by two filters that run over them
//! repeatedly (KE 4.1).

use std::thread;

use anyhow::{Result, anyhow};
use costate::filter::{KalmanMethod, Sample, SigmaPoints, StateSpace, Step};
use costate::restoring_force::Exponents;
use costate_examples::processor_time;
use costate_models::restoring_force::inverse_inertia;
use nalgebra::DMatrix;
use serde::Serialize;

use crate::plate_model::{EXPECTED, identification, model};
use crate::program::measurement::Measurement;

/// The unknown entries mu12, mu13, mu22, mu23, mu33 of M^-1; mu11 is known (KE 4.8).
pub const UNKNOWN: [(usize, usize); 5] = [(0, 1), (0, 2), (1, 1), (1, 2), (2, 2)];

/// Strength of the excitation.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Load {
    Low,
    High,
}

/// Estimates of M^-1 by a filter.
#[derive(Debug, Clone)]
pub struct Estimate {
    pub load: Load,
    pub filter: &'static str,
    /// M^-1 after each run over the record.
    pub matrices: Vec<DMatrix<f64>>,
    /// Processor time of one run, relative to that of a simulation of the model with the expected values (KE 3.5).
    pub normed_time: f64,
}

impl Estimate {
    /// Returns M^-1 after the last run.
    pub fn last(&self) -> Option<&DMatrix<f64>> {
        self.matrices.last()
    }

    /// Computes the average error of the entries in percent, after each run.
    pub fn errors(&self) -> Vec<f64> {
        let truth = inverse_inertia();
        let of = |matrix: &DMatrix<f64>| {
            let sum: f64 = UNKNOWN.iter().map(|&at| (matrix[at] / truth[at] - 1.0).abs()).sum();
            100.0 * sum / UNKNOWN.len() as f64
        };
        self.matrices.iter().map(of).collect()
    }
}

/// Returns the first guess, a diagonal matrix.
pub fn guess() -> DMatrix<f64> {
    let mut start = DMatrix::from_diagonal_element(3, 3, 0.3);
    start[(0, 0)] = inverse_inertia()[(0, 0)];
    start
}

/// Returns the unknown entries.
pub fn entries(matrix: &DMatrix<f64>) -> [f64; 5] {
    UNKNOWN.map(|at| matrix[at])
}

/// Runs both filters on both records: extended and square-root unscented with low excitation, then with high
/// excitation.
pub fn estimates(weak: &Measurement, strong: &Measurement, iterations: usize) -> Result<Vec<Estimate>> {
    let simulation = simulation_time(strong)?;
    thread::scope(|scope| {
        let mut tasks = Vec::new();
        for (load, measurement) in [(Load::Low, weak), (Load::High, strong)] {
            for is_extended in [true, false] {
                tasks.push(scope.spawn(move || estimate(load, measurement, is_extended, iterations, simulation)));
            }
        }
        let joined = tasks.into_iter().map(|task| task.join().map_err(|_| anyhow!("a thread ended early"))?);
        joined.collect()
    })
}

/// Runs one filter; its time is divided by the time `simulation` of a simulation.
fn estimate(
    load: Load,
    measurement: &Measurement,
    is_extended: bool,
    iterations: usize,
    simulation: f64,
) -> Result<Estimate> {
    let (filter, method) = match is_extended {
        true => ("EKF", KalmanMethod::Extended),
        false => ("SR-UKF", KalmanMethod::SquareRootUnscented(SigmaPoints::default())),
    };
    let mut identification = identification(measurement, guess(), &UNKNOWN)?
        .method(method)
        .exponents(Exponents { stiffness: -4.0, damping: -6.0, inertia: -4.0 })
        .inertia_deviations(&[0.05, 0.05, 0.15, 0.05, 0.15])?;
    if load == Load::Low {
        // At rest at first: a hundredth of the later deformations and rates.
        identification = identification.motion(&[(1e-18, 3e-12); 3])?;
    }
    let before = processor_time();
    let matrices = identification.iterate_inertia(&measurement.base, &measurement.accelerations, iterations)?;
    let run = (processor_time() - before).as_secs_f64() / iterations as f64;
    Ok(Estimate { load, filter, matrices, normed_time: run / simulation })
}

/// Measures the time in s of a simulation of the filter's model with the expected values, the shortest of several.
fn simulation_time(measurement: &Measurement) -> Result<f64> {
    let mut shortest = f64::INFINITY;
    for _ in 0..5 {
        shortest = shortest.min(simulate(measurement)?);
    }
    Ok(shortest)
}

fn simulate(measurement: &Measurement) -> Result<f64> {
    let mut model = model(inverse_inertia(), &[])?;
    let (mut x, mut next, mut measured) = (vec![0.0; 12], vec![0.0; 12], [0.0; 3]);
    for j in 0..3 {
        (x[6 + j], x[9 + j]) = (EXPECTED.stiffness, EXPECTED.damping);
    }
    let before = processor_time();
    for (i, inputs) in measurement.base.windows(2).enumerate() {
        let (time, interval) = (i as f64 * measurement.interval, measurement.interval);
        let (inputs_before, inputs) = inputs.split_at(1);
        model.advance(&Step { time, interval, inputs_before, inputs }, &x, &mut next)?;
        std::mem::swap(&mut x, &mut next);
        model.measure(&Sample { time: time + interval, inputs }, &x, &mut measured);
    }
    Ok((processor_time() - before).as_secs_f64())
}
