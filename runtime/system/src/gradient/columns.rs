//! The quantities by which the outputs of a run are differentiated.

use std::ops::Range;

use crate::series::Series;
use crate::step::TableRates;

/// The derivative of an input with respect to one number: du_i for the steps from `first` on, 0 before and
/// after them.
#[derive(Debug, Clone, PartialEq)]
pub struct InputChange {
    /// Index of the input.
    pub input: usize,
    /// The step to which the first change belongs, or 0 for the start.
    pub first: usize,
    /// du_i with respect to the number.
    pub changes: Vec<f64>,
}

impl InputChange {
    /// Returns du_i.
    pub fn at(&self, i: usize) -> f64 {
        i.checked_sub(self.first).and_then(|k| self.changes.get(k)).copied().unwrap_or(0.0)
    }

    /// Returns the derivative of a cost with respect to the number, from that with respect to the inputs.
    pub fn derivative(&self, by_inputs: &Series<f64>) -> f64 {
        let changes = self.changes.iter().enumerate();
        changes.map(|(k, change)| change * by_inputs.row(self.first + k)[self.input]).sum()
    }
}

/// The quantities by which a run is differentiated directly, in the order of the columns.
#[derive(Clone, Copy, Default)]
#[allow(missing_debug_implementations)]
pub struct Columns<'a> {
    /// Indices of parameters.
    pub parameters: &'a [usize],
    /// Numbers of a given start: its positions, then its velocities (2n). `None` where the end of the run is not
    /// differentiated: with `Some`, the rows of the last sample have the derivatives of q and v (2n) after those of
    /// the outputs.
    pub start: Option<&'a [usize]>,
    /// Changes of inputs.
    pub inputs: &'a [InputChange],
    /// All values of tables; `None` if there are none.
    pub tables: Option<&'a TableRates>,
}

impl Columns<'_> {
    /// Returns the number of columns before those of inputs.
    pub fn before_inputs(&self) -> usize {
        self.parameters.len() + self.start.map_or(0, <[usize]>::len)
    }

    /// Returns the number of columns.
    pub fn count(&self) -> usize {
        self.before_inputs() + self.inputs.len() + self.tables.map_or(0, TableRates::columns)
    }

    /// Returns the first step at which one of these columns changes something.
    pub fn begins(&self, columns: Range<usize>) -> usize {
        let begins = |column: usize| {
            let input = column.checked_sub(self.before_inputs()).and_then(|k| self.inputs.get(k));
            input.map_or(0, |input| input.first)
        };
        columns.map(begins).min().unwrap_or(0)
    }

    /// Splits the columns into pieces that go through the steps together, of at most `most` columns: parameters and
    /// numbers of the start, then inputs, which begin at different steps, in pieces of `count`, then tables.
    pub fn pieces(&self, most: usize, count: usize) -> Vec<Range<usize>> {
        let (parameters, inputs) = (self.before_inputs(), self.inputs.len());
        let tables = parameters + inputs;
        let mut pieces = Vec::new();
        // parameters that do not fill a group go with the inputs
        let alone = if inputs == 0 { parameters } else { parameters / count * count };
        for (mut all, most) in [(0..alone, most), (alone..tables, count), (tables..self.count(), most)] {
            while !all.is_empty() {
                let end = all.end.min(all.start + most);
                pieces.push(all.start..end);
                all.start = end;
            }
        }
        pieces
    }
}
