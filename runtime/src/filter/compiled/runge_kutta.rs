//! Models in minimal coordinates, advanced by an explicit Runge-Kutta step (KE 2.42 to 2.47).

use nalgebra::DMatrix;

use super::accelerations::{accelerations, substitute};
use super::outputs::{Change, Outputs, load};
use super::{Selected, coordinate_name, unsuitable};
use crate::block::find;
use crate::filter::error::FilterError;
use crate::filter::state_space::{Sample, StateSpace, Step};
use crate::identifiers::{Output, Parameter};
use crate::integrator::{SimulationError, State, Unknown};
use crate::model::{Argument, Block, Function, Model, Weights};
use crate::problem::Problem;
use crate::scalar::Vector;

/// The mass matrix alone.
pub(super) const MASS: Weights =
    Weights { accelerations: 1.0, coordinates: 0.0, velocities: 0.0, step: 0.0, previous: 0.0 };

/// Which explicit scheme takes a step.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum RungeKutta {
    /// Third order (KE 2.42 to 2.45): enough where a record has twenty samples per period.
    #[default]
    Third,
    /// The classical scheme of fourth order.
    Fourth,
}

impl RungeKutta {
    /// Coefficients of the stages before, times of the stages, and weights, of which only `stages` count.
    pub(super) fn tableau(self) -> Tableau {
        match self {
            Self::Third => Tableau {
                stages: 3,
                coefficients: [[0.0; 4], [0.5, 0.0, 0.0, 0.0], [-1.0, 2.0, 0.0, 0.0], [0.0; 4]],
                times: [0.0, 0.5, 1.0, 0.0],
                weights: [1.0 / 6.0, 4.0 / 6.0, 1.0 / 6.0, 0.0],
            },
            Self::Fourth => Tableau {
                stages: 4,
                coefficients: [[0.0; 4], [0.5, 0.0, 0.0, 0.0], [0.0, 0.5, 0.0, 0.0], [0.0, 0.0, 1.0, 0.0]],
                times: [0.0, 0.5, 0.5, 1.0],
                weights: [1.0 / 6.0, 2.0 / 6.0, 2.0 / 6.0, 1.0 / 6.0],
            },
        }
    }
}

pub(super) struct Tableau {
    pub stages: usize,
    pub coefficients: [[f64; 4]; 4],
    pub times: [f64; 4],
    pub weights: [f64; 4],
}

/// A model without constraints whose coordinates all have mass. The states are q, v and the parameters that are to be
/// estimated, which are constant; between samples the inputs are linear.
///
/// ```text
/// let problem = Simulation::new(&model).signal(Cart::DRIVE, drive).step(1e-3).until(2.0).problem()?;
/// let process = RungeKuttaModel::new(&problem, &model)?.estimate([Cart::D]).outputs([Cart::ACCELERATION]);
/// ```
#[derive(Debug, Clone)]
pub struct RungeKuttaModel<M: Model> {
    pub(super) selected: Selected<M>,
    pub(super) scheme: RungeKutta,
    constants: M::Constants<f64>,
    /// Accelerations, and rates, of the stages.
    accelerations: [M::Coordinates<f64>; 4],
    rates: [M::Coordinates<f64>; 4],
    state: State<M, f64>,
    inputs: M::Inputs<f64>,
    newton: M::Newton<f64>,
    linearization: M::Linearization<f64>,
    mass: DMatrix<f64>,
    /// dq, dv of a stage, and da of all (n x states).
    slopes: [DMatrix<f64>; 2],
    rate_slopes: [DMatrix<f64>; 4],
    acceleration_slopes: [DMatrix<f64>; 4],
    outputs: Outputs<M>,
}

impl<M: Model> RungeKuttaModel<M> {
    pub(super) const N: usize = <M::Coordinates<f64> as Vector<f64>>::LENGTH;

    /// The model with the tables of `problem`, all outputs measured.
    ///
    /// # Errors
    /// [`FilterError::Unsuitable`] for a model with constraints, or with a singular mass matrix at its initial state;
    /// [`FilterError::Simulation`] without an initial state.
    pub fn new(problem: &Problem<M>, model: &M) -> Result<Self, FilterError> {
        if !M::DESCRIPTION.constraints.is_empty() {
            return Err(unsuitable::<M>("has constraints", "take `HhtModel`, whose steps satisfy them"));
        }
        let selected = Selected::new(problem, model);
        let constants = M::constants(&selected.parameters, &MASS, problem.tables());
        let mut this = Self {
            constants,
            scheme: RungeKutta::Third,
            accelerations: std::array::from_fn(|_| Vector::zeros()),
            rates: std::array::from_fn(|_| Vector::zeros()),
            state: State::zeros(),
            inputs: Vector::zeros(),
            newton: Vector::zeros(),
            linearization: Vector::zeros(),
            mass: DMatrix::zeros(Self::N, Self::N),
            slopes: std::array::from_fn(|_| DMatrix::zeros(0, 0)),
            rate_slopes: std::array::from_fn(|_| DMatrix::zeros(0, 0)),
            acceleration_slopes: std::array::from_fn(|_| DMatrix::zeros(0, 0)),
            outputs: Outputs::new(),
            selected,
        };
        this.resize();
        let start = problem.initial_state::<f64>(&model.parameters()).map_err(SimulationError::from)?;
        this.state = start;
        if !this.accelerate(0.0, 0) {
            return Err(unsuitable::<M>(
                "has coordinates without mass",
                "give each coordinate a mass, or take `HhtModel`",
            ));
        }
        Ok(this)
    }

    /// Parameters that join the state, behind q and v; they start from the values of the model.
    #[must_use]
    pub fn estimate(mut self, parameters: impl IntoIterator<Item = Parameter<M>>) -> Self {
        self.selected.estimate(parameters);
        self.resize();
        self
    }

    /// The outputs that are measured, in this order.
    #[must_use]
    pub fn outputs(mut self, outputs: impl IntoIterator<Item = Output<M>>) -> Self {
        self.selected.measure(outputs);
        self
    }

    /// The scheme; of third order by default.
    #[must_use]
    pub fn scheme(mut self, scheme: RungeKutta) -> Self {
        self.scheme = scheme;
        self
    }

    /// The inputs of the problem as the rows of a record.
    pub fn input_rows(&self) -> Vec<f64> {
        self.selected.inputs()
    }

    /// q, v and the estimated parameters at t = 0.
    ///
    /// # Errors
    /// [`FilterError::Simulation`].
    pub fn initial_mean(&self) -> Result<Vec<f64>, FilterError> {
        let parameters = &self.selected.parameters;
        let start = self.selected.problem.initial_state::<f64>(parameters).map_err(SimulationError::from)?;
        let mut mean = start.coordinates.as_ref().to_vec();
        mean.extend_from_slice(start.velocities.as_ref());
        mean.extend(self.selected.estimated.iter().map(|&index| parameters.as_ref()[index]));
        Ok(mean)
    }

    fn resize(&mut self) {
        let matrix = || DMatrix::zeros(Self::N, 2 * Self::N + self.selected.estimated.len());
        self.slopes = std::array::from_fn(|_| matrix());
        self.rate_slopes = std::array::from_fn(|_| matrix());
        self.acceleration_slopes = std::array::from_fn(|_| matrix());
    }

    /// The constants of a state's parameters.
    fn take_parameters(&mut self, x: &[f64]) {
        if !self.selected.estimated.is_empty() {
            let parameters = self.selected.parameters(&x[2 * Self::N..]);
            self.constants = M::constants(&parameters, &MASS, self.selected.problem.tables());
        }
    }

    fn interpolate(&mut self, before: &[f64], after: &[f64], part: f64) {
        for ((to, a), b) in self.inputs.as_mut().iter_mut().zip(before).zip(after) {
            *to = if part == 1.0 { *b } else { a + part * (b - a) };
        }
    }

    /// a = M^-1 f at `self.state`, as that of a stage; false if M is singular.
    fn accelerate(&mut self, time: f64, stage: usize) -> bool {
        self.state.accelerations.as_mut().fill(0.0);
        let point = self.state.point(time, &self.inputs, &self.constants);
        accelerations::<M, f64>(&point, &mut self.newton, &mut self.mass, &mut self.accelerations[stage])
    }

    /// From x, through the stages; in the end the state holds q and v at the next sample.
    fn stages(
        &mut self,
        step: &Step<'_>,
        x: &[f64],
        mut each: impl FnMut(&mut Self, usize, f64),
    ) -> Result<(), SimulationError> {
        let (n, h, tableau) = (Self::N, step.interval, self.scheme.tableau());
        self.take_parameters(x);
        for stage in 0..tableau.stages {
            let time = step.time + tableau.times[stage] * h;
            self.interpolate(step.inputs_before, step.inputs, tableau.times[stage]);
            let coefficients = &tableau.coefficients[stage][..stage];
            let (q, v) = (self.state.coordinates.as_mut(), self.state.velocities.as_mut());
            for j in 0..n {
                let sum = |of: &[M::Coordinates<f64>; 4]| -> f64 {
                    coefficients.iter().zip(of).map(|(a, of)| a * of.as_ref()[j]).sum()
                };
                q[j] = x[j] + h * sum(&self.rates);
                v[j] = x[n + j] + h * sum(&self.accelerations);
            }
            self.rates[stage].as_mut().copy_from_slice(self.state.velocities.as_ref());
            if !self.accelerate(time, stage) {
                return Err(SimulationError::Singular {
                    time,
                    step: 0,
                    unknown: Unknown::at(&M::DESCRIPTION, 0),
                    pivot: 0.0,
                    limit: f64::MIN_POSITIVE,
                });
            }
            each(self, stage, time);
        }
        Ok(())
    }

    /// dq and dv of a stage, then da, with respect to x_{i-1}.
    fn differentiate(&mut self, stage: usize, time: f64, h: f64) {
        let n = Self::N;
        let coefficients = self.scheme.tableau().coefficients[stage];
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
        let n = Self::N;
        self.state.accelerations.as_mut().copy_from_slice(self.accelerations[stage].as_ref());
        M::linearization(&self.state.point(time, &self.inputs, &self.constants), &mut self.linearization);
        let block = |function, argument| -> &'static Block {
            find(M::DESCRIPTION.groups.linearization, function, Some(argument))
        };
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
            substitute(&self.mass, right);
        }
    }

    /// a and its derivatives at a sample, for measurements.
    fn at_sample(&mut self, at: &Sample<'_>, x: &[f64]) {
        self.take_parameters(x);
        load(&mut self.state, x);
        self.inputs.as_mut().copy_from_slice(at.inputs);
        self.accelerate(at.time, 0);
        self.state.accelerations.as_mut().copy_from_slice(self.accelerations[0].as_ref());
    }
}

impl<M: Model> StateSpace for RungeKuttaModel<M> {
    fn states(&self) -> usize {
        2 * Self::N + self.selected.estimated.len()
    }

    fn inputs(&self) -> usize {
        <M::Inputs<f64> as Vector<f64>>::LENGTH
    }

    fn measurements(&self) -> usize {
        self.selected.measured.len()
    }

    fn state_name(&self, state: usize) -> String {
        match state {
            _ if state < Self::N => coordinate_name::<M>("", state),
            _ if state < 2 * Self::N => coordinate_name::<M>("dot", state - Self::N),
            _ => self.selected.name(state - 2 * Self::N),
        }
    }

    fn advance(&mut self, step: &Step<'_>, x: &[f64], next: &mut [f64]) -> Result<(), SimulationError> {
        let (n, h, tableau) = (Self::N, step.interval, self.scheme.tableau());
        self.stages(step, x, |_, _, _| ())?;
        next.copy_from_slice(x);
        for (stage, weight) in tableau.weights.iter().enumerate().take(tableau.stages) {
            for j in 0..n {
                next[j] += h * weight * self.rates[stage].as_ref()[j];
                next[n + j] += h * weight * self.accelerations[stage].as_ref()[j];
            }
        }
        Ok(())
    }

    fn transition(
        &mut self,
        step: &Step<'_>,
        x: &[f64],
        _: &[f64],
        matrix: &mut DMatrix<f64>,
    ) -> Result<(), SimulationError> {
        let (n, h, tableau) = (Self::N, step.interval, self.scheme.tableau());
        self.stages(step, x, |this, stage, time| this.differentiate(stage, time, h))?;
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
        let point = self.state.point(at.time, &self.inputs, &self.constants);
        self.outputs.values(&point, &self.selected.measured, y);
    }

    fn measurement_matrix(&mut self, at: &Sample<'_>, x: &[f64], matrix: &mut DMatrix<f64>) {
        let n = Self::N;
        self.at_sample(at, x);
        let [dq, dv] = &mut self.slopes;
        dq.fill_with_identity();
        for column in 0..dv.ncols() {
            for j in 0..n {
                dv[(j, column)] = f64::from(column == n + j);
            }
        }
        self.linearize(0, at.time);
        self.outputs.differentiate(&self.state.point(at.time, &self.inputs, &self.constants));
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
