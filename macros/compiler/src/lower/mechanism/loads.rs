//! Forces and torques on bodies as generalized forces.

use super::Mechanism;
use crate::diagnostic::Place;
use crate::lower::geometry::{Body, Frame, Vector, global_map, vector};

impl Mechanism {
    /// Adds a force, in inertial axes, that acts on a body at `lever` from its origin (OB 2.33).
    pub fn add_body_force(&mut self, body: Option<Body>, force: Vector, lever: Vector, place: Place) {
        let Some(this) = body else { return };
        for (i, component) in force.into_iter().enumerate().take(this.dimensions()) {
            self.system.add_force(this.first + i, component, place);
        }
        let moment = vector::cross(self.graph(), lever, force);
        self.add_body_torque(body, moment, place);
    }

    /// Adds a force at a frame.
    pub fn add_frame_force(&mut self, frame: Frame, force: Vector, place: Place) {
        let lever = frame.lever(self.graph());
        self.add_body_force(frame.body, force, lever, place);
    }

    /// Adds a torque in inertial axes: Q = (B G)^T m.
    pub fn add_body_torque(&mut self, body: Option<Body>, torque: Vector, place: Place) {
        let Some(body) = body else { return };
        if !body.spatial {
            self.system.add_force(body.first + 2, torque[2], place);
            return;
        }
        let e = body.euler_parameters(self.graph());
        let map = global_map(self.graph(), e);
        for j in 0..4 {
            let force = vector::dot(self.graph(), map.map(|row| row[j]), torque);
            self.system.add_force(body.first + 3 + j, force, place);
        }
    }
}
