//! One step of the HHT method from any state, DA (12) to (15).

use super::iterate::{Iterate, MOST_ITERATIONS, TOLERANCE, largest};
use crate::evaluate;
use crate::linalg::Singular;
use crate::model::{Model, Point, Weights};
use crate::scalar::Vector;
use crate::step::{Rows, State, StepError, StepMatrix, Unknown};

/// The number i of the step that ends at the time t_i = i h.
pub(super) fn step_at(time: f64, h: f64) -> usize {
    (time / h).round() as usize
}

/// Work space of a step.
pub(super) struct Newton<M: Model> {
    iterate: Iterate<M, f64>,
    rows: Rows,
    pub matrix: StepMatrix<M>,
}

impl<M: Model> Newton<M> {
    const N: usize = <M::Coordinates<f64> as Vector<f64>>::LENGTH;

    pub fn new() -> Self {
        let groups = M::DESCRIPTION.groups;
        Self {
            iterate: Iterate::new(),
            rows: Rows::of(groups.residual),
            matrix: StepMatrix::new(groups.newton).prepared(),
        }
    }

    /// From `state` at t_{i-1} to t_i, in place.
    pub fn step(
        &mut self,
        weights: &Weights,
        time: f64,
        inputs: [&M::Inputs<f64>; 2],
        constants: &M::Constants<f64>,
        state: &mut State<M, f64>,
    ) -> Result<(), StepError> {
        if weights.previous != 0.0 {
            evaluate::residual(&state.point(time, inputs[0], constants), &mut self.iterate.residual);
        }
        self.iterate.begin(weights, state);
        let time = time + weights.step;
        for iteration in 1..=MOST_ITERATIONS {
            self.correct(weights, time, &state.point(time, inputs[1], constants))?;
            if self.iterate.apply(weights, iteration, true, state) {
                return Ok(());
            }
        }
        Err(self.not_converged(step_at(time, weights.step), time, state))
    }

    /// Names the unknown whose last change is the largest beside the allowed one.
    #[cold]
    fn not_converged(&self, step: usize, time: f64, state: &State<M, f64>) -> StepError {
        let sizes = [largest(state.accelerations.as_ref()), largest(state.multipliers.as_ref())];
        let allowed = |row: usize| TOLERANCE * sizes[usize::from(row >= Self::N)];
        let changes = self.iterate.correction.as_ref().iter().map(|change| change.abs()).enumerate();
        // a change that is no number is the worst
        let excess = |&(row, change): &(usize, f64)| match change / allowed(row) {
            excess if excess.is_nan() => {
                if change == 0.0 {
                    0.0
                } else {
                    f64::INFINITY
                }
            }
            excess => excess,
        };
        let worst = changes.max_by(|a, b| excess(a).total_cmp(&excess(b)));
        let (row, update) = worst.unwrap_or((0, self.iterate.change));
        StepError::Newton {
            time,
            step,
            iterations: MOST_ITERATIONS,
            update,
            allowed: allowed(row),
            unknown: Unknown::at(&M::DESCRIPTION, row),
            cause: crate::step::Stall::Divergence,
        }
    }

    /// The correction at an iterate, by the emitted function or with chosen pivots.
    fn correct(&mut self, weights: &Weights, time: f64, point: &Point<'_, M, f64>) -> Result<(), StepError> {
        let (Iterate { history, correction, .. }, matrix) = (&mut self.iterate, &mut self.matrix);
        let singular = |singular| singular_step::<M>(weights, time, &singular);
        if matrix.tries_emitted() {
            newton_correction(point, history, correction, &mut matrix.factors);
            if !matrix.accept() {
                matrix.check(point).map_err(singular)?;
            }
        } else {
            matrix.pivot(point).map_err(singular)?;
        }
        if matrix.is_emitted() && correction.as_ref().iter().all(|value| value.is_finite()) {
            return Ok(());
        }
        match matrix.is_emitted() {
            true => evaluate::residual(point, &mut self.iterate.residual),
            false => matrix.copy_residual(&mut self.iterate.residual),
        }
        self.fill(weights, time)?;
        self.matrix.solve(point.constants, &mut self.iterate.correction);
        Ok(())
    }

    /// The negative residual.
    fn fill(&mut self, weights: &Weights, time: f64) -> Result<(), StepError> {
        let Iterate { residual, history, correction, .. } = &mut self.iterate;
        let group = residual.as_ref();
        let (inertia, force) = (self.rows.inertia.values(group), self.rows.force_residual.values(group));
        let constraints = self.rows.constraint.values(group);
        let (motion, rest) = correction.as_mut().split_at_mut(Self::N);
        for (j, row) in motion.iter_mut().enumerate() {
            *row = -(weights.accelerations * inertia[j] + force[j] - history.as_ref()[j]);
        }
        for (row, constraint) in rest.iter_mut().zip(constraints) {
            *row = -constraint / weights.coordinates;
        }
        match correction.as_ref().iter().position(|row| !row.is_finite()) {
            None => Ok(()),
            Some(row) => Err(StepError::NotFinite {
                time,
                step: step_at(time, weights.step),
                equation: Unknown::at(&M::DESCRIPTION, row),
                value: correction.as_ref()[row],
            }),
        }
    }
}

/// The emitted function, compiled once.
#[inline(never)]
fn newton_correction<M: Model>(
    point: &Point<'_, M, f64>,
    history: &M::Coordinates<f64>,
    correction: &mut M::Unknowns<f64>,
    factors: &mut M::Factors<f64>,
) {
    M::newton_correction(point, history, correction, factors);
}

pub(super) fn singular_step<M: Model>(weights: &Weights, time: f64, singular: &Singular) -> StepError {
    StepError::Singular {
        time,
        step: step_at(time, weights.step),
        unknown: Unknown::at(&M::DESCRIPTION, singular.column),
        pivot: singular.pivot,
        limit: singular.limit,
    }
}
