//! Bodies: shapes given by the model, or bars and plates between the attached parts.

use costate_contract::scene::{PartKind, ShapeKind};
use costate_contract::stl;

use super::{Draft, Paint, Place, body_colour};
use crate::mechanism::{Body, End, Point};
use crate::mesh::{Mesh, circle, hull, middle};
use crate::vector::{IDENTITY, Pose, Vector, add, cross, dot, length, scale, subtract, unit};

/// Number of sides of the rounded ends of bars.
const END_SIDES: usize = 36;

impl Draft<'_> {
    pub fn draw_bodies(&mut self) {
        let mechanism = self.mechanism;
        for (position, body) in mechanism.bodies.iter().enumerate() {
            let mesh = if body.shapes.is_empty() { self.bars(position, body) } else { self.shapes(body) };
            self.add(&body.name, Place::On(Some(position)), mesh, Paint::solid(body_colour(position)));
        }
    }

    /// Draws the shapes given by the model.
    fn shapes(&self, body: &Body) -> Mesh {
        let mut mesh = Mesh::default();
        for shape in &body.shapes {
            let [a, b, c] = shape.sizes.map(f64::abs);
            let thickness = |length: f64| if length > 0.0 { length } else { 2.0 * self.half() };
            let solid = match shape.kind {
                ShapeKind::Box => Mesh::cuboid([a, b, thickness(c)]),
                ShapeKind::Cylinder => {
                    let half = 0.5 * thickness(b);
                    let mut cylinder = Mesh::disc(a, [-half, half]);
                    // a mark that makes the rotation visible
                    let first = cylinder.points.len() as u32;
                    cylinder.points.extend([[0.0, 0.0, half], [a, 0.0, half]]);
                    cylinder.lines.push(vec![first, first + 1]);
                    cylinder
                }
                ShapeKind::Extrusion => {
                    let half = 0.5 * thickness(a);
                    Mesh::extrusion(&shape.outline, [-half, half])
                }
                ShapeKind::Sphere => Mesh::sphere(a),
                // the compiler has checked the file
                ShapeKind::Mesh => Mesh::triangles(&stl::triangles(&shape.data).unwrap_or_default(), a),
            };
            mesh.add(&solid, shape.pose);
        }
        mesh
    }

    /// Returns the points of a body at which parts are attached, each once.
    fn attached(&self, position: usize) -> Vec<Vector> {
        let mechanism = self.mechanism;
        let joined = mechanism.joints.iter().filter(|part| !is_coupler(part.kind));
        let parts = joined.chain(&mechanism.elements).filter(|part| part.kind != PartKind::Torque);
        let (named, measured): (Vec<&Point>, Vec<&Point>) =
            mechanism.points.iter().partition(|point| !point.name.is_empty());
        let ends = parts.flat_map(|part| &part.ends).chain(named.into_iter().map(|point| &point.end));
        let mut points: Vec<Vector> = Vec::new();
        let is_new = |points: &[Vector], end: &End| {
            let apart = |other: &Vector| length(subtract(*other, end.point)) > 0.1 * self.unit;
            end.body == Some(position) && points.iter().all(apart)
        };
        for end in ends {
            if is_new(&points, end) {
                points.push(end.point);
            }
        }
        // a point at which something is measured, such as the end of a chain, may be the only sign of where a body
        // ends
        if points.len() < 2 {
            points.extend(measured.iter().find(|point| is_new(&points, &point.end)).map(|point| point.end.point));
        }
        points
    }

    fn bars(&self, position: usize, body: &Body) -> Mesh {
        let mut points = self.attached(position);
        let alone = points.len() == 1 && length(subtract(points[0], body.center)) > self.unit;
        if points.len() < 2 && (points.is_empty() || alone) {
            points.push(body.center);
        }
        let slides = self
            .mechanism
            .joints
            .iter()
            .any(|part| matches!(part.kind, PartKind::Prismatic) && part.ends[1].body == Some(position));
        if slides && points.len() == 1 {
            // the slider of the joint shows the body
            return Mesh::default();
        }
        let mut mesh = if body.spatial { self.space_bars(&points) } else { self.plate(&points) };
        if alone {
            let weight = if body.spatial {
                Mesh::sphere(1.6 * self.unit)
            } else {
                Mesh::plate(&circle([0.0, 0.0], 1.7 * self.unit, END_SIDES), [-self.half(), 1.2 * self.half()])
            };
            mesh.add(&weight, Pose { origin: body.center, turn: IDENTITY });
        }
        mesh
    }

    /// Draws a plate with round corners around points in the plane.
    fn plate(&self, points: &[Vector]) -> Mesh {
        let single = points.len() == 1;
        let radius = if single { 2.2 * self.unit } else { 0.85 * self.unit };
        let round = points.iter().flat_map(|[x, y, _]| circle([*x, *y], radius, END_SIDES));
        let mut mesh = Mesh::plate(&hull(round.collect()), [-self.half(), self.half()]);
        if single {
            let first = mesh.points.len() as u32;
            let center = [points[0][0], points[0][1], self.half()];
            mesh.points.extend([center, add(center, [radius, 0.0, 0.0])]);
            mesh.lines.push(vec![first, first + 1]);
        }
        mesh
    }

    /// Draws bars between points in space: the edges of a triangle or a tetrahedron, or bars from the middle of more
    /// points.
    fn space_bars(&self, points: &[Vector]) -> Mesh {
        let radius = 0.5 * self.unit;
        let mut mesh = Mesh::default();
        let mut bar = |from: Vector, to: Vector| mesh.add(&Mesh::rod(radius, from, to), Pose::GROUND);
        match points {
            [] => {}
            [point] => {
                let solid = Mesh::cuboid(scale(self.unit, [3.0, 3.0, 3.0]));
                mesh.add(&solid, Pose { origin: *point, turn: IDENTITY });
                return mesh;
            }
            _ if points.len() <= 4 => {
                for (i, from) in points.iter().enumerate() {
                    points[i + 1..].iter().for_each(|to| bar(*from, *to));
                }
            }
            _ => match rim(points, 2.0 * self.unit) {
                // a frame around points in a plane, with points inside joined to the nearest corner
                Some(rim) => {
                    for (i, from) in rim.iter().enumerate() {
                        bar(*from, rim[(i + 1) % rim.len()]);
                    }
                    for point in points.iter().filter(|point| !rim.contains(point)) {
                        let distance = |other: &Vector| length(subtract(*other, *point));
                        let nearest = rim.iter().min_by(|a, b| distance(a).total_cmp(&distance(b)));
                        nearest.into_iter().for_each(|corner| bar(*point, *corner));
                    }
                }
                None => {
                    let center = middle(points);
                    points.iter().for_each(|point| bar(center, *point));
                }
            },
        }
        let knot = Mesh::sphere(1.02 * radius);
        if points.len() > 1 {
            points.iter().for_each(|point| mesh.add(&knot, Pose { origin: *point, turn: IDENTITY }));
        }
        mesh
    }
}

/// Checks whether a part acts on joints, and does not connect bodies itself.
pub fn is_coupler(kind: PartKind) -> bool {
    matches!(kind, PartKind::Drive | PartKind::Gear | PartKind::Rack)
}

/// Returns the corners of the convex hull of points that lie in one plane, within a tolerance; `None` for other
/// points.
fn rim(points: &[Vector], tolerance: f64) -> Option<Vec<Vector>> {
    let origin = *points.first()?;
    let far = |a: &&Vector, b: &&Vector| length(subtract(**a, origin)).total_cmp(&length(subtract(**b, origin)));
    let x = unit(subtract(*points.iter().max_by(far)?, origin), [1.0, 0.0, 0.0]);
    let normal = |point: &Vector| cross(x, subtract(*point, origin));
    let normals = points.iter().map(normal);
    let normal = unit(normals.max_by(|a, b| length(*a).total_cmp(&length(*b)))?, [0.0, 0.0, 1.0]);
    if points.iter().any(|point| dot(normal, subtract(*point, origin)).abs() > tolerance) {
        return None;
    }
    let y = cross(normal, x);
    let flat = points.iter().map(|point| {
        let way = subtract(*point, origin);
        [dot(x, way), dot(y, way)]
    });
    let flat: Vec<[f64; 2]> = flat.collect();
    let corners = hull(flat.clone()).into_iter().filter_map(|corner| flat.iter().position(|point| *point == corner));
    Some(corners.map(|i| points[i]).collect())
}
