//! The constraints of joints between two bodies.

use super::Mechanism;
use super::options::{option, option_of};
use crate::dimension::DerivedUnit;
use crate::lower::expressions::Context;
use crate::lower::geometry::{Ends, vector::across};
use crate::lower::kinds::JointKind;
use crate::symbolic::Id;
use crate::syntax::ast::PartSyntax;
use crate::units::Dimension;

/// The expression that a constraint sets to zero, with its unit.
pub struct JointConstraint {
    pub id: Id,
    pub unit: Dimension,
}

/// Creates a constraint in metres.
pub fn length(id: Id) -> JointConstraint {
    JointConstraint { id, unit: Dimension::LENGTH }
}

/// Creates a constraint between angles or cosines.
pub fn number(id: Id) -> JointConstraint {
    JointConstraint { id, unit: Dimension::NONE }
}

impl Mechanism {
    /// Returns the constraints of a joint between planar bodies; `None` after an error.
    pub fn planar_constraints(
        &mut self,
        part: &PartSyntax,
        kind: JointKind,
        ends: Ends,
    ) -> Option<Vec<JointConstraint>> {
        let [x, y, _] = ends.axis;
        let across = [-y, x, 0.0];
        Some(match kind {
            JointKind::Fixed | JointKind::Revolute => {
                let [x, y, _] = ends.gap(self.graph());
                let mut constraints = vec![length(x), length(y), number(ends.planar_turn(self.graph()))];
                // a revolute joint leaves the rotation free
                constraints.truncate(if kind == JointKind::Fixed { 3 } else { 2 });
                constraints
            }
            JointKind::Prismatic | JointKind::PointOnLine => {
                let offset = length(ends.offset(self.graph(), across));
                // a point on a line can rotate freely
                if kind == JointKind::PointOnLine {
                    return Some(vec![offset]);
                }
                vec![offset, number(ends.planar_turn(self.graph()))]
            }
            _ => vec![length(self.distance(part, ends, false)?)],
        })
    }

    /// Returns the constraints of a joint between spatial bodies; `None` after an error.
    pub fn spatial_constraints(
        &mut self,
        part: &PartSyntax,
        kind: JointKind,
        ends: Ends,
    ) -> Option<Vec<JointConstraint>> {
        const AXES: [[f64; 3]; 3] = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
        let n = ends.axis;
        let [u, w] = across(n);
        let mut constraints = Vec::new();
        if matches!(
            kind,
            JointKind::Fixed | JointKind::Revolute | JointKind::Spherical | JointKind::Universal
        ) {
            constraints.extend(ends.gap(self.graph()).map(length));
        }
        if matches!(kind, JointKind::Prismatic | JointKind::Cylindrical | JointKind::PointOnLine) {
            constraints.extend([u, w].map(|across| length(ends.offset(self.graph(), across))));
        }
        if kind == JointKind::Planar {
            constraints.push(length(ends.offset(self.graph(), n)));
        }
        // axes remain perpendicular (OB 2.29)
        if matches!(
            kind,
            JointKind::Revolute | JointKind::Prismatic | JointKind::Cylindrical | JointKind::Planar
        ) {
            constraints.extend([u, w].map(|across| number(ends.cosine(self.graph(), n, across))));
        }
        match kind {
            JointKind::Prismatic => constraints.push(number(ends.cosine(self.graph(), u, w))),
            JointKind::Fixed => {
                let [x, y, z] = AXES;
                constraints
                    .extend([(y, z), (z, x), (x, y)].map(|(a, b)| number(ends.cosine(self.graph(), a, b))));
            }
            JointKind::Universal => {
                let Some(second) = option(part, "second_axis") else {
                    let message =
                        "a `universal` joint has an axis in each frame; write e.g. `second_axis = (0, 1, 0)`";
                    return self.refuse(part.place, message);
                };
                let second = self.expressions().direction(second, true)?;
                constraints.push(number(ends.cosine(self.graph(), n, second)));
            }
            JointKind::Distance => constraints.push(length(self.distance(part, ends, true)?)),
            _ => {}
        }
        Some(constraints)
    }

    /// Returns (d^2 - l^2)/(2 l), whose multiplier is a force where the constraint holds.
    fn distance(&mut self, part: &PartSyntax, ends: Ends, spatial: bool) -> Option<Id> {
        let Some(length) = option(part, "length") else {
            return self.refuse(part.place, "a `distance` joint has a length; write `length = l`");
        };
        let what = option_of(part, "length");
        let place = length.place;
        let length = self.expressions().derived_value(length, Context::Fixed, DerivedUnit::LENGTH, &what)?;
        if self.expressions().values_of(length).is_zero() {
            let instead = if spatial { "spherical" } else { "revolute" };
            self.expressions().refuse_value(
                place,
                format!("a distance that is held is not 0; write a `{instead}` joint for that"),
            );
        }
        let gap = ends.gap(self.graph());
        let graph = self.graph();
        let squares = gap.map(|gap| graph.power_integer(gap, 2));
        let square = graph.sum(squares);
        let wanted = graph.power_integer(length, 2);
        let difference = graph.subtract(square, wanted);
        let two = graph.constant(2.0);
        let twice = graph.multiply(two, length);
        Some(graph.divide(difference, twice))
    }
}
