//! A function with loops, and one of its loops, in the making.

use std::collections::BTreeSet;

use proc_macro2::{Ident, TokenStream};
use quote::format_ident;
use rustc_hash::FxHashMap;

use super::index::Indices;
use super::schedule::Schedule;
use super::shape::Place;
use super::storage::{Giver, Storage};
use super::unit::Units;
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
    /// Number of tables so far.
    pub tables: usize,
    pub uses_state: bool,
    pub given: BTreeSet<Given>,
    /// Whether factors and coefficients are `Numbers`, maybe those of one lane of several.
    pub numbers_are_called: bool,
}

/// A loop in the making.
pub struct Body {
    pub index: usize,
    pub indices: Indices,
    /// Tables of numbers.
    pub tables: Vec<TokenStream>,
    pub statements: Vec<TokenStream>,
    /// Variables for what has been read: from the array of results or of the place, by positions.
    pub read: FxHashMap<(Option<usize>, Place, Vec<usize>), Ident>,
    /// Variables for what parts give.
    pub given: FxHashMap<Giver, Ident>,
}

impl Writer<'_> {
    pub fn body(&self, index: usize) -> Body {
        Body {
            index,
            indices: Indices::new(self.repetition.clone()),
            tables: Vec::new(),
            statements: Vec::new(),
            read: FxHashMap::default(),
            given: FxHashMap::default(),
        }
    }

    /// The table of a loop's positions, and the statement that takes a row apart.
    pub fn table(&mut self, body: &mut Body) -> (TokenStream, TokenStream) {
        let name = self.table_name("INDICES");
        body.indices.table(&name)
    }

    pub fn table_name(&mut self, name: &str) -> Ident {
        self.tables += 1;
        format_ident!("{name}_{}", self.tables)
    }
}
