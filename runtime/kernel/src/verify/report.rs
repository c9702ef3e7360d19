//! The result of a check of derivatives.

use std::fmt;

use super::scales::Rounding;
use costate_system::model::{Argument, Block, Description, Function, Group, Quantity};

/// An entry of an emitted derivative that differs from the one by dual numbers.
#[derive(Debug, Clone, PartialEq)]
pub struct Mismatch {
    /// The emitted function, `newton`.
    pub group: &'static str,
    /// The function that is differentiated.
    pub function: Function,
    /// The argument of the derivative; `None` for a time derivative, and for the value of a force.
    pub argument: Option<Argument>,
    /// Name of the row: a coordinate, constraint or output.
    pub row: &'static str,
    /// Name of the column: a coordinate, constraint, parameter, input or table.
    pub column: &'static str,
    /// The value from the emitted function.
    pub emitted: f64,
    /// The value from dual numbers.
    pub exact: f64,
    /// Difference of both values relative to the largest entry of the matrix.
    pub difference: f64,
}

/// The result of `check_derivatives`.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct DerivativeReport {
    /// Number of matrices that were compared.
    pub matrices: usize,
    /// Number of matrices that could not be compared, because dual numbers gave no finite values there: outside of
    /// the domain of a square root, say.
    pub skipped: usize,
    /// The largest difference, relative to the largest entry of its matrix.
    pub worst: f64,
    /// The entries that differ by more than the tolerance.
    pub mismatches: Vec<Mismatch>,
}

/// A derivative in a group, or the value of a function that is compared.
#[derive(Debug, Clone, Copy)]
pub(super) struct Derivative {
    pub group: Group,
    pub function: Function,
    /// `None` for a value.
    pub argument: Option<Argument>,
}

impl fmt::Display for DerivativeReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(
            f,
            "{} matrices compared, {} skipped, largest relative difference {:.1e}",
            self.matrices, self.skipped, self.worst
        )?;
        for mismatch in &self.mismatches {
            let argument = match mismatch.argument {
                Some(argument) => format!(" by {argument:?}"),
                None if matches!(mismatch.function, Function::Force | Function::ConstraintForce) => String::new(),
                None => " by time".to_owned(),
            };
            writeln!(
                f,
                "{}: {:?}{argument}, entry ({}, {}): emitted {:e}, exact {:e}",
                mismatch.group, mismatch.function, mismatch.row, mismatch.column, mismatch.emitted, mismatch.exact
            )?;
        }
        Ok(())
    }
}

/// A block of a group of a model, and the values of the whole group.
#[derive(Clone, Copy)]
pub(super) struct EmittedBlock<'a> {
    pub described: &'static Description,
    pub group: Group,
    pub block: &'a Block,
    pub values: &'a [f64],
}

impl DerivativeReport {
    /// Compares a block of a group with a dense matrix given by columns; differences within `rounding` do not count.
    pub(super) fn compare(
        &mut self,
        block: &EmittedBlock<'_>,
        exact: &[Vec<f64>],
        tolerance: f64,
        rounding: &Rounding<'_>,
    ) {
        let EmittedBlock { described, group, block, values } = *block;
        let mut emitted: Vec<Vec<f64>> = exact.iter().map(|column| vec![0.0; column.len()]).collect();
        for (row, column, value) in block.iter(values) {
            emitted[column][row] += value;
        }
        let derivative = Derivative { group, function: block.function, argument: block.argument };
        self.compare_columns(described, derivative, &emitted, exact, tolerance, rounding);
    }

    /// Compares two dense matrices given by columns; differences within `rounding` do not count.
    pub(super) fn compare_columns(
        &mut self,
        described: &'static Description,
        Derivative { group, function, argument }: Derivative,
        emitted: &[Vec<f64>],
        exact: &[Vec<f64>],
        tolerance: f64,
        rounding: &Rounding<'_>,
    ) {
        if !exact.iter().flatten().all(|value| value.is_finite()) {
            self.skipped += 1;
            return;
        }
        self.matrices += 1;
        let largest = exact.iter().flatten().fold(0.0, |most: f64, value| most.max(value.abs()));
        for (column, (emitted, exact)) in emitted.iter().zip(exact).enumerate() {
            for (row, (&emitted, &exact)) in emitted.iter().zip(exact).enumerate() {
                if (emitted - exact).abs() <= rounding.at(row, column) {
                    continue;
                }
                let difference = (emitted - exact).abs() / if largest > 0.0 { largest } else { 1.0 };
                // A difference that is not a number is not small.
                if difference > self.worst || difference.is_nan() {
                    self.worst = difference;
                }
                if difference > tolerance || difference.is_nan() {
                    self.mismatches.push(Mismatch {
                        group: group.name(),
                        function,
                        argument,
                        row: row_name(described, function, row),
                        column: column_name(described, argument, column),
                        emitted,
                        exact,
                        difference,
                    });
                }
            }
        }
    }
}

fn row_name(described: &'static Description, function: Function, row: usize) -> &'static str {
    name(described.rows(function), row)
}

fn column_name(described: &'static Description, argument: Option<Argument>, column: usize) -> &'static str {
    if argument == Some(Argument::Lookups) {
        return described.tables.get(column).map_or("?", |table| table.quantity.name);
    }
    argument.map_or("t", |argument| name(described.columns(argument), column))
}

fn name(quantities: &'static [Quantity], index: usize) -> &'static str {
    quantities.get(index).map_or("?", |quantity| quantity.name)
}
