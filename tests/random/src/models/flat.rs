//! A model that is written out: no loops, no components, no `let`s, every name resolved.

use crate::models::tree::{Expr, InitialKind, Table};
use crate::models::units::Unit;

/// A quantity of a written-out model, by its position.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Symbol {
    /// p, in its declared unit.
    Parameter(usize),
    /// u, in its declared unit.
    Input(usize),
    /// q
    Coordinate(usize),
    /// A constraint.
    Constraint(usize),
}

/// An expression of a written-out model.
pub type Value = Expr<Symbol>;

/// A declared quantity.
#[derive(Debug, Clone)]
pub struct Quantity {
    /// Full name with indices and path, `cylinder[2].x`.
    pub name: String,
    /// Unit of the quantity.
    pub unit: Unit,
    /// Default value; `None` for quantities other than parameters.
    pub default: Option<f64>,
}

/// Kind of a term that is added up.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum Sum {
    Mass,
    Forces,
    Kinetic,
    Potential,
    Dissipation,
}

/// A written-out model.
#[derive(Debug, Clone, Default)]
pub struct Flat {
    /// p
    pub parameters: Vec<Quantity>,
    /// u
    pub inputs: Vec<Quantity>,
    /// q
    pub coordinates: Vec<Quantity>,
    /// The tables.
    pub tables: Vec<Table>,
    /// Names and values of C.
    pub constraints: Vec<(String, Option<Value>)>,
    /// Names, units and values of s.
    pub outputs: Vec<(String, Unit, Value)>,
    /// Order in which masses, forces and energies are added up.
    pub order: Vec<Sum>,
    /// Entries of the mass matrix; off the diagonal they count for both triangles.
    pub mass: Vec<(usize, usize, Value)>,
    /// Generalized forces.
    pub forces: Vec<(usize, Value)>,
    /// Forces and the displacements that they do work on.
    pub work: Vec<(Value, Value)>,
    /// T
    pub kinetic: Vec<Value>,
    /// V
    pub potential: Vec<Value>,
    /// D
    pub dissipation: Vec<Value>,
    /// Initial values.
    pub initial: Vec<(usize, InitialKind, Value)>,
}

impl Flat {
    /// Counts the operations and names in all expressions.
    pub fn size(&self) -> usize {
        let constraints = self.constraints.iter().filter_map(|(_, value)| value.as_ref());
        let lists = [&self.kinetic, &self.potential, &self.dissipation].into_iter().flatten();
        let forces = self.forces.iter().map(|(_, value)| value).chain(self.mass.iter().map(|(.., value)| value));
        let outputs = self.outputs.iter().map(|(.., value)| value);
        constraints.chain(lists).chain(forces).chain(outputs).map(crate::models::walk::size).sum()
    }
}
