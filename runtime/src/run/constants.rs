//! The constants of a run's steps: one set where all steps are alike, one for every length and change of length elsewhere.

use std::sync::Arc;

use crate::model::{Model, Weights};
use crate::problem::{Problem, StepPlan};
use crate::scalar::Scalar;
use crate::step::{Integrator, Scheme, StepConstants};

/// What steps have in common.
#[derive(Clone)]
pub(crate) struct RunConstants<M: Model, S: Scalar> {
    /// Of steps of the plan's first length, or of all.
    first: StepConstants<M, S>,
    planned: Option<Box<Planned<M, S>>>,
}

#[derive(Clone)]
struct Planned<M: Model, S: Scalar> {
    plan: Arc<StepPlan>,
    /// By level.
    forward: Vec<(u8, StepConstants<M, S>)>,
    /// By the levels of a step and of the one after it, where these differ.
    backward: Vec<([u8; 2], StepConstants<M, S>)>,
}

impl<M: Model, S: Scalar> RunConstants<M, S> {
    pub fn new(problem: &Problem<M>, parameters: &M::Parameters<S>) -> Self {
        let (settings, tables) = (problem.settings(), problem.tables());
        let of = |weights: Weights| StepConstants::new(parameters, weights, tables);
        let first = of(settings.scheme.weights(problem.first_step()));
        let Some(plan) = problem.step_plan() else { return Self { first, planned: None } };
        let length = |level: u8| settings.step * StepPlan::length(level);
        let forward =
            plan.levels().into_iter().map(|level| (level, of(settings.scheme.weights(length(level)))));
        let mut changes: Vec<[u8; 2]> =
            (1..plan.steps()).map(|i| [plan.level(i), plan.level(i + 1)]).collect();
        changes.retain(|[own, next]| own != next);
        changes.sort_unstable();
        changes.dedup();
        let backward = changes.into_iter().map(|change| {
            let [own, next] = change.map(length);
            (change, of(across(settings.scheme, own, next)))
        });
        let planned =
            Planned { plan: Arc::clone(plan), forward: forward.collect(), backward: backward.collect() };
        Self { first, planned: Some(Box::new(planned)) }
    }

    /// The model's constants, for functions that do not depend on steps.
    pub fn model(&self) -> &M::Constants<S> {
        &self.first.model
    }

    /// Those of step 1.
    pub fn first(&self) -> &StepConstants<M, S> {
        &self.first
    }

    /// Those of step i.
    #[inline(always)]
    pub fn of_step(&self, i: usize) -> &StepConstants<M, S> {
        match &self.planned {
            None => &self.first,
            Some(planned) => planned.of_level(planned.plan.level(i)).unwrap_or(&self.first),
        }
    }

    /// Those of step i for its adjoint, in which what it leaves for the step after counts as that takes it.
    #[inline(always)]
    pub fn backward(&self, i: usize) -> &StepConstants<M, S> {
        match &self.planned {
            None => &self.first,
            Some(planned) => planned.backward(i).unwrap_or(&self.first),
        }
    }

    /// By which part the auxiliary acceleration's distance from the acceleration changes before step i: the ratio of the steps'
    /// lengths.
    pub fn change(&self, i: usize) -> Option<f64> {
        let Planned { plan, .. } = self.planned.as_deref()?;
        let [before, own] = [plan.level(i.saturating_sub(1)), plan.level(i)];
        (i > 1 && before != own).then(|| StepPlan::length(own) / StepPlan::length(before))
    }

    /// Those of step i, for which `integrator` is made ready.
    #[inline(always)]
    pub fn enter(&self, i: usize, integrator: &mut Integrator<M, S>) -> &StepConstants<M, S> {
        match &self.planned {
            None => &self.first,
            Some(_) => self.enter_planned(i, integrator),
        }
    }

    #[inline(never)]
    fn enter_planned(&self, i: usize, integrator: &mut Integrator<M, S>) -> &StepConstants<M, S> {
        let own = self.of_step(i);
        if self.change(i).is_some() {
            integrator.change_step(&self.of_step(i - 1).weights, &own.weights);
        }
        own
    }
}

impl<M: Model, S: Scalar> Planned<M, S> {
    fn of_level(&self, level: u8) -> Option<&StepConstants<M, S>> {
        self.forward.iter().find(|(own, _)| *own == level).map(|(_, constants)| constants)
    }

    fn backward(&self, i: usize) -> Option<&StepConstants<M, S>> {
        let change = [self.plan.level(i), self.plan.level(i + 1)];
        match self.backward.iter().find(|(own, _)| i > 0 && *own == change) {
            Some((_, constants)) => Some(constants),
            None => self.of_level(change[0]),
        }
    }
}

/// The weights of a step's adjoint where the step after it has another length: its own solution, and what the step after makes of
/// its state, for which s - a is changed by the ratio of the lengths.
fn across(scheme: Scheme, own: f64, next: f64) -> Weights {
    let (weights, later, ratio) = (scheme.weights(own), scheme.weights(next), next / own);
    let folded = |of_s: f64, of_a: f64| (of_s * ratio, of_a + of_s * (1.0 - ratio));
    let q = folded(later.coordinates_of_auxiliary, later.coordinates_of_acceleration);
    let v = folded(later.velocities_of_auxiliary, later.velocities_of_acceleration);
    let s = folded(later.auxiliary_of_auxiliary, later.auxiliary_of_acceleration);
    Weights {
        step: later.step,
        coordinates_of_auxiliary: q.0,
        coordinates_of_acceleration: q.1,
        velocities_of_auxiliary: v.0,
        velocities_of_acceleration: v.1,
        auxiliary_of_auxiliary: s.0,
        auxiliary_of_acceleration: s.1,
        ..weights
    }
    .with_carried()
}
