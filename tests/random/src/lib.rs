//! Random models of the language that are right in every unit, what they have to give, and broken texts.
//!
//! [`generate::model`] makes a [`tree::Model`], of which follow its text ([`tree::Model::text`]), the same model
//! written out without loops, components and `let`s ([`tree::Model::written_out`], [`flat::Flat::text`]), and the
//! values and derivatives of its equations ([`reference::Reference`]), by plain recursion over the tree. Nothing here
//! uses the compiler.

mod models;

pub use models::*;
