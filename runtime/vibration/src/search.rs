//! The search for an equilibrium.

use std::marker::PhantomData;
use std::sync::Arc;

use costate_system::equilibrium::{
    Conditions, EquilibriumError, Minimal, MotionMatrices, Rounding, SteadyMotion, balance,
};

use costate_contract::Description;
use costate_system::identifiers::{Coordinate, Dynamic, Parameter};
use costate_system::model::OtherModel;
use costate_system::simulation::{RunDescription, Simulation};
use costate_system::system::{Equations, Instant, StateVectors};

use crate::equilibrium::Equilibrium;
use crate::error::VibrationError;
use crate::place::{Place, start_of};

/// Rate in 1/s, of a period of 10 000 s, from which a motion that rounding may hide is worth a word where nothing seems
/// to hold a model.
const NOTABLE_RATE_OF_FAMILY: f64 = std::f64::consts::TAU * 1e-4;

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
        self.tagged()
    }
}

impl Equilibrium {
    /// Finds the position of rest to which the model comes from its initial values, with the inputs at their values at
    /// the start. [`EquilibriumSearch`] has steady motions, coordinates that are held, and other starts.
    ///
    /// # Errors
    /// As [`EquilibriumSearch::find`].
    pub fn of<M>(simulation: &Simulation<M>) -> Result<Self, VibrationError> {
        EquilibriumSearch::new(simulation).find()
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
    /// in rad/s: that of a mechanism of bodies. One coordinate that determines the angle should be [held](Self::held).
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
        self.tagged()
    }

    /// Returns the search with another type for the same model.
    fn tagged<N>(&self) -> EquilibriumSearch<N> {
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
        let problem = self.description.problem_at_start()?;
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
            Err(EquilibriumError::Family { model, coordinates }) if hidden >= NOTABLE_RATE_OF_FAMILY => {
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
}

/// Returns the largest rate in 1/s of motions that rounding hides at a state; 0 where it is not known.
fn hidden_rate(equations: &dyn Equations<f64>, state: &StateVectors<f64>, conditions: &Conditions<'_>) -> f64 {
    let at = Instant { time: 0.0, state, inputs: conditions.inputs };
    let matrices = MotionMatrices::at(equations, at).component(0).with_held(conditions.held);
    let minimal = Minimal::of(&matrices, conditions.motion);
    let rounding = Rounding::at(&minimal, &matrices, equations, conditions.held, at);
    minimal.spectrum(&rounding, equations.description()).map_or(0.0, |spectrum| spectrum.hidden)
}
