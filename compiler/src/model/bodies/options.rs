//! The options of bodies, joints and elements: known ones, once each.

use syn::ext::IdentExt;

use super::super::context::Context;
use super::super::lower::Lowering;
use crate::dimension::DerivedUnit;
use crate::nearest::nearest;
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

impl Lowering<'_> {
    /// Reports options that `what` does not have, and those that are given twice; `None` after an error.
    pub(super) fn check_options(
        &mut self,
        options: &[OptionSyntax],
        known: &[&str],
        what: &str,
        separator: &str,
    ) -> Option<()> {
        let errors = self.diagnostics.len();
        for (i, option) in options.iter().enumerate() {
            let name = option.name.unraw().to_string();
            if !known.contains(&name.as_str()) {
                let message = match nearest(&name, known.iter().copied()) {
                    Some(known) => format!("{what} has no `{name}`; did you mean `{known}`?"),
                    None if known.is_empty() => format!("{what} has no `{name}`; leave it out"),
                    None => format!("{what} has no `{name}`; it has `{}`", known.join("`, `")),
                };
                self.error_at(option.name.span(), message);
            } else if options[..i].iter().any(|other| other.name == option.name) {
                let message = format!("`{name}` is given twice; keep one `{name}{separator}...`");
                self.error_at(option.name.span(), message);
            }
        }
        (self.diagnostics.len() == errors).then_some(())
    }

    /// The number of an option, `None` if it is not there. The outer `None` after an error.
    pub(super) fn number_option(
        &mut self,
        part: &PartSyntax,
        name: &str,
        context: Context,
        unit: DerivedUnit,
    ) -> Option<Option<Id>> {
        match option(part, name) {
            None => Some(None),
            Some(value) => self.derived_value(value, context, unit, &option_of(part, name)).map(Some),
        }
    }

    /// A vector of numbers that are known at compile time, of length 1.
    pub(super) fn direction(&mut self, expr: &Expr, spatial: bool) -> Option<[f64; 3]> {
        let vector = self.vector(expr, spatial, Context::Fixed, DerivedUnit::NUMBER, "an axis")?;
        let values = vector.map(|component| self.graph.as_constant(component));
        let [Some(x), Some(y), Some(z)] = values else {
            let message =
                "an axis is made of numbers; turn the frame by a parameter with `.rotated(...)` instead";
            self.error_at(expr.place, message);
            return None;
        };
        let size = (x * x + y * y + z * z).sqrt();
        if !(size > 0.0 && size.is_finite()) {
            self.error_at(expr.place, "an axis has a direction; write e.g. `(1, 0, 0)`");
            return None;
        }
        // an axis of coordinates stays exact
        Some(if size == 1.0 { [x, y, z] } else { [x / size, y / size, z / size] })
    }
}
