//! A model with its parameters, as a value.

use std::fmt;

use super::{Differentiable, System};
use crate::model::{Description, Model};

/// A model whose type is forgotten, with the values of its parameters.
#[derive(Clone)]
pub struct ModelValue {
    /// The model.
    pub system: &'static dyn Differentiable,
    /// The values of its parameters.
    pub parameters: Vec<f64>,
}

impl ModelValue {
    /// The model with the values of its struct.
    pub fn of<M: Model>(model: &M) -> Self {
        Self { system: M::differentiable(), parameters: model.parameters().as_ref().to_vec() }
    }

    /// Names, units and sizes.
    #[doc(hidden)]
    pub fn description(&self) -> &'static Description {
        self.system.description()
    }

    /// The model's name.
    pub fn name(&self) -> &'static str {
        self.description().name
    }
}

impl fmt::Debug for ModelValue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_values(self.description(), &self.parameters, f)
    }
}

/// A model that is only simulated, with the values of its parameters.
#[derive(Clone)]
pub struct SystemValue {
    /// The model.
    pub system: &'static dyn System,
    /// The values of its parameters.
    pub parameters: Vec<f64>,
}

impl fmt::Debug for SystemValue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_values(self.system.description(), &self.parameters, f)
    }
}

fn write_values(description: &Description, parameters: &[f64], f: &mut fmt::Formatter<'_>) -> fmt::Result {
    let mut model = f.debug_struct(description.name);
    for (quantity, value) in description.parameters.iter().zip(parameters) {
        model.field(quantity.name, value);
    }
    model.finish()
}
