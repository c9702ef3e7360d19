//! A table of two arguments.

use std::fmt;
use std::path::Path;

use costate_contract::tables::{Extension, FileTable, GridError, SurfaceGrid, read_surface};

use super::axis::{HIGHEST_ORDER, Knots};
use super::spline::{interpolate, refined};
use crate::scalar::{Branching, Scalar};

/// A table of two arguments, interpolated by a bicubic spline: the value and all its first and second derivatives are
/// continuous everywhere, beyond the first and last knots too.
///
/// The default is 0 everywhere.
#[derive(Clone, PartialEq)]
pub struct Surface {
    x: Knots,
    y: Knots,
    /// f, f_x, f_y, f_xy at every pair of knots; the second argument varies fastest.
    nodes: Vec<[f64; 4]>,
    /// The file's data, until its units are compared with those of a model's table.
    file: Option<Box<FileTable<SurfaceGrid>>>,
    /// Columns of the file that it was compiled from which have no unit.
    without_units: &'static [[&'static str; 3]],
}

impl Surface {
    /// Through `values` at all pairs of the increasing knots `x` and `y`; the second argument varies fastest.
    ///
    /// # Errors
    /// [`GridError`], naming the knot or value that is wrong.
    pub fn new(
        x: Vec<f64>,
        y: Vec<f64>,
        values: Vec<f64>,
        extensions: [Extension; 2],
    ) -> Result<Self, GridError> {
        SurfaceGrid::new(x, y, values, extensions).map(|grid| Self::of(&grid))
    }

    /// From a CSV file: the first line holds the knots of the second argument behind a corner, each
    /// further line a knot of the first argument and the values there. Where the corner has units,
    /// `speed [rad/s] \ angle [rad]`, also with the values' unit behind them, or `rpm\deg`, a run compares them with those
    /// that the model declares and converts the data; by itself the surface is in the file's units.
    ///
    /// # Errors
    /// [`GridError`], naming the file and the line.
    pub fn read_csv(path: impl AsRef<Path>, extensions: [Extension; 2]) -> Result<Self, GridError> {
        let path = path.as_ref();
        let file = read_surface(path, &path.display().to_string(), extensions)?;
        Ok(Self { file: Some(Box::new(file.clone())), ..Self::of(&file.grid) })
    }

    /// From data that were checked when the crate was built. Written by `model!`.
    #[doc(hidden)]
    pub fn compiled(x: &[f64], y: &[f64], values: &[f64], extensions: [Extension; 2]) -> Self {
        Self::new(x.to_vec(), y.to_vec(), values.to_vec(), extensions).unwrap_or_default()
    }

    /// With the columns of the file that have no unit: file, column, and the unit in which it was taken. Written by
    /// `model!`.
    #[doc(hidden)]
    #[must_use]
    pub fn without_units(mut self, columns: &'static [[&'static str; 3]]) -> Self {
        self.without_units = columns;
        self
    }

    /// The columns of a compiled table that have no unit.
    pub(super) fn compiled_without_units(&self) -> &'static [[&'static str; 3]] {
        self.without_units
    }

    /// What is known of the file's units.
    pub(super) fn file(&self) -> Option<&FileTable<SurfaceGrid>> {
        self.file.as_deref()
    }

    pub(super) fn of(grid: &SurfaceGrid) -> Self {
        let [along_x, along_y] = grid.extensions;
        let (x, y) = (refined(&grid.x, along_x), refined(&grid.y, along_y));
        // Splines along y through each row of the data, then along x through their values and slopes.
        let rows: Vec<Vec<[f64; 2]>> =
            grid.values.chunks(grid.y.len()).map(|row| interpolate(&y, row, along_y)).collect();
        let mut nodes = vec![[0.0; 4]; x.len() * y.len()];
        for j in 0..y.len() {
            for part in 0..2 {
                let column: Vec<f64> = rows.iter().map(|row| row[j][part]).collect();
                for (i, [value, slope]) in interpolate(&x, &column, along_x).into_iter().enumerate() {
                    let node = &mut nodes[i * y.len() + j];
                    (node[2 * part], node[2 * part + 1]) = (value, slope);
                }
            }
        }
        Self { x: Knots::new(x, along_x), y: Knots::new(y, along_y), nodes, file: None, without_units: &[] }
    }

    /// The value at `(x, y)`.
    pub fn value<S: Scalar>(&self, x: S, y: S) -> S {
        let [value] = self.derivatives(x, y, [[0, 0]]);
        value
    }

    /// The partial derivatives of these orders with respect to the first and second argument at `(x, y)`; `[0, 0]` is
    /// the value. Third derivatives jump at the knots, higher ones are 0.
    #[inline]
    pub fn derivatives<S: Scalar, const N: usize>(&self, x: S, y: S, orders: [[usize; 2]; N]) -> [S; N] {
        S::branching(&Lookup { surface: self, orders }, [x, y])
    }

    /// How it goes on beyond its knots, for each argument.
    pub fn extensions(&self) -> [Extension; 2] {
        [self.x.extension(), self.y.extension()]
    }

    /// First and last knot of each argument.
    pub fn ranges(&self) -> [[f64; 2]; 2] {
        [&self.x, &self.y].map(|axis| {
            let knots = axis.values();
            [knots[0], knots[knots.len() - 1]]
        })
    }

    /// All numbers that it is made of.
    pub(crate) fn numbers(&self) -> impl Iterator<Item = &f64> {
        self.x.values().iter().chain(self.y.values()).chain(self.nodes.iter().flatten())
    }
}

/// The partial derivatives of these orders.
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
        let corners = [start, start + columns].map(|at| [surface.nodes[at], surface.nodes[at + 1]]);
        // For each order along y: value and slope along x at both ends of the interval.
        let mut edges: [Option<[S; 4]>; HIGHEST_ORDER + 1] = [None; HIGHEST_ORDER + 1];
        self.orders.map(|[x_order, y_order]| {
            let Some(edge) = edges.get_mut(y_order) else { return S::constant(0.0) };
            let edge = *edge.get_or_insert_with(|| {
                let w = along_y.weights(surface.y.extension(), y_order);
                let at = |[low, high]: [[f64; 4]; 2], part: usize| {
                    w[0] * low[part] + w[1] * low[part + 2] + w[2] * high[part] + w[3] * high[part + 2]
                };
                [at(corners[0], 0), at(corners[0], 1), at(corners[1], 0), at(corners[1], 1)]
            });
            let w = along_x.weights(surface.x.extension(), x_order);
            w[0] * edge[0] + w[1] * edge[1] + w[2] * edge[2] + w[3] * edge[3]
        })
    }
}

impl Default for Surface {
    fn default() -> Self {
        let axis = Knots::new(vec![0.0, 1.0], Extension::Clamped);
        Self { x: axis.clone(), y: axis, nodes: vec![[0.0; 4]; 4], file: None, without_units: &[] }
    }
}

impl fmt::Debug for Surface {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Surface")
            .field("ranges", &self.ranges())
            .field("extensions", &self.extensions())
            .field("knots", &[self.x.values().len(), self.y.values().len()])
            .finish_non_exhaustive()
    }
}
