//! `if` around whole blocks: what a model is made of is chosen before its blocks are looked at.

use std::borrow::Cow;

use super::lowering::Lowering;
use crate::lower::expressions::Context;
use crate::syntax::ast::{ComponentSyntax, ModelItem};

/// Whether an `if` stands among the blocks of a model or of its components.
fn has_choice(items: &[ModelItem]) -> bool {
    items.iter().any(|item| match item {
        ModelItem::If(_) => true,
        ModelItem::Component(component) => has_choice(&component.items),
        _ => false,
    })
}

impl Lowering<'_> {
    /// The blocks of the branches that the model is made of, in place of each `if`; the other branches are not read.
    pub fn chosen<'i>(&mut self, items: &'i [ModelItem]) -> Cow<'i, [ModelItem]> {
        if has_choice(items) { self.taken(items).into() } else { items.into() }
    }

    fn taken(&mut self, items: &[ModelItem]) -> Vec<ModelItem> {
        let mut chosen = Vec::new();
        for item in items {
            match item {
                ModelItem::If(choice) => {
                    let Some(holds) = self.expressions().choice(&choice.condition, Context::Feature) else {
                        // What the branches declare is not known.
                        self.names().report.incomplete = true;
                        continue;
                    };
                    let (taken, other) = match holds {
                        true => (&choice.yes, &choice.no),
                        false => (&choice.no, &choice.yes),
                    };
                    // In another variant of the model, names are used in it.
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
