//! The HHT method for constrained systems (index 3), DA (12) to (15): with G = C_q^T lambda - f,
//!
//! ```text
//! q_i = q_{i-1} + h v_{i-1} + h^2/2 [(1 - 2 beta) a_{i-1} + 2 beta a_i]
//! v_i = v_{i-1} + h [(1 - gamma) a_{i-1} + gamma a_i]
//! (M a)_i/(1+alpha) + G_i - alpha/(1+alpha) G_{i-1} = 0
//! C(q_i)/(beta h^2) = 0
//! ```
//!
//! The unknowns of a step are (a_i, lambda_i). Everything is evaluated in the number type S of the run; where pivots are
//! chosen at run time the matrix is one of plain numbers, and every component of S is corrected with the same factors. At
//! convergence the components are the exact derivatives of the computed solution either way.

use std::ops::RangeInclusive;

use crate::block::find;
use crate::buffers::Buffer;
use crate::evaluate;
use crate::integrator::entrywise::entrywise;
use crate::integrator::error::SimulationError;
use crate::integrator::initial::{Start, consistent_state};
use crate::integrator::newton::{Control, Measured, Verdict};
use crate::integrator::sizes::Sizes;
use crate::integrator::state::{State, lift_into, real_part};
use crate::integrator::statistics::Statistics;
use crate::integrator::stored::stored_row;
use crate::machine::{Room, bytes};
use crate::model::{Argument, Function, Model, Weights};
use crate::problem::Problem;
use crate::scalar::{Fours, Scalar, Vector, Work};
use crate::trajectory::Trajectory;

use correction::Correction;
use entries::{Extrapolate, Integrate, Predict};

mod correction;
mod entries;
mod history;
#[cfg(target_arch = "x86_64")]
mod lanes;
mod snapshot;

#[cfg(target_arch = "x86_64")]
pub(crate) use lanes::run_lanes;
pub(crate) use snapshot::Snapshot;

/// Simulates `problem` with `parameters`.
pub(crate) fn run<M: Model, S: Scalar>(
    problem: &Problem<M>,
    parameters: &M::Parameters<S>,
) -> Result<Trajectory<M, S>, SimulationError> {
    problem.poll(0)?;
    let initial = consistent_state(problem, parameters)?;
    let numbers = (problem.steps() + 1).saturating_mul(Trajectory::<M, S>::STRIDE);
    let states = problem.buffers().take(numbers);
    let missing =
        |_| Room::of_steps("the run", problem.steps()).missing(bytes(numbers, size_of::<S>()), None);
    let mut states = states.map_err(missing)?;
    let constants = problem.constants(parameters);
    let mut integrator = Hht::new(problem, parameters, &constants, initial.start());
    integrator.state.store_row(stored_row(&mut states, 0, Trajectory::<M, S>::STRIDE));
    S::dispatch(Steps {
        integrator: &mut integrator,
        steps: 1..=problem.steps(),
        states: Some(&mut states),
    })?;
    let statistics = integrator.statistics();
    let states = Buffer::new(states, problem.buffers());
    Ok(Trajectory::new(problem.conditions(), parameters.clone(), constants, initial, states, statistics))
}

/// Everything that a step works on. What later steps depend on is kept by [`Snapshot`], and must be kept there.
pub(crate) struct Hht<'a, M: Model, S: Scalar> {
    problem: &'a Problem<M>,
    fours: Fours,
    weights: Weights,
    constants: &'a M::Constants<S>,
    state: State<M, S>,
    /// a and lambda one step before, to extrapolate from.
    previous: Unknowns<M, S>,
    /// a and lambda two steps before.
    earlier: Unknowns<M, S>,
    /// The auxiliary acceleration, before a step that of two steps before, but for the first one.
    auxiliary: M::Coordinates<S>,
    /// The state but for the share of a_i: q_i = q* + w_q a_i, v_i = v* + w_v a_i.
    q_star: M::Coordinates<S>,
    v_star: M::Coordinates<S>,
    /// alpha/(1+alpha) G_{i-1} (n).
    history: M::Coordinates<S>,
    mass: history::Mass<M, S>,
    inputs: M::Inputs<S>,
    correction: Correction<M, S>,
    /// Sizes of the state and of its last correction, and of their derivatives.
    sizes: Sizes,
    derivative_sizes: Vec<Sizes>,
    control: Control,
    /// Parameters that carry derivatives.
    directions: Vec<usize>,
    statistics: Statistics,
}

/// What a step solves for.
#[derive(Debug, Clone)]
struct Unknowns<M: Model, S: Scalar> {
    accelerations: M::Coordinates<S>,
    multipliers: M::Multipliers<S>,
}

impl<M: Model, S: Scalar> Unknowns<M, S> {
    fn of(state: &State<M, S>) -> Self {
        Self { accelerations: state.accelerations.clone(), multipliers: state.multipliers.clone() }
    }
}

impl<'a, M: Model, S: Scalar> Hht<'a, M, S> {
    const N: usize = <M::Coordinates<S> as Vector<S>>::LENGTH;
    /// Whether the unknowns of a step have room in the processor's registers, more or less.
    const IS_SMALL: bool = <M::Unknowns<S> as Vector<S>>::LENGTH <= 16;
    /// Whether numbers carry derivatives.
    const HAS_COMPONENTS: bool = S::COMPONENTS > 1;

    /// At t = 0; `constants` are those of `parameters`.
    pub fn new(
        problem: &'a Problem<M>,
        parameters: &M::Parameters<S>,
        constants: &'a M::Constants<S>,
        (initial, auxiliary): Start<M, S>,
    ) -> Self {
        let weights = problem.settings().weights();
        let real_constants = problem.constants(&real_part::<S, _, _>(parameters));
        let mut integrator = Self {
            problem,
            fours: Fours::new(),
            weights,
            constants,
            previous: Unknowns::of(&initial),
            earlier: Unknowns::of(&initial),
            auxiliary,
            q_star: initial.coordinates.clone(),
            v_star: initial.velocities.clone(),
            state: initial,
            history: Vector::zeros(),
            mass: history::Mass::Varying,
            inputs: Vector::zeros(),
            correction: Correction::new(real_constants),
            sizes: Sizes::default(),
            derivative_sizes: vec![Sizes::default(); S::COMPONENTS.saturating_sub(1)],
            control: Control::new(problem.settings().newton.clone(), weights, S::COMPONENTS),
            directions: Vec::new(),
            statistics: Statistics::default(),
        };
        if Self::HAS_COMPONENTS {
            integrator.direct(parameters);
        }
        integrator.start();
        integrator
    }

    /// Takes the directions of the derivatives.
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

    /// G_0, the mass matrix, and the sizes of the initial state.
    fn start(&mut self) {
        lift_into(self.problem.inputs()[0].as_ref(), self.inputs.as_mut());
        self.remember_force_residual(0);
        let groups = M::DESCRIPTION.groups;
        if find(groups.linearization, Function::Inertia, Some(Argument::Coordinates)).entries.is_empty() {
            let mut group = M::Linearization::<S>::zeros();
            evaluate::linearization(&self.state.point(0.0, &self.inputs, self.constants), &mut group);
            let mass = find(groups.linearization, Function::Inertia, Some(Argument::Accelerations));
            self.mass = history::Mass::constant(mass.iter(group.as_ref()), &self.weights);
        }
        self.measure_state();
        self.control.start(Self::measured(self.sizes, &self.derivative_sizes));
    }

    /// What the control of Newton's iteration sees; that plain numbers have no derivatives is known when it is compiled.
    #[inline(always)]
    fn measured(real: Sizes, derivatives: &[Sizes]) -> Measured<'_> {
        Measured { real, derivatives: if Self::HAS_COMPONENTS { derivatives } else { &[] } }
    }

    /// x_i after [`step`](Self::step) i.
    pub fn state(&self) -> &State<M, S> {
        &self.state
    }

    /// What the steps so far took.
    pub fn statistics(&self) -> Statistics {
        let matrix = &self.correction.matrix;
        Statistics { analyses: matrix.analyses(), pivoted: matrix.pivoted(), ..self.statistics }
    }

    /// From x_{i-1} to x_i. If the iteration fails with old factors or from the extrapolated start, it begins again
    /// from x_{i-1} with a new matrix in every iteration.
    pub fn step(&mut self, i: usize) -> Result<(), SimulationError> {
        S::dispatch(Steps { integrator: self, steps: i..=i, states: None })
    }

    #[inline(always)]
    fn advance(&mut self, i: usize, correction: &mut M::Unknowns<S>) -> Result<(), SimulationError> {
        lift_into(self.problem.inputs()[i].as_ref(), self.inputs.as_mut());
        self.predict(i);
        let mut full = false;
        while let Err(error) = self.iterate(i, full, correction) {
            if full {
                return Err(error);
            }
            full = true;
            self.begin_again();
        }
        self.update_history(i);
        self.statistics.steps += 1;
        Ok(())
    }

    /// q* and v*, Newmark's formulas without a_i, and a start for Newton's iteration: a straight line through the last
    /// two accelerations and multipliers, or a parabola through three.
    #[inline(always)]
    fn predict(&mut self, i: usize) {
        let extrapolate = Extrapolate {
            line: if i < 2 { 0.0 } else { 1.0 },
            parabola: if self.control.extrapolates_twice() && i > 3 { 1.0 } else { 0.0 },
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
        let starts = if i < 2 { 1.0 } else { 0.0 };
        let predict = Predict { weights: &self.weights, starts, accelerations: extrapolate };
        entrywise(self.fours, [], changed, predict);
        let (before, earlier) = (self.previous.multipliers.as_mut(), self.earlier.multipliers.as_mut());
        entrywise(self.fours, [], [state.multipliers.as_mut(), before, earlier], extrapolate);
    }

    /// From where the step before ended.
    #[cold]
    #[inline(never)]
    fn begin_again(&mut self) {
        self.state.accelerations.clone_from(&self.previous.accelerations);
        self.state.multipliers.clone_from(&self.previous.multipliers);
        let State { coordinates, velocities, accelerations, .. } = &mut self.state;
        let given = [self.q_star.as_ref(), self.v_star.as_ref(), accelerations.as_ref()];
        entrywise(self.fours, given, [coordinates.as_mut(), velocities.as_mut()], Integrate(&self.weights));
    }

    /// Newton's iteration; with `full`, a new matrix in every iteration. `correction` has room for one.
    #[inline(always)]
    fn iterate(
        &mut self,
        i: usize,
        full: bool,
        correction: &mut M::Unknowns<S>,
    ) -> Result<(), SimulationError> {
        let mut renew = self.control.begin() || full;
        let mut first = true;
        loop {
            let verdict = if Self::IS_SMALL {
                // known to no one else, a few numbers stay in registers until they are added
                self.improve(i, [renew, full, first], &mut Vector::zeros())?
            } else {
                self.improve(i, [renew, full, first], correction)?
            };
            first = false;
            if verdict != Verdict::Converged && self.control.stalls() && self.is_exhausted(i) {
                break;
            }
            renew = match verdict {
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

    /// One iteration.
    #[inline(always)]
    fn improve(
        &mut self,
        i: usize,
        [renew, full, first]: [bool; 3],
        correction: &mut M::Unknowns<S>,
    ) -> Result<Verdict, SimulationError> {
        self.correct(i, renew, full, correction)?;
        self.measure(i, correction)?;
        self.apply(correction);
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

    fn time(&self, i: usize) -> f64 {
        i as f64 * self.weights.step
    }
}

/// Steps as a piece of work; where their states are kept it is a run, which can be interrupted.
struct Steps<'s, 'a, M: Model, S: Scalar> {
    integrator: &'s mut Hht<'a, M, S>,
    steps: RangeInclusive<usize>,
    states: Option<&'s mut Vec<S>>,
}

impl<M: Model, S: Scalar> Work for Steps<'_, '_, M, S> {
    type Output = Result<(), SimulationError>;

    #[inline(always)]
    fn run(self) -> Self::Output {
        let Self { integrator, steps, mut states } = self;
        let mut correction = M::Unknowns::zeros();
        for i in steps {
            integrator.advance(i, &mut correction)?;
            if let Some(states) = &mut states {
                integrator.state.store_row(stored_row(states, i, Trajectory::<M, S>::STRIDE));
                integrator.problem.poll(i)?;
            }
        }
        Ok(())
    }
}
