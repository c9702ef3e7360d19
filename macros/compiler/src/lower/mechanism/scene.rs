//! The scene: where bodies, joints, elements and named points are, for pictures and lists.

use std::borrow::Cow;

use costate_contract::scene::{Number, PartKind, SceneBody, ScenePart, ScenePoint, SceneShape};

use super::Mechanism;
use super::options::option;
use crate::lower::geometry::{Body, Ends, Frame, Vector, vector};
use crate::lower::kinds::{ElementKind, JointKind};
use crate::symbolic::{Id, Symbol};
use crate::syntax::ast::PartSyntax;

/// The frames of an element, and its axis in both of them.
pub type Shown = ([Frame; 2], [f64; 3]);

impl Mechanism {
    /// The name of the part with these names: `pin[2]`.
    fn part_name(&mut self, space: usize) -> Cow<'static, str> {
        Cow::Owned(self.names().table.of(space).prefix.trim_end_matches('.').to_owned())
    }

    /// Adds a body; its documentation and `layer` are known.
    pub fn show_body(
        &mut self,
        space: usize,
        body: Body,
        documentation: &[String],
        (center, layer): (Vector, Id),
        shapes: Vec<SceneShape>,
    ) {
        let name = self.part_name(space);
        let (center, layer) = (self.scene.vector(center), self.scene.number(layer));
        self.scene.scene.bodies.to_mut().push(SceneBody {
            name,
            documentation: Cow::Owned(documentation.join(" ").trim().to_owned()),
            spatial: body.spatial,
            first: body.first as u32,
            center,
            layer,
            shapes: Cow::Owned(shapes),
        });
    }

    /// Numbers of a shape: its sizes, and its frame in the body's.
    pub fn shape_numbers(&mut self, sizes: Vector, frame: Frame) -> [[Number; 3]; 5] {
        let [x, y, z] = frame.turn;
        [sizes, frame.point, x, y, z].map(|vector| self.scene.vector(vector))
    }

    /// Adds a joint or a coupler, which has been read without a mistake.
    pub fn show_joint(&mut self, part: &PartSyntax, space: usize, (kind, spatial): (JointKind, bool), ends: Ends) {
        let first = ends.first.local(self.graph(), ends.axis);
        let axis = match option(part, "second_axis") {
            Some(axis) => {
                let axis = self.expressions().direction(axis, spatial);
                axis.map_or(ends.axis, |axis| self.expressions().reflection.axis(axis))
            }
            None => ends.axis,
        };
        let second = ends.second.local(self.graph(), axis);
        let kind = match kind {
            JointKind::Fixed => PartKind::Fixed,
            JointKind::Revolute => PartKind::Revolute,
            JointKind::Prismatic => PartKind::Prismatic,
            JointKind::Cylindrical => PartKind::Cylindrical,
            JointKind::Spherical => PartKind::Spherical,
            JointKind::Universal => PartKind::Universal,
            JointKind::Planar => PartKind::Planar,
            JointKind::PointOnLine => PartKind::PointOnLine,
            JointKind::Distance => PartKind::Distance,
            JointKind::Drive => PartKind::Drive,
            JointKind::Gear => PartKind::Gear,
            JointKind::Rack => PartKind::Rack,
        };
        let part = self.scene_part(part, space, kind, [(ends.first, first), (ends.second, second)]);
        self.scene.scene.joints.to_mut().push(part);
    }

    /// Adds an element between two frames, or at one of them.
    pub fn show_element(&mut self, part: &PartSyntax, space: usize, kind: ElementKind, (ends, axis): Shown) {
        let has = |name: &str| option(part, name).is_some();
        let kind = match kind {
            ElementKind::Force => PartKind::Force,
            ElementKind::Torque => PartKind::Torque,
            ElementKind::Torsional => PartKind::Torsional,
            ElementKind::Bushing => PartKind::Bushing,
            ElementKind::Spring => match (has("stiffness"), has("damping")) {
                (true, true) => PartKind::SpringDamper,
                (true, false) => PartKind::Spring,
                (false, true) => PartKind::Damper,
                (false, false) => PartKind::Actuator,
            },
        };
        let ends = ends.map(|frame| (frame, frame.local(self.graph(), axis)));
        let part = self.scene_part(part, space, kind, ends);
        self.scene.scene.elements.to_mut().push(part);
    }

    fn scene_part(&mut self, part: &PartSyntax, space: usize, kind: PartKind, ends: [(Frame, Vector); 2]) -> ScenePart {
        let name = self.part_name(space);
        let bodies = &self.system.expressions.parts.bodies;
        let ends = ends.map(|(frame, axis)| self.scene.end(bodies, frame, axis));
        let documentation = Cow::Owned(part.documentation.join(" ").trim().to_owned());
        ScenePart { name, documentation, kind, ends }
    }

    /// Adds what is known once everything has been read: named points, gravity.
    pub fn finish_scene(&mut self) {
        let points = std::mem::take(&mut self.expressions().parts.points);
        for (name, frame) in points {
            let axis = vector::column(frame.turn, 2);
            let end = self.scene.end(&self.system.expressions.parts.bodies, frame, axis);
            let known = self.scene.scene.points.iter().any(|point| point.name == name && point.end == end);
            if !known {
                self.scene.scene.points.to_mut().push(ScenePoint { name: Cow::Owned(name), end });
            }
        }
        let Some((gravity, _)) = self.gravity else { return };
        let graph = self.graph();
        let is_fixed = |id: &Id| graph.symbols(*id).iter().all(|symbol| matches!(symbol, Symbol::Parameter(_)));
        if gravity.iter().all(is_fixed) {
            self.scene.scene.gravity = Some(self.scene.vector(gravity));
        }
    }
}
