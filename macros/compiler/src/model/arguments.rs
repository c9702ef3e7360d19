//! Structural arguments: sizes and features with which a model is compiled.

use std::path::{Path, PathBuf};

use proc_macro2::Ident;

use super::files::ModelFiles;
use crate::syntax::ast::ArgumentSyntax;

/// A structural argument with its value.
#[derive(Debug, Clone)]
pub struct Argument {
    /// Name as the user writes it.
    pub name: String,
    /// Name as a Rust constant, at the user's token.
    pub constant: Ident,
    /// Value given from outside, or else the default; 0 or `false` after an error.
    pub value: ArgumentValue,
    /// Documentation that the user wrote above the argument.
    pub documentation: String,
}

/// Value of a structural argument.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ArgumentValue {
    /// A `usize`, as a size. Negative sizes are refused.
    Size(i64),
    /// A `bool`, as a feature that is on or off.
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
        write!(f, "`{}` is no value of a structural argument; write a whole number, `true` or `false`", self.0)
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

/// Writes the value as the language does: `4`, `true`.
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
    allowed: Option<Vec<PathBuf>>,
    contents: &'static [(&'static str, &'static [u8])],
}

impl Arguments {
    /// Creates an empty list of values, so that every argument has its default.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds `value` for the argument called `name`. The last value for a name is used.
    #[must_use]
    pub fn with(mut self, name: impl Into<String>, value: impl Into<ArgumentValue>) -> Self {
        self.values.push((name.into(), value.into()));
        self
    }

    /// Sets the folder to which the paths of tables are relative; without it, the folder of the `Cargo.toml` of the
    /// crate that is being built.
    #[must_use]
    pub fn tables_in(mut self, folder: impl Into<PathBuf>) -> Self {
        self.folder = Some(folder.into());
        self
    }

    /// Returns the folder to which the paths of tables are relative, if it is given.
    pub fn folder(&self) -> Option<&Path> {
        self.folder.as_deref()
    }

    /// Refuses tables and meshes outside of the folder to which paths are relative and of these folders, as for a
    /// foreign model.
    #[must_use]
    pub fn files_only_in(mut self, folders: impl IntoIterator<Item = PathBuf>) -> Self {
        self.allowed = Some(folders.into_iter().collect());
        self
    }

    /// Gives the contents of files by the names that the model has for them, which are taken in place of the files.
    #[must_use]
    pub fn with_files(mut self, contents: &'static [(&'static str, &'static [u8])]) -> Self {
        self.contents = contents;
        self
    }

    /// Returns the folders of files, and the folders from which the model may read.
    pub(crate) fn files(&self) -> ModelFiles {
        ModelFiles { start: self.folder.clone(), allowed: self.allowed.clone(), contents: self.contents }
    }

    /// Lists names and values, in the order given.
    pub fn iter(&self) -> impl Iterator<Item = (&str, ArgumentValue)> {
        self.values.iter().map(|(name, value)| (name.as_str(), *value))
    }

    pub(crate) fn get(&self, name: &str) -> Option<ArgumentValue> {
        self.values.iter().rev().find(|(given, _)| given == name).map(|(_, value)| *value)
    }
}

impl<N: Into<String>, V: Into<ArgumentValue>> FromIterator<(N, V)> for Arguments {
    fn from_iter<I: IntoIterator<Item = (N, V)>>(values: I) -> Self {
        let values = values.into_iter().map(|(name, value)| (name.into(), value.into())).collect();
        Self { values, ..Self::default() }
    }
}

/// Returns the reason why an argument cannot have this value; `None` if it can.
pub(crate) fn refusal(value: ArgumentValue, argument: &ArgumentSyntax) -> Option<&'static str> {
    match value {
        ArgumentValue::Size(size) if !argument.is_feature && size >= 0 => None,
        ArgumentValue::Feature(_) if argument.is_feature => None,
        _ if argument.is_feature => Some("a structural argument with the type `bool` is `true` or `false`"),
        _ => Some("a structural argument is a whole number, 0 or more"),
    }
}
