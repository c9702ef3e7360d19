//! Conversion of channels to the units in which they are wanted.

use std::borrow::Cow;
use std::fmt;

use costate_contract::units::{Purpose, UnitError};
use serde::Serialize;

use super::{Channel, Record, RecordError};

/// The quantity that a channel is compared with or used for, and its unit: an output or an input of a model, a
/// quantity that a sensor measures, or a unit alone, `"m/s^2"`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Wanted {
    quantity: String,
    unit: String,
}

impl Wanted {
    /// Makes a quantity, in words, with its unit as a model writes it.
    pub fn new(quantity: impl Into<String>, unit: impl Into<String>) -> Self {
        Self { quantity: quantity.into(), unit: unit.into() }
    }

    /// The unit.
    pub fn unit(&self) -> &str {
        &self.unit
    }
}

impl From<&str> for Wanted {
    fn from(unit: &str) -> Self {
        Self::new("what it is for", unit)
    }
}

/// Data without a unit, which are taken in the unit of the wanted quantity.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct AssumedUnit {
    /// The record or file.
    pub source: String,
    /// The channel or column.
    pub column: String,
    /// The assumed unit.
    pub unit: String,
}

impl AssumedUnit {
    /// Returns the assumption; `None` where the wanted unit is 1, that of data without a unit.
    #[doc(hidden)]
    pub fn new(source: &str, column: &str, unit: &str) -> Option<Self> {
        let assumed = || Self { source: source.to_owned(), column: column.to_owned(), unit: unit.to_owned() };
        (unit != "1").then(assumed)
    }
}

/// Adds the assumptions that are not in `all` yet.
pub fn note(all: &mut Vec<AssumedUnit>, further: impl IntoIterator<Item = AssumedUnit>) {
    for assumed in further {
        if !all.contains(&assumed) {
            all.push(assumed);
        }
    }
}

/// Writes one line about all data without units; nothing if all have one.
pub fn write_assumed(f: &mut fmt::Formatter<'_>, assumed: &[AssumedUnit]) -> fmt::Result {
    if assumed.is_empty() {
        return Ok(());
    }
    let column = |one: &AssumedUnit| format!("`{}` of `{}` in {}", one.column, one.source, one.unit);
    let columns: Vec<String> = assumed.iter().map(column).collect();
    writeln!(f, "without a unit, taken in the model's: {}", columns.join(", "))
}

/// Rows of samples, the form that filters take.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Rows {
    /// One row of values per sample, each in its wanted unit; NaN where nothing was measured.
    pub values: Vec<f64>,
    /// Columns without a unit.
    pub assumed_units: Vec<AssumedUnit>,
}

/// The number of rows and columns is not known here; the assumed units are.
impl fmt::Display for Rows {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{} values", self.values.len())?;
        write_assumed(f, &self.assumed_units)
    }
}

impl Channel {
    /// Converts the channel to the wanted unit; errors call the record `record`.
    #[doc(hidden)]
    pub fn in_unit_of(&self, record: &str, wanted: &Wanted) -> Result<Cow<'_, Self>, Box<UnitError>> {
        Ok(match converted(&self.values, self.unit(), record, self.name(), wanted)? {
            Cow::Borrowed(_) => Cow::Borrowed(self),
            Cow::Owned(values) => Cow::Owned(Self {
                name: self.name.clone(),
                unit: Some(wanted.unit.clone()),
                values: values.into(),
                places: self.places.clone(),
            }),
        })
    }

    /// Returns the assumption about the unit; `None` if the channel has one.
    #[doc(hidden)]
    pub fn assumed(&self, record: &str, wanted: &Wanted) -> Option<AssumedUnit> {
        if self.unit.is_some() { None } else { AssumedUnit::new(record, &self.name, &wanted.unit) }
    }
}

/// Converts `values` of the channel with this name and unit to the wanted one.
pub fn converted<'a>(
    values: &'a [f64],
    unit: Option<&str>,
    record: &str,
    channel: &str,
    wanted: &Wanted,
) -> Result<Cow<'a, [f64]>, Box<UnitError>> {
    let Some(unit) = unit else { return Ok(Cow::Borrowed(values)) };
    let Wanted { quantity, unit: wanted } = wanted;
    let origin = format!("`{record}`");
    let scale = Purpose { origin: &origin, column: channel, quantity, wanted }.conversion(unit)?;
    Ok(match scale.is_one() {
        true => Cow::Borrowed(values),
        false => Cow::Owned(values.iter().map(|&value| scale.apply(value)).collect()),
    })
}

impl Record {
    /// Returns the values of a channel in the unit of the quantity that they are to be compared with: an output,
    /// an input or a unit alone. Values of a channel without a unit are taken to be in that unit.
    ///
    /// `g` is standard gravity for an acceleration and gram for a mass; `1/min` is a revolution per minute for an
    /// angular velocity such as `rad/s`, and 1/60 Hz for `Hz`. The customary spellings `Nm`, `m/s²` and `°` are
    /// read as well.
    ///
    /// ```
    /// # use costate_measure::record::Record;
    /// let record = Record::new(vec![0.0, 0.1])?.with_channel("acc", Some("g"), vec![1.0, 2.0])?;
    /// assert_eq!(record.values_in("acc", "mm/s^2")?[1], 19613.3);
    /// # Ok::<(), costate_measure::record::RecordError>(())
    /// ```
    ///
    /// # Errors
    /// [`RecordError::MissingChannel`], [`RecordError::Unit`] with both units.
    pub fn values_in(&self, channel: &str, wanted: impl Into<Wanted>) -> Result<Cow<'_, [f64]>, RecordError> {
        let channel = self.channel(channel)?;
        Ok(converted(&channel.values, channel.unit(), &self.name, channel.name(), &wanted.into())?)
    }

    /// Resamples channels, each in its wanted unit, as rows of samples every `interval` s, the form that filters
    /// take. The value of a channel is NaN in its gaps, and between two of its samples that are more than one and
    /// a half intervals apart: a filter predicts through them.
    ///
    /// ```text
    /// let rows = record.rows([("angle", Pendulum::ANGLE)], 1e-3)?;
    /// let rows = record.rows([("floor 1", SensorKind::Acceleration), ("floor 2", SensorKind::Acceleration)], 1e-3)?;
    /// ```
    ///
    /// # Errors
    /// [`RecordError::MissingChannel`], [`RecordError::NoValues`] for a channel without any sample,
    /// [`RecordError::Unit`], [`RecordError::Time`] for an interval that is not positive and finite,
    /// [`RecordError::TooLong`].
    pub fn rows<'n, W: Into<Wanted>>(
        &self,
        channels: impl IntoIterator<Item = (&'n str, W)>,
        interval: f64,
    ) -> Result<Rows, RecordError> {
        let (names, wanted): (Vec<&str>, Vec<Wanted>) =
            channels.into_iter().map(|(name, wanted)| (name, wanted.into())).unzip();
        let mut values = self.plain_rows(&names, interval)?;
        let mut assumed_units = Vec::new();
        for (column, (name, wanted)) in names.iter().zip(&wanted).enumerate() {
            let channel = self.channel(name)?;
            note(&mut assumed_units, channel.assumed(&self.name, wanted));
            let own: Vec<f64> = values.iter().skip(column).step_by(names.len()).copied().collect();
            let converted = converted(&own, channel.unit(), &self.name, name, wanted)?;
            let places = values.iter_mut().skip(column).step_by(names.len());
            places.zip(converted.iter()).for_each(|(place, value)| *place = *value);
        }
        Ok(Rows { values, assumed_units })
    }
}
