//! Models with constraints (index 3), advanced by one HHT step.

use std::convert::Infallible;

use nalgebra::DMatrix;

use super::fours::by_fours;
use super::manifold::Manifold;
use super::newton::{Newton, singular_step};
use super::outputs::{Change, Outputs};
use super::{Selected, coordinate_name};
use crate::filter::error::FilterError;
use crate::filter::state_space::{Sample, StateSpace, Step};
use crate::filter::transformation::Gaussian;
use crate::identifiers::{Coordinate, Output, Parameter};
use crate::model::{Model, Weights};
use crate::problem::{Problem, SettingsError, SimulationError};
use crate::scalar::{LANES, Vector};
use crate::step::{Scheme, State, StepMatrix};

mod derivatives;
#[cfg(target_arch = "x86_64")]
mod lanes;

use derivatives::Blocks;
#[cfg(target_arch = "x86_64")]
use lanes::ImplicitLanes;

/// Any model as a process whose step is one step of the HHT method. The states are q, v, a, lambda and the parameters
/// that are to be estimated: what a step depends on. Their covariance is singular, since constraints tie them together;
/// [`initial`](Self::initial) makes one that is consistent.
///
/// F is exact: -(df_i/dx_i)^-1 df_i/dx_{i-1} of the step's equations, from the emitted derivatives (DA 2). What a filter
/// makes of a state, by a correction, by sigma points or by noise, is moved back to the constraints in position and
/// velocity, and to the accelerations and multipliers that go with these; deviations to the directions that they admit.
pub struct ImplicitModel<M: Model> {
    pub(super) selected: Selected<M>,
    pub(super) constants: M::Constants<f64>,
    weights: Weights,
    newton: Newton<M>,
    /// Several points at once, once there were some.
    #[cfg(target_arch = "x86_64")]
    lanes: Option<Box<ImplicitLanes<M>>>,
    manifold: Manifold<M>,
    before: State<M, f64>,
    state: State<M, f64>,
    inputs: [M::Inputs<f64>; 2],
    blocks: Blocks,
    /// The group `adjoint` at t_{i-1} and t_i.
    adjoint: [M::Adjoint<f64>; 2],
    factors: M::Factors<f64>,
    matrix: StepMatrix<M>,
    right: M::Unknowns<f64>,
    change: [M::Coordinates<f64>; 2],
    outputs: Outputs<M>,
    zeros: M::Coordinates<f64>,
    no_multipliers: M::Multipliers<f64>,
}

impl<M: Model> ImplicitModel<M> {
    pub(super) const N: usize = <M::Coordinates<f64> as Vector<f64>>::LENGTH;
    pub(super) const M: usize = <M::Multipliers<f64> as Vector<f64>>::LENGTH;
    pub(super) const FIXED: usize = 3 * Self::N + Self::M;

    /// The model with step, scheme (HHT) and tables of `problem`, all outputs measured; samples are a step apart.
    pub fn new(problem: &Problem<M>, model: &M) -> Self {
        let selected = Selected::new(problem, model);
        let constants = problem.constants(&selected.parameters);
        Self {
            constants,
            weights: problem.settings().weights(),
            newton: Newton::new(),
            #[cfg(target_arch = "x86_64")]
            lanes: None,
            manifold: Manifold::new(),
            before: State::zeros(),
            state: State::zeros(),
            inputs: std::array::from_fn(|_| Vector::zeros()),
            blocks: Blocks::of::<M>(),
            adjoint: std::array::from_fn(|_| Vector::zeros()),
            factors: Vector::zeros(),
            matrix: StepMatrix::new(M::DESCRIPTION.groups.adjoint).prepared(),
            right: Vector::zeros(),
            change: std::array::from_fn(|_| Vector::zeros()),
            outputs: Outputs::new(),
            zeros: Vector::zeros(),
            no_multipliers: Vector::zeros(),
            selected,
        }
    }

    /// Parameters that join the state, behind q, v, a and lambda; one that is named twice joins once.
    #[must_use]
    pub fn estimate(mut self, parameters: impl IntoIterator<Item = Parameter<M>>) -> Self {
        self.selected.estimate(parameters);
        #[cfg(target_arch = "x86_64")]
        {
            self.lanes = None;
        }
        self
    }

    /// The outputs that are measured, in this order.
    #[must_use]
    pub fn outputs(mut self, outputs: impl IntoIterator<Item = Output<M>>) -> Self {
        self.selected.measure(outputs);
        self
    }

    /// The inputs of the problem as the rows of a record.
    pub fn input_rows(&self) -> Vec<f64> {
        self.selected.inputs()
    }

    /// Place of an estimated parameter in the state.
    pub fn place(&self, parameter: Parameter<M>) -> Option<usize> {
        let place = self.selected.estimated.iter().position(|&index| index == parameter.index())?;
        Some(Self::FIXED + place)
    }

    /// The consistent initial state of the model, and the covariance that standard deviations of coordinates,
    /// velocities and estimated parameters mean there: each is moved along the constraints, and velocities,
    /// accelerations and multipliers follow.
    ///
    /// # Errors
    /// [`FilterError::Simulation`]; [`FilterError::Unsuitable`] where the equations do not determine accelerations and
    /// multipliers; [`FilterError::Length`] for other than one deviation per estimated parameter.
    pub fn initial(
        &self,
        coordinates: &[(Coordinate<M>, f64)],
        velocities: &[(Coordinate<M>, f64)],
        parameters: &[f64],
    ) -> Result<Gaussian, FilterError> {
        self.check_scheme()?;
        super::initial::initial(self, coordinates, velocities, parameters)
    }

    /// The state of a filter has no auxiliary acceleration.
    fn check_scheme(&self) -> Result<(), SimulationError> {
        match self.selected.problem.settings().scheme {
            Scheme::Hht { .. } | Scheme::Undamped => Ok(()),
            scheme => Err(SettingsError::FilterScheme { scheme }.into()),
        }
    }

    fn take_parameters(&mut self, x: &[f64]) {
        if !self.selected.estimated.is_empty() {
            let parameters = self.selected.parameters(&x[Self::FIXED..]);
            self.constants = self.selected.problem.constants(&parameters);
        }
    }

    /// Begins corrections of a state.
    fn start_from(&mut self, at: &Sample<'_>, before: &[f64]) {
        self.inputs[1].as_mut().copy_from_slice(at.inputs);
        self.take_parameters(before);
        self.before.load(&before[..Self::FIXED]);
        self.manifold.start_from(&self.before.point(at.time, &self.inputs[1], &self.constants));
    }

    /// Moves what a correction has made of that state to the constraints.
    fn project(&mut self, at: &Sample<'_>, x: &mut [f64]) {
        self.take_parameters(x);
        self.state.load(&x[..Self::FIXED]);
        self.manifold.admit(at.time, &self.inputs[1], &self.constants, &mut self.state);
        self.store(x);
    }

    /// q, v, a and lambda of `self.state`.
    fn store(&self, x: &mut [f64]) {
        let n = Self::N;
        x[..n].copy_from_slice(self.state.coordinates.as_ref());
        x[n..2 * n].copy_from_slice(self.state.velocities.as_ref());
        x[2 * n..3 * n].copy_from_slice(self.state.accelerations.as_ref());
        x[3 * n..Self::FIXED].copy_from_slice(self.state.multipliers.as_ref());
    }
}

#[cfg(not(target_arch = "x86_64"))]
impl<M: Model> ImplicitModel<M> {
    fn advance_lanes(&mut self, _: &Step<'_>, _: &[f64], _: &mut [f64]) -> [bool; LANES] {
        [false; LANES]
    }

    fn measure_lanes(&mut self, _: &Sample<'_>, _: &[f64], _: &mut [f64]) -> [bool; LANES] {
        [false; LANES]
    }

    fn admit_lanes(&mut self, _: &Sample<'_>, _: &[f64], _: &mut [f64]) -> [bool; LANES] {
        [false; LANES]
    }

    fn watch_lanes(&mut self) {}
}

impl<M: Model> StateSpace for ImplicitModel<M> {
    fn states(&self) -> usize {
        Self::FIXED + self.selected.estimated.len()
    }

    fn inputs(&self) -> usize {
        <M::Inputs<f64> as Vector<f64>>::LENGTH
    }

    fn measurements(&self) -> usize {
        self.selected.measured.len()
    }

    fn state_name(&self, state: usize) -> String {
        let n = Self::N;
        match state / n.max(1) {
            0 => coordinate_name::<M>("", state),
            1 => coordinate_name::<M>("dot", state - n),
            2 => coordinate_name::<M>("ddot", state - 2 * n),
            _ if state < Self::FIXED => {
                let name =
                    M::DESCRIPTION.constraints.get(state - 3 * n).map_or("?", |quantity| quantity.name);
                format!("multiplier({name})")
            }
            _ => self.selected.name(state - Self::FIXED),
        }
    }

    fn advance(&mut self, step: &Step<'_>, x: &[f64], next: &mut [f64]) -> Result<(), SimulationError> {
        self.check_scheme()?;
        self.take_parameters(x);
        self.inputs[0].as_mut().copy_from_slice(step.inputs_before);
        self.inputs[1].as_mut().copy_from_slice(step.inputs);
        self.state.load(&x[..Self::FIXED]);
        let [before, after] = &self.inputs;
        let stepped =
            self.newton.step(&self.weights, step.time, [before, after], &self.constants, &mut self.state);
        stepped.map_err(|error| self.selected.or_parameter(&x[Self::FIXED..], error))?;
        self.store(next);
        next[Self::FIXED..].copy_from_slice(&x[Self::FIXED..]);
        Ok(())
    }

    fn advance_each(&mut self, step: &Step<'_>, x: &[f64], next: &mut [f64]) -> Result<(), SimulationError> {
        self.check_scheme()?;
        let states = self.states();
        let in_lanes = |this: &mut Self, x: &[f64], next: &mut [f64]| this.advance_lanes(step, x, next);
        by_fours(self, (x, states), (next, states), in_lanes, |this, x, next| {
            this.advance(step, x, next)?;
            this.watch_lanes();
            Ok(())
        })
    }

    fn measure_each(&mut self, at: &Sample<'_>, x: &[f64], y: &mut [f64]) {
        let (states, signals) = (self.states(), self.measurements());
        let in_lanes = |this: &mut Self, x: &[f64], y: &mut [f64]| this.measure_lanes(at, x, y);
        let Ok(()) = by_fours::<_, Infallible>(self, (x, states), (y, signals), in_lanes, |this, x, y| {
            this.measure(at, x, y);
            Ok(())
        });
    }

    fn transition(
        &mut self,
        step: &Step<'_>,
        x: &[f64],
        next: &[f64],
        matrix: &mut DMatrix<f64>,
    ) -> Result<(), SimulationError> {
        self.check_scheme()?;
        self.take_parameters(x);
        self.inputs[0].as_mut().copy_from_slice(step.inputs_before);
        self.inputs[1].as_mut().copy_from_slice(step.inputs);
        self.linearize(0, step.time, x);
        let time = step.time + step.interval;
        self.linearize(1, time, next);
        let factorised = if StepMatrix::<M>::HAS_FACTORS {
            self.matrix.check(&self.state.point(time, &self.inputs[1], &self.constants))
        } else {
            self.matrix.factor_blocks(self.adjoint[1].as_ref())
        };
        factorised.map_err(|singular| singular_step::<M>(&self.weights, time, &singular))?;
        let states = self.states();
        for column in 0..states {
            self.column(column, &mut matrix.as_mut_slice()[column * states..(column + 1) * states]);
        }
        Ok(())
    }

    fn measure(&mut self, at: &Sample<'_>, x: &[f64], y: &mut [f64]) {
        self.take_parameters(x);
        self.inputs[1].as_mut().copy_from_slice(at.inputs);
        self.state.load(&x[..Self::FIXED]);
        let point = self.state.point(at.time, &self.inputs[1], &self.constants);
        self.outputs.values(&point, &self.selected.measured, y);
    }

    fn measurement_matrix(&mut self, at: &Sample<'_>, x: &[f64], matrix: &mut DMatrix<f64>) {
        let n = Self::N;
        self.take_parameters(x);
        self.inputs[1].as_mut().copy_from_slice(at.inputs);
        self.state.load(&x[..Self::FIXED]);
        self.outputs.differentiate(&self.state.point(at.time, &self.inputs[1], &self.constants));
        for column in 0..matrix.ncols() {
            let [unit, _] = &mut self.change;
            unit.as_mut().fill(0.0);
            let multipliers = column.checked_sub(3 * n).filter(|k| *k < Self::M);
            if column < 3 * n {
                unit.as_mut()[column % n] = 1.0;
            }
            self.no_multipliers.as_mut().fill(0.0);
            if let Some(k) = multipliers {
                self.no_multipliers.as_mut()[k] = 1.0;
            }
            let of = |part: usize| if column / n == part { unit.as_ref() } else { self.zeros.as_ref() };
            let change = Change {
                coordinates: of(0),
                velocities: of(1),
                accelerations: of(2),
                multipliers: self.no_multipliers.as_ref(),
                parameter: column
                    .checked_sub(Self::FIXED)
                    .and_then(|k| self.selected.estimated.get(k))
                    .copied(),
            };
            let values = self.outputs.column(&change);
            for (row, &index) in self.selected.measured.iter().enumerate() {
                matrix[(row, column)] = values[index];
            }
        }
    }

    fn is_constrained(&self) -> bool {
        Self::M > 0
    }

    fn admit(&mut self, at: &Sample<'_>, before: &[f64], x: &mut [f64]) {
        if Self::M == 0 || before == x {
            return;
        }
        self.start_from(at, before);
        self.project(at, x);
    }

    fn admit_each(&mut self, at: &Sample<'_>, before: &[f64], x: &mut [f64]) {
        if Self::M == 0 {
            return;
        }
        self.start_from(at, before);
        let states = self.states().max(1);
        for four in x.chunks_mut(LANES * states) {
            let done = self.admit_lanes(at, before, four);
            for (lane, x) in four.chunks_exact_mut(states).enumerate() {
                if !done[lane] && before != x {
                    self.project(at, x);
                }
            }
        }
    }

    fn admit_deviations(&mut self, at: &Sample<'_>, x: &[f64], factor: &mut DMatrix<f64>) {
        self.inputs[1].as_mut().copy_from_slice(at.inputs);
        self.take_parameters(x);
        self.state.load(&x[..Self::FIXED]);
        if !self.manifold.linearize(&self.state.point(at.time, &self.inputs[1], &self.constants)) {
            return;
        }
        let states = self.states();
        for deviation in factor.as_mut_slice().chunks_exact_mut(states) {
            if deviation.iter().any(|entry| *entry != 0.0) {
                self.manifold.tangent(deviation, &self.selected.estimated);
            }
        }
    }
}
