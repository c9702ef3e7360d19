//! The states of a run at all steps.

use std::any::Any;
use std::fmt;
use std::sync::Arc;

use costate_numerics::scalar::Scalar;

use crate::model::{Description, Functions};
use crate::problem::{Buffer, Conditions};
use crate::series::Series;
use crate::step::{State, Statistics};
use crate::system::System;

/// The states x_i = (q_i, v_i, a_i, lambda_i) at t_i, i = 0..=N, stored contiguously (3n + m numbers each),
/// with the conditions and parameters of the run.
#[derive(Clone)]
pub struct Trajectory<S: Scalar = f64> {
    conditions: Arc<Conditions>,
    parameters: Vec<S>,
    /// Further data of the run, of a type that its model determines.
    basis: Arc<dyn Any + Send + Sync>,
    states: Buffer<S>,
    statistics: Statistics,
}

impl<S: Scalar> Trajectory<S> {
    /// Creates the states of a run of these parameters; `basis` has the further data that the model keeps.
    #[doc(hidden)]
    pub fn new(
        conditions: Conditions,
        parameters: Vec<S>,
        basis: Arc<dyn Any + Send + Sync>,
        states: Buffer<S>,
        statistics: Statistics,
    ) -> Self {
        Self { conditions: Arc::new(conditions), parameters, basis, states, statistics }
    }

    /// Returns the conditions of the run besides its parameters.
    #[doc(hidden)]
    pub fn conditions(&self) -> &Conditions {
        &self.conditions
    }

    /// Returns the further data that the model keeps of the run.
    #[doc(hidden)]
    pub fn basis(&self) -> &(dyn Any + Send + Sync) {
        &*self.basis
    }

    /// Returns the states of all steps in sequence.
    #[doc(hidden)]
    #[inline]
    pub fn all_states(&self) -> &[S] {
        &self.states
    }

    /// Returns the model of the run.
    #[doc(hidden)]
    pub fn system(&self) -> &'static dyn System {
        self.conditions.system
    }

    /// Returns names, units and sizes of the model of the run.
    #[doc(hidden)]
    pub fn description(&self) -> &'static Description {
        self.conditions.system.description()
    }

    /// Returns the number of entries per state, 3n + m.
    fn stride(&self) -> usize {
        self.description().state_length()
    }

    /// Returns the time between two samples in s: the step size h where it is constant.
    pub fn step(&self) -> f64 {
        self.conditions.weights.step
    }

    /// Returns the number of steps N.
    pub fn steps(&self) -> usize {
        self.conditions.inputs.len().saturating_sub(1)
    }

    /// Returns the number of samples.
    pub fn samples(&self) -> usize {
        self.conditions.steps.as_ref().map_or(self.conditions.inputs.len(), |plan| plan.samples())
    }

    /// Returns the step at whose end sample k is: k itself where steps are constant.
    pub fn step_of_sample(&self, k: usize) -> usize {
        self.conditions.steps.as_ref().map_or(k, |plan| plan.step_of(k))
    }

    /// Returns the time t_i in s at the end of step i.
    pub fn time(&self, i: usize) -> f64 {
        match &self.conditions.steps {
            None => (self.conditions.first + i) as f64 * self.step(),
            Some(plan) => plan.time(i) * self.step(),
        }
    }

    /// Returns the parameters of the run.
    pub fn parameters(&self) -> &[S] {
        &self.parameters
    }

    /// Returns the work counters of the run.
    pub fn statistics(&self) -> Statistics {
        self.statistics
    }

    /// Returns q_i (n); empty if the run has no step i.
    pub fn coordinates(&self, i: usize) -> &[S] {
        self.part(i, 0)
    }

    /// Returns v_i (n); empty if the run has no step i.
    pub fn velocities(&self, i: usize) -> &[S] {
        self.part(i, 1)
    }

    /// Returns a_i (n); empty if the run has no step i.
    pub fn accelerations(&self, i: usize) -> &[S] {
        self.part(i, 2)
    }

    fn part(&self, i: usize, part: usize) -> &[S] {
        let n = self.description().coordinates.len();
        self.stored(i).get(part * n..(part + 1) * n).unwrap_or_default()
    }

    /// Returns lambda_i (m); empty if the run has no step i.
    pub fn multipliers(&self, i: usize) -> &[S] {
        self.stored(i).get(3 * self.description().coordinates.len()..).unwrap_or_default()
    }

    /// Returns q_i, v_i, a_i, lambda_i in sequence (3n + m); empty if the run has no step i.
    #[inline]
    pub fn stored(&self, i: usize) -> &[S] {
        let stride = self.stride();
        let end = i.saturating_add(1).saturating_mul(stride);
        self.states.get(end.saturating_sub(stride)..end).unwrap_or_default()
    }

    /// Returns x_i as `stored` does, for sweeps over the steps of the run of a model of this program.
    #[inline(always)]
    #[doc(hidden)]
    pub fn of_step<M: Functions>(&self, program: M::Program, i: usize) -> &[S] {
        let stride = M::lengths(program).state();
        &self.states[i * stride..(i + 1) * stride]
    }

    /// Writes x_i to `state`; returns true if the run has a step i.
    pub fn load<M: Functions>(&self, i: usize, state: &mut State<M, S>) -> bool {
        let stride: usize = state.parts().iter().map(|part| part.len()).sum();
        let is_there = i <= self.steps() && self.stride() == stride;
        if is_there {
            state.load(self.stored(i));
        }
        is_there
    }
}

impl Trajectory {
    /// Evaluates the outputs at all samples.
    pub fn outputs(&self) -> Series<f64> {
        self.system().outputs_of(self)
    }
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
