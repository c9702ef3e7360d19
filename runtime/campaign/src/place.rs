//! Places of values: in a campaign file, or in the options of a call.

use std::cell::RefCell;
use std::fmt;
use std::marker::PhantomData;
use std::ops::{Deref, Range};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use serde::de::{Deserialize, Deserializer, Error, IntoDeserializer, Visitor};
use toml::Spanned;
use toml::de::{DeTable, DeValue};

/// A file with its text.
#[derive(Debug, Clone, PartialEq)]
pub struct Text {
    /// The path as it was given.
    pub path: Arc<Path>,
    /// The content of the file.
    pub text: Arc<str>,
    /// The folders, without links, in which the files that it names may be; the first one is its own.
    pub folders: Arc<[PathBuf]>,
}

impl Text {
    /// Creates the text of a file that may name files of its own folder, which is that of the `Cargo.toml` above it or
    /// else that of the file, and of further folders.
    pub fn new(path: &Path, text: &str, further: &[PathBuf]) -> Self {
        let absolute = costate_contract::files::resolved(path);
        let own = absolute.parent().unwrap_or(&absolute);
        let of_crate = own.ancestors().find(|folder| folder.join("Cargo.toml").is_file());
        let own = of_crate.unwrap_or(own).to_owned();
        let folders = std::iter::once(own).chain(further.iter().map(costate_contract::files::resolved)).collect();
        Self { path: path.into(), text: text.into(), folders }
    }

    /// Checks whether the file may name this path.
    pub fn may_name(&self, path: &Path) -> bool {
        let path = costate_contract::files::resolved(path);
        self.folders.iter().any(|folder| path.starts_with(folder))
    }
}

/// The place where a value was written.
#[derive(Debug, Clone, PartialEq)]
pub enum Place {
    /// Bytes of a campaign file.
    File {
        /// The file.
        file: Text,
        /// The bytes.
        range: Range<usize>,
    },
    /// An option of the call, as `--bounds c=0..1e6`.
    Option(String),
}

impl Place {
    /// Returns the option of a call with this value.
    pub fn option(name: &str, value: &str) -> Self {
        Self::Option(format!("--{name} {value}"))
    }

    /// Returns the first byte in a file.
    pub fn start(&self) -> usize {
        match self {
            Self::File { range, .. } => range.start,
            Self::Option(_) => 0,
        }
    }

    /// Returns the number of the line, from 1, in a file.
    pub fn line(&self) -> Option<usize> {
        match self {
            Self::File { file, range, .. } => {
                let before = file.text.get(..range.start).unwrap_or_default();
                Some(1 + before.matches('\n').count())
            }
            Self::Option(_) => None,
        }
    }

    /// Returns the field with its sections, such as `unknowns.c.bounds`; empty for the whole file and for an option.
    pub fn field(&self) -> String {
        self.found(|found| found.field.clone())
    }

    /// Returns `a section` or `a list` for a value that is one.
    pub fn kind(&self) -> Option<&'static str> {
        self.found(|found| found.kind)
    }

    fn found<T: Default>(&self, of: impl FnOnce(&Found<'_>) -> T) -> T {
        let Self::File { file, range } = self else { return T::default() };
        let Ok(document) = DeTable::parse(&file.text) else { return T::default() };
        let mut found = Found { range, length: usize::MAX, field: String::new(), kind: None };
        if !range.is_empty() {
            found.search("", document.get_ref());
        }
        of(&found)
    }
}

/// The field whose name or value is the shortest text around a range.
struct Found<'r> {
    range: &'r Range<usize>,
    length: usize,
    field: String,
    kind: Option<&'static str>,
}

impl Found<'_> {
    fn search(&mut self, section: &str, table: &DeTable<'_>) {
        for (key, value) in table {
            let name = key.get_ref();
            let field = if section.is_empty() { name.to_string() } else { format!("{section}.{name}") };
            self.search_value(&field, value);
            self.compare(&field, key.span(), None);
        }
    }

    fn search_value(&mut self, field: &str, value: &Spanned<DeValue<'_>>) {
        match value.get_ref() {
            DeValue::Table(table) => {
                self.compare(field, value.span(), Some("a section"));
                self.search(field, table);
            }
            DeValue::Array(list) => {
                self.compare(field, value.span(), Some("a list"));
                list.iter().for_each(|value| self.search_value(field, value));
            }
            _ => self.compare(field, value.span(), None),
        }
    }

    fn compare(&mut self, field: &str, around: Range<usize>, kind: Option<&'static str>) {
        let contains = around.start <= self.range.start && self.range.end <= around.end;
        if contains && around.len() < self.length {
            (self.length, self.kind) = (around.len(), kind);
            field.clone_into(&mut self.field);
        }
    }
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::File { file, .. } => {
                write!(f, "`{}`, line {}", file.path.display(), self.line().unwrap_or(1))?;
                let field = self.field();
                if field.is_empty() { Ok(()) } else { write!(f, ", `{field}`") }
            }
            Self::Option(option) => write!(f, "`{option}`"),
        }
    }
}

/// A value with the place where it was written.
#[derive(Debug, Clone, PartialEq)]
pub struct Located<T> {
    /// The value.
    pub value: T,
    /// The place.
    pub place: Place,
}

impl<T> Located<T> {
    /// Creates a value at a place.
    pub fn new(value: T, place: Place) -> Self {
        Self { value, place }
    }
}

impl<T> Deref for Located<T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.value
    }
}

thread_local! {
    /// The file that is being read: derived readers of values take nothing but the value.
    static FILE_BEING_READ: RefCell<Option<Text>> = const { RefCell::new(None) };
}

impl Text {
    /// Reads values whose places and paths are those of this file.
    pub fn reading<T>(&self, read: impl FnOnce() -> T) -> T {
        FILE_BEING_READ.set(Some(self.clone()));
        let read = read();
        FILE_BEING_READ.set(None);
        read
    }

    /// Returns the file that is being read.
    ///
    /// # Errors
    /// No file is being read.
    pub fn being_read<E: Error>() -> Result<Self, E> {
        FILE_BEING_READ.with_borrow(Option::clone).ok_or_else(|| E::custom("no file is being read"))
    }
}

impl<'de, T: Deserialize<'de>> Deserialize<'de> for Located<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let spanned = Spanned::<AtPlace<T>>::deserialize(deserializer)?;
        let place = Place::File { file: Text::being_read()?, range: spanned.span() };
        Ok(Self::new(spanned.into_inner().0, place))
    }
}

/// A value whose errors are at its own place, also those of its checks: that of a list is left for lists.
#[derive(Debug)]
pub struct AtPlace<T>(pub T);

impl<'de, T: Deserialize<'de>> Deserialize<'de> for AtPlace<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        // TOML adds the place to errors of a newtype
        deserializer.deserialize_newtype_struct("AtPlace", AtPlaceVisitor(PhantomData))
    }
}

struct AtPlaceVisitor<T>(PhantomData<T>);

impl<'de, T: Deserialize<'de>> Visitor<'de> for AtPlaceVisitor<T> {
    type Value = AtPlace<T>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a value")
    }

    fn visit_newtype_struct<D: Deserializer<'de>>(self, deserializer: D) -> Result<Self::Value, D::Error> {
        T::deserialize(deserializer).map(AtPlace)
    }

    // the name of a field
    fn visit_str<E: Error>(self, name: &str) -> Result<Self::Value, E> {
        T::deserialize(name.into_deserializer()).map(AtPlace)
    }
}
