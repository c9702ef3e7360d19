//! Outlines of any form, cut into small triangles.

use std::collections::HashMap;

/// An outline and what is inside of it.
#[derive(Debug, Default)]
pub struct Outline {
    /// The corners, counterclockwise, and other points.
    pub points: Vec<[f64; 2]>,
    /// Triangles, counterclockwise.
    pub triangles: Vec<[u32; 3]>,
    /// All points of the outline, in order.
    pub rim: Vec<u32>,
    /// The number of corners, which come first among the points.
    pub corners: u32,
    /// No edge is longer.
    pub step: f64,
}

impl Outline {
    /// Cuts an outline, whichever way it goes around.
    pub fn of(corners: &[[f64; 2]]) -> Self {
        /// Least number of edges that are as long as the outline.
        const MIN_EDGES: f64 = 8.0;
        let mut points = corners.to_vec();
        points.dedup();
        if points.len() > 1 && points.first() == points.last() {
            points.pop();
        }
        let n = points.len();
        let area: f64 = (0..n).map(|i| turn([0.0; 2], points[i], points[(i + 1) % n])).sum();
        if area < 0.0 {
            points.reverse();
        }
        let extent = |axis: usize| {
            let values = points.iter().map(|point| point[axis]);
            let ends = values.fold([f64::MAX, f64::MIN], |[low, high], x| [low.min(x), high.max(x)]);
            ends[1] - ends[0]
        };
        let step = extent(0).max(extent(1)) / MIN_EDGES;
        // an outline without a size cannot be cut
        if n < 3 || !(step > 0.0 && step.is_finite()) {
            return Self { step: f64::MAX, ..Self::default() };
        }
        let mut cut = Cut { points, middles: HashMap::new(), step };
        let mut rim = Vec::new();
        for i in 0..n as u32 {
            cut.edge(i, (i + 1) % n as u32, &mut rim);
        }
        let mut triangles = Vec::new();
        for triangle in ears(&cut.points[..n]) {
            cut.triangle(triangle, &mut triangles);
        }
        Self { points: cut.points, triangles, rim, corners: n as u32, step }
    }
}

/// Edges that are halved until they are short; an edge has the same points for the triangles on both of its sides.
struct Cut {
    points: Vec<[f64; 2]>,
    middles: HashMap<[u32; 2], u32>,
    step: f64,
}

impl Cut {
    fn length(&self, a: u32, b: u32) -> f64 {
        let [[ax, ay], [bx, by]] = [a, b].map(|i| self.points[i as usize]);
        (bx - ax).hypot(by - ay)
    }

    fn middle(&mut self, a: u32, b: u32) -> u32 {
        let [[ax, ay], [bx, by]] = [a, b].map(|i| self.points[i as usize]);
        *self.middles.entry([a.min(b), a.max(b)]).or_insert_with(|| {
            self.points.push([0.5 * (ax + bx), 0.5 * (ay + by)]);
            (self.points.len() - 1) as u32
        })
    }

    /// Lists the points of an edge without its end.
    fn edge(&mut self, a: u32, b: u32, rim: &mut Vec<u32>) {
        if self.length(a, b) <= self.step {
            rim.push(a);
            return;
        }
        let middle = self.middle(a, b);
        self.edge(a, middle, rim);
        self.edge(middle, b, rim);
    }

    /// Halves a triangle at its longest edge.
    fn triangle(&mut self, [a, b, c]: [u32; 3], triangles: &mut Vec<[u32; 3]>) {
        let edges = [[a, b, c], [b, c, a], [c, a, b]];
        let longest = edges.into_iter().max_by(|x, y| self.length(x[0], x[1]).total_cmp(&self.length(y[0], y[1])));
        let Some([a, b, c]) = longest.filter(|edge| self.length(edge[0], edge[1]) > self.step) else {
            triangles.push([a, b, c]);
            return;
        };
        let middle = self.middle(a, b);
        self.triangle([a, middle, c], triangles);
        self.triangle([middle, b, c], triangles);
    }
}

/// Cuts off ears: corners whose triangle with their neighbours contains no other corner.
fn ears(corners: &[[f64; 2]]) -> Vec<[u32; 3]> {
    let mut left: Vec<usize> = (0..corners.len()).collect();
    let mut triangles = Vec::new();
    while left.len() > 3 {
        let n = left.len();
        let triangle = |k: usize| [left[(k + n - 1) % n], left[k], left[(k + 1) % n]];
        let is_ear = |k: &usize| {
            let [a, b, c] = triangle(*k);
            let [p, q, r] = [a, b, c].map(|i| corners[i]);
            let inside = |i: usize| {
                let s = corners[i];
                turn(p, q, s) >= 0.0 && turn(q, r, s) >= 0.0 && turn(r, p, s) >= 0.0
            };
            turn(p, q, r) > 0.0 && !left.iter().any(|i| ![a, b, c].contains(i) && inside(*i))
        };
        // an outline that crosses itself may have no ears
        let ear = (0..n).find(is_ear).unwrap_or(0);
        triangles.push(triangle(ear).map(|i| i as u32));
        left.remove(ear);
    }
    triangles.extend(<[usize; 3]>::try_from(left).ok().map(|last| last.map(|i| i as u32)));
    triangles
}

/// Twice the area of a triangle, positive if it is counterclockwise.
fn turn(o: [f64; 2], a: [f64; 2], b: [f64; 2]) -> f64 {
    (a[0] - o[0]) * (b[1] - o[1]) - (a[1] - o[1]) * (b[0] - o[0])
}
