//! Data of tables, and tables whose values are to be found.

use costate_identify::UnknownTable;
use costate_system::simulation::Simulation;
use costate_system::table::AnyTable;
use costate_system::table::prior::Break;
use costate_system::table::{Curve, Interpolation, Surface};

use super::names::refused;
use crate::Loaded;
use crate::error::{CampaignError, Fault};
use crate::files::FilePath;
use crate::place::Located;
use crate::{Bend, Named, TableEntry, UnknownTableEntry};

/// Gives tables the data of files and other interpolations; beyond its range, a table continues as that of the model
/// does.
///
/// # Errors
/// Names that the model does not have, and files that cannot be read.
pub fn with_data(
    mut simulation: Simulation,
    tables: &[Named<TableEntry>],
    loaded: &Loaded,
) -> Result<Simulation, CampaignError> {
    let of_model = loaded.system.tables();
    for Named { name, value } in tables {
        let unreadable = |file: &Located<FilePath>, source| {
            CampaignError::new(&file.place, Fault::Table { table: name.value.clone(), source })
        };
        if let Ok(table) = loaded.system.curve(&name.value) {
            let own = match of_model.at(table.index()) {
                Some(AnyTable::Curve(curve)) => Some(curve),
                _ => None,
            };
            let [kind] = interpolations(value, own.map(|own| [own.interpolation()]))?;
            let data = match &value.file {
                Some(file) => {
                    let extension = own.map(|own| own.extension()).unwrap_or_default();
                    Some(Curve::read_csv(&file.value, extension).map_err(|error| unreadable(file, error))?)
                }
                None => own.filter(|_| value.interpolation.is_some()).map(|own| Curve::clone(own)),
            };
            if let Some(data) = data {
                simulation = simulation.table(table, data.interpolated(kind));
            }
        } else {
            let table = loaded.system.surface(&name.value).map_err(|error| refused(name, error))?;
            let own = match of_model.at(table.index()) {
                Some(AnyTable::Surface(surface)) => Some(surface),
                _ => None,
            };
            let kinds = interpolations(value, own.map(|own| own.interpolations()))?;
            let data = match &value.file {
                Some(file) => {
                    let extensions = own.map(|own| own.extensions()).unwrap_or_default();
                    Some(Surface::read_csv(&file.value, extensions).map_err(|error| unreadable(file, error))?)
                }
                None => own.filter(|_| value.interpolation.is_some()).map(|own| Surface::clone(own)),
            };
            if let Some(data) = data {
                simulation = simulation.table(table, data.interpolated(kinds));
            }
        }
    }
    Ok(simulation)
}

/// Returns the interpolation along each argument: the given one, or else that of the model's own data.
fn interpolations<const N: usize>(
    entry: &TableEntry,
    own: Option<[Interpolation; N]>,
) -> Result<[Interpolation; N], CampaignError> {
    let Some(Located { value, place }) = &entry.interpolation else {
        return Ok(own.unwrap_or([Interpolation::default(); N]));
    };
    let given: Vec<Interpolation> = value.0.iter().map(|between| between.0).collect();
    match given[..] {
        [all] => Ok([all; N]),
        _ => <[Interpolation; N]>::try_from(&given[..])
            .map_err(|_| CampaignError::new(place, Fault::Interpolations { given: given.len(), arguments: N })),
    }
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
        Some(Located { value: Bend::Estimated, .. }) => unknown.smooth(),
        Some(Located { value: Bend::Deviation(bend), place }) => {
            let bend = bend.positive(name, unit).map_err(|fault| CampaignError::new(place, fault))?;
            unknown.smoothness(bend)
        }
    };
    unknown = entry.shapes.iter().fold(unknown, |unknown, shape| unknown.shape(shape.0));
    let kinks = entry.kinks.iter().map(|place| Break::Kink(place.0));
    let breaks = kinks.chain(entry.jumps.iter().map(|place| Break::Jump(place.0)));
    Ok(breaks.fold(unknown, UnknownTable::break_at))
}
