//! Structural arguments: sizes and features that are known before anything else of the model.

use std::path::{Path, PathBuf};

use proc_macro2::Ident;
use syn::ext::IdentExt;

use super::Argument;
use super::context::Context;
use super::lower::Lowering;
use super::names::{Elements, Kind, rust_name};
use crate::nearest::nearest;
use crate::syntax::ast::{ArgumentDefault, ArgumentSyntax, Expr, ExprKind, ModelSyntax, RangeSyntax};
use crate::syntax::unknown_argument;

/// Value of a structural argument.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ArgumentValue {
    /// `usize`, a size. A negative one is refused.
    Size(i64),
    /// `bool`, a feature that is on or off.
    Feature(bool),
}

impl From<i64> for ArgumentValue {
    fn from(size: i64) -> Self {
        Self::Size(size)
    }
}

impl From<i32> for ArgumentValue {
    fn from(size: i32) -> Self {
        Self::Size(size.into())
    }
}

impl From<bool> for ArgumentValue {
    fn from(on: bool) -> Self {
        Self::Feature(on)
    }
}

/// A text that is neither a whole number nor `true` or `false`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NoArgumentValue(pub String);

impl std::fmt::Display for NoArgumentValue {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(
            f,
            "`{}` is no value of a structural argument; write a whole number, `true` or `false`",
            self.0
        )
    }
}

impl std::error::Error for NoArgumentValue {}

impl std::str::FromStr for ArgumentValue {
    type Err = NoArgumentValue;

    fn from_str(text: &str) -> Result<Self, NoArgumentValue> {
        match text {
            "true" => Ok(Self::Feature(true)),
            "false" => Ok(Self::Feature(false)),
            _ => text.parse().map(Self::Size).map_err(|_| NoArgumentValue(text.to_owned())),
        }
    }
}

/// As the language writes it: `4`, `true`.
impl std::fmt::Display for ArgumentValue {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Size(size) => size.fmt(f),
            Self::Feature(on) => on.fmt(f),
        }
    }
}

/// Values of structural arguments that are given from outside of the model, in place of their defaults.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Arguments {
    values: Vec<(String, ArgumentValue)>,
    folder: Option<PathBuf>,
}

impl Arguments {
    /// No values: every argument has its default.
    pub fn new() -> Self {
        Self::default()
    }

    /// The same values, and `value` for the argument called `name`. The last value for a name counts.
    #[must_use]
    pub fn with(mut self, name: impl Into<String>, value: impl Into<ArgumentValue>) -> Self {
        self.values.push((name.into(), value.into()));
        self
    }

    /// The same values, and the folder where the paths of tables start; without it, that is the folder of the
    /// `Cargo.toml` of the crate that is being built.
    #[must_use]
    pub fn tables_in(mut self, folder: impl Into<PathBuf>) -> Self {
        self.folder = Some(folder.into());
        self
    }

    /// The folder where the paths of tables start, if it is given.
    pub fn folder(&self) -> Option<&Path> {
        self.folder.as_deref()
    }

    /// Names and values, in the order given.
    pub fn iter(&self) -> impl Iterator<Item = (&str, ArgumentValue)> {
        self.values.iter().map(|(name, value)| (name.as_str(), *value))
    }

    fn get(&self, name: &str) -> Option<ArgumentValue> {
        self.values.iter().rev().find(|(given, _)| given == name).map(|(_, value)| *value)
    }
}

impl<N: Into<String>, V: Into<ArgumentValue>> FromIterator<(N, V)> for Arguments {
    fn from_iter<I: IntoIterator<Item = (N, V)>>(values: I) -> Self {
        let values = values.into_iter().map(|(name, value)| (name.into(), value.into())).collect();
        Self { values, folder: None }
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
                Some(value) => self.given_value(value, argument),
                None => self.default_value(argument),
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
                value: value.unwrap_or(match argument.is_feature {
                    true => ArgumentValue::Feature(false),
                    false => ArgumentValue::Size(0),
                }),
                documentation: argument.documentation.join("\n"),
            });
        }
        self.later_arguments.clear();
        self.refuse_unknown(syntax, given);
    }

    fn default_value(&mut self, argument: &ArgumentSyntax) -> Option<ArgumentValue> {
        let name = &argument.name;
        match &argument.default {
            ArgumentDefault::Written(written)
                if argument.is_feature && matches!(written.kind, ExprKind::Number { .. }) =>
            {
                let message = format!("`{name}` is on or off; write `true`, `false` or a condition");
                self.error_at(written.place, message);
                None
            }
            ArgumentDefault::Written(written) if argument.is_feature => {
                self.choice(written, Context::Feature).map(ArgumentValue::Feature)
            }
            ArgumentDefault::Written(written) => {
                let value = self.integer(written)?;
                if value < 0 {
                    let message = format!(
                        "`{name}` would be {value}; a structural argument is a whole number, 0 or more"
                    );
                    self.error_at(written.place, message);
                    return None;
                }
                Some(ArgumentValue::Size(value))
            }
            ArgumentDefault::Unreadable => None,
            ArgumentDefault::Missing => {
                let example = if argument.is_feature { "bool = true" } else { "usize = 4" };
                let message =
                    format!("the structural argument `{name}` has no value; write e.g. `{name}: {example}`");
                self.error_at(name.span(), message);
                None
            }
        }
    }

    /// A value from outside.
    fn given_value(&mut self, value: ArgumentValue, argument: &ArgumentSyntax) -> Option<ArgumentValue> {
        match refusal(value, argument) {
            None => Some(value),
            Some(reason) => {
                let name = &argument.name;
                self.error_at(name.span(), format!("`{name}` is given as {value}; {reason}"));
                None
            }
        }
    }

    /// Values from outside for what the model does not have.
    fn refuse_unknown(&mut self, syntax: &ModelSyntax, given: &Arguments) {
        if self.incomplete {
            return;
        }
        for message in given.values.iter().filter_map(|(name, _)| unknown_argument(name, syntax)) {
            self.error_at(syntax.name.span(), message);
        }
    }

    /// The size called `name`, if there is one and its value is known.
    pub(super) fn size(&self, name: &str) -> Option<i64> {
        match self.argument(name)? {
            ArgumentValue::Size(size) => Some(size),
            ArgumentValue::Feature(_) => None,
        }
    }

    /// Whether the feature called `name` is on, if there is one and its value is known.
    pub(super) fn feature(&self, name: &str) -> Option<bool> {
        match self.argument(name)? {
            ArgumentValue::Size(_) => None,
            ArgumentValue::Feature(on) => Some(on),
        }
    }

    /// The value of the structural argument called `name`, if there is one and its value is known.
    fn argument(&self, name: &str) -> Option<ArgumentValue> {
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
            if matches!(text.as_str(), "true" | "false") || name.is_word() && self.feature(&text).is_some() {
                return format!("expected a whole number; `{text}` is on or off, and stands behind `if`");
            }
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

    /// What to write instead of `expr`, which is no condition.
    pub(super) fn no_condition(&self, expr: &Expr) -> String {
        if let ExprKind::Name(name) = &expr.kind {
            let text = name.ident.unraw().to_string();
            let unknown = self.names.get(&text).is_none() && self.scopes.get(&text).is_none();
            let mut features = self.names.names_of(Kind::Argument);
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

    /// What to write instead of `name`, which is on or off, where a number is expected.
    pub(super) fn feature_as_number(&self, name: &str) -> Option<String> {
        if matches!(name, "true" | "false") || self.feature(name).is_some() {
            return Some(format!(
                "expected a number, `{name}` is on or off; write `if {name} {{ 1 }} else {{ 0 }}`"
            ));
        }
        None
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

/// Why an argument can't have this value.
pub(crate) fn refusal(value: ArgumentValue, argument: &ArgumentSyntax) -> Option<&'static str> {
    match value {
        ArgumentValue::Size(size) if !argument.is_feature && size >= 0 => None,
        ArgumentValue::Feature(_) if argument.is_feature => None,
        _ if argument.is_feature => Some("a structural argument with the type `bool` is `true` or `false`"),
        _ => Some("a structural argument is a whole number, 0 or more"),
    }
}
