//! Any model, advanced by one implicit step.

use std::convert::Infallible;
use std::fmt;

use nalgebra::DMatrix;

use costate_numerics::scalar::{LANES, Vector, array};
use costate_system::identifiers::{Output, Parameter};
use costate_system::model::{Functions, Model, NameOf};
use costate_system::problem::Problem;
use costate_system::state_space::{ModelFailure, Sample, StateSpace, Step};

use super::fours::by_fours;
use super::layout::Layout;
use super::manifold::Manifold;
use super::outputs::{Change, Outputs};
use super::{Selected, coordinate_name, failed, step_at};
use crate::step::{Before, Integrator, State, StepConstants};

mod lanes;
mod moments;
mod step_lanes;
mod transition;

use moments::moments;
use step_lanes::StepLanes;
use transition::Transition;

/// A process for any model, whose step is a step of a simulation by the scheme of the problem. The state
/// holds everything that a step depends on: q, v, a, lambda; with generalized alpha the auxiliary
/// acceleration s, in whose place the start has an acceleration by which the first step displaces velocities
/// along the constraints; and the parameters that are to be estimated. The covariance is singular, since
/// equations tie the states together; [`initial`](Self::initial) creates a consistent one.
///
/// F is exact: -(df_i/dx_i)^-1 df_i/dx_{i-1} of the step's equations, from the emitted derivatives (DA 2). A
/// state that a filter has changed, by a correction, by sigma points or by noise, is moved back to the
/// constraints in position and velocity, and to the accelerations and multipliers that belong to it; s
/// changes with the accelerations, and deviations are projected onto the directions that the constraints
/// admit.
pub struct ImplicitModel<M: Functions> {
    pub(super) selected: Selected<M>,
    pub(super) layout: Layout,
    /// The constants of all steps but the first, and of the first one.
    constants: StepConstants<M, f64>,
    start: StepConstants<M, f64>,
    integrator: Integrator<M, f64>,
    transition: Transition<M>,
    /// Working memory for several points at once; `None` before the first use.
    lanes: Option<Box<StepLanes<M>>>,
    manifold: Manifold<M>,
    before: State<M, f64>,
    state: State<M, f64>,
    inputs: [M::Inputs<f64>; 2],
    change: M::Coordinates<f64>,
    outputs: Outputs<M>,
    zeros: M::Coordinates<f64>,
    no_multipliers: M::Multipliers<f64>,
}

impl<M: Functions> fmt::Debug for ImplicitModel<M> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ImplicitModel")
            .field("model", &M::description(self.selected.program).name)
            .field("state", &self.state)
            .finish_non_exhaustive()
    }
}

impl<M: Functions> ImplicitModel<M> {
    /// Creates the process with step, scheme and tables of `problem` and all outputs measured; samples are a
    /// step apart.
    pub fn new<N: Model<Functions = M>>(problem: &Problem, model: &N) -> Self {
        Self::of(N::program(), problem, array(model.parameters().as_ref()))
    }

    /// Creates the process like [`new`](Self::new), for a program of a model and the values of its parameters.
    #[doc(hidden)]
    pub fn of(program: M::Program, problem: &Problem, parameters: M::Parameters<f64>) -> Self {
        let (selected, settings) = (Selected::<M>::new(program, problem, parameters), problem.settings());
        let lengths = M::lengths(program);
        Self {
            layout: Layout::of::<M>(program, settings.scheme),
            constants: StepConstants::new(program, &selected.parameters, settings.weights(), problem.tables()),
            start: StepConstants::new(program, &selected.parameters, settings.start_weights(), problem.tables()),
            integrator: Integrator::of_single_steps(program, &settings.newton, &settings.weights()),
            transition: Transition::new(program),
            lanes: None,
            manifold: Manifold::new(program),
            before: State::zeros_of(program),
            state: State::zeros_of(program),
            inputs: std::array::from_fn(|_| Vector::zeros(lengths.inputs)),
            change: Vector::zeros(lengths.coordinates),
            outputs: Outputs::new(program),
            zeros: Vector::zeros(lengths.coordinates),
            no_multipliers: Vector::zeros(lengths.multipliers),
            selected,
        }
    }

    /// Adds parameters to the state, as its last numbers; a parameter that is named twice is added once.
    #[must_use]
    pub fn estimate<N: NameOf<M>>(mut self, parameters: impl IntoIterator<Item = Parameter<N>>) -> Self {
        self.selected.estimate(parameters);
        self.lanes = None;
        self
    }

    /// Sets the outputs that are measured, in this order.
    #[must_use]
    pub fn outputs<N: NameOf<M>>(mut self, outputs: impl IntoIterator<Item = Output<N>>) -> Self {
        self.selected.measure(outputs);
        self
    }

    /// Returns the inputs of the problem as the rows of a record.
    pub fn input_rows(&self) -> Vec<f64> {
        self.selected.inputs()
    }

    /// Returns the place of an estimated parameter in the state.
    pub fn place<N: NameOf<M>>(&self, parameter: Parameter<N>) -> Option<usize> {
        Some(self.layout.fixed() + self.selected.position(parameter)?)
    }

    fn take_parameters(&mut self, x: &[f64]) {
        if !self.selected.estimated.is_empty() {
            let parameters = self.selected.parameters(&x[self.layout.fixed()..]);
            for constants in [&mut self.constants, &mut self.start] {
                constants.renew(&parameters, self.selected.problem.tables());
            }
        }
    }

    fn take_inputs(&mut self, step: &Step<'_>) {
        self.inputs[0].as_mut().copy_from_slice(step.inputs_before);
        self.inputs[1].as_mut().copy_from_slice(step.inputs);
    }

    /// Prepares corrections of the state `before`.
    fn start_from(&mut self, at: &Sample<'_>, before: &[f64]) {
        self.inputs[1].as_mut().copy_from_slice(at.inputs);
        self.take_parameters(before);
        self.before.load(&before[..self.layout.state()]);
        self.manifold.start_from(&self.before.point(at.time, &self.inputs[1], &self.constants.model));
    }

    /// Checks whether a sample is at the start, where the state holds another quantity in place of s, which
    /// does not change with the accelerations.
    pub(super) fn is_start(&self, at: &Sample<'_>) -> bool {
        step_at(at.time, self.constants.weights.step) == 0
    }

    /// Moves a corrected state to the constraints, after `start_from`.
    fn project(&mut self, at: &Sample<'_>, x: &mut [f64]) {
        self.take_parameters(x);
        self.state.load(&x[..self.layout.state()]);
        let (time, constants) = (at.time, &self.constants.model);
        let moved = self.manifold.admit(time, &self.inputs[1], constants, &mut self.state);
        self.state.store_row(&mut x[..self.layout.state()]);
        if moved && !self.is_start(at) {
            let changes = self.manifold.projection.unknowns.as_ref();
            x[self.layout.auxiliaries()].iter_mut().zip(changes).for_each(|(s, change)| *s -= change);
        }
    }
}

impl<M: Functions> StateSpace for ImplicitModel<M> {
    fn states(&self) -> usize {
        self.layout.fixed() + self.selected.estimated.len()
    }

    fn inputs(&self) -> usize {
        M::lengths(self.selected.program).inputs
    }

    fn measurements(&self) -> usize {
        self.selected.measured.len()
    }

    fn state_name(&self, state: usize) -> String {
        let (program, n) = (self.selected.program, self.layout.coordinates());
        match state / n.max(1) {
            0 => coordinate_name::<M>(program, "", state),
            1 => coordinate_name::<M>(program, "dot", state - n),
            2 => coordinate_name::<M>(program, "ddot", state - 2 * n),
            _ if state < self.layout.state() => {
                let name = M::description(program).constraints.get(state - 3 * n).map_or("?", |quantity| quantity.name);
                format!("multiplier({name})")
            }
            _ if state < self.layout.fixed() => coordinate_name::<M>(program, "auxiliary", state - self.layout.state()),
            _ => self.selected.name(state - self.layout.fixed()),
        }
    }

    fn advance(&mut self, step: &Step<'_>, x: &[f64], next: &mut [f64]) -> Result<(), ModelFailure> {
        self.selected.check()?;
        self.take_parameters(x);
        self.take_inputs(step);
        let layout = self.layout;
        let [before, after] = moments(step, self.constants.weights.step, self.inputs.each_ref().map(AsRef::as_ref));
        let constants = if after.step == 1 { &self.start } else { &self.constants };
        let before =
            Before { state: &x[..layout.state()], auxiliary: &x[layout.auxiliary_accelerations()], at: before };
        self.integrator
            .step_from(constants, &before, after)
            .map_err(|error| failed(self.selected.or_parameter(&x[layout.fixed()..], error)))?;
        self.integrator.state().store_row(&mut next[..layout.state()]);
        self.integrator.auxiliary_into(&constants.weights, &mut next[layout.auxiliaries()]);
        next[layout.fixed()..].copy_from_slice(&x[layout.fixed()..]);
        Ok(())
    }

    fn advance_each(&mut self, step: &Step<'_>, x: &[f64], next: &mut [f64]) -> Result<(), ModelFailure> {
        self.selected.check()?;
        let states = self.states();
        let in_lanes = |this: &mut Self, x: &[f64], next: &mut [f64]| this.advance_lanes(step, x, next);
        by_fours(self, x, states, next, states, in_lanes, |this, x, next| {
            this.advance(step, x, next)?;
            this.watch_lanes();
            Ok(())
        })
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
        next: &[f64],
        matrix: &mut DMatrix<f64>,
    ) -> Result<(), ModelFailure> {
        self.take_parameters(x);
        self.take_inputs(step);
        let moments = moments(step, self.constants.weights.step, self.inputs.each_ref().map(AsRef::as_ref));
        let constants = if moments[1].step == 1 { &self.start } else { &self.constants };
        self.transition.linearize(self.layout, constants, moments, [x, next]).map_err(failed)?;
        let states = self.states().max(1);
        for (column, result) in matrix.as_mut_slice().chunks_exact_mut(states).enumerate() {
            let parameter = column.checked_sub(self.layout.fixed());
            let parameter = parameter.and_then(|k| self.selected.estimated.get(k)).copied();
            self.transition.column(self.layout, constants, column, parameter, result);
        }
        Ok(())
    }

    fn measure(&mut self, at: &Sample<'_>, x: &[f64], y: &mut [f64]) {
        self.take_parameters(x);
        self.inputs[1].as_mut().copy_from_slice(at.inputs);
        self.state.load(&x[..self.layout.state()]);
        let point = self.state.point(at.time, &self.inputs[1], &self.constants.model);
        self.outputs.values(&point, &self.selected.measured, y);
    }

    fn measurement_matrix(&mut self, at: &Sample<'_>, x: &[f64], matrix: &mut DMatrix<f64>) {
        let n = self.layout.coordinates();
        self.take_parameters(x);
        self.inputs[1].as_mut().copy_from_slice(at.inputs);
        self.state.load(&x[..self.layout.state()]);
        self.outputs.differentiate(&self.state.point(at.time, &self.inputs[1], &self.constants.model));
        let m = self.no_multipliers.as_ref().len();
        for column in 0..matrix.ncols() {
            let unit = &mut self.change;
            unit.as_mut().fill(0.0);
            let multipliers = column.checked_sub(3 * n).filter(|k| *k < m);
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
                    .checked_sub(self.layout.fixed())
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
        !self.no_multipliers.as_ref().is_empty()
    }

    fn admit(&mut self, at: &Sample<'_>, before: &[f64], x: &mut [f64]) {
        if !self.is_constrained() || before == x {
            return;
        }
        self.start_from(at, before);
        self.project(at, x);
    }

    fn admit_each(&mut self, at: &Sample<'_>, before: &[f64], x: &mut [f64]) {
        if !self.is_constrained() {
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
        self.state.load(&x[..self.layout.state()]);
        if !self.manifold.linearize(&self.state.point(at.time, &self.inputs[1], &self.constants.model)) {
            return;
        }
        let (states, moves_auxiliary) = (self.states(), !self.is_start(at));
        for deviation in factor.as_mut_slice().chunks_exact_mut(states) {
            if deviation.iter().any(|entry| *entry != 0.0) {
                self.manifold.tangent(deviation, self.layout, &self.selected.estimated, moves_auxiliary);
            }
        }
    }
}
