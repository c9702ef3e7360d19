//! Mistakes in the meaning of a model: divisions by zero, roots of negative numbers, masses that are never positive.

mod defaults;
mod forgotten;
mod masses;
mod smoothness;

#[cfg(test)]
mod tests;

pub use forgotten::forgotten;
pub use smoothness::kinks;

use crate::diagnostic::Diagnostics;
use crate::model::Model;
use crate::symbolic::Graph;

/// Reports mistakes that concern the model as a whole.
pub fn check(model: &Model, graph: &Graph, diagnostics: &mut Diagnostics) {
    masses::check(model, graph, diagnostics);
    defaults::check(model, diagnostics);
}
