//! The stages of an explicit step, from one point or from one in each lane.

use std::fmt;

use costate_numerics::linalg::block::find;
use costate_numerics::scalar::{Scalar, Vector, lift_into};
use costate_system::model::{Argument, Block, Function, Functions, Group, Point, Weights};
use costate_system::state_space::Step;

use super::accelerations::{MIN_PIVOT, factorize, substitute};
use super::tableau::Tableau;
use crate::step::{State, StepError, Unknown};

/// The weights that make the Newton matrix the mass matrix alone.
pub(super) const MASS: Weights = Weights::NO_STEP;

/// Working memory of the stages. S are plain numbers, lanes, or dual numbers, whose
/// derivatives are those of the computed steps.
#[derive(Clone)]
pub(super) struct Stages<M: Functions, S: Scalar> {
    pub constants: M::Constants<S>,
    /// Accelerations and velocities of the stages.
    pub accelerations: [M::Coordinates<S>; 4],
    pub rates: [M::Coordinates<S>; 4],
    pub state: State<M, S>,
    pub inputs: M::Inputs<S>,
    newton: M::Newton<S>,
    /// Positions of f and M in the group `newton`.
    blocks: [&'static Block; 2],
    /// L and D of M (n x n).
    pub mass: Vec<S>,
}

impl<M: Functions, S: Scalar> fmt::Debug for Stages<M, S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Stages").field("state", &self.state).finish_non_exhaustive()
    }
}

impl<M: Functions, S: Scalar> Stages<M, S> {
    pub fn new(constants: M::Constants<S>) -> Self {
        let program = M::program(&constants);
        let lengths = M::lengths(program);
        let groups = M::description(program).groups.newton;
        Self {
            constants,
            accelerations: std::array::from_fn(|_| Vector::zeros(lengths.coordinates)),
            rates: std::array::from_fn(|_| Vector::zeros(lengths.coordinates)),
            state: State::zeros_of(program),
            inputs: Vector::zeros(lengths.inputs),
            newton: Vector::zeros(lengths.group(Group::Newton)),
            blocks: [
                find(groups, Function::ForceResidual, None),
                find(groups, Function::Step, Some(Argument::Accelerations)),
            ],
            mass: vec![S::default(); lengths.coordinates * lengths.coordinates],
        }
    }

    /// Returns the number of coordinates.
    #[inline(always)]
    pub fn n(&self) -> usize {
        M::lengths(M::program(&self.constants)).coordinates
    }

    /// Computes the inputs, and q and v, of a stage of the step from x, after the stages before it.
    #[inline(always)]
    pub fn begin(&mut self, step: &Step<'_>, tableau: &Tableau, stage: usize, x: &[S]) {
        let part = tableau.times[stage];
        for ((to, a), b) in self.inputs.as_mut().iter_mut().zip(step.inputs_before).zip(step.inputs) {
            *to = S::constant(if part == 1.0 { *b } else { a + part * (b - a) });
        }
        let n = self.n();
        let (q, v) = (self.state.coordinates.as_mut(), self.state.velocities.as_mut());
        for j in 0..n {
            let (mut rate, mut acceleration) = (S::constant(0.0), S::constant(0.0));
            for before in 0..stage {
                let weight = tableau.coefficients[stage][before];
                rate += self.rates[before].as_ref()[j] * weight;
                acceleration += self.accelerations[before].as_ref()[j] * weight;
            }
            q[j] = x[j] + rate * step.interval;
            v[j] = x[n + j] + acceleration * step.interval;
        }
        self.rates[stage].as_mut().copy_from_slice(self.state.velocities.as_ref());
    }

    /// Computes a = M^-1 f at `self.state` for a stage; the mask says where M is regular.
    #[inline(always)]
    pub fn accelerate(&mut self, time: f64, stage: usize) -> S::Mask {
        let (zero, n) = (S::constant(0.0), self.n());
        self.state.accelerations.as_mut().fill(zero);
        M::newton(&self.state.point(time, &self.inputs, &self.constants), &mut self.newton);
        let group = self.newton.as_ref();
        let [force, matrix] = self.blocks;
        self.mass.fill(zero);
        for (row, column, value) in matrix.iter(group) {
            self.mass[column * n + row] = value;
        }
        let is_regular = factorize(&mut self.mass, n);
        let result = self.accelerations[stage].as_mut();
        for (to, value) in result.iter_mut().zip(force.values(group)) {
            *to = -*value;
        }
        substitute(&self.mass, result);
        is_regular
    }

    /// Adds the stages of a step to q and v in x.
    #[inline(always)]
    pub fn finish(&self, interval: f64, tableau: &Tableau, x: &mut [S]) {
        let n = self.n();
        for stage in 0..tableau.stages {
            let weight = interval * tableau.weights[stage];
            for j in 0..n {
                x[j] += self.rates[stage].as_ref()[j] * weight;
                x[n + j] += self.accelerations[stage].as_ref()[j] * weight;
            }
        }
    }

    /// Returns the point at which the model's functions are evaluated.
    #[inline(always)]
    pub fn point(&self, time: f64) -> Point<'_, M, S> {
        self.state.point(time, &self.inputs, &self.constants)
    }

    /// Loads q, v and a of a sample, for measurements; the mask says where M is regular.
    #[inline(always)]
    pub fn at_sample(&mut self, time: f64, inputs: &[f64], x: &[S]) -> S::Mask {
        let n = self.n();
        lift_into(inputs, self.inputs.as_mut());
        self.state.coordinates.as_mut().copy_from_slice(&x[..n]);
        self.state.velocities.as_mut().copy_from_slice(&x[n..2 * n]);
        let is_regular = self.accelerate(time, 0);
        self.state.accelerations.as_mut().copy_from_slice(self.accelerations[0].as_ref());
        is_regular
    }
}

impl<M: Functions> Stages<M, f64> {
    /// Explains why [`accelerate`](Self::accelerate) has found no regular factors of M in this step: the
    /// first entry that is not finite, or the first coordinate whose acceleration is not determined by the
    /// ones before it.
    #[cold]
    pub fn singular(&self, step: usize, time: f64) -> StepError {
        let [_, matrix] = self.blocks;
        let mut diagonal = vec![0.0; self.n()];
        for (row, column, value) in matrix.iter(self.newton.as_ref()) {
            if !value.is_finite() {
                return StepError::NotFinite {
                    time,
                    step,
                    equation: Unknown::at(M::description(M::program(&self.constants)), row),
                    value,
                };
            }
            if row == column {
                diagonal[row] = value.abs();
            }
        }
        let pivots = self.mass.iter().step_by(self.n() + 1).zip(&diagonal).enumerate();
        let mut pivots = pivots.map(|(row, (pivot, size))| (row, *pivot, MIN_PIVOT * size));
        let open = pivots.find(|(_, pivot, limit)| !(pivot.is_finite() && pivot.abs() > *limit));
        let (row, pivot, limit) = open.unwrap_or((0, 0.0, 0.0));
        StepError::Singular {
            time,
            step,
            unknown: Unknown::at(M::description(M::program(&self.constants)), row),
            pivot,
            limit,
        }
    }
}
