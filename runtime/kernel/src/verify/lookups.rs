//! The check of derivatives with respect to lookups in tables, against dual numbers with tables whose values
//! vary.

use super::derivatives::Check;
use super::points::CheckPoint;
use super::report::{Derivative, DerivativeReport};
use super::scales::Scales;
use costate_numerics::linalg::block::find;
use costate_system::model::lookups::Lookup;
use costate_system::model::{Argument, Function, Functions, Group};

impl<M: Functions> Check<'_, M> {
    /// Checks the derivatives of functions with respect to the results of lookups, times the rates of these
    /// results when the values of a table change at some rates, against the functions with such tables.
    /// Columns are tables.
    pub(super) fn lookups(&self, report: &mut DerivativeReport, scales: &Scales, tolerance: f64) {
        let described = self.description();
        let lookups = Lookup::all(described);
        if lookups.is_empty() {
            return;
        }
        for group in [Group::Lookups, Group::InitialLookups] {
            let values = self.emitted(group);
            let blocks = described.groups.of(group);
            let arguments = find(blocks, Function::LookupArguments, None).values(&values);
            for (function, argument) in group.contents().iter().copied() {
                if argument.is_none() {
                    continue;
                }
                let block = find(blocks, function, argument);
                let (mut emitted, mut exact) = (Vec::new(), Vec::new());
                for table in 0..described.tables.len() {
                    let Some(varying) = self.point.tables.at(table).and_then(|table| table.along_some_rates()) else {
                        continue;
                    };
                    let tables = self.point.tables.clone().replaced(table, varying.clone());
                    let point = CheckPoint { tables, ..self.point.clone() };
                    let check = Check { point: &point, weights: self.weights };
                    let column = check.directional(function, |lifted| lifted);
                    let mut sums = vec![0.0; column.len()];
                    for (row, column, derivative) in block.iter(&values) {
                        let Lookup { orders, arguments: range, .. } = &lookups[column];
                        if lookups[column].table == table {
                            let at = arguments.get(range.clone()).unwrap_or_default();
                            sums[row] += derivative * varying.rate(at, *orders);
                        }
                    }
                    emitted.push(sums);
                    exact.push(column);
                }
                let rates = vec![1.0; exact.len()];
                let rounding = scales.rounding(function, Some((Argument::Lookups, &rates)));
                let derivative = Derivative { group, function, argument };
                report.compare_columns(described, derivative, &emitted, &exact, tolerance, &rounding);
            }
        }
    }
}
