//! Initial values of whole bodies: places, position, velocity, orientation and angular velocity.

use syn::ext::IdentExt;

use super::Mechanism;
use crate::diagnostic::Place;
use crate::dimension::DerivedUnit;
use crate::lower::expressions::Context;
use crate::lower::geometry::{euler, global_map, local_map, vector};
use crate::lower::names::Kind;
use crate::symbolic::Id;
use crate::syntax::ast::{BinaryOperator, Expr, ExprKind, InitialSyntax};

/// The initial quantities of a whole body.
const WHOLE: [&str; 5] = ["position", "velocity", "orientation", "angular_velocity", "local_angular_velocity"];

impl Mechanism {
    /// Sets an initial quantity of a whole body; returns `false` if the entry is not about one.
    pub fn initial_of_body(&mut self, entry: &InitialSyntax) -> bool {
        if let Some(placed) = self.placed_body(entry) {
            return placed;
        }
        let Some(last) = entry.coordinate.members.last() else { return false };
        let word = last.ident.unraw().to_string();
        if !WHOLE.contains(&word.as_str()) || last.index.is_some() {
            return false;
        }
        let mut owner = entry.coordinate.clone();
        owner.members.pop();
        // without a message: a name that is not a body is reported where coordinates are read
        let Some((kind, space)) = self.names().body_space(&owner) else { return false };
        if kind == Kind::BodyConnection {
            let name = self.names().written(&owner);
            let message = format!(
                "`{name}` is a connection; write the initial value outside of the component, for the body that it is \
                 bound to"
            );
            self.error(entry.coordinate.place, message);
            return true;
        }
        let parts = &self.system.expressions.parts;
        let Some(&position) = parts.by_space.get(&space) else { return false };
        if word == "orientation" {
            self.bodies[position].oriented = true;
        }
        if entry.velocity {
            let rate = if word == "orientation" { "angular_velocity" } else { "velocity" };
            let message = format!("a rate of a whole body has a name of its own; write `{rate} = ...`");
            self.error(entry.coordinate.place, message);
            return true;
        }
        self.set_initial(entry, position, &word);
        true
    }

    /// Places a body at a frame, `rod = cart.at(0, 1[m])`; `None` if the entry does not name a body and a frame.
    fn placed_body(&mut self, entry: &InitialSyntax) -> Option<bool> {
        let (Kind::Body, space) = self.names().body_space(&entry.coordinate)? else { return None };
        if !self.expressions().is_frame(&entry.value) {
            return None;
        }
        let position = *self.system.expressions.parts.by_space.get(&space)?;
        let place = entry.coordinate.place;
        if entry.velocity {
            let message = "a body is placed without `dot`; write e.g. `rod.velocity = cart.velocity` for its velocity";
            self.error(place, message);
            return Some(true);
        }
        let body = self.body(position);
        self.bodies[position].oriented = true;
        if let Some(frame) = self.expressions().frame(&entry.value, body.spatial) {
            let graph = self.graph();
            let mut values = frame.position(graph)[..body.dimensions()].to_vec();
            if body.spatial {
                values.extend(frame.euler_parameters(graph));
            } else {
                values.push(frame.plane_angle(graph));
            }
            self.set_values(&values, body.first, false, entry.near, place);
        }
        Some(true)
    }

    fn set_initial(&mut self, entry: &InitialSyntax, position: usize, word: &str) -> Option<()> {
        let place = entry.coordinate.place;
        if entry.near && word != "position" && word != "orientation" {
            let message = "only positions are searched for, near a value; write `=`";
            return self.refuse(place, message);
        }
        let body = self.body(position);
        let (value, what) = (&entry.value, format!("this {}", word.replace('_', " ")));
        match word {
            "position" | "velocity" => {
                let is_velocity = word == "velocity";
                let unit = if is_velocity { DerivedUnit::VELOCITY } else { DerivedUnit::LENGTH };
                let values = self.expressions().vector(value, body.spatial, Context::Initial, unit, &what)?;
                let values = self.expressions().polar(values);
                self.set_values(&values[..body.dimensions()], body.first, is_velocity, entry.near, place);
            }
            _ if !body.spatial => {
                let message = "a planar body has an angle; write `angle = ...` or `dot(rod.angle) = ...`";
                self.error(place, message);
            }
            "orientation" => {
                let values = self.rotation_value(&entry.value)?;
                self.set_values(&values, body.first + 3, false, entry.near, place);
            }
            _ => self.set_angular_velocity(entry, position, word == "local_angular_velocity")?,
        }
        Some(())
    }

    fn set_values(&mut self, values: &[Id], first: usize, velocity: bool, near: bool, place: Place) {
        let system = &mut self.system;
        let target = match (velocity, near) {
            (true, _) => &mut system.initial_velocities,
            (_, true) => &mut system.near_coordinates,
            _ => &mut system.initial_coordinates,
        };
        let mut twice = false;
        for (i, value) in values.iter().enumerate() {
            twice |= target[first + i].replace(*value).is_some();
            system.initial_sources.insert((first + i, velocity, near), place);
        }
        if twice {
            self.error(place, "this initial value is given twice; keep one of them");
        }
    }

    /// Sets e' = (B G)^T omega/4, or G^T W/4 with W in the axes of the body.
    fn set_angular_velocity(&mut self, entry: &InitialSyntax, position: usize, local: bool) -> Option<()> {
        let (unit, what) = (DerivedUnit::ANGULAR_VELOCITY, "this angular velocity");
        let first = self.body(position).first + 3;
        let omega = self.expressions().vector(&entry.value, true, Context::Initial, unit, what)?;
        let omega = self.expressions().axial(omega);
        let e = [0, 1, 2, 3].map(|i| self.system.initial_coordinates[first + i]);
        let [Some(e0), Some(e1), Some(e2), Some(e3)] = e else {
            // An orientation given above has a mistake that has been reported.
            if !self.bodies[position].oriented {
                let message = "the rates of the Euler parameters depend on the orientation; give it above, e.g. \
                               `orientation = rotation((0, 0, 1), 0)`";
                self.error(entry.coordinate.place, message);
            }
            return None;
        };
        let graph = self.graph();
        let e = [e0, e1, e2, e3];
        let map = if local { local_map(graph, e) } else { global_map(graph, e) };
        let quarter = graph.constant(0.25);
        let rates = [0, 1, 2, 3].map(|j| {
            let sum = vector::dot(graph, map.map(|row| row[j]), omega);
            graph.multiply(quarter, sum)
        });
        self.set_values(&rates, first, true, false, entry.coordinate.place);
        Some(())
    }

    /// Evaluates the Euler parameters of `rotation(axis, angle)` (OB 2.21), and of products of such rotations.
    fn rotation_value(&mut self, expr: &Expr) -> Option<[Id; 4]> {
        match &expr.kind {
            ExprKind::Binary(BinaryOperator::Multiply, left, right) => {
                let (left, right) = (self.rotation_value(left), self.rotation_value(right));
                let (left, right) = (left?, right?);
                Some(euler::product(self.graph(), left, right))
            }
            ExprKind::Call { function, arguments } if function == "rotation" => {
                let [axis, angle] = &**arguments else { return self.no_rotation(expr) };
                let what = "the angle of a rotation";
                let angle = self.expressions().derived_value(angle, Context::Initial, DerivedUnit::NUMBER, what);
                let axis = self.expressions().direction(axis, true);
                let (axis, angle) = (axis?, angle?);
                let axis = self.expressions().reflection.axial_numbers(axis);
                Some(euler::rotation(self.graph(), axis, angle))
            }
            _ => self.no_rotation(expr),
        }
    }

    fn no_rotation(&mut self, expr: &Expr) -> Option<[Id; 4]> {
        let message = "expected a rotation; write e.g. `rotation((0, 0, 1), 30[deg])`, or a product of rotations";
        self.refuse(expr.place, message)
    }
}
