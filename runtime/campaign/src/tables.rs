//! Curves and surfaces of a campaign: other data, and values that are to be found.

use costate_system::table::Interpolation;
use costate_system::table::prior::Shape;
use serde::{Deserialize, Deserializer};

use super::files::FilePath;
use super::place::Located;
use super::values::{Pair, Plain, Scalar, Several, Unbounded, instead, list, refused, sections, word};
use crate::amount::Amount;
use crate::words::{Word, Words};

sections!(TableEntry, UnknownTableEntry);

/// A table of the model.
#[derive(Debug, Default, Deserialize)]
#[serde(remote = "Self", default, deny_unknown_fields)]
pub struct TableEntry {
    pub file: Option<Located<FilePath>>,
    pub interpolation: Option<Located<Several<Word<Interpolation>>>>,
    pub unknown: Option<UnknownTableEntry>,
}

impl Words for Interpolation {
    const WORDS: &'static [(&'static str, Self)] =
        &[("spline", Self::Spline), ("monotone", Self::Monotone), ("straight", Self::Straight)];
}

/// A table whose values are to be found; numbers are in the units of the table.
#[derive(Debug, Deserialize)]
#[serde(remote = "Self", deny_unknown_fields)]
pub struct UnknownTableEntry {
    pub typical: Located<Amount>,
    pub deviation: Option<Located<Amount>>,
    pub bend: Option<Located<Bend>>,
    #[serde(default, deserialize_with = "list")]
    pub shapes: Vec<KnownShape>,
    #[serde(default, deserialize_with = "list")]
    pub kinks: Vec<Plain>,
    #[serde(default, deserialize_with = "list")]
    pub jumps: Vec<Plain>,
}

/// The departure of a curve from a straight line.
#[derive(Debug, Clone)]
pub enum Bend {
    /// The data determine it.
    Estimated,
    /// A prior deviation.
    Deviation(Amount),
}

impl<'de> Deserialize<'de> for Bend {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        const WANTED: &str = "a number, a number with its unit in quotes, `\"80[N/mm]\"`, or `\"estimated\"`";
        match Scalar::read(deserializer, WANTED)? {
            Scalar::Text(text) if text == "estimated" => Ok(Self::Estimated),
            value => value.amount(WANTED).map(Self::Deviation),
        }
    }
}

/// The known shape of a curve.
#[derive(Debug, Clone, Copy)]
pub struct KnownShape(pub Shape);

impl<'de> Deserialize<'de> for KnownShape {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        const WORDS: &[&str] = &[
            "through_origin",
            "odd",
            "increasing",
            "decreasing",
            "convex",
            "concave",
            "closed",
            "between",
            "zero_outside",
            "through",
        ];
        const WANTED: &str = "a shape in quotes, `\"increasing\"`, or one with its two numbers, `{ between = [0, 1e3] \
             }`, `{ zero_outside = [-1, 1] }` or `{ through = [0, 1] }`";
        // bounds may be infinite, places may not
        let place = |Unbounded(number): Unbounded| {
            let amount = Amount::from(number);
            amount.finite("this field", "1").map_err(refused)
        };
        let (word, numbers) = word(deserializer, WORDS, WANTED)?;
        let shape = match (word, numbers) {
            ("through_origin", None) => Shape::ThroughOrigin,
            ("odd", None) => Shape::Odd,
            ("increasing", None) => Shape::Increasing,
            ("decreasing", None) => Shape::Decreasing,
            ("convex", None) => Shape::Convex,
            ("concave", None) => Shape::Concave,
            ("closed", None) => Shape::Closed,
            ("between", Some(Pair(Unbounded(least), Unbounded(most)))) => Shape::Between { least, most },
            ("zero_outside", Some(Pair(from, to))) => Shape::ZeroOutside { from: place(from)?, to: place(to)? },
            ("through", Some(Pair(x, value))) => Shape::Through { x: place(x)?, value: place(value)? },
            _ => return Err(instead(WANTED)),
        };
        Ok(Self(shape))
    }
}
