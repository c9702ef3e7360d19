//! Force elements: applied forces and torques, springs and dampers, bushings.

use syn::ext::IdentExt;

use super::super::context::Context;
use super::super::kinds::Family;
use super::super::lower::Lowering;
use super::super::names::Kind;
use super::element_kinds::ElementKind;
use super::frames::Frame;
use super::options::{option, option_of};
use super::vector::{self, Vector};
use super::{Element, Progress};
use crate::dimension::DerivedUnit;
use crate::symbolic::Id;
use crate::syntax::ast::{DeclaredIndex, Expr, PartSyntax};

/// The options that make a force or a torque, with their units.
#[derive(Clone, Copy)]
struct Law {
    stiffness: (&'static str, DerivedUnit),
    damping: (&'static str, DerivedUnit),
    rest: (&'static str, DerivedUnit),
    more: (&'static str, DerivedUnit),
    is_torque: bool,
}

const SPRING: Law = Law {
    stiffness: ("stiffness", DerivedUnit::STIFFNESS),
    damping: ("damping", DerivedUnit::DAMPING),
    rest: ("length", DerivedUnit::LENGTH),
    more: ("force", DerivedUnit::FORCE),
    is_torque: false,
};

const TORSIONAL: Law = Law {
    stiffness: ("stiffness", DerivedUnit::TORQUE),
    damping: ("damping", DerivedUnit::TORSIONAL_DAMPING),
    rest: ("angle", DerivedUnit::NUMBER),
    more: ("torque", DerivedUnit::TORQUE),
    is_torque: true,
};

const BUSHING_TORQUE: Law = Law {
    stiffness: ("torsional_stiffness", DerivedUnit::TORQUE),
    damping: ("torsional_damping", DerivedUnit::TORSIONAL_DAMPING),
    ..TORSIONAL
};

impl Lowering<'_> {
    pub(in crate::model) fn declare_element(&mut self, part: &PartSyntax) {
        let ident = &part.name.ident;
        if let Some(DeclaredIndex::Range(range)) = &part.name.index {
            let message = "elements are declared one by one; write `for i in ... { name[i]: ... }`";
            self.error_at(range.place, message);
            self.names.mark_unclear(ident);
            return;
        }
        let name = part.kind.unraw().to_string();
        let Some(kind) = ElementKind::ALL.into_iter().find(|kind| kind.name() == name) else {
            let message = match name.as_str() {
                "gravity" => "gravity acts on all bodies; write the block `gravity { (0, -g) }`".to_owned(),
                _ => self.unknown_kind(&name, Family::Element),
            };
            self.error_at(part.kind.span(), message);
            self.names.mark_unclear(ident);
            return;
        };
        for index in self.declared_indices(&part.name) {
            let position = self.mechanism.elements.len();
            if !self.add_part(Kind::Element, ident, index, name.clone(), &part.documentation, position) {
                break;
            }
            self.mechanism.elements.push(Element::new(kind));
        }
    }

    pub(in crate::model) fn lower_element(&mut self, part: &PartSyntax) {
        let name = part.name.ident.unraw().to_string();
        for index in self.declared_indices(&part.name) {
            let Some(space) = self.names.here().position(&name, index, Kind::Element) else { continue };
            let Some(&position) = self.mechanism.by_space.get(&space) else { continue };
            self.mechanism.elements[position].progress = Progress::Reading;
            self.add_element(part, position);
            self.mechanism.elements[position].progress = Progress::Read;
        }
    }

    fn add_element(&mut self, part: &PartSyntax, position: usize) -> Option<()> {
        let kind = self.mechanism.elements[position].kind;
        self.check_options(&part.options, kind.options(), &format!("a `{}` element", kind.name()), " = ")?;
        let [first, second] = &*part.arguments else {
            self.error_at(part.place, format!("expected 2 arguments; write `{}`", kind.signature()));
            return None;
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
        let (body, place) = self.carrier(expr)?;
        let Some(body) = self.body(body) else {
            self.error_at(place, "a load on the ground moves nothing; name a body");
            return None;
        };
        Some(body.spatial)
    }

    /// A vector, given in the axes of the option `frame` if there is one.
    fn load(&mut self, part: &PartSyntax, value: Vector, spatial: bool) -> Option<Vector> {
        let Some(frame) = option(part, "frame") else { return Some(value) };
        let frame = self.frame(frame, spatial)?;
        let axes = self.axes(frame);
        Some(vector::apply(&mut self.graph, axes, value))
    }

    fn applied_force(&mut self, part: &PartSyntax, at: &Expr, value: &Expr) -> Option<()> {
        let spatial = self.loaded(at)?;
        let what = format!("the force `{}`", part.name.ident.unraw());
        let value = self.vector(value, spatial, Context::Force, DerivedUnit::FORCE, &what);
        let frame = self.frame(at, spatial);
        let (frame, value) = (frame?, value?);
        let force = self.load(part, value, spatial)?;
        self.add_frame_force(frame, force, part.place);
        Some(())
    }

    fn applied_torque(&mut self, part: &PartSyntax, at: &Expr, value: &Expr) -> Option<()> {
        let spatial = self.loaded(at)?;
        let what = format!("the torque `{}`", part.name.ident.unraw());
        let value = self.torque_value(value, spatial, DerivedUnit::TORQUE, &what);
        let frame = self.frame(at, spatial);
        let (frame, value) = (frame?, value?);
        let torque = self.load(part, value, spatial)?;
        self.add_body_torque(frame.body, torque, part.place);
        Some(())
    }

    /// A number in the plane, else a vector.
    fn torque_value(&mut self, value: &Expr, spatial: bool, unit: DerivedUnit, what: &str) -> Option<Vector> {
        if spatial {
            return self.vector(value, true, Context::Force, unit, what);
        }
        let zero = self.graph.zero();
        Some([zero, zero, self.derived_value(value, Context::Force, unit, what)?])
    }

    fn both_frames(
        &mut self,
        part: &PartSyntax,
        (first, second): (&Expr, &Expr),
    ) -> Option<(Frame, Frame, bool)> {
        let spatial = self.kind_of_bodies(part)?;
        let (first, second) = (self.frame(first, spatial), self.frame(second, spatial));
        Some((first?, second?, spatial))
    }

    /// stiffness (x - rest) + damping x' + more, each if it is given.
    fn characteristic(&mut self, part: &PartSyntax, law: Law, x: Id, rate: Id) -> Option<Id> {
        let mut number = |(name, unit)| self.number_option(part, name, Context::Force, unit);
        let (stiffness, damping) = (number(law.stiffness), number(law.damping));
        let (rest, more) = (number(law.rest), number(law.more));
        let (stiffness, damping, rest, more) = (stiffness?, damping?, rest?, more?);
        if stiffness.is_none() && damping.is_none() && more.is_none() {
            let message = "this element has no force; give it e.g. `stiffness = c` or `damping = d`";
            self.error_at(part.place, message);
            return None;
        }
        let graph = &mut self.graph;
        let stretch = rest.map_or(x, |rest| graph.subtract(x, rest));
        let mut sum = graph.zero();
        for (factor, state) in [(stiffness, stretch), (damping, rate)] {
            if let Some(factor) = factor {
                let term = graph.multiply(factor, state);
                sum = graph.add(sum, term);
            }
        }
        Some(more.map_or(sum, |more| graph.add(sum, more)))
    }

    /// Pulls its ends together with a force along the line between them.
    fn spring(&mut self, part: &PartSyntax, ends: (&Expr, &Expr), position: usize) -> Option<()> {
        let (first, second, _) = self.both_frames(part, ends)?;
        let (from, to) = (self.position(first), self.position(second));
        let graph = &mut self.graph;
        let gap = vector::subtract(graph, to, from);
        let length = vector::length(graph, gap);
        let rate = graph.time_derivative(length);
        self.mechanism.elements[position].length = Some(length);
        let pull = self.characteristic(part, SPRING, length, rate)?;
        self.mechanism.elements[position].force = Some(pull);
        let graph = &mut self.graph;
        let per_length = graph.divide(pull, length);
        let force = vector::scale(graph, per_length, gap);
        let opposite = vector::negate(graph, force);
        self.add_frame_force(first, force, part.place);
        self.add_frame_force(second, opposite, part.place);
        Some(())
    }

    /// Turns its ends towards each other about an axis of the first.
    fn torsional(&mut self, part: &PartSyntax, ends: (&Expr, &Expr), position: usize) -> Option<()> {
        let (first, second, spatial) = self.both_frames(part, ends)?;
        let axis = match option(part, "axis") {
            Some(axis) if spatial => self.direction(axis, true)?,
            None if !spatial => [0.0, 0.0, 1.0],
            Some(axis) => {
                self.error_at(axis.place, "planar bodies turn about one axis only; leave the axis out");
                return None;
            }
            None => {
                let message = "a torsional element between spatial bodies has an axis, in the first frame; write e.g. \
                               `axis = (0, 0, 1)`";
                self.error_at(part.place, message);
                return None;
            }
        };
        let angle = self.relative_angle(first, second, axis, spatial);
        let along = self.direction_of(first, axis);
        let (of_first, of_second) = (self.angular_velocity(first.body), self.angular_velocity(second.body));
        let graph = &mut self.graph;
        let relative = vector::subtract(graph, of_second, of_first);
        let rate = vector::dot(graph, relative, along);
        self.mechanism.elements[position].angle = Some(angle);
        let torque = self.characteristic(part, TORSIONAL, angle, rate)?;
        self.mechanism.elements[position].torque = Some(torque);
        let graph = &mut self.graph;
        let torque = vector::scale(graph, torque, along);
        let opposite = vector::negate(graph, torque);
        self.add_body_torque(first.body, torque, part.place);
        self.add_body_torque(second.body, opposite, part.place);
        Some(())
    }

    /// Springs and dampers along and about the axes of the first frame.
    fn bushing(&mut self, part: &PartSyntax, ends: (&Expr, &Expr)) -> Option<()> {
        let (first, second, spatial) = self.both_frames(part, ends)?;
        let axes = self.axes(first);
        let (from, to, of_second) = (self.position(first), self.position(second), self.axes(second));
        let graph = &mut self.graph;
        let back = vector::transpose(axes);
        let gap = vector::subtract(graph, to, from);
        let displacement = vector::apply(graph, back, gap);
        let rate = vector::rate(graph, displacement);
        let force = self.along_axes(part, SPRING, displacement, rate, spatial)?;
        if let Some(force) = force {
            let graph = &mut self.graph;
            let force = vector::apply(graph, axes, force);
            let opposite = vector::negate(graph, force);
            self.add_frame_force(second, opposite, part.place);
            // on the first body at the same place, lest force and opposite turn the pair
            let origin = self.origin(first.body);
            let lever = vector::subtract(&mut self.graph, to, origin);
            self.add_body_force(first.body, force, lever, part.place);
        }
        let turn = if spatial {
            let graph = &mut self.graph;
            let relative = vector::product(graph, back, of_second);
            let half = graph.constant(0.5);
            [(2, 1), (0, 2), (1, 0)].map(|(i, j)| {
                let difference = graph.subtract(relative[i][j], relative[j][i]);
                graph.multiply(half, difference)
            })
        } else {
            let zero = self.graph.zero();
            [zero, zero, self.relative_angle(first, second, [0.0, 0.0, 1.0], false)]
        };
        let (slow, fast) = (self.angular_velocity(first.body), self.angular_velocity(second.body));
        let graph = &mut self.graph;
        let relative = vector::subtract(graph, fast, slow);
        let spin = vector::apply(graph, back, relative);
        let torque = self.along_axes(part, BUSHING_TORQUE, turn, spin, spatial)?;
        if let Some(torque) = torque {
            let graph = &mut self.graph;
            let torque = vector::apply(graph, axes, torque);
            let opposite = vector::negate(graph, torque);
            self.add_body_torque(first.body, torque, part.place);
            self.add_body_torque(second.body, opposite, part.place);
        }
        if force.is_none() && torque.is_none() {
            let message = "this element has no force; give it e.g. `stiffness = (cx, cy)`";
            self.error_at(part.place, message);
        }
        Some(())
    }

    /// Forces along the three axes, or torques about them; `None` if neither stiffness nor damping is given. The outer
    /// `None` after an error.
    fn along_axes(
        &mut self,
        part: &PartSyntax,
        law: Law,
        state: Vector,
        rate: Vector,
        spatial: bool,
    ) -> Option<Option<Vector>> {
        let mut sum: Option<Vector> = None;
        for ((name, unit), state) in [law.stiffness, law.damping].into_iter().zip([state, rate]) {
            let Some(value) = option(part, name) else { continue };
            let what = option_of(part, name);
            let factors = if law.is_torque {
                self.torque_value(value, spatial, unit, &what)?
            } else {
                self.vector(value, spatial, Context::Force, unit, &what)?
            };
            let graph = &mut self.graph;
            let terms = [0, 1, 2].map(|i| graph.multiply(factors[i], state[i]));
            sum = Some(sum.map_or(terms, |sum| vector::add(graph, sum, terms)));
        }
        Some(sum)
    }
}
