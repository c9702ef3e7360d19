//! The equations of the model in the making: masses, forces, constraints, outputs and initial values.

mod energies;
mod equations;
mod initial;
mod mass;
mod rest;

use std::collections::BTreeMap;

use super::expressions::Expressions;
use crate::diagnostic::Place;
use crate::limits::{Limit, MAX_MATRIX_ENTRIES};
use crate::model::WrittenDefault;
use crate::symbolic::Id;
use crate::units::Dimension;

/// The equations of a model while it is read.
#[derive(Default)]
pub struct System {
    pub expressions: Expressions,
    /// Upper triangle of M, structural nonzeros only, once everything has been read.
    pub mass: BTreeMap<(usize, usize), Id>,
    /// The places of the coordinates' masses in the text, the last mention of each.
    pub mass_places: BTreeMap<usize, Place>,
    pub force: Vec<Id>,
    pub constraint: Vec<Id>,
    pub output: Vec<Id>,
    pub initial_coordinates: Vec<Option<Id>>,
    pub near_coordinates: Vec<Option<Id>>,
    pub initial_velocities: Vec<Option<Id>>,
    /// The initial values of single coordinates and, with `true`, of single velocities, as they are written.
    pub initial_places: BTreeMap<(usize, bool), WrittenDefault>,
    /// The places of initial values, by coordinate; with `true` of a velocity, and of what stands after `~`.
    pub initial_sources: BTreeMap<(usize, bool, bool), Place>,
    /// The place of `equilibrium`, if the motion begins at rest.
    pub equilibrium: Option<Place>,
    /// The coordinates that keep the values near which others are sought, with their places.
    pub held: Vec<(usize, Place)>,
    /// The kinetic energies.
    kinetic: Vec<(Id, Place)>,
    /// Every entry of the mass matrix as written, with the place of its last mention.
    written: BTreeMap<(usize, usize), (Id, Place)>,
    /// The upper triangle of what energies and bodies add to the mass matrix.
    derived: BTreeMap<(usize, usize), Id>,
}

impl System {
    /// Makes room for the equations, once all quantities are declared.
    pub fn make_room(&mut self) {
        let zero = self.expressions.graph.zero();
        let quantities = &self.expressions.names.quantities;
        let coordinates = quantities.coordinates.len();
        self.force = vec![zero; coordinates];
        self.constraint = vec![zero; quantities.constraints.len()];
        self.output = vec![zero; quantities.outputs.len()];
        for values in [&mut self.initial_coordinates, &mut self.near_coordinates, &mut self.initial_velocities] {
            *values = vec![None; coordinates];
        }
    }

    /// Reports a mistake.
    pub fn error(&mut self, place: impl Into<Place>, message: impl Into<String>) {
        self.expressions.error(place, message);
    }

    /// Adds to the generalized force in the direction of a coordinate.
    pub fn add_force(&mut self, coordinate: usize, value: Id, place: Place) {
        let sum = self.expressions.graph.add(self.force[coordinate], value);
        if let Some(sum) = self.expressions.bounded(sum, place) {
            self.force[coordinate] = sum;
        }
    }

    /// Adds to an entry of the mass matrix, and to the one that mirrors it, what energies and bodies give.
    pub fn add_mass(&mut self, row: usize, column: usize, value: Id, place: Place) {
        let entry = (row.min(column), row.max(column));
        let zero = self.expressions.graph.zero();
        let sum = self.derived.get(&entry).copied().unwrap_or(zero);
        let sum = self.expressions.graph.add(sum, value);
        self.bound_mass();
        if let Some(sum) = self.expressions.bounded(sum, place) {
            self.derived.insert(entry, sum);
        }
    }

    /// Notes where the mass matrix has too many entries.
    fn bound_mass(&mut self) {
        if self.written.len().max(self.derived.len()) > MAX_MATRIX_ENTRIES {
            self.expressions.graph.pass(Limit::Entries);
        }
    }

    fn coordinate_unit(&self, i: usize) -> Option<Dimension> {
        self.expressions.names.quantities.coordinates.get(i).and_then(|coordinate| coordinate.dimension)
    }

    fn coordinate_name(&self, i: usize) -> &str {
        self.expressions.names.quantities.coordinates.get(i).map_or("", |coordinate| coordinate.name.as_str())
    }
}
