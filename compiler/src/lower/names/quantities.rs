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
    /// Of a connection.
    Coordinate(usize),
    /// Of a parameter or an input, in SI units.
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
    /// Those of a kind that the user names one by one and the code has constants for.
    fn list(&mut self, kind: Kind) -> Option<&mut Vec<Quantity>> {
        match kind {
            Kind::Parameter => Some(&mut self.parameters),
            Kind::Input => Some(&mut self.inputs),
            Kind::Coordinate => Some(&mut self.coordinates),
            Kind::Constraint => Some(&mut self.constraints),
            Kind::Output => Some(&mut self.outputs),
            _ => None,
        }
    }

    /// Adds one of a kind that has a list.
    pub fn add(&mut self, kind: Kind, quantity: Quantity) {
        if let Some(list) = self.list(kind) {
            list.push(quantity);
        }
    }

    /// How many there are of a kind; `None` for what is counted by the spaces of its names.
    pub fn count(&mut self, kind: Kind) -> Option<usize> {
        match kind {
            Kind::Argument => Some(self.arguments.len()),
            Kind::Table => Some(self.tables.len()),
            Kind::Energy => Some(self.energies),
            Kind::Connection | Kind::BoundParameter | Kind::BoundInput => Some(self.bound.len()),
            _ => self.list(kind).map(|list| list.len()),
        }
    }
}
