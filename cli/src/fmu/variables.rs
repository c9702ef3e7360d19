//! The variables of an FMU: names, units, start values and value references.

use costate::command::IndependentMotion;
use costate::command::units::{Dimension, Scale};
use costate_compiler::{Compiled, Quantity};
use serde_json::{Value, json};

/// A variable. Value references follow one another, from 0 for the time.
#[derive(Debug)]
pub struct Variable {
    /// Name, which no other variable has.
    pub name: String,
    /// Documentation.
    pub description: String,
    /// Unit.
    pub unit: Unit,
    /// Kind.
    pub kind: Kind,
    /// Value at the start; `None` for what is computed.
    pub start: Option<f64>,
}

/// The kind of a variable.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// Time.
    Time,
    /// A parameter.
    Parameter,
    /// An input.
    Input,
    /// An output.
    Output,
    /// A state.
    State,
    /// The derivative of the state with this number.
    Derivative(usize),
}

/// A unit with its meaning in SI.
#[derive(Debug, Clone, PartialEq)]
pub struct Unit {
    /// Text of the unit; `1` for numbers.
    pub name: String,
    /// Exponents of the base units; `None` if they are not known.
    pub dimension: Option<Dimension>,
    /// Factor to SI.
    pub scale: Scale,
    /// The exponent of rad, where the text says it.
    pub angles: i32,
}

impl Unit {
    fn of(quantity: &Quantity) -> Self {
        let name = if quantity.unit.is_empty() { "1".to_owned() } else { quantity.unit.clone() };
        let angles = i32::from(name == "rad" || name.starts_with("rad/"));
        Self { name, dimension: quantity.dimension(), scale: quantity.scale(), angles }
    }

    /// Returns the unit of a derivative by time of this order.
    fn per_time(&self, order: i32) -> Self {
        let time = if order == 1 { "s".to_owned() } else { format!("s^{order}") };
        let mut dimension = self.dimension;
        for _ in 0..order {
            dimension = dimension.and_then(|dimension| dimension.over(Dimension::TIME));
        }
        Self { name: format!("{}/{time}", self.name), dimension, ..self.clone() }
    }
}

/// The variables of an FMU.
#[derive(Debug)]
pub struct Variables {
    /// All variables; the place is the value reference.
    pub all: Vec<Variable>,
    /// The first value references of parameters, inputs, outputs, states and derivatives.
    first: [usize; 5],
}

impl Variables {
    /// Lists the variables of a model with these values of its parameters and, in a model with Model Exchange, these
    /// states at the start.
    pub fn of(compiled: &Compiled, parameters: &[f64], motion: Option<(&IndependentMotion, &[f64])>) -> Self {
        let model = &compiled.model;
        let second = Unit { name: "s".to_owned(), dimension: Some(Dimension::TIME), scale: Scale::ONE, angles: 0 };
        let mut own = Self { all: Vec::new(), first: [0; 5] };
        own.add("time", "Time", second, Kind::Time, None);
        own.first[0] = own.all.len();
        for (quantity, &value) in model.parameters.iter().zip(parameters) {
            own.quantity(quantity, Kind::Parameter, Some(value));
        }
        own.first[1] = own.all.len();
        model.inputs.iter().for_each(|quantity| own.quantity(quantity, Kind::Input, Some(0.0)));
        own.first[2] = own.all.len();
        model.outputs.iter().for_each(|quantity| own.quantity(quantity, Kind::Output, None));
        own.first[3] = own.all.len();
        own.first[4] = own.all.len();
        let Some((motion, start)) = motion else { return own };
        let position = |index: &usize| (&model.coordinates[*index], 0);
        let velocity = |index: &usize| (&model.coordinates[*index], 1);
        let states: Vec<_> =
            motion.positions().iter().map(position).chain(motion.velocities().iter().map(velocity)).collect();
        for (&(coordinate, order), &value) in states.iter().zip(start) {
            let (name, unit) = (&coordinate.name, Unit::of(coordinate));
            match order {
                0 => own.add(name, &coordinate.documentation, unit, Kind::State, Some(value)),
                _ => own.add(&format!("dot({name})"), "Velocity", unit.per_time(1), Kind::State, Some(value)),
            }
        }
        own.first[4] = own.all.len();
        for (number, &(coordinate, order)) in states.iter().enumerate() {
            let (name, unit) = (&coordinate.name, Unit::of(coordinate).per_time(order + 1));
            let (name, description) = match order {
                0 => (format!("der({name})"), "Derivative of the position"),
                _ => (format!("ddot({name})"), "Acceleration"),
            };
            own.add(&name, description, unit, Kind::Derivative(number), None);
        }
        own
    }

    fn quantity(&mut self, quantity: &Quantity, kind: Kind, start: Option<f64>) {
        self.add(&quantity.name, &quantity.documentation, Unit::of(quantity), kind, start);
    }

    /// Adds a variable under a name that is free.
    fn add(&mut self, name: &str, description: &str, unit: Unit, kind: Kind, start: Option<f64>) {
        let mut name = name.to_owned();
        while self.all.iter().any(|other| other.name == name) {
            name.push('_');
        }
        self.all.push(Variable { name, description: description.trim().to_owned(), unit, kind, start });
    }

    /// Returns the first value references as the library reads them.
    pub fn references(&self) -> Value {
        let [parameters, inputs, outputs, states, derivatives] = self.first;
        json!({
            "parameters": parameters, "inputs": inputs, "outputs": outputs,
            "states": states, "derivatives": derivatives,
        })
    }

    /// Returns the value reference of the column of a Jacobian: states, inputs, then parameters.
    pub fn known(&self, column: usize) -> usize {
        let [parameters, inputs, outputs, states, derivatives] = self.first;
        let (states_count, inputs_count) = (derivatives - states, outputs - inputs);
        if column < states_count {
            states + column
        } else if column < states_count + inputs_count {
            inputs + column - states_count
        } else {
            parameters + column - states_count - inputs_count
        }
    }

    /// Returns the row of a Jacobian for an output or a derivative: derivatives, then outputs.
    pub fn row(&self, reference: usize) -> usize {
        let [_, _, outputs, states, derivatives] = self.first;
        match reference.checked_sub(derivatives) {
            Some(row) => row,
            None => derivatives - states + reference.saturating_sub(outputs),
        }
    }
}
