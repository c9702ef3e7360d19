//! One instance of the model: its values, its mode, and what it has computed.

use std::sync::Arc;

use costate::command::StateVectors;
use costate::model::{Input, Parameter};
use costate::stepper::StepperOf;
use costate_numerics::scalar::array;

use crate::adaptive::{self, Division};
use crate::functions::{self, Functions};
use crate::mode::{Kind, Mode};
use crate::packed::Packed;
use crate::point::{Arguments, Evaluated, Point};
use crate::refusal::Refusal;
use crate::variables::Variable;

/// An instance of the model.
#[derive(Debug)]
pub struct Instance {
    /// The model.
    pub packed: Arc<Packed>,
    /// The interface.
    pub kind: Kind,
    /// The mode.
    pub mode: Mode,
    /// Values that the importer has set.
    pub values: Values,
    /// States and what is evaluated at them; `None` before they are known.
    pub point: Option<Point>,
    /// The steps of Co-Simulation; `None` before the first is prepared.
    pub stepper: Option<StepperOf<Functions>>,
    /// True where the inputs are those of the stepper's state.
    pub inputs_are_stepped: bool,
    /// Number of steps of the last communication step; 0 after changes from outside.
    pub last_steps: u64,
}

/// Values that the importer sets.
#[derive(Debug, Clone, PartialEq)]
pub struct Values {
    /// p.
    pub parameters: Vec<f64>,
    /// u.
    pub inputs: Vec<f64>,
    /// t in s.
    pub time: f64,
    /// The states that were set before the start; others are those of the model.
    pub given: Vec<Option<f64>>,
    /// The parameters and inputs with which the stepper began.
    pub start: [Vec<f64>; 2],
    /// Length of the stepper's steps in s.
    pub length: f64,
    /// The allowed error of adaptive steps; `None` for steps of one length.
    pub tolerance: Option<f64>,
    /// The division of communication steps into adaptive steps.
    pub division: Division,
}

impl Instance {
    /// Creates an instance with the start values.
    pub fn new(packed: Arc<Packed>, kind: Kind) -> Self {
        let values = Values::start(&packed);
        let (mode, point, stepper) = (Mode::Instantiated, None, None);
        Self { packed, kind, mode, values, point, stepper, inputs_are_stepped: true, last_steps: 0 }
    }

    /// Returns to the start values.
    pub fn reset(&mut self) {
        *self = Self::new(Arc::clone(&self.packed), self.kind);
    }

    /// Begins the initialization at this time in s. A tolerance replaces that of the FMU where steps are adaptive.
    pub fn begin(&mut self, start: f64, tolerance: Option<f64>) -> Result<(), Refusal> {
        if self.kind == Kind::CoSimulation && start != 0.0 {
            return Err(Refusal::error(format!("the start is {start} s; runs of costate begin at 0 s")));
        }
        let tolerance = tolerance.map(adaptive::checked).transpose()?;
        self.values.tolerance = self.values.tolerance.map(|own| tolerance.unwrap_or(own));
        self.set_time(start)?;
        self.mode = Mode::Initialization;
        Ok(())
    }

    /// Computes what is needed before values are got: the start, and for Co-Simulation the stepper.
    pub fn prepare(&mut self) -> Result<(), Refusal> {
        if self.point.is_none() && self.packed.motion.is_some() {
            let (near, states) = match (&self.stepper, &self.packed.motion) {
                (Some(stepper), Some(motion)) => {
                    let near = StateVectors::of(stepper.state());
                    let states = motion.state(&near);
                    (near, states)
                }
                _ => {
                    let near = self.start()?;
                    let states = self.start_states(&near);
                    (near, states)
                }
            };
            self.point = Some(Point::new(states, near));
        }
        if self.kind == Kind::CoSimulation && self.stepper.is_none() {
            self.stepper = Some(self.new_stepper()?);
            self.values.start = [self.values.parameters.clone(), self.values.inputs.clone()];
            self.inputs_are_stepped = true;
        }
        Ok(())
    }

    fn start(&self) -> Result<StateVectors<f64>, Refusal> {
        self.packed.start(&self.values.parameters, &self.values.inputs).map_err(Refusal::discard)
    }

    /// Returns the states at the start, where those that were set replace the model's.
    fn start_states(&self, start: &StateVectors<f64>) -> Vec<f64> {
        let mut states = self.packed.motion.as_ref().map_or_else(Vec::new, |motion| motion.state(start));
        let given = states.iter_mut().zip(&self.values.given);
        given.for_each(|(state, given)| *state = given.unwrap_or(*state));
        states
    }

    fn new_stepper(&mut self) -> Result<StepperOf<Functions>, Refusal> {
        let Values { parameters, inputs, .. } = &self.values;
        let simulation = self.packed.simulation(parameters, inputs);
        let problem = simulation.description().problem_of_stepper().map_err(Refusal::discard)?;
        let program = functions::program(self.packed.model);
        let mut stepper = StepperOf::new(program, &problem, array(parameters)).map_err(Refusal::discard)?;
        if self.values.given.iter().any(Option::is_some) {
            self.evaluated()?;
            if let Some(point) = &self.point {
                stepper.set_state(&point.near.typed()).map_err(Refusal::discard)?;
            }
        }
        Ok(stepper)
    }

    /// Evaluates derivatives and outputs by the equations of Model Exchange.
    pub fn evaluated(&mut self) -> Result<&Evaluated, Refusal> {
        let Values { parameters, inputs, time, .. } = &self.values;
        let of = Arguments { time: *time, parameters, inputs };
        let point = self.point.as_mut().ok_or_else(|| Refusal::error("the model has no states"))?;
        point.evaluated(&self.packed, of)
    }

    /// Evaluates the derivatives of the states' derivatives and of the outputs.
    pub fn jacobian(&mut self) -> Result<&nalgebra::DMatrix<f64>, Refusal> {
        self.prepare()?;
        let Values { parameters, inputs, time, .. } = &self.values;
        let of = Arguments { time: *time, parameters, inputs };
        let point = self.point.as_mut().ok_or_else(|| Refusal::error("the model has no states"))?;
        point.jacobian(&self.packed, of)
    }

    /// Returns the value of a variable.
    pub fn value(&mut self, variable: Variable) -> Result<f64, Refusal> {
        match variable {
            Variable::Time => return Ok(self.values.time),
            Variable::Parameter(place) => return Ok(self.values.parameters[place]),
            Variable::Input(place) => return Ok(self.values.inputs[place]),
            _ => self.prepare()?,
        }
        match (variable, &self.stepper) {
            (Variable::Output(place), Some(stepper)) if self.inputs_are_stepped || self.point.is_none() => {
                Ok(stepper.outputs()[place])
            }
            (Variable::Output(place), _) => Ok(self.evaluated()?.outputs[place]),
            (Variable::State(place), _) => Ok(self.point.as_ref().map_or(0.0, |point| point.states[place])),
            _ => {
                let Variable::Derivative(place) = variable else { return Ok(0.0) };
                Ok(self.evaluated()?.derivatives[place])
            }
        }
    }

    /// Sets the value of a variable.
    pub fn set_value(&mut self, variable: Variable, value: f64) -> Result<(), Refusal> {
        let name = |own: &Self| variable.name(&own.packed);
        if !value.is_finite() {
            return Err(Refusal::error(format!("`{}` is set to {value}; values have to be finite", name(self))));
        }
        let at_start = matches!(self.mode, Mode::Instantiated | Mode::Initialization);
        match variable {
            Variable::Parameter(place) => {
                if at_start {
                    self.forget_start();
                } else if let Some(stepper) = &mut self.stepper {
                    let parameter = Parameter::each_of(self.packed.model.description()).nth(place);
                    let parameter = parameter.ok_or_else(|| Refusal::error("the model has no such parameter"))?;
                    stepper.set_parameter(parameter, value).map_err(Refusal::error)?;
                }
                self.values.parameters[place] = value;
                self.last_steps = 0;
            }
            Variable::Input(place) => {
                if at_start {
                    self.forget_start();
                } else if let Some(stepper) = &mut self.stepper {
                    let input = Input::each_of(self.packed.model.description()).nth(place);
                    stepper.set_input(input.ok_or_else(|| Refusal::error("the model has no such input"))?, value);
                    self.inputs_are_stepped &= self.values.inputs[place].to_bits() == value.to_bits();
                }
                self.values.inputs[place] = value;
            }
            Variable::State(place) if at_start => {
                self.values.given[place] = Some(value);
                self.forget_start();
            }
            Variable::State(place) if self.kind == Kind::ModelExchange => {
                if let Some(point) = &mut self.point {
                    point.states[place] = value;
                }
            }
            _ => {
                let name = name(self);
                return Err(Refusal::error(format!(
                    "`{name}` cannot be set here; set parameters, inputs, and before the start states"
                )));
            }
        }
        if let Some(point) = &mut self.point {
            point.forget();
        }
        Ok(())
    }

    /// Forgets the start, since values that it depends on have changed.
    fn forget_start(&mut self) {
        (self.point, self.stepper) = (None, None);
        self.values.division = Division::default();
    }

    /// Sets the time in s.
    pub fn set_time(&mut self, time: f64) -> Result<(), Refusal> {
        if !time.is_finite() {
            return Err(Refusal::error(format!("the time is set to {time}; it has to be finite")));
        }
        self.values.time = time;
        if let Some(point) = &mut self.point {
            point.forget();
        }
        Ok(())
    }
}

impl Values {
    fn start(packed: &Packed) -> Self {
        let parameters = packed.settings.parameters.clone();
        let inputs = vec![0.0; packed.model.description().inputs.len()];
        Self {
            start: [parameters.clone(), inputs.clone()],
            parameters,
            inputs,
            time: 0.0,
            given: vec![None; packed.motion.as_ref().map_or(0, |motion| motion.states())],
            length: packed.settings.step,
            tolerance: packed.settings.tolerance,
            division: Division::default(),
        }
    }
}
