//! Structural arguments in use: sizes in indices, features in conditions.

use syn::ext::IdentExt;

use costate_contract::nearest::nearest;

use super::{Kind, Names};
use crate::model::ArgumentValue;
use crate::syntax::ast::{Expr, ExprKind, RangeSyntax};

impl Names {
    /// Returns the size called `name`; `None` if there is none or its value is unknown.
    pub fn size(&self, name: &str) -> Option<i64> {
        match self.argument(name)? {
            ArgumentValue::Size(size) => Some(size),
            ArgumentValue::Feature(_) => None,
        }
    }

    /// Returns the value of the feature called `name`; `None` if there is none or its value is unknown.
    pub fn feature(&self, name: &str) -> Option<bool> {
        match self.argument(name)? {
            ArgumentValue::Size(_) => None,
            ArgumentValue::Feature(on) => Some(on),
        }
    }

    /// Returns the value of the structural argument called `name`; `None` if there is none or its value is unknown.
    fn argument(&self, name: &str) -> Option<ArgumentValue> {
        let declared = self.table.get(name).filter(|declared| declared.kind == Kind::Argument)?;
        let position = declared.elements.at(name, None).ok()?;
        self.quantities.argument_values.get(position).copied().flatten()
    }

    /// Writes the message about `expr`, which is not a whole number.
    pub fn not_an_integer(&self, expr: &Expr) -> String {
        let arguments = self.table.names_of(Kind::Argument);
        if arguments.is_empty() && self.later_arguments.is_empty() {
            return "expected a whole number; an index is made of whole numbers and loop variables, \
                    joined by + - * / ^"
                .to_owned();
        }
        if let ExprKind::Name(name) = &expr.kind {
            let text = name.ident.unraw().to_string();
            if matches!(text.as_str(), "true" | "false") || name.is_word() && self.feature(&text).is_some() {
                return format!("expected a whole number; `{text}` is on or off, and stands after `if`");
            }
            if self.later_arguments.contains(&text) {
                return format!(
                    "`{text}` has no value yet; the default of a structural argument is made of the earlier ones"
                );
            }
            let unknown = self.table.get(&text).is_none() && self.scopes.get(&text).is_none();
            if let (true, Some(known)) = (unknown, nearest(&text, arguments)) {
                return format!("unknown name `{text}`; did you mean `{known}`?");
            }
        }
        "expected a whole number, made of whole numbers, loop variables and structural arguments, \
         joined by + - * / ^"
            .to_owned()
    }

    /// Writes the message about `expr`, which is not a condition.
    pub fn no_condition(&self, expr: &Expr) -> String {
        if let ExprKind::Name(name) = &expr.kind {
            let text = name.ident.unraw().to_string();
            let unknown = self.table.get(&text).is_none() && self.scopes.get(&text).is_none();
            let mut features = self.table.names_of(Kind::Argument);
            features.retain(|known| self.feature(known).is_some());
            if let (true, Some(known)) = (unknown, nearest(&text, features.iter().copied())) {
                return format!("unknown name `{text}`; did you mean `{known}`?");
            }
            if unknown && !features.is_empty() {
                return format!("unknown name `{text}`; what is on or off is `{}`", features.join("`, `"));
            }
        }
        "expected a condition; compare two numbers, as in `x > 0`".to_owned()
    }

    /// Writes the message about a feature `name` in place of a number; `None` if `name` is not a feature.
    pub fn feature_as_number(&self, name: &str) -> Option<String> {
        if matches!(name, "true" | "false") || self.feature(name).is_some() {
            return Some(format!("expected a number, `{name}` is on or off; write `if {name} {{ 1 }} else {{ 0 }}`"));
        }
        None
    }

    /// Writes the message about an empty range in a declaration that needs elements.
    pub fn empty_range(&self, range: &RangeSyntax) -> String {
        let plain = |expr: &Expr| matches!(expr.kind, ExprKind::Number { .. });
        if self.quantities.argument_values.is_empty() || plain(&range.first) && plain(&range.last) {
            return "the range is empty; write the smaller number first".to_owned();
        }
        "the range is empty with the sizes of this model; \
         what may have no elements is declared by `for i in ... { name[i]: ... }`"
            .to_owned()
    }
}
