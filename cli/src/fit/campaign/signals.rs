//! Inputs, measured outputs and spectra of a campaign.

use costate::cost::{SpectrumForm, Window};
use costate::identify::residuals::OrderCriterion;
use serde::{Deserialize, Deserializer};

use super::bounds::Bounds;
use super::place::{FilePath, Located, Place};
use super::values::{Duration, Frequency, Pair, Plain, Scalar, Time, list, or_section, sections, words};
use crate::options::{Amount, Course};

sections!(Input, UnknownInputEntry, MeasuredEntry, SpectrumEntry, Correction, Noise);

/// The signal of an input.
#[derive(Debug, Clone, Default)]
pub struct InputEntry {
    /// The signal; `None` for the channel with the input's name.
    pub signal: Option<Signal>,
    /// Course of a channel between its samples.
    pub interpolation: Option<Located<Course>>,
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
    /// True if an angle that begins anew after each turn is continued.
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
    #[serde(default, deserialize_with = "course")]
    interpolation: Option<Located<Course>>,
    delay: Option<CorrectionEntry>,
    unknown: Option<UnknownInputEntry>,
}

fn course<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Located<Course>>, D::Error> {
    #[derive(Deserialize)]
    #[serde(transparent)]
    struct Word(#[serde(deserialize_with = "word_of_course")] Course);
    let Located { value: Word(course), place } = Located::deserialize(deserializer)?;
    Ok(Some(Located::new(course, place)))
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
            let Input { channel, record, unit, unwrap, interpolation, delay, unknown } = input;
            let is_named = channel.is_some() || record.is_some() || unit.is_some() || unwrap.is_some();
            let channel = Box::new(ChannelEntry { record, channel, unit, unwrap });
            Self { signal: is_named.then_some(Signal::Channel(channel)), interpolation, delay, unknown }
        })
    }
}

/// A part of an input that is to be found.
#[derive(Debug, Clone, Deserialize)]
#[serde(remote = "Self", deny_unknown_fields)]
pub struct UnknownInputEntry {
    pub interval: Duration,
    pub typical: Located<Amount>,
    #[serde(default, rename = "course", deserialize_with = "straight")]
    pub is_straight: bool,
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
    #[serde(default = "hann", deserialize_with = "window")]
    pub window: Window,
    #[serde(default = "decibels", deserialize_with = "form")]
    pub form: SpectrumForm,
    pub weight: Option<Plain>,
}

fn hann() -> Window {
    Window::Hann
}

fn decibels() -> SpectrumForm {
    SpectrumForm::Decibels
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

words! {
    /// Reads the course of a channel between its samples.
    word_of_course: Course { "straight" => Course::Straight, "cubic" => Course::Cubic, "held" => Course::Held }
    /// Reads whether an unknown input has straight lines between its knots.
    straight: bool { "smooth" => false, "straight" => true }
    /// Reads a window.
    window: Window {
        "rectangular" => Window::Rectangular,
        "hann" => Window::Hann,
        "flat_top" => Window::FlatTop,
        "blackman_harris" => Window::BlackmanHarris,
    }
    /// Reads the form in which lines are compared.
    form: SpectrumForm {
        "squared_amplitude" => SpectrumForm::SquaredAmplitude,
        "amplitude" => SpectrumForm::Amplitude,
        "coefficients" => SpectrumForm::Coefficients,
        "decibels" => SpectrumForm::Decibels,
    }
    /// Reads the criterion that chooses an order.
    criterion: OrderCriterion { "aic" => OrderCriterion::Aic, "bic" => OrderCriterion::Bic }
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
    #[serde(default, deserialize_with = "criterion")]
    criterion: Option<OrderCriterion>,
    limit: Option<usize>,
    #[serde(default, deserialize_with = "list")]
    coefficients: Option<Vec<Plain>>,
    deviation: Option<Located<Amount>>,
}

/// Largest order of noise that a criterion chooses unless another limit is given.
const MAX_ORDER: usize = 20;

impl TryFrom<Noise> for NoiseEntry {
    type Error = &'static str;

    fn try_from(noise: Noise) -> Result<Self, Self::Error> {
        match (noise.order, noise.criterion, noise.limit, noise.coefficients, noise.deviation) {
            (Some(order), None, None, None, None) => Ok(Self::Order(order)),
            (None, Some(criterion), limit, None, None) => Ok(Self::Chosen(criterion, limit.unwrap_or(MAX_ORDER))),
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
