//! Tables: their declaration, their data, and their use in expressions.

use std::path::{Path, PathBuf};

use costate_tables::{CurveGrid, Extension, FileTable, GridError, SurfaceGrid, read_curve, read_surface};
use syn::ext::IdentExt;

use super::Quantity;
use super::context::Context;
use super::lower::Lowering;
use super::names::{Elements, Kind};
use crate::diagnostic::Place;
use crate::dimension::{Measure, Measured};
use crate::symbolic::{Id, Lookup};
use crate::syntax::ast::{Expr, TableArgumentSyntax, TableSyntax};
use crate::units::{Dimension, Scale, Unit};

/// A table of one or two arguments.
#[derive(Debug, Clone)]
pub struct Table {
    /// Its name, and the unit of its values.
    pub quantity: Quantity,
    /// Names and units of the arguments.
    pub arguments: Vec<Quantity>,
    /// Its data, if a file has them; else they are given to a run.
    pub values: Option<TableValues>,
    /// The file.
    pub file: Option<PathBuf>,
    /// Columns of the file that have no unit and are taken in the declared ones: file, column, unit.
    pub without_units: Vec<[String; 3]>,
    argument_units: Vec<(Scale, Option<Dimension>)>,
    unit: (Scale, Option<Dimension>),
}

/// Data of a table, in its own units.
#[derive(Debug, Clone)]
pub enum TableValues {
    /// Of one argument.
    Curve(CurveGrid),
    /// Of two arguments.
    Surface(SurfaceGrid),
}

impl Table {
    /// How it is used, `pressure(speed, angle)`.
    pub fn signature(&self) -> String {
        let arguments: Vec<&str> = self.arguments.iter().map(|argument| argument.name.as_str()).collect();
        format!("{}({})", self.quantity.name, arguments.join(", "))
    }
}

impl Lowering<'_> {
    pub(super) fn declare_table(&mut self, table: &TableSyntax) {
        if !matches!(table.arguments.len(), 1 | 2) {
            // After a syntax error the arguments may not have been read.
            if !self.incomplete {
                let message = "a table has one or two arguments; write e.g. `force(x: mm): N`";
                self.error_at(table.place, message);
            }
            self.names.mark_unclear(&table.name);
            return;
        }
        if !self.incomplete
            && let [first, second] = &*table.arguments
            && first.name.unraw() == second.name.unraw()
        {
            let message = format!("both arguments are called `{}`; rename one of them", first.name);
            self.error_at(second.name.span(), message);
        }
        if !self.declare_name(Kind::Table, &table.name, None) {
            return;
        }
        let (values, file, without_units) = match self.table_values(table) {
            Some((read, path)) => (Some(read.values), Some(path), read.without_units),
            None => (None, None, Vec::new()),
        };
        let arguments = table
            .arguments
            .iter()
            .map(|argument| self.named_quantity(&argument.name, None, argument.unit.text.clone(), &[]));
        let arguments = arguments.collect();
        let quantity = self.named_quantity(&table.name, None, table.unit.text.clone(), &table.documentation);
        self.model.tables.push(Table {
            quantity,
            arguments,
            values,
            file,
            without_units,
            argument_units: table
                .arguments
                .iter()
                .map(|argument| (argument.unit.scale, argument.unit.dimension))
                .collect(),
            unit: (table.unit.scale, table.unit.dimension),
        });
    }

    /// The data in the table's file.
    fn table_values(&mut self, table: &TableSyntax) -> Option<(Read, PathBuf)> {
        let Some((path, place)) = &table.file else {
            if let Some((extension, place)) = table.arguments.iter().find_map(|argument| argument.extension) {
                let message = format!(
                    "a table that is given to a run brings its own way to go on; leave `{}` out",
                    extension.word()
                );
                self.error_at(place, message);
            }
            return None;
        };
        let name = path.as_str();
        let path = absolute(Path::new(name), self.folder.as_deref());
        match read(&path, name, table) {
            Ok(read) => Some((read, path)),
            Err(error) => {
                let remedy = match (&error, &self.folder) {
                    (GridError::File { .. }, None) => {
                        "; the path starts at the folder of the crate's `Cargo.toml`".to_owned()
                    }
                    (GridError::File { .. }, Some(folder)) => {
                        format!("; the path starts at `{}`", folder.display())
                    }
                    _ => String::new(),
                };
                self.error_at(*place, format!("{error}{remedy}"));
                None
            }
        }
    }

    /// The position of the table with this name.
    pub(super) fn table_named(&self, name: &str) -> Option<usize> {
        match self.names.get(name)? {
            declared if declared.kind != Kind::Table => None,
            declared => match declared.elements {
                Elements::Scalar(position) => Some(position),
                Elements::Array(_) => None,
            },
        }
    }

    /// The table's value, in SI units.
    pub(super) fn look_up(
        &mut self,
        table: usize,
        arguments: &[Expr],
        place: Place,
        context: Context,
    ) -> Option<Measured> {
        self.usage.use_quantity(Kind::Table, table);
        let values: Vec<Option<Measured>> =
            arguments.iter().map(|argument| self.measured(argument, context)).collect();
        let values: Vec<Measured> = values.into_iter().collect::<Option<_>>()?;
        let Table { argument_units, unit: (scale, dimension), .. } = self.model.tables.get(table)?;
        let (argument_units, scale, dimension) = (argument_units.clone(), *scale, *dimension);
        if values.len() != argument_units.len() {
            let signature = self.model.tables[table].signature();
            let count = match values.len() {
                1 => "1 argument is".to_owned(),
                count => format!("{count} arguments are"),
            };
            self.error_at(place, format!("{count} not what the table takes; write `{signature}`"));
            return None;
        }
        let mut numbers: Vec<Id> = Vec::new();
        for (i, (value, (scale, wanted))) in values.into_iter().zip(argument_units).enumerate() {
            let Table { quantity, arguments: names, .. } = &self.model.tables[table];
            let what = format!("the argument `{}` of `{}`", names[i].name, quantity.name);
            if let Some(wanted) = wanted {
                self.expect(value.unit, wanted, &arguments[i], &what);
            }
            numbers.push(self.in_declared_unit(value.id, scale));
        }
        let lookup = Lookup { table: table as u32, orders: [0; 2] };
        let number = match *numbers {
            [x] => self.graph.curve(lookup, x),
            [x, y] => self.graph.surface(lookup, x, y),
            _ => return None,
        };
        Some(Measured { id: self.in_si(number, scale), unit: Measure::known_or_unclear(dimension) })
    }
}

/// A path in `folder`, or else beside the `Cargo.toml` of the crate that is being built.
fn absolute(path: &Path, folder: Option<&Path>) -> PathBuf {
    let crate_folder = || std::env::var_os("CARGO_MANIFEST_DIR").map(PathBuf::from);
    match folder.map(Path::to_owned).or_else(crate_folder) {
        Some(folder) => folder.join(path),
        None => path.to_owned(),
    }
}

/// The data of a file in the declared units, and the columns that have none.
struct Read {
    values: TableValues,
    without_units: Vec<[String; 3]>,
}

impl Read {
    fn new<G>(file: &FileTable<G>, declared: &[(&str, &str)], values: TableValues) -> Self {
        let bare = file.columns.iter().zip(declared).filter(|(column, _)| column.unit.is_none());
        let names = bare.map(|(column, (_, unit))| [&file.file, &column.name, *unit].map(str::to_owned));
        Self { values, without_units: names.filter(|[_, _, unit]| unit != "1").collect() }
    }
}

/// The file's data in the declared units.
fn read(path: &Path, name: &str, table: &TableSyntax) -> Result<Read, GridError> {
    let extension = |argument: &TableArgumentSyntax| match argument.extension {
        Some((extension, _)) => extension,
        None => Extension::default(),
    };
    let units = table.arguments.iter().map(|argument| (&argument.name, &argument.unit));
    let units: Vec<(String, &Unit)> = units
        .chain([(&table.name, &table.unit)])
        .map(|(name, unit)| (name.unraw().to_string(), unit))
        .collect();
    // Where a unit could not be read there is an error already.
    let are_known = units.iter().all(|(_, unit)| unit.dimension.is_some());
    let declared: Vec<(&str, &str)> = units.iter().map(|(name, unit)| (name.as_str(), &*unit.text)).collect();
    match (&*table.arguments, &*declared) {
        ([x, y], &[first, second, values]) => {
            let file = read_surface(path, name, [extension(x), extension(y)])?;
            if !are_known {
                return Ok(Read { values: TableValues::Surface(file.grid), without_units: Vec::new() });
            }
            let own = TableValues::Surface(file.in_units([first, second, values])?);
            Ok(Read::new(&file, &declared, own))
        }
        ([x, ..], &[first, .., values]) if are_known => {
            let file = read_curve(path, name, extension(x))?;
            let own = TableValues::Curve(file.in_units([first, values])?);
            Ok(Read::new(&file, &[first, values], own))
        }
        (arguments, _) => {
            let extension = arguments.first().map(extension).unwrap_or_default();
            let values = read_curve(path, name, extension).map(|file| TableValues::Curve(file.grid))?;
            Ok(Read { values, without_units: Vec::new() })
        }
    }
}
