//! From tokens to the syntax tree of a model. Nothing is known here about what a name means.

mod arguments;
pub mod ast;
mod attributes;
mod blocks;
mod bodies;
mod components;
mod energies;
mod entries;
mod expression;
mod identifiers;
mod items;
mod literal;
mod names;
mod operators;
mod parse;
mod punctuation;
mod shapes;
mod tables;
mod variants;
mod visibility;

#[cfg(test)]
pub mod tests;

pub use parse::parse;
pub use variants::unknown as unknown_argument;
