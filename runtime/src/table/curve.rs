//! A table of one argument.

use std::fmt;
use std::path::Path;

use costate_contract::tables::{CurveGrid, Extension, FileTable, GridError, read_curve};

use super::axis::Knots;
use super::spline::{interpolate, refined};
use crate::scalar::{Branching, Scalar};

/// A table of one argument, interpolated by a cubic spline: value, slope and curvature are continuous everywhere,
/// beyond the first and last knot too.
///
/// The default is 0 everywhere.
#[derive(Clone, PartialEq)]
pub struct Curve {
    knots: Knots,
    /// Value and slope at every knot.
    nodes: Vec<[f64; 2]>,
    /// The file's data, until its units are compared with those of a model's table.
    file: Option<Box<FileTable<CurveGrid>>>,
    /// Columns of the file that it was compiled from which have no unit.
    without_units: &'static [[&'static str; 3]],
}

impl Curve {
    /// Through `values` at the increasing knots `x`.
    ///
    /// # Errors
    /// [`GridError`], naming the knot or value that is wrong.
    pub fn new(x: Vec<f64>, values: Vec<f64>, extension: Extension) -> Result<Self, GridError> {
        CurveGrid::new(x, values, extension).map(|grid| Self::of(&grid))
    }

    /// From a CSV file with two columns, argument and value, with or without a header. Where the header has units in
    /// brackets, `travel [mm], force [kN]`, a run compares them with those that the model declares and converts the data;
    /// by itself the curve is in the file's units.
    ///
    /// # Errors
    /// [`GridError`], naming the file and the line.
    pub fn read_csv(path: impl AsRef<Path>, extension: Extension) -> Result<Self, GridError> {
        let path = path.as_ref();
        let file = read_curve(path, &path.display().to_string(), extension)?;
        Ok(Self { file: Some(Box::new(file.clone())), ..Self::of(&file.grid) })
    }

    /// From data that were checked when the crate was built. Written by `model!`.
    #[doc(hidden)]
    pub fn compiled(x: &[f64], values: &[f64], extension: Extension) -> Self {
        Self::new(x.to_vec(), values.to_vec(), extension).unwrap_or_default()
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
    pub(super) fn file(&self) -> Option<&FileTable<CurveGrid>> {
        self.file.as_deref()
    }

    pub(super) fn of(grid: &CurveGrid) -> Self {
        let knots = refined(&grid.x, grid.extension);
        let nodes = interpolate(&knots, &grid.values, grid.extension);
        Self { knots: Knots::new(knots, grid.extension), nodes, file: None, without_units: &[] }
    }

    /// The value at `x`.
    pub fn value<S: Scalar>(&self, x: S) -> S {
        let [value] = self.derivatives(x, [0]);
        value
    }

    /// The derivatives of these orders at `x`; order 0 is the value. The third derivative jumps at the knots, higher
    /// ones are 0.
    #[inline]
    pub fn derivatives<S: Scalar, const N: usize>(&self, x: S, orders: [usize; N]) -> [S; N] {
        S::branching(&Lookup { curve: self, orders }, [x])
    }

    /// How it goes on beyond its knots.
    pub fn extension(&self) -> Extension {
        self.knots.extension()
    }

    /// First and last knot.
    pub fn range(&self) -> [f64; 2] {
        let knots = self.knots.values();
        [knots[0], knots[knots.len() - 1]]
    }

    /// All numbers that it is made of.
    pub(crate) fn numbers(&self) -> impl Iterator<Item = &f64> {
        self.knots.values().iter().chain(self.nodes.iter().flatten())
    }
}

/// The derivatives of these orders.
struct Lookup<'a, const N: usize> {
    curve: &'a Curve,
    orders: [usize; N],
}

impl<const N: usize> Branching<1, N> for Lookup<'_, N> {
    #[inline]
    fn at<S: Scalar>(&self, [x]: [S; 1]) -> [S; N] {
        let Curve { knots, nodes, .. } = self.curve;
        let location = knots.locate(x);
        let [start, end] = [nodes[location.interval], nodes[location.interval + 1]];
        self.orders.map(|order| {
            let weights = location.weights(knots.extension(), order);
            weights[0] * start[0] + weights[1] * start[1] + weights[2] * end[0] + weights[3] * end[1]
        })
    }
}

impl Default for Curve {
    fn default() -> Self {
        Self {
            knots: Knots::new(vec![0.0, 1.0], Extension::Clamped),
            nodes: vec![[0.0; 2]; 2],
            file: None,
            without_units: &[],
        }
    }
}

impl fmt::Debug for Curve {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Curve")
            .field("range", &self.range())
            .field("extension", &self.extension())
            .field("knots", &self.nodes.len())
            .finish_non_exhaustive()
    }
}
