//! State spaces.

use nalgebra::DMatrix;

use costate_system::equilibrium::{StateMatrix, StateName};

use crate::error::VibrationError;
use crate::linear_model::LinearModel;

/// x' = A x + B u, s = C x + D u: deviations from an equilibrium in independent coordinates, all in the units of the
/// model.
#[derive(Debug, Clone, PartialEq)]
pub struct StateSpace {
    /// A (states x states).
    pub a: DMatrix<f64>,
    /// B (states x inputs).
    pub b: DMatrix<f64>,
    /// C (outputs x states).
    pub c: DMatrix<f64>,
    /// D (outputs x inputs).
    pub d: DMatrix<f64>,
    /// Names and units of the states: coordinates `x`, their rates `dot(x)`, and combinations of coordinates without
    /// mass.
    pub states: Vec<(String, String)>,
    /// Names and units of the inputs.
    pub inputs: Vec<(String, String)>,
    /// Names and units of the outputs.
    pub outputs: Vec<(String, String)>,
}

/// x_(i+1) = A x_i + B u_i, s_i = C x_i + D u_i: a [`StateSpace`] at equidistant times, with inputs that are constant
/// between them.
#[derive(Debug, Clone, PartialEq)]
pub struct DiscreteStateSpace {
    /// The matrices of the steps.
    pub matrices: StateSpace,
    /// The time between two steps in s.
    pub step: f64,
}

impl LinearModel {
    /// Computes the state space from the inputs to the outputs with these positions.
    ///
    /// # Errors
    /// [`VibrationError::Improper`] for an output that follows the rate of change of an input,
    /// [`VibrationError::Equilibrium`] for a motion without mass, damper and spring, [`VibrationError::Reactions`],
    /// [`VibrationError::NoPosition`].
    pub fn state_space(&self, inputs: &[usize], outputs: &[usize]) -> Result<StateSpace, VibrationError> {
        let model = self.description();
        self.check_positions(inputs, outputs)?;
        self.check_reactions(outputs)?;
        let driven = self.driven.select_columns(inputs);
        let system = StateMatrix::of(&self.minimal, &driven, model)?;
        let y = system.positions.clone();
        let velocities = y.derivative(&system);
        let accelerations = velocities.derivative(&system);
        let [position, velocity, acceleration] = [0, 1, 2].map(|order| self.observed[order].select_rows(outputs));
        let observed = y.times(&position).plus(&velocities.times(&velocity)).plus(&accelerations.times(&acceleration));
        for rates in observed.inputs.iter().skip(1) {
            for (row, &output) in outputs.iter().enumerate() {
                for (column, &input) in inputs.iter().enumerate() {
                    if rates[(row, column)] != 0.0 {
                        let (output, input) = (model.outputs[output].name, model.inputs[input].name);
                        return Err(VibrationError::Improper { output, input });
                    }
                }
            }
        }
        let direct = self.direct.select_rows(outputs).select_columns(inputs);
        let d = observed.inputs.first().map_or(direct.clone(), |first| first + &direct);
        let coordinate = |index: usize| model.coordinates.get(index).map_or(("?", "1"), |of| (of.name, of.unit));
        let state = |name: &StateName| match *name {
            StateName::Coordinate(index) => {
                let (name, unit) = coordinate(index);
                (name.to_owned(), unit.to_owned())
            }
            StateName::Velocity(index) => {
                let (name, unit) = coordinate(index);
                let unit = if unit == "1" { "1/s".to_owned() } else { format!("{unit}/s") };
                (format!("dot({name})"), unit)
            }
            StateName::Combination(index) => (format!("combination with {}", coordinate(index).0), "1".to_owned()),
        };
        let named = |quantity: &costate_contract::Quantity| (quantity.name.to_owned(), quantity.unit.to_owned());
        Ok(StateSpace {
            states: system.names.iter().map(state).collect(),
            inputs: inputs.iter().map(|&input| named(&model.inputs[input])).collect(),
            outputs: outputs.iter().map(|&output| named(&model.outputs[output])).collect(),
            a: system.a,
            b: system.b,
            c: observed.states,
            d,
        })
    }
}

impl StateSpace {
    /// Computes the matrices of steps of this length in s, exact for inputs that are constant during a step.
    ///
    /// # Errors
    /// [`VibrationError::Setting`] for a step that is not positive.
    pub fn discrete(&self, step: f64) -> Result<DiscreteStateSpace, VibrationError> {
        if !(step > 0.0 && step.is_finite()) {
            return Err(VibrationError::Setting { setting: "the step", value: step, limit: "positive" });
        }
        let (states, inputs) = self.b.shape();
        // exp([A B; 0 0] h) has both matrices
        let mut generator = DMatrix::zeros(states + inputs, states + inputs);
        generator.view_mut((0, 0), (states, states)).copy_from(&(&self.a * step));
        generator.view_mut((0, states), (states, inputs)).copy_from(&(&self.b * step));
        let all = generator.exp();
        let matrices = Self {
            a: all.view((0, 0), (states, states)).into_owned(),
            b: all.view((0, states), (states, inputs)).into_owned(),
            ..self.clone()
        };
        Ok(DiscreteStateSpace { matrices, step })
    }
}
