//! `if` around whole blocks: the branches are chosen before the blocks are read.

use std::borrow::Cow;

use super::lowering::Lowering;
use crate::lower::expressions::Context;
use crate::syntax::ast::{ComponentSyntax, ModelItem};

/// Checks whether there is an `if` among the blocks of a model or of its components.
fn has_choice(items: &[ModelItem]) -> bool {
    items.iter().any(|item| match item {
        ModelItem::If(_) => true,
        ModelItem::Component(component) => has_choice(&component.items),
        _ => false,
    })
}

impl Lowering<'_> {
    /// Replaces each `if` by the blocks of the branch that is taken; the other branches are not read.
    pub fn chosen<'i>(&mut self, items: &'i [ModelItem]) -> Cow<'i, [ModelItem]> {
        if has_choice(items) { self.taken(items).into() } else { items.into() }
    }

    fn taken(&mut self, items: &[ModelItem]) -> Vec<ModelItem> {
        let mut chosen = Vec::new();
        for item in items {
            match item {
                ModelItem::If(choice) => {
                    let Some(holds) = self.expressions().choice(&choice.condition, Context::Feature) else {
                        // The names that the branches declare are unknown.
                        self.names().report.incomplete = true;
                        continue;
                    };
                    let (taken, other) = match holds {
                        true => (&choice.yes, &choice.no),
                        false => (&choice.no, &choice.yes),
                    };
                    // Names may be used in the other branch, which belongs to another variant of the model.
                    self.names().usage.is_partial |= !other.is_empty();
                    chosen.extend(self.taken(taken));
                }
                ModelItem::Component(component) => {
                    let items = self.taken(&component.items);
                    chosen.push(ModelItem::Component(ComponentSyntax { items, ..component.clone() }));
                }
                item => chosen.push(item.clone()),
            }
        }
        chosen
    }
}
