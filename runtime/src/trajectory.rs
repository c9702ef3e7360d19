//! The states of a run at all steps.

use std::fmt;
use std::sync::Arc;

use crate::buffers::Buffer;
use crate::integrator::{Consistent, State, Statistics, fetch_row, lift_into};
use crate::model::Model;
use crate::problem::Problem;
use crate::scalar::{Scalar, Vector};
use crate::series::Series;

/// The states x_i = (q_i, v_i, a_i, lambda_i) at t_i = i h, i = 0..=N, stored contiguously (3n + m numbers each), with
/// what they were computed from.
#[derive(Clone)]
pub struct Trajectory<M: Model, S: Scalar> {
    step: f64,
    parameters: M::Parameters<S>,
    constants: M::Constants<S>,
    initial: Arc<Consistent<M, S>>,
    states: Buffer<S>,
    statistics: Statistics,
}

impl<M: Model, S: Scalar> Trajectory<M, S> {
    const COORDINATES: usize = <M::Coordinates<S> as Vector<S>>::LENGTH;

    /// Numbers per state, 3n + m.
    pub(crate) const STRIDE: usize = 3 * Self::COORDINATES + <M::Multipliers<S> as Vector<S>>::LENGTH;

    pub(crate) fn new(
        step: f64,
        parameters: M::Parameters<S>,
        constants: M::Constants<S>,
        initial: Consistent<M, S>,
        states: Buffer<S>,
        statistics: Statistics,
    ) -> Self {
        Self { step, parameters, constants, initial: Arc::new(initial), states, statistics }
    }

    /// The initial state, with what its derivatives need.
    pub(crate) fn initial(&self) -> &Consistent<M, S> {
        &self.initial
    }

    /// Step size h in s.
    pub fn step(&self) -> f64 {
        self.step
    }

    /// Number of steps N.
    pub fn steps(&self) -> usize {
        (self.states.len() / Self::STRIDE).saturating_sub(1)
    }

    /// Time t_i = i h in s.
    pub fn time(&self, i: usize) -> f64 {
        i as f64 * self.step
    }

    /// The parameters of the run.
    pub fn parameters(&self) -> &M::Parameters<S> {
        &self.parameters
    }

    /// The model's constants of the run.
    pub fn constants(&self) -> &M::Constants<S> {
        &self.constants
    }

    /// What the run took.
    pub fn statistics(&self) -> Statistics {
        self.statistics
    }

    /// q_i (n).
    pub fn coordinates(&self, i: usize) -> &[S] {
        &self.stored(i)[..Self::COORDINATES]
    }

    /// v_i (n).
    pub fn velocities(&self, i: usize) -> &[S] {
        &self.stored(i)[Self::COORDINATES..2 * Self::COORDINATES]
    }

    /// a_i (n).
    pub fn accelerations(&self, i: usize) -> &[S] {
        &self.stored(i)[2 * Self::COORDINATES..3 * Self::COORDINATES]
    }

    /// lambda_i (m).
    pub fn multipliers(&self, i: usize) -> &[S] {
        &self.stored(i)[3 * Self::COORDINATES..]
    }

    /// q_i, v_i, a_i, lambda_i in sequence (3n + m).
    #[inline]
    pub fn stored(&self, i: usize) -> &[S] {
        &self.states[i * Self::STRIDE..(i + 1) * Self::STRIDE]
    }

    /// Has x_i fetched from memory, where it will be needed soon.
    #[inline(always)]
    pub(crate) fn fetch(&self, i: usize) {
        fetch_row(&self.states, i, Self::STRIDE);
    }

    /// Writes x_i to `state`.
    pub fn load(&self, i: usize, state: &mut State<M, S>) {
        state.load(self.stored(i));
    }

    /// The outputs s_i at all steps; `problem` is the one that the run belongs to.
    pub fn outputs(&self, problem: &Problem<M>) -> Series<S> {
        let width = <M::Outputs<S> as Vector<S>>::LENGTH;
        let mut series = Series::zeros(self.step, width, self.steps() + 1);
        let (mut state, mut inputs, mut outputs) =
            (State::<M, S>::zeros(), M::Inputs::<S>::zeros(), M::Outputs::<S>::zeros());
        for (i, samples) in problem.inputs().iter().enumerate().take(self.steps() + 1) {
            self.load(i, &mut state);
            lift_into(samples.as_ref(), inputs.as_mut());
            M::outputs(&state.point(self.time(i), &inputs, &self.constants), &mut outputs);
            series.row_mut(i).copy_from_slice(outputs.as_ref());
        }
        series
    }
}

impl<M: Model, S: Scalar> fmt::Debug for Trajectory<M, S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Trajectory")
            .field("step", &self.step)
            .field("steps", &self.steps())
            .field("parameters", &self.parameters)
            .field("statistics", &self.statistics)
            .finish_non_exhaustive()
    }
}
