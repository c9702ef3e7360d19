//! The blocks of a function.

use costate_contract::Group as Kind;

use super::block::Block;
use crate::symbolic::Id;

/// The blocks of one emitted function, in the order of their storage.
#[derive(Debug, Clone)]
pub struct Group {
    /// The kind of the function.
    pub kind: Kind,
    /// The blocks, including those without entries.
    pub blocks: Vec<Block>,
    /// The varying factors of the Newton matrix, which the function writes to an array of their own; `None` for
    /// functions without that argument.
    pub factors: Option<Vec<Id>>,
}

impl Group {
    /// Lists all expressions in the order of storage, with the factors last.
    pub fn values(&self) -> Vec<Id> {
        let blocks = self.blocks.iter().flat_map(|block| &block.values);
        blocks.chain(self.factors.iter().flatten()).copied().collect()
    }

    /// Returns the number of entries of all blocks, which is the length of the function's array.
    pub fn length(&self) -> usize {
        self.blocks.iter().map(|block| block.entries.len()).sum()
    }

    /// Checks whether the function fills an array of its own type; the outputs are a vector of the model.
    pub fn owns_array(&self) -> bool {
        self.kind != Kind::Outputs
    }
}
