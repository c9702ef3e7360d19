//! Four steps of a sweep at a time, for models without emitted factors.
//!
//! All states are known before a sweep begins: the matrices of four steps are evaluated side by side, and factorised
//! side by side where the compiled order of pivots serves all of them. The adjoint variables then go through the steps
//! one by one.

use costate_numerics::linalg::FourFactors;
use costate_numerics::scalar::{LANES, Lanes, Scalar, Vector, each_lane, gather, scatter};
use costate_system::model::{AdjointTerms, Functions, Point, Weights};
use costate_system::problem::Problem;

use crate::run::constants_of;
use crate::step::{LinearStep, State};

use super::four_steps::{in_lanes, times};

/// The matrices of four steps, the last one in the first lane.
pub(super) struct FourBlocks<M: Functions> {
    constants: M::Constants<Lanes>,
    state: State<M, Lanes>,
    inputs: M::Inputs<Lanes>,
    // boxed, because stacks are small
    group: Box<M::Adjoint<Lanes>>,
    /// The terms of `group`, where it consists of sums, and the array of the group `linearization`.
    terms: Option<(AdjointTerms, Box<M::Linearization<Lanes>>)>,
    weights: [Lanes; 3],
    /// There are none.
    emitted: M::Factors<Lanes>,
    factors: Option<Box<FourFactors>>,
    /// The group in every lane.
    of_lanes: [Box<M::Adjoint<f64>>; LANES],
}

impl<M: Functions> FourBlocks<M> {
    /// False for a compiled model that has emitted factors, so that what needs none is not compiled.
    const MAY_SERVE: bool = match M::COMPILED {
        Some(description) => description.elimination.is_none(),
        None => true,
    };

    /// Checks whether steps of the model go four at a time here.
    pub fn serve(program: M::Program) -> bool {
        Self::MAY_SERVE && M::description(program).elimination.is_none() && Lanes::are_available()
    }

    /// Creates the matrices of four steps of the run that is linearised, where they [serve](Self::serve).
    pub fn new(program: M::Program, problem: &Problem, parameters: &M::Parameters<f64>, weights: &Weights) -> Self {
        let lengths = M::lengths(program);
        let linearization = || Box::new(Vector::zeros(lengths.linearization));
        let Weights { accelerations, coordinates, velocities, .. } = *weights;
        Self {
            constants: constants_of::<M, _>(program, problem, &in_lanes::<M>(parameters)),
            terms: M::ADJOINT_IS_SUMS.then(|| (AdjointTerms::of(M::description(program)), linearization())),
            weights: [accelerations, coordinates, velocities].map(Lanes::constant),
            state: State::zeros_of(program),
            inputs: Vector::zeros(lengths.inputs),
            group: Box::new(Vector::zeros(lengths.adjoint)),
            emitted: Vector::zeros(lengths.factors),
            factors: None,
            of_lanes: each_lane(|_| Box::new(Vector::zeros(lengths.adjoint))),
        }
    }

    /// Evaluates the matrices of steps i to i - 3 at their states.
    #[inline(always)]
    pub fn evaluate(&mut self, problem: &Problem, i: usize, states: [&[f64]; LANES]) {
        let all = problem.inputs();
        self.state.gather_stored(states);
        gather(self.inputs.as_mut(), [all.row(i), all.row(i - 1), all.row(i - 2), all.row(i - 3)]);
        let Self { state, inputs, constants, group, terms, weights, emitted, of_lanes, .. } = self;
        let point = Point { time: times(problem, i), ..state.point(0.0, inputs, constants) };
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

    /// Factorises the Newton matrices that were evaluated last; returns false if the pivots of the last matrix of
    /// `linear` do not serve all four.
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
