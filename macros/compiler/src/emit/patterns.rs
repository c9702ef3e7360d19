//! Sparsity patterns of blocks, as constants of the description.

use costate_contract::{Argument, Function};
use proc_macro2::{Ident, Literal, TokenStream};
use quote::{format_ident, quote};
use rustc_hash::FxHashMap;

use super::contract::variant;
use super::documentation::doc;
use crate::mechanics::{Block, Group, Groups};

/// Entries of a pattern that is written where it is used.
const MAX_INLINE_ENTRIES: usize = 2;

/// `G_P`, after the formula of the derivative.
fn pattern_name(function: Function, argument: Argument) -> String {
    let of = match function {
        Function::InitialCoordinates => "Q0",
        Function::InitialVelocities => "V0",
        Function::Inertia if argument == Argument::Accelerations => return "M".to_owned(),
        Function::Inertia => "MA",
        Function::Force => "F",
        Function::ConstraintForce => "CONSTRAINT_FORCE",
        Function::ForceResidual => "G",
        Function::Step => return "STEP".to_owned(),
        Function::Constraint => "C",
        Function::ConstraintVelocity => "C_VELOCITY",
        Function::ConstraintAcceleration => "C_ACCELERATION",
        Function::Output => "S",
        Function::LookupArguments => "Z",
    };
    format!("{of}_{}", argument.letter().to_uppercase())
}

/// (row, column) of every entry.
pub type Pattern = [(usize, usize)];

/// The patterns of all blocks that have entries; long ones that several blocks share have a name.
pub struct Patterns<'a> {
    groups: &'a Groups,
    names: FxHashMap<&'a Pattern, Ident>,
    /// The first block of each pattern with a name, in the order in which they occur.
    named: Vec<&'a Block>,
}

impl<'a> Patterns<'a> {
    pub fn of(groups: &'a Groups) -> Self {
        let mut patterns = Patterns { groups, names: FxHashMap::default(), named: Vec::new() };
        let mut counts: FxHashMap<String, usize> = FxHashMap::default();
        for block in patterns.blocks() {
            let Some(argument) = block.argument else { continue };
            if block.entries.len() <= MAX_INLINE_ENTRIES || patterns.names.contains_key(&block.entries[..]) {
                continue;
            }
            let name = pattern_name(block.function, argument);
            let count = counts.entry(name.clone()).or_default();
            *count += 1;
            let name = if *count == 1 { format_ident!("{name}") } else { format_ident!("{name}_{count}") };
            patterns.names.insert(&block.entries, name);
            patterns.named.push(block);
        }
        patterns
    }

    /// Returns the blocks that are described: those with entries.
    pub fn blocks(&self) -> impl Iterator<Item = &'a Block> + use<'a> {
        self.groups.all.iter().flat_map(|group| &group.blocks).filter(|block| !block.entries.is_empty())
    }

    pub fn constants(&self) -> Vec<TokenStream> {
        let constants = self.named.iter().map(|block| {
            let (name, entries) = (&self.names[&block.entries[..]], entries(&block.entries));
            let documentation = doc(&format!("Where `{}` has entries.", block.formula()));
            quote!(#documentation const #name: &[(u32, u32)] = #entries;)
        });
        constants.collect()
    }

    /// The field of a group; nothing without entries.
    pub fn group(&self, group: &Group) -> TokenStream {
        let blocks = group.blocks.iter().filter(|block| !block.entries.is_empty());
        let blocks: Vec<TokenStream> = blocks.map(|block| self.block(block)).collect();
        if blocks.is_empty() {
            return TokenStream::new();
        }
        let field = format_ident!("{}", group.kind.name());
        quote!(#field: &Block::in_sequence([#(#blocks),*]),)
    }

    fn block(&self, block: &Block) -> TokenStream {
        let function = variant(block.function);
        let Some(argument) = block.argument else {
            let rows = Literal::usize_unsuffixed(block.rows);
            return quote!(Block::value::<#rows>(#function));
        };
        let argument = variant(argument);
        let entries = match self.names.get(&block.entries[..]) {
            Some(name) => quote!(#name),
            None => pairs(&block.entries),
        };
        quote!(Block::derivative(#function, #argument, #entries))
    }
}

/// `[0, 1]`
pub fn indices(indices: impl IntoIterator<Item = usize>) -> TokenStream {
    let indices = indices.into_iter().map(Literal::usize_unsuffixed);
    quote!([#(#indices),*])
}

/// (row, column) of many entries, where pairs would take a line each.
pub fn entries(pattern: &Pattern) -> TokenStream {
    if pattern.len() <= MAX_INLINE_ENTRIES {
        return pairs(pattern);
    }
    let columns = indices(pattern.iter().map(|entry| entry.1));
    if let Some(counts) = counts_by_rows(pattern).filter(|counts| counts.len() < pattern.len()) {
        let counts = indices(counts);
        return quote!(&Block::by_rows(#counts, #columns));
    }
    let rows = indices(pattern.iter().map(|entry| entry.0));
    quote!(&Block::entries(#rows, #columns))
}

/// Returns the number of entries of each row up to the last one with entries; `None` where the entries are in another
/// order.
fn counts_by_rows(pattern: &Pattern) -> Option<Vec<usize>> {
    let mut counts: Vec<usize> = Vec::new();
    for &(row, _) in pattern {
        if row + 1 < counts.len() {
            return None;
        }
        counts.resize(row + 1, 0);
        counts[row] += 1;
    }
    Some(counts)
}

fn pairs(pattern: &Pattern) -> TokenStream {
    let entries = pattern.iter().map(|&(row, column)| {
        let [row, column] = [row, column].map(Literal::usize_unsuffixed);
        quote!((#row, #column))
    });
    quote!(&[#(#entries),*])
}
