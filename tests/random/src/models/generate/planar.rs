//! Random planar mechanisms: a chain of bodies from the ground, with a joint and an element between two of them.

use rand::Rng;

use super::Generator;
use super::expression::{Allowed, rounded};
use super::names::{Kinds, Names};
use crate::models::planar::{Body, Element, ElementKind, Frame, Joint, JointKind, Law, Measure, Planar};
use crate::models::tree::{Block, Path, Written, call, multiply, negate};
use crate::models::units::{
    ACCELERATION, DAMPING, Dimension, ENERGY, FORCE, INERTIA, LENGTH, MASS, ONE, STIFFNESS, TIME,
};

impl Generator {
    pub(super) fn planar_bodies(&mut self, names: &mut Names) -> Option<Block> {
        let bodies: Vec<Body> = (0..self.random.random_range(1..3)).map(|_| self.body(names)).collect();
        for body in &bodies {
            let path = Path::name(&body.name);
            names.add_coordinate(&path.member("x"), LENGTH);
            names.add_coordinate(&path.member("y"), LENGTH);
            names.add_coordinate(&path.member("angle"), ONE);
        }
        let gravity = self.chance(0.7).then(|| {
            let allowed = Allowed { names, kinds: Kinds::FORCE };
            (self.expr(ACCELERATION, allowed, 1), negate(self.expr(ACCELERATION, allowed, 2)))
        });
        let (mut joints, mut elements) = (Vec::new(), Vec::new());
        for (i, body) in bodies.iter().enumerate() {
            let before = i.checked_sub(1).map(|i| bodies[i].name.clone());
            if self.chance(0.7) {
                joints.push(self.joint(names, before.clone(), &body.name));
            }
            if self.chance(0.8) {
                let own = Some(body.name.clone());
                elements.push(Element { name: self.name(), kind: self.element(names, before, own) });
            }
        }
        let mut planar = Planar { gravity, bodies, joints, elements, outputs: Vec::new() };
        for _ in 0..self.random.random_range(0..3) {
            let (measure, dimension) = self.measure(names, &planar);
            let output = (self.name(), self.unit(dimension), measure);
            planar.outputs.push(output);
        }
        Some(Block::Planar(planar))
    }

    fn body(&mut self, names: &Names) -> Body {
        let allowed = Allowed { names, kinds: Kinds::PARAMETERS };
        let (mass, inertia) = (self.positive(MASS, allowed, 1), self.positive(INERTIA, allowed, 1));
        let center = self.chance(0.4).then(|| self.pair(LENGTH, allowed, 1));
        Body { name: self.name(), mass, inertia, center }
    }

    fn pair(&mut self, dimension: Dimension, allowed: Allowed<'_>, depth: usize) -> (Written, Written) {
        (self.expr(dimension, allowed, depth), self.expr(dimension, allowed, depth))
    }

    fn frame(&mut self, names: &Names, body: Option<String>) -> Frame {
        let allowed = Allowed { names, kinds: Kinds::PARAMETERS };
        let at = self.chance(0.8).then(|| self.pair(LENGTH, allowed, 1));
        let turned = self.chance(0.3).then(|| self.number(ONE));
        Frame { body, at, turned }
    }

    fn axis(&mut self) -> (f64, f64) {
        (rounded(self.random.random_range(-1.0..1.0)), rounded(self.random.random_range(0.2..1.0)))
    }

    fn joint(&mut self, names: &Names, before: Option<String>, body: &str) -> Joint {
        let (first, second) = (self.frame(names, before), self.frame(names, Some(body.to_owned())));
        let kind = match self.random.random_range(0..6) {
            0 => JointKind::Fixed,
            1 | 2 => JointKind::Revolute,
            3 => JointKind::Prismatic(self.axis()),
            4 => JointKind::PointOnLine(self.axis()),
            _ => JointKind::Distance(self.positive(LENGTH, Allowed { names, kinds: Kinds::PARAMETERS }, 1)),
        };
        Joint { name: self.name(), kind, first, second }
    }

    fn law(&mut self, names: &Names, length: Dimension, force: Dimension) -> Law {
        let allowed = Allowed { names, kinds: Kinds::FORCE };
        Law {
            stiffness: Some(self.positive(force - length, allowed, 1)),
            damping: self.chance(0.5).then(|| self.positive(force - length + TIME, allowed, 1)),
            rest: self.chance(0.5).then(|| self.expr(length, allowed, 1)),
            beside: self.chance(0.3).then(|| self.expr(force, allowed, 1)),
        }
    }

    fn element(&mut self, names: &Names, before: Option<String>, body: Option<String>) -> ElementKind {
        let allowed = Allowed { names, kinds: Kinds::FORCE };
        let (p, mut q) = (self.frame(names, before), self.frame(names, body));
        match self.random.random_range(0..5) {
            0 => {
                let frame = self.chance(0.4).then(|| p.clone());
                ElementKind::Force(q, self.pair(FORCE, allowed, 2), frame)
            }
            1 => ElementKind::Torque(q, self.expr(ENERGY, allowed, 2)),
            2 => {
                // the ends lie apart
                let wave =
                    |generator: &mut Generator| multiply(generator.number(LENGTH), call("exp", generator.number(ONE)));
                q.at = Some((wave(self), wave(self)));
                ElementKind::Spring(p, q, self.law(names, LENGTH, FORCE))
            }
            3 => ElementKind::Torsional(p, q, self.law(names, ONE, ENERGY)),
            _ => {
                let (stiffness, damping) = (self.pair(STIFFNESS, allowed, 1), self.pair(DAMPING, allowed, 1));
                ElementKind::Bushing(p, q, stiffness, damping, self.positive(ENERGY, allowed, 1))
            }
        }
    }

    fn measure(&mut self, names: &Names, planar: &Planar) -> (Measure, Dimension) {
        let body = self.random.random_range(0..planar.bodies.len());
        let frame = self.frame(names, Some(planar.bodies[body].name.clone()));
        let i = self.random.random_range(0..2);
        let spring = planar.elements.iter().position(|element| matches!(element.kind, ElementKind::Spring(..)));
        let pin = planar.joints.iter().position(|joint| matches!(joint.kind, JointKind::Revolute));
        let rail = planar.joints.iter().position(|joint| matches!(joint.kind, JointKind::Prismatic(_)));
        match (self.random.random_range(0..9), spring, pin, rail) {
            (0, Some(spring), ..) => (Measure::Length(spring), LENGTH),
            (1, Some(spring), ..) => (Measure::SpringForce(spring), FORCE),
            (2, _, Some(pin), _) => (Measure::Angle(pin), ONE),
            (3, _, Some(pin), _) => (Measure::Reaction(pin, i), FORCE),
            (4, _, _, Some(rail)) => (Measure::Displacement(rail), LENGTH),
            (5, ..) => (Measure::AngularVelocity(body), ONE - TIME),
            (6, ..) => (Measure::Velocity(frame, i), LENGTH - TIME),
            (7, ..) => (Measure::Acceleration(frame, i), ACCELERATION),
            _ => (Measure::Position(frame, i), LENGTH),
        }
    }
}
