//! The parser, which makes the syntax tree of a model from tokens. No module here knows what a name means.
//!
//! The parser is written by hand and continues after a mistake, so that all mistakes are reported together. Every node
//! of the tree keeps the tokens of the user.

mod arguments;
pub mod ast;
mod attributes;
pub mod back_end;
mod blocks;
mod bodies;
mod components;
mod energies;
mod entries;
pub mod expression;
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
