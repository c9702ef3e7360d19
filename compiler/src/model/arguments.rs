//! Structural arguments: whole numbers that are known before anything else of the model.

use proc_macro2::Ident;
use syn::ext::IdentExt;

use super::Argument;
use super::lower::Lowering;
use super::names::{Elements, Kind, rust_name};
use crate::nearest::nearest;
use crate::syntax::ast::{ArgumentDefault, ArgumentSyntax, Expr, ExprKind, ModelSyntax, RangeSyntax};

/// Values of structural arguments that are given from outside of the model, in place of their defaults.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Arguments {
    values: Vec<(String, i64)>,
}

impl Arguments {
    /// No values: every argument has its default.
    pub fn new() -> Self {
        Self::default()
    }

    /// The same values, and `value` for the argument called `name`. The last value for a name counts.
    #[must_use]
    pub fn with(mut self, name: impl Into<String>, value: i64) -> Self {
        self.values.push((name.into(), value));
        self
    }

    fn get(&self, name: &str) -> Option<i64> {
        self.values.iter().rev().find(|(given, _)| given == name).map(|(_, value)| *value)
    }
}

impl<N: Into<String>> FromIterator<(N, i64)> for Arguments {
    fn from_iter<I: IntoIterator<Item = (N, i64)>>(values: I) -> Self {
        Self { values: values.into_iter().map(|(name, value)| (name.into(), value)).collect() }
    }
}

impl Lowering<'_> {
    /// Declares the arguments in the order written, each with its value.
    pub(super) fn declare_arguments(&mut self, syntax: &ModelSyntax, given: &Arguments) {
        let names = || syntax.arguments.iter().map(|argument| argument.name.unraw().to_string());
        for (i, argument) in syntax.arguments.iter().enumerate() {
            self.later_arguments = names().skip(i).collect();
            let name = argument.name.unraw().to_string();
            let value = match given.get(&name) {
                Some(value) => self.given_size(value, argument),
                None => self.default_size(argument),
            };
            if !self.declare_name(Kind::Argument, &argument.name, None) {
                continue;
            }
            if value.is_none() {
                self.names.mark_unclear(&argument.name);
            }
            let constant = Ident::new(&rust_name(&name, None).to_uppercase(), argument.name.span());
            self.argument_values.push(value);
            self.model.arguments.push(Argument {
                name,
                constant,
                value: value.and_then(|value| usize::try_from(value).ok()).unwrap_or(0),
                documentation: argument.documentation.join("\n"),
            });
        }
        self.later_arguments.clear();
        self.refuse_unknown(syntax, given);
    }

    fn default_size(&mut self, argument: &ArgumentSyntax) -> Option<i64> {
        let name = &argument.name;
        match &argument.default {
            ArgumentDefault::Written(written) => {
                let value = self.integer(written)?;
                if value < 0 {
                    let message = format!(
                        "`{name}` would be {value}; a structural argument is a whole number, 0 or more"
                    );
                    self.error_at(written.place, message);
                    return None;
                }
                Some(value)
            }
            ArgumentDefault::Unreadable => None,
            ArgumentDefault::Missing => {
                let message =
                    format!("the structural argument `{name}` has no value; write e.g. `{name}: usize = 4`");
                self.error_at(name.span(), message);
                None
            }
        }
    }

    /// A value from outside.
    fn given_size(&mut self, value: i64, argument: &ArgumentSyntax) -> Option<i64> {
        if value >= 0 {
            return Some(value);
        }
        let name = &argument.name;
        let message =
            format!("`{name}` is given as {value}; a structural argument is a whole number, 0 or more");
        self.error_at(name.span(), message);
        None
    }

    /// Values from outside for what the model does not have.
    fn refuse_unknown(&mut self, syntax: &ModelSyntax, given: &Arguments) {
        if self.incomplete {
            return;
        }
        let known: Vec<String> =
            syntax.arguments.iter().map(|argument| argument.name.unraw().to_string()).collect();
        for (name, _) in given.values.iter().filter(|(name, _)| !known.contains(name)) {
            let model = &syntax.name;
            let remedy = match nearest(name, known.iter().map(String::as_str)) {
                Some(nearest) => format!("did you mean `{nearest}`?"),
                None if known.is_empty() => "it has none".to_owned(),
                None => format!("it has `{}`", known.join("`, `")),
            };
            let message = format!("the model `{model}` has no structural argument `{name}`; {remedy}");
            self.error_at(model.span(), message);
        }
    }

    /// The value of the structural argument called `name`, if there is one and its value is known.
    pub(super) fn argument(&self, name: &str) -> Option<i64> {
        match self.names.get(name) {
            Some(declared) if declared.kind == Kind::Argument => match declared.elements {
                Elements::Scalar(position) => self.argument_values.get(position).copied().flatten(),
                Elements::Array(_) => None,
            },
            _ => None,
        }
    }

    /// What to write instead of `expr`, which is no whole number.
    pub(super) fn not_an_integer(&self, expr: &Expr) -> String {
        let arguments = self.names.names_of(Kind::Argument);
        if arguments.is_empty() && self.later_arguments.is_empty() {
            return "expected a whole number; an index is made of whole numbers and loop variables, \
                    joined by + - * / ^"
                .to_owned();
        }
        if let ExprKind::Name(name) = &expr.kind {
            let text = name.ident.unraw().to_string();
            if self.later_arguments.contains(&text) {
                return format!(
                    "`{text}` has no value yet; the default of a structural argument is made of the earlier ones"
                );
            }
            let unknown = self.names.get(&text).is_none() && self.scopes.get(&text).is_none();
            if let (true, Some(known)) = (unknown, nearest(&text, arguments)) {
                return format!("unknown name `{text}`; did you mean `{known}`?");
            }
        }
        "expected a whole number, made of whole numbers, loop variables and structural arguments, \
         joined by + - * / ^"
            .to_owned()
    }

    /// Why a range that a declaration must not have is empty.
    pub(super) fn empty_range(&self, range: &RangeSyntax) -> String {
        let plain = |expr: &Expr| matches!(expr.kind, ExprKind::Number { .. });
        if self.argument_values.is_empty() || plain(&range.first) && plain(&range.last) {
            return "the range is empty; write the smaller number first".to_owned();
        }
        "the range is empty with the sizes of this model; \
         what may have no elements is declared by `for i in ... { name[i]: ... }`"
            .to_owned()
    }
}
