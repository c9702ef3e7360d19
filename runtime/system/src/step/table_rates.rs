//! The direct derivatives with respect to values of tables, step by step, from the derivatives of lookups.

use nalgebra::DMatrix;

use costate_contract::machine::{OutOfMemory, Room};

use crate::model::lookups::Lookup;
use crate::problem::Problem;
use crate::table::TableBasis;

/// The values of tables with respect to which a run is differentiated, one column for each: those of the first table,
/// then those of the next.
#[allow(missing_debug_implementations)]
pub struct TableRates {
    lookups: Vec<Lookup>,
    /// One for every table, with its first column; `None` for tables that are not wanted.
    bases: Vec<Option<(usize, TableBasis)>>,
    /// Number of values of every table; 0 for tables that are not wanted.
    counts: Vec<usize>,
}

impl TableRates {
    /// Creates the columns for all values of the `wanted` tables.
    pub fn new(problem: &Problem, wanted: &[bool]) -> Result<Self, OutOfMemory> {
        let (model, tables) = (problem.description(), problem.tables());
        let all = (0..model.tables.len()).map(|table| {
            let is_wanted = wanted.get(table).copied().unwrap_or(false);
            tables.at(table).filter(|_| is_wanted)
        });
        let (mut bases, mut counts, mut first) = (Vec::new(), Vec::new(), 0);
        for table in all {
            let count = table.map_or(0, TableBasis::values);
            if let Some(table) = table {
                let remedy = "take the gradient (`table_gradient`), fewer knots or fewer tables";
                let room = Room { what: "the derivatives of a table", count, counted: "values", remedy };
                room.check(TableBasis::bytes(table))?;
            }
            bases.push(table.map(|table| (first, TableBasis::new(table))));
            counts.push(count);
            first += count;
        }
        Ok(Self { lookups: Lookup::all(model), bases, counts })
    }

    /// Returns the number of columns.
    pub fn columns(&self) -> usize {
        self.counts.iter().sum()
    }

    /// Returns the number of columns of every table.
    pub fn counts(&self) -> &[usize] {
        &self.counts
    }

    /// Returns the lookups in wanted tables.
    pub fn wanted(&self) -> Vec<usize> {
        let is_wanted = |lookup: &Lookup| self.bases.get(lookup.table).is_some_and(Option::is_some);
        (0..self.lookups.len()).filter(|&i| is_wanted(&self.lookups[i])).collect()
    }

    /// Writes the derivatives of every lookup's result, one number per lookup and column, where `arguments`
    /// has the arguments of the lookups; 0 where a lookup has no arguments here.
    pub fn write(&self, arguments: &[f64], rates: &mut Vec<f64>) {
        let columns = self.columns();
        rates.resize(self.lookups.len() * columns, 0.0);
        for (i, lookup) in self.lookups.iter().enumerate() {
            let (Some(Some((first, basis))), Some(arguments)) =
                (self.bases.get(lookup.table), arguments.get(lookup.arguments.clone()))
            else {
                continue;
            };
            basis.rates(arguments, lookup.orders, |value, rate| rates[i * columns + first + value] = rate);
        }
    }

    /// Returns the derivatives of the start, from those with respect to the results of the
    /// [`wanted`](Self::wanted) lookups at some instants; `arguments` has the arguments of all lookups at
    /// each instant.
    pub fn of_start(&self, derivatives: &DMatrix<f64>, arguments: &[Vec<f64>]) -> DMatrix<f64> {
        let (wanted, columns) = (self.wanted(), self.columns());
        let mut by_values = DMatrix::zeros(derivatives.nrows(), columns);
        for (instant, arguments) in arguments.iter().enumerate() {
            let mut rates = Vec::new();
            self.write(arguments, &mut rates);
            for (k, mut column) in by_values.column_iter_mut().enumerate() {
                for (i, lookup) in wanted.iter().enumerate() {
                    let rate = rates[lookup * columns + k];
                    column.axpy(rate, &derivatives.column(instant * wanted.len() + i), 1.0);
                }
            }
        }
        by_values
    }
}
