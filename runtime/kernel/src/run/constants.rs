//! The constants of a run's steps: of those that restart and of those that go on, for every length and change of
//! length.

use std::sync::Arc;

use costate_numerics::scalar::{CollectVec, Scalar};
use costate_system::model::{Functions, Weights};
use costate_system::problem::{Problem, StepPlan};

use crate::evaluate;
use crate::step::{Integrator, Scheme, StepConstants};

/// The constants of the steps of a run.
#[derive(Clone)]
pub struct RunConstants<M: Functions, S: Scalar> {
    /// Constants of step 1, of its adjoint, and of the steps after it, where all are of one length.
    start: Box<StepConstants<M, S>>,
    start_backward: Box<StepConstants<M, S>>,
    regular: Box<StepConstants<M, S>>,
    /// True if steps that restart differ from others.
    has_restarts: bool,
    planned: Option<Box<Planned<M, S>>>,
}

#[derive(Clone)]
struct Planned<M: Functions, S: Scalar> {
    plan: Arc<StepPlan>,
    forward: Vec<(Kind, StepConstants<M, S>)>,
    /// Constants by the kinds of a step and of the one after it, where these differ.
    backward: Vec<([Kind; 2], StepConstants<M, S>)>,
}

/// The properties of a step on which its weights depend.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Kind {
    level: u8,
    begins: bool,
}

impl<M: Functions, S: Scalar> RunConstants<M, S> {
    /// Evaluates the constants of a run of `problem` with these parameters.
    pub fn new(program: M::Program, problem: &Problem, parameters: &M::Parameters<S>) -> Self {
        let (settings, tables) = (problem.settings(), problem.tables());
        let (scheme, first) = (settings.scheme, problem.first_step());
        let of = |weights: Weights| StepConstants::new(program, parameters, weights, tables);
        let has_restarts = scheme.has_auxiliary();
        let (start, regular) = (scheme.start_weights(first), scheme.weights(first));
        let regular = Box::new(of(regular));
        let same = |weights: Weights| if has_restarts { Box::new(of(weights)) } else { regular.clone() };
        let start_backward = same(across(start, regular.weights));
        let (start, planned) = (same(start), problem.step_plan());
        let planned = planned.map(|plan| Box::new(Planned::new(plan, scheme, settings.step, of)));
        Self { start, start_backward, regular, has_restarts, planned }
    }

    /// Returns the program of the model.
    #[inline(always)]
    pub fn program(&self) -> M::Program {
        self.regular.program()
    }

    /// Returns the model's constants, for functions that do not depend on steps.
    pub fn model(&self) -> &M::Constants<S> {
        &self.regular.model
    }

    /// Returns the constants of step 1.
    pub fn first(&self) -> &StepConstants<M, S> {
        &self.start
    }

    /// Returns true if steps that restart differ from others.
    pub fn has_restarts(&self) -> bool {
        self.has_restarts
    }

    /// Returns the constants of all steps but the first, where steps are constant.
    #[inline(always)]
    pub fn regular(&self) -> &StepConstants<M, S> {
        &self.regular
    }

    /// Returns the constants of step i.
    #[inline(always)]
    pub fn of_step(&self, i: usize) -> &StepConstants<M, S> {
        match &self.planned {
            None if i <= 1 => &self.start,
            None => &self.regular,
            Some(planned) => planned.of_kind(planned.kind(i)).unwrap_or(&self.start),
        }
    }

    /// Returns the constants of step i for its adjoint, with the weights by which the step after uses the
    /// state of step i.
    #[inline(always)]
    pub fn backward(&self, i: usize) -> &StepConstants<M, S> {
        match &self.planned {
            None if i <= 1 => &self.start_backward,
            None => &self.regular,
            Some(planned) => planned.backward(i).unwrap_or(&self.regular),
        }
    }

    /// Returns true if step i, other than the first one, restarts with velocities displaced from the state
    /// before it.
    #[inline(always)]
    pub fn displaces(&self, i: usize) -> bool {
        self.planned
            .as_ref()
            .is_some_and(|planned| self.has_restarts && i > 1 && i <= planned.plan.steps() && planned.changes(i))
    }

    /// Returns the constants of step i, and prepares `integrator`, which is at the end of the step before,
    /// for step i.
    #[inline(always)]
    pub fn enter(&self, problem: &Problem, i: usize, integrator: &mut Integrator<M, S>) -> &StepConstants<M, S> {
        match &self.planned {
            None if i == 2 && self.has_restarts => self.leave_start(integrator),
            None => self.of_step(i),
            Some(planned) => self.enter_planned(problem, planned, i, integrator),
        }
    }

    #[inline(never)]
    fn leave_start(&self, integrator: &mut Integrator<M, S>) -> &StepConstants<M, S> {
        integrator.settle(&self.start.weights);
        integrator.take_step(&self.regular.weights);
        &self.regular
    }

    #[inline(never)]
    fn enter_planned(
        &self,
        problem: &Problem,
        planned: &Planned<M, S>,
        i: usize,
        integrator: &mut Integrator<M, S>,
    ) -> &StepConstants<M, S> {
        let own = self.of_step(i);
        if self.displaces(i) {
            integrator.restart(own, problem.time(i - 1));
        } else if i > 1 && planned.kind(i) != planned.kind(i - 1) {
            integrator.settle(&self.of_step(i - 1).weights);
            if planned.changes(i) {
                integrator.forget_steps(&own.weights);
            } else {
                integrator.take_step(&own.weights);
            }
        }
        own
    }
}

impl<M: Functions, S: Scalar> Planned<M, S> {
    fn new(plan: &Arc<StepPlan>, scheme: Scheme, interval: f64, of: impl Fn(Weights) -> StepConstants<M, S>) -> Self {
        let mut planned = Self { plan: Arc::clone(plan), forward: Vec::new(), backward: Vec::new() };
        let weights = |kind: Kind| {
            let length = interval * StepPlan::length(kind.level);
            if kind.begins { scheme.start_weights(length) } else { scheme.weights(length) }
        };
        let (kinds, changes) = kinds_of(plan);
        planned.forward = kinds.into_iter().map(|kind| (kind, of(weights(kind)))).collect_vec();
        let backward = changes.into_iter().map(|change| {
            let [own, next] = change;
            let (own, next) = (weights(own), weights(next));
            (change, of(across(own, next)))
        });
        planned.backward = backward.collect_vec();
        planned
    }

    fn changes(&self, i: usize) -> bool {
        changes(&self.plan, i)
    }

    fn kind(&self, i: usize) -> Kind {
        kind(&self.plan, i)
    }

    fn of_kind(&self, kind: Kind) -> Option<&StepConstants<M, S>> {
        self.forward.iter().find(|(own, _)| *own == kind).map(|(_, constants)| constants)
    }

    fn backward(&self, i: usize) -> Option<&StepConstants<M, S>> {
        let change = [self.kind(i), self.kind(i + 1)];
        match self.backward.iter().find(|(own, _)| i > 0 && *own == change) {
            Some((_, constants)) => Some(constants),
            None => self.of_kind(change[0]),
        }
    }
}

/// Checks whether the length of step i differs from that of the step before.
fn changes(plan: &StepPlan, i: usize) -> bool {
    i > 1 && plan.level(i) != plan.level(i - 1)
}

fn kind(plan: &StepPlan, i: usize) -> Kind {
    Kind { level: plan.level(i), begins: i <= 1 || changes(plan, i) }
}

/// Returns the kinds of steps that occur, and the pairs of different kinds of a step and the one after it.
fn kinds_of(plan: &StepPlan) -> (Vec<Kind>, Vec<[Kind; 2]>) {
    let mut kinds: Vec<Kind> = (1..=plan.steps().max(1)).map(|i| kind(plan, i)).collect();
    let mut changes: Vec<[Kind; 2]> = kinds.windows(2).map(|two| [two[0], two[1]]).collect();
    changes.retain(|[own, next]| own != next);
    kinds.sort_unstable();
    kinds.dedup();
    changes.sort_unstable();
    changes.dedup();
    (kinds, changes)
}

/// Returns the weights of the adjoint of a step whose next step has other weights: `own` for the equations of
/// the step, `later` for the use of its state in the next step. A next step that restarts does not use s,
/// but computes its own.
fn across(own: Weights, later: Weights) -> Weights {
    let known = if later.displacement == 0.0 { 1.0 } else { 0.0 };
    Weights {
        step: later.step,
        coordinates_of_auxiliary: known * later.coordinates_of_auxiliary,
        coordinates_of_acceleration: later.coordinates_of_acceleration,
        velocities_of_auxiliary: known * later.velocities_of_auxiliary,
        velocities_of_acceleration: later.velocities_of_acceleration,
        auxiliary_of_auxiliary: known * later.auxiliary_of_auxiliary,
        auxiliary_of_acceleration: later.auxiliary_of_acceleration,
        ..own
    }
    .with_carried()
}

/// Evaluates the model's constants of runs of `problem` with these parameters.
pub fn constants_of<M: Functions, S: Scalar>(
    program: M::Program,
    problem: &Problem,
    parameters: &M::Parameters<S>,
) -> M::Constants<S> {
    evaluate::constants::<M, _>(program, parameters, &problem.settings().weights(), problem.tables())
}
