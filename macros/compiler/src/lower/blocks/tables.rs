//! Tables: their declaration and their data.

use std::path::{Path, PathBuf};

use costate_contract::files::FileSource;

use costate_contract::shown::Shown;
use costate_contract::tables::{
    Axis, Excursion, Extension, FileTable, GridError, excursion, read_curve, read_surface, surface_excursion,
};
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
        let read = self.table_values(table);
        if let Some((Read { values, .. }, _)) = &read {
            self.doubt_spline(table, values);
        }
        let (values, file, without_units) = match read {
            Some((read, path)) => (Some(read.values), path, read.without_units),
            None => (None, None, Vec::new()),
        };
        let names = self.names();
        let quantity = names.quantity(&table.name, None, Some(&table.unit), &table.documentation);
        let arguments = table.arguments.iter();
        let arguments = arguments.map(|argument| names.quantity(&argument.name, None, Some(&argument.unit), &[]));
        let arguments = arguments.collect();
        names.quantities.tables.push(Table { quantity, arguments, values, file, without_units });
    }

    /// Warns of a spline that leaves the values of its knots, unless the word `spline` says that it is meant.
    fn doubt_spline(&mut self, table: &TableSyntax, values: &TableValues) {
        let found = match values {
            TableValues::Curve(grid) => excursion(grid),
            TableValues::Surface(grid) => surface_excursion(grid),
        };
        let Some(found) = found else { return };
        let along = if found.axis == Axis::First { table.arguments.first() } else { table.arguments.get(1) };
        let Some(argument) = along.filter(|argument| argument.interpolation.is_none()) else { return };
        let other = table.arguments.iter().find(|other| other.name != argument.name);
        let message = doubt(&found, table, argument, other);
        self.names().report.diagnostics.warning(argument.name.span(), message);
    }

    /// The data in the table's file.
    fn table_values(&mut self, table: &TableSyntax) -> Option<(Read, Option<PathBuf>)> {
        let Some((path, place)) = &table.file else {
            let words = table.arguments.iter().find_map(|TableArgumentSyntax { interpolation, extension, .. }| {
                let between = interpolation.map(|(kind, place)| ("interpolation", kind.word(), place));
                between.or(extension.map(|(kind, place)| ("way to go on", kind.word(), place)))
            });
            if let Some((what, word, place)) = words {
                let message = format!("a table that is given to a run brings its own {what}; leave `{word}` out");
                self.error(place, message);
            }
            return None;
        };
        let name = path.as_str();
        let source = match self.mechanism.files.source(name) {
            Ok(source) => source,
            Err(message) => return self.refuse(*place, message),
        };
        match read(&source, name, table) {
            Ok(read) => Some((read, source.path().map(Path::to_owned))),
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

/// Says where a spline leaves the values of its knots, and how to avoid it.
fn doubt(
    found: &Excursion,
    table: &TableSyntax,
    argument: &TableArgumentSyntax,
    other: Option<&TableArgumentSyntax>,
) -> String {
    let (name, unit, of_values) = (argument.name.unraw(), &argument.unit.text, &table.unit.text);
    let unit = if unit == "1" { String::new() } else { format!(" {unit}") };
    let of_values = if of_values == "1" { String::new() } else { format!(" {of_values}") };
    let beside = match (found.beside, other) {
        (Some(beside), Some(other)) => format!(" at `{}` = {}", other.name.unraw(), Shown(beside)),
        _ => String::new(),
    };
    let [[from, to], [first, last]] = [found.knots, found.values].map(|pair| pair.map(Shown));
    let (at, value) = (Shown(found.at), Shown(found.value));
    let way = match argument.extension {
        Some((Extension::Linear, _)) => " (`linear` is what it does beyond its knots)",
        _ => "",
    };
    format!(
        "the table is a cubic spline{way}, which is {value}{of_values} at `{name}` = {at}{unit}{beside}, outside of \
             the values {first} and {last}{of_values} at the knots {from} and {to}{unit} beside it; write `monotone` \
             before `{name}` to stay between the values, or `spline` if this is meant"
    )
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
fn read(source: &FileSource<'static>, name: &str, table: &TableSyntax) -> Result<Read, GridError> {
    let extension = |argument: &TableArgumentSyntax| argument.extension.map(|(kind, _)| kind).unwrap_or_default();
    let between = |argument: &TableArgumentSyntax| argument.interpolation.map(|(kind, _)| kind).unwrap_or_default();
    let units = table.arguments.iter().map(|argument| (&argument.name, &argument.unit));
    let units: Vec<(String, &Unit)> =
        units.chain([(&table.name, &table.unit)]).map(|(name, unit)| (name.unraw().to_string(), unit)).collect();
    // Where a unit could not be read there is an error already.
    let are_known = units.iter().all(|(_, unit)| unit.dimension.is_some());
    let declared: Vec<(&str, &str)> = units.iter().map(|(name, unit)| (name.as_str(), &*unit.text)).collect();
    match (&*table.arguments, &*declared) {
        ([x, y], &[first, second, values]) => {
            let file = read_surface(source.clone(), name, [extension(x), extension(y)])?;
            if !are_known {
                return Ok(Read { values: TableValues::Surface(file.grid), without_units: Vec::new() });
            }
            let own =
                TableValues::Surface(file.in_units([first, second, values])?.interpolated([between(x), between(y)]));
            Ok(Read::new(&file, &declared, own))
        }
        ([x, ..], &[first, .., values]) if are_known => {
            let file = read_curve(source.clone(), name, extension(x))?;
            let own = TableValues::Curve(file.in_units([first, values])?.interpolated(between(x)));
            Ok(Read::new(&file, &[first, values], own))
        }
        (arguments, _) => {
            let extension = arguments.first().map(extension).unwrap_or_default();
            let values = read_curve(source.clone(), name, extension).map(|file| TableValues::Curve(file.grid))?;
            Ok(Read { values, without_units: Vec::new() })
        }
    }
}
