//! The text of spatial mechanisms.

use std::fmt::Write;

use super::{AXES, Body, Element, ElementKind, Frame, Joint, JointKind, Measure, Spatial, Triple};
use crate::models::text::{Text, list};
use crate::models::tree::Written;
use crate::models::units::Unit;

impl Spatial {
    pub(crate) fn text(&self, text: &Text<'_>, indent: &str) -> String {
        let mut written = String::new();
        let mut block = |word: &str, entries: Vec<String>| written.push_str(&list(word, &entries, indent));
        block("gravity", self.gravity.iter().map(|gravity| triple(gravity, text)).collect());
        block("bodies", self.bodies.iter().map(|body| body.text(text)).collect());
        block("joints", self.joints.iter().map(|joint| joint.text(text)).collect());
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
        let component = |name: &str, what: &str, i: usize| of(name, &format!("{what}.{}", AXES[i]));
        let of_frame = |frame: &Frame, what: &str, i: usize| format!("{}.{what}.{}", frame.text(text), AXES[i]);
        match measure {
            Measure::Position(frame, i) => of_frame(frame, "position", *i),
            Measure::Velocity(frame, i) => of_frame(frame, "velocity", *i),
            Measure::Acceleration(frame, i) => of_frame(frame, "acceleration", *i),
            Measure::AngularVelocity(body, i) => component(&self.bodies[*body].name, "angular_velocity", *i),
            Measure::LocalAngularVelocity(body, i) => component(&self.bodies[*body].name, "local_angular_velocity", *i),
            Measure::Length(element) => of(&self.elements[*element].name, "length"),
            Measure::SpringForce(element) => of(&self.elements[*element].name, "force"),
            Measure::Angle(joint) => of(&self.joints[*joint].name, "angle"),
            Measure::Displacement(joint) => of(&self.joints[*joint].name, "displacement"),
            Measure::Reaction(joint, i) => component(&self.joints[*joint].name, "reaction", *i),
        }
    }
}

impl Body {
    fn text(&self, text: &Text<'_>) -> String {
        let inertia: Vec<String> =
            self.moments.iter().chain(self.products.iter().flatten()).map(|entry| text.expr(entry)).collect();
        let center = self.center.as_ref().map(|center| format!(", center: {}", triple(center, text)));
        format!(
            "{}: spatial {{ mass: {}, inertia: ({}){} }}",
            (text.name)(&self.name),
            text.expr(&self.mass),
            inertia.join(", "),
            center.unwrap_or_default()
        )
    }
}

impl Joint {
    fn text(&self, text: &Text<'_>) -> String {
        let (kind, option) = match &self.kind {
            JointKind::Fixed => ("fixed", String::new()),
            JointKind::Revolute(axis) => ("revolute", format!(", axis = {}", direction(*axis))),
            JointKind::Prismatic(axis) => ("prismatic", format!(", axis = {}", direction(*axis))),
            JointKind::Cylindrical(axis) => ("cylindrical", format!(", axis = {}", direction(*axis))),
            JointKind::Spherical => ("spherical", String::new()),
            JointKind::Universal(axis, second) => {
                let (axis, second) = (direction(*axis), direction(*second));
                ("universal", format!(", axis = {axis}, second_axis = {second}"))
            }
            JointKind::Distance(length) => ("distance", format!(", length = {}", text.expr(length))),
        };
        let (first, second) = (self.first.text(text), self.second.text(text));
        format!("{}: {kind}({first}, {second}{option})", (text.name)(&self.name))
    }
}

impl Frame {
    fn text(&self, text: &Text<'_>) -> String {
        let mut written = self.body.as_ref().map_or("ground".to_owned(), |body| (text.name)(body));
        if let Some(at) = &self.at {
            let _ = write!(written, ".at{}", triple(at, text));
        }
        if let Some((axis, angle)) = &self.turned {
            let _ = write!(written, ".rotated({}, {})", direction(*axis), text.expr(angle));
        }
        written
    }
}

impl ElementKind {
    fn text(&self, text: &Text<'_>) -> String {
        match self {
            ElementKind::Force(at, force) => format!("force({}, {})", at.text(text), triple(force, text)),
            ElementKind::Torque(at, torque) => format!("torque({}, {})", at.text(text), triple(torque, text)),
            ElementKind::Spring(spring) => {
                let (first, second) = (spring.first.text(text), spring.second.text(text));
                format!("spring({first}, {second}{})", spring.law.text(text, "length", "force"))
            }
        }
    }
}

fn triple(values: &Triple<Written>, text: &Text<'_>) -> String {
    let [x, y, z] = values.each_ref().map(|value| text.expr(value));
    format!("({x}, {y}, {z})")
}

fn direction(axis: usize) -> &'static str {
    ["(1, 0, 0)", "(0, 1, 0)", "(0, 0, 1)"][axis]
}
