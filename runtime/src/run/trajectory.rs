//! The states of a run at all steps.

use std::fmt;
use std::sync::Arc;

use crate::initial::Consistent;
use crate::model::Model;
use crate::problem::{Buffer, Conditions};
use crate::scalar::{Scalar, Vector, lift_into};
use crate::series::Series;
use crate::step::{State, Statistics};

use super::constants::RunConstants;
use super::stored::fetch_row;

/// The states x_i = (q_i, v_i, a_i, lambda_i) at t_i, i = 0..=N, stored contiguously (3n + m numbers each), with
/// what they were computed from.
#[derive(Clone)]
pub struct Trajectory<M: Model, S: Scalar> {
    conditions: Arc<Conditions<M>>,
    parameters: M::Parameters<S>,
    constants: RunConstants<M, S>,
    initial: Arc<Consistent<M, S>>,
    states: Buffer<S>,
    statistics: Statistics,
}

impl<M: Model, S: Scalar> Trajectory<M, S> {
    const COORDINATES: usize = <M::Coordinates<S> as Vector<S>>::LENGTH;

    /// Numbers per state, 3n + m.
    pub(crate) const STRIDE: usize = State::<M, S>::STRIDE;

    pub(crate) fn new(
        conditions: Conditions<M>,
        parameters: M::Parameters<S>,
        constants: RunConstants<M, S>,
        initial: Consistent<M, S>,
        states: Buffer<S>,
        statistics: Statistics,
    ) -> Self {
        let (conditions, initial) = (Arc::new(conditions), Arc::new(initial));
        Self { conditions, parameters, constants, initial, states, statistics }
    }

    /// What the run depends on besides its parameters.
    pub(crate) fn conditions(&self) -> &Conditions<M> {
        &self.conditions
    }

    /// The initial state, with what its derivatives need.
    pub(crate) fn initial(&self) -> &Consistent<M, S> {
        &self.initial
    }

    /// The time between two samples in s: the step size h where it is constant.
    pub fn step(&self) -> f64 {
        self.conditions.weights.step
    }

    /// Number of steps N.
    pub fn steps(&self) -> usize {
        self.conditions.inputs.len().saturating_sub(1)
    }

    /// Number of samples.
    pub fn samples(&self) -> usize {
        self.conditions.steps.as_ref().map_or(self.conditions.inputs.len(), |plan| plan.samples())
    }

    /// The step at whose end sample k stands: k itself where steps are constant.
    pub fn step_of_sample(&self, k: usize) -> usize {
        self.conditions.steps.as_ref().map_or(k, |plan| plan.step_of(k))
    }

    /// The time t_i in s at the end of step i.
    pub fn time(&self, i: usize) -> f64 {
        match &self.conditions.steps {
            None => i as f64 * self.step(),
            Some(plan) => plan.time(i) * self.step(),
        }
    }

    /// The parameters of the run.
    pub fn parameters(&self) -> &M::Parameters<S> {
        &self.parameters
    }

    /// The model's constants of the run.
    pub fn constants(&self) -> &M::Constants<S> {
        self.constants.model()
    }

    /// The constants of all its steps.
    pub(crate) fn run_constants(&self) -> &RunConstants<M, S> {
        &self.constants
    }

    /// What the run took.
    pub fn statistics(&self) -> Statistics {
        self.statistics
    }

    /// q_i (n); nothing where the run has no step i.
    pub fn coordinates(&self, i: usize) -> &[S] {
        self.stored(i).get(..Self::COORDINATES).unwrap_or_default()
    }

    /// v_i (n); nothing where the run has no step i.
    pub fn velocities(&self, i: usize) -> &[S] {
        self.stored(i).get(Self::COORDINATES..2 * Self::COORDINATES).unwrap_or_default()
    }

    /// a_i (n); nothing where the run has no step i.
    pub fn accelerations(&self, i: usize) -> &[S] {
        self.stored(i).get(2 * Self::COORDINATES..3 * Self::COORDINATES).unwrap_or_default()
    }

    /// lambda_i (m); nothing where the run has no step i.
    pub fn multipliers(&self, i: usize) -> &[S] {
        self.stored(i).get(3 * Self::COORDINATES..).unwrap_or_default()
    }

    /// q_i, v_i, a_i, lambda_i in sequence (3n + m); nothing where the run has no step i.
    #[inline]
    pub fn stored(&self, i: usize) -> &[S] {
        let end = i.saturating_add(1).saturating_mul(Self::STRIDE);
        self.states.get(end.saturating_sub(Self::STRIDE)..end).unwrap_or_default()
    }

    /// x_i in the same form, for sweeps over the steps of the run.
    #[inline(always)]
    pub(crate) fn of_step(&self, i: usize) -> &[S] {
        &self.states[i * Self::STRIDE..(i + 1) * Self::STRIDE]
    }

    /// Has x_i fetched from memory, where it will be needed soon.
    #[inline(always)]
    pub(crate) fn fetch(&self, i: usize) {
        fetch_row(&self.states, i, Self::STRIDE);
    }

    /// Writes x_i to `state`; whether the run has a step i.
    pub fn load(&self, i: usize, state: &mut State<M, S>) -> bool {
        let stored = self.stored(i);
        let is_there = i <= self.steps();
        if is_there {
            state.load(stored);
        }
        is_there
    }

    /// The outputs at all samples.
    pub fn outputs(&self) -> Series<S> {
        let width = <M::Outputs<S> as Vector<S>>::LENGTH;
        let mut series = Series::zeros(self.step(), width, self.samples());
        let (mut state, mut inputs, mut outputs) =
            (State::<M, S>::zeros(), M::Inputs::<S>::zeros(), M::Outputs::<S>::zeros());
        for k in 0..self.samples() {
            let i = self.step_of_sample(k);
            let Some(samples) = self.conditions.inputs.get(i) else { continue };
            self.load(i, &mut state);
            lift_into(samples.as_ref(), inputs.as_mut());
            M::outputs(&state.point(self.time(i), &inputs, self.constants.model()), &mut outputs);
            series.row_mut(k).copy_from_slice(outputs.as_ref());
        }
        series
    }
}

impl<M: Model, S: Scalar> fmt::Debug for Trajectory<M, S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Trajectory")
            .field("step", &self.step())
            .field("steps", &self.steps())
            .field("parameters", &self.parameters)
            .field("statistics", &self.statistics)
            .finish_non_exhaustive()
    }
}
