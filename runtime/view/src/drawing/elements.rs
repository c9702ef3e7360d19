//! Force elements: springs, dampers, actuators, torsional springs, bushings.

use std::f64::consts::TAU;

use costate_contract::scene::PartKind;

use super::{Anchor, COLOURS, Draft, Paint, Place, Stretch, at};
use crate::mechanism::Part;
use crate::mesh::{Mesh, coil, zigzag};
use crate::vector::{Pose, Vector, add, dot, length, scale, subtract, turn_z_to, unit};

impl Draft<'_> {
    pub fn draw_elements(&mut self) {
        let mechanism = self.mechanism;
        for element in &mechanism.elements {
            self.draw_element(element);
        }
    }

    fn draw_element(&mut self, element: &Part) {
        let ends = [Anchor::of(&element.ends[0]), Anchor::of(&element.ends[1])];
        match element.kind {
            PartKind::Spring => self.draw_spring(element, ends, 1.5),
            PartKind::Damper => self.draw_damper(element, ends, 0.75, false),
            PartKind::Actuator => self.draw_damper(element, ends, 0.6, true),
            PartKind::SpringDamper => {
                self.draw_damper(element, ends, 0.6, false);
                self.draw_spring(element, ends, 1.5);
            }
            PartKind::Torsional => self.draw_torsional(element, ends),
            PartKind::Bushing => {
                let u = self.unit;
                let end = &element.ends[0];
                let ring = Mesh::cylinder(1.15 * u, [-0.6 * self.half(), 0.6 * self.half()]);
                let mesh = Mesh::default().with(&ring, at(end.point, end.axis));
                self.add(&element.name, Place::On(end.body), mesh, Paint::solid(COLOURS.damper));
            }
            _ => {}
        }
    }

    /// Returns the shortest and the longest distance of the ends during the motion.
    fn lengths(&self, ends: [Anchor; 2]) -> [f64; 2] {
        let distance = |poses: &Vec<Pose>| {
            let [from, to] = ends.map(|end| end.position(poses));
            length(subtract(to, from))
        };
        let distances = self.motion.iter().map(distance).filter(|distance| distance.is_finite());
        distances.fold([f64::INFINITY, 0.0], |[low, high], d| [f64::min(low, d), f64::max(high, d)])
    }

    fn draw_spring(&mut self, element: &Part, ends: [Anchor; 2], radius: f64) {
        /// Number of turns of a spring.
        const TURNS: usize = 7;
        /// Width of a spring's wire.
        const WIRE_WIDTH: u32 = 190;
        let (radius, flat) = (radius * self.unit, self.is_flat(&element.ends));
        let mut points = if flat { zigzag(radius, TURNS, 0.12) } else { coil(radius, TURNS, 0.1) };
        if flat {
            // in front of plates, so that it is visible
            points.iter_mut().for_each(|point| point[2] += 1.2 * self.half());
        }
        let place = Place::Between(ends, Stretch::Whole);
        self.add(&element.name, place, Mesh::line(points), Paint::wire(COLOURS.spring, WIRE_WIDTH));
    }

    /// Draws a rod from end to end, and on it a cylinder that is shorter than the smallest distance of the ends.
    fn draw_damper(&mut self, element: &Part, ends: [Anchor; 2], radius: f64, actuator: bool) {
        /// Number of pieces of a damper's rod.
        const ROD_PIECES: u32 = 6;
        let [shortest, longest] = self.lengths(ends);
        if !(longest > 0.0 && shortest.is_finite()) {
            return;
        }
        let radius = radius * self.unit;
        let along =
            |mesh: &Mesh| Mesh::default().with(mesh, Pose { origin: [0.0; 3], turn: turn_z_to([1.0, 0.0, 0.0]) });
        // in pieces, each of which is either in front of the cylinder or behind it
        let mut rod = Mesh::default();
        for i in 0..ROD_PIECES {
            let share = |i: u32| f64::from(i) / f64::from(ROD_PIECES);
            rod.add(&along(&Mesh::cylinder(0.3 * radius, [share(i), share(i + 1)])), Pose::GROUND);
        }
        rod.lines.clear();
        self.add(&element.name, Place::Between(ends, Stretch::Whole), rod, Paint::solid(COLOURS.steel));
        let pot = (0.6 * longest).min(0.85 * shortest);
        let body = along(&Mesh::cylinder(radius, [0.25 * pot, pot]));
        let colour = if actuator { COLOURS.steel } else { COLOURS.damper };
        self.add(&element.name, Place::Between(ends, Stretch::First), body, Paint::solid(colour));
    }

    /// Draws a shaft between frames with a common axis, or else a spiral, at the joint of the two bodies if they have
    /// one.
    fn draw_torsional(&mut self, element: &Part, ends: [Anchor; 2]) {
        let u = self.unit;
        if self.is_shaft(element) {
            let shaft = Mesh::cylinder(0.55 * u, [0.0, 1.0]);
            let turned = Pose { origin: [0.0; 3], turn: turn_z_to([1.0, 0.0, 0.0]) };
            let mesh = Mesh::default().with(&shaft, turned);
            self.add(&element.name, Place::Between(ends, Stretch::Whole), mesh, Paint::solid(COLOURS.steel));
            return;
        }
        let bodies = |part: &Part| part.ends.map(|end| end.body);
        let [first, second] = bodies(element);
        let joints = self.mechanism.joints.iter().filter(|joint| joint.kind == PartKind::Revolute);
        let mut joints = joints.filter(|joint| [[first, second], [second, first]].contains(&bodies(joint)));
        let end = joints.next().map_or(element.ends[0], |joint| joint.ends[0]);
        let steps = 60;
        let spiral = |i: usize| -> Vector {
            let share = i as f64 / steps as f64;
            let (sin, cos) = (2.5 * TAU * share).sin_cos();
            add(scale((0.6 + 1.2 * share) * u, [cos, sin, 0.0]), [0.0, 0.0, 2.2 * self.half()])
        };
        let spiral = Mesh::line((0..=steps).map(spiral).collect());
        let mesh = Mesh::default().with(&spiral, at(end.point, end.axis));
        self.add(&element.name, Place::On(end.body), mesh, Paint::wire(COLOURS.spring, 110));
    }

    /// Checks whether the second frame of a part lies on the axis of the first, at a distance.
    fn is_shaft(&self, part: &Part) -> bool {
        let [first, second] = &part.ends;
        let poses = self.start();
        let gap = subtract(second.position(poses), first.position(poses));
        let axis = unit(first.pose(poses).direction(first.axis), [0.0, 0.0, 1.0]);
        let along = dot(gap, axis);
        along.abs() > self.unit && length(subtract(gap, scale(along, axis))) < 0.1 * self.unit
    }
}
