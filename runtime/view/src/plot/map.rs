//! A function of two variables: coloured cells and contour lines.

use crate::plot::color::{Color, mixed};

/// Viridis: lightness rises evenly, also for the colour-blind.
const COLORS: [Color; 10] = [
    Color(68, 1, 84),
    Color(72, 40, 120),
    Color(62, 74, 137),
    Color(49, 104, 142),
    Color(38, 130, 142),
    Color(31, 158, 137),
    Color(53, 183, 121),
    Color(109, 205, 89),
    Color(180, 222, 44),
    Color(253, 231, 37),
];

/// Values at the points of a rectangular grid.
#[derive(Debug, Clone)]
pub struct Map {
    pub(crate) name: String,
    pub(crate) x: Vec<f64>,
    pub(crate) y: Vec<f64>,
    values: Vec<f64>,
    contours: f64,
    limits: Option<(f64, f64)>,
    pub(crate) is_stepped: bool,
}

/// A cell of the grid as it is drawn: two opposite corners, and the value between them.
pub(crate) struct Cell {
    pub corners: [(f64, f64); 2],
    pub value: f64,
}

impl Map {
    /// Values at every point of a grid with rising coordinates, row by row: `values[j*x.len() + i]` at `(x[i], y[j])`.
    /// Contour lines have this distance in value; with 0, or one of which there would be more than 1000, there are
    /// none. What is not finite or missing is left out.
    pub fn new(name: impl Into<String>, x: Vec<f64>, y: Vec<f64>, values: Vec<f64>, contours: f64) -> Self {
        Self { name: name.into(), x, y, values, contours, limits: None, is_stepped: false }
    }

    /// Gives the lowest and the highest colour to these values, and to all below and above them.
    #[must_use]
    pub fn limits(mut self, limits: (f64, f64)) -> Self {
        self.limits = Some(limits).filter(|(lo, hi)| lo.is_finite() && hi.is_finite() && lo < hi);
        self
    }

    /// Fills the surroundings of every point, half-way to the next ones, with its value: narrow peaks keep their
    /// height. Of points that are less than two pixels apart the highest one is shown. Contour lines are left out.
    #[must_use]
    pub fn stepped(mut self) -> Self {
        self.is_stepped = true;
        self.contours = 0.0;
        self
    }

    /// The lowest and the highest value.
    pub(crate) fn range(&self) -> (f64, f64) {
        if let Some(limits) = self.limits {
            return limits;
        }
        let finite = self.values.iter().copied().filter(|value| value.is_finite());
        let (lo, hi) = finite.fold((f64::INFINITY, f64::NEG_INFINITY), |(lo, hi), z| (lo.min(z), hi.max(z)));
        match lo < hi {
            true => (lo, hi),
            false if lo.is_finite() => (lo - 0.5, lo + 0.5),
            false => (0.0, 1.0),
        }
    }

    /// The value at the point with these indices; NaN if there is none.
    pub(crate) fn value(&self, column: usize, row: usize) -> f64 {
        self.values.get(row * self.x.len() + column).copied().unwrap_or(f64::NAN)
    }

    /// The colour of a value.
    pub(crate) fn color(&self, value: f64) -> Color {
        let (lo, hi) = self.range();
        color((value - lo) / (hi - lo))
    }

    /// The cells, each with the mean of its corners. They reach a little into the next ones, which are to be drawn over
    /// them: viewers leave gaps between areas that only touch.
    pub(crate) fn cells(&self) -> impl Iterator<Item = Cell> + '_ {
        /// Part of the next cell that a cell reaches into.
        const OVERLAP: f64 = 0.2;
        let end = |axis: &[f64], k: usize| {
            let next = axis.get(k + 1).copied().unwrap_or(axis[k]);
            axis[k] + OVERLAP * (next - axis[k])
        };
        self.quads().map(move |(i, j, corners)| Cell {
            corners: [(self.x[i], self.y[j]), (end(&self.x, i + 1), end(&self.y, j + 1))],
            value: corners.iter().sum::<f64>() / 4.0,
        })
    }

    /// The surroundings of points that belong to no cell, half-way to the next ones.
    pub(crate) fn single_points(&self) -> impl Iterator<Item = Cell> + '_ {
        let columns = self.x.len();
        let mut in_cell = vec![false; self.values.len()];
        for (i, j, _) in self.quads() {
            for at in [j * columns + i, j * columns + i + 1, (j + 1) * columns + i, (j + 1) * columns + i + 1] {
                in_cell[at] = true;
            }
        }
        let between = |axis: &[f64], k: usize, l: usize| 0.5 * (axis[k] + axis[l]);
        let ends = move |axis: &[f64], k: usize| {
            (between(axis, k.saturating_sub(1), k), between(axis, k, (k + 1).min(axis.len() - 1)))
        };
        let points = (0..self.values.len().min(columns * self.y.len())).map(move |at| (at % columns, at / columns, at));
        points.filter(move |&(.., at)| self.values[at].is_finite() && !in_cell[at]).map(move |(i, j, at)| {
            let ((left, right), (low, high)) = (ends(&self.x, i), ends(&self.y, j));
            Cell { corners: [(left, low), (right, high)], value: self.values[at] }
        })
    }

    /// The pieces of all contour lines, linear in every triangle of a cell's edge and centre.
    pub(crate) fn contours(&self) -> Vec<[(f64, f64); 2]> {
        /// Largest number of contour lines: a map with more shows none.
        const MAX_CONTOURS: f64 = 1000.0;
        let (lo, hi) = self.range();
        // neither endless lines nor none at a distance of 0 or NaN
        let count = (hi - lo) / self.contours;
        if !(count > 0.0 && count <= MAX_CONTOURS) {
            return Vec::new();
        }
        let levels = (lo / self.contours).ceil() as i64..=(hi / self.contours).floor() as i64;
        let levels: Vec<f64> = levels.map(|k| k as f64 * self.contours).collect();
        let mut pieces = Vec::new();
        for (i, j, z) in self.quads() {
            let (x, y) = ([self.x[i], self.x[i + 1]], [self.y[j], self.y[j + 1]]);
            let around = [(x[0], y[0], z[0]), (x[1], y[0], z[1]), (x[1], y[1], z[2]), (x[0], y[1], z[3])];
            let center = (0.5 * (x[0] + x[1]), 0.5 * (y[0] + y[1]), z.iter().sum::<f64>() / 4.0);
            for k in 0..4 {
                let triangle = [around[k], around[(k + 1) % 4], center];
                pieces.extend(levels.iter().filter_map(|&level| crossing(triangle, level)));
            }
        }
        pieces
    }

    /// First indices and corner values, counterclockwise, of the cells whose corners are all finite.
    fn quads(&self) -> impl Iterator<Item = (usize, usize, [f64; 4])> + '_ {
        let (columns, rows) = (self.x.len(), self.y.len());
        let value = move |i: usize, j: usize| self.values.get(j * columns + i).copied().unwrap_or(f64::NAN);
        let cells = (1..rows).flat_map(move |j| (1..columns).map(move |i| (i - 1, j - 1)));
        cells
            .map(move |(i, j)| (i, j, [value(i, j), value(i + 1, j), value(i + 1, j + 1), value(i, j + 1)]))
            .filter(|(.., corners)| corners.iter().all(|corner| corner.is_finite()))
    }
}

/// The colour of a part of the range from 0 to 1.
pub(crate) fn color(part: f64) -> Color {
    let place = part.clamp(0.0, 1.0) * (COLORS.len() - 1) as f64;
    let first = (place as usize).min(COLORS.len() - 2);
    mixed(COLORS[first], COLORS[first + 1], place - first as f64)
}

/// The line on which a plane over a triangle has this level.
fn crossing(triangle: [(f64, f64, f64); 3], level: f64) -> Option<[(f64, f64); 2]> {
    let mut ends = (0..3).filter_map(|k| {
        let (a, b) = (triangle[k], triangle[(k + 1) % 3]);
        let part = (level - a.2) / (b.2 - a.2);
        // An end at a corner belongs to one of its edges.
        ((a.2 < level) != (b.2 < level)).then_some((a.0 + part * (b.0 - a.0), a.1 + part * (b.1 - a.1)))
    });
    Some([ends.next()?, ends.next()?])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn contours_of_a_plane_are_straight() {
        // z = x + y
        let axis = vec![0.0, 1.0, 2.0];
        let values = (0..9).map(|k| f64::from(k % 3 + k / 3)).collect();
        let map = Map::new("z", axis.clone(), axis, values, 0.5);
        let pieces = map.contours();
        assert!(!pieces.is_empty());
        for (x, y) in pieces.into_iter().flatten() {
            assert!((2.0 * (x + y)).fract().abs() < 1e-12, "{x} {y}");
        }
        assert_eq!(map.cells().count(), 4);
        assert_eq!(map.range(), (0.0, 4.0));
    }

    #[test]
    fn missing_values_leave_a_hole() {
        let axis = vec![0.0, 1.0, 2.0];
        let map = Map::new("z", axis.clone(), axis, vec![0.0, 1.0, 2.0, 0.0, 1.0, f64::NAN], 1.0);
        assert_eq!(map.cells().count(), 1);
        // The point at (2, 0) belongs to no cell.
        let points: Vec<_> = map.single_points().map(|cell| (cell.corners, cell.value)).collect();
        assert_eq!(points, [([(1.5, 0.0), (2.0, 0.5)], 2.0)]);
        assert_eq!(color(0.0), Color(68, 1, 84));
        assert_eq!(color(2.0), Color(253, 231, 37));
    }
}
