//! A function with loops, and one of its loops, in the making.

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

/// The function in the making.
pub struct Writer<'a> {
    pub units: &'a Units<'a>,
    pub schedule: &'a Schedule,
    pub storage: &'a Storage,
    /// The arrays of results.
    pub results: Vec<TokenStream>,
    pub code: Code<'a>,
    /// The array of intermediate values.
    pub array: Ident,
    /// The array of constants that differ between repetitions.
    pub constants_array: Ident,
    /// The variable of loops.
    pub repetition: Ident,
    /// Its constants, and their positions.
    pub pool: Vec<Id>,
    pub pool_positions: FxHashMap<Id, usize>,
    /// Tables of positions.
    pub indices: Indices,
    /// Number of tables so far.
    pub tables: usize,
    pub uses_state: bool,
    pub given: BTreeSet<Given>,
    /// Whether factors and coefficients are `Numbers`, maybe those of one lane of several.
    pub numbers_are_called: bool,
}

/// What is read in the repetitions of a loop: from an array of results or from that of the place, and the positions.
pub type Column = (Option<usize>, Place, Vec<usize>);

/// A loop in the making.
pub struct Body {
    pub index: usize,
    /// Tables that are not there yet.
    pub tables: Vec<TokenStream>,
    pub statements: Vec<TokenStream>,
    /// How often what is read is used.
    pub uses: FxHashMap<Column, usize>,
    /// Variables for what has been read.
    pub read: FxHashMap<Column, Ident>,
    /// Variables for what parts give.
    pub given: FxHashMap<Giver, Ident>,
}

impl Writer<'_> {
    /// The loop with this index, of which nothing is written yet.
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
            statements: Vec::new(),
            read: FxHashMap::default(),
            given: FxHashMap::default(),
        }
    }

    /// What is written for a position in every repetition of a loop.
    pub fn index(&mut self, body: &mut Body, positions: &[usize]) -> TokenStream {
        let Writer { indices, tables, repetition, .. } = self;
        let (at, table) = indices.at(positions, repetition, || table_name(tables, "INDICES"));
        body.tables.extend(table);
        at
    }

    /// The name of a table of numbers.
    pub fn numbers_name(&mut self) -> Ident {
        table_name(&mut self.tables, "NUMBERS")
    }
}

fn table_name(count: &mut usize, what: &str) -> Ident {
    *count += 1;
    format_ident!("{what}_{count}")
}
