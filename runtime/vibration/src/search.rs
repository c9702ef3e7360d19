//! The search for an equilibrium.

use std::marker::PhantomData;
use std::sync::Arc;

use costate_system::equilibrium::{
    Conditions, EquilibriumError, Minimal, MotionMatrices, Rounding, SteadyMotion, balance,
};
use nalgebra::DMatrix;

use costate_contract::{Description, Function, Group};
use costate_numerics::linalg::block::find;
use costate_system::identifiers::{Coordinate, Dynamic, Input, Parameter};
use costate_system::input::InputSignal;
use costate_system::model::OtherModel;
use costate_system::problem::{Problem, Settings};
use costate_system::simulation::{RunDescription, Simulation};
use costate_system::system::{Equations, Instant, StateVectors};

use crate::equilibrium::{Equilibrium, NOTICED, Place};
use crate::error::VibrationError;

/// The length of the step of problems that are never run, in s.
const STEP: f64 = 1e-3;

/// The search for an equilibrium of a simulation's model: at rest or in steady motion, with the inputs at their values
/// at the start; inputs without a signal are 0.
///
/// The search begins at the initial values of the model. See [`Equilibrium::of`] for the most frequent case.
#[derive(Debug)]
pub struct EquilibriumSearch<M = Dynamic> {
    description: RunDescription,
    held: Vec<Coordinate>,
    start: Vec<(Coordinate, f64)>,
    motion: SteadyMotion,
    accepts_unstable: bool,
    /// The first parameter of another model that was given a value.
    other_model: Option<OtherModel>,
    model: PhantomData<fn() -> M>,
}

impl<M> Clone for EquilibriumSearch<M> {
    fn clone(&self) -> Self {
        Self {
            description: self.description.clone(),
            held: self.held.clone(),
            start: self.start.clone(),
            motion: self.motion.clone(),
            accepts_unstable: self.accepts_unstable,
            other_model: self.other_model.clone(),
            model: PhantomData,
        }
    }
}

impl<M> EquilibriumSearch<M> {
    /// Creates a search for a position of rest. The simulation needs neither step nor end.
    pub fn new(simulation: &Simulation<M>) -> Self {
        Self {
            description: simulation.description().clone(),
            held: Vec::new(),
            start: Vec::new(),
            motion: SteadyMotion::rest(),
            accepts_unstable: false,
            other_model: None,
            model: PhantomData,
        }
    }

    /// Holds these coordinates at their initial values, whatever force this needs: those that may have any value, such
    /// as the angle of a shaft that turns freely. They are held while the equilibrium is searched, and free in the
    /// linear model about it.
    #[must_use]
    pub fn held(mut self, coordinates: impl IntoIterator<Item = Coordinate<M>>) -> Self {
        self.held.extend(coordinates.into_iter().map(Coordinate::erased));
        self
    }

    /// Begins with this value of a coordinate, in its unit, in place of the model's initial value.
    #[must_use]
    pub fn start(mut self, coordinate: Coordinate<M>, value: f64) -> Self {
        self.start.push((coordinate.erased(), value));
        self
    }

    /// Searches a steady motion in which this coordinate, such as the angle of a shaft, has a constant speed in its
    /// unit per s. The coordinate is held at its initial value, and the force that keeps the speed is that which
    /// [holds](Equilibrium::holding) it.
    #[must_use]
    pub fn turning(mut self, coordinate: Coordinate<M>, speed: f64) -> Self {
        self.motion = self.motion.with_speed(coordinate.index(), speed);
        self.held.push(coordinate.erased());
        self
    }

    /// Lets other coordinates turn at this speed as well, such as those of all shafts of a drive train; they are not
    /// held.
    #[must_use]
    pub fn together(mut self, coordinates: impl IntoIterator<Item = Coordinate<M>>, speed: f64) -> Self {
        for coordinate in coordinates {
            self.motion = self.motion.with_speed(coordinate.index(), speed);
        }
        self
    }

    /// Searches a steady motion in which all bodies turn about this axis through a point, in inertial axes, at a speed
    /// in rad/s: that of a mechanism of bodies. One coordinate that tells the angle should be [held](Self::held).
    /// Planar bodies turn in their plane.
    #[must_use]
    pub fn rotating(mut self, axis: [f64; 3], point: [f64; 3], speed: f64) -> Self {
        let model = self.description.model.system.description();
        self.motion = self.motion.with_rotation(model, axis, point, speed);
        self
    }

    /// Accepts an equilibrium that is not stable: that which Newton's method finds from the start, which is a position
    /// near it.
    #[must_use]
    pub fn unstable(mut self) -> Self {
        self.accepts_unstable = true;
        self
    }

    /// Sets the value of a parameter, in its unit, in place of that of the simulation.
    #[must_use]
    pub fn parameter(mut self, parameter: Parameter<M>, value: f64) -> Self {
        let checked = parameter.check_model(self.model());
        match self.description.model.parameters.get_mut(parameter.index()) {
            Some(own) if checked.is_ok() => *own = value,
            _ => self.other_model = self.other_model.take().or(checked.err()),
        }
        self
    }

    /// Returns the search without the type of the model.
    #[must_use]
    pub fn erased(&self) -> EquilibriumSearch {
        EquilibriumSearch {
            description: self.description.clone(),
            held: self.held.clone(),
            start: self.start.clone(),
            motion: self.motion.clone(),
            accepts_unstable: self.accepts_unstable,
            other_model: self.other_model.clone(),
            model: PhantomData,
        }
    }

    /// Returns the search at these parameters of the model, all in their order.
    pub(crate) fn with_parameters(&self, parameters: &[f64]) -> Self {
        let mut search = self.clone();
        search.description.model.parameters = parameters.to_vec();
        search
    }

    /// Returns names and units of the model.
    pub(crate) fn model(&self) -> &'static Description {
        self.description.model.system.description()
    }

    /// Finds the equilibrium: by Newton's method or, where this fails or leads to an equilibrium that is not stable, by
    /// following the mechanism as it creeps there. An [unstable](Self::unstable) one is searched by Newton's method
    /// alone.
    ///
    /// # Errors
    /// [`VibrationError::Equilibrium`], [`VibrationError::Simulation`], [`VibrationError::OtherModel`].
    pub fn find(&self) -> Result<Equilibrium, VibrationError> {
        if let Some(error) = &self.other_model {
            return Err(error.clone().into());
        }
        let model = self.model();
        for coordinate in self.held.iter().chain(self.start.iter().map(|(coordinate, _)| coordinate)) {
            coordinate.check_model(model)?;
        }
        if let Some((coordinate, value)) = self.start.iter().find(|(_, value)| !value.is_finite()) {
            let quantity = format!("the start of `{}`", coordinate.name());
            return Err(EquilibriumError::NotFinite { quantity, value: *value }.into());
        }
        self.description.check_names().map_err(VibrationError::OtherModel)?;
        let problem = problem_of(&self.description)?;
        let parameters = &self.description.model.parameters;
        problem.check_count(parameters.len())?;
        let inputs = problem.inputs().row(0).to_vec();
        // a model that begins in equilibrium begins in a stable one
        let from_specified = self.accepts_unstable && model.equilibrium;
        let mut start = start_of(&problem, parameters, from_specified);
        for (coordinate, value) in &self.start {
            if let Some(own) = start.coordinates.get_mut(coordinate.index()) {
                *own = *value;
            }
        }
        let mut held: Vec<usize> = self.held.iter().map(|coordinate| coordinate.index()).collect();
        held.sort_unstable();
        held.dedup();
        let conditions = Conditions {
            motion: &self.motion,
            inputs: &inputs,
            held: &held,
            accepts_unstable: self.accepts_unstable,
            is_of_start: false,
        };
        let mut found = Err(EquilibriumError::NoEigenvalues);
        let mut hidden = 0.0;
        problem.system().with_equations(&problem, parameters, &mut |equations| {
            found = balance(equations, &start, &conditions);
            if matches!(found, Err(EquilibriumError::Family { .. })) {
                hidden = hidden_rate(equations, &start, &conditions);
            }
        });
        let found = match found {
            Err(EquilibriumError::Family { model, coordinates }) if hidden >= NOTICED => {
                return Err(VibrationError::Hidden { model, coordinates, rate: hidden });
            }
            found => found,
        };
        let place = Place {
            problem,
            parameters: parameters.clone(),
            time: 0.0,
            inputs,
            started: self.start.iter().map(|(coordinate, _)| coordinate.index()).collect(),
        };
        Ok(Equilibrium::new(place, Arc::new(found?)))
    }

    /// Finds the equilibria from several starts, each a list of values for the coordinates of the model in their order,
    /// and tells them apart: equilibria whose coordinates differ by less than 1e-6 of the largest one are the same.
    /// Starts from which none is found are left out; the error of the last one is returned if all are.
    ///
    /// # Errors
    /// As [`find`](Self::find).
    pub fn find_all(&self, starts: &[Vec<f64>]) -> Result<Vec<Equilibrium>, VibrationError> {
        const SAME: f64 = 1e-6;
        let model = self.description.model.system.description();
        let mut found: Vec<Equilibrium> = Vec::new();
        let mut failure = VibrationError::Empty { what: "starts" };
        for start in starts {
            let mut search = self.clone();
            let coordinates = (0..model.coordinates.len()).map(|index| Coordinate::of(model, index));
            search.start = coordinates.zip(start.iter().copied()).collect();
            match search.find() {
                Ok(new) => {
                    let size = new.coordinates().iter().fold(0.0_f64, |most, value| most.max(value.abs()));
                    let is_same = |known: &Equilibrium| {
                        let pairs = known.coordinates().iter().zip(new.coordinates());
                        pairs.into_iter().all(|(one, other)| (one - other).abs() <= SAME * size)
                    };
                    if !found.iter().any(is_same) {
                        found.push(new);
                    }
                }
                Err(error) => failure = error,
            }
        }
        if found.is_empty() { Err(failure) } else { Ok(found) }
    }
}

/// Returns the largest rate in 1/s of motions that rounding hides at a state; 0 where it cannot be told.
fn hidden_rate(equations: &dyn Equations<f64>, state: &StateVectors<f64>, conditions: &Conditions<'_>) -> f64 {
    let at = Instant { time: 0.0, state, inputs: conditions.inputs };
    let matrices = MotionMatrices::at(equations, at).component(0).with_held(conditions.held);
    let minimal = Minimal::of(&matrices, conditions.motion);
    let rounding = Rounding::at(&minimal, &matrices, (equations, conditions.held), at);
    minimal.spectrum(&rounding, equations.description()).map_or(0.0, |spectrum| spectrum.hidden)
}

/// Prepares a problem at whose start functions are evaluated; inputs without a signal are 0.
pub(crate) fn problem_of(description: &RunDescription) -> Result<Problem, VibrationError> {
    let step = description.step.unwrap_or(STEP);
    let settings = Settings::new(step, step);
    let model = description.model.system;
    let given = |input: &Input| description.signals.iter().any(|(own, _)| own == input);
    let others = Input::each_of(model.description()).filter(|input| !given(input));
    let zeros = others.map(|input| (input, InputSignal::Constant(0.0)));
    let signals: Vec<(Input, InputSignal)> = zeros.chain(description.signals.iter().cloned()).collect();
    Ok(Problem::of(model, settings, &signals, description.tables.clone())?)
}

/// Returns the consistent initial state or, without one and where they are wanted, the specified initial values.
fn start_of(problem: &Problem, parameters: &[f64], from_specified: bool) -> StateVectors<f64> {
    let model = problem.description();
    let (n, m) = (model.coordinates.len(), model.constraints.len());
    if !from_specified && let Ok(state) = problem.initial_state(parameters) {
        return StateVectors::of_stored(n, &state);
    }
    let mut start = StateVectors::zeros(n, m);
    let inputs = problem.inputs().row(0);
    problem.system().with_equations(problem, parameters, &mut |equations| {
        let group = equations.group(Group::Initial, Instant { time: 0.0, state: &StateVectors::zeros(n, m), inputs });
        let block = find(model.groups.initial, Function::InitialCoordinates, None);
        block.iter(&group).for_each(|(row, _, value)| start.coordinates[row] = value);
    });
    start
}

/// Returns the derivatives of held coordinates: those of the initial values, zero for values that the search was given.
pub(crate) fn held_derivatives(
    place: &Place,
    held: &[(usize, f64)],
    parameters: &[usize],
) -> Result<DMatrix<f64>, VibrationError> {
    let from_model: Vec<usize> =
        held.iter().map(|(index, _)| *index).filter(|index| !place.started.contains(index)).collect();
    if from_model.is_empty() {
        return Ok(DMatrix::zeros(held.len(), parameters.len()));
    }
    let problem = &place.problem;
    let all = problem.system().initial_derivatives(problem, &place.parameters, parameters)?;
    Ok(DMatrix::from_fn(held.len(), parameters.len(), |row, column| {
        let index = held[row].0;
        if from_model.contains(&index) { all[(index, column)] } else { 0.0 }
    }))
}
