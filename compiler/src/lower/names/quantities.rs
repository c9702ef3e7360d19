//! What has been declared so far, in the order of declaration.

use super::kind::Kind;
use crate::model::{Argument, ArgumentValue, Quantity, Table};
use crate::symbolic::Id;
use crate::units::Dimension;

/// What a name of a component stands for outside of it.
#[derive(Debug, Clone, Copy)]
pub enum Bound {
    /// Its component stands further below.
    Later,
    /// Its binding has an error, which has been reported.
    Wrong,
    /// What a connection stands for.
    Coordinate(usize),
    /// The value of a parameter or an input, in SI units.
    Value(Id),
}

/// All declared quantities.
#[derive(Debug, Default)]
pub struct Quantities {
    pub arguments: Vec<Argument>,
    /// The value of every structural argument; `None` after an error.
    pub argument_values: Vec<Option<ArgumentValue>>,
    pub parameters: Vec<Quantity>,
    pub inputs: Vec<Quantity>,
    pub coordinates: Vec<Quantity>,
    pub tables: Vec<Table>,
    pub constraints: Vec<Quantity>,
    pub outputs: Vec<Quantity>,
    /// Number of named energies.
    pub energies: usize,
    /// What names of components stand for outside of them.
    pub bound: Vec<Bound>,
    /// What these names are declared with.
    pub bound_units: Vec<Option<Dimension>>,
}

impl Quantities {
    /// Those of a kind that is a number in the model's functions; of others none.
    pub fn of(&self, kind: Kind) -> &[Quantity] {
        match kind {
            Kind::Parameter => &self.parameters,
            Kind::Input => &self.inputs,
            Kind::Coordinate => &self.coordinates,
            Kind::Constraint => &self.constraints,
            Kind::Output => &self.outputs,
            _ => &[],
        }
    }

    /// Adds one of these kinds.
    pub fn add(&mut self, kind: Kind, quantity: Quantity) {
        match kind {
            Kind::Parameter => self.parameters.push(quantity),
            Kind::Input => self.inputs.push(quantity),
            Kind::Coordinate => self.coordinates.push(quantity),
            Kind::Constraint => self.constraints.push(quantity),
            Kind::Output => self.outputs.push(quantity),
            _ => {}
        }
    }

    /// How many there are of a kind that has no names of its own.
    pub fn count(&self, kind: Kind) -> usize {
        match kind {
            Kind::Argument => self.arguments.len(),
            Kind::Table => self.tables.len(),
            Kind::Energy => self.energies,
            Kind::Connection | Kind::BoundParameter | Kind::BoundInput => self.bound.len(),
            _ => self.of(kind).len(),
        }
    }
}
