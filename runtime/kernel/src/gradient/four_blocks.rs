//! Four steps of a sweep at a time, for models without emitted factors.
//!
//! All states are known before a sweep begins: the matrices of four steps are evaluated side by side, and factorised
//! side by side where all of them can be factorised in the compiled order of pivots. The adjoint variables then go
//! through the steps one by one.

use costate_numerics::linalg::FourFactors;
use costate_numerics::scalar::{LANES, Lanes, Scalar, Vector, each_lane, scatter};
use costate_system::model::{AdjointTerms, Functions, Group, Weights};
use costate_system::problem::Problem;

use crate::step::LinearStep;

use super::four_states::FourStates;

/// The matrices of four steps, the last one in the first lane.
pub(super) struct FourBlocks<M: Functions> {
    states: FourStates<M>,
    // boxed, because stacks are small
    group: Box<M::Adjoint<Lanes>>,
    /// The terms of `group`, where it consists of sums, and the array of the group `linearization`.
    terms: Option<(AdjointTerms, Box<M::Linearization<Lanes>>)>,
    weights: [Lanes; 3],
    /// The emitted factors of a model without such factors: an empty vector.
    emitted: M::Factors<Lanes>,
    factors: Option<Box<FourFactors>>,
    /// The group in every lane.
    of_lanes: [Box<M::Adjoint<f64>>; LANES],
}

impl<M: Functions> FourBlocks<M> {
    /// False for a compiled model that has emitted factors, so that functions for other models are not compiled.
    const MAY_BE_POSSIBLE: bool = match M::COMPILED {
        Some(description) => description.elimination.is_none(),
        None => true,
    };

    /// Checks whether steps of the model go four at a time here.
    pub fn are_possible(program: M::Program) -> bool {
        Self::MAY_BE_POSSIBLE && M::description(program).elimination.is_none() && Lanes::are_available()
    }

    /// Creates the matrices of four steps of the run that is linearised, where they [are possible](Self::are_possible).
    pub fn new(program: M::Program, problem: &Problem, parameters: &M::Parameters<f64>, weights: &Weights) -> Self {
        let lengths = M::lengths(program);
        let linearization = || Box::new(Vector::zeros(lengths.group(Group::Linearization)));
        let Weights { accelerations, coordinates, velocities, .. } = *weights;
        Self {
            states: FourStates::new(program, problem, parameters),
            terms: M::ADJOINT_IS_SUMS.then(|| (AdjointTerms::of(M::description(program)), linearization())),
            weights: [accelerations, coordinates, velocities].map(Lanes::constant),
            group: Box::new(Vector::zeros(lengths.group(Group::Adjoint))),
            emitted: Vector::zeros(lengths.factors),
            factors: None,
            of_lanes: each_lane(|_| Box::new(Vector::zeros(lengths.group(Group::Adjoint)))),
        }
    }

    /// Evaluates the matrices of steps i to i - 3 at their states.
    #[inline(always)]
    pub fn evaluate(&mut self, problem: &Problem, i: usize, states: [&[f64]; LANES]) {
        self.states.load(problem, i, states);
        let Self { states, group, terms, weights, emitted, of_lanes, .. } = self;
        let point = states.point(problem, i);
        if M::ADJOINT_IS_SUMS {
            if let Some((terms, linearization)) = terms {
                M::linearization(&point, linearization);
                terms.add(*weights, (**linearization).as_ref(), (**group).as_mut());
            }
        } else {
            M::adjoint(&point, group, emitted);
        }
        let [a, b, c, d] = of_lanes;
        let to = [(**a).as_mut(), (**b).as_mut(), (**c).as_mut(), (**d).as_mut()];
        scatter((**group).as_ref(), to);
    }

    /// Factorises the Newton matrices that were evaluated last; returns false if one of them cannot be
    /// factorised with the pivots of the last matrix of `linear`.
    pub fn factor(&mut self, linear: &LinearStep<M>) -> bool {
        linear.matrix.factor_four((*self.group).as_ref(), &mut self.factors)
    }

    /// Gives the matrices of the step in `lane` to `linear`.
    pub fn give(&mut self, lane: usize, linear: &mut LinearStep<M>) {
        if let Some(group) = self.of_lanes.get_mut(lane) {
            linear.exchange_adjoint(group);
        }
    }

    /// Returns the factors that were computed last, if there are any.
    pub fn factors(&self) -> Option<&FourFactors> {
        self.factors.as_deref()
    }
}
