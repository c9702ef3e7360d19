//! Tables whose values are looked for.

use std::marker::PhantomData;

use crate::identifiers::Dynamic;
use crate::model::{Description, OtherModel};
use crate::table::prior::{Break, Shape};
use crate::table::{Table, TableData};

use super::error::IdentificationError;

/// How smooth a table is known to be.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Smoothness {
    /// So far it departs from a straight line over its range.
    Bend(f64),
    /// The data tell, from this start on.
    Estimated(f64),
}

/// A table whose values at the knots are looked for together with the parameters, in all experiments; made from a
/// [`Table`]. The values that it has when the identification begins are the start.
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
    /// Names and units of its model.
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
    /// The values of `table`, of which `typical` is a typical change, in the table's unit.
    pub fn new<D: TableData>(table: Table<M, D>, typical: f64) -> Self {
        Self::of(table.index(), table.model(), typical)
    }

    /// The table at this position in the order of declaration.
    pub(crate) fn of(index: usize, of: &'static Description, typical: f64) -> Self {
        let (deviation, smoothness, shapes) = (None, None, Vec::new());
        let breaks = Vec::new();
        Self { index, typical, deviation, smoothness, shapes, breaks, of, model: PhantomData }
    }

    /// Known beforehand: every value is normally distributed about that of the start with this standard deviation, in the table's
    /// unit. So values that no data touch stay where they are.
    #[must_use]
    pub fn deviation(mut self, deviation: f64) -> Self {
        self.deviation = Some(deviation);
        self
    }

    /// Known beforehand: second derivatives are normally distributed about zero, with such a deviation that the table departs from a
    /// straight line over its range by about `bend`, in the table's unit, where it bends to one side. A surface does so along both
    /// arguments.
    #[must_use]
    pub fn smoothness(mut self, bend: f64) -> Self {
        self.smoothness = Some(Smoothness::Bend(bend));
        self
    }

    /// Takes the smoothness that the data tell, in place of a given [`smoothness`](Self::smoothness): the table bends by so
    /// much that what was measured is most probable (MacKay, Bayesian interpolation, Neural Computation 4, 1992).
    #[must_use]
    pub fn smooth(self) -> Self {
        let start = self.typical;
        self.smooth_from(start)
    }

    /// As [`smooth`](Self::smooth), from this bend on.
    pub(crate) fn smooth_from(mut self, start: f64) -> Self {
        self.smoothness = Some(Smoothness::Estimated(start));
        self
    }

    /// Known for certain: the table, which is a curve, has this shape. Several shapes add up.
    #[must_use]
    pub fn shape(mut self, shape: Shape) -> Self {
        self.shapes.push(shape);
        self
    }

    /// Known beforehand: the table, which is a curve, may bend or jump all at once there, however smooth it is elsewhere. Its knots
    /// are those of [`knots_with_breaks`](crate::table::prior::knots_with_breaks). Several breaks add up.
    #[must_use]
    pub fn break_at(mut self, place: Break) -> Self {
        self.breaks.push(place);
        self
    }

    /// Without the type of the model.
    pub(crate) fn erased(self) -> UnknownTable {
        let Self { index, typical, deviation, smoothness, shapes, breaks, of, .. } = self;
        UnknownTable { index, typical, deviation, smoothness, shapes, breaks, of, model: PhantomData }
    }

    /// Whether something is known of it beforehand but its shape.
    pub(crate) fn has_prior(&self) -> bool {
        self.deviation.is_some() || self.smoothness.is_some()
    }

    /// The table's name.
    pub fn name(&self) -> &'static str {
        self.of.tables.get(self.index).map_or("", |table| table.quantity.name)
    }

    pub(crate) fn unit(&self) -> &'static str {
        self.of.tables.get(self.index).map_or("1", |table| table.quantity.unit)
    }

    /// # Errors
    /// [`OtherModel`] for a table of another model.
    pub(crate) fn check_model(&self, model: &'static Description) -> Result<(), OtherModel> {
        OtherModel::check("table", self.name(), self.of, model)
    }

    /// Checks the numbers.
    pub(crate) fn check(&self) -> Result<(), IdentificationError> {
        let bend = self.smoothness.map(|smoothness| match smoothness {
            Smoothness::Bend(bend) | Smoothness::Estimated(bend) => bend,
        });
        let numbers = [("typical", Some(self.typical)), ("deviation", self.deviation), ("smoothness", bend)];
        for (field, value) in numbers {
            if let Some(value) = value.filter(|value| !(*value > 0.0 && value.is_finite())) {
                return Err(IdentificationError::UnknownTable {
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
