//! A TOML document that is read field by field, so that every error has the place and the name of its field.

use std::ops::Range;
use std::path::Path;

use costate_contract::shown::plain;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::bounds::Bounds;
use super::error::{CampaignError, Fault};
use super::fields::Field;
use super::place::{Located, Place, Text};
use crate::options::{Amount, check_size};

/// Number of characters that a message shows of a value.
const LONGEST: usize = 40;

/// Parses the text of a file.
///
/// # Errors
/// [`Fault::Syntax`].
pub fn parse(file: &Text) -> Result<Spanned<DeTable<'_>>, CampaignError> {
    DeTable::parse(&file.text).map_err(|error| {
        let range = error.span().unwrap_or_default();
        let place = Place::File { file: file.clone(), range, field: String::new() };
        CampaignError::new(&place, Fault::Syntax(error.message().replace('\n', "; ")))
    })
}

/// A table of the document whose fields are known.
#[derive(Debug)]
pub struct Section<'d> {
    file: &'d Text,
    /// The name with those of the sections around it, such as `unknowns.c`.
    name: String,
    range: Range<usize>,
    entries: Vec<Entry<'d>>,
}

/// A value with its name.
#[derive(Debug, Clone)]
pub struct Entry<'d> {
    file: &'d Text,
    /// The name with those of the sections around it.
    name: String,
    /// The name alone.
    key: &'d str,
    range: Range<usize>,
    key_range: Range<usize>,
    value: &'d DeValue<'d>,
}

/// Collects the entries of a table in the order of the text.
fn entries<'d>(file: &'d Text, of: &str, table: &'d DeTable<'d>) -> Vec<Entry<'d>> {
    let entry = |(key, value): (&'d Spanned<toml::de::DeString<'d>>, &'d Spanned<DeValue<'d>>)| Entry {
        file,
        name: if of.is_empty() { key.get_ref().to_string() } else { format!("{of}.{}", key.get_ref()) },
        key: key.get_ref(),
        range: value.span(),
        key_range: key.span(),
        value: value.get_ref(),
    };
    let mut all: Vec<_> = table.iter().map(entry).collect();
    all.sort_by_key(|entry| entry.key_range.start);
    all
}

impl<'d> Section<'d> {
    /// Opens the whole document, whose fields are `known`.
    ///
    /// # Errors
    /// [`Fault::UnknownField`].
    pub fn root(file: &'d Text, table: &'d Spanned<DeTable<'d>>, known: &[Field]) -> Result<Self, CampaignError> {
        let entries = entries(file, "", table.get_ref());
        Self { file, name: String::new(), range: 0..0, entries }.checked(known)
    }

    /// Refuses fields that are not known.
    fn checked(self, known: &[Field]) -> Result<Self, CampaignError> {
        let is_known = |entry: &&Entry<'_>| known.iter().any(|field| field.name == entry.key);
        match self.entries.iter().find(|entry| !is_known(entry)) {
            None => Ok(self),
            Some(unknown) => {
                let (section, field) = (self.name.clone(), plain(unknown.key).into_owned());
                let known = known.iter().map(|field| field.name).collect();
                let place = unknown.place_of_key();
                Err(CampaignError::new(&place, Fault::UnknownField { section, field, known }))
            }
        }
    }

    /// Returns the value of a field, if it is given.
    pub fn get(&self, field: &str) -> Option<&Entry<'d>> {
        self.entries.iter().find(|entry| entry.key == field)
    }

    /// Returns the value of a field that has to be given.
    ///
    /// # Errors
    /// [`Fault::Missing`].
    pub fn require(&self, field: &'static Field) -> Result<&Entry<'d>, CampaignError> {
        self.get(field.name).ok_or_else(|| {
            CampaignError::new(&self.place(), Fault::Missing { field: field.name, example: field.example })
        })
    }

    /// Reads a field, if it is given.
    ///
    /// # Errors
    /// Those of `read`.
    pub fn read<T>(
        &self,
        field: &str,
        read: impl FnOnce(&Entry<'d>) -> Result<T, CampaignError>,
    ) -> Result<Option<T>, CampaignError> {
        self.get(field).map(read).transpose()
    }

    /// Returns the place of the section.
    pub fn place(&self) -> Place {
        Place::File { file: self.file.clone(), range: self.range.clone(), field: self.name.clone() }
    }
}

impl<'d> Entry<'d> {
    /// Returns the place of the value.
    pub fn place(&self) -> Place {
        Place::File { file: self.file.clone(), range: self.range.clone(), field: self.name.clone() }
    }

    fn place_of_key(&self) -> Place {
        Place::File { file: self.file.clone(), range: self.key_range.clone(), field: self.name.clone() }
    }

    /// Returns the name of the field, which the user has chosen.
    pub fn key(&self) -> Located<String> {
        Located::new(self.key.to_owned(), self.place_of_key())
    }

    /// Returns the error of a value of another type.
    pub fn other(&self, wanted: &'static str) -> CampaignError {
        let found = match self.value {
            DeValue::Table(_) => "a section".to_owned(),
            DeValue::Array(_) => "a list".to_owned(),
            _ => {
                let text = self.file.text.get(self.range.clone()).unwrap_or_default();
                let short: String = text.chars().take(LONGEST).collect();
                format!("`{}`", plain(&short))
            }
        };
        CampaignError::new(&self.place(), Fault::Type { found, wanted })
    }

    fn located<T>(&self, value: T) -> Located<T> {
        Located::new(value, self.place())
    }

    /// Returns the value as a table with these fields.
    ///
    /// # Errors
    /// [`Fault::Type`] and [`Fault::UnknownField`].
    pub fn section(&self, known: &[Field]) -> Result<Section<'d>, CampaignError> {
        let entries = self.named_entries()?;
        // a section begins at its heading, an inline table at its brace
        let range = if self.range.is_empty() { self.key_range.clone() } else { self.range.clone() };
        Section { file: self.file, name: self.name.clone(), range, entries }.checked(known)
    }

    /// Returns the values of a table whose names the user has chosen, in the order of the text.
    ///
    /// # Errors
    /// [`Fault::Type`].
    pub fn named_entries(&self) -> Result<Vec<Entry<'d>>, CampaignError> {
        match self.value {
            DeValue::Table(table) => Ok(entries(self.file, &self.name, table)),
            _ => {
                Err(self
                    .other("a section, `[name]` with a line `field = value` for every field, or `{ field = value }`"))
            }
        }
    }

    /// Returns true if the value is a table.
    pub fn is_section(&self) -> bool {
        matches!(self.value, DeValue::Table(_))
    }

    /// Returns the values of a list.
    ///
    /// # Errors
    /// [`Fault::Type`].
    pub fn list(&self) -> Result<Vec<Entry<'d>>, CampaignError> {
        let DeValue::Array(array) = self.value else {
            return Err(self.other("a list in brackets, `[a, b]`"));
        };
        let entry =
            |value: &'d Spanned<DeValue<'d>>| Entry { range: value.span(), value: value.get_ref(), ..self.clone() };
        Ok(array.iter().map(entry).collect())
    }

    /// Returns the text of the value, if it is one.
    pub fn as_text(&self) -> Option<Located<String>> {
        match self.value {
            DeValue::String(text) => Some(self.located(text.to_string())),
            _ => None,
        }
    }

    /// Returns a text.
    ///
    /// # Errors
    /// [`Fault::Type`].
    pub fn text(&self) -> Result<Located<String>, CampaignError> {
        self.as_text().ok_or_else(|| self.other("a text in quotes"))
    }

    /// Returns texts, from a list or from a single one.
    ///
    /// # Errors
    /// [`Fault::Type`].
    pub fn texts(&self) -> Result<Vec<Located<String>>, CampaignError> {
        match self.as_text() {
            Some(text) => Ok(vec![text]),
            None => self.list()?.iter().map(Entry::text).collect(),
        }
    }

    /// Returns a path, which begins at the folder of the campaign.
    ///
    /// # Errors
    /// [`Fault::Type`], and [`Fault::Outside`] for a file outside of the folders that the campaign may name files of.
    pub fn path(&self) -> Result<Located<std::path::PathBuf>, CampaignError> {
        let Located { value, place } = self.text()?;
        let path = self.file.path.parent().unwrap_or(Path::new("")).join(&value);
        if !self.file.may_name(&path) {
            let folder = self.file.folders.first().cloned().unwrap_or_default();
            return Err(CampaignError::new(&place, Fault::Outside { file: value, folder }));
        }
        Ok(Located::new(path, place))
    }

    /// Returns true or false.
    ///
    /// # Errors
    /// [`Fault::Type`].
    pub fn boolean(&self) -> Result<bool, CampaignError> {
        match self.value {
            DeValue::Boolean(value) => Ok(*value),
            _ => Err(self.other("`true` or `false`")),
        }
    }

    /// Returns the number of a value that is one without a unit.
    fn as_number(&self) -> Option<f64> {
        match self.value {
            DeValue::Integer(digits) if digits.radix() == 10 => digits.as_str().parse().ok(),
            DeValue::Float(digits) => digits.as_str().parse().ok(),
            _ => None,
        }
    }

    /// Returns a number, or a text that is a number with a unit.
    ///
    /// # Errors
    /// [`Fault::Type`] and [`Fault::Number`].
    pub fn amount(&self) -> Result<Located<Amount>, CampaignError> {
        if let Some(number) = self.as_number() {
            if let DeValue::Float(digits) = self.value {
                let refused = |message| CampaignError::new(&self.place(), Fault::Number { message });
                check_size(digits.as_str(), number).map_err(refused)?;
            }
            return Ok(self.located(Amount { number, unit: None }));
        }
        let text = self
            .as_text()
            .ok_or_else(|| self.other("a number, or a number with its unit in quotes, `\"80[N/mm]\"`"))?;
        let amount = text.value.parse::<Amount>();
        Ok(self.located(amount.map_err(|message| CampaignError::new(&self.place(), Fault::Number { message }))?))
    }

    /// Returns a whole number from 0.
    ///
    /// # Errors
    /// [`Fault::Type`].
    pub fn count(&self) -> Result<usize, CampaignError> {
        match self.value {
            DeValue::Integer(digits) if digits.radix() == 10 => digits.as_str().parse().ok(),
            _ => None,
        }
        .ok_or_else(|| self.other("a whole number from 0"))
    }

    /// Returns two bounds.
    ///
    /// # Errors
    /// [`Fault::Type`] and [`Fault::Number`].
    pub fn bounds(&self) -> Result<Bounds, CampaignError> {
        match &self.list()?[..] {
            [lower, upper] => Ok(Bounds { ends: [lower.amount()?, upper.amount()?], place: self.place() }),
            _ => Err(self.other("two bounds, `[0, 1e6]`; `inf` and `-inf` are no bounds")),
        }
    }

    /// Returns one of these words.
    ///
    /// # Errors
    /// [`Fault::Type`] and [`Fault::Choice`].
    pub fn choice(&self, allowed: &'static [&'static str]) -> Result<&'static str, CampaignError> {
        let Located { value, place } = self.text()?;
        chosen(&value, &place, allowed)
    }

    /// Returns one of these words with its number, from `"huber"` or `{ huber = 1.345 }`.
    ///
    /// # Errors
    /// [`Fault::Type`], [`Fault::Choice`] and [`Fault::Number`].
    pub fn choice_with_number(
        &self,
        allowed: &'static [&'static str],
    ) -> Result<(&'static str, Option<Located<Amount>>), CampaignError> {
        if !self.is_section() {
            return Ok((self.choice(allowed)?, None));
        }
        match &self.named_entries()?[..] {
            [only] => {
                let name = only.key();
                Ok((chosen(&name.value, &name.place, allowed)?, Some(only.amount()?)))
            }
            _ => Err(self.other("one word in quotes, or one with its number, `{ word = 1.0 }`")),
        }
    }
}

/// Finds a word among those that can stand at its place.
fn chosen(text: &str, place: &Place, allowed: &'static [&'static str]) -> Result<&'static str, CampaignError> {
    allowed
        .iter()
        .find(|word| **word == text)
        .copied()
        .ok_or_else(|| CampaignError::new(place, Fault::Choice { found: plain(text).into_owned(), allowed }))
}
