//! One step of the HHT method from any state, DA (12) to (15).

use crate::integrator::{Rows, SimulationError, State, Unknown};
use crate::linalg::Singular;
use crate::model::Model;
use crate::problem::Problem;
use crate::scalar::Vector;
use crate::step_matrix::StepMatrix;

/// Largest number of iterations.
const MOST_ITERATIONS: usize = 20;
/// Change of the unknowns, relative to their size, with which the iteration ends: quadratic convergence makes the next
/// one smaller than rounding.
const TOLERANCE: f64 = 1e-10;

/// The numbers of the scheme.
#[derive(Debug, Clone, Copy)]
pub(super) struct Scheme {
    pub h: f64,
    pub inertia: f64,
    pub previous: f64,
    pub q_of_a: f64,
    pub v_of_a: f64,
    pub q_of_old_a: f64,
    pub v_of_old_a: f64,
}

impl Scheme {
    pub fn of<M: Model>(problem: &Problem<M>) -> Self {
        let settings = problem.settings();
        let (h, weights) = (settings.step, settings.weights());
        Self {
            h,
            inertia: weights.accelerations,
            previous: settings.history_weight(),
            q_of_a: weights.coordinates,
            v_of_a: weights.velocities,
            q_of_old_a: h * h * (0.5 - settings.beta()),
            v_of_old_a: h * (1.0 - settings.gamma()),
        }
    }
}

/// Work space of a step.
pub(super) struct Newton<M: Model> {
    residual: M::Residual<f64>,
    rows: Rows,
    history: M::Coordinates<f64>,
    predicted: [M::Coordinates<f64>; 2],
    correction: M::Unknowns<f64>,
    pub matrix: StepMatrix<M>,
}

impl<M: Model> Newton<M> {
    const N: usize = <M::Coordinates<f64> as Vector<f64>>::LENGTH;

    pub fn new() -> Self {
        let groups = M::DESCRIPTION.groups;
        Self {
            residual: Vector::zeros(),
            rows: Rows::of(groups.residual),
            history: Vector::zeros(),
            predicted: std::array::from_fn(|_| Vector::zeros()),
            correction: Vector::zeros(),
            matrix: StepMatrix::new(groups.newton),
        }
    }

    /// From `state` at t_{i-1} to t_i, in place.
    pub fn step(
        &mut self,
        scheme: Scheme,
        time: f64,
        inputs: [&M::Inputs<f64>; 2],
        constants: &M::Constants<f64>,
        state: &mut State<M, f64>,
    ) -> Result<(), SimulationError> {
        M::residual(&state.point(time, inputs[0], constants), &mut self.residual);
        let force_residual = self.rows.force_residual.values(self.residual.as_ref());
        for (to, from) in self.history.as_mut().iter_mut().zip(force_residual) {
            *to = scheme.previous * from;
        }
        let [q, v] = &mut self.predicted;
        for j in 0..Self::N {
            let a = state.accelerations.as_ref()[j];
            let velocity = state.velocities.as_ref()[j];
            q.as_mut()[j] = state.coordinates.as_ref()[j] + scheme.h * velocity + scheme.q_of_old_a * a;
            v.as_mut()[j] = velocity + scheme.v_of_old_a * a;
        }
        self.integrate(scheme, state);
        let time = time + scheme.h;
        let mut last = [f64::INFINITY; 2];
        for iteration in 1..=MOST_ITERATIONS {
            let factorised =
                self.matrix.evaluate(&state.point(time, inputs[1], constants), &mut self.residual);
            factorised.map_err(|singular| singular_step::<M>(time, &singular))?;
            self.fill(scheme, time)?;
            self.matrix.solve(constants, &mut self.correction);
            let (motion, rest) = self.correction.as_ref().split_at(Self::N);
            let change = [largest(motion), largest(rest)];
            for (a, change) in state.accelerations.as_mut().iter_mut().zip(motion) {
                *a += change;
            }
            for (lambda, change) in state.multipliers.as_mut().iter_mut().zip(rest) {
                *lambda += change;
            }
            self.integrate(scheme, state);
            let size = [largest(state.accelerations.as_ref()), largest(state.multipliers.as_ref())];
            let small = |k: usize| change[k] <= TOLERANCE * size[k] || (change[k] == 0.0);
            // Rounding: no change that matters to positions, and none that still decreases.
            let stalled = iteration > 3 && change[0] >= 0.5 * last[0] && change[0] <= 1e-6 * size[0];
            if (small(0) && small(1)) || stalled {
                return Ok(());
            }
            last = change;
        }
        Err(SimulationError::Newton {
            time,
            step: 0,
            iterations: MOST_ITERATIONS,
            update: last[0],
            allowed: TOLERANCE * largest(state.accelerations.as_ref()),
            unknown: Unknown::at(&M::DESCRIPTION, 0),
        })
    }

    fn integrate(&self, scheme: Scheme, state: &mut State<M, f64>) {
        let [q, v] = &self.predicted;
        for j in 0..Self::N {
            let a = state.accelerations.as_ref()[j];
            state.coordinates.as_mut()[j] = q.as_ref()[j] + scheme.q_of_a * a;
            state.velocities.as_mut()[j] = v.as_ref()[j] + scheme.v_of_a * a;
        }
    }

    /// The negative residual.
    fn fill(&mut self, scheme: Scheme, time: f64) -> Result<(), SimulationError> {
        let group = self.residual.as_ref();
        let (inertia, force) = (self.rows.inertia.values(group), self.rows.force_residual.values(group));
        let constraints = self.rows.constraint.values(group);
        let (motion, rest) = self.correction.as_mut().split_at_mut(Self::N);
        for (j, row) in motion.iter_mut().enumerate() {
            *row = -(scheme.inertia * inertia[j] + force[j] - self.history.as_ref()[j]);
        }
        for (row, constraint) in rest.iter_mut().zip(constraints) {
            *row = -constraint / scheme.q_of_a;
        }
        match self.correction.as_ref().iter().position(|row| !row.is_finite()) {
            None => Ok(()),
            Some(row) => Err(SimulationError::NotFinite {
                time,
                step: 0,
                equation: Unknown::at(&M::DESCRIPTION, row),
                value: self.correction.as_ref()[row],
            }),
        }
    }
}

pub(super) fn singular_step<M: Model>(time: f64, singular: &Singular) -> SimulationError {
    SimulationError::Singular {
        time,
        step: 0,
        unknown: Unknown::at(&M::DESCRIPTION, singular.column),
        pivot: singular.pivot,
        limit: singular.limit,
    }
}

fn largest(values: &[f64]) -> f64 {
    values.iter().fold(0.0, |most: f64, value| most.max(value.abs()))
}
