//! Joints: pins, balls, guides with their sliders.

use costate_contract::scene::PartKind;

use super::bodies::is_coupler;
use super::{Anchor, COLOURS, Draft, Paint, Place, Stretch, at};
use crate::mechanism::Part;
use crate::mesh::Mesh;
use crate::vector::{IDENTITY, Pose, dot, product, scale, subtract, transpose, turn_z_to, unit};

impl Draft<'_> {
    pub fn draw_joints(&mut self) {
        let mechanism = self.mechanism;
        for joint in mechanism.joints.iter().filter(|joint| !is_coupler(joint.kind)) {
            self.draw_joint(joint);
        }
    }

    fn draw_joint(&mut self, joint: &Part) {
        let (u, [first, second]) = (self.unit, &joint.ends);
        let flat = self.is_flat(&joint.ends);
        let steel = Paint::solid(COLOURS.steel);
        let mesh = |mesh: Mesh, pose: Pose| Mesh::default().with(&mesh, pose);
        let on_second = Place::On(second.body);
        match joint.kind {
            PartKind::Revolute => {
                let half = if flat { 1.6 * self.half() } else { 0.8 * u };
                let pin = Mesh::cylinder(0.5 * u, [-half, half]);
                self.add(&joint.name, on_second, mesh(pin, at(second.point, second.axis)), steel);
                if !flat {
                    let ring = Mesh::cylinder(0.8 * u, [-0.5 * u, 0.5 * u]);
                    let place = Place::On(first.body);
                    self.add(&joint.name, place, mesh(ring, at(first.point, first.axis)), steel);
                }
            }
            PartKind::Spherical => {
                let ball = Pose { origin: second.point, turn: IDENTITY };
                self.add(&joint.name, on_second, mesh(Mesh::sphere(0.75 * u), ball), steel);
            }
            PartKind::Universal => {
                for end in &joint.ends {
                    let pin = mesh(Mesh::cylinder(0.35 * u, [-1.1 * u, 1.1 * u]), at(end.point, end.axis));
                    self.add(&joint.name, Place::On(end.body), pin, steel);
                }
            }
            PartKind::Fixed => {
                let cube = Pose { origin: second.point, turn: IDENTITY };
                let side = if flat { [0.8 * u, 0.8 * u, 3.0 * self.half()] } else { [0.9 * u; 3] };
                self.add(&joint.name, on_second, mesh(Mesh::cuboid(side), cube), steel);
            }
            PartKind::Planar => {
                let plate = mesh(Mesh::cuboid([6.0 * u, 6.0 * u, 0.15 * u]), at(first.point, first.axis));
                self.add(&joint.name, Place::On(first.body), plate, steel);
            }
            PartKind::Distance => {
                let rod = Mesh::cylinder(0.2 * u, [0.0, 1.0]);
                let along = Pose { origin: [0.0; 3], turn: turn_z_to([1.0, 0.0, 0.0]) };
                let ends = [Anchor::of(first), Anchor::of(second)];
                self.add(&joint.name, Place::Between(ends, Stretch::Whole), mesh(rod, along), steel);
            }
            PartKind::Prismatic | PartKind::Cylindrical | PartKind::PointOnLine => self.draw_guide(joint, flat),
            _ => {}
        }
    }

    /// A rail as long as the motion, and what slides on it.
    fn draw_guide(&mut self, joint: &Part, flat: bool) {
        let (u, [first, second]) = (self.unit, &joint.ends);
        let axis = unit(first.axis, [1.0, 0.0, 0.0]);
        let [low, high] = self.slide(joint);
        let (low, high) = (low - 2.6 * u, high + 2.6 * u);
        let point = |along: f64| crate::vector::add(first.point, scale(along, axis));
        let rail = Mesh::rod(0.22 * u, point(low), point(high));
        self.add(&joint.name, Place::On(first.body), rail, Paint::solid(COLOURS.steel));
        let body = second.body.and_then(|body| self.mechanism.bodies.get(body));
        if body.is_some_and(|body| !body.shapes.is_empty()) {
            return;
        }
        // where the joint is at the start, the slider lies along the rail
        let poses = self.start();
        let along =
            second.pose(poses).local(crate::vector::add(second.pose(poses).origin, first.pose(poses).direction(axis)));
        let along = unit(along, [1.0, 0.0, 0.0]);
        let turn = if flat {
            let [x, y, _] = along;
            [[x, -y, 0.0], [y, x, 0.0], [0.0, 0.0, 1.0]]
        } else {
            // the box's x axis along the rail
            product(turn_z_to(along), transpose(turn_z_to([1.0, 0.0, 0.0])))
        };
        let slider = match joint.kind {
            PartKind::Cylindrical => {
                let turned = Pose { origin: [0.0; 3], turn: turn_z_to([1.0, 0.0, 0.0]) };
                Mesh::default().with(&Mesh::cylinder(0.8 * u, [-1.4 * u, 1.4 * u]), turned)
            }
            PartKind::PointOnLine => Mesh::sphere(0.7 * u),
            _ if flat => Mesh::cuboid([3.4 * u, 2.2 * u, 2.4 * self.half()]),
            _ => Mesh::cuboid([3.0 * u, 1.9 * u, 1.9 * u]),
        };
        let mesh = Mesh::default().with(&slider, Pose { origin: second.point, turn });
        let colour = second.body.map_or(COLOURS.steel, super::body_colour);
        self.add(&joint.name, Place::On(second.body), mesh, Paint::solid(colour));
    }

    /// The range of the second frame's displacement along the axis of the first, 0 included.
    pub fn slide(&self, joint: &Part) -> [f64; 2] {
        let [first, second] = &joint.ends;
        let axis = unit(first.axis, [1.0, 0.0, 0.0]);
        let along = self.motion.iter().map(|poses| {
            let local = first.pose(poses).local(second.position(poses));
            dot(axis, subtract(local, first.point))
        });
        along.fold([0.0, 0.0], |[low, high], along| {
            if along.is_finite() { [f64::min(low, along), f64::max(high, along)] } else { [low, high] }
        })
    }
}
