//! Names of expressions: `let`.

use std::rc::Rc;

use syn::ext::IdentExt;

use super::{Context, Expressions};
use crate::dimension::Measured;
use crate::lower::names::{Array, Local, rust_name};
use crate::syntax::ast::{Expr, IndexSyntax, LetSyntax};

impl Expressions {
    pub fn lower_let(&mut self, definition: &LetSyntax) {
        let name = definition.name.unraw().to_string();
        self.names.lets.defining = Some(name.clone());
        let number = self.names.usage.define_let(&definition.name);
        let local = match &definition.index {
            None => {
                let value = self.value_of_let(&definition.value);
                Local::Let { value, definition: number }
            }
            Some(index) => match self.values_of_let(index, &definition.value) {
                Some(array) => Local::Lets { array: Rc::new(array), definition: number },
                None => Local::Let { value: None, definition: number },
            },
        };
        self.names.lets.defining = None;
        if let Some(message) = self.names.name_in_use(&name) {
            self.error(definition.name.span(), message);
            return;
        }
        self.keep_names(&name, &local);
        self.names.scopes.define(name, local);
    }

    fn value_of_let(&mut self, written: &Expr) -> Option<Measured> {
        let value = self.measured(written, Context::Let)?;
        self.bounded(value.id, written.place)?;
        Some(value)
    }

    /// A value for each index; `None` after an error, the first of which ends the array.
    fn values_of_let(&mut self, index: &IndexSyntax, written: &Expr) -> Option<Array> {
        let mut array = Array::default();
        for value in self.index_values(index)? {
            array.push(value, self.at_index(index, value, |this| this.value_of_let(written))?);
        }
        Some(array)
    }

    /// Notes what values are called in the emitted code.
    fn keep_names(&mut self, name: &str, local: &Local) {
        let prefix = self.names.table.here().rust_prefix.clone();
        let mut keep = |index, value: Measured| {
            self.let_names.entry(value.id).or_insert_with(|| format!("{prefix}{}", rust_name(name, index)));
        };
        match local {
            Local::Let { value: Some(value), .. } => keep(None, *value),
            Local::Lets { array, .. } => array.each().for_each(|(index, value)| keep(Some(index), value)),
            Local::Let { value: None, .. } | Local::Loop(_) => {}
        }
    }
}
