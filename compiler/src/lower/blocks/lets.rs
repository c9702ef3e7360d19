//! The `let`s of a model or a component, for messages.

use std::collections::HashSet;

use syn::ext::IdentExt;

use crate::syntax::ast::{Entry, ModelItem};

/// The names of the `let`s beside the blocks.
pub fn lets_of(items: &[ModelItem]) -> Vec<String> {
    let names = items.iter().filter_map(|item| match item {
        ModelItem::Let(definition) => Some(definition.name.to_string()),
        _ => None,
    });
    names.collect()
}

/// The names of all `let`s inside blocks.
pub fn lets_inside(items: &[ModelItem]) -> HashSet<String> {
    fn collect<T>(entries: &[Entry<T>], names: &mut HashSet<String>) {
        for entry in entries {
            match entry {
                Entry::Item(_) => {}
                Entry::Let(definition) => {
                    names.insert(definition.name.unraw().to_string());
                }
                Entry::For(repeat) => collect(&repeat.entries, names),
                Entry::If(choice) => {
                    collect(&choice.yes, names);
                    collect(&choice.no, names);
                }
            }
        }
    }
    let mut names = HashSet::new();
    for item in items {
        match item {
            ModelItem::Parameters(block) => collect(&block.entries, &mut names),
            ModelItem::Inputs(block) | ModelItem::Coordinates(block) => collect(&block.entries, &mut names),
            ModelItem::Mass(block) => collect(&block.entries, &mut names),
            ModelItem::Forces(block) => collect(&block.entries, &mut names),
            ModelItem::Constraints(block) => collect(&block.entries, &mut names),
            ModelItem::Outputs(block) => collect(&block.entries, &mut names),
            ModelItem::Initial(block) => collect(&block.entries, &mut names),
            ModelItem::Tables(block) => collect(&block.entries, &mut names),
            ModelItem::Components(block) => collect(&block.entries, &mut names),
            ModelItem::Energies(_, block) => collect(&block.entries, &mut names),
            ModelItem::Bodies(block) => collect(&block.entries, &mut names),
            ModelItem::Gravity(block) => collect(&block.entries, &mut names),
            ModelItem::Joints(block) | ModelItem::Elements(block) => collect(&block.entries, &mut names),
            ModelItem::Let(_) | ModelItem::Component(_) | ModelItem::Connections(_) => {}
        }
    }
    names
}
