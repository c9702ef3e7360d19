//! Measured quantities of bodies, joints and elements, which are allowed wherever an expression is.

use proc_macro2::Ident;
use syn::ext::IdentExt;

use costate_contract::nearest::nearest;

use super::energies::ENERGIES;
use super::{Context, Expressions, Progress};
use crate::diagnostic::Place;
use crate::dimension::{DerivedUnit, Measure, Measured};
use crate::lower::geometry::{Frame, Sense, Vector, angular_velocity, vector};
use crate::lower::kinds::ElementKind;
use crate::lower::names::{Kind, LetValue, MeasuredVector, Segment, Space, segments};
use crate::symbolic::Id;
use crate::syntax::ast::{AttachedSyntax, MemberSyntax, NameSyntax};

/// A measured quantity.
#[derive(Debug, Clone, Copy)]
pub struct MeasuredQuantity {
    pub value: Value,
    /// The unit of each component; the first is that of a number.
    pub units: [Measure; 3],
}

impl MeasuredQuantity {
    fn number(Measured { id, unit }: Measured) -> Self {
        MeasuredQuantity { value: Value::Number(id), units: [unit; 3] }
    }
}

/// The value of a measured quantity.
#[derive(Debug, Clone, Copy)]
pub enum Value {
    Number(Id),
    /// A vector, with `true` if it has three components and `false` if it has two.
    Vector(Vector, bool),
}

/// Measured quantities of points, frames and bodies.
const OF_FRAMES: [&str; 6] =
    ["position", "velocity", "acceleration", "angular_velocity", "angular_acceleration", "local_angular_velocity"];
const OF_JOINTS: [&str; 4] = ["reaction", "torque", "angle", "displacement"];
const OF_ELEMENTS: [&str; 4] = ["length", "angle", "force", "torque"];

/// Rates how surely the last of `members` is a vector: 2 for a vector, 1 for a vector in space and a number in the
/// plane, 0 for a number.
pub fn measured_rank(members: &[MemberSyntax]) -> u8 {
    let Some(last) = members.last() else { return 0 };
    match last.ident.unraw().to_string().as_str() {
        "position" | "velocity" | "acceleration" | "reaction" => 2,
        "angular_velocity" | "angular_acceleration" | "local_angular_velocity" | "torque" => 1,
        _ => 0,
    }
}

/// A body, joint or element, the space of its names, and the rest of the path after it.
type Part<'n> = (Kind, usize, Vec<Segment<'n>>);

fn words(kind: Kind) -> Vec<&'static str> {
    match kind {
        Kind::Body => OF_FRAMES.into_iter().chain(ENERGIES).collect(),
        Kind::BodyConnection => OF_FRAMES.to_vec(),
        Kind::Joint => OF_JOINTS.to_vec(),
        _ => OF_ELEMENTS.to_vec(),
    }
}

impl Expressions {
    /// Evaluates the measured quantity `name`; `None` if `name` is declared in the model, `Err` after an error.
    pub fn measured_quantity(&mut self, name: &NameSyntax) -> Result<Option<MeasuredQuantity>, ()> {
        if let Some(value) = self.let_value(name)? {
            return self.measure_let(value, name).ok_or(()).map(Some);
        }
        if name.members.is_empty() {
            return Ok(None);
        }
        let Some((kind, space, rest)) = self.part(name)? else { return Ok(None) };
        let [(word, ..), ref rest @ ..] = rest[..] else { return Ok(None) };
        let text = word.unraw().to_string();
        if self.names.table.of(space).get(&text).is_some() || self.names.table.of(space).is_unclear(&text) {
            return Ok(None);
        }
        if !words(kind).contains(&text.as_str()) {
            if !self.names.report.incomplete {
                let message = unknown_measure(self.names.table.of(space), kind, &text);
                self.error(word.span(), message);
            }
            return Err(());
        }
        let position = self.parts.by_space.get(&space).copied().ok_or(())?;
        let measured = match kind {
            Kind::Body if ENERGIES.contains(&text.as_str()) => {
                self.energy_of_body(position, word).map(MeasuredQuantity::number)
            }
            Kind::Body => {
                let body = *self.parts.bodies.get(position).ok_or(())?;
                let frame = Frame::of(Some(body), &mut self.graph);
                Some(self.measure_frame(frame, body.spatial, word))
            }
            Kind::BodyConnection => {
                let spatial = self.parts.connections.get(position).ok_or(())?.spatial;
                let owner = NameSyntax {
                    members: name.members[..name.members.len() - rest.len() - 1].to_vec(),
                    ..name.clone()
                };
                let frame = self.connected_frame(space, &owner).ok_or(())?;
                Some(self.measure_frame(frame, spatial, word))
            }
            Kind::Joint => self.measure_joint(position, word),
            _ => self.measure_element(position, word),
        };
        self.vector_component(measured.ok_or(())?, rest, name.place).ok_or(()).map(Some)
    }

    /// Evaluates the measured number `name`; `None` if `name` is declared in the model, `Err` after an error.
    pub fn measured_name(&mut self, name: &NameSyntax, context: Context) -> Result<Option<Measured>, ()> {
        let Some(measured) = self.measured_quantity(name)? else { return Ok(None) };
        let text = spelled(name, &name.members);
        self.measured_number(measured, name.place, &text, context).ok_or(()).map(Some)
    }

    /// Evaluates a number that is measured at a point of a body.
    pub fn measured_point(&mut self, attached: &AttachedSyntax, place: Place, context: Context) -> Option<Measured> {
        let measured = self.measured_at(attached)?;
        let text = spelled(&attached.body, &attached.members);
        self.measured_number(measured, place, &text, context)
    }

    /// Evaluates a quantity that is measured at a point of a body.
    pub fn measured_at(&mut self, attached: &AttachedSyntax) -> Option<MeasuredQuantity> {
        let (frame, spatial) = self.measured_frame(attached)?;
        self.parts.points.push((String::new(), frame));
        self.measure_members(frame, spatial, &attached.members, attached.body.place)
    }

    /// Evaluates a quantity that is measured of the value of a `let`.
    fn measure_let(&mut self, value: LetValue, name: &NameSyntax) -> Option<MeasuredQuantity> {
        let measured = match value {
            LetValue::Number(number) => MeasuredQuantity::number(number),
            LetValue::Vector(MeasuredVector { components, units }, three) => {
                MeasuredQuantity { value: Value::Vector(components, three), units }
            }
            LetValue::Frame(frame, spatial) => {
                let spatial = spatial.unwrap_or_default();
                return self.measure_members(frame, spatial, &name.members, name.place);
            }
        };
        self.vector_component(measured, &segments(name)[1..], name.place)
    }

    fn measure_members(
        &mut self,
        frame: Frame,
        spatial: bool,
        members: &[MemberSyntax],
        place: Place,
    ) -> Option<MeasuredQuantity> {
        let [member, rest @ ..] = members else {
            let message = "a point is not a value; write e.g. `.position.x` or `.velocity.x` after it";
            return self.refuse(place, message);
        };
        let text = member.ident.unraw().to_string();
        if !OF_FRAMES.contains(&text.as_str()) {
            let message = match nearest(&text, OF_FRAMES) {
                Some(known) => format!("a point has no member `{text}`; did you mean `{known}`?"),
                None => format!("a point has no member `{text}`; it has `{}`", OF_FRAMES.join("`, `")),
            };
            return self.refuse(member.ident.span(), message);
        }
        let measured = self.measure_frame(frame, spatial, &member.ident);
        let rest: Vec<Segment> =
            rest.iter().map(|member| (&member.ident, member.index.as_deref(), member.place)).collect();
        self.vector_component(measured, &rest, member.place)
    }

    /// Returns the measured number; reports an error for a vector.
    fn measured_number(
        &mut self,
        measured: MeasuredQuantity,
        place: Place,
        text: &str,
        context: Context,
    ) -> Option<Measured> {
        match measured.value {
            Value::Number(id) => self.allowed(Measured { id, unit: measured.units[0] }, place, text, context),
            Value::Vector(..) => {
                self.refuse(place, "expected a number, found a vector; write one of its components, `.x`")
            }
        }
    }

    /// Follows a path to a body, joint or element, and returns it with the space of its names and the rest of the
    /// path.
    fn part<'n>(&mut self, name: &'n NameSyntax) -> Result<Option<Part<'n>>, ()> {
        let mut space = self.names.table.entered();
        let mut path = String::new();
        let segments = segments(name);
        for (i, &segment) in segments.iter().enumerate() {
            let kind = self.names.table.of(space).get(&segment.0.unraw().to_string()).map(|declared| declared.kind);
            let Some(kind) = kind.filter(|kind| kind.has_members()) else { return Ok(None) };
            space = self.names.element(space, &path, segment, Some(kind)).ok_or(())?.1;
            if kind != Kind::Instance {
                return Ok(Some((kind, space, segments[i + 1..].to_vec())));
            }
            self.names.push_segment(&mut path, segment);
            path.push('.');
        }
        Ok(None)
    }

    /// Selects `.x`, `.y` or `.z` of a vector, if the path continues with it.
    fn vector_component(
        &mut self,
        measured: MeasuredQuantity,
        rest: &[Segment],
        place: Place,
    ) -> Option<MeasuredQuantity> {
        let [(ident, index, _), further @ ..] = rest else { return Some(measured) };
        let Value::Vector(vector, three) = measured.value else {
            return self.refuse(ident.span(), "a number has no members; leave this out");
        };
        let names = if three { ["x", "y", "z"].as_slice() } else { ["x", "y"].as_slice() };
        let found = names.iter().position(|name| *ident == name);
        match found {
            Some(i) if index.is_none() && further.is_empty() => {
                Some(MeasuredQuantity::number(Measured { id: vector[i], unit: measured.units[i] }))
            }
            Some(_) => self.refuse(place, "a component of a vector is a number; leave out what stands after it"),
            None => {
                let message = format!("a vector has no `{ident}`; its components are `{}`", names.join("`, `"));
                self.refuse(ident.span(), message)
            }
        }
    }

    fn measure_frame(&mut self, frame: Frame, spatial: bool, word: &Ident) -> MeasuredQuantity {
        let graph = &mut self.graph;
        let (vector, unit) = match word.unraw().to_string().as_str() {
            "position" => (frame.position(graph), DerivedUnit::LENGTH),
            "velocity" => {
                let position = frame.position(graph);
                (vector::rate(graph, position), DerivedUnit::VELOCITY)
            }
            "acceleration" => {
                let position = frame.position(graph);
                let velocity = vector::rate(graph, position);
                (vector::rate(graph, velocity), DerivedUnit::ACCELERATION)
            }
            word => {
                let velocity = match (word, frame.body) {
                    ("local_angular_velocity", Some(body)) => body.local_angular_velocity(graph),
                    _ => angular_velocity(graph, frame.body),
                };
                let (vector, unit) = match word {
                    "angular_acceleration" => (vector::rate(graph, velocity), DerivedUnit::ANGULAR_ACCELERATION),
                    _ => (velocity, DerivedUnit::ANGULAR_VELOCITY),
                };
                let vector = self.axial(vector);
                if !spatial {
                    return self.measured_in(Value::Number(vector[2]), unit);
                }
                return self.measured_in(Value::Vector(vector, spatial), unit);
            }
        };
        let vector = self.polar(vector);
        self.measured_in(Value::Vector(vector, spatial), unit)
    }

    fn measured_in(&self, value: Value, unit: DerivedUnit) -> MeasuredQuantity {
        MeasuredQuantity { value, units: [self.measure_in(unit); 3] }
    }

    fn measure_joint(&mut self, position: usize, word: &Ident) -> Option<MeasuredQuantity> {
        let joint = self.parts.joints.get(position)?;
        let (kind, spatial) = (joint.kind, joint.spatial);
        let Some(ends) = joint.ends else { return self.not_yet(word, joint.read) };
        let (value, unit) = match word.unraw().to_string().as_str() {
            "reaction" => {
                let force = ends.reaction(&mut self.graph, &joint.constraints).0;
                let force = self.polar(force);
                (Value::Vector(force, spatial), DerivedUnit::FORCE)
            }
            "torque" => {
                let torque = ends.reaction(&mut self.graph, &joint.constraints).1;
                let torque = self.axial(torque);
                let value = if spatial { Value::Vector(torque, true) } else { Value::Number(torque[2]) };
                (value, DerivedUnit::TORQUE)
            }
            "angle" if kind.has_angle() => {
                let angle = ends.angle(&mut self.graph, spatial);
                (Value::Number(self.sensed(angle, Sense::about(ends.axis))), DerivedUnit::NUMBER)
            }
            "displacement" if kind.has_displacement() => {
                let displacement = ends.displacement(&mut self.graph);
                (Value::Number(self.sensed(displacement, Sense::along(ends.axis))), DerivedUnit::LENGTH)
            }
            word_text => {
                let message = format!("a `{}` joint has no `{word_text}`", kind.name());
                return self.refuse(word.span(), format!("{message}; write `reaction` or `torque`"));
            }
        };
        Some(self.measured_in(value, unit))
    }

    fn measure_element(&mut self, position: usize, word: &Ident) -> Option<MeasuredQuantity> {
        let element = self.parts.elements.get(position).copied()?;
        let (value, unit) = match word.unraw().to_string().as_str() {
            "length" => (element.length, DerivedUnit::LENGTH),
            "angle" => (element.angle, DerivedUnit::NUMBER),
            "force" => (element.force, DerivedUnit::FORCE),
            _ => (element.torque, DerivedUnit::TORQUE),
        };
        if let Some(mut value) = value {
            if matches!(element.kind, ElementKind::Torsional) {
                value = self.sensed(value, Sense::about(element.axis));
            }
            return Some(self.measured_in(Value::Number(value), unit));
        }
        let kind = element.kind.name();
        let message = match (element.kind.measures(), element.progress) {
            (None, _) => {
                format!("nothing is measured of a `{kind}` element; measure the bodies that it acts on")
            }
            (Some([state, load]), _) if word != state && word != load => {
                format!("a `{kind}` element has no `{word}`; it has `{state}` and `{load}`")
            }
            (Some([state, _]), Progress::Reading) => {
                format!("`{word}` is not known inside of the element that it belongs to; write it by `{state}`")
            }
            (_, progress) => return self.not_yet(word, progress == Progress::Read),
        };
        self.refuse(word.span(), message)
    }

    /// Reports a quantity of a joint or an element whose block is further below, where it is not known yet.
    fn not_yet(&mut self, word: &Ident, read: bool) -> Option<MeasuredQuantity> {
        if !read && !self.names.report.cut_short {
            let message = format!("`{word}` is not known yet; move the block of the joint or element above this one");
            self.error(word.span(), message);
        }
        None
    }
}

/// Writes a name for messages, without indices and arguments.
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
        _ if kind == Kind::BodyConnection && ["x", "y", "z"].contains(&name) => {
            format!("`{path}` is a connection to a frame, which has no coordinates; write `{path}.position.{name}`")
        }
        Some(known) => format!("`{path}` has no member `{name}`; did you mean `{known}`?"),
        None => format!("`{path}` has no member `{name}`; its members are `{}`", known.join("`, `")),
    }
}
