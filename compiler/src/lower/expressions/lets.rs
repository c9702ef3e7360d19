//! Names of expressions: `let`.

use syn::ext::IdentExt;

use super::{Context, Expressions};
use crate::dimension::Measured;
use crate::lower::names::Local;
use crate::syntax::ast::LetSyntax;

impl Expressions {
    pub fn lower_let(&mut self, definition: &LetSyntax) {
        let name = definition.name.unraw().to_string();
        self.names.lets.defining = Some(name.clone());
        let value = self.measured(&definition.value, Context::Let);
        let value = value.filter(|value| self.bounded(value.id, definition.value.place).is_some());
        self.names.lets.defining = None;
        if let Some(message) = self.names.name_in_use(&name) {
            self.error(definition.name.span(), message);
            return;
        }
        if let Some(Measured { id, .. }) = value {
            let prefix = &self.names.table.here().rust_prefix;
            self.let_names.entry(id).or_insert_with(|| format!("{prefix}{name}"));
        }
        let definition = self.names.usage.define_let(&definition.name);
        self.names.scopes.define(name, Local::Let { value, definition });
    }
}
