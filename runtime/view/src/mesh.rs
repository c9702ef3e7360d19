//! Solids made of flat faces, and lines.

use std::f64::consts::TAU;

use crate::outline::Outline;
use crate::vector::{Pose, Vector, add, cross, dot, scale, turn_z_to};

/// Sides of a pin or a sphere, whose corners do not show at their usual size.
const PIN_SIDES: usize = 32;

/// Faces, all of them flat and convex, and lines. Normals of faces look outwards.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Mesh {
    /// Corners.
    pub points: Vec<Vector>,
    /// The corners of each face, counterclockwise seen from outside.
    pub faces: Vec<Vec<u32>>,
    /// The points of each line: edges of solids, hatching, wires.
    pub lines: Vec<Vec<u32>>,
}

impl Mesh {
    /// Adds points and gives the position of the first.
    fn extend(&mut self, points: impl IntoIterator<Item = Vector>) -> u32 {
        let first = self.points.len() as u32;
        self.points.extend(points);
        first
    }

    /// A line through these points.
    pub fn line(points: Vec<Vector>) -> Self {
        let lines = vec![(0..points.len() as u32).collect()];
        Self { points, faces: Vec::new(), lines }
    }

    /// Adds another one, at a place.
    pub fn add(&mut self, other: &Mesh, pose: Pose) {
        let first = self.extend(other.points.iter().map(|point| pose.point(*point)));
        let moved = |indices: &Vec<u32>| -> Vec<u32> { indices.iter().map(|i| i + first).collect() };
        // the faces of a mirror image go around the other way
        let [x, y, z] = pose.turn;
        let mirrored = dot(x, cross(y, z)) < 0.0;
        self.faces.extend(other.faces.iter().map(|face| {
            let mut face = moved(face);
            if mirrored {
                face.reverse();
            }
            face
        }));
        self.lines.extend(other.lines.iter().map(moved));
    }

    /// Two of them in one.
    pub fn with(mut self, other: &Mesh, pose: Pose) -> Self {
        self.add(other, pose);
        self
    }

    /// The outline, counterclockwise in the plane of x and y, drawn out from one z to another.
    pub fn plate(outline: &[[f64; 2]], [low, high]: [f64; 2]) -> Self {
        let n = outline.len() as u32;
        let at = |z: f64| outline.iter().map(move |[x, y]| [*x, *y, z]);
        let mut mesh = Self::default();
        mesh.extend(at(low).chain(at(high)));
        mesh.faces.push((0..n).rev().collect());
        mesh.faces.push((n..2 * n).collect());
        for i in 0..n {
            let next = (i + 1) % n;
            mesh.faces.push(vec![i, next, n + next, n + i]);
        }
        mesh.lines.push((0..n).chain([0]).collect());
        mesh.lines.push((n..2 * n).chain([n]).collect());
        mesh
    }

    /// An outline of any form, drawn out from one z to another. Its faces are cut small: pictures draw the far ones
    /// first, by their middles.
    pub fn extrusion(outline: &[[f64; 2]], [low, high]: [f64; 2]) -> Self {
        let Outline { points, triangles, rim, corners, step } = Outline::of(outline);
        let layers = ((high - low) / step).ceil().clamp(1.0, 16.0) as u32;
        let n = points.len() as u32;
        let mut mesh = Self::default();
        for layer in 0..=layers {
            let z = low + (high - low) * f64::from(layer) / f64::from(layers);
            mesh.extend(points.iter().map(|[x, y]| [*x, *y, z]));
        }
        let top = layers * n;
        for [a, b, c] in triangles {
            mesh.faces.push(vec![c, b, a]);
            mesh.faces.push(vec![top + a, top + b, top + c]);
        }
        for (i, &a) in rim.iter().enumerate() {
            let b = rim[(i + 1) % rim.len()];
            for first in (0..layers).map(|layer| layer * n) {
                mesh.faces.push(vec![first + a, first + b, first + n + b, first + n + a]);
            }
        }
        let around: Vec<u32> = rim.iter().chain(rim.first()).copied().collect();
        mesh.lines.push(around.clone());
        mesh.lines.push(around.iter().map(|i| top + i).collect());
        mesh.lines.extend((0..corners).map(|i| (0..=layers).map(|layer| layer * n + i).collect()));
        mesh
    }

    /// A box about the origin with these edges.
    pub fn cuboid([a, b, c]: Vector) -> Self {
        let (x, y) = (0.5 * a, 0.5 * b);
        let mut mesh = Self::plate(&[[-x, -y], [x, -y], [x, y], [-x, y]], [-0.5 * c, 0.5 * c]);
        mesh.lines.extend((0..4).map(|i| vec![i, i + 4]));
        mesh
    }

    /// A cylinder about the z axis, from one z to another.
    pub fn cylinder(radius: f64, z: [f64; 2]) -> Self {
        Self::plate(&circle([0.0, 0.0], radius, PIN_SIDES), z)
    }

    /// A cylinder as the body itself, which looks round also where it fills the picture.
    pub fn disc(radius: f64, z: [f64; 2]) -> Self {
        /// Sides of a disc or a drum, which may fill the picture.
        const DISC_SIDES: usize = 72;
        Self::plate(&circle([0.0, 0.0], radius, DISC_SIDES), z)
    }

    /// A cylinder between two points.
    pub fn rod(radius: f64, from: Vector, to: Vector) -> Self {
        let way = crate::vector::subtract(to, from);
        let pose = Pose { origin: from, turn: turn_z_to(way) };
        Self::default().with(&Self::cylinder(radius, [0.0, crate::vector::length(way)]), pose)
    }

    /// A sphere about the origin.
    pub fn sphere(radius: f64) -> Self {
        let rings = PIN_SIDES / 2;
        let sides = PIN_SIDES as u32;
        let mut mesh = Self::default();
        let bottom = mesh.extend([[0.0, 0.0, -radius]]);
        for ring in 1..rings {
            let (sin, cos) = (0.5 * TAU * ring as f64 / rings as f64).sin_cos();
            let around = circle([0.0, 0.0], radius * sin, PIN_SIDES);
            mesh.extend(around.into_iter().map(|[x, y]| [x, y, -radius * cos]));
        }
        let top = mesh.extend([[0.0, 0.0, radius]]);
        let at = |ring: u32, side: u32| 1 + ring * sides + side % sides;
        let last = rings as u32 - 2;
        for side in 0..sides {
            mesh.faces.push(vec![bottom, at(0, side + 1), at(0, side)]);
            for ring in 0..last {
                let (low, high) = (ring, ring + 1);
                mesh.faces.push(vec![at(low, side), at(low, side + 1), at(high, side + 1), at(high, side)]);
            }
            mesh.faces.push(vec![at(last, side), at(last, side + 1), top]);
        }
        mesh
    }

    /// The triangles of a surface.
    pub fn triangles(triangles: &[[[f32; 3]; 3]], size: f64) -> Self {
        let mut mesh = Self::default();
        for triangle in triangles {
            let first = mesh.extend(triangle.iter().map(|corner| scale(size, corner.map(f64::from))));
            mesh.faces.push(vec![first, first + 1, first + 2]);
        }
        mesh
    }

    /// Lines as tubes, for formats whose lines have no width.
    pub fn tubes(&self, radius: f64) -> Mesh {
        let mut tubes = Mesh::default();
        for line in &self.lines {
            for pair in line.windows(2) {
                let [from, to] = [pair[0], pair[1]].map(|i| self.points[i as usize]);
                let pose = Pose { origin: from, turn: turn_z_to(crate::vector::subtract(to, from)) };
                let reach = crate::vector::length(crate::vector::subtract(to, from));
                tubes.add(&Self::plate(&circle([0.0, 0.0], radius, 6), [0.0, reach]), pose);
            }
        }
        tubes
    }
}

/// Points of a circle, counterclockwise.
pub fn circle([x, y]: [f64; 2], radius: f64, sides: usize) -> Vec<[f64; 2]> {
    let angle = |i: usize| TAU * i as f64 / sides as f64;
    (0..sides).map(|i| [x + radius * angle(i).cos(), y + radius * angle(i).sin()]).collect()
}

/// The convex hull of points in the plane, counterclockwise (Andrew's monotone chain).
pub fn hull(mut points: Vec<[f64; 2]>) -> Vec<[f64; 2]> {
    points.sort_by(|a, b| a[0].total_cmp(&b[0]).then(a[1].total_cmp(&b[1])));
    points.dedup();
    let turn = |o: [f64; 2], a: [f64; 2], b: [f64; 2]| (a[0] - o[0]) * (b[1] - o[1]) - (a[1] - o[1]) * (b[0] - o[0]);
    let half = |points: &mut dyn Iterator<Item = [f64; 2]>| {
        let mut chain: Vec<[f64; 2]> = Vec::new();
        for point in points {
            while chain.len() > 1 && turn(chain[chain.len() - 2], chain[chain.len() - 1], point) <= 0.0 {
                chain.pop();
            }
            chain.push(point);
        }
        chain.pop();
        chain
    };
    let mut lower = half(&mut points.iter().copied());
    lower.extend(half(&mut points.iter().rev().copied()));
    lower
}

/// A coil about the x axis from x = 0 to 1.
pub fn coil(radius: f64, turns: usize, lead: f64) -> Vec<Vector> {
    let steps = 12 * turns;
    let turn = |i: usize| {
        let share = i as f64 / steps as f64;
        let (sin, cos) = (TAU * turns as f64 * share).sin_cos();
        [lead + (1.0 - 2.0 * lead) * share, radius * sin, radius * cos]
    };
    let ends = [[0.0; 3], [lead, 0.0, 0.0]];
    let last = ends.map(|[x, ..]| [1.0 - x, 0.0, 0.0]);
    ends.into_iter().chain((0..=steps).map(turn)).chain(last.into_iter().rev()).collect()
}

/// A zigzag along the x axis from x = 0 to 1, in the plane of x and y.
pub fn zigzag(radius: f64, turns: usize, lead: f64) -> Vec<Vector> {
    let count = 2 * turns;
    let corner = |i: usize| {
        let share = (i as f64 + 0.5) / count as f64;
        [lead + (1.0 - 2.0 * lead) * share, if i.is_multiple_of(2) { radius } else { -radius }, 0.0]
    };
    let ends = [[0.0; 3], [lead, 0.0, 0.0]];
    let last = [[1.0 - lead, 0.0, 0.0], [1.0, 0.0, 0.0]];
    ends.into_iter().chain((0..count).map(corner)).chain(last).collect()
}

/// The middle of points.
pub fn middle(points: &[Vector]) -> Vector {
    let sum = points.iter().fold([0.0; 3], |sum, point| add(sum, *point));
    scale(1.0 / points.len().max(1) as f64, sum)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::vector::{IDENTITY, subtract};

    /// The volume that the faces enclose, by the divergence theorem: positive if all of them look outwards.
    fn volume(mesh: &Mesh) -> f64 {
        let corner = |i: u32| mesh.points[i as usize];
        let of = |face: &Vec<u32>| {
            let fan = (1..face.len() - 1).map(|i| [face[0], face[i], face[i + 1]].map(corner));
            fan.map(|[a, b, c]| dot(a, cross(b, c)) / 6.0).sum::<f64>()
        };
        mesh.faces.iter().map(of).sum()
    }

    #[test]
    fn solids_enclose_their_volume() {
        assert!((volume(&Mesh::cuboid([1.0, 2.0, 3.0])) - 6.0).abs() < 1e-12);
        let round = 0.5 * PIN_SIDES as f64 * (TAU / PIN_SIDES as f64).sin();
        assert!((volume(&Mesh::cylinder(2.0, [-1.0, 2.0])) - 3.0 * 4.0 * round).abs() < 1e-12);
        let sphere = volume(&Mesh::sphere(1.0));
        assert!((3.9..4.19).contains(&sphere), "{sphere}");
        let rod = Mesh::rod(0.1, [1.0, 2.0, 3.0], [1.0, 5.0, 3.0]);
        assert!((volume(&rod) - 3.0 * 0.01 * round).abs() < 1e-12);
        let both = Mesh::default().with(&rod, Pose { origin: [1.0, 0.0, 0.0], turn: IDENTITY });
        assert!((volume(&both) - volume(&rod)).abs() < 1e-12);
    }

    #[test]
    fn an_outline_that_is_not_convex_encloses_its_volume() {
        // an L, both ways around, with an area of 3
        let mut outline = vec![[0.0, 0.0], [2.0, 0.0], [2.0, 1.0], [1.0, 1.0], [1.0, 2.0], [0.0, 2.0]];
        for _ in 0..2 {
            let mesh = Mesh::extrusion(&outline, [-1.0, 1.0]);
            assert!((volume(&mesh) - 6.0).abs() < 1e-12, "{}", volume(&mesh));
            let mirror = [[-1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
            let image = Mesh::default().with(&mesh, Pose { origin: [0.0; 3], turn: mirror });
            assert!((volume(&image) - 6.0).abs() < 1e-12);
            outline.reverse();
        }
    }

    #[test]
    fn the_hull_of_a_square_is_the_square() {
        let points = vec![[0.0, 0.0], [0.5, 0.5], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0], [0.5, 0.0]];
        assert_eq!(hull(points), [[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]]);
    }

    #[test]
    fn springs_go_from_end_to_end() {
        for points in [coil(1.0, 6, 0.1), zigzag(1.0, 6, 0.1)] {
            assert_eq!((points[0], points[points.len() - 1]), ([0.0; 3], [1.0, 0.0, 0.0]));
            let forward = points.windows(2).all(|pair| subtract(pair[1], pair[0])[0] >= -1e-12);
            assert!(forward);
        }
    }
}
