//! One step of a run: with w_q = dq_i/da_i and w_v = dv_i/da_i of the scheme and G = C_q^T lambda - f, what HHT calls
//! alpha/(1+alpha) being zero for generalized alpha,
//!
//! ```text
//! q_i = q* + w_q a_i,   v_i = v* + w_v a_i
//! (M a)_i/(1+alpha) + G_i - alpha/(1+alpha) G_{i-1} = 0
//! C(q_i)/w_q = 0
//! ```
//!
//! where q* and v* follow from the state before, DA (12) to (15). The unknowns of a step are (a_i, lambda_i).
//! Everything is evaluated in the number type S of the run; where pivots are chosen at run time the matrix is one of
//! plain numbers, and every component of S is corrected with the same factors. At convergence the components are the
//! exact derivatives of the computed solution either way.

use costate_numerics::linalg::block::find;
use costate_numerics::scalar::{Fours, Scalar, Vector, Work};
use costate_system::model::{Argument, Function, Functions, Group, Weights};
use costate_system::system::StateVectors;

use crate::equations::ModelEquations;
use crate::evaluate;

use super::correction::Correction;
use super::displacement::Displacement;
use super::entries::{Extrapolate, Follow, Integrate, Predict};
use super::entrywise::entrywise;
use super::mass::Mass;
use super::newton::{Control, Measured, Verdict};
use super::sizes::Sizes;
use crate::step::NewtonSettings;
use crate::step::State;
use crate::step::Statistics;
use crate::step::StepError;
use crate::step::{Moment, StepConstants};

/// The initial values of steps: a state, and its auxiliary acceleration in the scheme.
pub type Start<M, S> = (State<M, S>, <M as Functions>::Coordinates<S>);

/// The working data of a step. Everything that later steps depend on must be part of [`Snapshot`].
pub struct Integrator<M: Functions, S: Scalar> {
    pub(super) program: M::Program,
    pub(super) fours: Fours,
    pub(super) state: State<M, S>,
    /// a and lambda one step before, for the extrapolation.
    pub(super) previous: Unknowns<M, S>,
    /// a and lambda two steps before.
    pub(super) earlier: Unknowns<M, S>,
    /// The auxiliary acceleration; if not `is_current`, that of the state one step before.
    pub(super) auxiliary: M::Coordinates<S>,
    /// True if `auxiliary` belongs to `state`.
    pub(super) is_current: bool,
    /// The state but for the share of a_i: q_i = q* + w_q a_i, v_i = v* + w_v a_i.
    pub(super) q_star: M::Coordinates<S>,
    pub(super) v_star: M::Coordinates<S>,
    /// alpha/(1+alpha) G_{i-1} (n).
    pub(super) history: M::Coordinates<S>,
    pub(super) mass: Mass<M, S>,
    pub(super) inputs: M::Inputs<S>,
    pub(super) correction: Correction<M, S>,
    /// The correction of a and lambda in single steps, between these.
    pub(super) unknowns: M::Unknowns<S>,
    /// Sizes of the state and of its last correction, and of their derivatives.
    pub(super) sizes: Sizes,
    pub(super) derivative_sizes: Vec<Sizes>,
    pub(super) control: Control,
    /// Parameters that carry derivatives.
    pub(super) directions: Vec<usize>,
    pub(super) statistics: Statistics,
    /// Number of steps since the start or the last change of their length, which limits the extrapolation.
    pub(super) taken: usize,
    /// The displacement where steps of another length begin; `None` before the first such step.
    pub(super) displacement: Option<Box<Displacement<S>>>,
}

/// The unknowns of a step.
#[derive(Debug, Clone)]
pub(super) struct Unknowns<M: Functions, S: Scalar> {
    pub accelerations: M::Coordinates<S>,
    pub multipliers: M::Multipliers<S>,
}

impl<M: Functions, S: Scalar> Unknowns<M, S> {
    pub fn of(state: &State<M, S>) -> Self {
        Self { accelerations: state.accelerations.clone(), multipliers: state.multipliers.clone() }
    }
}

impl<M: Functions, S: Scalar> Integrator<M, S> {
    /// True if the unknowns of a step are an array that fits roughly into the processor's registers.
    const IS_SMALL: bool = matches!(<M::Unknowns<S> as Vector<S>>::LENGTH, Some(0..=16));
    /// True if numbers carry derivatives.
    pub(super) const HAS_COMPONENTS: bool = S::COMPONENTS > 1;

    /// Creates an integrator at a state and a time; `constants` are those of the first step with these
    /// parameters.
    pub fn new(
        newton: &NewtonSettings,
        parameters: &M::Parameters<S>,
        constants: &StepConstants<M, S>,
        start: Start<M, S>,
        at: Moment<'_>,
    ) -> Self {
        let mut integrator = Self::at(constants.program(), newton, &constants.weights, start);
        if Self::HAS_COMPONENTS {
            integrator.direct(parameters);
        }
        integrator.start(constants, at);
        integrator
    }

    /// Creates an integrator at a state where nothing has been evaluated.
    pub(super) fn at(
        program: M::Program,
        newton: &NewtonSettings,
        weights: &Weights,
        (initial, auxiliary): Start<M, S>,
    ) -> Self {
        let lengths = M::lengths(program);
        Self {
            program,
            fours: Fours::default(),
            previous: Unknowns::of(&initial),
            earlier: Unknowns::of(&initial),
            auxiliary,
            is_current: true,
            q_star: initial.coordinates.clone(),
            v_star: initial.velocities.clone(),
            state: initial,
            history: Vector::zeros(lengths.coordinates),
            mass: Mass::Varying,
            inputs: Vector::zeros(lengths.inputs),
            correction: Correction::new(program),
            unknowns: Vector::zeros(lengths.unknowns),
            sizes: Sizes::default(),
            derivative_sizes: vec![Sizes::default(); S::COMPONENTS.saturating_sub(1)],
            control: Control::new(newton.clone(), *weights, S::COMPONENTS),
            directions: Vec::new(),
            statistics: Statistics::default(),
            taken: 0,
            displacement: None,
        }
    }

    /// Records which parameters carry derivatives, and by how much they change.
    fn direct(&mut self, parameters: &M::Parameters<S>) {
        let parameters = parameters.as_ref();
        let moves = |parameter: &S| (1..S::COMPONENTS).any(|index| parameter.component(index) != 0.0);
        self.directions = (0..parameters.len()).filter(|&i| moves(&parameters[i])).collect();
        // a parameter that is zero counts as 1 in its unit
        let size = |parameter: &S| if parameter.real() == 0.0 { 1.0 } else { parameter.real().abs() };
        let change = |index| {
            let changes = parameters.iter().map(|p| p.component(index).abs() / size(p));
            changes.filter(|change| change.is_finite()).fold(0.0, f64::max)
        };
        self.control.direct((1..S::COMPONENTS).map(change));
    }

    /// Evaluates G at the start, the mass matrix, and the sizes of the state.
    fn start(&mut self, constants: &StepConstants<M, S>, at: Moment<'_>) {
        at.lift_inputs(&mut self.inputs);
        self.remember_force_residual(constants, at.time);
        let groups = M::description(self.program).groups;
        if find(groups.linearization, Function::Inertia, Some(Argument::Coordinates)).entries.is_empty() {
            let mut group = M::Linearization::<S>::zeros(M::lengths(self.program).group(Group::Linearization));
            evaluate::linearization(&self.state.point(at.time, &self.inputs, &constants.model), &mut group);
            let mass = find(groups.linearization, Function::Inertia, Some(Argument::Accelerations));
            self.mass = Mass::constant(self.program, mass.iter(group.as_ref()), &constants.weights);
        }
        self.measure_state();
        self.control.start(Self::measured(self.sizes, &self.derivative_sizes));
    }

    /// Returns the sizes for the control of Newton's iteration; that plain numbers have no derivatives is
    /// known at compile time.
    #[inline(always)]
    pub(super) fn measured(real: Sizes, derivatives: &[Sizes]) -> Measured<'_> {
        Measured { real, derivatives: if Self::HAS_COMPONENTS { derivatives } else { &[] } }
    }

    /// Returns x_i after [`step`](Self::step) i.
    pub fn state(&self) -> &State<M, S> {
        &self.state
    }

    /// Writes the auxiliary acceleration at x_i, with the weights of step i, where `auxiliary` has room for
    /// it.
    #[inline(always)]
    pub fn auxiliary_into(&self, weights: &Weights, auxiliary: &mut [S]) {
        // filters do not store s for schemes in which s is the acceleration
        if auxiliary.len() != self.auxiliary.as_ref().len() {
            return;
        }
        auxiliary.copy_from_slice(self.auxiliary.as_ref());
        if !self.is_current {
            let given = [self.state.accelerations.as_ref(), self.previous.accelerations.as_ref()];
            entrywise(self.fours, given, [auxiliary], Follow(weights));
        }
    }

    /// Continues from another state, with nothing to extrapolate from.
    pub fn begin_at(
        &mut self,
        constants: &StepConstants<M, S>,
        state: &State<M, S>,
        auxiliary: &M::Coordinates<S>,
        at: Moment<'_>,
    ) {
        self.state.clone_from(state);
        self.auxiliary.clone_from(auxiliary);
        self.previous = Unknowns::of(state);
        self.earlier = Unknowns::of(state);
        (self.taken, self.is_current) = (0, true);
        self.start(constants, at);
    }

    /// Updates the auxiliary acceleration to x_i, where step i had these weights and the next step has
    /// others.
    pub fn settle(&mut self, weights: &Weights) {
        let mut auxiliary = M::Coordinates::zeros(M::lengths(self.program).coordinates);
        self.auxiliary_into(weights, auxiliary.as_mut());
        (self.auxiliary, self.is_current) = (auxiliary, true);
    }

    /// Restarts at x_i, at time t_i, with steps that have these constants.
    pub fn restart(&mut self, constants: &StepConstants<M, S>, time: f64) {
        let description = M::description(self.program);
        let displacement = self.displacement.get_or_insert_with(|| Box::new(Displacement::new(description)));
        let state = StateVectors::of(&self.state);
        displacement.find(&ModelEquations::<M, S>(&constants.model), &constants.weights, time, &state, None);
        self.auxiliary.as_mut().copy_from_slice(&displacement.auxiliary());
        self.is_current = true;
        self.forget_steps(&constants.weights);
    }

    /// Continues with nothing to extrapolate from.
    pub fn forget_steps(&mut self, weights: &Weights) {
        self.taken = 0;
        self.take_step(weights);
    }

    /// Adapts the control of Newton's iteration to another step length.
    pub fn take_step(&mut self, weights: &Weights) {
        self.control.take_weights(weights);
    }

    /// Returns the work counters of the steps so far.
    pub fn statistics(&self) -> Statistics {
        let matrix = &self.correction.matrix;
        let mut statistics = self.statistics;
        (statistics.analyses, statistics.pivoted) = (matrix.analyses(), matrix.pivoted());
        statistics
    }

    /// Advances from x_{i-1} to x_i.
    pub fn step(&mut self, constants: &StepConstants<M, S>, at: Moment<'_>) -> Result<(), StepError> {
        S::dispatch(Step { integrator: self, constants, at })
    }

    /// Advances from x_{i-1} to x_i within a piece of work; `correction` is working memory.
    #[inline(always)]
    pub fn advance(
        &mut self,
        constants: &StepConstants<M, S>,
        at: Moment<'_>,
        correction: &mut M::Unknowns<S>,
    ) -> Result<(), StepError> {
        self.find(constants, at, correction)?;
        self.update_history(constants, at.time);
        self.taken += 1;
        self.statistics.steps += 1;
        Ok(())
    }

    /// Computes x_i, without the history term for the next step. If the iteration fails with old factors or
    /// from the extrapolated start, it is repeated from x_{i-1} with a new matrix in every iteration.
    #[inline(always)]
    pub(super) fn find(
        &mut self,
        constants: &StepConstants<M, S>,
        at: Moment<'_>,
        correction: &mut M::Unknowns<S>,
    ) -> Result<(), StepError> {
        at.lift_inputs(&mut self.inputs);
        self.predict(&constants.weights);
        let mut full = false;
        while let Err(error) = self.iterate(constants, at, full, correction) {
            if full {
                return Err(error);
            }
            full = true;
            self.begin_again(&constants.weights);
        }
        if constants.is_determined() { self.determine(constants, at, correction) } else { Ok(()) }
    }

    /// Computes q* and v*, Newmark's formulas without a_i, and the start of Newton's iteration: a straight
    /// line through the last two accelerations and multipliers, or a parabola through three.
    #[inline(always)]
    pub(super) fn predict(&mut self, weights: &Weights) {
        let extrapolate = Extrapolate {
            line: if self.taken == 0 { 0.0 } else { 1.0 },
            parabola: if self.control.extrapolates_twice() && self.taken > 2 { 1.0 } else { 0.0 },
        };
        let state = &mut self.state;
        let changed = [
            state.coordinates.as_mut(),
            state.velocities.as_mut(),
            state.accelerations.as_mut(),
            self.previous.accelerations.as_mut(),
            self.earlier.accelerations.as_mut(),
            self.auxiliary.as_mut(),
            self.q_star.as_mut(),
            self.v_star.as_mut(),
        ];
        let starts = if self.is_current { 1.0 } else { 0.0 };
        self.is_current = false;
        let predict = Predict { weights, starts, accelerations: extrapolate };
        entrywise(self.fours, [], changed, predict);
        let (before, earlier) = (self.previous.multipliers.as_mut(), self.earlier.multipliers.as_mut());
        entrywise(self.fours, [], [state.multipliers.as_mut(), before, earlier], extrapolate);
    }

    /// Resets the iterate to a and lambda of the step before.
    #[cold]
    #[inline(never)]
    fn begin_again(&mut self, weights: &Weights) {
        self.state.accelerations.clone_from(&self.previous.accelerations);
        self.state.multipliers.clone_from(&self.previous.multipliers);
        let State { coordinates, velocities, accelerations, .. } = &mut self.state;
        let given = [self.q_star.as_ref(), self.v_star.as_ref(), accelerations.as_ref()];
        entrywise(self.fours, given, [coordinates.as_mut(), velocities.as_mut()], Integrate(weights));
    }

    /// Runs Newton's iteration; with `full`, with a new matrix in every iteration. `correction` is working
    /// memory.
    #[inline(always)]
    fn iterate(
        &mut self,
        constants: &StepConstants<M, S>,
        at: Moment<'_>,
        full: bool,
        correction: &mut M::Unknowns<S>,
    ) -> Result<(), StepError> {
        let mut renew = self.control.begin() || full;
        let mut first = true;
        loop {
            let verdict = if Self::IS_SMALL {
                // a local array of few numbers stays in registers until it is added
                self.improve(constants, at, renew, full, first, &mut Vector::zeros(correction.as_ref().len()))?
            } else {
                self.improve(constants, at, renew, full, first, correction)?
            };
            first = false;
            if verdict != Verdict::Converged && self.control.stalls() && self.is_exhausted(constants, at) {
                break;
            }
            renew = match verdict {
                Verdict::Converged => break,
                Verdict::Continue => full,
                Verdict::Renew => true,
                Verdict::Failed => return Err(self.failure(at)),
            };
        }
        let iterations = self.control.iterations();
        self.statistics.worst_iterations = self.statistics.worst_iterations.max(iterations);
        Ok(())
    }

    /// Makes one iteration.
    #[inline(always)]
    fn improve(
        &mut self,
        constants: &StepConstants<M, S>,
        at: Moment<'_>,
        renew: bool,
        full: bool,
        first: bool,
        correction: &mut M::Unknowns<S>,
    ) -> Result<Verdict, StepError> {
        self.correct(constants, at, renew, full, correction)?;
        self.measure(constants, at, correction)?;
        self.apply(&constants.weights, correction);
        // the scale of the state does not change in a step, but derivatives may begin to move in the second iteration
        if first || Self::HAS_COMPONENTS {
            self.measure_state();
        }
        self.statistics.iterations += 1;
        let verdict = self.control.judge(Self::measured(self.sizes, &self.derivative_sizes));
        if verdict == Verdict::Failed {
            self.correction.values.clone_from(correction);
        }
        Ok(verdict)
    }
}

/// A step as a piece of work.
struct Step<'s, M: Functions, S: Scalar> {
    integrator: &'s mut Integrator<M, S>,
    constants: &'s StepConstants<M, S>,
    at: Moment<'s>,
}

impl<M: Functions, S: Scalar> Work for Step<'_, M, S> {
    type Output = Result<(), StepError>;

    #[inline(always)]
    fn run(self) -> Self::Output {
        let mut correction = std::mem::replace(&mut self.integrator.unknowns, Vector::zeros(0));
        let advanced = self.integrator.advance(self.constants, self.at, &mut correction);
        self.integrator.unknowns = correction;
        advanced
    }
}
