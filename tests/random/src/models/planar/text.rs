//! The text of planar mechanisms.

use std::fmt::Write;

use super::{AXES, Body, Element, ElementKind, Frame, Joint, JointKind, Law, Measure, Pair, Planar};
use crate::models::text::{Text, list};
use crate::models::tree::Written;
use crate::models::units::Unit;

impl Planar {
    pub(crate) fn text(&self, text: &Text<'_>, indent: &str) -> String {
        let mut written = String::new();
        let pair = |(x, y): &Pair<Written>| format!("({}, {})", text.expr(x), text.expr(y));
        let mut block = |word: &str, entries: Vec<String>| written.push_str(&list(word, &entries, indent));
        block("gravity", self.gravity.iter().map(pair).collect());
        let body = |body: &Body| {
            let center = body.center.as_ref().map(|center| format!(", center: {}", pair(center)));
            let (mass, inertia) = (text.expr(&body.mass), text.expr(&body.inertia));
            let name = (text.name)(&body.name);
            format!("{name}: planar {{ mass: {mass}, inertia: {inertia}{} }}", center.unwrap_or_default())
        };
        block("bodies", self.bodies.iter().map(body).collect());
        let joint = |joint: &Joint| {
            let (kind, option) = match &joint.kind {
                JointKind::Fixed => ("fixed", String::new()),
                JointKind::Revolute => ("revolute", String::new()),
                JointKind::Prismatic((x, y)) => ("prismatic", format!(", axis = ({x}, {y})")),
                JointKind::PointOnLine((x, y)) => ("point_on_line", format!(", axis = ({x}, {y})")),
                JointKind::Distance(length) => ("distance", format!(", length = {}", text.expr(length))),
            };
            let (first, second) = (joint.first.text(text), joint.second.text(text));
            format!("{}: {kind}({first}, {second}{option})", (text.name)(&joint.name))
        };
        block("joints", self.joints.iter().map(joint).collect());
        let element = |element: &Element| format!("{}: {}", (text.name)(&element.name), element.kind.text(text));
        block("elements", self.elements.iter().map(element).collect());
        let output = |(name, unit, measure): &(String, Unit, Measure)| {
            format!("{}: {} = {}", (text.name)(name), unit.text, self.measure_text(measure, text))
        };
        block("outputs", self.outputs.iter().map(output).collect());
        written
    }

    fn measure_text(&self, measure: &Measure, text: &Text<'_>) -> String {
        let of = |name: &str, what: &str| format!("{}.{what}", (text.name)(name));
        match measure {
            Measure::Position(frame, i) => format!("{}.position.{}", frame.text(text), AXES[*i]),
            Measure::Velocity(frame, i) => format!("{}.velocity.{}", frame.text(text), AXES[*i]),
            Measure::Acceleration(frame, i) => format!("{}.acceleration.{}", frame.text(text), AXES[*i]),
            Measure::AngularVelocity(body) => of(&self.bodies[*body].name, "angular_velocity"),
            Measure::Length(element) => of(&self.elements[*element].name, "length"),
            Measure::SpringForce(element) => of(&self.elements[*element].name, "force"),
            Measure::Angle(joint) => of(&self.joints[*joint].name, "angle"),
            Measure::Reaction(joint, i) => of(&self.joints[*joint].name, &format!("reaction.{}", AXES[*i])),
            Measure::Displacement(joint) => of(&self.joints[*joint].name, "displacement"),
        }
    }
}

impl Frame {
    fn text(&self, text: &Text<'_>) -> String {
        let mut written = self.body.as_ref().map_or("ground".to_owned(), |body| (text.name)(body));
        if let Some((x, y)) = &self.at {
            let _ = write!(written, ".at({}, {})", text.expr(x), text.expr(y));
        }
        if let Some(angle) = &self.turned {
            let _ = write!(written, ".rotated({})", text.expr(angle));
        }
        written
    }
}

impl Law {
    /// The options of an element with this law, with the names of what is no force and of the force beside.
    pub(crate) fn text(&self, text: &Text<'_>, rest: &str, beside: &str) -> String {
        let options =
            [("stiffness", &self.stiffness), ("damping", &self.damping), (rest, &self.rest), (beside, &self.beside)];
        let given = options.iter().filter_map(|(name, value)| Some((name, value.as_ref()?)));
        given.map(|(name, value)| format!(", {name} = {}", text.expr(value))).collect()
    }
}

impl ElementKind {
    fn text(&self, text: &Text<'_>) -> String {
        let pair = |(x, y): &Pair<Written>| format!("({}, {})", text.expr(x), text.expr(y));
        match self {
            ElementKind::Force(at, force, frame) => {
                let frame = frame.as_ref().map(|frame| format!(", frame = {}", frame.text(text)));
                format!("force({}, {}{})", at.text(text), pair(force), frame.unwrap_or_default())
            }
            ElementKind::Torque(at, torque) => format!("torque({}, {})", at.text(text), text.expr(torque)),
            ElementKind::Spring(p, q, own) => {
                format!("spring({}, {}{})", p.text(text), q.text(text), own.text(text, "length", "force"))
            }
            ElementKind::Torsional(p, q, own) => {
                format!("torsional({}, {}{})", p.text(text), q.text(text), own.text(text, "angle", "torque"))
            }
            ElementKind::Bushing(p, q, stiffness, damping, torsional) => {
                let (stiffness, damping, torsional) = (pair(stiffness), pair(damping), text.expr(torsional));
                let options =
                    format!("stiffness = {stiffness}, damping = {damping}, torsional_stiffness = {torsional}");
                format!("bushing({}, {}, {options})", p.text(text), q.text(text))
            }
        }
    }
}
