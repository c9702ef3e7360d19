//! The constraints of joints between two bodies.

use super::Mechanism;
use super::options::{option, option_of};
use crate::dimension::DerivedUnit;
use crate::lower::expressions::Context;
use crate::lower::geometry::{
    Ends, Sense,
    vector::{across, behind_largest},
};
use crate::lower::kinds::JointKind;
use crate::symbolic::Id;
use crate::syntax::ast::PartSyntax;
use crate::units::Dimension;

/// The expression that a constraint sets to zero, with its unit.
pub struct JointConstraint {
    pub id: Id,
    pub unit: Dimension,
    /// The rule by which the sign of the expression changes in a mirror image.
    pub sense: Sense,
}

/// Creates a constraint in metres.
pub fn length(id: Id, sense: Sense) -> JointConstraint {
    JointConstraint { id, unit: Dimension::LENGTH, sense }
}

/// Creates a constraint between angles or cosines.
pub fn number(id: Id, sense: Sense) -> JointConstraint {
    JointConstraint { id, unit: Dimension::NONE, sense }
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
        let turn = Sense::axial(2);
        Some(match kind {
            JointKind::Fixed | JointKind::Revolute => {
                let [x, y, _] = ends.gap(self.graph());
                let mut constraints = vec![
                    length(x, Sense::polar(0)),
                    length(y, Sense::polar(1)),
                    number(ends.planar_turn(self.graph()), turn),
                ];
                // a revolute joint leaves the rotation free
                constraints.truncate(if kind == JointKind::Fixed { 3 } else { 2 });
                constraints
            }
            JointKind::Prismatic | JointKind::PointOnLine => {
                let offset = length(ends.offset(self.graph(), across), Sense::about(ends.axis));
                // a point on a line can rotate freely
                if kind == JointKind::PointOnLine {
                    return Some(vec![offset]);
                }
                vec![offset, number(ends.planar_turn(self.graph()), turn)]
            }
            _ => vec![length(self.distance(part, ends, false)?, Sense::default())],
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
        let next = behind_largest(n);
        let mut constraints = Vec::new();
        if matches!(kind, JointKind::Fixed | JointKind::Revolute | JointKind::Spherical | JointKind::Universal) {
            let gap = ends.gap(self.graph());
            constraints.extend([0, 1, 2].map(|i| length(gap[i], Sense::polar(i))));
        }
        if matches!(kind, JointKind::Prismatic | JointKind::Cylindrical | JointKind::PointOnLine) {
            let senses = [Sense::polar(next), Sense { component: Some(next), ..Sense::about(n) }];
            constraints
                .extend([u, w].into_iter().zip(senses).map(|(a, sense)| length(ends.offset(self.graph(), a), sense)));
        }
        if kind == JointKind::Planar {
            constraints.push(length(ends.offset(self.graph(), n), Sense::along(n)));
        }
        // axes remain perpendicular (OB 2.29)
        if matches!(kind, JointKind::Revolute | JointKind::Prismatic | JointKind::Cylindrical | JointKind::Planar) {
            let senses = [Sense { component: Some(next), ..Sense::along(n) }, Sense::axial(next)];
            constraints.extend(
                [u, w].into_iter().zip(senses).map(|(a, sense)| number(ends.cosine(self.graph(), n, a), sense)),
            );
        }
        match kind {
            JointKind::Prismatic => {
                constraints.push(number(ends.cosine(self.graph(), u, w), Sense::about(n)));
            }
            JointKind::Fixed => {
                let [x, y, z] = AXES;
                let pairs = [(y, z), (z, x), (x, y)];
                constraints.extend([0, 1, 2].map(|i| {
                    let (a, b) = pairs[i];
                    number(ends.cosine(self.graph(), a, b), Sense::axial(i))
                }));
            }
            JointKind::Universal => {
                let Some(second) = option(part, "second_axis") else {
                    let message = "a `universal` joint has an axis in each frame; write e.g. `second_axis = (0, 1, 0)`";
                    return self.refuse(part.place, message);
                };
                let second = self.expressions().direction(second, true)?;
                let second = self.expressions().reflection.axis(second);
                let sense = Sense { axes: [Some(n), Some(second)], ..Sense::default() };
                constraints.push(number(ends.cosine(self.graph(), n, second), sense));
            }
            JointKind::Distance => {
                constraints.push(length(self.distance(part, ends, true)?, Sense::default()));
            }
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
            self.expressions()
                .refuse_value(place, format!("a distance that is held is not 0; write a `{instead}` joint for that"));
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
