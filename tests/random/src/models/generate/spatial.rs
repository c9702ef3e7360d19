//! Random spatial mechanisms: a chain of one or two bodies from the ground, with joints and force elements.

use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;

use super::Generator;
use super::expression::Allowed;
use super::names::{Kinds, Names};
use crate::models::planar::Law;
use crate::models::spatial::{Body, Element, ElementKind, Frame, Joint, JointKind, Measure, Spatial, Spring, Triple};
use crate::models::tree::{Block, Expr, Model, Path, Written, call, multiply};
use crate::models::units::{
    ACCELERATION, DAMPING, Dimension, ENERGY, FORCE, INERTIA, LENGTH, MASS, ONE, STIFFNESS, TIME,
};

/// Operations of a model whose reference is evaluated in a second.
const LARGEST: usize = 20_000;

/// The model of spatial bodies of a seed.
pub fn spatial_model(seed: u64) -> Model {
    let mut generator = Generator { random: ChaCha8Rng::seed_from_u64(seed), count: 0 };
    loop {
        let model = generator.spatial_model(&format!("Spatial{seed}"));
        if model.written_out(&[]).size() <= LARGEST {
            return model;
        }
        generator.count = 0;
    }
}

impl Generator {
    fn spatial_model(&mut self, name: &str) -> Model {
        let mut names = Names::default();
        names.add(Expr::Time, TIME, Kinds::TIME, false);
        let mut blocks = vec![self.parameters(&mut names)];
        if self.chance(0.5) {
            blocks.push(self.inputs(&mut names));
        }
        blocks.push(Block::Spatial(self.spatial_bodies(&mut names)));
        blocks.push(self.outputs(&names));
        Model { name: name.to_owned(), arguments: Vec::new(), blocks }
    }

    fn spatial_bodies(&mut self, names: &mut Names) -> Spatial {
        let bodies: Vec<Body> = (0..self.random.random_range(1..3)).map(|_| self.spatial_body(names)).collect();
        let before = |i: usize| -> Option<String> { Some(bodies[i.checked_sub(1)?].name.clone()) };
        let mut joints = Vec::new();
        for (i, body) in bodies.iter().enumerate() {
            if self.chance(0.8) {
                joints.push(self.spatial_joint(names, before(i), &body.name));
            }
        }
        for body in &bodies {
            let path = Path::name(&body.name);
            ["x", "y", "z"].iter().for_each(|name| names.add_coordinate(&path.member(name), LENGTH));
            ["e0", "e1", "e2", "e3"].iter().for_each(|name| names.add_coordinate(&path.member(name), ONE));
        }
        let allowed = Allowed { names, kinds: Kinds::FORCE };
        let gravity = self.chance(0.7).then(|| self.triple(ACCELERATION, allowed, 1));
        let mut elements = Vec::new();
        for (i, body) in bodies.iter().enumerate() {
            if self.chance(0.7) {
                let kind = self.spatial_element(names, before(i), &body.name);
                elements.push(Element { name: self.name(), kind });
            }
        }
        let mut spatial = Spatial { gravity, bodies, joints, elements, outputs: Vec::new() };
        for _ in 0..self.random.random_range(2..5) {
            let (measure, dimension) = self.spatial_measure(names, &spatial);
            let output = (self.name(), self.unit(dimension), measure);
            spatial.outputs.push(output);
        }
        spatial
    }

    fn triple(&mut self, dimension: Dimension, allowed: Allowed<'_>, depth: usize) -> Triple<Written> {
        [(); 3].map(|()| self.expr(dimension, allowed, depth))
    }

    fn spatial_body(&mut self, names: &Names) -> Body {
        let allowed = Allowed { names, kinds: Kinds::PARAMETERS };
        Body {
            name: self.name(),
            mass: self.positive(MASS, allowed, 1),
            moments: [(); 3].map(|()| self.positive(INERTIA, allowed, 1)),
            products: self.chance(0.3).then(|| self.triple(INERTIA, allowed, 1)),
            center: self.chance(0.4).then(|| self.triple(LENGTH, allowed, 1)),
        }
    }

    fn spatial_frame(&mut self, names: &Names, body: Option<String>) -> Frame {
        let allowed = Allowed { names, kinds: Kinds::PARAMETERS };
        let at = self.chance(0.7).then(|| self.triple(LENGTH, allowed, 1));
        let turned = self.chance(0.3).then(|| (self.random.random_range(0..3), self.number(ONE)));
        Frame { body, at, turned }
    }

    fn spatial_joint(&mut self, names: &Names, before: Option<String>, body: &str) -> Joint {
        let first = self.spatial_frame(names, before);
        let second = self.spatial_frame(names, Some(body.to_owned()));
        let axis = self.random.random_range(0..3);
        let kind = match self.random.random_range(0..8) {
            0 => JointKind::Fixed,
            1 | 2 => JointKind::Revolute(axis),
            3 => JointKind::Prismatic(axis),
            4 => JointKind::Cylindrical(axis),
            5 => JointKind::Spherical,
            6 => JointKind::Universal(axis, (axis + self.random.random_range(1..3)) % 3),
            _ => JointKind::Distance(self.positive(LENGTH, Allowed { names, kinds: Kinds::PARAMETERS }, 1)),
        };
        Joint { name: self.name(), kind, first, second }
    }

    fn spatial_element(&mut self, names: &Names, before: Option<String>, body: &str) -> ElementKind {
        let allowed = Allowed { names, kinds: Kinds::FORCE };
        let first = self.spatial_frame(names, before);
        let mut second = self.spatial_frame(names, Some(body.to_owned()));
        match self.random.random_range(0..4) {
            0 => ElementKind::Force(second, self.triple(FORCE, allowed, 1)),
            1 => ElementKind::Torque(second, self.triple(ENERGY, allowed, 1)),
            _ => {
                // the ends lie apart
                second.at = Some([(); 3].map(|()| multiply(self.number(LENGTH), call("exp", self.number(ONE)))));
                let law = Law {
                    stiffness: Some(self.positive(STIFFNESS, allowed, 1)),
                    damping: self.chance(0.7).then(|| self.positive(DAMPING, allowed, 1)),
                    rest: self.chance(0.5).then(|| self.expr(LENGTH, allowed, 1)),
                    beside: self.chance(0.3).then(|| self.expr(FORCE, allowed, 1)),
                };
                ElementKind::Spring(Box::new(Spring { first, second, law }))
            }
        }
    }

    fn spatial_measure(&mut self, names: &Names, spatial: &Spatial) -> (Measure, Dimension) {
        let body = self.random.random_range(0..spatial.bodies.len());
        let frame = self.spatial_frame(names, Some(spatial.bodies[body].name.clone()));
        let i = self.random.random_range(0..3);
        let joint = |wanted: fn(&JointKind) -> bool| spatial.joints.iter().position(|joint| wanted(&joint.kind));
        let spring = spatial.elements.iter().position(|one| matches!(one.kind, ElementKind::Spring(..)));
        let turning = joint(|kind| matches!(kind, JointKind::Revolute(_) | JointKind::Cylindrical(_)));
        let sliding = joint(|kind| matches!(kind, JointKind::Prismatic(_) | JointKind::Cylindrical(_)));
        match (self.random.random_range(0..11), spring, turning, sliding, joint(JointKind::holds_a_point)) {
            (0, Some(spring), ..) => (Measure::Length(spring), LENGTH),
            (1, Some(spring), ..) => (Measure::SpringForce(spring), FORCE),
            (2 | 3, _, Some(turning), ..) => (Measure::Angle(turning), ONE),
            (4, _, _, Some(sliding), _) => (Measure::Displacement(sliding), LENGTH),
            (5, .., Some(held)) => (Measure::Reaction(held, i), FORCE),
            (6, ..) => (Measure::AngularVelocity(body, i), ONE - TIME),
            (7, ..) => (Measure::LocalAngularVelocity(body, i), ONE - TIME),
            (8, ..) => (Measure::Velocity(frame, i), LENGTH - TIME),
            (9, ..) => (Measure::Acceleration(frame, i), ACCELERATION),
            _ => (Measure::Position(frame, i), LENGTH),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// In the models that are tried without being asked for.
    #[test]
    fn every_part_occurs() {
        let texts: String = (0..16).map(|seed| spatial_model(seed).text()).collect();
        let words = "spatial center: gravity fixed( revolute( prismatic( cylindrical( spherical( universal( distance( \
             force( \
             torque( spring( stiffness damping .at( .rotated( .position .velocity .acceleration .angular_velocity \
             .local_angular_velocity .length .force .angle .displacement .reaction";
        let missing: Vec<&str> = words.split_whitespace().filter(|word| !texts.contains(word)).collect();
        assert!(missing.is_empty(), "{missing:?}");
    }
}
