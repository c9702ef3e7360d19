//! A table of one argument.

use std::fmt;
use std::ops::Mul;
use std::path::Path;

use costate_contract::tables::{CurveGrid, Extension, FileTable, GridError, Interpolation, read_curve};

use super::axis::{Knots, Location};
use super::course::Course;
use costate_numerics::scalar::{Branching, Scalar};

/// A table of one argument, interpolated by a cubic spline: value, slope and curvature are continuous everywhere,
/// beyond the first and last knot too. [`interpolated`](Self::interpolated) keeps it within the values of neighbouring
/// knots.
///
/// The default is 0 everywhere.
#[derive(Clone, PartialEq)]
pub struct Curve {
    knots: Knots,
    /// Value and slope at every knot.
    nodes: Vec<[f64; 2]>,
    /// Rates of value and slope along a direction; empty where they do not change.
    tangent: Vec<[f64; 2]>,
    /// The file's data, until its units are compared with those of a model's table; `None` without a file.
    file: Option<Box<FileTable<CurveGrid>>>,
    /// Columns without unit of the file from which the curve was compiled.
    without_units: &'static [[&'static str; 3]],
}

impl Curve {
    /// Creates the curve through `values` at the increasing knots `x`.
    ///
    /// # Errors
    /// [`GridError`], naming the knot or value that is wrong.
    pub fn new(x: Vec<f64>, values: Vec<f64>, extension: Extension) -> Result<Self, GridError> {
        CurveGrid::new(x, values, extension).map(|grid| Self::of(&grid))
    }

    /// Reads a curve from a CSV file with two columns, argument and value, with or without a header. Where
    /// the header has units in brackets, `travel [mm], force [kN]`, a run compares the units with those that
    /// the model declares and converts the data; without a model the curve is in the file's units.
    ///
    /// # Errors
    /// [`GridError`], naming the file and the line.
    pub fn read_csv(path: impl AsRef<Path>, extension: Extension) -> Result<Self, GridError> {
        let path = path.as_ref();
        let file = read_curve(path, &path.display().to_string(), extension)?;
        Ok(Self::of_file(file))
    }

    pub(super) fn of_file(file: FileTable<CurveGrid>) -> Self {
        let curve = Self::of(&file.grid);
        Self { file: Some(Box::new(file)), ..curve }
    }

    /// Interpolates in another way between the same knots. [`Interpolation::Monotone`] neither rings nor leaves the
    /// values of neighbouring knots, as a spline does beside a jump or a sharp bend.
    ///
    /// ```
    /// use costate::table::{Curve, Extension, Interpolation};
    ///
    /// let stop = Curve::new(vec![0.0, 1.0, 2.0, 3.0], vec![0.0, 0.0, 0.0, 200.0], Extension::Linear)?;
    /// assert!(stop.value(1.5) < -10.0);
    /// assert_eq!(stop.interpolated(Interpolation::Monotone).value(1.5), 0.0);
    /// # Ok::<(), costate::table::GridError>(())
    /// ```
    #[must_use]
    pub fn interpolated(mut self, interpolation: Interpolation) -> Self {
        if interpolation == self.interpolation() {
            return self;
        }
        let course = Course { between: interpolation, beyond: self.extension() };
        let (knots, values) = (self.knots(), self.values());
        let rates = (!self.tangent.is_empty()).then(|| self.rate_values());
        let refined = course.refined(&knots);
        self.nodes = course.nodes(&refined, &values);
        self.tangent = rates.map(|rates| course.rates(&refined, &values, &rates)).unwrap_or_default();
        self.knots = Knots::new(refined, course);
        if let Some(file) = &mut self.file {
            file.grid.interpolation = interpolation;
        }
        self
    }

    /// Returns the curve with other `values` at the same knots, in the same unit.
    ///
    /// # Errors
    /// As [`new`](Self::new).
    pub fn with_values(&self, values: Vec<f64>) -> Result<Self, GridError> {
        let grid = CurveGrid::new(self.knots(), values, self.extension())?.interpolated(self.interpolation());
        let changed = Self::of(&grid);
        let file = self.file.clone().map(|file| Box::new(FileTable { grid, ..*file }));
        Ok(Self { file, without_units: self.without_units, ..changed })
    }

    /// Returns a curve whose values change at these rates: in [`Dual`](costate_numerics::scalar::Dual) numbers, and
    /// others whose second component is a derivative, the curve's values carry the derivatives in this
    /// direction.
    ///
    /// # Errors
    /// As [`new`](Self::new).
    pub fn along(&self, direction: Vec<f64>) -> Result<Self, GridError> {
        let rates = CurveGrid::new(self.knots(), direction, self.extension())?;
        Ok(self.clone().with_rates(&rates))
    }

    /// Returns the rates at which the curve's values change, if they do, as data of its `file`.
    pub(super) fn rates(&self, file: &FileTable<CurveGrid>) -> Option<FileTable<CurveGrid>> {
        let mut rates = file.clone();
        rates.grid.values = self.rate_values();
        (!self.tangent.is_empty()).then_some(rates)
    }

    /// Returns the rates of the values at the knots of the data.
    fn rate_values(&self) -> Vec<f64> {
        self.course().of_data(&self.tangent).into_iter().map(|node| node[0]).collect()
    }

    pub(super) fn with_rates(self, rates: &CurveGrid) -> Self {
        let tangent = self.course().rates(self.knots.values(), &self.values(), &rates.values);
        Self { tangent, ..self }
    }

    /// Creates a curve from data that were checked when the crate was built. Written by `model!`.
    #[doc(hidden)]
    pub fn compiled(x: &[f64], values: &[f64], extension: Extension) -> Self {
        Self::new(x.to_vec(), values.to_vec(), extension).unwrap_or_default()
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
    pub(super) fn file(&self) -> Option<&FileTable<CurveGrid>> {
        self.file.as_deref()
    }

    pub(super) fn of(grid: &CurveGrid) -> Self {
        let course = Course { between: grid.interpolation, beyond: grid.extension };
        let knots = course.refined(&grid.x);
        let nodes = course.nodes(&knots, &grid.values);
        let knots = Knots::new(knots, course);
        Self { knots, nodes, tangent: Vec::new(), file: None, without_units: &[] }
    }

    /// Evaluates the value at `x`.
    pub fn value<S: Scalar>(&self, x: S) -> S {
        let [value] = self.derivatives(x, [0]);
        value
    }

    /// Evaluates the derivatives of these orders at `x`; order 0 is the value. At the knots the third derivative of a
    /// spline jumps, the second one of a monotone curve, and the first one of straight lines, which there is that
    /// after the knot.
    #[inline]
    pub fn derivatives<S: Scalar, const N: usize>(&self, x: S, orders: [usize; N]) -> [S; N] {
        S::branching(&Lookup { curve: self, orders }, [x])
    }

    /// Returns the extension of the curve beyond its knots.
    pub fn extension(&self) -> Extension {
        self.course().beyond
    }

    /// Returns the interpolation of the curve between its knots.
    pub fn interpolation(&self) -> Interpolation {
        self.course().between
    }

    #[inline(always)]
    fn course(&self) -> Course {
        self.knots.course()
    }

    /// Returns the knots, in increasing order.
    pub fn knots(&self) -> Vec<f64> {
        self.course().of_data(self.knots.values())
    }

    /// Returns the values at the [`knots`](Self::knots).
    pub fn values(&self) -> Vec<f64> {
        self.course().of_data(&self.nodes).into_iter().map(|node| node[0]).collect()
    }

    /// Returns the number of nodes.
    pub(super) fn nodes(&self) -> usize {
        self.nodes.len()
    }

    /// Returns the rates of value and slope at every node; empty where they do not change.
    pub(super) fn tangent(&self) -> &[[f64; 2]] {
        &self.tangent
    }

    /// Returns the first of the two nodes that determine the derivative of an order at `x`, and the weights
    /// of value and slope at both nodes.
    pub(super) fn weights(&self, x: f64, order: usize) -> (usize, [f64; 4]) {
        let location = self.knots.locate(x);
        (location.interval, location.weights(self.course(), order))
    }

    /// Adds the contribution of a lookup to the derivatives of a number with respect to value and slope at
    /// every node; `derivative` is that with respect to the result, the derivative of an order at `x`.
    #[inline(always)]
    pub(super) fn spread<S: Scalar>(&self, x: S, order: usize, derivative: S, nodes: &mut [[S; 2]]) {
        let location = self.knots.locate(x);
        let weights = location.weights(self.course(), order);
        if let [start, end, ..] = &mut nodes[location.interval..] {
            start[0] += weights[0] * derivative;
            start[1] += weights[1] * derivative;
            end[0] += weights[2] * derivative;
            end[1] += weights[3] * derivative;
        }
    }

    /// Returns the intervals between the knots of the spline, with their lengths.
    pub(super) fn intervals(&self) -> impl Iterator<Item = (usize, f64)> {
        self.knots.values().windows(2).map(|pair| pair[1] - pair[0]).enumerate()
    }

    /// Transforms the derivatives of a number with respect to value and slope at both ends of an interval to
    /// those with respect to the values.
    pub(super) fn by_interval(&self, interval: usize, of_nodes: [f64; 4]) -> Vec<f64> {
        let mut nodes = vec![[0.0; 2]; self.nodes.len()];
        let [value, slope, end_value, end_slope] = of_nodes;
        (nodes[interval], nodes[interval + 1]) = ([value, slope], [end_value, end_slope]);
        self.by_values(&nodes)
    }

    /// Returns the derivatives of the value at `x` with respect to the values at the knots.
    pub(super) fn value_by_values(&self, x: f64) -> Vec<f64> {
        let mut nodes = vec![[0.0; 2]; self.nodes.len()];
        self.spread(x, 0, 1.0, &mut nodes);
        self.by_values(&nodes)
    }

    /// Transforms the derivatives of a number with respect to the nodes to those with respect to the values.
    pub(super) fn by_values(&self, nodes: &[[f64; 2]]) -> Vec<f64> {
        self.course().by_values(self.knots.values(), &self.nodes, nodes)
    }

    /// Returns first and last knot.
    pub fn range(&self) -> [f64; 2] {
        let knots = self.knots.values();
        [knots[0], knots[knots.len() - 1]]
    }

    /// Returns all numbers of the curve.
    #[doc(hidden)]
    pub fn numbers(&self) -> impl Iterator<Item = &f64> {
        let nodes = self.nodes.iter().chain(&self.tangent);
        self.knots.values().iter().chain(nodes.flatten())
    }
}

/// Creates a number of several components whose second component is its derivative.
pub(super) fn varying<S: Scalar>(value: f64, derivative: f64) -> S {
    let mut number = S::constant(value);
    number.set_component(1, derivative);
    number
}

/// The lookup of the derivatives of these orders.
struct Lookup<'a, const N: usize> {
    curve: &'a Curve,
    orders: [usize; N],
}

impl<const N: usize> Branching<1, N> for Lookup<'_, N> {
    #[inline]
    fn at<S: Scalar>(&self, [x]: [S; 1]) -> [S; N] {
        let Curve { knots, nodes, tangent, .. } = self.curve;
        let location = knots.locate(x);
        if S::COMPONENTS > 1 && !tangent.is_empty() {
            let node = |i: usize| [0, 1].map(|part| varying::<S>(nodes[i][part], tangent[i][part]));
            let [start, end] = [node(location.interval), node(location.interval + 1)];
            return self.combine(location, [start, end]);
        }
        let [start, end] = [nodes[location.interval], nodes[location.interval + 1]];
        self.combine(location, [start, end])
    }
}

impl<const N: usize> Lookup<'_, N> {
    /// Combines the nodes at both ends, of plain or varying numbers, to the derivatives.
    #[inline(always)]
    fn combine<S: Scalar + Mul<T, Output = S>, T: Copy>(
        &self,
        location: Location<S>,
        [start, end]: [[T; 2]; 2],
    ) -> [S; N] {
        self.orders.map(|order| {
            let weights = location.weights(self.curve.course(), order);
            weights[0] * start[0] + weights[1] * start[1] + weights[2] * end[0] + weights[3] * end[1]
        })
    }
}

impl Default for Curve {
    fn default() -> Self {
        Self::of(&CurveGrid {
            x: vec![0.0, 1.0],
            values: vec![0.0; 2],
            extension: Extension::Clamped,
            interpolation: Interpolation::Spline,
        })
    }
}

impl fmt::Debug for Curve {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Curve")
            .field("range", &self.range())
            .field("extension", &self.extension())
            .field("interpolation", &self.interpolation())
            .field("knots", &self.nodes.len())
            .finish_non_exhaustive()
    }
}
