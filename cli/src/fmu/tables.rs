//! Data of the tables of a unit's model.

use std::path::{Path, PathBuf};

use costate::command::AnyTable;
use costate::simulate::Simulation;
use costate::table::{Curve, GridError, Surface};

use crate::error::{CommandError, command_errors};
use crate::loaded::Loaded;
use crate::options::name_and_text;

/// Data that do not make a table.
#[derive(Debug, thiserror::Error)]
#[error("the table `{name}`: {source}")]
pub struct TableFault {
    name: String,
    source: GridError,
}

command_errors!(Wrong: TableFault);

/// Parses `damper=damper.csv`.
///
/// # Errors
/// A text of another form, with what to write instead.
pub fn table(text: &str) -> Result<(String, PathBuf), String> {
    let (name, path) = name_and_text(text, "damper=damper.csv")?;
    Ok((name.to_owned(), path.into()))
}

/// Gives a simulation the tables of files; beyond its range, a table continues as that of the model does.
///
/// # Errors
/// Names that the model does not have, and files that hold no table.
pub fn with_data(
    mut simulation: Simulation,
    loaded: &Loaded,
    tables: &[(String, PathBuf)],
) -> Result<Simulation, CommandError> {
    let of_model = loaded.system.tables();
    for (name, path) in tables {
        let fault = |source| TableFault { name: name.clone(), source };
        let path: &Path = path;
        simulation = match loaded.system.curve(name) {
            Ok(table) => {
                let extension = match of_model.at(table.index()) {
                    Some(AnyTable::Curve(own)) => own.extension(),
                    _ => Default::default(),
                };
                simulation.table(table, Curve::read_csv(path, extension).map_err(fault)?)
            }
            Err(_) => {
                let table = loaded.system.surface(name)?;
                let extensions = match of_model.at(table.index()) {
                    Some(AnyTable::Surface(own)) => own.extensions(),
                    _ => Default::default(),
                };
                simulation.table(table, Surface::read_csv(path, extensions).map_err(fault)?)
            }
        };
    }
    Ok(simulation)
}
