//! Constraints by themselves.

use crate::diagnostic::Diagnostics;
use crate::mechanics::Equations;
use crate::model::Model;
use crate::symbolic::{Graph, Ranges, Symbol};

/// Reports constraints without coordinates, and those that nothing can satisfy.
pub fn check_each(model: &Model, graph: &Graph, _: &Equations, diagnostics: &mut Diagnostics) {
    let mut always = Ranges::default();
    let mut by_default = Ranges::with_parameters(model.defaults.clone());
    for (constraint, &id) in model.constraints.iter().zip(&model.constraint) {
        let name = &constraint.name;
        let symbols = graph.symbols(id);
        let has_coordinate = symbols.iter().any(|symbol| matches!(symbol, Symbol::Coordinate(_)));
        let message = if let Some(value) = graph.as_constant(id) {
            if value == 0.0 {
                format!("the constraint `{name}` is always zero and restricts nothing; remove it")
            } else {
                format!("nothing can satisfy the constraint `{name}`: it is always {value}; check its terms")
            }
        } else if !has_coordinate {
            format!("the constraint `{name}` contains no coordinate; write a relation between positions that is zero")
        } else if !always.of(graph, id).contains(0.0) {
            format!("nothing can satisfy the constraint `{name}`: it is never zero; check its signs")
        } else if !by_default.of(graph, id).contains(0.0) {
            format!(
                "with the defaults of the parameters, nothing can satisfy the constraint `{name}`: \
                 it is never zero; check its signs and the defaults"
            )
        } else {
            continue;
        };
        let place = constraint.field.span();
        // Once for all uses of a component.
        if !diagnostics.has_error_at(place) {
            diagnostics.error(place, message);
        }
    }
}
