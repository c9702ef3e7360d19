//! Data of tables, and tables whose values are to be found.

use costate_identify::UnknownTable;
use costate_simulation::Simulation;
use costate_system::table::{Curve, Surface};
use costate_table::AnyTable;

use super::names::refused;
use crate::fit::campaign::error::{CampaignError, Fault};
use crate::fit::campaign::{Named, TableEntry, UnknownTableEntry};
use crate::loaded::Loaded;

/// Gives tables the data of files; beyond its range, a table continues as that of the model does.
///
/// # Errors
/// Names that the model does not have, and files that do not serve.
pub fn with_data(
    mut simulation: Simulation,
    tables: &[Named<TableEntry>],
    loaded: &Loaded,
) -> Result<Simulation, CampaignError> {
    let own = loaded.system.tables();
    for Named { name, value } in tables {
        let Some(file) = &value.file else { continue };
        let unreadable =
            |source| CampaignError::new(&file.place, Fault::Table { table: name.value.clone(), source });
        if let Ok(curve) = loaded.system.curve(&name.value) {
            let extension = match own.at(curve.index()) {
                Some(AnyTable::Curve(curve)) => curve.extension(),
                _ => Default::default(),
            };
            simulation =
                simulation.table(curve, Curve::read_csv(&file.value, extension).map_err(unreadable)?);
        } else {
            let surface = loaded.system.surface(&name.value).map_err(|error| refused(name, error))?;
            let extensions = match own.at(surface.index()) {
                Some(AnyTable::Surface(surface)) => surface.extensions(),
                _ => Default::default(),
            };
            simulation =
                simulation.table(surface, Surface::read_csv(&file.value, extensions).map_err(unreadable)?);
        }
    }
    Ok(simulation)
}

/// Returns the tables whose values are to be found.
///
/// # Errors
/// Names that the model does not have, and units that do not fit.
pub fn unknown(tables: &[Named<TableEntry>], loaded: &Loaded) -> Result<Vec<UnknownTable>, CampaignError> {
    let mut unknown = Vec::new();
    for Named { name, value } in tables {
        let Some(entry) = &value.unknown else { continue };
        unknown.push(match loaded.system.curve(&name.value) {
            Ok(curve) => of_values(entry, curve.name(), curve.description().quantity.unit, |typical| {
                UnknownTable::new(curve, typical)
            })?,
            Err(_) => {
                let surface = loaded.system.surface(&name.value).map_err(|error| refused(name, error))?;
                of_values(entry, surface.name(), surface.description().quantity.unit, |typical| {
                    UnknownTable::new(surface, typical)
                })?
            }
        });
    }
    Ok(unknown)
}

fn of_values(
    entry: &UnknownTableEntry,
    name: &str,
    unit: &str,
    create: impl FnOnce(f64) -> UnknownTable,
) -> Result<UnknownTable, CampaignError> {
    let mut unknown = create(entry.typical.positive(name, unit)?);
    if let Some(deviation) = &entry.deviation {
        unknown = unknown.deviation(deviation.positive(name, unit)?);
    }
    unknown = match &entry.bend {
        None => unknown,
        Some(None) => unknown.smooth(),
        Some(Some(bend)) => unknown.smoothness(bend.positive(name, unit)?),
    };
    unknown = entry.shapes.iter().fold(unknown, |unknown, shape| unknown.shape(*shape));
    Ok(entry.breaks.iter().fold(unknown, |unknown, place| unknown.break_at(*place)))
}
