//! The discrete adjoint of the HHT scheme (DA 9 to 20, with the initial state's and the constraints' share).
//!
//! With multipliers y_i, z_i, w_i, mu_i of the step's four equations and K = G_q, backward in i:
//!
//! ```text
//! y_i + [k (M a)_q + K]_i^T w_i + C_q^T mu_i/(beta h^2)  =  y_{i+1} + k' K_i^T w_{i+1} - J_q
//! z_i + G_v^T w_i  =  z_{i+1} + h y_{i+1} + k' G_v^T w_{i+1} - J_v
//! -beta h^2 y_i - gamma h z_i + k M w_i  =  h^2/2 (1 - 2 beta) y_{i+1} + h (1 - gamma) z_{i+1} - J_a
//! C_q w_i  =  k' C_q w_{i+1} - J_lambda
//! ```
//!
//! Without y_i and z_i this is the transpose of the forward Newton matrix: per step one evaluation, one
//! factorisation and one solve, all in one emitted function. Models without emitted factors, and steps where
//! these factors fail, use the matrices' blocks.

use costate_numerics::scalar::{CollectVec, LANES, Lanes, Scalar, Work};
use costate_system::model::{Functions, SelectedParameters};
use costate_system::problem::{Problem, SimulationError};
use costate_system::series::Series;

use crate::initial::{Consistent, initial_derivatives};
use crate::room::with_room;
use crate::run::{Backward, RunBasis, RunConstants, RunStates, Trajectory};

use super::displaced::Displaced;
use super::four_blocks::FourBlocks;
use super::four_steps::FourSteps;
use super::initial_share::{add_initial_inputs, add_initial_lookups};
use super::{FullGradient, cost_sweep::CostSweep};
use crate::gradient::check_derivatives;
use crate::step::{AdjointVariables, LinearStep, ParameterBlocks};

/// Computes the gradients of several costs of runs of the model `M`.
pub fn adjoint_gradients<M: Functions>(
    program: M::Program,
    problem: &Problem,
    run: RunStates<'_>,
    output_gradients: &[&Series<f64>],
    unknown: &[usize],
) -> Result<Vec<Vec<f64>>, SimulationError> {
    for output_gradient in output_gradients {
        check_derivatives(problem, output_gradient)?;
    }
    let selected = SelectedParameters::of(M::description(program), unknown)?;
    let mut states = Backward::<M, f64>::new(problem, run)?;
    let costs = output_gradients.iter().map(|&gradient| CostSweep::new(program, gradient)).collect_vec();
    let mut sweep = Sweep::new(problem, states.parameters, states.constants, costs, unknown, selected);
    sweep.run_best(&mut states)?;
    let initial = states.initial;
    let found = sweep.finish(states.at(0)?, initial)?;
    Ok(found.into_iter().map(|found| found.by_parameters).collect_vec())
}

/// A run with its basis and the derivatives of its cost with respect to the outputs.
pub(super) struct BasedRun<'a, M: Functions> {
    pub trajectory: &'a Trajectory,
    pub basis: &'a RunBasis<M, f64>,
    pub cost: &'a Series<f64>,
}

impl<M: Functions> Clone for BasedRun<'_, M> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<M: Functions> Copy for BasedRun<'_, M> {}

/// Concludes a backward sweep at step 0: the gradient from the adjoint variables of step 1, those `later` than the
/// start, and the `gradient` that the steps have contributed.
pub(super) fn conclude<M: Functions>(
    problem: &Problem,
    BasedRun { trajectory, basis, cost }: BasedRun<'_, M>,
    unknown: &[usize],
    selected: SelectedParameters,
    later: AdjointVariables<M, f64>,
    gradient: M::Parameters<f64>,
) -> Result<Vec<f64>, SimulationError> {
    let RunBasis { parameters, constants, initial } = basis;
    let mut cost = CostSweep { gradient, ..CostSweep::new(constants.program(), cost) };
    *cost.step.later = later;
    let sweep = Sweep::new(problem, parameters, constants, vec![cost], unknown, selected);
    let mut found = sweep.finish(trajectory.stored(0), Some(initial))?;
    Ok(found.pop().unwrap_or_default().by_parameters)
}

/// The backward sweep.
pub(super) struct Sweep<'a, M: Functions, S: Scalar> {
    problem: &'a Problem,
    parameters: &'a M::Parameters<S>,
    constants: &'a RunConstants<M, S>,
    linear: LinearStep<M, S>,
    unknown: &'a [usize],
    selected: SelectedParameters,
    blocks: ParameterBlocks,
    pub costs: Vec<CostSweep<'a, M, S>>,
}

impl<'a, M: Functions, S: Scalar> Sweep<'a, M, S> {
    #[inline(never)]
    pub fn new(
        problem: &'a Problem,
        parameters: &'a M::Parameters<S>,
        constants: &'a RunConstants<M, S>,
        costs: Vec<CostSweep<'a, M, S>>,
        unknown: &'a [usize],
        selected: SelectedParameters,
    ) -> Self {
        let linear = LinearStep::new(constants.program());
        Self {
            problem,
            parameters,
            blocks: ParameterBlocks::new(&linear.blocks, unknown),
            constants,
            linear,
            unknown,
            selected,
            costs,
        }
    }

    /// Goes from the last step to the adjoint variables of step 1.
    pub fn run(&mut self, states: &mut Backward<'_, M, S>) -> Result<(), SimulationError> {
        with_room::<M, S, _>(self.constants.program(), || {
            for i in (1..=self.problem.steps()).rev() {
                self.step(i, states.at(i)?)?;
                states.poll(i)?;
            }
            Ok(())
        })
    }

    /// Goes one step like [`step`](Self::step) within a piece of work.
    #[inline(always)]
    fn step_within(&mut self, i: usize, state: &[S]) -> Result<(), SimulationError> {
        let Self { problem, constants, linear, costs, selected, .. } = self;
        let displaces = constants.displaces(i + 1);
        let (at, constants) = (problem.moment(i), constants.backward(i));
        if !displaces
            && !constants.is_determined()
            && let [cost] = &mut costs[..]
            && cost.end_gradient.is_none()
            && linear.adjoint_step(constants, at, state, selected, cost.emitted(problem.sample(i)))
        {
            if cost.inputs.is_some() {
                linear.load(at, state);
                cost.differentiate_inputs(linear, constants);
            }
            cost.differentiate_lookups(linear, constants, at, state, problem.sample(i));
            cost.commit(self.unknown);
            return Ok(());
        }
        self.step_by_blocks(i, state)
    }

    /// Goes from the adjoint variables of step i + 1 to those of step i, compiled once for all sweeps.
    #[inline(never)]
    pub fn step(&mut self, i: usize, state: &[S]) -> Result<(), SimulationError> {
        S::dispatch(Step { sweep: self, i, state })
    }

    /// Goes from the adjoint variables of step i + 1 to those of step i with the matrices' blocks.
    #[inline(never)]
    fn step_by_blocks(&mut self, i: usize, state: &[S]) -> Result<(), SimulationError> {
        let constants = self.constants.backward(i);
        let displaced =
            self.constants.displaces(i + 1).then(|| Displaced::at_step(i, self.problem, self.constants, state));
        self.linear.load(self.problem.moment(i), state);
        self.linear.evaluate(constants);
        self.linear.factor(constants)?;
        self.pass(i, state, displaced, |linear, unknowns| linear.solve_transposed(constants, unknowns));
        Ok(())
    }

    /// Takes all costs from step i + 1 to step i, the matrices of which are evaluated; `solve_transposed` solves with
    /// the transposed Newton matrix.
    #[inline(always)]
    fn pass(
        &mut self,
        i: usize,
        state: &[S],
        displaced: Option<Displaced<S>>,
        solve_transposed: impl Fn(&LinearStep<M, S>, &mut M::Unknowns<S>),
    ) {
        let Self { problem, constants, linear, blocks, unknown, costs, .. } = self;
        let (constants, at, sample) = (constants.backward(i), problem.moment(i), problem.sample(i));
        for cost in costs {
            cost.differentiate_cost(linear, constants, sample, blocks);
            if let Some(displaced) = &displaced {
                cost.restart(displaced, unknown);
            }
            let solve = |unknowns: &mut M::Unknowns<S>| solve_transposed(linear, unknowns);
            cost.step.step(linear, &constants.weights, blocks, solve);
            cost.differentiate_inputs(linear, constants);
            cost.differentiate_lookups(linear, constants, at, state, sample);
            cost.commit(unknown);
        }
    }

    /// Concludes step 0 of a single cost: returns dJ/dx_0 and dJ/ds_0 (4n + m).
    #[inline(never)]
    pub fn finish_start(mut self, state: &[S]) -> Option<Vec<S>> {
        self.linear.load(self.problem.moment(0), state);
        let constants = self.constants.first();
        self.linear.evaluate(constants);
        let mut cost = self.costs.pop()?;
        Some(cost.begin(&mut self.linear, constants, &self.blocks))
    }

    /// Concludes step 0 of a single cost: returns dJ/dx_0 and dJ/ds_0 (4n + m), and dJ/du without the part
    /// that acts through the initial state.
    #[inline(never)]
    pub fn finish_inputs(mut self, state: &[S]) -> Option<(Vec<S>, Series<S>)> {
        self.linear.load(self.problem.moment(0), state);
        let constants = self.constants.first();
        self.linear.evaluate(constants);
        let mut cost = self.costs.pop()?;
        let initial = cost.begin(&mut self.linear, constants, &self.blocks);
        // there is no w_0: the initial state solves equations of its own
        cost.step.adjoint.w.as_mut().fill(S::default());
        cost.differentiate_inputs(&mut self.linear, constants);
        Some((initial, cost.inputs?))
    }
}

impl<M: Functions> Sweep<'_, M, f64> {
    /// Goes from the last step to the adjoint variables of step 1, four steps at a time where the processor
    /// and the model allow it.
    pub fn run_best(&mut self, states: &mut Backward<'_, M, f64>) -> Result<(), SimulationError> {
        let program = self.constants.program();
        if self.problem.step_plan().is_some() || self.constants.regular().is_determined() {
            return self.run(states);
        }
        if self.costs.len() == 1
            && let Some(mut fours) = FourSteps::new(program, self.problem, self.parameters)
        {
            let steps = InFours { sweep: self, states, fours: &mut fours };
            return with_room::<M, Lanes, _>(program, || Lanes::dispatch(steps));
        }
        if FourBlocks::<M>::are_possible(program) {
            return with_room::<M, Lanes, _>(program, || {
                let weights = &self.constants.regular().weights;
                let mut fours = FourBlocks::new(program, self.problem, self.parameters, weights);
                Lanes::dispatch(InFours { sweep: self, states, fours: &mut fours })
            });
        }
        self.run(states)
    }

    /// Goes from the adjoint variables of step i + 1 to those of step i - 3, the matrices of which are evaluated.
    #[inline(never)]
    fn pass_four(
        &mut self,
        i: usize,
        states: [&[f64]; LANES],
        fours: &mut FourBlocks<M>,
    ) -> Result<(), SimulationError> {
        let (problem, constants) = (self.problem, self.constants.regular());
        let are_factorised = fours.factor(&self.linear);
        for (lane, state) in states.into_iter().enumerate() {
            fours.give(lane, &mut self.linear);
            self.linear.load(problem.moment(i - lane), state);
            if !are_factorised {
                self.linear.factor(constants)?;
            }
            let factors = fours.factors().filter(|_| are_factorised);
            self.pass(i - lane, state, None, |linear, unknowns| match factors {
                Some(factors) => factors.solve_transposed(lane, unknowns.as_mut()),
                None => linear.solve_transposed(constants, unknowns),
            });
        }
        Ok(())
    }

    /// Goes from the adjoint variables of step i + 1 to those of step i - 3.
    #[inline(always)]
    fn four_steps(
        &mut self,
        i: usize,
        states: &mut Backward<'_, M, f64>,
        fours: &mut FourSteps<M>,
    ) -> Result<(), SimulationError> {
        let Self { problem, constants, linear, costs, selected, unknown, .. } = self;
        let four = states.four(i)?;
        if let [cost] = &mut costs[..]
            && linear.matrix.tries_emitted()
            && fours.evaluate(problem, i, four, cost.output_gradient, selected)
        {
            let has_lookups = cost.has_lookups();
            if has_lookups {
                fours.evaluate_lookups(problem, i);
            }
            for lane in 0..LANES {
                fours.recur(lane, constants.regular(), selected, cost.step.emitted(&[]));
                if has_lookups && let Some(lookups) = &mut cost.lookups {
                    fours.take_lookups(lane, &mut lookups.group);
                    cost.add_lookups(&constants.regular().weights, Some(i - lane));
                }
                cost.commit(unknown);
                states.fetch_for_four(i - lane);
            }
            return Ok(());
        }
        self.one_by_one(i, four, fours)
    }

    /// Goes through four steps one after the other, where factors exceed their limits in one of them, or
    /// limits are not known.
    #[inline(never)]
    fn one_by_one(
        &mut self,
        i: usize,
        states: [&[f64]; LANES],
        fours: &mut FourSteps<M>,
    ) -> Result<(), SimulationError> {
        for (back, state) in states.into_iter().enumerate() {
            self.step(i - back, state)?;
        }
        fours.take_limits(self.linear.matrix.limits());
        Ok(())
    }

    /// Concludes step 0: adds the shares of G_0 in the first step, and of the initial state x_0(p).
    #[inline(never)]
    pub fn finish(
        mut self,
        state: &[f64],
        consistent: Option<&Consistent<f64>>,
    ) -> Result<Vec<FullGradient>, SimulationError> {
        self.linear.load(self.problem.moment(0), state);
        let constants = self.constants.first();
        self.linear.evaluate(constants);
        let Self { problem, parameters, .. } = self;
        let program = constants.program();
        let initial = initial_derivatives::<M>(program, problem, parameters, consistent, self.unknown)?;
        let mut gradients = Vec::new();
        for cost in &mut self.costs {
            let by_state = cost.begin(&mut self.linear, constants, &self.blocks);
            let total = self.unknown.iter().zip(initial.column_iter()).map(|(&parameter, column)| {
                let initial: f64 = column.iter().zip(&by_state).map(|(x, derivative)| x * derivative).sum();
                cost.gradient.as_ref()[parameter] + initial
            });
            let by_parameters = total.collect_vec();
            let mut by_tables = Vec::new();
            if let Some(lookups) = &mut cost.lookups {
                self.linear.evaluate_lookups(constants, problem.moment(0), state, &mut lookups.group);
                let sample = cost.output_gradient.of_step(0);
                lookups.add_start::<M>(program, &constants.weights, &cost.step.later, sample);
                add_initial_lookups::<M>(program, problem, parameters, consistent, &by_state, lookups)?;
                by_tables = lookups.by_values();
            }
            let by_inputs = match cost.inputs.is_some() {
                false => None,
                true => {
                    // there is no w_0: the initial state solves equations of its own
                    cost.step.adjoint.w.as_mut().fill(0.0);
                    cost.differentiate_inputs(&mut self.linear, constants);
                    add_initial_inputs::<M, _>(program, problem, parameters, state, &by_state, &mut cost.inputs)?;
                    cost.inputs.take()
                }
            };
            gradients.push(FullGradient { by_parameters, by_tables, by_inputs });
        }
        Ok(gradients)
    }
}

/// A step of a sweep as a piece of work.
struct Step<'s, 'a, M: Functions, S: Scalar> {
    sweep: &'s mut Sweep<'a, M, S>,
    i: usize,
    state: &'s [S],
}

impl<M: Functions, S: Scalar> Work for Step<'_, '_, M, S> {
    type Output = Result<(), SimulationError>;

    #[inline(always)]
    fn run(self) -> Self::Output {
        self.sweep.step_within(self.i, self.state)
    }
}

/// The data of four steps that are evaluated side by side.
trait Fours<M: Functions> {
    /// Takes `sweep` from the adjoint variables of step i + 1 to those of step i - 3.
    fn take(
        &mut self,
        sweep: &mut Sweep<'_, M, f64>,
        i: usize,
        states: &mut Backward<'_, M, f64>,
    ) -> Result<(), SimulationError>;
}

impl<M: Functions> Fours<M> for FourSteps<M> {
    #[inline(always)]
    fn take(
        &mut self,
        sweep: &mut Sweep<'_, M, f64>,
        i: usize,
        states: &mut Backward<'_, M, f64>,
    ) -> Result<(), SimulationError> {
        sweep.four_steps(i, states, self)
    }
}

impl<M: Functions> Fours<M> for FourBlocks<M> {
    #[inline(always)]
    fn take(
        &mut self,
        sweep: &mut Sweep<'_, M, f64>,
        i: usize,
        states: &mut Backward<'_, M, f64>,
    ) -> Result<(), SimulationError> {
        let four = states.four(i)?;
        self.evaluate(sweep.problem, i, four);
        sweep.pass_four(i, four, self)
    }
}

/// All steps of a sweep, four at a time, as a piece of work.
struct InFours<'s, 'a, 'r, M: Functions, F: Fours<M>> {
    sweep: &'s mut Sweep<'a, M, f64>,
    states: &'s mut Backward<'r, M, f64>,
    fours: &'s mut F,
}

impl<M: Functions, F: Fours<M> + Send> Work for InFours<'_, '_, '_, M, F> {
    type Output = Result<(), SimulationError>;

    #[inline(always)]
    fn run(self) -> Self::Output {
        let Self { sweep, states, fours } = self;
        let mut i = sweep.problem.steps();
        // step 1 has weights of its own
        while i > LANES {
            fours.take(sweep, i, states)?;
            for back in 0..LANES {
                states.poll(i - back)?;
            }
            i -= LANES;
        }
        for i in (1..=i).rev() {
            sweep.step(i, states.at(i)?)?;
            states.poll(i)?;
        }
        Ok(())
    }
}
