//! The tables of a model.

use std::fmt;
use std::marker::PhantomData;
use std::sync::Arc;

use costate_contract::units::UnitError;
use costate_measure::record::AssumedUnit;

use super::{AnyTable, Curve, Surface, in_declared_units};
use crate::identifiers::{Dynamic, Source};
use crate::model::UnknownName;
use crate::model::{Description, Model, OtherModel, Quantity, TableDescription};

/// A table of the model `M`: `Table<M, Curve>` has one argument, `Table<M, Surface>` two.
pub struct Table<M, D> {
    index: usize,
    description: Source,
    model: PhantomData<fn() -> (M, D)>,
}

impl<M: Model, D: TableData> Table<M, D> {
    /// Position in the order of declaration. Written by `model!`.
    #[doc(hidden)]
    pub const fn at(index: usize) -> Self {
        Self { index, description: Source::Of(M::description), model: PhantomData }
    }

    /// The one with this name, and as many arguments as `D` has.
    ///
    /// # Errors
    /// [`UnknownName`] with the names that exist.
    pub fn named(name: &str) -> Result<Self, UnknownName> {
        let index = find(M::description(), name, D::ARGUMENTS)?;
        Ok(Self::at(index))
    }
}

impl<D: TableData> Table<Dynamic, D> {
    /// The one of this model with this name, and as many arguments as `D` has.
    pub(crate) fn find(description: &'static Description, name: &str) -> Result<Self, UnknownName> {
        let index = find(description, name, D::ARGUMENTS)?;
        Ok(Self { index, description: Source::Known(description), model: PhantomData })
    }
}

impl<M, D: TableData> Table<M, D> {
    /// Position in the order of declaration.
    pub fn index(self) -> usize {
        self.index
    }

    /// Name, arguments and units.
    pub fn description(self) -> &'static TableDescription {
        const NONE: TableDescription = TableDescription { quantity: Quantity::NONE, arguments: &[] };
        self.model().tables.get(self.index).unwrap_or(&NONE)
    }

    /// Names and sizes of its model.
    #[doc(hidden)]
    pub fn model(self) -> &'static Description {
        self.description.get()
    }

    /// Name as declared.
    pub fn name(self) -> &'static str {
        self.description().quantity.name
    }
}

/// The position of the table with this name and so many arguments.
fn find(description: &'static Description, name: &str, arguments: usize) -> Result<usize, UnknownName> {
    let fits = |table: &TableDescription| table.arguments.len() == arguments;
    let all = description.tables;
    match all.iter().position(|table| table.quantity.name == name && fits(table)) {
        Some(index) => Ok(index),
        None => Err(UnknownName {
            kind: if arguments == 1 { "table of one argument" } else { "table of two arguments" },
            name: name.to_owned(),
            model: description.name,
            available: all.iter().filter(|table| fits(table)).map(|table| table.quantity.name).collect(),
        }),
    }
}

impl<M, D> Clone for Table<M, D> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<M, D> Copy for Table<M, D> {}

impl<M, D: TableData> fmt::Debug for Table<M, D> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}::{}", self.model().name, self.name())
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

/// The reason why tables do not fit a model.
#[derive(Debug)]
pub enum TableFault {
    /// One has no data.
    Missing(MissingTable),
    /// One is in units that do not fit.
    Unit(Box<UnitError>),
    /// One is a table of another model.
    OtherModel(OtherModel),
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
    "table `{name}` of `{model}` has no data: give them with `.table({model}::{}, ..)`, or name a CSV file in the \
     model",
    name.to_uppercase()
)]
pub struct MissingTable {
    /// The table's name.
    pub name: &'static str,
    /// The model's name.
    pub model: &'static str,
}

/// The data of all tables of a model.
#[derive(Clone)]
pub struct Tables {
    description: &'static Description,
    tables: Vec<Option<AnyTable>>,
    /// A table of another model that was given.
    other: Option<OtherModel>,
}

impl Tables {
    /// No data for any table of the model `M`. [`Model::tables`] has the data that are part of the model.
    pub fn none<M: Model>() -> Self {
        Self::of(M::description())
    }

    /// No data for any table of this model.
    #[doc(hidden)]
    pub fn of(description: &'static Description) -> Self {
        Self { description, tables: vec![None; description.tables.len()], other: None }
    }

    /// Gives one table other data.
    #[must_use]
    pub fn with<M, D: TableData>(mut self, table: Table<M, D>, data: impl Into<Arc<D>>) -> Self {
        match OtherModel::check("table", table.name(), table.model(), self.description) {
            Err(other) => self.other = Some(other),
            Ok(()) => {
                if let Some(slot) = self.tables.get_mut(table.index) {
                    *slot = Some(D::slot(data.into()));
                }
            }
        }
        self
    }

    /// Checks that all tables have data.
    ///
    /// # Errors
    /// [`MissingTable`] with the first one that has none.
    pub fn check(&self) -> Result<(), MissingTable> {
        match self.tables.iter().zip(self.description.tables).find(|(table, _)| table.is_none()) {
            Some((_, table)) => Err(MissingTable { name: table.quantity.name, model: self.description.name }),
            None => Ok(()),
        }
    }

    /// The tables in the units that the model declares, and which columns of files have none.
    ///
    /// # Errors
    /// [`TableFault`].
    #[doc(hidden)]
    pub fn in_declared_units(mut self) -> Result<(Self, Vec<AssumedUnit>), TableFault> {
        if let Some(other) = self.other {
            return Err(TableFault::OtherModel(other));
        }
        self.check()?;
        let mut assumed = Vec::new();
        for (slot, declared) in self.tables.iter_mut().zip(self.description.tables) {
            let Some(table) = slot else { continue };
            if let Some(converted) = in_declared_units(table, declared, &mut assumed)? {
                *table = converted;
            }
        }
        Ok((self, assumed))
    }

    /// A table of one argument; 0 without data, which [`check`](Self::check) finds.
    pub fn curve<M>(&self, table: Table<M, Curve>) -> Arc<Curve> {
        match self.tables.get(table.index) {
            Some(Some(AnyTable::Curve(curve))) => Arc::clone(curve),
            _ => Arc::default(),
        }
    }

    /// A table of two arguments; 0 without data, which [`check`](Self::check) finds.
    pub fn surface<M>(&self, table: Table<M, Surface>) -> Arc<Surface> {
        match self.tables.get(table.index) {
            Some(Some(AnyTable::Surface(surface))) => Arc::clone(surface),
            _ => Arc::default(),
        }
    }

    /// With other data at this position.
    #[doc(hidden)]
    pub fn replaced(mut self, index: usize, data: AnyTable) -> Self {
        if let Some(slot) = self.tables.get_mut(index) {
            *slot = Some(data);
        }
        self
    }

    /// The data of the table at this position in the order of declaration.
    #[doc(hidden)]
    pub fn at(&self, index: usize) -> Option<&AnyTable> {
        self.tables.get(index)?.as_ref()
    }

    /// The names and all numbers of the tables, by which they are distinguished.
    pub(crate) fn numbers(&self) -> impl Iterator<Item = (&'static str, Vec<f64>)> + '_ {
        let named = self.tables.iter().zip(self.description.tables);
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

impl PartialEq for Tables {
    fn eq(&self, other: &Self) -> bool {
        // as a rule data are shared, and no numbers are compared
        let same = |(one, other): (&Option<AnyTable>, &Option<AnyTable>)| match (one, other) {
            (Some(AnyTable::Curve(one)), Some(AnyTable::Curve(other))) => Arc::ptr_eq(one, other) || one == other,
            (Some(AnyTable::Surface(one)), Some(AnyTable::Surface(other))) => Arc::ptr_eq(one, other) || one == other,
            (one, other) => one == other,
        };
        self.tables.len() == other.tables.len() && self.tables.iter().zip(&other.tables).all(same)
    }
}

impl fmt::Debug for Tables {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(&self.tables).finish()
    }
}
