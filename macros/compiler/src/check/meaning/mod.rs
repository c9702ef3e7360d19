//! Checks of the meaning of a model as a whole: masses that are never positive, by the ranges of values; defaults
//! without effect; notes on parts that may have been forgotten.
//!
//! Divisions by zero and roots of negative numbers are found earlier, while expressions are read
//! (`lower/expressions/domain.rs`).

mod defaults;
mod forgotten;
mod inertias;
mod masses;
mod smoothness;

#[cfg(test)]
mod tests;

pub use forgotten::forgotten;
pub use inertias::impossible;
pub use smoothness::kinks;

use crate::diagnostic::Diagnostics;
use crate::model::Model;
use crate::symbolic::Graph;

/// Reports mistakes that concern the model as a whole.
pub fn check(model: &Model, graph: &Graph, diagnostics: &mut Diagnostics) {
    masses::check(model, graph, diagnostics);
    defaults::check(model, diagnostics);
}
