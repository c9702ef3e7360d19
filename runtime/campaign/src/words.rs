//! Words that stand for values: with `_` for `-` in campaign files, and with the feature `clap` as options of the
//! command line.

#[cfg(feature = "clap")]
use clap::builder::{MapValueParser, PossibleValue, PossibleValuesParser, TypedValueParser, ValueParserFactory};
use costate_measure::record::{DateOrder, Decimal, Encoding, Separator};
use costate_measure::signal::{Estimator, Window};
use serde::de::Error;
use serde::{Deserialize, Deserializer};

/// A value that has words.
pub trait Words: Copy + Send + Sync + 'static {
    /// The words with their values.
    const WORDS: &'static [(&'static str, Self)];

    /// The help of every word, if there is any.
    const HELP: &'static [&'static str] = &[];

    /// Finds the value of a word.
    fn named(word: &str) -> Option<Self> {
        Self::WORDS.iter().find(|(known, _)| *known == word).map(|(_, value)| *value)
    }
}

/// A value that is written as one of its words.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Word<T>(pub T);

#[cfg(feature = "clap")]
impl<T: Words> ValueParserFactory for Word<T> {
    type Parser = MapValueParser<PossibleValuesParser, fn(String) -> Self>;

    fn value_parser() -> Self::Parser {
        let help = T::HELP.iter().map(Some).chain(std::iter::repeat(None));
        let words = T::WORDS.iter().zip(help).map(|((word, _), help)| match help {
            Some(help) => PossibleValue::new(*word).help(*help),
            None => PossibleValue::new(*word),
        });
        // other words are refused before
        let value = |word: String| Self(T::named(&word).unwrap_or(T::WORDS[0].1));
        PossibleValuesParser::new(words).map(value as fn(String) -> Self)
    }
}

impl<'de, T: Words> Deserialize<'de> for Word<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let word = String::deserialize(deserializer)?;
        let is_word = |(known, _): &&(&str, T)| known.replace('-', "_") == word;
        let found = T::WORDS.iter().find(is_word).map(|(_, value)| Self(*value));
        found.ok_or_else(|| {
            let known: Vec<String> = T::WORDS.iter().map(|(word, _)| format!("`{}`", word.replace('-', "_"))).collect();
            D::Error::custom(format_args!("unknown variant `{word}`, expected one of {}", known.join(", ")))
        })
    }
}

impl Words for Decimal {
    const WORDS: &'static [(&'static str, Self)] = &[("point", Self::Point), ("comma", Self::Comma)];
    const HELP: &'static [&'static str] = &["`1.5`", "`1,5`"];
}

impl Words for Separator {
    const WORDS: &'static [(&'static str, Self)] = &[
        ("comma", Self::Comma),
        ("semicolon", Self::Semicolon),
        ("tab", Self::Tab),
        ("pipe", Self::Pipe),
        ("blanks", Self::Blanks),
    ];
    const HELP: &'static [&'static str] = &["`,`", "`;`", "A tab", "`|`", "Any number of blanks or tabs"];
}

impl Words for Encoding {
    const WORDS: &'static [(&'static str, Self)] = &[
        ("utf8", Self::Utf8),
        ("utf16le", Self::Utf16Le),
        ("utf16be", Self::Utf16Be),
        ("windows1252", Self::Windows1252),
    ];
    const HELP: &'static [&'static str] = &[
        "UTF-8",
        "UTF-16 with the lower byte first",
        "UTF-16 with the upper byte first",
        "Windows-1252, with Latin-1",
    ];
}

impl Words for DateOrder {
    const WORDS: &'static [(&'static str, Self)] = &[("day-first", Self::DayFirst), ("month-first", Self::MonthFirst)];
    const HELP: &'static [&'static str] = &["`31/12/2024`", "`12/31/2024`"];
}

impl Words for Window {
    const WORDS: &'static [(&'static str, Self)] = &[
        ("rectangular", Self::Rectangular),
        ("hann", Self::Hann),
        ("flat-top", Self::FlatTop),
        ("blackman-harris", Self::BlackmanHarris),
    ];
}

impl Words for Estimator {
    const WORDS: &'static [(&'static str, Self)] = &[("h1", Self::H1), ("h2", Self::H2), ("hv", Self::Hv)];
}
