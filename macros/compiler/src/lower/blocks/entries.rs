//! The entries of a block: loops unrolled, branches chosen.

use syn::ext::IdentExt;

use super::lowering::Lowering;
use crate::lower::expressions::Context;
use crate::lower::names::Local;
use crate::syntax::ast::{Entry, ForSyntax, IfSyntax};

impl Lowering<'_> {
    /// Applies `item` to every entry, with loops unrolled, in a scope of its own.
    pub fn entries<T>(&mut self, entries: &[Entry<T>], item: fn(&mut Self, &T)) {
        self.names().scopes.push();
        for entry in entries {
            match entry {
                Entry::Item(syntax) => item(self, syntax),
                Entry::Let(definition) if !self.declaring => self.expressions().lower_let(definition),
                Entry::Let(definition) => self.expressions().note_frame(definition),
                Entry::For(repeat) => self.repeat(repeat, item),
                Entry::If(choice) => self.choose(choice, item),
            }
        }
        self.names().scopes.pop();
    }

    fn repeat<T>(&mut self, repeat: &ForSyntax<T>, item: fn(&mut Self, &T)) {
        let values = self.names().range(&repeat.range);
        let values = values.filter(|values| self.names().may_repeat(values, repeat.range.place));
        let Some(values) = values else {
            // What the loop declares is not known.
            self.names().report.incomplete = true;
            return;
        };
        let variable = repeat.variable.unraw().to_string();
        // Names are declared all the same, and the message waits until all of them are known.
        if !self.declaring
            && let Some(message) = self.names().name_in_use(&variable)
        {
            self.error(repeat.variable.span(), message);
            return;
        }
        if values.is_empty() {
            // In a model of another size, names are used in it.
            self.names().usage.is_partial = true;
        }
        let errors = self.names().report.faults();
        for value in values {
            self.names().scopes.push();
            self.names().scopes.define(variable.clone(), Local::Loop(value));
            self.entries(&repeat.entries, item);
            self.names().scopes.pop();
            // One message for a mistake in the body, not one for every repetition.
            if self.names().report.faults() > errors {
                self.names().report.cut_short = true;
                break;
            }
        }
    }

    /// The entries of the branch that the model is made of; the other branch is not read.
    fn choose<T>(&mut self, choice: &IfSyntax<T>, item: fn(&mut Self, &T)) {
        let Some(holds) = self.expressions().choice(&choice.condition, Context::Feature) else {
            // What the branches declare is not known.
            self.names().report.incomplete = true;
            return;
        };
        let (chosen, other) = if holds { (&choice.yes, &choice.no) } else { (&choice.no, &choice.yes) };
        if !other.is_empty() {
            // In another variant of the model, names are used in it.
            self.names().usage.is_partial = true;
        }
        self.entries(chosen, item);
    }
}
