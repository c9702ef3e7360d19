//! The drawing of a mechanism: solids and lines that move with bodies, or extend from one point to another.

mod bodies;
mod elements;
mod ground;
mod joints;

use crate::mechanism::{End, Mechanism};
use crate::mesh::Mesh;
use crate::vector::{IDENTITY, Pose, Vector, across, add, columns, cross, dot, length, scale, subtract, unit};

/// The drawing of a mechanism.
#[derive(Debug, Clone, PartialEq)]
pub struct Drawing {
    /// All items, in the order in which they are drawn at equal distance from the viewer.
    pub items: Vec<Item>,
    /// Middle of the space in which the mechanism moves.
    pub middle: Vector,
    /// Half the extent of that space.
    pub reach: Vector,
    /// The size of symbols in m.
    pub unit: f64,
}

/// A solid or lines.
#[derive(Debug, Clone, PartialEq)]
pub struct Item {
    /// Name of the part to which the item belongs.
    pub name: String,
    /// Place to which the item is attached.
    pub place: Place,
    /// Form of the item, in the frame of the place.
    pub mesh: Mesh,
    /// Colours of the item.
    pub paint: Paint,
}

/// The place to which an item is attached.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Place {
    /// A body, or the ground.
    On(Option<usize>),
    /// The line between two points, which is the x axis of the item's frame.
    Between([Anchor; 2], Stretch),
}

/// A point at which an item ends.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Anchor {
    /// The body; `None` is the ground.
    pub body: Option<usize>,
    /// The point, in the frame of the body.
    pub point: Vector,
}

/// The dependence of an item on the distance of its points.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stretch {
    /// Scaled from x = 0 to x = 1, as long as the distance.
    Whole,
    /// Unscaled, starting at the first point.
    First,
}

/// Colours, as 0xrrggbb.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Paint {
    /// Colour of faces.
    pub fill: u32,
    /// Colour of lines.
    pub line: u32,
    /// Width of lines, in hundredths of the width of a body's edge.
    pub width: u32,
}

impl Paint {
    /// Creates the paint of a solid in this colour, with its edges in a darker one.
    pub fn solid(fill: u32) -> Self {
        let darker = |shift: u32| ((fill >> shift & 0xff) * 55 / 100) << shift;
        Self { fill, line: darker(16) | darker(8) | darker(0), width: 100 }
    }

    /// Creates the paint of lines alone.
    pub fn wire(line: u32, width: u32) -> Self {
        Self { fill: line, line, width }
    }
}

/// Colours of the parts of a drawing.
struct Colours {
    bodies: [u32; 8],
    /// Pins, guides and other steel.
    steel: u32,
    ground: u32,
    spring: u32,
    damper: u32,
}

/// Colours of which people with colour blindness can distinguish those of bodies (after Okabe and Ito, lighter).
const COLOURS: Colours = Colours {
    bodies: [0x6baed6, 0xf2a65a, 0x66c2a4, 0xd98cb3, 0xf0d060, 0x8c96c6, 0xe57f6b, 0xa6b87c],
    steel: 0xd5dae0,
    ground: 0x6b7280,
    spring: 0x0f766e,
    damper: 0x475569,
};

/// Returns the colour of a body.
pub fn body_colour(position: usize) -> u32 {
    COLOURS.bodies[position % COLOURS.bodies.len()]
}

impl Anchor {
    pub fn of(end: &End) -> Self {
        Self { body: end.body, point: end.point }
    }

    pub fn position(&self, poses: &[Pose]) -> Vector {
        self.body.and_then(|body| poses.get(body)).unwrap_or(&Pose::GROUND).point(self.point)
    }
}

impl Place {
    /// Returns the pose of the item's frame, and the factor by which the item is stretched along its x axis.
    pub fn pose(&self, poses: &[Pose]) -> (Pose, f64) {
        match self {
            Place::On(body) => (body.and_then(|body| poses.get(body)).copied().unwrap_or(Pose::GROUND), 1.0),
            Place::Between(ends, stretch) => {
                let [from, to] = ends.map(|end| end.position(poses));
                let way = subtract(to, from);
                let x = unit(way, [1.0, 0.0, 0.0]);
                // y stays in the plane of x and y if the line lies in it
                let y = unit(cross([0.0, 0.0, 1.0], x), across(x));
                let turn = columns(x, y, cross(x, y));
                let factor = if *stretch == Stretch::Whole { length(way) } else { 1.0 };
                (Pose { origin: from, turn }, factor)
            }
        }
    }
}

impl Item {
    /// Returns the points of the item in space.
    pub fn points(&self, poses: &[Pose]) -> Vec<Vector> {
        let (pose, factor) = self.place.pose(poses);
        self.mesh.points.iter().map(|[x, y, z]| pose.point([factor * x, *y, *z])).collect()
    }
}

/// The items of a drawing that is being made.
struct Draft<'a> {
    mechanism: &'a Mechanism,
    /// Poses of the bodies during the motion, with the start first.
    motion: &'a [Vec<Pose>],
    unit: f64,
    items: Vec<Item>,
}

impl Drawing {
    /// Draws a mechanism that has these poses during its motion, with the start first.
    pub fn new(mechanism: &Mechanism, motion: &[Vec<Pose>]) -> Self {
        /// Size of symbols relative to that of the mechanism.
        const SYMBOL_SIZE: f64 = 0.016;
        let (_, extent) = span(mechanism, motion);
        let size = length(extent);
        let unit = if size > 0.0 { 2.0 * SYMBOL_SIZE * size.max(1e-9) } else { 0.02 };
        let mut draft = Draft { mechanism, motion, unit, items: Vec::new() };
        draft.draw_ground();
        draft.draw_bodies();
        draft.draw_joints();
        draft.draw_elements();
        let items = draft.items;
        let (middle, reach) = bounds(&items, motion);
        Self { items, middle, reach, unit }
    }
}

impl Draft<'_> {
    fn start(&self) -> &[Pose] {
        self.motion.first().map(Vec::as_slice).unwrap_or_default()
    }

    fn add(&mut self, name: &str, place: Place, mesh: Mesh, paint: Paint) {
        self.items.push(Item { name: name.to_owned(), place, mesh, paint });
    }

    /// Checks whether a part between two ends is drawn in the plane.
    fn is_flat(&self, ends: &[End; 2]) -> bool {
        let bodies = ends.iter().filter_map(|end| self.mechanism.bodies.get(end.body?));
        bodies.into_iter().all(|body| !body.spatial)
    }

    /// Returns half the thickness of plates.
    fn half(&self) -> f64 {
        0.35 * self.unit
    }
}

/// Returns the middle and half the extent of the space that bodies and the parts attached to them reach.
fn span(mechanism: &Mechanism, motion: &[Vec<Pose>]) -> (Vector, Vector) {
    let mut box_ = Bounds::default();
    for poses in motion {
        let ends = mechanism.joints.iter().chain(&mechanism.elements).flat_map(|part| &part.ends);
        let named = mechanism.points.iter().filter(|point| !point.name.is_empty());
        for end in ends.chain(named.map(|point| &point.end)) {
            box_.include(end.position(poses));
        }
        for (body, pose) in mechanism.bodies.iter().zip(poses) {
            box_.include(pose.point(body.center));
            for shape in &body.shapes {
                let [a, b, c] = shape.sizes;
                let reach = scale(0.5, [a, b, c]);
                box_.include(pose.point(add(shape.pose.origin, reach)));
                box_.include(pose.point(subtract(shape.pose.origin, reach)));
            }
        }
    }
    box_.middle_and_reach()
}

/// Returns the middle and half the extent of everything that is drawn.
fn bounds(items: &[Item], motion: &[Vec<Pose>]) -> (Vector, Vector) {
    let mut box_ = Bounds::default();
    for poses in motion {
        for item in items {
            item.points(poses).into_iter().for_each(|point| box_.include(point));
        }
    }
    box_.middle_and_reach()
}

/// A box parallel to the axes.
struct Bounds {
    low: Vector,
    high: Vector,
}

impl Default for Bounds {
    fn default() -> Self {
        Self { low: [f64::INFINITY; 3], high: [f64::NEG_INFINITY; 3] }
    }
}

impl Bounds {
    fn include(&mut self, point: Vector) {
        for ((low, high), x) in self.low.iter_mut().zip(&mut self.high).zip(point).filter(|(_, x)| x.is_finite()) {
            (*low, *high) = (low.min(x), high.max(x));
        }
    }

    fn middle_and_reach(&self) -> (Vector, Vector) {
        if (0..3).any(|i| self.low[i] > self.high[i]) {
            return ([0.0; 3], [0.0; 3]);
        }
        (scale(0.5, add(self.low, self.high)), scale(0.5, subtract(self.high, self.low)))
    }
}

/// Returns the pose at a point of a body whose z axis is `axis`.
fn at(point: Vector, axis: Vector) -> Pose {
    let turn = if dot(axis, axis) > 0.0 { crate::vector::turn_z_to(axis) } else { IDENTITY };
    Pose { origin: point, turn }
}
