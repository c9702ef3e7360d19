//! Quantities declared so far, in the order of declaration.

use super::kind::Kind;
use crate::model::{Argument, ArgumentValue, Quantity, Table};
use crate::symbolic::Id;
use crate::units::Dimension;

/// The binding of a name of a component to something outside of it.
#[derive(Debug, Clone, Copy)]
pub enum Bound {
    /// The component is used further below, so that the binding is not known yet.
    Later,
    /// The binding has an error, which has been reported.
    Wrong,
    /// The coordinate of a connection, with `true` if its sign is changed in the component.
    Coordinate(usize, bool),
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
    /// Bindings of the names of components.
    pub bound: Vec<Bound>,
    /// Declared units of these names.
    pub bound_units: Vec<Option<Dimension>>,
}

impl Quantities {
    /// Returns the quantities of a kind that occurs as numbers in the model's functions; none for other kinds.
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

    /// Adds a quantity of one of these kinds.
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

    /// Counts the quantities of a kind without spaces of names.
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
