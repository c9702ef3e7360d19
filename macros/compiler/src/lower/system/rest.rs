//! Models that begin at rest in equilibrium.

use super::System;
use crate::diagnostic::Place;
use crate::syntax::ast::NameSyntax;

impl System {
    pub fn lower_equilibrium(&mut self, place: Place) {
        if self.expressions.names.table.entered() != 0 {
            let message = "an equilibrium is that of the whole model; write `equilibrium` in an `initial` block of \
                 the model, \
                           outside of components";
            self.error(place, message);
        } else if self.equilibrium.replace(place).is_some() {
            self.error(place, "`equilibrium` is written twice; keep one of them");
        }
    }

    pub fn lower_held(&mut self, name: &NameSyntax) {
        if let Some((coordinate, _)) = self.expressions.own_coordinate(name) {
            self.held.push((coordinate, name.place));
        }
    }

    /// Gives held coordinates their values, and refuses velocities that are not zero, once all initial values are
    /// settled.
    pub fn finish_rest(&mut self) {
        for (i, place) in std::mem::take(&mut self.held) {
            if self.equilibrium.is_none() {
                let name = self.coordinate_name(i);
                let message = format!(
                    "`held` keeps a coordinate beside `equilibrium`; write `equilibrium` too, or `{name} = ...` for a \
                         value that \
                     `{name}` has at the start"
                );
                self.error(place, message);
            } else if self.initial_coordinates[i].is_some() {
                let name = self.coordinate_name(i);
                let message =
                    format!("`{name}` is kept twice, by a value with `=` or by another `held`; keep one of them");
                self.error(place, message);
            } else {
                let near = self.near_coordinates[i].take();
                self.initial_coordinates[i] = near.or(Some(self.expressions.graph.zero()));
            }
        }
        if self.equilibrium.is_some() {
            self.refuse_velocities();
        }
    }

    /// Reports the velocities that are not zero.
    fn refuse_velocities(&mut self) {
        let mut refused: Option<Place> = None;
        for i in 0..self.initial_velocities.len() {
            let moves = self.initial_velocities[i].is_some_and(|value| !self.expressions.graph.is_zero(value));
            let Some(place) = self.initial_sources.get(&(i, true, false)).copied().filter(|_| moves) else {
                continue;
            };
            // one message for the velocity of a body
            if refused.replace(place).is_some_and(|last| last.first.start() == place.first.start()) {
                continue;
            }
            let name = self.coordinate_name(i);
            let message = format!(
                "`{name}` begins at rest, since the model begins in `equilibrium`; remove this velocity, or remove \
                     `equilibrium`"
            );
            self.error(place, message);
        }
    }
}
