//! The states of a run at all steps.

use std::any::Any;
use std::fmt;
use std::sync::Arc;

use crate::initial::Consistent;
use crate::model::{Description, Model};
use crate::problem::{Buffer, Conditions, OtherProblem};
use crate::scalar::{Scalar, Vector, lift_into};
use crate::series::Series;
use crate::step::{State, Statistics};
use crate::system::System;

use super::constants::RunConstants;
use super::stored::fetch_row;

/// The states x_i = (q_i, v_i, a_i, lambda_i) at t_i, i = 0..=N, stored contiguously (3n + m numbers each), with
/// what they were computed from.
#[derive(Clone)]
pub struct Trajectory<S: Scalar = f64> {
    conditions: Arc<Conditions>,
    parameters: Vec<S>,
    /// Its [`RunBasis`].
    basis: Arc<dyn Any + Send + Sync>,
    states: Buffer<S>,
    statistics: Statistics,
}

/// What a run of a model begins with, and what does not change from step to step.
pub(crate) struct RunBasis<M: Model, S: Scalar> {
    pub parameters: M::Parameters<S>,
    pub constants: RunConstants<M, S>,
    /// The initial state, with what its derivatives need.
    pub initial: Consistent<S>,
}

impl<S: Scalar> Trajectory<S> {
    pub(crate) fn new<M: Model>(
        conditions: Conditions,
        basis: RunBasis<M, S>,
        states: Buffer<S>,
        statistics: Statistics,
    ) -> Self {
        let parameters = basis.parameters.as_ref().to_vec();
        Self { conditions: Arc::new(conditions), parameters, basis: Arc::new(basis), states, statistics }
    }

    /// What the run depends on besides its parameters.
    pub(crate) fn conditions(&self) -> &Conditions {
        &self.conditions
    }

    /// What the run begins with, if it is one of the model `M`.
    pub(crate) fn basis<M: Model>(&self) -> Result<&RunBasis<M, S>, OtherProblem> {
        self.basis.downcast_ref().ok_or_else(|| self.conditions.of_other_model(M::DESCRIPTION.name))
    }

    /// The model of the run.
    pub(crate) fn system(&self) -> &'static dyn System {
        self.conditions.system
    }

    /// Names, units and sizes of the model of the run.
    pub(crate) fn description(&self) -> &'static Description {
        self.conditions.system.description()
    }

    /// Numbers per state, 3n + m.
    fn stride(&self) -> usize {
        self.description().state_length()
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
    pub fn parameters(&self) -> &[S] {
        &self.parameters
    }

    /// What the run took.
    pub fn statistics(&self) -> Statistics {
        self.statistics
    }

    /// q_i (n); nothing where the run has no step i.
    pub fn coordinates(&self, i: usize) -> &[S] {
        self.part(i, 0)
    }

    /// v_i (n); nothing where the run has no step i.
    pub fn velocities(&self, i: usize) -> &[S] {
        self.part(i, 1)
    }

    /// a_i (n); nothing where the run has no step i.
    pub fn accelerations(&self, i: usize) -> &[S] {
        self.part(i, 2)
    }

    fn part(&self, i: usize, part: usize) -> &[S] {
        let n = self.description().coordinates.len();
        self.stored(i).get(part * n..(part + 1) * n).unwrap_or_default()
    }

    /// lambda_i (m); nothing where the run has no step i.
    pub fn multipliers(&self, i: usize) -> &[S] {
        self.stored(i).get(3 * self.description().coordinates.len()..).unwrap_or_default()
    }

    /// q_i, v_i, a_i, lambda_i in sequence (3n + m); nothing where the run has no step i.
    #[inline]
    pub fn stored(&self, i: usize) -> &[S] {
        let stride = self.stride();
        let end = i.saturating_add(1).saturating_mul(stride);
        self.states.get(end.saturating_sub(stride)..end).unwrap_or_default()
    }

    /// x_i in the same form, for sweeps over the steps of the run.
    #[inline(always)]
    pub(crate) fn of_step<M: Model>(&self, i: usize) -> &[S] {
        let stride = State::<M, S>::STRIDE;
        &self.states[i * stride..(i + 1) * stride]
    }

    /// Has x_i fetched from memory, where it will be needed soon.
    #[inline(always)]
    pub(crate) fn fetch<M: Model>(&self, i: usize) {
        fetch_row(&self.states, i, State::<M, S>::STRIDE);
    }

    /// Writes x_i to `state`; whether the run has a step i.
    pub fn load<M: Model>(&self, i: usize, state: &mut State<M, S>) -> bool {
        let is_there = i <= self.steps() && self.stride() == State::<M, S>::STRIDE;
        if is_there {
            state.load(self.stored(i));
        }
        is_there
    }
}

impl Trajectory {
    /// The outputs at all samples.
    pub fn outputs(&self) -> Series<f64> {
        self.system().outputs_of(self)
    }
}

/// The outputs of a run of the model `M` at all samples; none of a run of another model.
pub(crate) fn outputs_of<M: Model, S: Scalar>(run: &Trajectory<S>) -> Series<S> {
    let width = <M::Outputs<S> as Vector<S>>::LENGTH;
    let Ok(basis) = run.basis::<M>() else { return Series::zeros(run.step(), width, 0) };
    let mut series = Series::zeros(run.step(), width, run.samples());
    let (mut state, mut inputs, mut outputs) =
        (State::<M, S>::zeros(), M::Inputs::<S>::zeros(), M::Outputs::<S>::zeros());
    for k in 0..run.samples() {
        let i = run.step_of_sample(k);
        run.load(i, &mut state);
        lift_into(run.conditions.inputs.row(i), inputs.as_mut());
        M::outputs(&state.point(run.time(i), &inputs, basis.constants.model()), &mut outputs);
        series.row_mut(k).copy_from_slice(outputs.as_ref());
    }
    series
}

impl<S: Scalar> fmt::Debug for Trajectory<S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Trajectory")
            .field("step", &self.step())
            .field("steps", &self.steps())
            .field("parameters", &self.parameters)
            .field("statistics", &self.statistics)
            .finish_non_exhaustive()
    }
}
