//! Couplers: drives, gears and racks, which act on the angles and displacements of joints.

use super::Mechanism;
use super::joint_constraints::{JointConstraint, length, number};
use super::options::{option, option_of};
use crate::dimension::DerivedUnit;
use crate::lower::expressions::{Context, Joint};
use crate::lower::geometry::{Ends, Sense};
use crate::lower::kinds::JointKind;
use crate::lower::names::Kind;
use crate::symbolic::{Id, Symbol};
use crate::syntax::ast::{Expr, ExprKind, PartSyntax};

impl Mechanism {
    /// Checks whether the coupled joints connect spatial bodies; `None` after an error.
    pub fn coupled_kind(&mut self, part: &PartSyntax) -> Option<bool> {
        let mut kinds = Vec::new();
        for argument in &part.arguments {
            let joint = self.joint_named(argument)?;
            let joint = self.expressions().parts.joints.get(joint)?;
            kinds.push((joint.spatial, argument.place));
        }
        let &(spatial, _) = kinds.first()?;
        if let Some((_, place)) = kinds.iter().find(|(other, _)| *other != spatial) {
            return self.refuse(*place, "one of the joints is planar and the other spatial; couple joints of one kind");
        }
        Some(spatial)
    }

    /// Finds the position of a joint.
    fn joint_named(&mut self, expr: &Expr) -> Option<usize> {
        let ExprKind::Name(name) = &expr.kind else {
            return self.refuse(expr.place, "expected the name of a joint; write e.g. `drive(pin, angle = t)`");
        };
        match self.names().resolve(name, Some(Kind::Joint))? {
            (Kind::Joint, space) => self.expressions().parts.by_space.get(&space).copied(),
            (kind, _) => {
                let message = format!("`{}` is {}; expected a joint", self.names().written(name), kind.text());
                self.refuse(name.place, message)
            }
        }
    }

    /// Returns a joint that has been read, with its frames.
    fn coupled(&mut self, expr: &Expr) -> Option<(Joint, Ends)> {
        let position = self.joint_named(expr)?;
        let joint = self.expressions().parts.joints.get(position)?.clone();
        if let Some(ends) = joint.ends {
            return Some((joint, ends));
        }
        if !joint.read && !self.names().report.cut_short {
            self.error(expr.place, "this joint is defined further below; move it above this one");
        }
        None
    }

    /// Returns the constraints of a coupler, and the frames of its first joint.
    pub fn coupler(&mut self, part: &PartSyntax, coupler: &Joint) -> Option<(Vec<JointConstraint>, Ends)> {
        match coupler.kind {
            JointKind::Drive => self.drive(part),
            JointKind::Gear => self.gear(part, coupler),
            _ => self.rack(part, coupler),
        }
    }

    /// Prescribes an angle or a displacement. The angle of a spatial joint is prescribed by the sine of the
    /// difference, which counts beyond one turn.
    fn drive(&mut self, part: &PartSyntax) -> Option<(Vec<JointConstraint>, Ends)> {
        let argument = part.arguments.first()?;
        let (joint, ends) = self.coupled(argument)?;
        let kind = joint.kind.name();
        if let (Some(displacement), None) = (option(part, "displacement"), option(part, "angle")) {
            if !joint.kind.has_displacement() {
                let message = format!("a `{kind}` joint has no displacement to prescribe; drive a `prismatic` one");
                return self.refuse(argument.place, message);
            }
            let (unit, what) = (DerivedUnit::LENGTH, option_of(part, "displacement"));
            let value = self.expressions().derived_value(displacement, Context::Constraint, unit, &what)?;
            let displacement = ends.displacement(self.graph());
            let sense = Sense::along(ends.axis);
            let value = self.expressions().sensed(value, sense);
            return Some((vec![length(self.graph().subtract(displacement, value), sense)], ends));
        }
        let (Some(angle), None) = (option(part, "angle"), option(part, "displacement")) else {
            let message = "a drive prescribes one quantity; write `angle = ...` or `displacement = ...`";
            return self.refuse(part.place, message);
        };
        if !joint.kind.has_angle() {
            let message = format!("a `{kind}` joint has no angle to prescribe; drive a `revolute` one");
            return self.refuse(argument.place, message);
        }
        let (unit, what) = (DerivedUnit::NUMBER, option_of(part, "angle"));
        let value = self.expressions().derived_value(angle, Context::Constraint, unit, &what)?;
        let sense = Sense::about(ends.axis);
        let value = self.expressions().sensed(value, sense);
        if joint.spatial {
            return Some((vec![number(ends.sine_of_difference(self.graph(), value), sense)], ends));
        }
        let angle = ends.angle(self.graph(), joint.spatial);
        Some((vec![number(self.graph().subtract(angle, value), sense)], ends))
    }

    /// Returns the angle of a joint for a coupler. For spatial joints the angle is a coordinate that counts turns,
    /// returned with the constraint that determines it.
    fn counted_angle(&mut self, argument: &Expr, coupler: &Joint, i: usize) -> Option<(Id, Option<Id>, Ends)> {
        let (joint, ends) = self.coupled(argument)?;
        if !joint.kind.has_angle() {
            let message = format!("a `{}` joint has no angle; couple `revolute` joints", joint.kind.name());
            return self.refuse(argument.place, message);
        }
        if !coupler.spatial {
            return Some((ends.angle(self.graph(), joint.spatial), None, ends));
        }
        let coordinate = coupler.coordinates + i;
        self.expressions().parts.coordinate_senses.insert(coordinate, Sense::about(ends.axis));
        let angle = self.graph().symbol(Symbol::Coordinate(coordinate));
        Some((angle, Some(ends.sine_of_difference(self.graph(), angle)), ends))
    }

    /// Builds the constraints of a gear: first angle = ratio * second angle + offset.
    fn gear(&mut self, part: &PartSyntax, coupler: &Joint) -> Option<(Vec<JointConstraint>, Ends)> {
        let [first, second] = &*part.arguments else { return None };
        let (first, second) = (self.counted_angle(first, coupler, 0), self.counted_angle(second, coupler, 1));
        let ratio = self.number_option(part, "ratio", Context::Fixed, DerivedUnit::NUMBER)?;
        let ((first, turn_1, ends), (second, turn_2, second_ends)) = (first?, second?);
        let Some(ratio) = ratio else {
            let message = "a gear has a ratio, first angle = ratio * second angle; write e.g. `ratio = -2`";
            return self.refuse(part.place, message);
        };
        let senses = (Sense::about(ends.axis), Sense::about(second_ends.axis));
        let constraint = self.proportional(part, (first, ratio, second), senses, DerivedUnit::NUMBER)?;
        let turns = turn_1.map(|turn| number(turn, senses.0)).into_iter();
        let turns = turns.chain(turn_2.map(|turn| number(turn, senses.1)));
        Some((turns.chain([number(constraint, senses.0)]).collect(), ends))
    }

    /// Builds the constraints of a rack: displacement = radius * angle + offset.
    fn rack(&mut self, part: &PartSyntax, coupler: &Joint) -> Option<(Vec<JointConstraint>, Ends)> {
        let [pinion, rack] = &*part.arguments else { return None };
        let (pinion, slide) = (self.counted_angle(pinion, coupler, 0), self.coupled(rack));
        let radius = self.number_option(part, "radius", Context::Fixed, DerivedUnit::LENGTH)?;
        let ((angle, turn, ends), (slide, slide_ends)) = (pinion?, slide?);
        if !slide.kind.has_displacement() {
            let message = format!("a `{}` joint has no displacement; a rack is a `prismatic` joint", slide.kind.name());
            return self.refuse(rack.place, message);
        }
        let Some(radius) = radius else {
            let message = "a pinion has a radius, displacement = radius * angle; write `radius = r`";
            return self.refuse(part.place, message);
        };
        let displacement = slide_ends.displacement(self.graph());
        let senses = (Sense::along(slide_ends.axis), Sense::about(ends.axis));
        let constraint = self.proportional(part, (displacement, radius, angle), senses, DerivedUnit::LENGTH)?;
        let turn = turn.into_iter().map(|turn| number(turn, senses.1));
        Some((turn.chain([length(constraint, senses.0)]).collect(), ends))
    }

    /// Builds a - factor b - offset; factor and offset are those of the world that the text describes.
    fn proportional(
        &mut self,
        part: &PartSyntax,
        (a, factor, b): (Id, Id, Id),
        (of_a, of_b): (Sense, Sense),
        unit: DerivedUnit,
    ) -> Option<Id> {
        let offset = self.number_option(part, "offset", Context::Fixed, unit)?;
        let factor = self.expressions().sensed(factor, of_a);
        let factor = self.expressions().sensed(factor, of_b);
        let offset = offset.map(|offset| self.expressions().sensed(offset, of_a));
        let graph = self.graph();
        let product = graph.multiply(factor, b);
        let difference = graph.subtract(a, product);
        Some(match offset {
            Some(offset) => graph.subtract(difference, offset),
            None => difference,
        })
    }
}
