//! Couplers: drives, gears and racks, which act on the angles and displacements of joints.

use super::super::context::Context;
use super::super::lower::Lowering;
use super::super::names::Kind;
use super::joint_kinds::JointKind;
use super::joints::{JointConstraint, length, number};
use super::options::{option, option_of};
use super::{Ends, Joint};
use crate::dimension::DerivedUnit;
use crate::symbolic::{Function, Id, Symbol};
use crate::syntax::ast::{Expr, ExprKind, PartSyntax};

impl Lowering<'_> {
    /// Whether the joints that are coupled connect spatial bodies; `None` after an error.
    pub(super) fn coupled_kind(&mut self, part: &PartSyntax) -> Option<bool> {
        let mut kinds = Vec::new();
        for argument in &part.arguments {
            let joint = self.joint_named(argument)?;
            let joint = self.mechanism.joints.get(joint)?;
            kinds.push((joint.spatial, argument.place));
        }
        let &(spatial, _) = kinds.first()?;
        if let Some((_, place)) = kinds.iter().find(|(other, _)| *other != spatial) {
            self.error_at(
                *place,
                "one of the joints is planar and the other spatial; couple joints of one kind",
            );
            return None;
        }
        Some(spatial)
    }

    /// The position of a joint.
    fn joint_named(&mut self, expr: &Expr) -> Option<usize> {
        let ExprKind::Name(name) = &expr.kind else {
            self.error_at(expr.place, "expected the name of a joint; write e.g. `drive(pin, angle = t)`");
            return None;
        };
        match self.resolve(name, Some(Kind::Joint))? {
            (Kind::Joint, space) => self.mechanism.by_space.get(&space).copied(),
            (kind, _) => {
                let message = format!("`{}` is {}; expected a joint", self.written(name), kind.text());
                self.error_at(name.place, message);
                None
            }
        }
    }

    /// A joint in use with its frames.
    fn coupled(&mut self, expr: &Expr) -> Option<(Joint, Ends)> {
        let position = self.joint_named(expr)?;
        let joint = self.mechanism.joints.get(position)?.clone();
        if let Some(ends) = joint.ends {
            return Some((joint, ends));
        }
        if !joint.read && !self.cut_short {
            self.error_at(expr.place, "this joint is defined further below; move it above this one");
        }
        None
    }

    pub(super) fn lower_coupler(&mut self, part: &PartSyntax, coupler: &Joint) -> Option<Ends> {
        let (constraints, ends) = match coupler.kind {
            JointKind::Drive => self.drive(part)?,
            JointKind::Gear => self.gear(part, coupler)?,
            _ => self.rack(part, coupler)?,
        };
        self.set_constraints(part, coupler, &constraints)?;
        Some(ends)
    }

    /// An angle or a displacement that is prescribed. The angle of a spatial joint by the sine of the difference, which
    /// counts beyond one turn.
    fn drive(&mut self, part: &PartSyntax) -> Option<(Vec<JointConstraint>, Ends)> {
        let argument = part.arguments.first()?;
        let (joint, ends) = self.coupled(argument)?;
        let kind = joint.kind.name();
        if let (Some(displacement), None) = (option(part, "displacement"), option(part, "angle")) {
            if !joint.kind.has_displacement() {
                let message =
                    format!("a `{kind}` joint has no displacement to prescribe; drive a `prismatic` one");
                self.error_at(argument.place, message);
                return None;
            }
            let (unit, what) = (DerivedUnit::LENGTH, option_of(part, "displacement"));
            let value = self.derived_value(displacement, Context::Constraint, unit, &what)?;
            let displacement = self.joint_displacement(ends);
            return Some((vec![length(self.graph.subtract(displacement, value))], ends));
        }
        let (Some(angle), None) = (option(part, "angle"), option(part, "displacement")) else {
            let message = "a drive prescribes one quantity; write `angle = ...` or `displacement = ...`";
            self.error_at(part.place, message);
            return None;
        };
        if !joint.kind.has_angle() {
            let message = format!("a `{kind}` joint has no angle to prescribe; drive a `revolute` one");
            self.error_at(argument.place, message);
            return None;
        }
        let (unit, what) = (DerivedUnit::NUMBER, option_of(part, "angle"));
        let value = self.derived_value(angle, Context::Constraint, unit, &what)?;
        if joint.spatial {
            return Some((vec![number(self.sine_of_difference(ends, value))], ends));
        }
        let angle = self.joint_angle(&joint, ends);
        Some((vec![number(self.graph.subtract(angle, value))], ends))
    }

    /// sin(joint angle - angle)
    fn sine_of_difference(&mut self, ends: Ends, angle: Id) -> Id {
        let (sine, cosine) = self.sine_and_cosine(ends);
        let graph = &mut self.graph;
        let (sin, cos) = (graph.unary(Function::Sin, angle), graph.unary(Function::Cos, angle));
        let (left, right) = (graph.multiply(sine, cos), graph.multiply(cosine, sin));
        graph.subtract(left, right)
    }

    /// The angle of a joint for a coupler, and what makes it so: of spatial joints, a coordinate that counts turns.
    fn counted_angle(
        &mut self,
        argument: &Expr,
        coupler: &Joint,
        i: usize,
    ) -> Option<(Id, Option<Id>, Ends)> {
        let (joint, ends) = self.coupled(argument)?;
        if !joint.kind.has_angle() {
            let message = format!("a `{}` joint has no angle; couple `revolute` joints", joint.kind.name());
            self.error_at(argument.place, message);
            return None;
        }
        if !coupler.spatial {
            return Some((self.joint_angle(&joint, ends), None, ends));
        }
        let angle = self.graph.symbol(Symbol::Coordinate(coupler.coordinates + i));
        Some((angle, Some(self.sine_of_difference(ends, angle)), ends))
    }

    /// first angle = ratio * second angle + offset
    fn gear(&mut self, part: &PartSyntax, coupler: &Joint) -> Option<(Vec<JointConstraint>, Ends)> {
        let [first, second] = &*part.arguments else { return None };
        let (first, second) = (self.counted_angle(first, coupler, 0), self.counted_angle(second, coupler, 1));
        let ratio = self.number_option(part, "ratio", Context::Fixed, DerivedUnit::NUMBER)?;
        let ((first, turn_1, ends), (second, turn_2, _)) = (first?, second?);
        let Some(ratio) = ratio else {
            let message = "a gear has a ratio, first angle = ratio * second angle; write e.g. `ratio = -2`";
            self.error_at(part.place, message);
            return None;
        };
        let constraint = self.proportional(part, (first, ratio, second), DerivedUnit::NUMBER)?;
        let turns = turn_1.into_iter().chain(turn_2).map(number);
        Some((turns.chain([number(constraint)]).collect(), ends))
    }

    /// displacement = radius * angle + offset
    fn rack(&mut self, part: &PartSyntax, coupler: &Joint) -> Option<(Vec<JointConstraint>, Ends)> {
        let [pinion, rack] = &*part.arguments else { return None };
        let (pinion, slide) = (self.counted_angle(pinion, coupler, 0), self.coupled(rack));
        let radius = self.number_option(part, "radius", Context::Fixed, DerivedUnit::LENGTH)?;
        let ((angle, turn, ends), (slide, slide_ends)) = (pinion?, slide?);
        if !slide.kind.has_displacement() {
            let message =
                format!("a `{}` joint has no displacement; a rack is a `prismatic` joint", slide.kind.name());
            self.error_at(rack.place, message);
            return None;
        }
        let Some(radius) = radius else {
            let message = "a pinion has a radius, displacement = radius * angle; write `radius = r`";
            self.error_at(part.place, message);
            return None;
        };
        let displacement = self.joint_displacement(slide_ends);
        let constraint = self.proportional(part, (displacement, radius, angle), DerivedUnit::LENGTH)?;
        Some((turn.into_iter().map(number).chain([length(constraint)]).collect(), ends))
    }

    /// a - factor b - offset
    fn proportional(
        &mut self,
        part: &PartSyntax,
        (a, factor, b): (Id, Id, Id),
        unit: DerivedUnit,
    ) -> Option<Id> {
        let offset = self.number_option(part, "offset", Context::Fixed, unit)?;
        let graph = &mut self.graph;
        let product = graph.multiply(factor, b);
        let difference = graph.subtract(a, product);
        Some(match offset {
            Some(offset) => graph.subtract(difference, offset),
            None => difference,
        })
    }
}
