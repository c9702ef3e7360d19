//! A mechanism with its numbers: the scene of a model for one set of parameters.

use std::borrow::Cow;

use costate_contract::scene::{Number, PartKind, Scene, SceneEnd, ScenePart, ShapeKind};

use crate::vector::{Matrix, Pose, Vector, rotation};

/// Bodies, joints, elements and points.
#[derive(Debug, Clone, PartialEq)]
pub struct Mechanism {
    /// Bodies, in the order of declaration.
    pub bodies: Vec<Body>,
    /// Joints and couplers.
    pub joints: Vec<Part>,
    /// Force elements.
    pub elements: Vec<Part>,
    /// Points with a name, or with an empty name if a quantity is only measured there.
    pub points: Vec<Point>,
    /// The direction against gravity; without constant gravity, y in the plane and z in space.
    pub up: Vector,
}

/// A body.
#[derive(Debug, Clone, PartialEq)]
pub struct Body {
    /// Name of the body.
    pub name: String,
    /// Documentation in the model.
    pub documentation: String,
    /// True for a body with Euler parameters; false for one that moves in the plane.
    pub spatial: bool,
    /// Position of the body's first coordinate among the model's.
    pub first: usize,
    /// Centre of mass, in the frame of the body.
    pub center: Vector,
    /// Distance in front of the plane at which a planar body is drawn.
    pub layer: f64,
    /// Shapes of the body; empty if the model gives none.
    pub shapes: Vec<Shape>,
}

/// A solid of a body.
#[derive(Debug, Clone, PartialEq)]
pub struct Shape {
    /// Kind of the solid.
    pub kind: ShapeKind,
    /// Edges of a box, radius and length of a cylinder, radius of a sphere, scale of a mesh, width of an extrusion.
    pub sizes: Vector,
    /// Frame of the solid in that of the body.
    pub pose: Pose,
    /// The content of a mesh's file.
    pub data: Cow<'static, [u8]>,
    /// Corners of the outline of an extrusion, across its z axis.
    pub outline: Vec<[f64; 2]>,
}

/// A joint, a coupler or a force element.
#[derive(Debug, Clone, PartialEq)]
pub struct Part {
    /// Name of the part.
    pub name: String,
    /// Documentation in the model.
    pub documentation: String,
    /// Kind of the part.
    pub kind: PartKind,
    /// The frames that the part connects.
    pub ends: [End; 2],
}

/// A point of a body or of the ground, with a direction.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct End {
    /// The position of the body; `None` is the ground.
    pub body: Option<usize>,
    /// The point, in the frame of the body.
    pub point: Vector,
    /// The axis of a joint or an element, in the axes of the body.
    pub axis: Vector,
}

/// A point that the model names, or at which it measures something.
#[derive(Debug, Clone, PartialEq)]
pub struct Point {
    /// Name of the point, which may be empty.
    pub name: String,
    /// Place of the point.
    pub end: End,
}

impl Body {
    /// Returns the number of coordinates: 3 or 7.
    pub fn coordinates(&self) -> usize {
        if self.spatial { 7 } else { 3 }
    }

    /// Returns the pose of the body with these coordinates of its own.
    pub fn pose(&self, coordinates: &[f64]) -> Pose {
        match *coordinates {
            [x, y, angle] => {
                let (sin, cos) = angle.sin_cos();
                Pose { origin: [x, y, self.layer], turn: [[cos, -sin, 0.0], [sin, cos, 0.0], [0.0, 0.0, 1.0]] }
            }
            [x, y, z, e0, e1, e2, e3] => Pose { origin: [x, y, z], turn: rotation([e0, e1, e2, e3]) },
            _ => Pose::GROUND,
        }
    }
}

impl Mechanism {
    /// Creates a mechanism from a scene and its numbers, computed by a model's `geometry`; numbers that are not
    /// finite count as 0.
    pub fn new(scene: &Scene, numbers: &[f64]) -> Self {
        let number = |i: Number| numbers.get(i as usize).copied().filter(|x| x.is_finite()).unwrap_or(0.0);
        let vector = |numbers: [Number; 3]| numbers.map(number);
        let bodies = scene.bodies.iter().map(|body| Body {
            name: body.name.to_string(),
            documentation: body.documentation.to_string(),
            spatial: body.spatial,
            first: body.first as usize,
            center: vector(body.center),
            layer: number(body.layer),
            shapes: body
                .shapes
                .iter()
                .map(|shape| Shape {
                    kind: shape.kind,
                    sizes: vector(shape.sizes),
                    pose: Pose { origin: vector(shape.point), turn: shape.turn.map(vector) as Matrix },
                    data: shape.data.clone(),
                    outline: shape.outline.iter().map(|corner| corner.map(number)).collect(),
                })
                .collect(),
        });
        let bodies: Vec<Body> = bodies.collect();
        let end = |end: &SceneEnd, other: Option<u32>| {
            let mut point = vector(end.point);
            if let (None, Some(other)) = (end.body, other) {
                // the ground of a planar body is in the layer in which the body is drawn
                point[2] += bodies.get(other as usize).map_or(0.0, |body| body.layer);
            }
            let body = end.body.map(|body| body as usize).filter(|body| *body < bodies.len());
            End { body, point, axis: vector(end.axis) }
        };
        let part = |part: &ScenePart| {
            let [first, second] = &part.ends;
            Part {
                name: part.name.to_string(),
                documentation: part.documentation.to_string(),
                kind: part.kind,
                ends: [end(first, second.body), end(second, first.body)],
            }
        };
        let joints = scene.joints.iter().map(part).collect();
        let elements = scene.elements.iter().map(part).collect();
        let points = scene.points.iter();
        let points = points.map(|point| Point { name: point.name.to_string(), end: end(&point.end, None) });
        let points = points.collect();
        let spatial = bodies.iter().any(|body| body.spatial);
        let otherwise = if spatial { [0.0, 0.0, 1.0] } else { [0.0, 1.0, 0.0] };
        let gravity = scene.gravity.map_or([0.0; 3], vector);
        let up = crate::vector::unit(crate::vector::scale(-1.0, gravity), otherwise);
        Self { bodies, joints, elements, points, up }
    }

    /// Checks whether all bodies move in one plane, and are drawn in it.
    pub fn is_flat(&self) -> bool {
        self.bodies.iter().all(|body| !body.spatial && body.layer == 0.0)
    }

    /// Checks whether all bodies move in parallel planes, which are seen best from the front.
    pub fn is_planar(&self) -> bool {
        self.bodies.iter().all(|body| !body.spatial)
    }

    /// Selects the coordinates of the bodies from those of the model, one body after the other.
    pub fn body_coordinates(&self, coordinates: &[f64]) -> Vec<f64> {
        let of = |body: &Body| {
            let own = (body.first..body.first + body.coordinates()).map(|i| coordinates.get(i).copied());
            own.map(|q| q.filter(|q| q.is_finite()).unwrap_or(0.0)).collect::<Vec<f64>>()
        };
        self.bodies.iter().flat_map(of).collect()
    }

    /// Returns the poses of all bodies, given the coordinates of the bodies alone.
    pub fn poses(&self, coordinates: &[f64]) -> Vec<Pose> {
        let mut rest = coordinates;
        let poses = self.bodies.iter().map(|body| {
            let (own, others) = rest.split_at_checked(body.coordinates()).unwrap_or_default();
            rest = others;
            body.pose(own)
        });
        poses.collect()
    }
}

impl End {
    /// Returns the position in space.
    pub fn position(&self, poses: &[Pose]) -> Vector {
        self.pose(poses).point(self.point)
    }

    /// Returns the pose of the body.
    pub fn pose(&self, poses: &[Pose]) -> Pose {
        self.body.and_then(|body| poses.get(body)).copied().unwrap_or(Pose::GROUND)
    }
}
