//! Units of integrals and derivatives.

use costate_contract::units::conversion;

use crate::record::{Channel, Record};
use crate::signal::SignalError;

/// Usual units of motions, forces and their integrals and derivatives.
const USUAL: [&str; 22] = [
    "m", "mm", "m/s", "mm/s", "m/s^2", "mm/s^2", "m/s^3", "rad", "deg", "rad/s", "deg/s", "rad/s^2", "deg/s^2", "N*s",
    "N/s", "N*m*s", "V*s", "V/s", "Pa*s", "Pa/s", "1/s", "s",
];

/// Returns the unit of an integral over time, or of a derivative by it, with the factor from values in the channel's
/// unit times or over s.
pub(crate) fn over_time(
    record: &Record,
    channel: &Channel,
    integral: bool,
) -> Result<Option<(String, f64)>, SignalError> {
    let Some(unit) = channel.unit() else { return Ok(None) };
    let fits = |wanted| conversion(unit, wanted).is_ok();
    if fits("m/s^2") && fits("kg") {
        let [record, channel, unit] = [record.name(), channel.name(), unit].map(str::to_owned);
        return Err(SignalError::UnitMeaning { record, channel, unit });
    }
    let product = match integral {
        true => format!("({unit})*s"),
        false => format!("({unit})/s"),
    };
    let usual = USUAL.iter().find(|usual| conversion(&product, usual).is_ok_and(|scale| scale.is_one()));
    if let Some(usual) = usual {
        return Ok(Some(((*usual).to_owned(), 1.0)));
    }
    // a speed in rpm has an angle as its integral
    for usual in ["rad", "rad/s^2"] {
        let turns = conversion(unit, "rad/s").is_ok();
        if let Ok(scale) = conversion(&product, usual).map_err(drop)
            && turns
        {
            return Ok(Some((usual.to_owned(), scale.apply(1.0))));
        }
    }
    // what cannot be read is an error that says what to write
    record.values_in(channel.name(), format!("({unit})*1").as_str())?;
    Ok(Some((product, 1.0)))
}

/// Returns the factor from values in the channel's unit to those in `wanted`.
pub(crate) fn factor(record: &Record, channel: &Channel, wanted: &'static str) -> Result<f64, SignalError> {
    let Some(unit) = channel.unit() else {
        let [record, channel] = [record.name(), channel.name()].map(str::to_owned);
        return Err(SignalError::NoUnit { record, channel, example: wanted });
    };
    // an error has the names of record and channel
    record.values_in(channel.name(), wanted)?;
    Ok(conversion(unit, wanted).map_or(f64::NAN, |scale| scale.apply(1.0)))
}
