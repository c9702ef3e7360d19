//! Inputs, measured outputs and spectra of a campaign.

use costate_cost::residuals::OrderCriterion;
use costate_cost::{SpectrumForm, Window};
use costate_measure::signal::Smoothing;
use serde::de::Error;
use serde::{Deserialize, Deserializer};

use super::bounds::Bounds;
use super::files::FilePath;
use super::place::{Located, Place};
use super::values::{Duration, Frequency, Pair, Plain, Scalar, Time, list, or_section, sections};
use crate::amount::Amount;
use crate::course::Course;
use crate::smoothing::smoothness;
use crate::words::{Word, Words};

sections!(Input, UnknownInputEntry, MeasuredEntry, SpectrumEntry, Correction, Noise);

/// The signal of an input.
#[derive(Debug, Clone, Default)]
pub struct InputEntry {
    /// The signal; `None` for the channel with the input's name.
    pub signal: Option<Signal>,
    /// Course of a channel between its samples.
    pub interpolation: Option<Located<Word<Course>>>,
    /// Smoothness of a channel.
    pub smooth: Option<Located<Limit>>,
    /// Delay in s.
    pub delay: Option<CorrectionEntry>,
    /// The part of the signal that is to be found.
    pub unknown: Option<UnknownInputEntry>,
}

/// The kinds of signals.
#[derive(Debug, Clone)]
pub enum Signal {
    /// A constant.
    Constant(Located<Amount>),
    /// An expression of the time.
    Expression(Located<String>),
    /// A channel of a record.
    Channel(Box<ChannelEntry>),
}

/// A channel of a record.
#[derive(Debug, Clone, Default)]
pub struct ChannelEntry {
    /// The file; `None` for the record of the experiment.
    pub record: Option<Located<FilePath>>,
    /// The name; `None` for that of the input or output.
    pub channel: Option<Located<String>>,
    /// The unit of a channel that has none.
    pub unit: Option<Located<String>>,
    /// True if an angle that jumps after each turn is continued.
    pub unwrap: Option<bool>,
}

impl ChannelEntry {
    /// Returns where the channel, or else its record, is named.
    pub fn place(&self) -> Option<&Place> {
        let place = self.channel.as_ref().map(|channel| &channel.place);
        place.or_else(|| self.record.as_ref().map(|record| &record.place))
    }
}

/// An input as a section.
#[derive(Deserialize)]
#[serde(remote = "Self", deny_unknown_fields)]
struct Input {
    channel: Option<Located<String>>,
    record: Option<Located<FilePath>>,
    unit: Option<Located<String>>,
    unwrap: Option<bool>,
    interpolation: Option<Located<Word<Course>>>,
    smooth: Option<Located<Limit>>,
    delay: Option<CorrectionEntry>,
    unknown: Option<UnknownInputEntry>,
}

/// The smoothness of a channel.
#[derive(Debug, Clone, Copy)]
pub struct Limit(pub Smoothing);

impl<'de> Deserialize<'de> for Limit {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        const WANTED: &str = "a frequency, `\"8[Hz]\"`, a distance of knots in s, `0.05`, or `\"auto\"`";
        let limit = match Scalar::read(deserializer, WANTED)? {
            Scalar::Text(text) => smoothness("smooth", &text),
            number => smoothness("smooth", &number.amount::<D::Error>(WANTED)?.to_string()),
        };
        limit.map(Self).map_err(D::Error::custom)
    }
}

/// An input as a number or an expression.
enum SignalValue {
    Constant(Amount),
    Expression(String),
}

impl<'de> Deserialize<'de> for SignalValue {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        const WANTED: &str = "a number, an expression of the time such as `\"500*sin(60*t^2)\"`, or a channel, `{ \
             channel = \"force\" }`";
        match Scalar::read(deserializer, WANTED)? {
            Scalar::Text(text) => Ok(text.parse().map(Self::Constant).unwrap_or(Self::Expression(text))),
            number => number.amount(WANTED).map(Self::Constant),
        }
    }
}

impl<'de> Deserialize<'de> for InputEntry {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let one = |Located { value, place }| {
            let signal = match value {
                SignalValue::Constant(amount) => Signal::Constant(Located::new(amount, place)),
                SignalValue::Expression(text) => Signal::Expression(Located::new(text, place)),
            };
            Self { signal: Some(signal), ..Self::default() }
        };
        or_section(deserializer, one, |input: Input| {
            let Input { channel, record, unit, unwrap, interpolation, smooth, delay, unknown } = input;
            let is_named = channel.is_some() || record.is_some() || unit.is_some() || unwrap.is_some();
            let channel = Box::new(ChannelEntry { record, channel, unit, unwrap });
            Self { signal: is_named.then_some(Signal::Channel(channel)), interpolation, smooth, delay, unknown }
        })
    }
}

/// A part of an input that is to be found.
#[derive(Debug, Clone, Deserialize)]
#[serde(remote = "Self", deny_unknown_fields)]
pub struct UnknownInputEntry {
    pub interval: Duration,
    pub typical: Located<Amount>,
    #[serde(default)]
    pub course: Word<KnotCourse>,
    pub bounds: Option<Bounds>,
    pub window: Option<Pair<Time>>,
    pub deviation: Option<Located<Amount>>,
    pub smoothness: Option<Plain>,
}

/// A measured output. An entry of an experiment is completed by that of all experiments.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(remote = "Self", default, deny_unknown_fields)]
pub struct MeasuredEntry {
    pub channel: Option<Located<String>>,
    pub record: Option<Located<FilePath>>,
    pub unit: Option<Located<String>>,
    pub unwrap: Option<bool>,
    pub deviation: Option<Located<Amount>>,
    pub weight: Option<Plain>,
    pub gain: Option<CorrectionEntry>,
    pub offset: Option<CorrectionEntry>,
    pub delay: Option<CorrectionEntry>,
    #[serde(default, deserialize_with = "list")]
    pub windows: Option<Vec<Pair<Time>>>,
    #[serde(default, deserialize_with = "list")]
    pub without: Option<Vec<Pair<Time>>>,
    pub weights: Option<String>,
    pub noise: Option<Located<NoiseEntry>>,
}

/// Lines of a spectrum that are compared.
#[derive(Debug, Deserialize)]
#[serde(remote = "Self", deny_unknown_fields)]
pub struct SpectrumEntry {
    pub output: Located<String>,
    channel: Option<Located<String>>,
    record: Option<Located<FilePath>>,
    unit: Option<Located<String>>,
    #[serde(default, deserialize_with = "list")]
    pub frequencies: Vec<Frequency>,
    pub band: Option<Pair<Frequency>>,
    pub interval: Option<Pair<Time>>,
    #[serde(default)]
    pub window: Word<Window>,
    pub form: Option<Word<SpectrumForm>>,
    pub weight: Option<Plain>,
}

impl MeasuredEntry {
    /// Returns the channel.
    pub fn channel(&self) -> ChannelEntry {
        let Self { record, channel, unit, unwrap, .. } = self.clone();
        ChannelEntry { record, channel, unit, unwrap }
    }
}

impl SpectrumEntry {
    /// Returns the channel.
    pub fn channel(&self) -> ChannelEntry {
        let (record, channel, unit) = (self.record.clone(), self.channel.clone(), self.unit.clone());
        ChannelEntry { record, channel, unit, unwrap: None }
    }
}

impl Words for SpectrumForm {
    const WORDS: &'static [(&'static str, Self)] = &[
        ("squared-amplitude", Self::SquaredAmplitude),
        ("amplitude", Self::Amplitude),
        ("coefficients", Self::Coefficients),
        ("decibels", Self::Decibels),
    ];
}

impl Words for OrderCriterion {
    const WORDS: &'static [(&'static str, Self)] = &[("aic", Self::Aic), ("bic", Self::Bic)];
}

/// The course of an unknown input between its knots.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub enum KnotCourse {
    /// Smooth cubics.
    #[default]
    Smooth,
    /// Straight lines.
    Straight,
}

impl Words for KnotCourse {
    const WORDS: &'static [(&'static str, Self)] = &[("smooth", Self::Smooth), ("straight", Self::Straight)];
}

/// A number of a measurement, in the unit of a quantity that is known later.
#[derive(Debug, Clone)]
pub struct CorrectionEntry {
    /// Value or start value.
    pub value: Located<Amount>,
    /// True if it is to be found.
    pub is_unknown: bool,
    /// Bounds.
    pub bounds: Option<Bounds>,
    /// A typical change.
    pub typical: Option<Located<Amount>>,
    /// The name by which measurements share it.
    pub common: Option<String>,
}

/// An unknown correction.
#[derive(Deserialize)]
#[serde(remote = "Self", deny_unknown_fields)]
struct Correction {
    start: Located<Amount>,
    bounds: Option<Bounds>,
    typical: Option<Located<Amount>>,
    common: Option<String>,
}

impl<'de> Deserialize<'de> for CorrectionEntry {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let known = |value| Self { value, is_unknown: false, bounds: None, typical: None, common: None };
        or_section(deserializer, known, |Correction { start, bounds, typical, common }| Self {
            value: start,
            is_unknown: true,
            bounds,
            typical,
            common,
        })
    }
}

/// Correlated errors.
#[derive(Debug, Clone, Deserialize)]
#[serde(try_from = "Noise")]
pub enum NoiseEntry {
    /// A number of coefficients that are estimated.
    Order(usize),
    /// A criterion that chooses it up to a limit.
    Chosen(OrderCriterion, usize),
    /// Known coefficients, and the deviation of the innovations.
    Known(Vec<f64>, Located<Amount>),
}

/// Correlated errors as a section.
#[derive(Deserialize)]
#[serde(remote = "Self", deny_unknown_fields)]
struct Noise {
    order: Option<usize>,
    criterion: Option<Word<OrderCriterion>>,
    limit: Option<usize>,
    #[serde(default, deserialize_with = "list")]
    coefficients: Option<Vec<Plain>>,
    deviation: Option<Located<Amount>>,
}

impl TryFrom<Noise> for NoiseEntry {
    type Error = &'static str;

    fn try_from(noise: Noise) -> Result<Self, Self::Error> {
        match (noise.order, noise.criterion, noise.limit, noise.coefficients, noise.deviation) {
            (Some(order), None, None, None, None) => Ok(Self::Order(order)),
            (None, Some(Word(criterion)), limit, None, None) => {
                // the largest order unless another limit is given
                Ok(Self::Chosen(criterion, limit.unwrap_or(20)))
            }
            (None, None, None, Some(coefficients), Some(deviation)) => {
                Ok(Self::Known(coefficients.into_iter().map(f64::from).collect(), deviation))
            }
            _ => Err(
                "invalid value, expected `{ order = 2 }`, `{ criterion = \"bic\", limit = 8 }` or `{ coefficients = \
                     [0.5], deviation = 0.1 }`",
            ),
        }
    }
}
