//! What the errors of a run are compared with.

use super::trajectory::Trajectory;
use crate::block::find;
use crate::model::{Block, Function, Model};

use crate::step::{LinearStep, StepConstants};

/// A coordinate counts from this part of the run's largest work on.
const LEAST_WORK: f64 = 1e-3;

/// How far a run moves, and what is reached by that.
pub(crate) struct Scales {
    /// Of all numbers of a state (3n + m).
    pub ranges: Vec<f64>,
    /// The largest forces along the coordinates, those of inertia among them (n).
    forces: Vec<f64>,
    /// How much the outputs would vary if all that they depend on added up.
    pub reached: Vec<f64>,
}

impl Scales {
    /// By every `stride`-th step of the run.
    pub fn new<M: Model>(run: &Trajectory<M, f64>, stride: usize, outputs: usize) -> Self {
        let rows = (0..=run.steps()).step_by(stride).map(|i| run.of_step(i));
        let ranges = ranges(rows, 3 * LinearStep::<M>::N + LinearStep::<M>::M);
        Self { ranges, forces: vec![0.0; LinearStep::<M>::N], reached: vec![0.0; outputs] }
    }

    /// Looks at the state where all is evaluated.
    pub fn take<M: Model>(&mut self, linear: &LinearStep<M>, constants: &StepConstants<M, f64>) {
        let residual = linear.residual(constants);
        for function in [Function::Inertia, Function::ForceResidual] {
            let block: &Block = find(M::DESCRIPTION.groups.residual, function, None);
            for (j, _, force) in block.iter(residual.as_ref()) {
                self.forces[j] = self.forces[j].max(force.abs());
            }
        }
        let (n, blocks) = (LinearStep::<M>::N, &linear.blocks);
        let of_states = [blocks.output_q, blocks.output_v, blocks.output_a, blocks.output_lambda];
        let mut reached = vec![0.0; self.reached.len()];
        for (block, start) in of_states.into_iter().zip([0, n, 2 * n, 3 * n]) {
            for (output, j, derivative) in block.iter(linear.outputs()) {
                reached[output] += derivative.abs() * self.ranges[start + j];
            }
        }
        self.reached.iter_mut().zip(reached).for_each(|(most, now)| *most = most.max(now));
    }

    /// The range of coordinate j along which as much work is done as counts.
    pub fn least_range(&self, j: usize) -> f64 {
        let work = self.forces.iter().zip(&self.ranges).map(|(force, range)| force * range);
        let counts = LEAST_WORK * work.fold(0.0, f64::max);
        if self.forces[j] > 0.0 { counts / self.forces[j] } else { 0.0 }
    }
}

/// Largest minus least value of every column of these rows.
pub(crate) fn ranges<'a>(rows: impl Iterator<Item = &'a [f64]>, width: usize) -> Vec<f64> {
    let mut bounds = vec![(f64::INFINITY, f64::NEG_INFINITY); width];
    for row in rows {
        for ((least, largest), &value) in bounds.iter_mut().zip(row) {
            (*least, *largest) = (least.min(value), largest.max(value));
        }
    }
    bounds.into_iter().map(|(least, largest)| (largest - least).max(0.0)).collect()
}
