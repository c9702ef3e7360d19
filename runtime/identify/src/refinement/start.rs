//! The tables with which a refinement begins.

use std::marker::PhantomData;
use std::sync::Arc;

use costate_contract::tables::GridError;
use costate_system::identifiers::Dynamic;
use costate_system::model::Description;
use costate_system::table::prior::{Break, BreakKind, PriorError, Shape};
use costate_system::table::{AnyTable, Curve, Surface, Table};

use crate::definition::error::SpecificationError;
use crate::definition::unknown_table::UnknownTable;

/// Smallest number of knots, along each argument.
pub(super) const MIN_KNOTS: usize = 4;

/// A break whose place is sought in the data.
#[derive(Debug, Clone, Copy)]
pub(super) struct Sought {
    pub kind: BreakKind,
    pub from: f64,
    pub to: f64,
}

/// A first guess of a table, with its known shapes and breaks.
#[derive(Debug, Clone)]
pub struct StartingTable<M = Dynamic> {
    pub(super) index: usize,
    pub(super) data: AnyTable,
    otherwise: Option<Vec<f64>>,
    pub(super) knots: usize,
    pub(super) typical: Option<f64>,
    shapes: Vec<Shape>,
    pub(super) breaks: Vec<Break>,
    pub(super) sought: Vec<Sought>,
    of: &'static Description,
    model: PhantomData<fn() -> M>,
}

impl<M> StartingTable<M> {
    /// Creates the guess of a curve; the knots of the guess do not matter.
    pub fn curve(table: Table<M, Curve>, guess: impl Into<Arc<Curve>>) -> Self {
        Self {
            index: table.index(),
            data: AnyTable::Curve(guess.into()),
            otherwise: None,
            knots: 40,
            typical: None,
            shapes: Vec::new(),
            breaks: Vec::new(),
            sought: Vec::new(),
            of: table.model(),
            model: PhantomData,
        }
    }

    /// Creates the guess of a surface; the knots of the guess do not matter.
    pub fn surface(table: Table<M, Surface>, guess: impl Into<Arc<Surface>>) -> Self {
        Self {
            index: table.index(),
            data: AnyTable::Surface(guess.into()),
            otherwise: None,
            knots: 12,
            typical: None,
            shapes: Vec::new(),
            breaks: Vec::new(),
            sought: Vec::new(),
            of: table.model(),
            model: PhantomData,
        }
    }

    /// Adds a second guess, from which the refinement begins again where the model can be simulated neither with the
    /// guesses of all tables nor after fits to the beginning of the record: straight through the origin, with one
    /// slope for every argument. A table without a second guess keeps its first one.
    #[must_use]
    pub fn or_straight(mut self, slopes: &[f64]) -> Self {
        self.otherwise = Some(slopes.to_vec());
        self
    }

    /// Sets the number of knots of the refined table, along each argument of a surface; 40 for a curve and 12 for a
    /// surface by default. Knots beyond the data are left out.
    #[must_use]
    pub fn knots(mut self, knots: usize) -> Self {
        self.knots = knots;
        self
    }

    /// Sets a typical change of the values, in the table's unit; by default half of the difference between the
    /// largest and the smallest value of the guess.
    #[must_use]
    pub fn typical(mut self, typical: f64) -> Self {
        self.typical = Some(typical);
        self
    }

    /// Requires that the table, which is a curve, has this shape. Several shapes add up.
    #[must_use]
    pub fn shape(mut self, shape: Shape) -> Self {
        self.shapes.push(shape);
        self
    }

    /// Allows the table, which is a curve, to bend or jump abruptly there; knots are placed for the break.
    #[must_use]
    pub fn break_at(mut self, place: Break) -> Self {
        self.breaks.push(place);
        self
    }

    /// Allows a break as [`break_at`](Self::break_at), at a place between `from` and `to`, in units of the argument,
    /// that is found from the data: the place of the largest evidence, where the curve is smooth elsewhere.
    /// [`Refined::breaks`](super::Refined::breaks) has the places that were found, their deviations, and the evidence
    /// that there is a break at all. Several breaks add up; they are searched for one after the other, in their
    /// order.
    #[must_use]
    pub fn break_within(mut self, kind: BreakKind, from: f64, to: f64) -> Self {
        self.sought.push(Sought { kind, from, to });
        self
    }

    pub(super) fn shapes(&self) -> &[Shape] {
        &self.shapes
    }

    /// Returns the second guess, over the range of the first one.
    pub(super) fn straight(&self) -> Result<Option<AnyTable>, GridError> {
        Ok(match (&self.data, self.otherwise.as_deref()) {
            (AnyTable::Curve(curve), Some(&[slope])) => {
                let knots = curve.range().to_vec();
                let values = knots.iter().map(|x| slope * x).collect();
                let line = Curve::new(knots, values, curve.extension())?;
                Some(AnyTable::Curve(Arc::new(line.interpolated(curve.interpolation()))))
            }
            (AnyTable::Surface(surface), Some(&[of_x, of_y])) => {
                let [x, y] = surface.ranges().map(|range| range.to_vec());
                let values = x.iter().flat_map(|x| y.iter().map(move |y| of_x * x + of_y * y)).collect();
                let plane = Surface::new(x, y, values, surface.extensions())?;
                Some(AnyTable::Surface(Arc::new(plane.interpolated(surface.interpolations()))))
            }
            _ => None,
        })
    }

    /// Removes the type of the model.
    pub(super) fn erased(self) -> StartingTable {
        let Self { index, data, otherwise, knots, typical, shapes, breaks, sought, of, .. } = self;
        let model = PhantomData;
        StartingTable { index, data, otherwise, knots, typical, shapes, breaks, sought, of, model }
    }

    /// Returns the name of the table.
    pub(super) fn name(&self) -> &'static str {
        self.of.tables.get(self.index).map_or("", |table| table.quantity.name)
    }

    /// Returns the unknown of an identification for the table, which has this `height`: its values, with an estimated
    /// smoothness, from the `bend` that an earlier fit has found, or, as long as knots are coarse, with a fixed
    /// smoothness that only holds values beyond the data in place.
    pub(super) fn unknown(&self, height: f64, bend: Option<f64>, is_coarse: bool) -> UnknownTable {
        /// Bend with coarse knots, in heights of the table.
        const COARSE_BEND: f64 = 4.0;
        let mut unknown = UnknownTable::of(self.index, self.of, height);
        // values beyond the data of a part of the record stay where they are: a straight line might lead to forces
        // that drive the motion
        unknown = match is_coarse {
            true => unknown.smoothness(COARSE_BEND * height).deviation(height),
            false => unknown.smooth_from(bend.unwrap_or(COARSE_BEND * height)),
        };
        if !is_coarse && matches!(self.data, AnyTable::Surface(_)) {
            // nothing else determines the level of the surface of an invariant model
            unknown = unknown.deviation(COARSE_BEND * height);
        }
        let unknown = self.shapes.iter().fold(unknown, |unknown, shape| unknown.shape(*shape));
        self.breaks.iter().fold(unknown, |unknown, place| unknown.break_at(*place))
    }

    pub(super) fn check(&self) -> Result<(), SpecificationError> {
        if self.knots < MIN_KNOTS {
            return Err(SpecificationError::UnknownTable {
                table: self.name(),
                field: "knots",
                value: self.knots as f64,
                limit: "4 or more",
            });
        }
        let arguments = if matches!(self.data, AnyTable::Curve(_)) { 1 } else { 2 };
        if let Some(slopes) = &self.otherwise {
            let refused =
                |field, value, limit| Err(SpecificationError::UnknownTable { table: self.name(), field, value, limit });
            if slopes.len() != arguments {
                return refused("number of straight slopes", slopes.len() as f64, "that of its arguments");
            }
            if let Some(slope) = slopes.iter().find(|slope| !slope.is_finite()) {
                return refused("straight slope", *slope, "finite");
            }
        }
        for &Sought { kind, from, to } in &self.sought {
            let AnyTable::Curve(curve) = &self.data else {
                return Err(SpecificationError::SurfaceShape { table: self.name() });
            };
            if !(from < to && (to - from).is_finite()) {
                let [first, last] = curve.range();
                let source = PriorError::Sought { kind, from, to, first, last };
                return Err(SpecificationError::TablePrior { table: self.name(), source });
            }
        }
        Ok(())
    }
}
