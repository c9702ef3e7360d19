//! The tables that depend on unknowns.

use std::borrow::Cow;

use costate_contract::tables::GridError;
use costate_numerics::scalar::Dual;
use costate_system::problem::{Problem, SimulationError};
use costate_system::table::AnyTable;

use super::coordinates::Coordinates;

/// A table whose values depend on unknowns.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct TableUnknowns {
    /// Index of the table.
    pub index: usize,
    /// Index of the first coordinate among the unknowns; the others follow.
    pub first: usize,
    pub coordinates: Coordinates,
    /// The values at the start.
    pub start: Vec<f64>,
}

impl TableUnknowns {
    /// Indices of the unknowns.
    pub fn unknowns(&self) -> std::ops::Range<usize> {
        self.first..self.first + self.coordinates.count()
    }

    /// The values at these unknowns.
    pub fn values(&self, unknowns: &[f64]) -> Vec<f64> {
        self.coordinates.values(&unknowns[self.unknowns()])
    }
}

/// The problem with these tables at the unknowns.
pub(crate) fn with_tables<'p>(
    mut problem: Cow<'p, Problem>,
    tables: &[TableUnknowns],
    unknowns: &[f64],
) -> Result<Cow<'p, Problem>, SimulationError> {
    for table in tables {
        let Some(data) = problem.tables().at(table.index) else { continue };
        let name = problem.description().tables[table.index].quantity.name;
        let refused = |error: GridError| SimulationError::TableValues { table: name, reason: error.to_string() };
        let data = data.with_values(table.values(unknowns)).map_err(refused)?;
        problem = Cow::Owned(problem.into_owned().with_table_at(table.index, data));
    }
    Ok(problem)
}

/// With the derivatives of the values in the direction of the unknowns, too.
pub(crate) fn with_dual_tables<'p>(
    problem: Cow<'p, Problem>,
    tables: &[TableUnknowns],
    unknowns: &[Dual],
) -> Result<Cow<'p, Problem>, SimulationError> {
    let real: Vec<f64> = unknowns.iter().map(|unknown| unknown.value).collect();
    let mut problem = with_tables(problem, tables, &real)?;
    for table in tables {
        let directions: Vec<f64> = unknowns[table.unknowns()].iter().map(|unknown| unknown.derivative).collect();
        let changes = table.coordinates.change(&directions);
        let along = problem.tables().at(table.index).and_then(|data: &AnyTable| data.along(changes));
        if let Some(along) = along {
            problem = Cow::Owned(problem.into_owned().with_table_at(table.index, along));
        }
    }
    Ok(problem)
}
