//! Signs of what a component that is mirrored reads and writes: its text describes the reflected world.

use super::Expressions;
use crate::lower::geometry::{Sense, Vector};
use crate::symbolic::Id;
use crate::syntax::ast::NameSyntax;

impl Expressions {
    /// Converts a polar vector to or from the world that the text describes.
    pub fn polar(&mut self, vector: Vector) -> Vector {
        self.reflection.polar(&mut self.graph, vector)
    }

    /// Converts an axial vector to or from the world that the text describes.
    pub fn axial(&mut self, vector: Vector) -> Vector {
        self.reflection.axial(&mut self.graph, vector)
    }

    /// Converts a number to or from the world that the text describes.
    pub fn sensed(&mut self, number: Id, sense: Sense) -> Id {
        self.reflection.number(&mut self.graph, number, sense)
    }

    /// Checks whether a coordinate has the opposite sign in the world that the text describes.
    pub fn changes_coordinate(&self, coordinate: usize) -> bool {
        !self.reflection.is_none() && self.reflection.changes(self.parts.sense_of_coordinate(coordinate))
    }

    /// Returns the position of the coordinate of a mass or a force, with `true` if its sign is changed.
    pub fn coordinate(&mut self, name: &NameSyntax) -> Option<(usize, bool)> {
        let (position, changes) = self.names.coordinate(name)?;
        Some((position, changes.unwrap_or_else(|| self.changes_coordinate(position))))
    }

    /// Returns the position of a coordinate whose initial value is given, with `true` if its sign is changed.
    pub fn own_coordinate(&mut self, name: &NameSyntax) -> Option<(usize, bool)> {
        let (position, changes) = self.names.own_coordinate(name)?;
        Some((position, changes.unwrap_or_else(|| self.changes_coordinate(position))))
    }
}
