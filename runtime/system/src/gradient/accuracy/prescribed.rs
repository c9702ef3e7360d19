//! Motions that constraints prescribe, in steps that may be too long for them: their states are exact at any step, but
//! a long step may end in another assembly of the mechanism.

use crate::problem::SimulationError;
use crate::run::Trajectory;
use crate::series::Series;

use super::compare::{Differences, Own};

/// Numbers of times that steps are halved to find those that follow a motion.
const HALVINGS: [u32; 4] = [2, 4, 6, 8];

/// Returns true if the positions at the ends of all steps follow from one another by the velocities at both ends.
pub(super) fn follows(run: &Trajectory) -> bool {
    /// Largest distance of a position from that by the mean velocity of a step, relative to the range of the
    /// coordinate: that of a crank which turns by 1 rad is 0.04, and another assembly is a large part of the range
    /// away.
    const MAX_DISTANCE: f64 = 0.05;
    /// Range of a coordinate, relative to the largest of all, up to which it is rounding.
    const ROUNDING: f64 = 1e-12;
    let bounds = |j: usize| {
        let positions = (0..=run.steps()).map(|i| run.coordinates(i)[j]);
        positions.fold((f64::INFINITY, f64::NEG_INFINITY), |(least, largest), q| (q.min(least), q.max(largest)))
    };
    let range = |j| {
        let (least, largest) = bounds(j);
        largest - least
    };
    let ranges: Vec<f64> = (0..run.description().coordinates.len()).map(range).collect();
    let rounding = ROUNDING * ranges.iter().copied().fold(0.0, f64::max);
    ranges.iter().enumerate().filter(|(_, range)| **range > rounding).all(|(j, range)| {
        (1..=run.steps()).all(|i| {
            let mean = 0.5 * (run.velocities(i - 1)[j] + run.velocities(i)[j]);
            let change = run.coordinates(i)[j] - run.coordinates(i - 1)[j];
            (change - mean * (run.time(i) - run.time(i - 1))).abs() <= MAX_DISTANCE * range
        })
    })
}

/// A run whose steps follow a prescribed motion, in place of one whose steps may not.
pub(super) struct Followed {
    /// The differences to the run.
    pub differences: Differences,
    /// The longest step in s.
    pub step: f64,
}

/// Compares a run whose steps are too long to follow its motion with one of shorter steps that do; `None` where none of
/// those that are tried do.
///
/// # Errors
/// [`SimulationError::Interrupted`], and others of a run with shorter steps.
pub(super) fn followed(own: Own<'_>) -> Result<Option<Followed>, SimulationError> {
    let (mut finer, mut halved) = (own.problem.clone().without_progress(), 0);
    for halvings in HALVINGS {
        while halved < halvings {
            (finer, halved) = (finer.refined()?, halved + 1);
        }
        let run = finer.forward(own.run.parameters())?;
        if follows(&run) {
            let differences = differences(own, &run, &run.outputs());
            return Ok(Some(Followed { differences, step: own.run.step() / f64::from(1 << halvings) }));
        }
    }
    Ok(None)
}

/// Returns the differences to a run with the same samples.
fn differences(own: Own<'_>, run: &Trajectory, outputs: &Series<f64>) -> Differences {
    let width = own.run.coordinates(0).len() + own.outputs.width();
    let mut found = Differences::zeros(width);
    for k in 0..own.run.samples() {
        let others = || run.coordinates(run.step_of_sample(k)).iter().chain(outputs.row(k));
        found.widen(others());
        found.take(own, (k, own.run.step_of_sample(k)), others());
    }
    found
}
