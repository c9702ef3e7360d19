//! Conversion from the unit of data to that of a model.

use super::text::{Reading, read};
use super::{Dimension, Scale};

/// The reason why numbers cannot be converted from one unit to another.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
#[allow(missing_docs, reason = "messages say what the fields are")]
pub enum UnitFault {
    /// A unit that cannot be read.
    #[error("`{unit}` is no unit here: {remedy}")]
    Unreadable { unit: String, remedy: String },
    /// Units of different quantities.
    #[error(
        "`{unit}` is in SI units `{found}`, which does not fit `{expected}`; correct the unit, or choose other data"
    )]
    Different {
        unit: String,
        /// The unit of the data, in SI units.
        found: String,
        /// The wanted unit, in SI units.
        expected: String,
    },
    /// A unit with two interpretations that differ by a factor.
    #[error("`{unit}` has two meanings beside `{wanted}`: {remedy}")]
    Unclear { unit: String, wanted: String, remedy: &'static str },
}

/// Data in a unit that does not fit the quantity for which they are used.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{origin}: `{column}` is in `{unit}`, {quantity} in `{wanted}`: {fault}")]
#[non_exhaustive]
pub struct UnitError {
    /// The record or file, in words.
    pub origin: String,
    /// The channel or column.
    pub column: String,
    /// Unit of the data.
    pub unit: String,
    /// The quantity for which the data are used, in words, such as "the output `travel`".
    pub quantity: String,
    /// The unit of the quantity.
    pub wanted: String,
    /// The reason why the unit does not fit.
    pub fault: UnitFault,
}

/// Data and the quantity for which they are used, for a conversion.
#[derive(Debug, Clone, Copy)]
pub struct Purpose<'a> {
    /// The record or file, in words.
    pub origin: &'a str,
    /// The channel or column.
    pub column: &'a str,
    /// The quantity for which the data are used, in words.
    pub quantity: &'a str,
    /// The unit of the quantity.
    pub wanted: &'a str,
}

impl Purpose<'_> {
    /// Returns the [`conversion`] from `unit`.
    ///
    /// # Errors
    /// [`UnitError`].
    pub fn conversion(&self, unit: &str) -> Result<Scale, Box<UnitError>> {
        conversion(unit, self.wanted).map_err(|fault| self.error(unit, fault))
    }

    /// Returns the error with this cause.
    pub fn error(&self, unit: &str, fault: UnitFault) -> Box<UnitError> {
        let [origin, column, quantity, wanted] =
            [self.origin, self.column, self.quantity, self.wanted].map(str::to_owned);
        Box::new(UnitError { origin, column, unit: unit.to_owned(), quantity, wanted, fault })
    }
}

/// Standard gravity divided by gram, the usual meaning of `g`: 9.80665 m/s^2 / 0.001 kg.
const GRAVITY_OVER_GRAM: Scale = Scale { numerator: 196_133.0, denominator: 20.0 };

const COUNTED: &str = "write `rev/s` or `rpm` if it counts revolutions, and `rad/s` if it is an angular velocity";
const CYCLES: &str = "write `1/s` or `1/min` if it counts revolutions or cycles, else convert the values to `Hz`";
const PER_MINUTE: &str =
    "convert the values to `1/s`; a speed of rotation is declared in `rad/s` or `rpm` in the model";
const TURNS: &str =
    "a revolution is an angle of 2 pi, or 1; give both units with an angle, such as `rad/s`, or without one";

/// Returns the factor from numbers in the unit `data` to numbers in the unit `wanted`, which a model declares.
///
/// `g` means gram, or standard gravity, 9.80665 m/s^2, if this fits and gram does not. If the model counts angles, as
/// in `rad/s`, data in `1/min` are revolutions per minute; data in `1/s` and `Hz` are ambiguous and refused. If the
/// model counts cycles in `Hz`, `1/min` is 1/60 Hz.
///
/// # Errors
/// [`UnitFault`].
pub fn conversion(data: &str, wanted: &str) -> Result<Scale, UnitFault> {
    if data.trim() == wanted.trim() {
        return Ok(Scale::ONE);
    }
    let reading = |unit: &str| read(unit).map_err(|remedy| UnitFault::Unreadable { unit: unit.to_owned(), remedy });
    let (mut found, expected) = (reading(data)?, reading(wanted)?);
    if found.dimension != expected.dimension
        && let Some(gravity) = with_gravity(found).filter(|gravity| gravity.dimension == expected.dimension)
    {
        found = gravity;
    }
    if found.dimension != expected.dimension {
        let [found, expected] = [found, expected].map(|reading| reading.dimension.readable());
        return Err(UnitFault::Different { unit: data.to_owned(), found, expected });
    }
    let turn = turn(found, expected).map_err(|remedy| UnitFault::Unclear {
        unit: data.to_owned(),
        wanted: wanted.to_owned(),
        remedy,
    })?;
    let scale = found.scale.times(turn).times(expected.scale.inverse());
    if !scale.is_valid() {
        let remedy = "its factor is beyond double precision; use other prefixes".to_owned();
        return Err(UnitFault::Unreadable { unit: data.to_owned(), remedy });
    }
    Ok(scale)
}

/// Checks whether the text of a heading is a unit and not the name of a quantity.
pub fn is_unit(text: &str) -> bool {
    text.contains(|c: char| c.is_alphabetic() || matches!(c, '°' | '%')) && read(text).is_ok()
}

/// Interprets `g` as standard gravity instead of gram; `None` if the unit does not contain gram.
fn with_gravity(reading: Reading) -> Option<Reading> {
    let exponent = super::Exponent::whole(i16::try_from(reading.grams).ok().filter(|grams| *grams != 0)?);
    let over_gram = Dimension::ACCELERATION.over(Dimension::MASS)?.power(exponent)?;
    let scale = reading.scale.times(GRAVITY_OVER_GRAM.power(reading.grams));
    Some(Reading { dimension: reading.dimension.times(over_gram)?, scale, ..reading })
}

/// Returns the factor of data besides their scale: 2 pi for revolutions.
fn turn(data: Reading, wanted: Reading) -> Result<Scale, &'static str> {
    if data.angles == wanted.angles && data.cycles == wanted.cycles {
        let plain = data.angles == 0 && data.cycles == 0;
        let per_minute = data.minutes != wanted.minutes && data.dimension == Dimension::FREQUENCY;
        return if plain && per_minute { Err(PER_MINUTE) } else { Ok(Scale::ONE) };
    }
    let [over_time, over_square] =
        [Dimension::FREQUENCY, Dimension::FREQUENCY_SQUARED].map(|dimension| data.dimension == dimension);
    if !over_time && !over_square {
        let unclear = data.angles != wanted.angles && (data.turns || wanted.turns);
        return if unclear { Err(TURNS) } else { Ok(Scale::ONE) };
    }
    let kind = |reading: Reading| (reading.angles != 0, reading.cycles != 0);
    match (kind(data), kind(wanted)) {
        // 1/min of a rotational speed
        ((false, false), (true, false)) if data.minutes => {
            Ok(Scale { numerator: std::f64::consts::TAU, denominator: 1.0 })
        }
        ((false, false), (true, false)) if over_square && !wanted.turns => Ok(Scale::ONE),
        ((false, _), (true, false)) => Err(COUNTED),
        ((true, false), (_, true)) => Err(CYCLES),
        ((true, _), (false, false)) if data.turns => Err(TURNS),
        _ => Ok(Scale::ONE),
    }
}
