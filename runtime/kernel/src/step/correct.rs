//! One iteration of Newton's method: the correction of a and lambda, emitted as a whole or with pivots chosen at run
//! time.

use std::any::Any;

use costate_numerics::linalg::Singular;
use costate_numerics::linalg::block::find;
use costate_numerics::scalar::{CollectVec, Scalar, Vector, real_part};
use costate_system::model::{Argument, Function, Functions, Group, Point, Weights};

use crate::evaluate;

use super::correction::Correction;
use super::entries::{Correct, Increase};
use super::entrywise::entrywise;
use super::integrator::Integrator;
use super::sizes::Sizes;
use crate::rounding::MIXED_ROUNDINGS;
use crate::step::State;
use crate::step::{Moment, StepConstants};
use crate::step::{StepError, Unknown};

impl<M: Functions, S: Scalar> Integrator<M, S> {
    /// Computes the correction at the current iterate, with a new matrix or the last one. The emitted
    /// functions take every number type; where pivots are chosen, the same factors solve for one component
    /// after the other.
    #[inline(always)]
    pub(super) fn correct(
        &mut self,
        constants: &StepConstants<M, S>,
        at: Moment<'_>,
        renew: bool,
        full: bool,
        values: &mut M::Unknowns<S>,
    ) -> Result<(), StepError> {
        let emitted = match renew {
            true => self.correction.matrix.tries_emitted(),
            false => self.correction.matrix.is_emitted(),
        };
        let Correction { matrix, .. } = &mut self.correction;
        let numbers = (plain(&self.state), plain(&self.inputs), plain(&self.history), plain_mut(values));
        let (true, (Some(state), Some(inputs), Some(history), Some(plain_values))) = (emitted, numbers) else {
            // after a failure, one component after the other, so that zeros stay exact zeros
            if Self::HAS_COMPONENTS && emitted && !full {
                self.correct_all_components(constants, at, renew)?;
            } else {
                self.correct_by_components(constants, at, renew)?;
            }
            values.clone_from(&self.correction.values);
            return Ok(());
        };
        let point = State::<M, f64>::point(state, at.time, inputs, &constants.real);
        if !renew {
            M::chord_correction(&point, history, plain_values, &matrix.factors);
            return Ok(());
        }
        M::newton_correction(&point, history, plain_values, &mut matrix.factors);
        self.statistics.factorizations += 1;
        if !matrix.accept() {
            self.choose_pivots(constants, at, true)?;
            if !self.correction.matrix.is_emitted() {
                self.solve_by_components(constants);
                values.clone_from(&self.correction.values);
            }
        }
        self.control.renewed(true, self.correction.matrix.multipliers_per_acceleration);
        Ok(())
    }

    /// Computes the correction with the emitted functions in the number type of the run, whose components
    /// have factors of their own.
    #[inline(never)]
    fn correct_all_components(
        &mut self,
        constants: &StepConstants<M, S>,
        at: Moment<'_>,
        renew: bool,
    ) -> Result<(), StepError> {
        let point = self.state.point(at.time, &self.inputs, &constants.model);
        let Correction { matrix, factors, values, .. } = &mut self.correction;
        if !renew {
            M::chord_correction(&point, &self.history, values, factors);
            return Ok(());
        }
        M::newton_correction(&point, &self.history, values, factors);
        self.statistics.factorizations += 1;
        matrix.factors = real_part(factors);
        if !matrix.accept() {
            self.choose_pivots(constants, at, true)?;
            if !self.correction.matrix.is_emitted() {
                self.solve_by_components(constants);
            }
        }
        self.control.renewed(true, self.correction.matrix.multipliers_per_acceleration);
        Ok(())
    }

    #[inline(never)]
    fn correct_by_components(
        &mut self,
        constants: &StepConstants<M, S>,
        at: Moment<'_>,
        renew: bool,
    ) -> Result<(), StepError> {
        if renew {
            self.statistics.factorizations += 1;
            self.choose_pivots(constants, at, false)?;
            self.control.renewed(true, self.correction.matrix.multipliers_per_acceleration);
        } else {
            self.evaluate_residual(constants, at);
        }
        self.solve_by_components(constants);
        Ok(())
    }

    /// Chooses pivots for the matrix at the iterate, or finds that the emitted factors are accurate enough.
    #[inline(never)]
    fn choose_pivots(
        &mut self,
        constants: &StepConstants<M, S>,
        at: Moment<'_>,
        emitted: bool,
    ) -> Result<(), StepError> {
        let Correction { matrix, residual, real, .. } = &mut self.correction;
        let real = match plain(&self.state) {
            Some(state) => state,
            None => {
                self.state.real_into(real);
                real
            }
        };
        let own;
        let inputs = match plain(&self.inputs) {
            Some(inputs) => inputs,
            None => {
                own = at.plain_inputs();
                &own
            }
        };
        let point: Point<'_, M, f64> = real.point(at.time, inputs, &constants.real);
        let factorised = if emitted { matrix.check(&point) } else { matrix.pivot(&point) };
        match plain_mut(residual) {
            // plain numbers were evaluated with the matrix
            Some(residual) => matrix.copy_residual(residual),
            None => evaluate::residual(&self.state.point(at.time, &self.inputs, &constants.model), residual),
        }
        let Err(singular) = factorised else { return Ok(()) };
        // a residual that is not finite explains more than the matrix that belongs to it
        self.check_residual(constants, at)?;
        Err(self.singular(at, singular))
    }

    #[inline(never)]
    fn evaluate_residual(&mut self, constants: &StepConstants<M, S>, at: Moment<'_>) {
        let point = self.state.point(at.time, &self.inputs, &constants.model);
        evaluate::residual(&point, &mut self.correction.residual);
    }

    /// Solves for one component of the residual after the other. Where a residual is not finite, neither is the
    /// correction.
    #[inline(never)]
    fn solve_by_components(&mut self, constants: &StepConstants<M, S>) {
        for component in 0..S::COMPONENTS {
            self.fill_residual(&constants.weights, component);
            let Correction { matrix, values, component: unknowns, .. } = &mut self.correction;
            matrix.solve(&constants.real, unknowns);
            for (value, correction) in values.as_mut().iter_mut().zip(unknowns.as_ref()) {
                value.set_component(component, *correction);
            }
        }
    }

    /// Evaluates the negative residual of one component.
    fn fill_residual(&mut self, weights: &Weights, component: usize) {
        let Correction { residual, residual_rows, component: right, .. } = &mut self.correction;
        let group = residual.as_ref();
        let inertia = residual_rows.inertia.values(group);
        let force_residual = residual_rows.force_residual.values(group);
        let constraint = residual_rows.constraint.values(group);
        let (motion, rest) = right.as_mut().split_at_mut(self.state.coordinates.as_ref().len());
        let history = self.history.as_ref();
        for (j, row) in motion.iter_mut().enumerate() {
            let residual = inertia[j] * weights.accelerations + force_residual[j] - history[j];
            *row = -residual.component(component);
        }
        let scale = 1.0 / weights.coordinates;
        for (row, constraint) in rest.iter_mut().zip(constraint) {
            *row = -constraint.component(component) * scale;
        }
    }

    /// Checks that the residual is finite; the error names the first equation whose residual is not.
    #[inline(never)]
    fn check_residual(&mut self, constants: &StepConstants<M, S>, at: Moment<'_>) -> Result<(), StepError> {
        for component in 0..S::COMPONENTS {
            self.fill_residual(&constants.weights, component);
            let right = self.correction.component.as_ref();
            if let Some(row) = right.iter().position(|row| !row.is_finite()) {
                return Err(StepError::NotFinite {
                    time: at.time,
                    step: at.step,
                    equation: Unknown::at(M::description(self.program), row),
                    value: -right[row],
                });
            }
        }
        Ok(())
    }

    pub(super) fn singular(&self, at: Moment<'_>, singular: Singular) -> StepError {
        StepError::Singular {
            time: at.time,
            step: at.step,
            unknown: Unknown::at(M::description(self.program), singular.column),
            pivot: singular.pivot,
            limit: singular.limit,
        }
    }

    /// Measures the sizes of the correction.
    #[inline(always)]
    pub(super) fn measure(
        &mut self,
        constants: &StepConstants<M, S>,
        at: Moment<'_>,
        values: &M::Unknowns<S>,
    ) -> Result<(), StepError> {
        let parts = values.as_ref().split_at(self.state.coordinates.as_ref().len()).into();
        let mut is_finite = self.sizes.measure_update(self.fours, parts, 0);
        if Self::HAS_COMPONENTS {
            for (sizes, component) in self.derivative_sizes.iter_mut().zip(1..) {
                is_finite &= sizes.measure_update(self.fours, parts, component);
            }
        }
        if is_finite { Ok(()) } else { self.explain(constants, at) }
    }

    /// Checks whether a stalling iteration has reached the limit of the arithmetic: residuals are within the
    /// rounding of their terms, and updates are the matrix's amplification of this rounding, which is large
    /// near singular positions.
    #[cold]
    #[inline(never)]
    pub(super) fn is_exhausted(&mut self, constants: &StepConstants<M, S>, at: Moment<'_>) -> bool {
        self.evaluate_residual(constants, at);
        self.fill_residual(&constants.weights, 0);
        let Correction { component: right, real, .. } = &mut self.correction;
        self.state.real_into(real);
        let inputs = at.plain_inputs();
        let point = real.point(at.time, &inputs, &constants.real);
        let allowed = rounding_of_residual(&point, real, &self.sizes, &constants.weights);
        let is_rounding = right.as_ref().iter().zip(allowed.as_ref()).all(|(rest, most)| rest.abs() <= *most);
        is_rounding && self.control.take_for_rounding(Self::measured(self.sizes, &self.derivative_sizes))
    }

    /// Explains a correction that is not finite, usually by the equation whose residual is not.
    #[cold]
    #[inline(never)]
    fn explain(&mut self, constants: &StepConstants<M, S>, at: Moment<'_>) -> Result<(), StepError> {
        self.evaluate_residual(constants, at);
        self.check_residual(constants, at)
    }

    /// Adds the correction to the state.
    #[inline(always)]
    pub(super) fn apply(&mut self, weights: &Weights, values: &M::Unknowns<S>) {
        let (motion, rest) = values.as_ref().split_at(self.state.coordinates.as_ref().len());
        let State { coordinates, velocities, accelerations, multipliers } = &mut self.state;
        let given = [motion, self.q_star.as_ref(), self.v_star.as_ref()];
        let changed = [accelerations.as_mut(), coordinates.as_mut(), velocities.as_mut()];
        entrywise(self.fours, given, changed, Correct(weights));
        entrywise(self.fours, [rest], [multipliers.as_mut()], Increase);
    }

    /// Measures the sizes of the state.
    #[inline(always)]
    pub(super) fn measure_state(&mut self) {
        let parts = self.state.parts();
        self.sizes.measure_state(self.fours, parts, 0);
        if Self::HAS_COMPONENTS {
            for (sizes, component) in self.derivative_sizes.iter_mut().zip(1..) {
                sizes.measure_state(self.fours, parts, component);
            }
        }
    }

    /// Creates the error that names the unknown with the worst convergence, from the last correction of the
    /// values or, where the values converge, of a derivative.
    #[cold]
    #[inline(never)]
    pub(super) fn failure(&self, at: Moment<'_>) -> StepError {
        let (component, accepted) = self.control.worst(Self::measured(self.sizes, &self.derivative_sizes));
        let (mut worst, mut found) = (-1.0, (0, 0.0, 0.0));
        for (index, update) in self.correction.values.as_ref().iter().enumerate() {
            let allowed = if index < self.state.coordinates.as_ref().len() { accepted.0 } else { accepted.1 };
            let update = update.component(component).abs();
            if update / allowed > worst {
                worst = update / allowed;
                found = (index, update, allowed);
            }
        }
        let (time, step, iterations) = (at.time, at.step, self.control.iterations());
        let (unknown, update, allowed) = (Unknown::at(M::description(self.program), found.0), found.1, found.2);
        if component == 0 {
            let cause = self.control.cause(Self::measured(self.sizes, &self.derivative_sizes), update / allowed);
            let cause = cause.with_jumps(M::description(self.program).jumps);
            return StepError::Newton { time, step, iterations, update, allowed, unknown, cause };
        }
        let parameters = M::description(self.program).parameters;
        let name = |&index: &usize| parameters.get(index).map_or("?", |parameter| parameter.name);
        let parameters = self.directions.iter().map(name).collect_vec();
        StepError::NewtonDerivative { time, step, iterations, update, allowed, unknown, parameters }
    }
}

/// Estimates the rounding that may be left in each equation's residual: the roundings of its terms, and the
/// residual that a correction as large as the last one leaves because constraints are curved.
fn rounding_of_residual<M: Functions>(
    at: &Point<'_, M, f64>,
    state: &State<M, f64>,
    sizes: &Sizes,
    weights: &Weights,
) -> M::Unknowns<f64> {
    /// Angle by which the directions of constraints may turn where positions change by their own size.
    const CURVATURE: f64 = 64.0;
    /// Roundings of a position by which the directions of constraints may turn: an angle of many turns has large
    /// roundings.
    const POSITION_ROUNDINGS: f64 = 8.0;
    let program = M::program(at.constants);
    let mut group = M::Linearization::<f64>::zeros(M::lengths(program).group(Group::Linearization));
    evaluate::linearization(at, &mut group);
    let (group, layout) = (group.as_ref(), M::description(program).groups.linearization);
    let [q, a, lambda] = [state.coordinates.as_ref(), state.accelerations.as_ref(), state.multipliers.as_ref()];
    let largest = q.iter().fold(0.0, |most: f64, q| most.max(q.abs()));
    let rounding = MIXED_ROUNDINGS * f64::EPSILON;
    // the part by which positions, and with them the constraints' directions, change in a correction
    let turn = CURVATURE * (weights.coordinates * sizes.acceleration_update / largest).min(rounding.sqrt());
    let mut allowed = M::Unknowns::<f64>::zeros(M::lengths(program).unknowns);
    let (motion, constraints) = allowed.as_mut().split_at_mut(q.len());
    for (row, column, mass) in find(layout, Function::Inertia, Some(Argument::Accelerations)).iter(group) {
        motion[row] += (mass * a[column]).abs() * weights.accelerations * rounding;
    }
    let of_constraints = || find(layout, Function::Constraint, Some(Argument::Coordinates)).iter(group);
    let mut longest = M::Unknowns::<f64>::zeros(M::lengths(program).unknowns);
    let longest = longest.as_mut();
    of_constraints().for_each(|(_, column, entry)| longest[column] = longest[column].max(entry.abs()));
    for (row, column, _) in of_constraints() {
        let turned = POSITION_ROUNDINGS * f64::EPSILON * q[column].abs() * longest[column];
        motion[column] += turned * lambda[row].abs();
    }
    for (row, column, entry) in of_constraints() {
        motion[column] += entry.abs() * (lambda[row].abs() * rounding + sizes.multiplier_update * turn);
        constraints[row] += entry.abs() * largest / weights.coordinates * rounding;
    }
    for (row, _, force) in find(layout, Function::Force, None).iter(group) {
        motion[row] += force.abs() * rounding;
    }
    allowed
}

/// Casts a quantity of plain numbers to its type; `None` for other number types.
fn plain<A: 'static, B: 'static>(value: &A) -> Option<&B> {
    (value as &dyn Any).downcast_ref()
}

/// Casts a mutable quantity of plain numbers to its type; `None` for other number types.
fn plain_mut<A: 'static, B: 'static>(value: &mut A) -> Option<&mut B> {
    (value as &mut dyn Any).downcast_mut()
}
