//! Joints: their names, their frames and their axes.

use syn::ext::IdentExt;

use super::Mechanism;
use super::declare::PartCoordinate;
use super::joint_constraints::JointConstraint;
use super::options::option;
use crate::lower::expressions::Joint;
use crate::lower::geometry::Ends;
use crate::lower::kinds::{Family, JointKind};
use crate::lower::names::Kind;
use crate::syntax::ast::PartSyntax;

impl Mechanism {
    pub fn declare_joint(&mut self, part: &PartSyntax) {
        let Some((kind, spatial)) = self.joint_kind(part) else {
            self.names().table.mark_unclear(&part.name.ident);
            return;
        };
        let Some(constraints) = kind.constraints(spatial) else {
            let planar: Vec<&str> = JointKind::all()
                .filter(|kind| kind.constraints(false).is_some() && !kind.is_coupler())
                .map(JointKind::name)
                .collect();
            let message = format!(
                "a `{}` joint connects spatial bodies; joints of planar bodies are `{}`",
                kind.name(),
                planar.join("`, `")
            );
            self.error(part.kind.span(), message);
            self.names().table.mark_unclear(&part.name.ident);
            return;
        };
        for index in self.names().declared_indices(&part.name) {
            let (ident, position) = (&part.name.ident, self.expressions().parts.joints.len());
            if !self.add_part(Kind::Joint, ident, index, kind.name().into(), &part.documentation, position) {
                break;
            }
            let around = self.names().table.enter_last();
            let quantities = &self.names().quantities;
            let (first, coordinates) = (quantities.constraints.len(), quantities.coordinates.len());
            for name in kind.counted_angles(spatial) {
                let meaning = "Angle of a joint, counted beyond one turn.";
                self.declare_part_coordinate(ident, &PartCoordinate::angle(name, meaning));
            }
            for name in constraints {
                self.declare_part_constraint(ident, name, "");
            }
            self.names().table.enter(around);
            self.expressions().parts.joints.push(Joint {
                kind,
                spatial,
                first,
                coordinates,
                read: false,
                constraints: Vec::new(),
                ends: None,
            });
        }
    }

    /// Returns the kind of a joint, and `true` if it connects spatial bodies; `None` after an error.
    fn joint_kind(&mut self, part: &PartSyntax) -> Option<(JointKind, bool)> {
        let message = "joints are declared one by one; write `for i in ... { name[i]: ... }`";
        if !self.names().require_single(&part.name, message) {
            return None;
        }
        let name = part.kind.unraw().to_string();
        let Some(kind) = JointKind::named(&name) else {
            let message = Family::Joint.unknown(&name, &self.names().components);
            return self.refuse(part.kind.span(), message);
        };
        let count = if kind == JointKind::Drive { 1 } else { 2 };
        if part.arguments.len() != count {
            return self.refuse(part.place, format!("expected {count} arguments; write `{}`", kind.signature()));
        }
        let spatial = if kind.is_coupler() { self.coupled_kind(part)? } else { self.kind_of_bodies(part)? };
        Some((kind, spatial))
    }

    /// Checks whether the first two arguments are spatial bodies; `None` after an error.
    pub fn kind_of_bodies(&mut self, part: &PartSyntax) -> Option<bool> {
        let carriers: Vec<_> = part.arguments.iter().take(2).map(|body| self.expressions().carrier(body)).collect();
        let carriers: Vec<_> = carriers.into_iter().collect::<Option<_>>()?;
        let Some(spatial) = carriers.iter().find_map(|carrier| carrier.spatial) else {
            return self.refuse(part.place, "nothing moves here; name a body of the `bodies` block");
        };
        let mut seen = Vec::new();
        for carrier in carriers {
            self.expressions().require_kind(carrier.spatial, spatial, carrier.place)?;
            // a component does not see what its connection is bound to
            if !carrier.is_connection && seen.contains(&carrier.body) {
                return self.refuse(carrier.place, "both ends are on the same body; name another one");
            }
            if !carrier.is_connection {
                seen.push(carrier.body);
            }
        }
        Some(spatial)
    }

    pub fn lower_joint(&mut self, part: &PartSyntax) {
        for (space, position) in self.declared(&part.name, Kind::Joint) {
            self.expressions().parts.joints[position].read = true;
            let joint = self.expressions().parts.joints[position].clone();
            let known = self.check_options(
                &part.options,
                joint.kind.options(joint.spatial),
                &format!("a `{}` joint", joint.kind.name()),
                " = ",
            );
            if known.is_none() {
                continue;
            }
            let read =
                if joint.kind.is_coupler() { self.coupler(part, &joint) } else { self.between_bodies(part, &joint) };
            let ends = read.and_then(|(constraints, ends)| {
                self.set_constraints(part, position, &constraints, ends.axis)?;
                self.show_joint(part, space, (joint.kind, joint.spatial), ends);
                Some(ends)
            });
            self.expressions().parts.joints[position].ends = ends;
        }
    }

    /// Returns the constraints of a joint between two bodies, and the frames of the joint.
    fn between_bodies(&mut self, part: &PartSyntax, joint: &Joint) -> Option<(Vec<JointConstraint>, Ends)> {
        let [first, second] = &*part.arguments else { return None };
        let (first, second) =
            (self.expressions().frame(first, joint.spatial), self.expressions().frame(second, joint.spatial));
        let (first, second) = (first?, second?);
        let axis = self.joint_axis(part, joint)?;
        let ends = Ends { first, second, axis };
        let constraints = if joint.spatial {
            self.spatial_constraints(part, joint.kind, ends)?
        } else {
            self.planar_constraints(part, joint.kind, ends)?
        };
        Some((constraints, ends))
    }

    /// Stores the constraints of a joint in the model.
    fn set_constraints(
        &mut self,
        part: &PartSyntax,
        position: usize,
        constraints: &[JointConstraint],
        axis: [f64; 3],
    ) -> Option<()> {
        let first = self.expressions().parts.joints[position].first;
        let mut read = Vec::new();
        for (i, constraint) in (first..).zip(constraints) {
            let id = self.expressions().bounded(constraint.id, part.place)?;
            self.system.constraint[i] = id;
            self.names().quantities.constraints[i].dimension = Some(constraint.unit);
            self.of_joints.insert(i, axis);
            self.expressions().parts.constraint_senses.insert(i, constraint.sense);
            read.push((i, id));
        }
        self.expressions().parts.joints[position].constraints = read;
        Some(())
    }

    /// Returns the given axis, or the normal of the plane for a joint without this option; `None` after an error.
    fn joint_axis(&mut self, part: &PartSyntax, joint: &Joint) -> Option<[f64; 3]> {
        const NORMAL: [f64; 3] = [0.0, 0.0, 1.0];
        let name = if joint.kind == JointKind::Planar { "normal" } else { "axis" };
        if !joint.kind.options(joint.spatial).contains(&name) {
            return Some(NORMAL);
        }
        let Some(axis) = option(part, name) else {
            let example = if joint.spatial { "(0, 0, 1)" } else { "(1, 0)" };
            let kind = joint.kind.name();
            let message =
                format!("a `{kind}` joint has a direction, in the first frame; write e.g. `{name} = {example}`");
            return self.refuse(part.place, message);
        };
        let axis = self.expressions().direction(axis, joint.spatial)?;
        Some(self.expressions().reflection.axis(axis))
    }
}
