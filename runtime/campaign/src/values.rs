//! Values of a campaign file, as serde reads them: sections, names that the user has chosen, numbers with units, words.

use std::fmt;
use std::marker::PhantomData;

use serde::de::value::{MapAccessDeserializer, SeqAccessDeserializer};
use serde::de::{DeserializeSeed, Error, IgnoredAny, IntoDeserializer, MapAccess, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer};

use super::error::Fault;
use super::place::{AtPlace, Located};
use crate::amount::Amount;
use crate::error::with_causes;

/// Returns the error of a value that cannot stand at its place.
pub fn instead<E: Error>(wanted: &str) -> E {
    E::custom(format_args!("invalid value, expected {wanted}"))
}

/// Returns the error of a fault, whose place is that of the value that is being read.
pub fn refused<E: Error>(fault: Box<Fault>) -> E {
    E::custom(with_causes(fault.as_ref()))
}

/// The description of a section in messages.
pub const SECTION: &str = "a section, `[name]` with a line `field = value` for every field, or `{ field = value }`";

/// A struct whose fields are those of a section: a list of the values alone is refused.
pub trait Section<'de>: Sized {
    /// Reads the fields.
    fn of_fields<A: MapAccess<'de>>(fields: MapAccessDeserializer<A>) -> Result<Self, A::Error>;
}

/// Reads sections by the functions that `serde(remote = "Self")` derives.
macro_rules! sections {
    ($($section:ty),+ $(,)?) => {$(
        impl<'de> $crate::values::Section<'de> for $section {
            fn of_fields<A: serde::de::MapAccess<'de>>(
                fields: serde::de::value::MapAccessDeserializer<A>,
            ) -> Result<Self, A::Error> {
                <$section>::deserialize(fields)
            }
        }

        impl<'de> serde::Deserialize<'de> for $section {
            fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                deserializer.deserialize_map($crate::values::SectionVisitor::default())
            }
        }
    )+};
}
pub(crate) use sections;

/// Visits a section.
#[derive(Debug)]
pub struct SectionVisitor<T>(PhantomData<T>);

impl<T> Default for SectionVisitor<T> {
    fn default() -> Self {
        Self(PhantomData)
    }
}

impl<'de, T: Section<'de>> Visitor<'de> for SectionVisitor<T> {
    type Value = T;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(SECTION)
    }

    fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<T, A::Error> {
        T::of_fields(MapAccessDeserializer::new(map))
    }
}

/// A value under the name that the user has given to it.
#[derive(Debug, Clone)]
pub struct Named<T> {
    /// The name.
    pub name: Located<String>,
    /// The value.
    pub value: T,
}

struct NamedVisitor<T>(PhantomData<T>);

impl<'de, T: Deserialize<'de>> Visitor<'de> for NamedVisitor<T> {
    type Value = Vec<Named<T>>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(SECTION)
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
        let mut all = Vec::new();
        while let Some((name, value)) = map.next_entry()? {
            all.push(Named { name, value });
        }
        all.sort_by_key(|named: &Named<T>| named.name.place.start());
        Ok(all)
    }
}

/// Reads values under names that the user has chosen, in the order of the text.
pub fn named<'de, D: Deserializer<'de>, T: Deserialize<'de>>(deserializer: D) -> Result<Vec<Named<T>>, D::Error> {
    deserializer.deserialize_map(NamedVisitor(PhantomData))
}

/// Reads the values of a list, for a field that may be left out as well.
pub fn list<'de, D: Deserializer<'de>, T: Deserialize<'de>, L: From<Vec<T>>>(deserializer: D) -> Result<L, D::Error> {
    let values: Vec<AtPlace<T>> = Vec::deserialize(deserializer)?;
    Ok(values.into_iter().map(|value| value.0).collect::<Vec<T>>().into())
}

/// Two values in a list.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Pair<T>(pub T, pub T);

impl<'de, T: Deserialize<'de>> Deserialize<'de> for Pair<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let values: Vec<T> = list(deserializer)?;
        let pair = <[T; 2]>::try_from(values);
        let [first, second] = pair.map_err(|_| D::Error::custom("invalid length, expected a pair"))?;
        Ok(Self(first, second))
    }
}

/// A value that is neither a list nor a section.
#[derive(Debug)]
pub enum Scalar {
    /// A whole number.
    Integer(i128),
    /// Another number.
    Float(f64),
    /// A text.
    Text(String),
    /// True or false.
    Boolean(bool),
}

/// A single value, or a list or a section in its place.
#[derive(Debug)]
enum Single<C> {
    One(Scalar),
    Compound(C),
}

impl<'de, C: Deserialize<'de>> Deserialize<'de> for Single<C> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(SingleVisitor(PhantomData))
    }
}

struct SingleVisitor<C>(PhantomData<C>);

impl<'de, C: Deserialize<'de>> Visitor<'de> for SingleVisitor<C> {
    type Value = Single<C>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a value")
    }

    fn visit_i64<E>(self, value: i64) -> Result<Self::Value, E> {
        Ok(Single::One(Scalar::Integer(value.into())))
    }

    fn visit_u64<E>(self, value: u64) -> Result<Self::Value, E> {
        Ok(Single::One(Scalar::Integer(value.into())))
    }

    fn visit_i128<E>(self, value: i128) -> Result<Self::Value, E> {
        Ok(Single::One(Scalar::Integer(value)))
    }

    fn visit_f64<E>(self, value: f64) -> Result<Self::Value, E> {
        Ok(Single::One(Scalar::Float(value)))
    }

    fn visit_bool<E>(self, value: bool) -> Result<Self::Value, E> {
        Ok(Single::One(Scalar::Boolean(value)))
    }

    fn visit_str<E>(self, value: &str) -> Result<Self::Value, E> {
        Ok(Single::One(Scalar::Text(value.to_owned())))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, list: A) -> Result<Self::Value, A::Error> {
        C::deserialize(SeqAccessDeserializer::new(list)).map(Single::Compound)
    }

    fn visit_map<A: MapAccess<'de>>(self, section: A) -> Result<Self::Value, A::Error> {
        C::deserialize(MapAccessDeserializer::new(section)).map(Single::Compound)
    }
}

impl Scalar {
    /// Reads a value, or asks for what is `wanted`.
    pub fn read<'de, D: Deserializer<'de>>(deserializer: D, wanted: &'static str) -> Result<Self, D::Error> {
        match Single::<IgnoredAny>::deserialize(deserializer)? {
            Single::One(value) => Ok(value),
            Single::Compound(_) => Err(instead(wanted)),
        }
    }

    /// Returns the value as a number with or without a unit.
    pub fn amount<E: Error>(self, wanted: &str) -> Result<Amount, E> {
        match self {
            Self::Integer(number) => Ok((number as f64).into()),
            Self::Float(number) => Ok(number.into()),
            Self::Text(text) => text.parse().map_err(E::custom),
            Self::Boolean(_) => Err(instead(wanted)),
        }
    }

    fn into<'de, T: Deserialize<'de>, E: Error>(self) -> Result<T, E> {
        match self {
            Self::Integer(number) => T::deserialize(number.into_deserializer()),
            Self::Float(number) => T::deserialize(number.into_deserializer()),
            Self::Text(text) => T::deserialize(text.into_deserializer()),
            Self::Boolean(value) => T::deserialize(value.into_deserializer()),
        }
    }
}

/// A list, or its only value.
#[derive(Debug, Clone, PartialEq)]
pub struct Several<T>(pub Vec<T>);

impl<T> Default for Several<T> {
    fn default() -> Self {
        Self(Vec::new())
    }
}

impl<'de, T: Deserialize<'de>> Deserialize<'de> for Several<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        match Single::<Vec<AtPlace<T>>>::deserialize(deserializer)? {
            Single::One(only) => Ok(Self(vec![only.into()?])),
            Single::Compound(list) => Ok(Self(list.into_iter().map(|AtPlace(value)| value).collect())),
        }
    }
}

/// Names, each with its place, or a single one.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Names(pub Vec<Located<String>>);

impl<'de> Deserialize<'de> for Names {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let Located { value, place } = Located::deserialize(deserializer)?;
        match value {
            Single::One(only) => Ok(Self(vec![Located::new(only.into()?, place)])),
            Single::Compound(list) => Ok(Self(list)),
        }
    }
}

/// Reads a single value as `one` does, or else a section, with the place of the whole.
pub fn or_section<'de, D, S, C, T>(
    deserializer: D,
    one: impl FnOnce(Located<S>) -> T,
    section: impl FnOnce(C) -> T,
) -> Result<T, D::Error>
where
    D: Deserializer<'de>,
    S: Deserialize<'de>,
    C: Deserialize<'de>,
{
    let Located { value, place } = Located::deserialize(deserializer)?;
    Ok(match value {
        Single::One(value) => one(Located::new(value.into()?, place)),
        Single::Compound(fields) => section(fields),
    })
}

/// The description of a number in messages.
const AMOUNT: &str = "a number, or a number with its unit in quotes, `\"80[N/mm]\"`";

impl<'de> Deserialize<'de> for Amount {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Scalar::read(deserializer, AMOUNT)?.amount(AMOUNT)
    }
}

/// Defines numbers in a fixed unit: their names in messages, units, and checks.
macro_rules! numbers {
    ($($(#[$doc:meta])* $number:ident: $called:literal, $unit:literal, $check:ident;)+) => {$(
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, PartialEq)]
        pub struct $number(pub f64);

        impl<'de> Deserialize<'de> for $number {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                Amount::deserialize(deserializer)?.$check($called, $unit).map(Self).map_err(refused)
            }
        }

        impl From<$number> for f64 {
            fn from(number: $number) -> f64 {
                number.0
            }
        }
    )+};
}

numbers! {
    /// A finite number without a unit.
    Plain: "this field", "1", finite;
    /// A finite number above 0 without a unit.
    Positive: "this field", "1", positive;
    /// A number without a unit, which may be infinite.
    Unbounded: "this field", "1", converted;
    /// A time in s, which may be infinite.
    Time: "the time", "s", converted;
    /// A length of time in s, above 0.
    Duration: "the time", "s", positive;
    /// A frequency in Hz.
    Frequency: "the frequency", "Hz", finite;
    /// A sampling rate in Hz, above 0.
    Rate: "the rate", "Hz", positive;
}

/// Reads a number of a field that may be left out.
pub fn number<'de, N: Deserialize<'de> + Into<f64>, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<Option<f64>, D::Error> {
    N::deserialize(deserializer).map(|number| Some(number.into()))
}

/// A number from 1.
#[derive(Debug, Clone, Copy, PartialEq, Deserialize)]
#[serde(try_from = "usize")]
pub struct Ordinal(pub usize);

impl TryFrom<usize> for Ordinal {
    type Error = &'static str;

    fn try_from(number: usize) -> Result<Self, Self::Error> {
        if number == 0 { Err("invalid value, expected a number from 1") } else { Ok(Self(number)) }
    }
}

/// Some words, one of which can stand at a place.
#[derive(Clone, Copy)]
struct OneOf(&'static [&'static str]);

impl<'de> DeserializeSeed<'de> for OneOf {
    type Value = &'static str;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<&'static str, D::Error> {
        self.find(&String::deserialize(deserializer)?)
    }
}

impl OneOf {
    fn find<E: Error>(self, text: &str) -> Result<&'static str, E> {
        let found = self.0.iter().find(|word| **word == text).copied();
        found.ok_or_else(|| E::unknown_variant(text, self.0))
    }
}

/// Reads a word alone, or one word with its value, from `"huber"` or `{ huber = 1.345 }`.
pub fn word<'de, D: Deserializer<'de>, V: Deserialize<'de>>(
    deserializer: D,
    words: &'static [&'static str],
    wanted: &'static str,
) -> Result<(&'static str, Option<V>), D::Error> {
    deserializer.deserialize_any(WordVisitor { words: OneOf(words), wanted, value: PhantomData })
}

struct WordVisitor<V> {
    words: OneOf,
    wanted: &'static str,
    value: PhantomData<V>,
}

impl<'de, V: Deserialize<'de>> Visitor<'de> for WordVisitor<V> {
    type Value = (&'static str, Option<V>);

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.wanted)
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<Self::Value, E> {
        Ok((self.words.find(text)?, None))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
        let word = map.next_key_seed(self.words)?.ok_or_else(|| instead(self.wanted))?;
        let value = map.next_value()?;
        match map.next_key::<String>()? {
            None => Ok((word, Some(value))),
            Some(_) => Err(instead(self.wanted)),
        }
    }
}
