//! Gravity, and the completion of bodies after all blocks have been read.

use super::Mechanism;
use crate::dimension::DerivedUnit;
use crate::lower::expressions::Context;
use crate::lower::geometry::vector;
use crate::lower::system::System;
use crate::syntax::ast::GravitySyntax;

impl Mechanism {
    pub fn lower_gravity(&mut self, gravity: &GravitySyntax) {
        let place = gravity.value.place;
        if self.gravity.is_some() {
            self.error(place, "gravity is given twice; keep one of them");
            return;
        }
        if self.expressions().parts.bodies.is_empty() {
            if !self.names().report.incomplete {
                self.error(place, "gravity acts on bodies, and the model has none; write it into `forces`");
            }
            return;
        }
        let spatial = self.expressions().parts.bodies.iter().any(|body| body.spatial);
        let (value, unit) = (&gravity.value, DerivedUnit::ACCELERATION);
        let Some(value) = self.expressions().vector(value, spatial, Context::Force, unit, "gravity") else {
            return;
        };
        self.gravity = Some((value, place));
        self.expressions().totals.gravity = Some(value);
    }

    /// Completes the bodies after all blocks have been read.
    pub fn finish_bodies(&mut self) {
        // Orientations without initial values are sought near the identity.
        let System { expressions, initial_coordinates, near_coordinates, .. } = &mut self.system;
        for body in expressions.parts.bodies.iter().filter(|body| body.spatial) {
            let e0 = body.first + 3;
            let one = expressions.graph.constant(1.0);
            if initial_coordinates[e0].is_none() {
                near_coordinates[e0].get_or_insert(one);
            }
        }
        self.add_weights();
    }

    /// Adds the weights, which act at the centres of mass.
    fn add_weights(&mut self) {
        let Some((gravity, place)) = self.gravity else { return };
        for position in 0..self.bodies.len() {
            let Some((mass, center)) = self.bodies[position].inertia else { continue };
            let body = self.body(position);
            let weight = vector::scale(self.graph(), mass, gravity);
            let arm = body.lever(self.graph(), center);
            self.add_body_force(Some(body), weight, arm, place);
        }
    }
}
