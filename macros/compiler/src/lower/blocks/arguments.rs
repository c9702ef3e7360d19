//! Structural arguments: sizes and features that are known before anything else of the model.

use proc_macro2::Ident;
use syn::ext::IdentExt;

use super::lowering::Lowering;
use crate::lower::expressions::Context;
use crate::lower::names::{Kind, rust_name};
use crate::model::{Argument, ArgumentValue, Arguments, argument_refusal};
use crate::syntax::ast::{ArgumentDefault, ArgumentSyntax, ExprKind, ModelSyntax};
use crate::syntax::unknown_argument;

impl Lowering<'_> {
    /// Declares the arguments in the order written, each with its value.
    pub fn declare_arguments(&mut self, syntax: &ModelSyntax, given: &Arguments) {
        let names = || syntax.arguments.iter().map(|argument| argument.name.unraw().to_string());
        for (i, argument) in syntax.arguments.iter().enumerate() {
            self.names().later_arguments = names().skip(i).collect();
            let name = argument.name.unraw().to_string();
            let value = match given.get(&name) {
                Some(value) => self.given_value(value, argument),
                None => self.default_value(argument),
            };
            if !self.names().declare_name(Kind::Argument, &argument.name, None) {
                continue;
            }
            if value.is_none() {
                self.names().table.mark_unclear(&argument.name);
            }
            let constant = Ident::new(&rust_name(&name, None).to_uppercase(), argument.name.span());
            self.names().quantities.argument_values.push(value);
            self.names().quantities.arguments.push(Argument {
                name,
                constant,
                value: value.unwrap_or(match argument.is_feature {
                    true => ArgumentValue::Feature(false),
                    false => ArgumentValue::Size(0),
                }),
                documentation: argument.documentation.join("\n"),
            });
        }
        self.names().later_arguments.clear();
        self.refuse_unknown(syntax, given);
    }

    fn default_value(&mut self, argument: &ArgumentSyntax) -> Option<ArgumentValue> {
        let name = &argument.name;
        match &argument.default {
            ArgumentDefault::Written(written)
                if argument.is_feature && matches!(written.kind, ExprKind::Number { .. }) =>
            {
                let message = format!("`{name}` is on or off; write `true`, `false` or a condition");
                self.refuse(written.place, message)
            }
            ArgumentDefault::Written(written) if argument.is_feature => {
                self.expressions().choice(written, Context::Feature).map(ArgumentValue::Feature)
            }
            ArgumentDefault::Written(written) => {
                let value = self.names().integer(written)?;
                if value < 0 {
                    let message =
                        format!("`{name}` would be {value}; a structural argument is a whole number, 0 or more");
                    return self.refuse(written.place, message);
                }
                Some(ArgumentValue::Size(value))
            }
            ArgumentDefault::Unreadable => None,
            ArgumentDefault::Missing => {
                let example = if argument.is_feature { "bool = true" } else { "usize = 4" };
                let message = format!("the structural argument `{name}` has no value; write e.g. `{name}: {example}`");
                self.refuse(name.span(), message)
            }
        }
    }

    /// A value from outside.
    fn given_value(&mut self, value: ArgumentValue, argument: &ArgumentSyntax) -> Option<ArgumentValue> {
        match argument_refusal(value, argument) {
            None => Some(value),
            Some(reason) => {
                let name = &argument.name;
                self.refuse(name.span(), format!("`{name}` is given as {value}; {reason}"))
            }
        }
    }

    /// Values from outside for what the model does not have.
    fn refuse_unknown(&mut self, syntax: &ModelSyntax, given: &Arguments) {
        if self.names().report.incomplete {
            return;
        }
        for message in given.iter().filter_map(|(name, _)| unknown_argument(name, syntax)) {
            self.error(syntax.name.span(), message);
        }
    }
}
