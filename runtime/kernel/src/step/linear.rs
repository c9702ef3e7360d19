//! A step linearised at its state: the matrices of its equations, and the derivatives of the outputs.

use costate_numerics::linalg::Singular;
use costate_numerics::linalg::block::find;
use costate_numerics::scalar::{Scalar, Vector, lift_into};
use costate_system::model::{Function, Functions, Group, Point, SelectedParameters};

use crate::evaluate;

use super::adjoint_variables::AdjointVariables;
use super::matrix::StepMatrix;
use super::scratch::Scratch;
use crate::step::Blocks;
use crate::step::State;
use crate::step::TableRates;
use crate::step::{Moment, StepConstants};
use crate::step::{StepError, Unknown};

/// Linearised steps of a run, one after the other.
pub struct LinearStep<M: Functions, S: Scalar = f64> {
    program: M::Program,
    /// The positions of matrices in the arrays of groups.
    pub blocks: Blocks,
    /// The Newton matrix and its factors.
    pub matrix: StepMatrix<M, S>,
    /// The step and time of the loaded state.
    step: usize,
    time: f64,
    real_inputs: M::Inputs<f64>,
    state: State<M, S>,
    inputs: M::Inputs<S>,
    scratch: Option<Scratch<M, S>>,
    coefficients: M::AdjointCoefficients<S>,
    // boxed, because it may be exchanged
    adjoint: Box<M::Adjoint<S>>,
    outputs: M::OutputDerivatives<S>,
    of_inputs: M::InputDerivatives<S>,
    /// True if the constraints determine the evaluated state, and the array of `kinematics_derivatives` there.
    is_determined: bool,
    kinematics: Box<M::KinematicsDerivatives<S>>,
    /// The arrays of the groups `lookups` and `initial_lookups`, where tangents need them, and the derivatives of
    /// lookups per column.
    of_lookups: Vec<S>,
    of_levels: Vec<S>,
    rates: Vec<f64>,
    /// The Newton matrix in blocks, where pivots were chosen and the number type has several components.
    newton: Vec<S>,
}

/// Arguments and results of one adjoint step.
pub struct AdjointStep<'s, M: Functions, S: Scalar> {
    /// dJ/ds_i.
    pub output_gradient: &'s [S],
    /// The adjoint variables of the step after.
    pub later: &'s AdjointVariables<M, S>,
    /// The adjoint variables of the step, a result.
    pub adjoint: &'s mut AdjointVariables<M, S>,
    /// The share of the step in dJ/dp, a result.
    pub share: &'s mut M::Parameters<S>,
}

impl<M: Functions, S: Scalar> LinearStep<M, S> {
    /// Creates a linearised step without a loaded state.
    pub fn new(program: M::Program) -> Self {
        let (description, lengths) = (M::description(program), M::lengths(program));
        Self {
            program,
            blocks: Blocks::of(description),
            matrix: StepMatrix::new(program, description.groups.adjoint),
            step: 0,
            time: 0.0,
            real_inputs: Vector::zeros(lengths.inputs),
            state: State::zeros_of(program),
            inputs: Vector::zeros(lengths.inputs),
            scratch: None,
            coefficients: Vector::zeros(lengths.adjoint_coefficients),
            adjoint: Box::new(Vector::zeros(lengths.group(Group::Adjoint))),
            outputs: Vector::zeros(lengths.group(Group::OutputDerivatives)),
            of_inputs: Vector::zeros(lengths.group(Group::InputDerivatives)),
            is_determined: false,
            kinematics: Box::new(Vector::zeros(lengths.group(Group::KinematicsDerivatives))),
            of_lookups: Vec::new(),
            of_levels: Vec::new(),
            rates: Vec::new(),
            newton: Vec::new(),
        }
    }

    /// Returns n.
    #[inline(always)]
    pub fn n(&self) -> usize {
        M::lengths(self.program).coordinates
    }

    /// Chooses pivots ahead, so that nothing is allocated later on.
    pub fn prepared(self) -> Self {
        Self { matrix: self.matrix.prepared(), ..self }
    }

    /// Loads the state x_i (3n + m) at its time.
    pub fn load(&mut self, at: Moment<'_>, state: &[S]) {
        (self.step, self.time) = (at.step, at.time);
        lift_into(at.inputs, self.real_inputs.as_mut());
        self.state.load(state);
        lift_into(at.inputs, self.inputs.as_mut());
    }

    /// Evaluates the emitted adjoint step at the state x_i (3n + m), whether it is [loaded](Self::load) or
    /// not; returns false if there are no emitted factors or they cannot be trusted.
    #[inline(always)]
    pub fn adjoint_step(
        &mut self,
        constants: &StepConstants<M, S>,
        at: Moment<'_>,
        state: &[S],
        selected: &SelectedParameters,
        step: AdjointStep<'_, M, S>,
    ) -> bool {
        if !self.matrix.tries_emitted() {
            return false;
        }
        lift_into(at.inputs, self.inputs.as_mut());
        let copy = &mut self.state;
        let Some(point) = Point::of_stored(at.time, state, &self.inputs, &constants.model, copy) else {
            return false;
        };
        let mut scratch = Scratch::take(&mut self.scratch, self.program);
        scratch.output_gradient.as_mut().copy_from_slice(step.output_gradient);
        let (coefficients, factors) = (&mut self.coefficients, &mut self.matrix.factors);
        let AdjointStep { later, adjoint, share, .. } = step;
        later.pass_on(&constants.weights, &mut scratch.passed);
        M::adjoint_step(
            &point,
            &scratch.output_gradient,
            selected,
            &mut scratch.passed,
            &mut scratch.found,
            share,
            coefficients,
            factors,
        );
        adjoint.follow(later, &constants.weights, &scratch.found);
        scratch.keep(&mut self.scratch);
        self.matrix.accept()
    }

    /// Evaluates the group `lookups` at the state x_i (3n + m), whether it is [loaded](Self::load) or not.
    #[inline(always)]
    pub fn evaluate_lookups(&mut self, constants: &StepConstants<M, S>, at: Moment<'_>, state: &[S], group: &mut [S]) {
        lift_into(at.inputs, self.inputs.as_mut());
        let copy = &mut self.state;
        if let Some(point) = Point::of_stored(at.time, state, &self.inputs, &constants.model, copy) {
            M::lookups(&point, group);
        }
    }

    /// Evaluates the matrices of the equations of motion at the [loaded](Self::load) state.
    pub fn evaluate(&mut self, constants: &StepConstants<M, S>) {
        let point = self.state.point(self.time, &self.inputs, &constants.model);
        evaluate::adjoint(&point, &mut self.adjoint, &mut self.matrix.factors);
        self.is_determined = constants.is_determined();
        if constants.is_determined() {
            M::kinematics_derivatives(&point, &mut self.kinematics);
        }
    }

    /// Returns the array of the group `kinematics_derivatives` of a state that the constraints determine; `None` for
    /// any other.
    pub(crate) fn determined(&self) -> Option<&[S]> {
        self.is_determined.then(|| (*self.kinematics).as_ref())
    }

    /// Evaluates the group `initial_lookups`, which has the constraints at all levels, at the loaded state.
    pub(crate) fn evaluate_levels(&self, constants: &StepConstants<M, S>, group: &mut [S]) {
        M::initial_lookups(&self.state.point(self.time, &self.inputs, &constants.model), group);
    }

    /// Evaluates the derivatives of the outputs at the loaded state.
    pub fn evaluate_outputs(&mut self, constants: &StepConstants<M, S>) {
        let point = self.state.point(self.time, &self.inputs, &constants.model);
        M::output_derivatives(&point, &mut self.outputs);
    }

    /// Evaluates the derivatives by the inputs at the loaded state.
    pub fn evaluate_inputs(&mut self, constants: &StepConstants<M, S>) {
        let point = self.state.point(self.time, &self.inputs, &constants.model);
        M::input_derivatives(&point, &mut self.of_inputs);
    }

    /// Factorises the Newton matrix, where [`evaluate`](Self::evaluate) was called last.
    pub fn factor(&mut self, constants: &StepConstants<M, S>) -> Result<(), StepError> {
        let factorised = if self.matrix.has_factors() {
            let emitted = self.matrix.tries_emitted();
            if emitted && self.matrix.accept() {
                return Ok(());
            }
            self.choose_pivots(constants, emitted)
        } else {
            self.matrix.factor_blocks((*self.adjoint).as_ref())
        };
        factorised.map_err(|singular| StepError::Singular {
            time: self.time,
            step: self.step,
            unknown: Unknown::at(M::description(self.program), singular.column),
            pivot: singular.pivot,
            limit: singular.limit,
        })
    }

    #[inline(never)]
    fn choose_pivots(&mut self, constants: &StepConstants<M, S>, emitted: bool) -> Result<(), Singular> {
        let mut state = State::<M, f64>::zeros_of(self.program);
        self.state.real_into(&mut state);
        let point = state.point(self.time, &self.real_inputs, &constants.real);
        if emitted {
            self.matrix.check(&point)?
        } else {
            self.matrix.pivot(&point)?
        }
        if S::COMPONENTS > 1 && !self.matrix.is_emitted() {
            let mut newton = M::Newton::<S>::zeros(M::lengths(self.program).group(Group::Newton));
            evaluate::newton(&self.state.point(self.time, &self.inputs, &constants.model), &mut newton);
            self.newton.clear();
            self.newton.extend_from_slice(newton.as_ref());
        }
        Ok(())
    }

    /// Solves with the transpose of the Newton matrix that was factorised last.
    pub fn solve_transposed(&self, constants: &StepConstants<M, S>, unknowns: &mut M::Unknowns<S>) {
        if self.matrix.is_emitted() {
            M::solve_transposed(&constants.model, &self.matrix.factors, unknowns);
        } else {
            let group = if self.matrix.has_factors() { &self.newton } else { self.adjoint() };
            self.matrix.solve_transposed_pivoted(group, unknowns);
        }
    }

    /// Evaluates the group `residual` at the [loaded](Self::load) state.
    pub fn residual(&self, constants: &StepConstants<M, S>) -> M::Residual<S> {
        let mut residual = M::Residual::zeros(M::lengths(self.program).group(Group::Residual));
        evaluate::residual(&self.state.point(self.time, &self.inputs, &constants.model), &mut residual);
        residual
    }

    /// Returns the step of the loaded state.
    pub fn step(&self) -> usize {
        self.step
    }

    /// Returns the array of the group `adjoint`.
    pub fn adjoint(&self) -> &[S] {
        (*self.adjoint).as_ref()
    }

    /// Exchanges the array of the group `adjoint` for one that was evaluated at the loaded state.
    pub fn exchange_adjoint(&mut self, group: &mut Box<M::Adjoint<S>>) {
        std::mem::swap(&mut self.adjoint, group);
    }

    /// Returns the array of the group `output_derivatives`.
    pub fn outputs(&self) -> &[S] {
        self.outputs.as_ref()
    }

    /// Returns the array of the group `input_derivatives`.
    pub fn of_inputs(&self) -> &[S] {
        self.of_inputs.as_ref()
    }
}

impl<M: Functions> LinearStep<M> {
    /// Evaluates at the [loaded](Self::load) state the group `lookups`, and the derivatives of the lookups'
    /// results with respect to the values of `tables`.
    pub fn evaluate_rates(&mut self, constants: &StepConstants<M, f64>, tables: &TableRates) {
        let mut rates = std::mem::take(&mut self.rates);
        tables.write(self.lookup_arguments(constants), &mut rates);
        if constants.is_determined() {
            let groups = M::description(self.program).groups;
            let mut levels = std::mem::take(&mut self.of_levels);
            levels.resize(groups.length(Group::InitialLookups), 0.0);
            self.evaluate_levels(constants, &mut levels);
            tables.write(find(groups.initial_lookups, Function::LookupArguments, None).values(&levels), &mut rates);
            self.of_levels = levels;
        }
        self.rates = rates;
    }

    /// Evaluates the arguments of all lookups at the state.
    pub fn lookup_arguments(&mut self, constants: &StepConstants<M, f64>) -> &[f64] {
        let groups = M::description(self.program).groups;
        self.of_lookups.resize(groups.length(Group::Lookups), 0.0);
        M::lookups(&self.state.point(self.time, &self.inputs, &constants.model), &mut self.of_lookups);
        find(groups.lookups, Function::LookupArguments, None).values(&self.of_lookups)
    }

    /// Returns the array of the group `lookups`.
    pub fn of_lookups(&self) -> &[f64] {
        &self.of_lookups
    }

    /// Returns the array of the group `initial_lookups`.
    pub(crate) fn of_levels(&self) -> &[f64] {
        &self.of_levels
    }

    /// Returns the derivatives of a lookup's result with respect to the values of tables, one number per
    /// column.
    pub fn rates(&self, lookup: usize) -> &[f64] {
        let columns = self.rates.len() / M::description(self.program).lookups.len().max(1);
        self.rates.get(lookup * columns..).and_then(|rates| rates.get(..columns)).unwrap_or_default()
    }
}
