//! The tables of a model.

use std::fmt;
use std::marker::PhantomData;
use std::sync::Arc;

use costate_contract::tables::GridError;
use costate_contract::units::UnitError;

use super::{Curve, Extension, Surface, units};
use crate::dual::Dual;
use crate::identifiers::UnknownName;
use crate::model::{Model, Quantity, TableDescription};
use crate::record::AssumedUnit;
use crate::scalar::Scalar;

/// A table of the model `M`: `Table<M, Curve>` has one argument, `Table<M, Surface>` two.
pub struct Table<M, D> {
    index: usize,
    model: PhantomData<fn() -> (M, D)>,
}

impl<M: Model, D: TableData> Table<M, D> {
    /// Position in the order of declaration. Written by `model!`.
    #[doc(hidden)]
    pub const fn at(index: usize) -> Self {
        Self { index, model: PhantomData }
    }

    /// The one with this name, and as many arguments as `D` has.
    ///
    /// # Errors
    /// [`UnknownName`] with the names that exist.
    pub fn named(name: &str) -> Result<Self, UnknownName> {
        let fits = |table: &TableDescription| table.arguments.len() == D::ARGUMENTS;
        let all = M::DESCRIPTION.tables;
        match all.iter().position(|table| table.quantity.name == name && fits(table)) {
            Some(index) => Ok(Self::at(index)),
            None => Err(UnknownName {
                kind: if D::ARGUMENTS == 1 { "table of one argument" } else { "table of two arguments" },
                name: name.to_owned(),
                model: M::DESCRIPTION.name,
                available: all.iter().filter(|table| fits(table)).map(|table| table.quantity.name).collect(),
            }),
        }
    }

    /// Position in the order of declaration.
    pub fn index(self) -> usize {
        self.index
    }

    /// Name, arguments and units.
    pub fn description(self) -> &'static TableDescription {
        const NONE: TableDescription = TableDescription { quantity: Quantity::NONE, arguments: &[] };
        M::DESCRIPTION.tables.get(self.index).unwrap_or(&NONE)
    }

    /// Name as declared.
    pub fn name(self) -> &'static str {
        self.description().quantity.name
    }
}

impl<M, D> Clone for Table<M, D> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<M, D> Copy for Table<M, D> {}

impl<M: Model, D: TableData> fmt::Debug for Table<M, D> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}::{}", M::DESCRIPTION.name, self.name())
    }
}

/// [`Curve`] and [`Surface`].
pub trait TableData: sealed::Slot + Send + Sync + 'static {}

impl TableData for Curve {}
impl TableData for Surface {}

mod sealed {
    use super::{AnyTable, Arc, Curve, Surface};

    pub trait Slot: Sized {
        /// Number of arguments.
        const ARGUMENTS: usize;
        fn slot(data: Arc<Self>) -> AnyTable;
    }

    impl Slot for Curve {
        const ARGUMENTS: usize = 1;

        fn slot(data: Arc<Self>) -> AnyTable {
            AnyTable::Curve(data)
        }
    }

    impl Slot for Surface {
        const ARGUMENTS: usize = 2;

        fn slot(data: Arc<Self>) -> AnyTable {
            AnyTable::Surface(data)
        }
    }
}

/// A table with either number of arguments.
#[doc(hidden)]
#[derive(Debug, Clone, PartialEq)]
pub enum AnyTable {
    /// One argument.
    Curve(Arc<Curve>),
    /// Two arguments.
    Surface(Arc<Surface>),
}

impl AnyTable {
    /// With its values changing at rates that have nothing in common; `None` if they are no rates of such a table.
    pub(crate) fn along_some_rates(&self) -> Option<Self> {
        let rates = (0..self.values().len()).map(|i| (7 * i % 11) as f64 / 5.0 - 1.0);
        self.along(rates.collect())
    }

    /// With one of its values changing, and at the other end of a period with it; `None` for that other end.
    pub(crate) fn along_value(&self, index: usize) -> Option<Self> {
        let mut rates = vec![0.0; self.values().len()];
        *rates.get_mut(index)? = 1.0;
        self.close(&mut rates);
        if rates[index] == 0.0 { None } else { self.along(rates) }
    }

    /// With its values changing at these rates.
    pub(crate) fn along(&self, mut rates: Vec<f64>) -> Option<Self> {
        self.close(&mut rates);
        match self {
            Self::Curve(curve) => curve.along(rates).ok().map(|curve| Self::Curve(Arc::new(curve))),
            Self::Surface(surface) => {
                surface.along(rates).ok().map(|surface| Self::Surface(Arc::new(surface)))
            }
        }
    }

    /// With other values at the same knots.
    pub(crate) fn with_values(&self, values: Vec<f64>) -> Result<Self, GridError> {
        match self {
            Self::Curve(curve) => curve.with_values(values).map(|curve| Self::Curve(Arc::new(curve))),
            Self::Surface(surface) => {
                surface.with_values(values).map(|surface| Self::Surface(Arc::new(surface)))
            }
        }
    }

    /// Its values.
    pub(crate) fn values(&self) -> Vec<f64> {
        match self {
            Self::Curve(curve) => curve.values(),
            Self::Surface(surface) => surface.values(),
        }
    }

    /// Makes the numbers at the ends of periods those at their starts.
    fn close(&self, numbers: &mut [f64]) {
        match self {
            Self::Curve(curve) => close(numbers, 1, curve.extension()),
            Self::Surface(surface) => {
                let ([_, y], [along_x, along_y]) = (surface.knots(), surface.extensions());
                numbers.chunks_mut(y.len()).for_each(|row| close(row, 1, along_y));
                close(numbers, y.len(), along_x);
            }
        }
    }

    /// How fast the derivative of these orders changes with the values of a table that change at some rates.
    pub(crate) fn rate(&self, arguments: &[f64], orders: [usize; 2]) -> f64 {
        match (self, arguments) {
            (Self::Curve(curve), &[x, ..]) => {
                let [rate]: [Dual; 1] = curve.derivatives(Dual::constant(x), [orders[0]]);
                rate.derivative
            }
            (Self::Surface(surface), &[x, y, ..]) => {
                let [x, y] = [x, y].map(Dual::constant);
                let [rate]: [Dual; 1] = surface.derivatives(x, y, [orders]);
                rate.derivative
            }
            _ => 0.0,
        }
    }
}

/// Makes the last `width` values of a period those at its start.
fn close(values: &mut [f64], width: usize, extension: Extension) {
    if extension == Extension::Periodic
        && let Some(last) = values.len().checked_sub(width)
    {
        values.copy_within(..width, last);
    }
}

/// Why tables do not serve a model.
#[derive(Debug)]
pub(crate) enum TableFault {
    /// One has no data.
    Missing(MissingTable),
    /// One is in units that do not fit.
    Unit(Box<UnitError>),
}

impl From<MissingTable> for TableFault {
    fn from(missing: MissingTable) -> Self {
        Self::Missing(missing)
    }
}

impl From<Box<UnitError>> for TableFault {
    fn from(unit: Box<UnitError>) -> Self {
        Self::Unit(unit)
    }
}

/// A table of the model that has no data.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "table `{name}` of `{model}` has no data: give them with `.table({model}::{}, ..)`, or name a CSV file in the model",
    name.to_uppercase()
)]
pub struct MissingTable {
    /// The table's name.
    pub name: &'static str,
    /// The model's name.
    pub model: &'static str,
}

/// The data of all tables of the model `M`.
pub struct Tables<M> {
    tables: Vec<Option<AnyTable>>,
    model: PhantomData<fn() -> M>,
}

impl<M: Model> Tables<M> {
    /// No data for any table. [`Model::tables`] has the data that are part of the model.
    pub fn none() -> Self {
        Self { tables: vec![None; M::DESCRIPTION.tables.len()], model: PhantomData }
    }

    /// Gives one table other data.
    #[must_use]
    pub fn with<D: TableData>(mut self, table: Table<M, D>, data: impl Into<Arc<D>>) -> Self {
        if let Some(slot) = self.tables.get_mut(table.index) {
            *slot = Some(D::slot(data.into()));
        }
        self
    }

    /// Checks that all tables have data.
    ///
    /// # Errors
    /// [`MissingTable`] with the first one that has none.
    pub fn check(&self) -> Result<(), MissingTable> {
        match self.tables.iter().zip(M::DESCRIPTION.tables).find(|(table, _)| table.is_none()) {
            Some((_, table)) => Err(MissingTable { name: table.quantity.name, model: M::DESCRIPTION.name }),
            None => Ok(()),
        }
    }

    /// The tables in the units that the model declares, and which columns of files have none.
    ///
    /// # Errors
    /// [`TableFault`].
    pub(crate) fn in_declared_units(mut self) -> Result<(Self, Vec<AssumedUnit>), TableFault> {
        self.check()?;
        let mut assumed = Vec::new();
        for (slot, declared) in self.tables.iter_mut().zip(M::DESCRIPTION.tables) {
            let Some(table) = slot else { continue };
            if let Some(converted) = units::in_declared_units(table, declared, &mut assumed)? {
                *table = converted;
            }
        }
        Ok((self, assumed))
    }

    /// A table of one argument; 0 without data, which [`check`](Self::check) finds.
    pub fn curve(&self, table: Table<M, Curve>) -> Arc<Curve> {
        match self.tables.get(table.index) {
            Some(Some(AnyTable::Curve(curve))) => Arc::clone(curve),
            _ => Arc::default(),
        }
    }

    /// A table of two arguments; 0 without data, which [`check`](Self::check) finds.
    pub fn surface(&self, table: Table<M, Surface>) -> Arc<Surface> {
        match self.tables.get(table.index) {
            Some(Some(AnyTable::Surface(surface))) => Arc::clone(surface),
            _ => Arc::default(),
        }
    }

    /// With other data at this position.
    pub(crate) fn replaced(mut self, index: usize, data: AnyTable) -> Self {
        if let Some(slot) = self.tables.get_mut(index) {
            *slot = Some(data);
        }
        self
    }

    /// The data of the table at this position in the order of declaration.
    pub(crate) fn at(&self, index: usize) -> Option<&AnyTable> {
        self.tables.get(index)?.as_ref()
    }

    /// The names and all numbers of the tables, to tell them apart.
    pub(crate) fn numbers(&self) -> impl Iterator<Item = (&'static str, Vec<f64>)> + '_ {
        let named = self.tables.iter().zip(M::DESCRIPTION.tables);
        named.map(|(table, description)| {
            let numbers = match table {
                Some(AnyTable::Curve(curve)) => curve.numbers().copied().collect(),
                Some(AnyTable::Surface(surface)) => surface.numbers().copied().collect(),
                None => Vec::new(),
            };
            (description.quantity.name, numbers)
        })
    }
}

impl<M> PartialEq for Tables<M> {
    fn eq(&self, other: &Self) -> bool {
        // as a rule data are shared, and no numbers are compared
        let same = |(one, other): (&Option<AnyTable>, &Option<AnyTable>)| match (one, other) {
            (Some(AnyTable::Curve(one)), Some(AnyTable::Curve(other))) => {
                Arc::ptr_eq(one, other) || one == other
            }
            (Some(AnyTable::Surface(one)), Some(AnyTable::Surface(other))) => {
                Arc::ptr_eq(one, other) || one == other
            }
            (one, other) => one == other,
        };
        self.tables.len() == other.tables.len() && self.tables.iter().zip(&other.tables).all(same)
    }
}

impl<M> Clone for Tables<M> {
    fn clone(&self) -> Self {
        Self { tables: self.tables.clone(), model: PhantomData }
    }
}

impl<M> fmt::Debug for Tables<M> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(&self.tables).finish()
    }
}
