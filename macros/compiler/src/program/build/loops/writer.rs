//! State of the writer of a function with loops, and of one of the loops.

use rustc_hash::FxHashMap;

use super::index::index;
use super::schedule::Schedule;
use super::shape;
use super::storage::{Giver, Storage, giver_within};
use super::unit::{Unit, Units};
use crate::program::build::code::Code;
use crate::program::{Array, Index, Local, LocalArray, Statement, Variable};
use crate::symbolic::Id;

/// A function that is being written.
pub struct Writer<'a> {
    pub units: &'a Units<'a>,
    pub schedule: &'a Schedule,
    pub storage: &'a Storage,
    /// Arrays of results.
    pub results: Vec<Array>,
    pub code: Code<'a>,
    pub locals: Vec<LocalArray>,
    /// Array of intermediate values.
    pub array: Local,
    /// Array of constants that differ between repetitions.
    pub constants_array: Local,
    /// Constants in the array of constants, with their positions.
    pub pool: Vec<Id>,
    pub pool_positions: FxHashMap<Id, usize>,
    /// Tables of positions.
    pub positions: Vec<Vec<usize>>,
    /// Tables of numbers.
    pub numbers: Vec<Vec<f64>>,
}

/// Numbers that the repetitions of a loop read: an array of results, or `None` for the array of the place, and the
/// positions.
pub type Column = (Option<usize>, shape::Place, Vec<usize>);

/// A loop that is being written.
pub struct Body {
    pub index: usize,
    pub statements: Vec<Statement>,
    /// Number of uses of every column that is read.
    pub uses: FxHashMap<Column, usize>,
    /// Variables for columns that have been read.
    pub read: FxHashMap<Column, Variable>,
    /// Variables for outputs of parts.
    pub given: FxHashMap<Giver, Variable>,
}

impl Writer<'_> {
    /// Starts the loop with this index.
    pub fn body(&mut self, index: usize) -> Body {
        let mut uses = FxHashMap::default();
        for part in &self.schedule.loops[index].parts {
            let Unit { kind, roots, .. } = &self.units.units[part.units[0]];
            let shape = self.units.shape(*kind, roots, &[], true);
            for (&place, column) in part.places.iter().zip(&part.columns) {
                let is_no_entry = matches!(place, shape::Place::Constant | shape::Place::Literal);
                if is_no_entry || giver_within(self.units, self.schedule, index, column).is_some() {
                    continue;
                }
                if let Some(leaf) = shape.leaves.iter().position(|&leaf| leaf == column[0]) {
                    *uses.entry(self.read_column(place, column)).or_default() += shape.uses[leaf];
                }
            }
        }
        let (read, given) = (FxHashMap::default(), FxHashMap::default());
        Body { index, uses, statements: Vec::new(), read, given }
    }

    /// Returns a position in an array for every repetition of a loop.
    pub fn index(&mut self, positions: &[usize]) -> Index {
        index(&mut self.positions, positions)
    }

    /// Adds a local array.
    pub fn local(&mut self, name: String, length: usize) -> Local {
        self.locals.push(LocalArray { name, length });
        Local(self.locals.len() - 1)
    }
}
