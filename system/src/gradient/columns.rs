//! With respect to what the outputs of a run are differentiated.

use std::ops::Range;

use crate::series::Series;
use crate::step::TableRates;

/// What a change of one number makes of an input: du_i for the steps from `first` on, 0 before and behind.
#[derive(Debug, Clone, PartialEq)]
pub struct InputChange {
    /// Index of the input.
    pub input: usize,
    /// The step, or 0 for the start, to which the first change belongs.
    pub first: usize,
    /// du_i by the number.
    pub changes: Vec<f64>,
}

impl InputChange {
    /// du_i.
    pub fn at(&self, i: usize) -> f64 {
        i.checked_sub(self.first).and_then(|k| self.changes.get(k)).copied().unwrap_or(0.0)
    }

    /// The derivative of a cost by the number, of that by the inputs.
    pub fn derivative(&self, by_inputs: &Series<f64>) -> f64 {
        let changes = self.changes.iter().enumerate();
        changes.map(|(k, change)| change * by_inputs.row(self.first + k)[self.input]).sum()
    }
}

/// By what a run is differentiated directly, in the order of the columns.
#[derive(Clone, Copy, Default)]
#[allow(missing_debug_implementations)]
pub struct Columns<'a> {
    /// Indices of parameters.
    pub parameters: &'a [usize],
    /// What changes inputs.
    pub inputs: &'a [InputChange],
    /// All values of tables.
    pub tables: Option<&'a TableRates>,
}

impl Columns<'_> {
    /// How many there are.
    pub fn count(&self) -> usize {
        self.parameters.len() + self.inputs.len() + self.tables.map_or(0, TableRates::columns)
    }

    /// The first step at which one of these columns changes something.
    pub fn begins(&self, columns: Range<usize>) -> usize {
        let begins = |column: usize| {
            let input = column.checked_sub(self.parameters.len()).and_then(|k| self.inputs.get(k));
            input.map_or(0, |input| input.first)
        };
        columns.map(begins).min().unwrap_or(0)
    }

    /// The columns in pieces that go through the steps together, `most` at most: parameters, then inputs, of which only those that
    /// begin with each other are together, then tables.
    pub fn pieces(&self, most: usize, count: usize) -> Vec<Range<usize>> {
        let (parameters, inputs) = (self.parameters.len(), self.inputs.len());
        let tables = parameters + inputs;
        let mut pieces = Vec::new();
        // what is not worth a piece of its own goes with inputs
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
