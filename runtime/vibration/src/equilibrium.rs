//! An equilibrium.

use std::fmt;
use std::sync::Arc;

use costate_system::equilibrium::Balance;
use nalgebra::DMatrix;

use costate_contract::shown::Shown;
use costate_contract::{Description, Function, Group};
use costate_numerics::linalg::block::find;
use costate_system::identifiers::{Constraint, Coordinate, Output, Parameter};
use costate_system::system::{Instant, StateVectors};

use crate::error::VibrationError;
use crate::place::{Place, held_derivatives};

/// Rate in 1/s, of a period of 1000 s, below which a motion that rounding may hide is not worth a word.
pub(crate) const NOTABLE_RATE: f64 = std::f64::consts::TAU * 1e-3;

/// A position of rest or a steady motion: the state in which forces and reactions are in balance.
///
/// ```text
/// let rest = Equilibrium::of(&Simulation::new(&car))?;
/// println!("{rest}");
/// let modes = rest.linearized().modes()?;
/// ```
#[derive(Clone)]
pub struct Equilibrium {
    place: Place,
    balance: Arc<Balance>,
}

impl fmt::Debug for Equilibrium {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Equilibrium").field("state", &self.balance.state).finish_non_exhaustive()
    }
}

impl Equilibrium {
    pub(crate) fn new(place: Place, balance: Arc<Balance>) -> Self {
        Self { place, balance }
    }

    /// Returns names and units of the model.
    pub fn description(&self) -> &'static Description {
        self.place.problem.description()
    }

    /// Returns the parameters of the model.
    pub fn parameters(&self) -> &[f64] {
        &self.place.parameters
    }

    /// Returns the values of all coordinates, in their units.
    pub fn coordinates(&self) -> &[f64] {
        &self.balance.state.coordinates
    }

    /// Returns the value of a coordinate, in its unit; NaN for a coordinate of another model.
    pub fn coordinate<M>(&self, coordinate: Coordinate<M>) -> f64 {
        self.coordinates().get(coordinate.index()).copied().unwrap_or(f64::NAN)
    }

    /// Returns the multiplier of a constraint, its reaction; NaN for a constraint of another model.
    pub fn multiplier<M>(&self, constraint: Constraint<M>) -> f64 {
        self.balance.state.multipliers.get(constraint.index()).copied().unwrap_or(f64::NAN)
    }

    /// Returns the state q, v, a, lambda in sequence (3n + m).
    pub fn state(&self) -> Vec<f64> {
        self.balance.state.stored()
    }

    /// Returns the value of an output, in its unit; NaN for an output of another model.
    pub fn output<M>(&self, output: Output<M>) -> f64 {
        self.outputs().get(output.index()).copied().unwrap_or(f64::NAN)
    }

    /// Returns the values of all outputs, in their units.
    pub fn outputs(&self) -> Vec<f64> {
        let model = self.description();
        let Place { problem, parameters, time, inputs, .. } = &self.place;
        let mut values = vec![0.0; model.outputs.len()];
        problem.system().with_equations(problem, parameters, &mut |equations| {
            let at = Instant { time: *time, state: &self.balance.state, inputs };
            let group = equations.group(Group::Outputs, at);
            let block = find(model.groups.outputs, Function::Output, None);
            block.iter(&group).for_each(|(row, _, value)| values[row] = value);
        });
        values
    }

    /// Returns true if no deviation grows, as far as rounding shows: see [`hidden_growth`](Self::hidden_growth).
    pub fn is_stable(&self) -> bool {
        self.balance.is_stable
    }

    /// Returns the largest rate in 1/s at which a deviation may grow without a trace in the numbers, because what holds
    /// it is less than the rounding of stiffer parts; 0 where nothing is in doubt.
    pub fn hidden_growth(&self) -> f64 {
        self.balance.hidden_growth
    }

    /// Returns what makes the verdict on stability, or a linear model about the equilibrium, doubtful, a sentence each:
    /// rounding that hides slow motions, and forces that jump or bend here.
    pub fn doubts(&self) -> Vec<String> {
        let mut doubts = self.kinks();
        let hidden = self.hidden_growth();
        if self.stability_is_known() {
            return doubts;
        }
        doubts.push(format!(
            "whether the equilibrium is stable cannot be told: what grows slower than exp({} t) is lost in the \
             rounding of stiffer parts; give these a stiffness that is smaller, or a larger mass",
            Shown(hidden)
        ));
        doubts
    }

    /// Returns true if the numbers show whether a deviation grows.
    pub fn stability_is_known(&self) -> bool {
        !self.is_stable() || self.hidden_growth() < NOTABLE_RATE && !self.balance.may_grow
    }

    /// Returns the largest rate at which a deviation grows, in 1/s; negative if all decay.
    pub fn growth(&self) -> f64 {
        self.balance.growth
    }

    /// Returns the coordinates that were held, with the force or torque that holds each of them: in a steady motion
    /// that which keeps the speed.
    pub fn holding(&self) -> impl ExactSizeIterator<Item = (Coordinate, f64)> {
        let model = self.description();
        self.balance.holding.iter().map(move |&(index, force)| (Coordinate::of(model, index), force))
    }

    /// Computes the derivatives of the state, rows q, v, a and lambda (3n + m), with respect to these parameters, a
    /// column each.
    ///
    /// # Errors
    /// [`VibrationError::OtherModel`]; [`VibrationError::Simulation`] where a held coordinate has an initial value
    /// without derivative.
    pub fn derivatives<M>(&self, parameters: &[Parameter<M>]) -> Result<DMatrix<f64>, VibrationError> {
        parameters.iter().try_for_each(|parameter| parameter.check_model(self.description()))?;
        self.by_parameters(&Parameter::indices(parameters))
    }

    /// Computes the derivatives of the state with respect to the parameters at these positions.
    pub(crate) fn by_parameters(&self, parameters: &[usize]) -> Result<DMatrix<f64>, VibrationError> {
        let held = held_derivatives(&self.place, &self.balance.holding, parameters)?;
        Ok(self.balance.by_parameters(parameters, &held))
    }

    pub(crate) fn place(&self) -> &Place {
        &self.place
    }

    pub(crate) fn balance(&self) -> &Balance {
        &self.balance
    }

    pub(crate) fn vectors(&self) -> &StateVectors<f64> {
        &self.balance.state
    }
}

impl fmt::Display for Equilibrium {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let model = self.description();
        let is_rest = self.balance.motion().is_rest();
        writeln!(f, "{} of {}", if is_rest { "Position of rest" } else { "Steady motion" }, model.name)?;
        let state = &self.balance.state;
        let quantities = model.coordinates.iter().zip(&state.coordinates);
        let width = model.coordinates.iter().chain(model.outputs).map(|of| of.name.len()).max().unwrap_or(0);
        let mut line = |name: &str, value: f64, unit: &str| {
            let unit = if unit == "1" { "" } else { unit };
            writeln!(f, "  {name:width$}  {:>12} {unit}", Shown(value).to_string())
        };
        for (quantity, value) in quantities {
            line(quantity.name, *value, quantity.unit)?;
        }
        for (quantity, value) in model.outputs.iter().zip(self.outputs()) {
            line(quantity.name, value, quantity.unit)?;
        }
        for (coordinate, force) in self.holding() {
            writeln!(f, "  held: `{}`, by a force of {}", coordinate.name(), Shown(force))?;
        }
        match self.is_stable() {
            true if !self.stability_is_known() => {
                write!(f, "  stable or not: slow growth is lost in rounding")
            }
            true => write!(f, "  stable"),
            false => write!(f, "  unstable: a deviation grows as exp({} t)", Shown(self.growth())),
        }
    }
}
