//! Unknown tables.

use std::marker::PhantomData;

use costate_system::identifiers::Dynamic;
use costate_system::model::{Description, OtherModel};
use costate_system::table::prior::{Break, Shape};
use costate_system::table::{Table, TableData};

use super::error::SpecificationError;

/// The smoothness of a table.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Smoothness {
    /// Departure from a straight line over the range of the table.
    Bend(f64),
    /// Departure that is estimated from the data, with this start value.
    Estimated(f64),
}

/// A table whose values at the knots are unknown beside the parameters, in all experiments; made from a [`Table`].
/// The start values are the values of the table when the identification begins.
///
/// ```text
/// UnknownTable::new(Damper::FORCE, 100.0).smooth().shape(Shape::Increasing)
/// ```
#[derive(Debug, Clone)]
pub struct UnknownTable<M = Dynamic> {
    pub(crate) index: usize,
    pub(crate) typical: f64,
    pub(crate) deviation: Option<f64>,
    pub(crate) smoothness: Option<Smoothness>,
    pub(crate) shapes: Vec<Shape>,
    pub(crate) breaks: Vec<Break>,
    /// Names and units of the model.
    of: &'static Description,
    model: PhantomData<fn() -> M>,
}

impl<M> PartialEq for UnknownTable<M> {
    fn eq(&self, other: &Self) -> bool {
        let said = |of: &Self| (of.index, of.typical, of.deviation, of.smoothness);
        said(self) == said(other)
            && self.shapes == other.shapes
            && self.breaks == other.breaks
            && self.of.is_same(other.of)
    }
}

impl<M> UnknownTable<M> {
    /// Makes the values of `table` unknown; `typical` is a typical change of them, in the table's unit.
    pub fn new<D: TableData>(table: Table<M, D>, typical: f64) -> Self {
        Self::of(table.index(), table.model(), typical)
    }

    /// Creates the unknown for the table at this position in the order of declaration.
    pub(crate) fn of(index: usize, of: &'static Description, typical: f64) -> Self {
        let (deviation, smoothness, shapes) = (None, None, Vec::new());
        let breaks = Vec::new();
        Self { index, typical, deviation, smoothness, shapes, breaks, of, model: PhantomData }
    }

    /// Sets a prior: every value is normally distributed about its start value with this standard deviation, in the
    /// table's unit. Values without influence on the data then stay at their start.
    #[must_use]
    pub fn deviation(mut self, deviation: f64) -> Self {
        self.deviation = Some(deviation);
        self
    }

    /// Sets a prior: second derivatives are normally distributed about zero, with such a deviation that the table
    /// departs from a straight line over its range by about `bend`, in the table's unit, where it bends to one side.
    /// For a surface this holds along both arguments.
    #[must_use]
    pub fn smoothness(mut self, bend: f64) -> Self {
        self.smoothness = Some(Smoothness::Bend(bend));
        self
    }

    /// Estimates the smoothness from the data, in place of a given [`smoothness`](Self::smoothness): the bend of the
    /// table is that for which the measured values are most probable (MacKay, Bayesian interpolation, Neural
    /// Computation 4, 1992).
    #[must_use]
    pub fn smooth(self) -> Self {
        let start = self.typical;
        self.smooth_from(start)
    }

    /// Estimates the smoothness as [`smooth`](Self::smooth), with this start value of the bend.
    pub(crate) fn smooth_from(mut self, start: f64) -> Self {
        self.smoothness = Some(Smoothness::Estimated(start));
        self
    }

    /// Requires that the table, which is a curve, has this shape. Several shapes add up.
    #[must_use]
    pub fn shape(mut self, shape: Shape) -> Self {
        self.shapes.push(shape);
        self
    }

    /// Allows the table, which is a curve, to bend or jump abruptly there, however smooth it is elsewhere. Its knots
    /// are those of [`knots_with_breaks`](costate_system::table::prior::knots_with_breaks). Several breaks add up.
    #[must_use]
    pub fn break_at(mut self, place: Break) -> Self {
        self.breaks.push(place);
        self
    }

    /// Removes the type of the model.
    pub(crate) fn erased(self) -> UnknownTable {
        let Self { index, typical, deviation, smoothness, shapes, breaks, of, .. } = self;
        UnknownTable { index, typical, deviation, smoothness, shapes, breaks, of, model: PhantomData }
    }

    /// Returns true if the table has a prior beside its shape.
    pub(crate) fn has_prior(&self) -> bool {
        self.deviation.is_some() || self.smoothness.is_some()
    }

    /// Returns the name of the table.
    pub fn name(&self) -> &'static str {
        self.of.tables.get(self.index).map_or("", |table| table.quantity.name)
    }

    pub(crate) fn unit(&self) -> &'static str {
        self.of.tables.get(self.index).map_or("1", |table| table.quantity.unit)
    }

    /// Checks that the table is one of this model.
    ///
    /// # Errors
    /// [`OtherModel`] for a table of another model.
    pub(crate) fn check_model(&self, model: &'static Description) -> Result<(), OtherModel> {
        OtherModel::check("table", self.name(), self.of, model)
    }

    /// Checks the numbers.
    pub(crate) fn check(&self) -> Result<(), SpecificationError> {
        let bend = self.smoothness.map(|smoothness| match smoothness {
            Smoothness::Bend(bend) | Smoothness::Estimated(bend) => bend,
        });
        let numbers = [("typical", Some(self.typical)), ("deviation", self.deviation), ("smoothness", bend)];
        for (field, value) in numbers {
            if let Some(value) = value.filter(|value| !(*value > 0.0 && value.is_finite())) {
                return Err(SpecificationError::UnknownTable {
                    table: self.name(),
                    field,
                    value,
                    limit: "a finite number above 0, in the table's unit",
                });
            }
        }
        Ok(())
    }
}
