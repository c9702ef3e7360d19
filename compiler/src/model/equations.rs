//! The other blocks of equations: forces, constraints, outputs and initial values.

use super::context::Context;
use super::lower::Lowering;
use super::names::Kind;
use crate::diagnostic::Place;
use crate::dimension::Measured;
use crate::symbolic::Id;
use crate::syntax::ast::{ConstraintSyntax, ForceSyntax, InitialSyntax, OutputSyntax};

impl Lowering<'_> {
    pub(super) fn lower_force(&mut self, entry: &ForceSyntax) {
        let coordinate = self.coordinate(&entry.coordinate);
        let value = self.measured(&entry.value, Context::Force);
        let (Some(i), Some(Measured { id: value, unit })) = (coordinate, value) else { return };
        self.check_force(i, unit, &entry.value);
        self.add_force(i, value, entry.value.place);
    }

    /// Adds to the generalized force in the direction of a coordinate.
    pub(super) fn add_force(&mut self, coordinate: usize, value: Id, place: Place) {
        let sum = self.graph.add(self.model.force[coordinate], value);
        if let Some(sum) = self.bounded(sum, place) {
            self.model.force[coordinate] = sum;
        }
    }

    pub(super) fn lower_constraint(&mut self, entry: &ConstraintSyntax) {
        let Some(value) = self.measured(&entry.value, Context::Constraint) else { return };
        let Some(id) = self.bounded(value.id, entry.value.place) else { return };
        if let Some(i) = self.declared_position(&entry.name, Kind::Constraint) {
            self.model.constraint[i] = id;
            self.model.constraints[i].dimension = value.unit.known();
        }
    }

    pub(super) fn lower_output(&mut self, entry: &OutputSyntax) {
        let unit = entry.unit.dimension;
        let what = format!("the output `{}`", entry.name.ident);
        let Some(value) = self.value_in(&entry.value, Context::Output, unit, &what) else { return };
        if let Some(i) = self.declared_position(&entry.name, Kind::Output) {
            self.model.output[i] = self.in_declared_unit(value, entry.unit.scale);
        }
    }

    pub(super) fn lower_initial(&mut self, entry: &InitialSyntax) {
        if self.initial_of_body(entry) {
            return;
        }
        let coordinate = self.own_coordinate(&entry.coordinate);
        let value = self.measured(&entry.value, Context::Initial);
        let (Some(i), Some(Measured { id: value, unit })) = (coordinate, value) else { return };
        self.check_initial(i, entry.velocity, unit, &entry.value);
        let values = match entry {
            InitialSyntax { near: true, .. } => &mut self.model.near_coordinates,
            InitialSyntax { velocity: true, .. } => &mut self.model.initial_velocities,
            _ => &mut self.model.initial_coordinates,
        };
        let mut twice = values[i].replace(value).is_some();
        twice |= self.model.near_coordinates[i].is_some() && self.model.initial_coordinates[i].is_some();
        if twice {
            let name = &self.model.coordinates[i].name;
            let what = if entry.velocity { format!("dot({name})") } else { name.clone() };
            self.error_at(
                entry.coordinate.place,
                format!("the initial value of `{what}` is given twice; keep one of them"),
            );
        }
    }
}
