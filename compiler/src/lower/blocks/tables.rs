//! Tables: their declaration and their data.

use std::path::{Path, PathBuf};

use costate_contract::tables::{Extension, FileTable, GridError, read_curve, read_surface};
use syn::ext::IdentExt;

use super::lowering::Lowering;
use crate::lower::names::Kind;
use crate::model::{Table, TableValues};
use crate::syntax::ast::{TableArgumentSyntax, TableSyntax};
use crate::units::Unit;

impl Lowering<'_> {
    pub fn declare_table(&mut self, table: &TableSyntax) {
        if !matches!(table.arguments.len(), 1 | 2) {
            // After a syntax error the arguments may not have been read.
            if !self.names().report.incomplete {
                let message = "a table has one or two arguments; write e.g. `force(x: mm): N`";
                self.error(table.place, message);
            }
            self.names().table.mark_unclear(&table.name);
            return;
        }
        if !self.names().report.incomplete
            && let [first, second] = &*table.arguments
            && first.name.unraw() == second.name.unraw()
        {
            let message = format!("both arguments are called `{}`; rename one of them", first.name);
            self.error(second.name.span(), message);
        }
        if !self.names().declare_name(Kind::Table, &table.name, None) {
            return;
        }
        let (values, file, without_units) = match self.table_values(table) {
            Some((read, path)) => (Some(read.values), Some(path), read.without_units),
            None => (None, None, Vec::new()),
        };
        let names = self.names();
        let quantity = names.quantity(&table.name, None, Some(&table.unit), &table.documentation);
        let arguments = table.arguments.iter();
        let arguments =
            arguments.map(|argument| names.quantity(&argument.name, None, Some(&argument.unit), &[]));
        let arguments = arguments.collect();
        names.quantities.tables.push(Table { quantity, arguments, values, file, without_units });
    }

    /// The data in the table's file.
    fn table_values(&mut self, table: &TableSyntax) -> Option<(Read, PathBuf)> {
        let Some((path, place)) = &table.file else {
            if let Some((extension, place)) = table.arguments.iter().find_map(|argument| argument.extension) {
                let message = format!(
                    "a table that is given to a run brings its own way to go on; leave `{}` out",
                    extension.word()
                );
                self.error(place, message);
            }
            return None;
        };
        let name = path.as_str();
        let path = match self.mechanism.files.path(name) {
            Ok(path) => path,
            Err(message) => return self.refuse(*place, message),
        };
        match read(&path, name, table) {
            Ok(read) => Some((read, path)),
            Err(error) => {
                let remedy = match (&error, &self.mechanism.files.start) {
                    (GridError::File { .. }, None) => {
                        "; the path starts at the folder of the crate's `Cargo.toml`".to_owned()
                    }
                    (GridError::File { .. }, Some(folder)) => {
                        format!("; the path starts at `{}`", folder.display())
                    }
                    _ => String::new(),
                };
                self.refuse(*place, format!("{error}{remedy}"))
            }
        }
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
