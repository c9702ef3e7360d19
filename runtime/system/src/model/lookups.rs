//! The lookups in tables that a model makes.

use std::ops::Range;

use super::Description;

/// A lookup in a table.
#[derive(Debug, Clone)]
pub struct Lookup {
    /// Position of the table in the order of declaration.
    pub table: usize,
    /// Orders of the derivative with respect to the first and second argument.
    pub orders: [usize; 2],
    /// The lookup's own part of the groups' arguments of lookups.
    pub arguments: Range<usize>,
}

impl Lookup {
    /// All of a model, in the order of the columns.
    pub fn all(model: &Description) -> Vec<Lookup> {
        let mut first = 0;
        let lookups = model.lookups.iter().map(|lookup| {
            let count = model.tables.get(lookup.table).map_or(0, |table| table.arguments.len());
            let arguments = first..first + count;
            first = arguments.end;
            Lookup { table: lookup.table, orders: lookup.orders, arguments }
        });
        lookups.collect()
    }
}
