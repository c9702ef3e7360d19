//! Symbolic expressions: one hash-consed graph per model.
//!
//! For emission alone, `rewrite` writes powers as products, and `balance` regroups long sums whose order would make a
//! step wait. `latex` prints formulas for reports.
//!
//! Equal expressions are one node, so that sharing needs no search, derivatives reuse the subexpressions of what
//! they are derivatives of, and the emitted code computes each of them once. Simplification happens while a node
//! is built and never changes the value: only rules that are exact in IEEE arithmetic for finite operands.
//!
//! # Why an engine of its own
//!
//! - Every rule keeps every bit of a value: nothing is regrouped, expanded or cancelled. A general computer algebra
//!   system orders terms as suits it, and the emitted code would no longer be what was written.
//! - A model is compiled whenever its crate is, so milliseconds count. Trees of expressions of mechanisms grow beyond
//!   bounds; in a graph, shared expressions stand once.
//! - The same model gives the same code on every machine and in every process: neither addresses nor hashes decide an
//!   order, and no state outlives a model. Several processes of rustc expand models at once.
//! - The licence is that of costate.
//!
//! For series, factors or transfer functions, `Compiled::expressions` has every expression by name, and
//! `bridges/symbolica` takes them to Symbolica.

mod balance;
mod build;
mod change;
mod differentiate;
mod evaluate;
mod graph;
mod id;
mod latex;
mod print;
mod ranges;
mod rewrite;
mod symbol;
mod symbol_sets;
mod work;

#[cfg(test)]
mod tests;

pub use balance::MAX_SINGLE_TERMS;
pub use evaluate::in_order;
pub use graph::{Function, Graph, Lookup, Node};
pub use id::Id;
pub use latex::{latex_name, latex_rate};
pub use print::Names;
pub(crate) use ranges::{Interval, Ranges};
pub use symbol::{Given, Integrator, Symbol};
