//! Models in minimal coordinates, advanced by an explicit Runge-Kutta step (KE 2.42 to 2.47).

use std::convert::Infallible;

use nalgebra::DMatrix;

use costate_numerics::linalg::block::{Products, find};
use costate_numerics::scalar::{Vector, array};
use costate_system::identifiers::{Output, Parameter};
use costate_system::model::{Argument, Block, Function, Functions, Group, Model, NameOf};
use costate_system::problem::{Problem, SimulationError};
use costate_system::state_space::{FilterError, ModelFailure, Sample, StateSpace, Step};

use super::accelerations::substitute;
use super::fours::by_fours;
use super::outputs::{Change, Outputs};
use super::stages::{MASS, Stages};
use super::tableau::RungeKutta;
use super::{Selected, coordinate_name, failed, step_at, unsuitable};
use crate::evaluate;
use crate::step::State;

mod lanes;
mod stage_lanes;

use stage_lanes::StageLanes;

/// A model without constraints whose coordinates all have mass. The states are q, v and the parameters that are to be
/// estimated, which are constant; between samples the inputs are linear.
///
/// ```text
/// let problem = Simulation::new(&model).input(Cart::DRIVE, drive).step(1e-3).until(2.0).problem()?;
/// let process = RungeKuttaModel::new(&problem, &model)?.estimate([Cart::D]).outputs([Cart::ACCELERATION]);
/// ```
#[derive(Debug, Clone)]
pub struct RungeKuttaModel<M: Functions> {
    pub(super) selected: Selected<M>,
    pub(super) formula: RungeKutta,
    stages: Stages<M, f64>,
    /// Several points at once, once there were some.
    lanes: Option<Box<StageLanes<M>>>,
    linearization: M::Linearization<f64>,
    /// dq, dv of a stage, and da of all (n x states).
    slopes: [DMatrix<f64>; 2],
    rate_slopes: [DMatrix<f64>; 4],
    acceleration_slopes: [DMatrix<f64>; 4],
    outputs: Outputs<M>,
}

impl<M: Functions> RungeKuttaModel<M> {
    /// Number of coordinates.
    pub(super) fn n(&self) -> usize {
        M::lengths(self.selected.program).coordinates
    }

    /// The model with the tables of `problem`, all outputs measured.
    ///
    /// # Errors
    /// [`FilterError::Unsuitable`] for a model with constraints, or with a singular mass matrix at its initial state;
    /// [`FilterError::Model`] without an initial state.
    pub fn new<N: Model<Functions = M>>(problem: &Problem, model: &N) -> Result<Self, FilterError> {
        Self::of(N::program(), problem, array(model.parameters().as_ref()))
    }

    /// Creates the process like [`new`](Self::new), for a program of a model and the values of its parameters.
    #[doc(hidden)]
    pub fn of(program: M::Program, problem: &Problem, parameters: M::Parameters<f64>) -> Result<Self, FilterError> {
        if !M::description(program).constraints.is_empty() {
            return Err(unsuitable::<M>(program, "has constraints", "take `ImplicitModel`, whose steps satisfy them"));
        }
        problem
            .require_constant_steps("a filter")
            .map_err(|error| FilterError::of_model(SimulationError::from(error)))?;
        let selected = Selected::new(program, problem, parameters);
        let constants = evaluate::constants::<M, _>(program, &selected.parameters, &MASS, problem.tables());
        let lengths = M::lengths(program);
        let mut this = Self {
            stages: Stages::new(constants),
            lanes: None,
            formula: RungeKutta::Third,
            linearization: Vector::zeros(lengths.group(Group::Linearization)),
            slopes: std::array::from_fn(|_| DMatrix::zeros(0, 0)),
            rate_slopes: std::array::from_fn(|_| DMatrix::zeros(0, 0)),
            acceleration_slopes: std::array::from_fn(|_| DMatrix::zeros(0, 0)),
            outputs: Outputs::new(program),
            selected,
        };
        this.resize();
        this.stages.state = this.start()?;
        if !accelerate(&mut this.stages, 0.0, 0) {
            return Err(unsuitable::<M>(
                program,
                "has coordinates without mass",
                "give each coordinate a mass, or take `ImplicitModel`",
            ));
        }
        Ok(this)
    }

    /// Parameters that join the state after q and v; they start from the values of the model, and one
    /// that is named twice joins once.
    #[must_use]
    pub fn estimate<N: NameOf<M>>(mut self, parameters: impl IntoIterator<Item = Parameter<N>>) -> Self {
        self.selected.estimate(parameters);
        self.lanes = None;
        self.resize();
        self
    }

    /// The outputs that are measured, in this order.
    #[must_use]
    pub fn outputs<N: NameOf<M>>(mut self, outputs: impl IntoIterator<Item = Output<N>>) -> Self {
        self.selected.measure(outputs);
        self
    }

    /// Place of an estimated parameter in the state.
    pub fn place<N: NameOf<M>>(&self, parameter: Parameter<N>) -> Option<usize> {
        Some(2 * self.n() + self.selected.position(parameter)?)
    }

    /// The formula of the steps; of third order by default.
    #[must_use]
    pub fn formula(mut self, formula: RungeKutta) -> Self {
        self.formula = formula;
        self
    }

    /// The inputs of the problem as the rows of a record.
    pub fn input_rows(&self) -> Vec<f64> {
        self.selected.inputs()
    }

    /// q, v and the estimated parameters at t = 0.
    ///
    /// # Errors
    /// [`FilterError::Model`].
    pub fn initial_mean(&self) -> Result<Vec<f64>, FilterError> {
        let (start, parameters) = (self.start()?, &self.selected.parameters);
        let mut mean = start.coordinates.as_ref().to_vec();
        mean.extend_from_slice(start.velocities.as_ref());
        mean.extend(self.selected.estimated.iter().map(|&index| parameters.as_ref()[index]));
        Ok(mean)
    }

    /// Computes the initial state.
    fn start(&self) -> Result<State<M, f64>, FilterError> {
        let Selected { program, problem, parameters, .. } = &self.selected;
        crate::run::initial_state_with(*program, problem, parameters).map_err(FilterError::of_model)
    }

    fn resize(&mut self) {
        let (n, estimated) = (self.n(), self.selected.estimated.len());
        let matrix = || DMatrix::zeros(n, 2 * n + estimated);
        self.slopes = std::array::from_fn(|_| matrix());
        self.rate_slopes = std::array::from_fn(|_| matrix());
        self.acceleration_slopes = std::array::from_fn(|_| matrix());
    }

    /// The constants of a state's parameters.
    fn take_parameters(&mut self, x: &[f64]) {
        if !self.selected.estimated.is_empty() {
            let parameters = self.selected.parameters(&x[2 * self.n()..]);
            let tables = self.selected.problem.tables();
            evaluate::renew_constants::<M, _>(&mut self.stages.constants, &parameters, &MASS, tables);
        }
    }

    /// From x, through the stages.
    fn stages(
        &mut self,
        step: &Step<'_>,
        x: &[f64],
        mut each: impl FnMut(&mut Self, usize, f64),
    ) -> Result<(), SimulationError> {
        let tableau = self.formula.tableau();
        self.take_parameters(x);
        for stage in 0..tableau.stages {
            let time = step.time + tableau.times[stage] * step.interval;
            self.stages.begin(step, &tableau, stage, x);
            if !accelerate(&mut self.stages, time, stage) {
                let number = step_at(step.time + step.interval, self.selected.problem.settings().step);
                let error = self.stages.singular(number, time);
                return Err(self.selected.or_parameter(&x[2 * self.n()..], error));
            }
            each(self, stage, time);
        }
        Ok(())
    }

    /// dq and dv of a stage, then da, with respect to x_{i-1}.
    fn differentiate(&mut self, stage: usize, time: f64, h: f64) {
        let n = self.n();
        let coefficients = self.formula.tableau().coefficients[stage];
        let [dq, dv] = &mut self.slopes;
        for column in 0..dq.ncols() {
            for j in 0..n {
                let sum = |of: &[DMatrix<f64>; 4]| -> f64 {
                    coefficients[..stage].iter().zip(of).map(|(a, of)| a * of[(j, column)]).sum()
                };
                dq[(j, column)] = f64::from(column == j) + h * sum(&self.rate_slopes);
                dv[(j, column)] = f64::from(column == n + j) + h * sum(&self.acceleration_slopes);
            }
        }
        self.rate_slopes[stage].copy_from(dv);
        self.linearize(stage, time);
    }

    /// da of `self.state` along the slopes.
    fn linearize(&mut self, stage: usize, time: f64) {
        let n = self.n();
        let Stages { state, accelerations, inputs, constants, mass, .. } = &mut self.stages;
        state.accelerations.as_mut().copy_from_slice(accelerations[stage].as_ref());
        evaluate::linearization(&state.point(time, inputs, constants), &mut self.linearization);
        let groups = &M::description(self.selected.program).groups;
        let block = |function, argument| -> &'static Block { find(groups.linearization, function, Some(argument)) };
        let group = self.linearization.as_ref();
        let [dq, dv] = &self.slopes;
        let result = &mut self.acceleration_slopes[stage];
        result.fill(0.0);
        let columns = result.ncols();
        for column in 0..columns {
            let rows = column * n..(column + 1) * n;
            let (dq, dv) = (&dq.as_slice()[rows.clone()], &dv.as_slice()[rows.clone()]);
            let right = &mut result.as_mut_slice()[rows];
            block(Function::Force, Argument::Coordinates).add_product(group, 1.0, dq, right);
            block(Function::Force, Argument::Velocities).add_product(group, 1.0, dv, right);
            block(Function::Inertia, Argument::Coordinates).add_product(group, -1.0, dq, right);
            if let Some(&parameter) = column.checked_sub(2 * n).and_then(|k| self.selected.estimated.get(k)) {
                block(Function::Force, Argument::Parameters).add_column(group, 1.0, parameter, right);
                block(Function::Inertia, Argument::Parameters).add_column(group, -1.0, parameter, right);
            }
            substitute(mass, right);
        }
    }

    /// a at a sample, for measurements.
    fn at_sample(&mut self, at: &Sample<'_>, x: &[f64]) {
        self.take_parameters(x);
        at_sample(&mut self.stages, at, x);
    }
}

/// The stages of plain numbers, compiled once.
#[inline(never)]
fn accelerate<M: Functions>(stages: &mut Stages<M, f64>, time: f64, stage: usize) -> bool {
    stages.accelerate(time, stage)
}

#[inline(never)]
fn at_sample<M: Functions>(stages: &mut Stages<M, f64>, at: &Sample<'_>, x: &[f64]) -> bool {
    stages.at_sample(at.time, at.inputs, x)
}

impl<M: Functions> StateSpace for RungeKuttaModel<M> {
    fn states(&self) -> usize {
        2 * self.n() + self.selected.estimated.len()
    }

    fn inputs(&self) -> usize {
        M::lengths(self.selected.program).inputs
    }

    fn measurements(&self) -> usize {
        self.selected.measured.len()
    }

    fn state_name(&self, state: usize) -> String {
        match state {
            _ if state < self.n() => coordinate_name::<M>(self.selected.program, "", state),
            _ if state < 2 * self.n() => coordinate_name::<M>(self.selected.program, "dot", state - self.n()),
            _ => self.selected.name(state - 2 * self.n()),
        }
    }

    fn advance(&mut self, step: &Step<'_>, x: &[f64], next: &mut [f64]) -> Result<(), ModelFailure> {
        self.selected.check()?;
        self.stages(step, x, |_, _, _| ()).map_err(failed)?;
        next.copy_from_slice(x);
        self.stages.finish(step.interval, &self.formula.tableau(), next);
        Ok(())
    }

    fn advance_each(&mut self, step: &Step<'_>, x: &[f64], next: &mut [f64]) -> Result<(), ModelFailure> {
        let states = self.states();
        let in_lanes = |this: &mut Self, x: &[f64], next: &mut [f64]| this.advance_lanes(step, x, next);
        by_fours(self, x, states, next, states, in_lanes, |this, x, next| this.advance(step, x, next))
    }

    fn measure_each(&mut self, at: &Sample<'_>, x: &[f64], y: &mut [f64]) {
        let (states, signals) = (self.states(), self.measurements());
        let in_lanes = |this: &mut Self, x: &[f64], y: &mut [f64]| this.measure_lanes(at, x, y);
        let Ok(()) = by_fours::<_, Infallible>(self, x, states, y, signals, in_lanes, |this, x, y| {
            this.measure(at, x, y);
            Ok(())
        });
    }

    fn transition(
        &mut self,
        step: &Step<'_>,
        x: &[f64],
        _: &[f64],
        matrix: &mut DMatrix<f64>,
    ) -> Result<(), ModelFailure> {
        let (n, h, tableau) = (self.n(), step.interval, self.formula.tableau());
        self.stages(step, x, |this, stage, time| this.differentiate(stage, time, h)).map_err(failed)?;
        matrix.fill_with_identity();
        for (stage, weight) in tableau.weights.iter().enumerate().take(tableau.stages) {
            for column in 0..matrix.ncols() {
                for j in 0..n {
                    matrix[(j, column)] += h * weight * self.rate_slopes[stage][(j, column)];
                    matrix[(n + j, column)] += h * weight * self.acceleration_slopes[stage][(j, column)];
                }
            }
        }
        Ok(())
    }

    fn measure(&mut self, at: &Sample<'_>, x: &[f64], y: &mut [f64]) {
        self.at_sample(at, x);
        let point = self.stages.point(at.time);
        self.outputs.values(&point, &self.selected.measured, y);
    }

    fn measurement_matrix(&mut self, at: &Sample<'_>, x: &[f64], matrix: &mut DMatrix<f64>) {
        let n = self.n();
        self.at_sample(at, x);
        let [dq, dv] = &mut self.slopes;
        dq.fill_with_identity();
        for column in 0..dv.ncols() {
            for j in 0..n {
                dv[(j, column)] = f64::from(column == n + j);
            }
        }
        self.linearize(0, at.time);
        self.outputs.differentiate(&self.stages.point(at.time));
        for column in 0..matrix.ncols() {
            let rows = column * n..(column + 1) * n;
            let parameter = column.checked_sub(2 * n).and_then(|k| self.selected.estimated.get(k)).copied();
            let change = Change {
                coordinates: &self.slopes[0].as_slice()[rows.clone()],
                velocities: &self.slopes[1].as_slice()[rows.clone()],
                accelerations: &self.acceleration_slopes[0].as_slice()[rows],
                multipliers: &[],
                parameter,
            };
            let values = self.outputs.column(&change);
            for (row, &index) in self.selected.measured.iter().enumerate() {
                matrix[(row, column)] = values[index];
            }
        }
    }
}
