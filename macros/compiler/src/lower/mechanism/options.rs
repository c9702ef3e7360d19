//! The options of bodies, joints and elements: known ones, once each.

use syn::ext::IdentExt;

use costate_contract::nearest::nearest;

use super::Mechanism;
use crate::dimension::DerivedUnit;
use crate::lower::expressions::Context;
use crate::symbolic::Id;
use crate::syntax::ast::{Expr, OptionSyntax, PartSyntax};

/// The value of the option called `name`.
pub fn option<'a>(part: &'a PartSyntax, name: &str) -> Option<&'a Expr> {
    part.options.iter().find(|option| option.name == name).map(|option| &option.value)
}

/// An option in messages.
pub fn option_of(part: &PartSyntax, name: &str) -> String {
    format!("`{name}` of `{}`", part.name.ident.unraw())
}

impl Mechanism {
    /// Reports options that `what` does not have, and those that are given twice; `None` after an error.
    pub fn check_options(
        &mut self,
        options: &[OptionSyntax],
        known: &[&str],
        what: &str,
        separator: &str,
    ) -> Option<()> {
        let errors = self.names().report.diagnostics.len();
        for (i, option) in options.iter().enumerate() {
            let name = option.name.unraw().to_string();
            if !known.contains(&name.as_str()) {
                let message = match nearest(&name, known.iter().copied()) {
                    Some(known) => format!("{what} has no `{name}`; did you mean `{known}`?"),
                    None if known.is_empty() => format!("{what} has no `{name}`; leave it out"),
                    None => format!("{what} has no `{name}`; it has `{}`", known.join("`, `")),
                };
                self.error(option.name.span(), message);
            } else if options[..i].iter().any(|other| other.name == option.name) {
                let message = format!("`{name}` is given twice; keep one `{name}{separator}...`");
                self.error(option.name.span(), message);
            }
        }
        (self.names().report.diagnostics.len() == errors).then_some(())
    }

    /// The number of an option, `None` if it is not there. The outer `None` after an error.
    pub fn number_option(
        &mut self,
        part: &PartSyntax,
        name: &str,
        context: Context,
        unit: DerivedUnit,
    ) -> Option<Option<Id>> {
        match option(part, name) {
            None => Some(None),
            Some(value) => self.expressions().derived_value(value, context, unit, &option_of(part, name)).map(Some),
        }
    }
}
