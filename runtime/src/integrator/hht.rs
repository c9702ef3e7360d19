//! The HHT method for constrained systems (index 3), DA (12) to (15): with G = C_q^T lambda - f,
//!
//! ```text
//! q_i = q_{i-1} + h v_{i-1} + h^2/2 [(1 - 2 beta) a_{i-1} + 2 beta a_i]
//! v_i = v_{i-1} + h [(1 - gamma) a_{i-1} + gamma a_i]
//! (M a)_i/(1+alpha) + G_i - alpha/(1+alpha) G_{i-1} = 0
//! C(q_i)/(beta h^2) = 0
//! ```
//!
//! The unknowns of a step are (a_i, lambda_i). Residuals are evaluated in the number type S of the run, the Newton
//! matrix with plain numbers, and every component of S is corrected with the same factors: at convergence the
//! components are the exact derivatives of the computed solution.

use std::any::Any;

use crate::block::find;
use crate::integrator::error::{SimulationError, Unknown};
use crate::integrator::initial::initial_state;
use crate::integrator::newton::{Control, Sizes, Verdict};
use crate::integrator::rows::{Rows, add, are_finite, largest};
use crate::integrator::state::{State, lift_into, real_part};
use crate::integrator::statistics::Statistics;
use crate::linalg::Singular;
use crate::model::{Argument, Function, Model, Weights};
use crate::problem::Problem;
use crate::scalar::{Scalar, Vector};
use crate::step_matrix::StepMatrix;
use crate::trajectory::Trajectory;

mod snapshot;

pub(crate) use snapshot::Snapshot;

/// Simulates `problem` with `parameters`.
pub(crate) fn run<M: Model, S: Scalar>(
    problem: &Problem<M>,
    parameters: &M::Parameters<S>,
) -> Result<Trajectory<M, S>, SimulationError> {
    problem.poll(0)?;
    let initial = initial_state(problem, parameters)?;
    let numbers = (problem.steps() + 1) * Trajectory::<M, S>::STRIDE;
    let mut states = Vec::new();
    states
        .try_reserve_exact(numbers)
        .map_err(|_| SimulationError::OutOfMemory { needed: (numbers * size_of::<S>()) as u64 })?;
    let constants = problem.constants(parameters);
    let mut integrator = Hht::new(problem, parameters, &constants, initial);
    integrator.state.store(&mut states);
    for i in 1..=problem.steps() {
        integrator.step(i)?;
        integrator.state.store(&mut states);
        problem.poll(i)?;
    }
    let statistics = integrator.statistics();
    Ok(Trajectory::new(problem.settings().step, parameters.clone(), constants, states, statistics))
}

/// Everything that a step works on. What later steps depend on is kept by [`Snapshot`], and must be kept there.
pub(crate) struct Hht<'a, M: Model, S: Scalar> {
    problem: &'a Problem<M>,
    weights: Weights,
    constants: &'a M::Constants<S>,
    real_constants: M::Constants<f64>,
    state: State<M, S>,
    /// The state before.
    previous: State<M, S>,
    /// a and lambda two steps before, to extrapolate from.
    earlier: State<M, S>,
    /// a and lambda three steps before.
    earliest: State<M, S>,
    /// The state but for the share of a_i: q_i = q* + beta h^2 a_i, v_i = v* + gamma h a_i.
    predicted: State<M, S>,
    /// alpha/(1+alpha) G_{i-1} (n).
    history: M::Coordinates<S>,
    /// M by (row, column, value) if it is constant.
    mass: Option<Vec<(usize, usize, S)>>,
    inputs: M::Inputs<S>,
    real: State<M, f64>,
    residual: M::Residual<S>,
    residual_rows: Rows,
    /// The real part of the residual, evaluated with the matrix.
    real_residual: M::Residual<f64>,
    matrix: StepMatrix<M>,
    /// Residual, then correction, of one component.
    correction: M::Unknowns<f64>,
    sizes: Vec<Sizes>,
    control: Control,
    statistics: Statistics,
}

impl<'a, M: Model, S: Scalar> Hht<'a, M, S> {
    const N: usize = <M::Coordinates<S> as Vector<S>>::LENGTH;

    /// At t = 0; `constants` are those of `parameters`.
    pub fn new(
        problem: &'a Problem<M>,
        parameters: &M::Parameters<S>,
        constants: &'a M::Constants<S>,
        initial: State<M, S>,
    ) -> Self {
        let groups = M::DESCRIPTION.groups;
        let weights = problem.settings().weights();
        let mut integrator = Self {
            problem,
            weights,
            constants,
            real_constants: problem.constants(&real_part::<S, _, _>(parameters)),
            previous: initial.clone(),
            earlier: initial.clone(),
            earliest: initial.clone(),
            predicted: initial.clone(),
            state: initial,
            history: Vector::zeros(),
            mass: None,
            inputs: Vector::zeros(),
            real: State::zeros(),
            residual: Vector::zeros(),
            residual_rows: Rows::of(groups.residual),
            real_residual: Vector::zeros(),
            matrix: StepMatrix::new(groups.newton),
            correction: Vector::zeros(),
            sizes: vec![Sizes::default(); S::COMPONENTS],
            control: Control::new(problem.settings().newton.clone(), weights, S::COMPONENTS),
            statistics: Statistics::default(),
        };
        integrator.start();
        integrator
    }

    /// G_0, the mass matrix, and the sizes of the initial state.
    fn start(&mut self) {
        lift_into(self.problem.inputs()[0].as_ref(), self.inputs.as_mut());
        self.evaluate_residual(0);
        self.remember_force_residual();
        let groups = M::DESCRIPTION.groups;
        if find(groups.linearization, Function::Inertia, Some(Argument::Coordinates)).entries.is_empty() {
            let mut group = M::Linearization::<S>::zeros();
            M::linearization(&self.state.point(0.0, &self.inputs, self.constants), &mut group);
            let mass = find(groups.linearization, Function::Inertia, Some(Argument::Accelerations));
            self.mass = Some(mass.iter(group.as_ref()).collect());
        }
        for component in 0..S::COMPONENTS {
            self.sizes[component] = Sizes {
                accelerations: largest(self.state.accelerations.as_ref(), component),
                multipliers: largest(self.state.multipliers.as_ref(), component),
                ..Sizes::default()
            };
            self.control.start(component, self.sizes[component]);
        }
    }

    /// x_i after [`step`](Self::step) i.
    pub fn state(&self) -> &State<M, S> {
        &self.state
    }

    /// What the steps so far took.
    pub fn statistics(&self) -> Statistics {
        Statistics { analyses: self.matrix.analyses(), pivoted: self.matrix.pivoted(), ..self.statistics }
    }

    /// From x_{i-1} to x_i. If the iteration fails with old factors or from the extrapolated start, it begins again
    /// from x_{i-1} with a new matrix in every iteration.
    pub fn step(&mut self, i: usize) -> Result<(), SimulationError> {
        if self.problem.settings().newton.estimate {
            std::mem::swap(&mut self.earliest.accelerations, &mut self.earlier.accelerations);
            std::mem::swap(&mut self.earliest.multipliers, &mut self.earlier.multipliers);
        }
        std::mem::swap(&mut self.earlier.accelerations, &mut self.previous.accelerations);
        std::mem::swap(&mut self.earlier.multipliers, &mut self.previous.multipliers);
        self.previous.copy_from(&self.state);
        lift_into(self.problem.inputs()[i].as_ref(), self.inputs.as_mut());
        self.predict();
        self.extrapolate(i);
        if self.iterate(i, false).is_err() {
            self.state.accelerations.clone_from(&self.previous.accelerations);
            self.state.multipliers.clone_from(&self.previous.multipliers);
            self.iterate(i, true)?;
        }
        self.update_history(i);
        self.statistics.steps += 1;
        Ok(())
    }

    /// q* and v*, Newmark's formulas without a_i.
    fn predict(&mut self) {
        let settings = self.problem.settings();
        let h = settings.step;
        let (of_q, of_v) = (h * h * (0.5 - settings.beta()), h * (1.0 - settings.gamma()));
        let (q, v, a) = (
            self.previous.coordinates.as_ref(),
            self.previous.velocities.as_ref(),
            self.previous.accelerations.as_ref(),
        );
        let (q_star, v_star) = (self.predicted.coordinates.as_mut(), self.predicted.velocities.as_mut());
        for j in 0..Self::N {
            q_star[j] = q[j] + (v[j] * h + a[j] * of_q);
            v_star[j] = v[j] + a[j] * of_v;
        }
    }

    /// Starts from a straight line through the last two accelerations and multipliers, or a parabola through three.
    fn extrapolate(&mut self, i: usize) {
        if i < 2 {
            return;
        }
        let parabola = self.problem.settings().newton.estimate && i > 3;
        let curve = |now: &mut [S], before: &[S], earliest: &[S]| {
            for ((now, before), earliest) in now.iter_mut().zip(before).zip(earliest) {
                let slope = *now - *before;
                let change = if parabola { slope - (*before - *earliest) } else { S::default() };
                *now = *now + slope + change;
            }
        };
        let (state, earlier, earliest) = (&mut self.state, &self.earlier, &self.earliest);
        curve(state.accelerations.as_mut(), earlier.accelerations.as_ref(), earliest.accelerations.as_ref());
        curve(state.multipliers.as_mut(), earlier.multipliers.as_ref(), earliest.multipliers.as_ref());
    }

    /// Newton's iteration; with `full`, a new matrix in every iteration.
    fn iterate(&mut self, i: usize, full: bool) -> Result<(), SimulationError> {
        let mut renew = self.control.begin() || full;
        self.integrate();
        loop {
            if renew {
                self.evaluate_newton(i)?;
            } else {
                self.evaluate_residual(i);
                self.fill_residual(i, 0)?;
            }
            for component in 0..S::COMPONENTS {
                if component > 0 {
                    self.fill_residual(i, component)?;
                }
                self.matrix.solve(&self.real_constants, &mut self.correction);
                self.correct(component);
            }
            self.integrate();
            self.statistics.iterations += 1;
            renew = match self.control.judge(&self.sizes) {
                Verdict::Converged => break,
                Verdict::Continue => full,
                Verdict::Renew => true,
                Verdict::Failed => return Err(self.failure(i)),
            };
        }
        let iterations = self.control.iterations();
        self.statistics.worst_iterations = self.statistics.worst_iterations.max(iterations);
        Ok(())
    }

    /// q_i and v_i from a_i.
    fn integrate(&mut self) {
        let (q_star, v_star) = (self.predicted.coordinates.as_ref(), self.predicted.velocities.as_ref());
        let a = self.state.accelerations.as_ref();
        let (q, v) = (self.state.coordinates.as_mut(), self.state.velocities.as_mut());
        for j in 0..Self::N {
            q[j] = q_star[j] + a[j] * self.weights.coordinates;
            v[j] = v_star[j] + a[j] * self.weights.velocities;
        }
    }

    fn time(&self, i: usize) -> f64 {
        i as f64 * self.problem.settings().step
    }

    fn evaluate_residual(&mut self, i: usize) {
        let point = self.state.point(self.time(i), &self.inputs, self.constants);
        M::residual(&point, &mut self.residual);
    }

    /// Residual and matrix at the current iterate, with the residual's first component as the right-hand side.
    fn evaluate_newton(&mut self, i: usize) -> Result<(), SimulationError> {
        let (time, inputs) = (self.time(i), &self.problem.inputs()[i]);
        let factorised = match (plain(&self.state), plain_mut(&mut self.residual)) {
            // plain numbers need no copies
            (Some(state), Some(residual)) => {
                let point = State::<M, f64>::point(state, time, inputs, &self.real_constants);
                self.matrix.evaluate(&point, residual)
            }
            _ => {
                self.state.real_into(&mut self.real);
                let point = self.real.point(time, inputs, &self.real_constants);
                let factorised = self.matrix.evaluate(&point, &mut self.real_residual);
                self.evaluate_residual(i);
                factorised
            }
        };
        self.statistics.factorisations += 1;
        // a residual that is not finite says more than the matrix that goes with it
        self.fill_residual(i, 0)?;
        factorised.map_err(|singular| self.singular(i, singular))?;
        self.control.renewed(self.matrix.multipliers_per_acceleration);
        Ok(())
    }

    fn singular(&self, i: usize, singular: Singular) -> SimulationError {
        SimulationError::Singular {
            time: self.time(i),
            step: i,
            unknown: Unknown::at(&M::DESCRIPTION, singular.column),
            pivot: singular.pivot,
            limit: singular.limit,
        }
    }

    /// The negative residual of one component.
    fn fill_residual(&mut self, i: usize, component: usize) -> Result<(), SimulationError> {
        let group = self.residual.as_ref();
        let inertia = self.residual_rows.inertia.values(group);
        let force_residual = self.residual_rows.force_residual.values(group);
        let constraint = self.residual_rows.constraint.values(group);
        let (motion, rest) = self.correction.as_mut().split_at_mut(Self::N);
        let history = self.history.as_ref();
        for (j, row) in motion.iter_mut().enumerate() {
            let residual = inertia[j] * self.weights.accelerations + force_residual[j] - history[j];
            *row = -residual.component(component);
        }
        let scale = 1.0 / self.weights.coordinates;
        for (row, constraint) in rest.iter_mut().zip(constraint) {
            *row = -constraint.component(component) * scale;
        }
        let correction = self.correction.as_ref();
        if are_finite(correction) {
            return Ok(());
        }
        let row = correction.iter().position(|row| !row.is_finite()).unwrap_or(0);
        Err(SimulationError::NotFinite {
            time: self.time(i),
            step: i,
            equation: Unknown::at(&M::DESCRIPTION, row),
            value: -correction[row],
        })
    }

    /// Adds the correction of one component, and measures.
    fn correct(&mut self, component: usize) {
        let (motion, rest) = self.correction.as_ref().split_at(Self::N);
        add(self.state.accelerations.as_mut(), motion, component);
        add(self.state.multipliers.as_mut(), rest, component);
        self.sizes[component] = Sizes {
            coordinates: largest(self.state.coordinates.as_ref(), component),
            velocities: largest(self.state.velocities.as_ref(), component),
            accelerations: largest(self.state.accelerations.as_ref(), component),
            multipliers: largest(self.state.multipliers.as_ref(), component),
            acceleration_update: largest(motion, 0),
            multiplier_update: largest(rest, 0),
        };
    }

    /// G_i for the next step: with constant mass by the step's own equation, which saves an evaluation.
    fn update_history(&mut self, i: usize) {
        let Some(mass) = &self.mass else {
            self.evaluate_residual(i);
            self.remember_force_residual();
            return;
        };
        let ratio = self.problem.settings().history_weight();
        let (history, a) = (self.history.as_mut(), self.state.accelerations.as_ref());
        for entry in history.iter_mut() {
            *entry = *entry * ratio;
        }
        let scale = ratio * self.weights.accelerations;
        for &(row, column, value) in mass {
            history[row] -= value * a[column] * scale;
        }
    }

    fn remember_force_residual(&mut self) {
        let ratio = self.problem.settings().history_weight();
        let force_residual = self.residual_rows.force_residual.values(self.residual.as_ref());
        for (to, from) in self.history.as_mut().iter_mut().zip(force_residual) {
            *to = *from * ratio;
        }
    }

    /// Names the unknown that converges worst, from the last component's correction.
    fn failure(&self, i: usize) -> SimulationError {
        let (mut worst, mut found) = (-1.0, (0, 0.0, 0.0));
        let allowed = self.control.accepted(S::COMPONENTS - 1, &self.sizes);
        for (index, update) in self.correction.as_ref().iter().enumerate() {
            let allowed = if index < Self::N { allowed.0 } else { allowed.1 };
            if update.abs() / allowed > worst {
                worst = update.abs() / allowed;
                found = (index, update.abs(), allowed);
            }
        }
        SimulationError::Newton {
            time: self.time(i),
            step: i,
            iterations: self.control.iterations(),
            update: found.1,
            allowed: found.2,
            unknown: Unknown::at(&M::DESCRIPTION, found.0),
        }
    }
}

/// A quantity of plain numbers as what it is.
fn plain<A: 'static, B: 'static>(value: &A) -> Option<&B> {
    (value as &dyn Any).downcast_ref()
}

fn plain_mut<A: 'static, B: 'static>(value: &mut A) -> Option<&mut B> {
    (value as &mut dyn Any).downcast_mut()
}
