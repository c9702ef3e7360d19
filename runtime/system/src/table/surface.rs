//! A table of two arguments.

use std::fmt;
use std::ops::Mul;
use std::path::Path;

use costate_contract::tables::{Extension, FileTable, GridError, Interpolation, SurfaceGrid, read_surface};

use super::axis::{Knots, Location, MAX_ORDER};
use super::course::Course;
use super::curve::varying;
use super::surface_nodes::Grid;
use costate_numerics::scalar::{Branching, Scalar};

/// A table of two arguments, interpolated by a bicubic spline: the value and all its first and second derivatives are
/// continuous everywhere, beyond the first and last knots too. [`interpolated`](Self::interpolated) keeps it within the
/// values of neighbouring knots.
///
/// The default is 0 everywhere.
#[derive(Clone, PartialEq)]
pub struct Surface {
    x: Knots,
    y: Knots,
    /// f, f_x, f_y, f_xy at every pair of knots; the second argument varies fastest.
    nodes: Vec<[f64; 4]>,
    /// Rates of f, f_x, f_y and f_xy along a direction; empty where they do not change.
    tangent: Vec<[f64; 4]>,
    /// The file's data, until its units are compared with those of a model's table; `None` without a file.
    file: Option<Box<FileTable<SurfaceGrid>>>,
    /// Columns without unit of the file from which the surface was compiled.
    without_units: &'static [[&'static str; 3]],
}

impl Surface {
    /// Creates the surface through `values` at all pairs of the increasing knots `x` and `y`; the second
    /// argument varies fastest.
    ///
    /// # Errors
    /// [`GridError`], naming the knot or value that is wrong.
    pub fn new(x: Vec<f64>, y: Vec<f64>, values: Vec<f64>, extensions: [Extension; 2]) -> Result<Self, GridError> {
        SurfaceGrid::new(x, y, values, extensions).map(|grid| Self::of(&grid))
    }

    /// Reads a surface from a CSV file: the first line holds a corner and the knots of the second argument,
    /// each further line a knot of the first argument and the values there. Where the corner has units,
    /// `speed [rad/s] \ angle [rad]`, also followed by the values' unit, or `rpm\deg`, a run compares the
    /// units with those that the model declares and converts the data; without a model the surface is in the
    /// file's units.
    ///
    /// # Errors
    /// [`GridError`], naming the file and the line.
    pub fn read_csv(path: impl AsRef<Path>, extensions: [Extension; 2]) -> Result<Self, GridError> {
        let path = path.as_ref();
        let file = read_surface(path, &path.display().to_string(), extensions)?;
        Ok(Self::of_file(file))
    }

    pub(super) fn of_file(file: FileTable<SurfaceGrid>) -> Self {
        let surface = Self::of(&file.grid);
        Self { file: Some(Box::new(file)), ..surface }
    }

    /// Interpolates in another way between the same knots, for each argument. Along the lines of the grid a surface
    /// that is [monotone](Interpolation::Monotone) in an argument stays within the values of neighbouring knots;
    /// between these lines it may leave them a little where its rows are of different shapes.
    #[must_use]
    pub fn interpolated(mut self, interpolations: [Interpolation; 2]) -> Self {
        let ([x, y], values) = (self.knots(), self.values());
        let rates = (!self.tangent.is_empty()).then(|| self.values_of(&self.tangent));
        let course = |axis: usize| Course { between: interpolations[axis], beyond: self.extensions()[axis] };
        let courses = [course(0), course(1)];
        let (x, y) = (courses[0].refined(&x), courses[1].refined(&y));
        let grid = Grid { knots: [&x, &y], courses };
        self.nodes = grid.nodes(&values);
        self.tangent = rates.map(|rates| grid.rates(&values, &rates)).unwrap_or_default();
        (self.x, self.y) = (Knots::new(x, courses[0]), Knots::new(y, courses[1]));
        if let Some(file) = &mut self.file {
            file.grid.interpolations = interpolations;
        }
        self
    }

    /// Returns the surface with other `values` at the same knots, in the same unit; the second argument
    /// varies fastest.
    ///
    /// # Errors
    /// As [`new`](Self::new).
    pub fn with_values(&self, values: Vec<f64>) -> Result<Self, GridError> {
        let [x, y] = self.knots();
        let grid = SurfaceGrid::new(x, y, values, self.extensions())?.interpolated(self.interpolations());
        let changed = Self::of(&grid);
        let file = self.file.clone().map(|file| Box::new(FileTable { grid, ..*file }));
        Ok(Self { file, without_units: self.without_units, ..changed })
    }

    /// Returns a surface whose values change at these rates: in [`Dual`](costate_numerics::scalar::Dual) numbers, and
    /// others whose second component is a derivative, the surface's values carry the derivatives in this
    /// direction.
    ///
    /// # Errors
    /// As [`new`](Self::new).
    pub fn along(&self, direction: Vec<f64>) -> Result<Self, GridError> {
        let [x, y] = self.knots();
        let rates = SurfaceGrid::new(x, y, direction, self.extensions())?;
        Ok(self.clone().with_rates(&rates))
    }

    /// Returns the rates at which the surface's values change, if they do, as data of its `file`.
    pub(super) fn rates(&self, file: &FileTable<SurfaceGrid>) -> Option<FileTable<SurfaceGrid>> {
        let mut rates = file.clone();
        rates.grid.values = self.values_of(&self.tangent);
        (!self.tangent.is_empty()).then_some(rates)
    }

    pub(super) fn with_rates(self, rates: &SurfaceGrid) -> Self {
        let tangent = self.grid().rates(&self.values(), &rates.values);
        Self { tangent, ..self }
    }

    /// Creates a surface from data that were checked when the crate was built. Written by `model!`.
    #[doc(hidden)]
    pub fn compiled(x: &[f64], y: &[f64], values: &[f64], extensions: [Extension; 2]) -> Self {
        Self::new(x.to_vec(), y.to_vec(), values.to_vec(), extensions).unwrap_or_default()
    }

    /// Sets the columns of the file that have no unit: file, column, and the unit in which it was taken.
    /// Written by `model!`.
    #[doc(hidden)]
    #[must_use]
    pub fn without_units(mut self, columns: &'static [[&'static str; 3]]) -> Self {
        self.without_units = columns;
        self
    }

    /// Returns the columns of a compiled table that have no unit.
    pub(super) fn compiled_without_units(&self) -> &'static [[&'static str; 3]] {
        self.without_units
    }

    /// Returns the file's data with their units.
    pub(super) fn file(&self) -> Option<&FileTable<SurfaceGrid>> {
        self.file.as_deref()
    }

    pub(super) fn of(grid: &SurfaceGrid) -> Self {
        let course = |axis: usize| Course { between: grid.interpolations[axis], beyond: grid.extensions[axis] };
        let courses = [course(0), course(1)];
        let (x, y) = (courses[0].refined(&grid.x), courses[1].refined(&grid.y));
        let nodes = Grid { knots: [&x, &y], courses }.nodes(&grid.values);
        let (x, y) = (Knots::new(x, courses[0]), Knots::new(y, courses[1]));
        Self { x, y, nodes, tangent: Vec::new(), file: None, without_units: &[] }
    }

    /// Evaluates the value at `(x, y)`.
    pub fn value<S: Scalar>(&self, x: S, y: S) -> S {
        let [value] = self.derivatives(x, y, [[0, 0]]);
        value
    }

    /// Evaluates the partial derivatives of these orders with respect to the first and second argument at `(x, y)`;
    /// `[0, 0]` is the value. At the knots of an argument its third derivative jumps in a spline, its second one in a
    /// monotone surface, and its first one in straight lines, which there is that after the knot.
    #[inline]
    pub fn derivatives<S: Scalar, const N: usize>(&self, x: S, y: S, orders: [[usize; 2]; N]) -> [S; N] {
        S::branching(&Lookup { surface: self, orders }, [x, y])
    }

    /// Returns the extension of the surface beyond its knots, for each argument.
    pub fn extensions(&self) -> [Extension; 2] {
        [&self.x, &self.y].map(|axis| axis.course().beyond)
    }

    /// Returns the interpolation of the surface between its knots, for each argument.
    pub fn interpolations(&self) -> [Interpolation; 2] {
        [&self.x, &self.y].map(|axis| axis.course().between)
    }

    fn grid(&self) -> Grid<'_> {
        Grid { knots: [self.x.values(), self.y.values()], courses: [self.x.course(), self.y.course()] }
    }

    /// Returns the knots of each argument, in increasing order.
    pub fn knots(&self) -> [Vec<f64>; 2] {
        [&self.x, &self.y].map(|axis| axis.course().of_data(axis.values()))
    }

    /// Returns the values at all pairs of the [`knots`](Self::knots); the second argument varies fastest.
    pub fn values(&self) -> Vec<f64> {
        self.values_of(&self.nodes)
    }

    /// Returns the values of such nodes at the knots of the data.
    fn values_of(&self, nodes: &[[f64; 4]]) -> Vec<f64> {
        let rows: Vec<&[[f64; 4]]> = nodes.chunks(self.y.values().len()).collect();
        let rows = self.x.course().of_data(&rows).into_iter();
        let of_row = |row: &[[f64; 4]]| self.y.course().of_data(row).into_iter().map(|node| node[0]);
        rows.flat_map(of_row).collect()
    }

    /// Returns the number of nodes.
    pub(super) fn nodes(&self) -> usize {
        self.nodes.len()
    }

    /// Returns the rates of f, f_x, f_y and f_xy at every node; empty where they do not change.
    pub(super) fn tangent(&self) -> &[[f64; 4]] {
        &self.tangent
    }

    /// Returns the four nodes that determine the derivative of these orders at a point, and the weights of f,
    /// f_x, f_y and f_xy at each.
    pub(super) fn weights(&self, [x, y]: [f64; 2], orders: [usize; 2]) -> [(usize, [f64; 4]); 4] {
        let (along_x, along_y) = (self.x.locate(x), self.y.locate(y));
        let of_x = along_x.weights(self.x.course(), orders[0]);
        let of_y = along_y.weights(self.y.course(), orders[1]);
        std::array::from_fn(|corner| {
            let (i, j) = (corner / 2, corner % 2);
            let node = (along_x.interval + i) * self.y.values().len() + along_y.interval + j;
            let ([value, slope], [along, across]) = ([of_x[2 * i], of_x[2 * i + 1]], [of_y[2 * j], of_y[2 * j + 1]]);
            (node, [along * value, along * slope, across * value, across * slope])
        })
    }

    /// Adds the contribution of a lookup to the derivatives of a number with respect to f, f_x, f_y and f_xy
    /// at every node; `derivative` is that with respect to the result, the derivative of these orders at
    /// `(x, y)`.
    #[inline(always)]
    pub(super) fn spread<S: Scalar>(&self, [x, y]: [S; 2], orders: [usize; 2], derivative: S, nodes: &mut [[S; 4]]) {
        let (along_x, along_y) = (self.x.locate(x), self.y.locate(y));
        let of_x = along_x.weights(self.x.course(), orders[0]).map(|weight| weight * derivative);
        let of_y = along_y.weights(self.y.course(), orders[1]);
        let columns = self.y.values().len();
        for i in 0..2 {
            let at = (along_x.interval + i) * columns + along_y.interval;
            let [value, slope] = [of_x[2 * i], of_x[2 * i + 1]];
            if let [low, high, ..] = &mut nodes[at..] {
                for (node, [along, across]) in [(low, [of_y[0], of_y[1]]), (high, [of_y[2], of_y[3]])] {
                    let shares = [along * value, along * slope, across * value, across * slope];
                    for (sum, share) in node.iter_mut().zip(shares) {
                        *sum += share;
                    }
                }
            }
        }
    }

    /// Transforms the derivatives of a number with respect to the nodes to those with respect to the values.
    pub(super) fn by_values(&self, nodes: &[[f64; 4]]) -> Vec<f64> {
        self.grid().by_values(&self.nodes, nodes)
    }

    /// Returns first and last knot of each argument.
    pub fn ranges(&self) -> [[f64; 2]; 2] {
        [&self.x, &self.y].map(|axis| {
            let knots = axis.values();
            [knots[0], knots[knots.len() - 1]]
        })
    }

    /// Returns all numbers of the surface.
    #[doc(hidden)]
    pub fn numbers(&self) -> impl Iterator<Item = &f64> {
        let nodes = self.nodes.iter().chain(&self.tangent);
        self.x.values().iter().chain(self.y.values()).chain(nodes.flatten())
    }
}

/// The lookup of the partial derivatives of these orders.
struct Lookup<'a, const N: usize> {
    surface: &'a Surface,
    orders: [[usize; 2]; N],
}

impl<const N: usize> Branching<2, N> for Lookup<'_, N> {
    #[inline]
    fn at<S: Scalar>(&self, [x, y]: [S; 2]) -> [S; N] {
        let surface = self.surface;
        let (along_x, along_y) = (surface.x.locate(x), surface.y.locate(y));
        let columns = surface.y.values().len();
        let start = along_x.interval * columns + along_y.interval;
        if S::COMPONENTS > 1 && !surface.tangent.is_empty() {
            let node = |at: usize| -> [S; 4] {
                std::array::from_fn(|part| varying(surface.nodes[at][part], surface.tangent[at][part]))
            };
            let corners = [start, start + columns].map(|at| [node(at), node(at + 1)]);
            return self.combine(along_x, along_y, corners);
        }
        let corners = [start, start + columns].map(|at| [surface.nodes[at], surface.nodes[at + 1]]);
        self.combine(along_x, along_y, corners)
    }
}

impl<const N: usize> Lookup<'_, N> {
    /// Combines the nodes at the corners, of plain or varying numbers, to the derivatives.
    #[inline(always)]
    fn combine<S: Scalar + Mul<T, Output = S>, T: Copy>(
        &self,
        along_x: Location<S>,
        along_y: Location<S>,
        corners: [[[T; 4]; 2]; 2],
    ) -> [S; N] {
        let surface = self.surface;
        // For each order along y: value and slope along x at both ends of the interval.
        let mut edges: [Option<[S; 4]>; MAX_ORDER + 1] = [None; MAX_ORDER + 1];
        self.orders.map(|[x_order, y_order]| {
            let Some(edge) = edges.get_mut(y_order) else { return S::constant(0.0) };
            let edge = *edge.get_or_insert_with(|| {
                let w = along_y.weights(surface.y.course(), y_order);
                let at = |[low, high]: [[T; 4]; 2], part: usize| {
                    w[0] * low[part] + w[1] * low[part + 2] + w[2] * high[part] + w[3] * high[part + 2]
                };
                [at(corners[0], 0), at(corners[0], 1), at(corners[1], 0), at(corners[1], 1)]
            });
            let w = along_x.weights(surface.x.course(), x_order);
            w[0] * edge[0] + w[1] * edge[1] + w[2] * edge[2] + w[3] * edge[3]
        })
    }
}

impl Default for Surface {
    fn default() -> Self {
        let (knots, extensions) = (vec![0.0, 1.0], [Extension::Clamped; 2]);
        let interpolations = [Interpolation::Spline; 2];
        Self::of(&SurfaceGrid { x: knots.clone(), y: knots, values: vec![0.0; 4], extensions, interpolations })
    }
}

impl fmt::Debug for Surface {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Surface")
            .field("ranges", &self.ranges())
            .field("extensions", &self.extensions())
            .field("interpolations", &self.interpolations())
            .field("knots", &[self.x.values().len(), self.y.values().len()])
            .finish_non_exhaustive()
    }
}
