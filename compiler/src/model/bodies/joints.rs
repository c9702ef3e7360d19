//! Joints: their names and their constraints.

use syn::ext::IdentExt;

use super::super::context::Context;
use super::super::kinds::Family;
use super::super::lower::Lowering;
use super::super::names::Kind;
use super::body::PartCoordinate;
use super::frames::Frame;
use super::joint_kinds::JointKind;
use super::options::{option, option_of};
use super::vector::{self, Vector, across};
use super::{Ends, Joint};
use crate::dimension::DerivedUnit;
use crate::symbolic::Id;
use crate::syntax::ast::{DeclaredIndex, PartSyntax};
use crate::units::Dimension;

/// What is zero, and its unit.
pub struct JointConstraint {
    id: Id,
    unit: Dimension,
}

/// A constraint in metres.
pub fn length(id: Id) -> JointConstraint {
    JointConstraint { id, unit: Dimension::LENGTH }
}

/// A constraint between angles or cosines.
pub fn number(id: Id) -> JointConstraint {
    JointConstraint { id, unit: Dimension::NONE }
}

impl Lowering<'_> {
    pub(in crate::model) fn declare_joint(&mut self, part: &PartSyntax) {
        let Some((kind, spatial)) = self.joint_kind(part) else {
            self.names.mark_unclear(&part.name.ident);
            return;
        };
        let Some(constraints) = kind.constraints(spatial) else {
            let planar: Vec<&str> = JointKind::ALL
                .iter()
                .filter(|kind| kind.constraints(false).is_some() && !kind.is_coupler())
                .map(|kind| kind.name())
                .collect();
            let message = format!(
                "a `{}` joint connects spatial bodies; joints of planar bodies are `{}`",
                kind.name(),
                planar.join("`, `")
            );
            self.error_at(part.kind.span(), message);
            self.names.mark_unclear(&part.name.ident);
            return;
        };
        for index in self.declared_indices(&part.name) {
            let (ident, position) = (&part.name.ident, self.mechanism.joints.len());
            if !self.add_part(Kind::Joint, ident, index, kind.name().into(), &part.documentation, position) {
                break;
            }
            let around = self.names.enter(self.names.next_space() - 1);
            let (first, coordinates) = (self.model.constraints.len(), self.model.coordinates.len());
            for name in kind.counted_angles(spatial) {
                let meaning = "Angle of a joint, counted beyond one turn.";
                self.declare_part_coordinate(ident, &PartCoordinate::angle(name, meaning));
            }
            for name in constraints {
                self.declare_part_constraint(ident, name, "");
            }
            self.names.enter(around);
            self.mechanism.joints.push(Joint {
                kind,
                spatial,
                first,
                count: constraints.len(),
                coordinates,
                read: false,
                ends: None,
            });
        }
    }

    /// What a joint is, and whether it connects spatial bodies; `None` after an error.
    fn joint_kind(&mut self, part: &PartSyntax) -> Option<(JointKind, bool)> {
        if let Some(DeclaredIndex::Range(range)) = &part.name.index {
            let message = "joints are declared one by one; write `for i in ... { name[i]: ... }`";
            self.error_at(range.place, message);
            return None;
        }
        let name = part.kind.unraw().to_string();
        let Some(kind) = JointKind::ALL.into_iter().find(|kind| kind.name() == name) else {
            self.error_at(part.kind.span(), self.unknown_kind(&name, Family::Joint));
            return None;
        };
        let count = if kind == JointKind::Drive { 1 } else { 2 };
        if part.arguments.len() != count {
            self.error_at(part.place, format!("expected {count} arguments; write `{}`", kind.signature()));
            return None;
        }
        let spatial = if kind.is_coupler() { self.coupled_kind(part)? } else { self.kind_of_bodies(part)? };
        Some((kind, spatial))
    }

    /// Whether the first two arguments are spatial bodies; `None` after an error.
    pub(super) fn kind_of_bodies(&mut self, part: &PartSyntax) -> Option<bool> {
        let carriers: Vec<_> = part.arguments.iter().take(2).map(|body| self.carrier(body)).collect();
        let carriers: Vec<_> = carriers.into_iter().collect::<Option<_>>()?;
        let Some(body) = carriers.iter().find_map(|(body, _)| self.body(*body)) else {
            self.error_at(part.place, "nothing moves here; name a body of the `bodies` block");
            return None;
        };
        let mut seen = Vec::new();
        for (body_here, place) in carriers {
            self.require_kind(body_here, body.spatial, place)?;
            if seen.contains(&body_here) {
                self.error_at(place, "both ends are on the same body; name another one");
                return None;
            }
            seen.push(body_here);
        }
        Some(body.spatial)
    }

    pub(in crate::model) fn lower_joint(&mut self, part: &PartSyntax) {
        let name = part.name.ident.unraw().to_string();
        for index in self.declared_indices(&part.name) {
            let Some(space) = self.names.here().position(&name, index, Kind::Joint) else { continue };
            let Some(&position) = self.mechanism.by_space.get(&space) else { continue };
            self.mechanism.joints[position].read = true;
            let joint = self.mechanism.joints[position].clone();
            let known = self.check_options(
                &part.options,
                joint.kind.options(joint.spatial),
                &format!("a `{}` joint", joint.kind.name()),
                " = ",
            );
            if known.is_none() {
                continue;
            }
            let ends = if joint.kind.is_coupler() {
                self.lower_coupler(part, &joint)
            } else {
                self.lower_ends(part, &joint)
            };
            self.mechanism.joints[position].ends = ends;
        }
    }

    /// The frames of a joint, and its constraints.
    fn lower_ends(&mut self, part: &PartSyntax, joint: &Joint) -> Option<Ends> {
        let [first, second] = &*part.arguments else { return None };
        let (first, second) = (self.frame(first, joint.spatial), self.frame(second, joint.spatial));
        let (first, second) = (first?, second?);
        let axis = self.joint_axis(part, joint)?;
        let ends = Ends { first, second, axis };
        let constraints = if joint.spatial {
            self.spatial_constraints(part, joint.kind, ends)?
        } else {
            self.planar_constraints(part, joint.kind, ends)?
        };
        self.set_constraints(part, joint, &constraints)?;
        Some(ends)
    }

    /// Puts the constraints of a joint into the model.
    pub(super) fn set_constraints(
        &mut self,
        part: &PartSyntax,
        joint: &Joint,
        constraints: &[JointConstraint],
    ) -> Option<()> {
        for (i, constraint) in constraints.iter().enumerate().take(joint.count) {
            self.model.constraint[joint.first + i] = self.bounded(constraint.id, part.place)?;
            self.model.constraints[joint.first + i].dimension = Some(constraint.unit);
            self.model.of_joints.insert(joint.first + i);
        }
        Some(())
    }

    /// The axis, given or not needed.
    fn joint_axis(&mut self, part: &PartSyntax, joint: &Joint) -> Option<[f64; 3]> {
        const NORMAL: [f64; 3] = [0.0, 0.0, 1.0];
        let name = if joint.kind == JointKind::Planar { "normal" } else { "axis" };
        if !joint.kind.options(joint.spatial).contains(&name) {
            return Some(NORMAL);
        }
        let Some(axis) = option(part, name) else {
            let example = if joint.spatial { "(0, 0, 1)" } else { "(1, 0)" };
            let kind = joint.kind.name();
            let message = format!(
                "a `{kind}` joint has a direction, in the first frame; write e.g. `{name} = {example}`"
            );
            self.error_at(part.place, message);
            return None;
        };
        self.direction(axis, joint.spatial)
    }

    /// From the second frame to the first.
    fn gap(&mut self, ends: Ends) -> Vector {
        let (first, second) = (self.position(ends.first), self.position(ends.second));
        vector::subtract(&mut self.graph, first, second)
    }

    /// How far the second frame lies in a direction of the first.
    fn offset(&mut self, ends: Ends, direction: [f64; 3]) -> Id {
        let (first, second) = (self.position(ends.first), self.position(ends.second));
        let along = self.direction_of(ends.first, direction);
        let gap = vector::subtract(&mut self.graph, second, first);
        vector::dot(&mut self.graph, along, gap)
    }

    /// The cosine of the angle between a direction of the first frame and one of the second.
    fn cosine(&mut self, ends: Ends, first: [f64; 3], second: [f64; 3]) -> Id {
        let (first, second) = (self.direction_of(ends.first, first), self.direction_of(ends.second, second));
        vector::dot(&mut self.graph, first, second)
    }

    fn planar_turn(&mut self, ends: Ends) -> Id {
        let (first, second) = (self.plane_angle(ends.first), self.plane_angle(ends.second));
        self.graph.subtract(second, first)
    }

    fn planar_constraints(
        &mut self,
        part: &PartSyntax,
        kind: JointKind,
        ends: Ends,
    ) -> Option<Vec<JointConstraint>> {
        let [x, y, _] = ends.axis;
        let across = [-y, x, 0.0];
        Some(match kind {
            JointKind::Fixed | JointKind::Revolute => {
                let [x, y, _] = self.gap(ends);
                vec![length(x), length(y), number(self.planar_turn(ends))]
            }
            JointKind::Prismatic | JointKind::PointOnLine => {
                vec![length(self.offset(ends, across)), number(self.planar_turn(ends))]
            }
            _ => vec![length(self.distance(part, ends, false)?)],
        })
    }

    fn spatial_constraints(
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
            constraints.extend(self.gap(ends).map(length));
        }
        if matches!(kind, JointKind::Prismatic | JointKind::Cylindrical | JointKind::PointOnLine) {
            constraints.extend([u, w].map(|across| length(self.offset(ends, across))));
        }
        if kind == JointKind::Planar {
            constraints.push(length(self.offset(ends, n)));
        }
        // (OB 2.29)
        if matches!(
            kind,
            JointKind::Revolute | JointKind::Prismatic | JointKind::Cylindrical | JointKind::Planar
        ) {
            constraints.extend([u, w].map(|across| number(self.cosine(ends, n, across))));
        }
        match kind {
            JointKind::Prismatic => constraints.push(number(self.cosine(ends, u, w))),
            JointKind::Fixed => {
                let [x, y, z] = AXES;
                constraints.extend([(y, z), (z, x), (x, y)].map(|(a, b)| number(self.cosine(ends, a, b))));
            }
            JointKind::Universal => {
                let Some(second) = option(part, "second_axis") else {
                    let message =
                        "a `universal` joint has an axis in each frame; write e.g. `second_axis = (0, 1, 0)`";
                    self.error_at(part.place, message);
                    return None;
                };
                let second = self.direction(second, true)?;
                constraints.push(number(self.cosine(ends, n, second)));
            }
            JointKind::Distance => constraints.push(length(self.distance(part, ends, true)?)),
            _ => {}
        }
        Some(constraints)
    }

    /// (d^2 - l^2)/(2 l), whose multiplier is a force where it is zero.
    fn distance(&mut self, part: &PartSyntax, ends: Ends, spatial: bool) -> Option<Id> {
        let Some(length) = option(part, "length") else {
            self.error_at(part.place, "a `distance` joint has a length; write `length = l`");
            return None;
        };
        let what = option_of(part, "length");
        let place = length.place;
        let length = self.derived_value(length, Context::Fixed, DerivedUnit::LENGTH, &what)?;
        if self.values_of(length).is_zero() {
            let instead = if spatial { "spherical" } else { "revolute" };
            self.refuse_value(
                place,
                format!("a distance that is held is not 0; write a `{instead}` joint for that"),
            );
        }
        let gap = self.gap(ends);
        let graph = &mut self.graph;
        let squares = gap.map(|gap| graph.power_integer(gap, 2));
        let square = graph.sum(squares);
        let wanted = graph.power_integer(length, 2);
        let difference = graph.subtract(square, wanted);
        let two = graph.constant(2.0);
        let twice = graph.multiply(two, length);
        Some(graph.divide(difference, twice))
    }

    /// The angle by which the second frame is turned about the axis; of spatial bodies from -pi to pi.
    pub(super) fn joint_angle(&mut self, joint: &Joint, ends: Ends) -> Id {
        if !joint.spatial {
            return self.planar_turn(ends);
        }
        let (sine, cosine) = self.sine_and_cosine(ends);
        self.graph.atan2(sine, cosine)
    }

    /// Of the angle of a spatial joint.
    pub(super) fn sine_and_cosine(&mut self, ends: Ends) -> (Id, Id) {
        let [u, w] = across(ends.axis);
        (self.cosine(ends, w, u), self.cosine(ends, u, u))
    }

    /// How far the second frame lies along the axis.
    pub(super) fn joint_displacement(&mut self, ends: Ends) -> Id {
        self.offset(ends, ends.axis)
    }

    /// The angle between two frames about an axis of the first, for torsional elements.
    pub(super) fn relative_angle(
        &mut self,
        first: Frame,
        second: Frame,
        axis: [f64; 3],
        spatial: bool,
    ) -> Id {
        let ends = Ends { first, second, axis };
        if spatial {
            let (sine, cosine) = self.sine_and_cosine(ends);
            return self.graph.atan2(sine, cosine);
        }
        self.planar_turn(ends)
    }
}
