//! State of the writer of a function with loops, and of one of the loops.

use std::collections::BTreeSet;

use proc_macro2::{Ident, TokenStream};
use quote::format_ident;
use rustc_hash::FxHashMap;

use super::index::Indices;
use super::schedule::Schedule;
use super::shape::Place;
use super::storage::{Giver, Storage, giver_within};
use super::unit::{Unit, Units};
use crate::emit::code::Code;
use crate::symbolic::{Given, Id};

/// A function that is being written.
pub struct Writer<'a> {
    pub units: &'a Units<'a>,
    pub schedule: &'a Schedule,
    pub storage: &'a Storage,
    /// Arrays of results.
    pub results: Vec<TokenStream>,
    pub code: Code<'a>,
    /// Array of intermediate values.
    pub array: Ident,
    /// Array of constants that differ between repetitions.
    pub constants_array: Ident,
    /// Variable of the loops.
    pub repetition: Ident,
    /// Constants in the array of constants, with their positions.
    pub pool: Vec<Id>,
    pub pool_positions: FxHashMap<Id, usize>,
    /// Tables of positions.
    pub indices: Indices,
    /// Number of tables of numbers so far.
    pub number_tables: usize,
    /// Number of tables of positions so far.
    pub position_tables: usize,
    pub uses_state: bool,
    pub given: BTreeSet<Given>,
    /// True if factors and coefficients are `Numbers`, possibly of one of several SIMD lanes.
    pub numbers_are_called: bool,
}

/// Numbers that the repetitions of a loop read: an array of results, or `None` for the array of the place, and the
/// positions.
pub type Column = (Option<usize>, Place, Vec<usize>);

/// A loop that is being written.
pub struct Body {
    pub index: usize,
    /// Tables that this loop needs and earlier loops do not have.
    pub tables: Vec<TokenStream>,
    /// Tables of numbers.
    pub numbers: Vec<TokenStream>,
    pub statements: Vec<TokenStream>,
    /// Number of uses of every column that is read.
    pub uses: FxHashMap<Column, usize>,
    /// Variables for columns that have been read.
    pub read: FxHashMap<Column, Ident>,
    /// Variables for outputs of parts.
    pub given: FxHashMap<Giver, Ident>,
}

impl Writer<'_> {
    /// Starts the loop with this index.
    pub fn body(&mut self, index: usize) -> Body {
        let mut uses = FxHashMap::default();
        for part in &self.schedule.loops[index].parts {
            let Unit { kind, roots, .. } = &self.units.units[part.units[0]];
            let shape = self.units.shape(*kind, roots, &[], true);
            for (&place, column) in part.places.iter().zip(&part.columns) {
                let is_no_entry = matches!(place, Place::Constant | Place::Literal);
                if is_no_entry || giver_within(self.units, self.schedule, index, column).is_some() {
                    continue;
                }
                if let Some(leaf) = shape.leaves.iter().position(|&leaf| leaf == column[0]) {
                    *uses.entry(self.read_column(place, column)).or_default() += shape.uses[leaf];
                }
            }
        }
        Body {
            index,
            uses,
            tables: Vec::new(),
            numbers: Vec::new(),
            statements: Vec::new(),
            read: FxHashMap::default(),
            given: FxHashMap::default(),
        }
    }

    /// Writes a position in an array for every repetition of a loop.
    pub fn index(&mut self, body: &mut Body, positions: &[usize]) -> TokenStream {
        let Writer { indices, position_tables, repetition, .. } = self;
        let (at, table) = indices.at(positions, repetition, || table_name(position_tables, "INDICES"));
        body.tables.extend(table);
        at
    }

    /// Creates the name of a table of numbers.
    pub fn numbers_name(&mut self) -> Ident {
        table_name(&mut self.number_tables, "NUMBERS")
    }
}

fn table_name(count: &mut usize, what: &str) -> Ident {
    *count += 1;
    format_ident!("{what}_{count}")
}
