//! Tables from files in the units that a model declares.

use std::sync::Arc;

use costate_contract::tables::FileTable;
use costate_contract::units::UnitError;

use super::any::AnyTable;
use super::{Curve, Surface};
use costate_contract::{Quantity, TableDescription};
use costate_measure::record::{AssumedUnit, note};

/// The table in the declared units, if it comes from a file; columns without a unit are added to `assumed`.
pub fn in_declared_units(
    table: &AnyTable,
    declared: &TableDescription,
    assumed: &mut Vec<AssumedUnit>,
) -> Result<Option<AnyTable>, Box<UnitError>> {
    let named = |quantity: &Quantity| (quantity.name, quantity.unit);
    let values = named(&declared.quantity);
    match (table, declared.arguments) {
        (AnyTable::Curve(curve), [x]) => {
            let Some(file) = curve.file() else {
                note(assumed, compiled(curve.compiled_without_units()));
                return Ok(None);
            };
            note(assumed, without_units(file, &[named(x), values]));
            let declared = [named(x), values];
            let mut converted = Curve::of(&file.in_units(declared)?);
            if let Some(rates) = curve.rates(file) {
                converted = converted.with_rates(&rates.in_units(declared)?);
            }
            Ok(Some(AnyTable::Curve(Arc::new(converted))))
        }
        (AnyTable::Surface(surface), [x, y]) => {
            let Some(file) = surface.file() else {
                note(assumed, compiled(surface.compiled_without_units()));
                return Ok(None);
            };
            note(assumed, without_units(file, &[named(x), named(y), values]));
            let declared = [named(x), named(y), values];
            let mut converted = Surface::of(&file.in_units(declared)?);
            if let Some(rates) = surface.rates(file) {
                converted = converted.with_rates(&rates.in_units(declared)?);
            }
            Ok(Some(AnyTable::Surface(Arc::new(converted))))
        }
        _ => Ok(None),
    }
}

fn compiled(columns: &[[&str; 3]]) -> impl Iterator<Item = AssumedUnit> {
    columns.iter().filter_map(|[file, column, unit]| AssumedUnit::new(file, column, unit))
}

fn without_units<G>(file: &FileTable<G>, declared: &[(&str, &str)]) -> Vec<AssumedUnit> {
    let bare = file.columns.iter().zip(declared).filter(|(column, _)| column.unit.is_none());
    bare.filter_map(|(column, (_, unit))| AssumedUnit::new(&file.file, &column.name, unit)).collect()
}
