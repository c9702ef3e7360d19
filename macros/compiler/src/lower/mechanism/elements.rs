//! Force elements: applied forces and torques, springs and dampers, bushings.

use syn::ext::IdentExt;

use super::Mechanism;
use super::laws::{BUSHING_TORQUE, SPRING, TORSIONAL};
use super::options::option;
use super::scene::Shown;
use crate::dimension::DerivedUnit;
use crate::lower::expressions::{Context, Element, Progress};
use crate::lower::geometry::{Ends, Frame, Sense, Vector, angular_velocity, origin, vector};
use crate::lower::kinds::{ElementKind, Family};
use crate::lower::names::Kind;
use crate::syntax::ast::{Expr, PartSyntax};

/// About which planar bodies turn.
const PLANE_NORMAL: [f64; 3] = [0.0, 0.0, 1.0];

impl Mechanism {
    pub fn declare_element(&mut self, part: &PartSyntax) {
        let ident = &part.name.ident;
        let message = "elements are declared one by one; write `for i in ... { name[i]: ... }`";
        if !self.names().require_single(&part.name, message) {
            return;
        }
        let name = part.kind.unraw().to_string();
        let Some(kind) = ElementKind::named(&name) else {
            let message = match name.as_str() {
                "gravity" => "gravity acts on all bodies; write the block `gravity { (0, -g) }`".to_owned(),
                _ => Family::Element.unknown(&name, &self.names().components),
            };
            self.error(part.kind.span(), message);
            self.names().table.mark_unclear(ident);
            return;
        };
        for index in self.names().declared_indices(&part.name) {
            let position = self.expressions().parts.elements.len();
            if !self.add_part(Kind::Element, ident, index, name.clone(), &part.documentation, position) {
                break;
            }
            self.expressions().parts.elements.push(Element::new(kind));
        }
    }

    pub fn lower_element(&mut self, part: &PartSyntax) {
        for (space, position) in self.declared(&part.name, Kind::Element) {
            self.expressions().parts.elements[position].progress = Progress::Reading;
            if let Some(shown) = self.add_element(part, position) {
                let kind = self.expressions().parts.elements[position].kind;
                self.show_element(part, space, kind, shown);
            }
            self.expressions().parts.elements[position].progress = Progress::Read;
        }
    }

    fn add_element(&mut self, part: &PartSyntax, position: usize) -> Option<Shown> {
        let kind = self.expressions().parts.elements[position].kind;
        self.check_options(&part.options, kind.options(), &format!("a `{}` element", kind.name()), " = ")?;
        let [first, second] = &*part.arguments else {
            return self.refuse(part.place, format!("expected 2 arguments; write `{}`", kind.signature()));
        };
        match kind {
            ElementKind::Force => self.applied_force(part, first, second),
            ElementKind::Torque => self.applied_torque(part, first, second),
            ElementKind::Spring => self.spring(part, (first, second), position),
            ElementKind::Torsional => self.torsional(part, (first, second), position),
            ElementKind::Bushing => self.bushing(part, (first, second)),
        }
    }

    /// The body that a force or a torque acts on, and whether it is spatial.
    fn loaded(&mut self, expr: &Expr) -> Option<bool> {
        let carrier = self.expressions().carrier(expr)?;
        let Some(spatial) = carrier.spatial else {
            return self.refuse(carrier.place, "a load on the ground moves nothing; name a body");
        };
        Some(spatial)
    }

    /// A vector, given in the axes of the option `frame` if there is one.
    fn load(&mut self, part: &PartSyntax, value: Vector, spatial: bool) -> Option<Vector> {
        let Some(frame) = option(part, "frame") else { return Some(value) };
        let frame = self.expressions().frame(frame, spatial)?;
        let axes = frame.axes(self.graph());
        Some(vector::apply(self.graph(), axes, value))
    }

    fn applied_force(&mut self, part: &PartSyntax, at: &Expr, value: &Expr) -> Option<Shown> {
        let spatial = self.loaded(at)?;
        let what = format!("the force `{}`", part.name.ident.unraw());
        let value = self.expressions().vector(value, spatial, Context::Force, DerivedUnit::FORCE, &what);
        let frame = self.expressions().frame(at, spatial);
        let (frame, value) = (frame?, value?);
        let value = self.expressions().polar(value);
        let force = self.load(part, value, spatial)?;
        self.add_frame_force(frame, force, part.place);
        Some(([frame; 2], PLANE_NORMAL))
    }

    fn applied_torque(&mut self, part: &PartSyntax, at: &Expr, value: &Expr) -> Option<Shown> {
        let spatial = self.loaded(at)?;
        let what = format!("the torque `{}`", part.name.ident.unraw());
        let value = self.torque_value(value, spatial, DerivedUnit::TORQUE, &what);
        let frame = self.expressions().frame(at, spatial);
        let (frame, value) = (frame?, value?);
        let value = self.expressions().axial(value);
        let torque = self.load(part, value, spatial)?;
        self.add_body_torque(frame.body, torque, part.place);
        Some(([frame; 2], PLANE_NORMAL))
    }

    /// A number in the plane, else a vector.
    pub fn torque_value(&mut self, value: &Expr, spatial: bool, unit: DerivedUnit, what: &str) -> Option<Vector> {
        if spatial {
            return self.expressions().vector(value, true, Context::Force, unit, what);
        }
        let zero = self.graph().zero();
        Some([zero, zero, self.expressions().derived_value(value, Context::Force, unit, what)?])
    }

    fn both_frames(&mut self, part: &PartSyntax, (first, second): (&Expr, &Expr)) -> Option<(Frame, Frame, bool)> {
        let spatial = self.kind_of_bodies(part)?;
        let (first, second) = (self.expressions().frame(first, spatial), self.expressions().frame(second, spatial));
        Some((first?, second?, spatial))
    }

    /// Pulls its ends together with a force along the line between them.
    fn spring(&mut self, part: &PartSyntax, ends: (&Expr, &Expr), position: usize) -> Option<Shown> {
        let (first, second, _) = self.both_frames(part, ends)?;
        let graph = self.graph();
        let (from, to) = (first.position(graph), second.position(graph));
        let gap = vector::subtract(graph, to, from);
        let length = vector::length(graph, gap);
        // by the velocity of the gap: the second derivatives of its components are simple, those of its length are not
        let velocity = vector::rate(graph, gap);
        let along = vector::dot(graph, gap, velocity);
        let rate = graph.divide(along, length);
        self.expressions().parts.elements[position].length = Some(length);
        let pull = self.characteristic(part, SPRING, (length, rate), Sense::default())?;
        self.expressions().parts.elements[position].force = Some(pull);
        let graph = self.graph();
        let per_length = graph.divide(pull, length);
        let force = vector::scale(graph, per_length, gap);
        let opposite = vector::negate(graph, force);
        self.add_frame_force(first, force, part.place);
        self.add_frame_force(second, opposite, part.place);
        Some(([first, second], PLANE_NORMAL))
    }

    /// Turns its ends towards each other about an axis of the first.
    fn torsional(&mut self, part: &PartSyntax, ends: (&Expr, &Expr), position: usize) -> Option<Shown> {
        let (first, second, spatial) = self.both_frames(part, ends)?;
        let axis = match option(part, "axis") {
            Some(axis) if spatial => {
                let axis = self.expressions().direction(axis, true)?;
                self.expressions().reflection.axis(axis)
            }
            None if !spatial => PLANE_NORMAL,
            Some(axis) => {
                return self.refuse(axis.place, "planar bodies turn about one axis only; leave the axis out");
            }
            None => {
                let message = "a torsional element between spatial bodies has an axis, in the first frame; write e.g. \
                               `axis = (0, 0, 1)`";
                return self.refuse(part.place, message);
            }
        };
        let graph = self.graph();
        let angle = Ends { first, second, axis }.angle(graph, spatial);
        let along = first.direction(graph, axis);
        let (of_first, of_second) = (angular_velocity(graph, first.body), angular_velocity(graph, second.body));
        let relative = vector::subtract(graph, of_second, of_first);
        let rate = vector::dot(graph, relative, along);
        self.expressions().parts.elements[position].axis = axis;
        self.expressions().parts.elements[position].angle = Some(angle);
        let torque = self.characteristic(part, TORSIONAL, (angle, rate), Sense::about(axis))?;
        self.expressions().parts.elements[position].torque = Some(torque);
        let graph = self.graph();
        let torque = vector::scale(graph, torque, along);
        let opposite = vector::negate(graph, torque);
        self.add_body_torque(first.body, torque, part.place);
        self.add_body_torque(second.body, opposite, part.place);
        Some(([first, second], axis))
    }

    /// Springs and dampers along and about the axes of the first frame.
    fn bushing(&mut self, part: &PartSyntax, ends: (&Expr, &Expr)) -> Option<Shown> {
        let (first, second, spatial) = self.both_frames(part, ends)?;
        let graph = self.graph();
        let axes = first.axes(graph);
        let (from, to, of_second) = (first.position(graph), second.position(graph), second.axes(graph));
        let back = vector::transpose(axes);
        let gap = vector::subtract(graph, to, from);
        let displacement = vector::apply(graph, back, gap);
        let rate = vector::rate(graph, displacement);
        let force = self.along_axes(part, SPRING, displacement, rate, spatial)?;
        if let Some(force) = force {
            let graph = self.graph();
            let force = vector::apply(graph, axes, force);
            let opposite = vector::negate(graph, force);
            self.add_frame_force(second, opposite, part.place);
            // on the first body at the same place, or force and opposite force would turn the pair
            let origin = origin(self.graph(), first.body);
            let lever = vector::subtract(self.graph(), to, origin);
            self.add_body_force(first.body, force, lever, part.place);
        }
        let turn = if spatial {
            let graph = self.graph();
            let relative = vector::product(graph, back, of_second);
            let half = graph.constant(0.5);
            [(2, 1), (0, 2), (1, 0)].map(|(i, j)| {
                let difference = graph.subtract(relative[i][j], relative[j][i]);
                graph.multiply(half, difference)
            })
        } else {
            let graph = self.graph();
            let zero = graph.zero();
            let ends = Ends { first, second, axis: PLANE_NORMAL };
            [zero, zero, ends.planar_turn(graph)]
        };
        let graph = self.graph();
        let (slow, fast) = (angular_velocity(graph, first.body), angular_velocity(graph, second.body));
        let relative = vector::subtract(graph, fast, slow);
        let spin = vector::apply(graph, back, relative);
        let torque = self.along_axes(part, BUSHING_TORQUE, turn, spin, spatial)?;
        if let Some(torque) = torque {
            let graph = self.graph();
            let torque = vector::apply(graph, axes, torque);
            let opposite = vector::negate(graph, torque);
            self.add_body_torque(first.body, torque, part.place);
            self.add_body_torque(second.body, opposite, part.place);
        }
        if force.is_none() && torque.is_none() {
            let message = "this element has no force; give it e.g. `stiffness = (cx, cy)`";
            self.error(part.place, message);
        }
        Some(([first, second], PLANE_NORMAL))
    }
}
