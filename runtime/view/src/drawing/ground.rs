//! The ground: hatched where something is attached to it.

use costate_contract::scene::PartKind;

use super::bodies::is_coupler;
use super::{COLOURS, Draft, Paint, Place};
use crate::mechanism::{End, Part};
use crate::mesh::Mesh;
use crate::vector::{Pose, Vector, across, add, columns, cross, length, scale, subtract, turn_z_to, unit};

impl Draft<'_> {
    pub fn draw_ground(&mut self) {
        let mechanism = self.mechanism;
        let joints = mechanism.joints.iter().filter(|joint| !is_coupler(joint.kind));
        let mut drawn: Vec<Vector> = Vec::new();
        for part in joints.chain(&mechanism.elements) {
            if matches!(part.kind, PartKind::Force | PartKind::Torque) {
                continue;
            }
            for (i, end) in part.ends.iter().enumerate().filter(|(_, end)| end.body.is_none()) {
                let near = drawn.iter().any(|other| length(subtract(*other, end.point)) < 0.5 * self.unit);
                let slides = matches!(part.kind, PartKind::Prismatic | PartKind::Cylindrical | PartKind::PointOnLine);
                if !near || slides {
                    self.draw_support(part, end, &part.ends[1 - i], slides);
                    drawn.push(end.point);
                }
            }
        }
    }

    fn draw_support(&mut self, part: &Part, end: &End, other: &End, slides: bool) {
        let (u, up) = (self.unit, self.mechanism.up);
        let flat = self.is_flat(&part.ends);
        let paint = Paint::wire(COLOURS.ground, 90);
        let place = Place::On(None);
        if slides {
            // supports of the rail at its ends
            let axis = unit(end.axis, [1.0, 0.0, 0.0]);
            let [low, high] = self.slide(part);
            for along in [low - 2.6 * u, high + 2.6 * u] {
                let point = add(end.point, scale(along, axis));
                let away = if along < 0.0 { scale(-1.0, axis) } else { axis };
                self.add(&part.name, place, self.hatched(point, away, flat), paint);
            }
            return;
        }
        if matches!(part.kind, PartKind::Spring | PartKind::Damper | PartKind::SpringDamper | PartKind::Actuator) {
            let away = unit(subtract(end.point, other.position(self.start())), scale(-1.0, up));
            self.add(&part.name, place, self.hatched(end.point, away, flat), paint);
            return;
        }
        let foot = add(end.point, scale(-2.4 * u, up));
        if flat {
            let half = 0.8 * self.half();
            let outline = [[0.0, 0.0], [-1.3 * u, -2.4 * u], [1.3 * u, -2.4 * u]];
            let bracket = Mesh::plate(&outline, [-half, half]);
            let up = unit([up[0], up[1], 0.0], [0.0, 1.0, 0.0]);
            let turn = columns([up[1], -up[0], 0.0], up, [0.0, 0.0, 1.0]);
            let mesh = Mesh::default().with(&bracket, Pose { origin: end.point, turn });
            self.add(&part.name, place, mesh, Paint::solid(COLOURS.steel));
            let foot = add(end.point, scale(-2.4 * u, up));
            self.add(&part.name, place, self.hatched(foot, scale(-1.0, up), true), paint);
        } else {
            let post = Mesh::rod(0.3 * u, end.point, foot);
            self.add(&part.name, place, post, Paint::solid(COLOURS.steel));
            self.add(&part.name, place, self.hatched(foot, scale(-1.0, up), false), paint);
        }
    }

    /// A line with strokes behind it, seen `away` from what is attached; in space a square with diagonals.
    fn hatched(&self, at: Vector, away: Vector, flat: bool) -> Mesh {
        let u = self.unit;
        let mut mesh = Mesh::default();
        let stroke = |from: Vector, to: Vector| Mesh::line(vec![from, to]);
        if flat {
            let z = [0.0, 0.0, 1.0];
            let x = unit(cross(away, z), across(away));
            let pose = Pose { origin: at, turn: columns(x, away, cross(x, away)) };
            mesh.add(&stroke([-2.3 * u, 0.0, 0.0], [2.3 * u, 0.0, 0.0]), pose);
            for i in 0..6 {
                let x = (-2.2 + 0.8 * f64::from(i)) * u;
                mesh.add(&stroke([x, 0.75 * u, 0.0], [x + 0.65 * u, 0.0, 0.0]), pose);
            }
            return mesh;
        }
        let side = 1.9 * u;
        let pose = Pose { origin: at, turn: turn_z_to(away) };
        let corners = [[-side, -side, 0.0], [side, -side, 0.0], [side, side, 0.0], [-side, side, 0.0]];
        mesh.add(&Mesh::line([&corners[..], &corners[..1]].concat()), pose);
        for i in 1..8 {
            let reach = f64::from(i) * 0.5 * side;
            let (from, to) = if i <= 4 {
                ([reach - side, -side, 0.0], [-side, reach - side, 0.0])
            } else {
                ([side, reach - 3.0 * side, 0.0], [reach - 3.0 * side, side, 0.0])
            };
            mesh.add(&stroke(from, to), pose);
        }
        mesh
    }
}
