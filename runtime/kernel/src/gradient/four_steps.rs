//! Four steps of a sweep at a time.
//!
//! The coefficients of an adjoint step, the elimination of its Newton matrix above all, follow from the state
//! of the step, and all states are known: the coefficients are computed for four steps side by side. The
//! adjoint variables then go through the four steps one by one, with substitutions and products alone.

use costate_numerics::scalar::{LANES, LaneOf, Lanes, Vector, gather, lane_into};
use costate_system::model::{Functions, Group, SelectedParameters};
use costate_system::problem::Problem;
use costate_system::series::Series;

use crate::step::{AdjointStep, LaneLimits, Limits, Scratch, StepConstants};

use super::four_states::FourStates;

/// Four steps, the last one in the first lane.
pub(super) struct FourSteps<M: Functions> {
    states: FourStates<M>,
    output_gradient: M::Outputs<Lanes>,
    coefficients: M::AdjointCoefficients<Lanes>,
    factors: M::Factors<Lanes>,
    limits: LaneLimits,
    scratch: Option<Scratch<M, f64>>,
    /// The array of the group `lookups`.
    lookups: Vec<Lanes>,
}

impl<M: Functions> FourSteps<M> {
    /// Creates the four steps of the run that is linearised; `None` where steps go one by one.
    pub fn new(program: M::Program, problem: &Problem, parameters: &M::Parameters<f64>) -> Option<Self> {
        let lengths = M::lengths(program);
        let has_coefficients = lengths.adjoint_coefficients > 0;
        if !(has_coefficients && Lanes::are_available()) {
            return None;
        }
        Some(Self {
            states: FourStates::new(program, problem, parameters),
            output_gradient: Vector::zeros(lengths.outputs),
            coefficients: Vector::zeros(lengths.adjoint_coefficients),
            factors: Vector::zeros(lengths.factors),
            limits: LaneLimits::new(),
            scratch: None,
            lookups: vec![Lanes::default(); lengths.group(Group::Lookups)],
        })
    }

    /// Sets the limits within which factors are trusted.
    pub fn take_limits(&mut self, limits: Option<&Limits>) {
        for lane in 0..LANES {
            self.limits.set(lane, limits);
        }
    }

    /// Evaluates steps i to i - 3 at their states; returns true if the factors of all four can be trusted.
    #[inline(always)]
    pub fn evaluate(
        &mut self,
        problem: &Problem,
        i: usize,
        states: [&[f64]; LANES],
        output_gradient: &Series<f64>,
        selected: &SelectedParameters,
    ) -> bool {
        // written out: closures may not be inlined here
        let [a, b, c, d] = [i, i - 1, i - 2, i - 3];
        self.states.load(problem, i, states);
        let derivatives = output_gradient;
        let rows = [derivatives.of_step(a), derivatives.of_step(b), derivatives.of_step(c), derivatives.of_step(d)];
        gather(self.output_gradient.as_mut(), rows);
        let Self { states, output_gradient, coefficients, factors, limits, .. } = self;
        M::adjoint_coefficients(&states.point(problem, i), output_gradient, selected, coefficients, factors);
        limits.hold(factors.as_ref()).is_all()
    }

    /// Evaluates the lookups in tables of the four steps that were evaluated last.
    #[inline(always)]
    pub fn evaluate_lookups(&mut self, problem: &Problem, i: usize) {
        M::lookups(&self.states.point(problem, i), &mut self.lookups);
    }

    /// Copies the lookups of the step in `lane`.
    #[inline(always)]
    pub fn take_lookups(&self, lane: usize, group: &mut [f64]) {
        lane_into(&self.lookups, lane, group);
    }

    /// Computes the adjoint variables of the step in `lane` from those of the step after it, and its share in
    /// the gradient.
    #[inline(always)]
    pub fn recur(
        &mut self,
        lane: usize,
        StepConstants { weights, model, .. }: &StepConstants<M, f64>,
        selected: &SelectedParameters,
        step: AdjointStep<'_, M, f64>,
    ) {
        let AdjointStep { later, adjoint, share, .. } = step;
        let mut scratch = Scratch::take(&mut self.scratch, M::program(model));
        let Scratch { passed, found, .. } = &mut scratch;
        later.pass_on(weights, passed);
        let factors = LaneOf { values: &self.factors, lane };
        let coefficients = LaneOf { values: &self.coefficients, lane };
        if passed.has_history {
            M::adjoint_history(model, factors, coefficients, passed);
        }
        M::adjoint_recurrence(model, factors, coefficients, selected, passed, found, share);
        adjoint.follow(later, weights, found);
        scratch.keep(&mut self.scratch);
    }
}
