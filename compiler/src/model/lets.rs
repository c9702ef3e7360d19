//! Names of expressions: `let`.

use std::collections::HashSet;

use syn::ext::IdentExt;

use super::context::Context;
use super::lower::Lowering;
use super::names::reserved;
use super::scope::Local;
use crate::dimension::Measured;
use crate::syntax::ast::{Entry, LetSyntax, ModelItem};

impl Lowering<'_> {
    pub(super) fn lower_let(&mut self, definition: &LetSyntax) {
        let name = definition.name.unraw().to_string();
        self.defining = Some(name.clone());
        let value = self.measured(&definition.value, Context::Let);
        let value = value.filter(|value| self.bounded(value.id, definition.value.place).is_some());
        self.defining = None;
        if let Some(message) = self.name_in_use(&name) {
            self.error_at(definition.name.span(), message);
            return;
        }
        if let Some(Measured { id, .. }) = value {
            let prefix = &self.names.here().rust_prefix;
            self.model.let_names.entry(id).or_insert_with(|| format!("{prefix}{name}"));
        }
        let definition = self.usage.define_let(&definition.name);
        self.scopes.define(name, Local::Let { value, definition });
    }

    pub(super) fn name_in_use(&self, name: &str) -> Option<String> {
        if let Some(message) = reserved(name) {
            return Some(message);
        }
        if let Some(declared) = self.names.get(name) {
            return Some(format!("`{name}` is already {}; choose another name", declared.kind.text()));
        }
        match self.scopes.get(name)? {
            Local::Loop(_) => Some(format!("`{name}` is already a loop variable; choose another name")),
            Local::Let { .. } => Some(format!("`{name}` is already defined by `let`; choose another name")),
        }
    }
}

/// The names of all `let`s inside blocks.
pub(super) fn block_lets(items: &[ModelItem]) -> HashSet<String> {
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
