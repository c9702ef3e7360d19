//! Measured quantities of bodies, joints and elements, which stand wherever an expression may stand.

use proc_macro2::Ident;
use syn::ext::IdentExt;

use super::super::context::Context;
use super::super::lower::Lowering;
use super::super::names::{Kind, Space};
use super::super::path::{Segment, segments};
use super::frames::Frame;
use super::vector::{self, Vector};
use super::{Ends, Joint};
use crate::diagnostic::Place;
use crate::nearest::nearest;
use crate::symbolic::{Id, Symbol};
use crate::syntax::ast::{AttachedSyntax, MemberSyntax, NameSyntax};

/// What is measured.
#[derive(Debug, Clone, Copy)]
pub enum Measured {
    Number(Id),
    /// And whether it has three components, not two.
    Vector(Vector, bool),
}

/// What is measured of points, frames and bodies.
const OF_FRAMES: [&str; 6] = [
    "position",
    "velocity",
    "acceleration",
    "angular_velocity",
    "angular_acceleration",
    "local_angular_velocity",
];
const OF_JOINTS: [&str; 4] = ["reaction", "torque", "angle", "displacement"];
const OF_ELEMENTS: [&str; 4] = ["length", "angle", "force", "torque"];

/// How surely the last of the names behind a point is a vector: some are numbers in the plane.
pub fn measured_rank(members: &[MemberSyntax]) -> u8 {
    let Some(last) = members.last() else { return 0 };
    match last.ident.unraw().to_string().as_str() {
        "position" | "velocity" | "acceleration" | "reaction" => 2,
        "angular_velocity" | "angular_acceleration" | "local_angular_velocity" | "torque" => 1,
        _ => 0,
    }
}

/// A body, joint or element, the space of its names, and what stands behind it in a path.
type Part<'n> = (Kind, usize, Vec<Segment<'n>>);

fn words(kind: Kind) -> &'static [&'static str] {
    match kind {
        Kind::Body => &OF_FRAMES,
        Kind::Joint => &OF_JOINTS,
        _ => &OF_ELEMENTS,
    }
}

impl Lowering<'_> {
    /// What `name` measures; `None` if it names something declared. `Err` after an error.
    pub(super) fn measured_quantity(&mut self, name: &NameSyntax) -> Result<Option<Measured>, ()> {
        if name.members.is_empty() {
            return Ok(None);
        }
        let Some((kind, space, rest)) = self.part(name)? else { return Ok(None) };
        let [(word, ..), ref rest @ ..] = rest[..] else { return Ok(None) };
        let text = word.unraw().to_string();
        if self.names.of(space).get(&text).is_some() || self.names.of(space).is_unclear(&text) {
            return Ok(None);
        }
        if !words(kind).contains(&text.as_str()) {
            if !self.incomplete {
                let message = unknown_measure(self.names.of(space), kind, &text);
                self.error_at(word.span(), message);
            }
            return Err(());
        }
        let position = self.mechanism.by_space.get(&space).copied().ok_or(())?;
        let measured = match kind {
            Kind::Body => {
                let frame = self.frame_of(Some(position));
                let spatial = self.body(Some(position)).is_some_and(|body| body.spatial);
                self.measure_frame(frame, spatial, word)
            }
            Kind::Joint => self.measure_joint(position, word),
            _ => self.measure_element(position, word),
        };
        self.vector_component(measured.ok_or(())?, rest, name.place).ok_or(()).map(Some)
    }

    /// The number that `name` measures; `None` if it names something declared. `Err` after an error.
    pub(in crate::model) fn measured_name(
        &mut self,
        name: &NameSyntax,
        context: Context,
    ) -> Result<Option<Id>, ()> {
        let Some(measured) = self.measured_quantity(name)? else { return Ok(None) };
        let text = spelled(name, &name.members);
        self.measured_number(measured, name.place, &text, context).ok_or(()).map(Some)
    }

    /// The number that is measured at a point of a body.
    pub(in crate::model) fn measured_point(
        &mut self,
        attached: &AttachedSyntax,
        place: Place,
        context: Context,
    ) -> Option<Id> {
        let measured = self.measured_at(attached)?;
        let text = spelled(&attached.body, &attached.members);
        self.measured_number(measured, place, &text, context)
    }

    /// What is measured at a point of a body.
    pub(super) fn measured_at(&mut self, attached: &AttachedSyntax) -> Option<Measured> {
        let (frame, spatial) = self.measured_frame(attached)?;
        let [member, rest @ ..] = &*attached.members else {
            let message = "a point is not a value; write e.g. `.position.x` or `.velocity.x` behind it";
            self.error_at(attached.body.place, message);
            return None;
        };
        let text = member.ident.unraw().to_string();
        if !OF_FRAMES.contains(&text.as_str()) {
            let message = match nearest(&text, OF_FRAMES) {
                Some(known) => format!("a point has no member `{text}`; did you mean `{known}`?"),
                None => format!("a point has no member `{text}`; it has `{}`", OF_FRAMES.join("`, `")),
            };
            self.error_at(member.ident.span(), message);
            return None;
        }
        let measured = self.measure_frame(frame, spatial, &member.ident)?;
        let rest: Vec<Segment> =
            rest.iter().map(|member| (&member.ident, member.index.as_deref(), member.place)).collect();
        self.vector_component(measured, &rest, member.place)
    }

    /// The measured number; an error for a vector.
    fn measured_number(
        &mut self,
        measured: Measured,
        place: Place,
        text: &str,
        context: Context,
    ) -> Option<Id> {
        match measured {
            Measured::Number(id) => self.allowed(id, place, text, context),
            Measured::Vector(..) => {
                self.error_at(place, "expected a number, found a vector; write one of its components, `.x`");
                None
            }
        }
    }

    /// The body, joint or element that a path leads to, the space of its names, and what stands behind it.
    fn part<'n>(&mut self, name: &'n NameSyntax) -> Result<Option<Part<'n>>, ()> {
        let mut space = self.names.entered();
        let mut path = String::new();
        let segments = segments(name);
        for (i, &segment) in segments.iter().enumerate() {
            let kind = self.names.of(space).get(&segment.0.unraw().to_string()).map(|declared| declared.kind);
            let Some(kind) = kind.filter(|kind| kind.has_members()) else { return Ok(None) };
            space = self.element(space, &path, segment, Some(kind)).ok_or(())?.1;
            if kind != Kind::Instance {
                return Ok(Some((kind, space, segments[i + 1..].to_vec())));
            }
            self.push_segment(&mut path, segment);
            path.push('.');
        }
        Ok(None)
    }

    /// `.x`, `.y` or `.z` of a vector, if it stands there.
    fn vector_component(&mut self, measured: Measured, rest: &[Segment], place: Place) -> Option<Measured> {
        let [(ident, index, _), further @ ..] = rest else { return Some(measured) };
        let Measured::Vector(vector, three) = measured else {
            self.error_at(ident.span(), "a number has no members; leave this out");
            return None;
        };
        let names = if three { ["x", "y", "z"].as_slice() } else { ["x", "y"].as_slice() };
        let found = names.iter().position(|name| *ident == name);
        match found {
            Some(i) if index.is_none() && further.is_empty() => Some(Measured::Number(vector[i])),
            Some(_) => {
                self.error_at(place, "a component of a vector is a number; leave out what stands behind it");
                None
            }
            None => {
                let message =
                    format!("a vector has no `{ident}`; its components are `{}`", names.join("`, `"));
                self.error_at(ident.span(), message);
                None
            }
        }
    }

    fn measure_frame(&mut self, frame: Frame, spatial: bool, word: &Ident) -> Option<Measured> {
        let vector = match word.unraw().to_string().as_str() {
            "position" => self.position(frame),
            "velocity" => {
                let position = self.position(frame);
                vector::rate(&mut self.model.graph, position)
            }
            "acceleration" => {
                let position = self.position(frame);
                let velocity = vector::rate(&mut self.model.graph, position);
                vector::rate(&mut self.model.graph, velocity)
            }
            word => {
                let velocity = match (word, self.body(frame.body)) {
                    ("local_angular_velocity", Some(body)) => self.local_angular_velocity(body),
                    _ => self.angular_velocity(frame.body),
                };
                let vector = match word {
                    "angular_acceleration" => vector::rate(&mut self.model.graph, velocity),
                    _ => velocity,
                };
                if !spatial {
                    return Some(Measured::Number(vector[2]));
                }
                vector
            }
        };
        Some(Measured::Vector(vector, spatial))
    }

    fn measure_joint(&mut self, position: usize, word: &Ident) -> Option<Measured> {
        let joint = self.mechanism.joints.get(position)?.clone();
        let Some(ends) = joint.ends else { return self.not_yet(word) };
        let measured = match word.unraw().to_string().as_str() {
            "reaction" => Measured::Vector(self.reaction(&joint, ends).0, joint.spatial),
            "torque" => {
                let torque = self.reaction(&joint, ends).1;
                if joint.spatial { Measured::Vector(torque, true) } else { Measured::Number(torque[2]) }
            }
            "angle" if joint.kind.has_angle() => Measured::Number(self.joint_angle(&joint, ends)),
            "displacement" if joint.kind.has_displacement() => {
                Measured::Number(self.joint_displacement(ends))
            }
            word_text => {
                let message = format!("a `{}` joint has no `{word_text}`", joint.kind.name());
                self.error_at(word.span(), format!("{message}; write `reaction` or `torque`"));
                return None;
            }
        };
        Some(measured)
    }

    fn measure_element(&mut self, position: usize, word: &Ident) -> Option<Measured> {
        let element = self.mechanism.elements.get(position).copied()?;
        let value = match word.unraw().to_string().as_str() {
            "length" => element.length,
            "angle" => element.angle,
            "force" => element.force,
            _ => element.torque,
        };
        match value {
            Some(value) => Some(Measured::Number(value)),
            None if element.length.is_some() || element.angle.is_some() => {
                let known =
                    if element.length.is_some() { "`length` and `force`" } else { "`angle` and `torque`" };
                self.error_at(word.span(), format!("this element has no `{word}` here; it has {known}"));
                None
            }
            None => self.not_yet(word),
        }
    }

    /// What is measured of a joint or an element is known below it.
    fn not_yet(&mut self, word: &Ident) -> Option<Measured> {
        if self.diagnostics.is_empty() {
            let message =
                format!("`{word}` is not known yet; move the block of the joint or element above this one");
            self.error_at(word.span(), message);
        }
        None
    }

    /// Force and torque, in inertial axes, that the joint exerts on its second body, at the second frame.
    fn reaction(&mut self, joint: &Joint, ends: Ends) -> (Vector, Vector) {
        // Of a body on the ground, the ground gets the opposite.
        let (frame, opposite) = match ends.second.body {
            Some(_) => (ends.second, false),
            None => (ends.first, true),
        };
        let Some(body) = self.body(frame.body) else {
            let zero = vector::zero(&mut self.model.graph);
            return (zero, zero);
        };
        let count = if body.spatial { 7 } else { 3 };
        let generalized: Vec<Id> = (0..count).map(|i| self.constraint_force(joint, body.first + i)).collect();
        let (mut force, mut torque) = self.force_and_torque(body, &generalized);
        if opposite {
            force = vector::negate(&mut self.model.graph, force);
            torque = vector::negate(&mut self.model.graph, torque);
        }
        // from the origin of the body to the second frame
        let origin = self.origin(frame.body);
        let at = self.position(ends.second);
        let graph = &mut self.model.graph;
        let lever = vector::subtract(graph, at, origin);
        let moment = vector::cross(graph, lever, force);
        (force, vector::subtract(graph, torque, moment))
    }

    /// -C_q^T lambda of a joint's constraints in the direction of a coordinate.
    fn constraint_force(&mut self, joint: &Joint, coordinate: usize) -> Id {
        let mut sum = self.model.graph.zero();
        for i in joint.first..joint.first + joint.count {
            let constraint = self.model.constraint[i];
            let graph = &mut self.model.graph;
            let slope = graph.differentiate(constraint, Symbol::Coordinate(coordinate));
            let multiplier = graph.symbol(Symbol::Multiplier(i));
            let term = graph.multiply(slope, multiplier);
            sum = graph.subtract(sum, term);
        }
        sum
    }
}

/// A name for messages, without indices and arguments.
pub fn spelled(name: &NameSyntax, members: &[MemberSyntax]) -> String {
    let mut text = name.ident.unraw().to_string();
    for member in members {
        text.push('.');
        text.push_str(&member.ident.unraw().to_string());
    }
    text
}

fn unknown_measure(space: &Space, kind: Kind, name: &str) -> String {
    let mut known = space.names();
    known.extend(words(kind));
    let path = space.prefix.trim_end_matches('.');
    match nearest(name, known.iter().copied()) {
        Some(known) => format!("`{path}` has no member `{name}`; did you mean `{known}`?"),
        None => format!("`{path}` has no member `{name}`; its members are `{}`", known.join("`, `")),
    }
}
