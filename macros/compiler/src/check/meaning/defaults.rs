//! Defaults that are of no use.

use crate::diagnostic::Diagnostics;
use crate::model::{Model, Quantity};

/// Warns of parameters without a default where others have one: defaults are used all together or not at all.
pub fn check(model: &Model, diagnostics: &mut Diagnostics) {
    if model.defaults.iter().all(Option::is_none) {
        return;
    }
    let missing = model.parameters.iter().zip(&model.defaults).filter(|(_, default)| default.is_none());
    for (Quantity { name, unit, field, .. }, _) in missing {
        // Once for an array and for all uses of a component.
        if !diagnostics.has_warning_at(field.span()) {
            let message = format!(
                "`{name}` has no default, so that the model has no `Default` and those of the other parameters are \
                 not used; write one after its unit, e.g. `{unit} = 1`"
            );
            diagnostics.warning(field.span(), message);
        }
    }
}
