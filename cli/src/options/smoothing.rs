//! The smoothness of channels, on the command line and in campaigns: `8[Hz]`, `0.05` or `auto`.

use costate::command::shown::plain;
use costate::command::units::conversion;
use costate::signal::Smoothing;

use super::assignment::Amount;

/// Parses `angle=8[Hz]`, `angle=0.05` or `angle=auto`.
///
/// # Errors
/// A text of another form, with what to write instead.
pub fn smoothing(text: &str) -> Result<(String, Smoothing), String> {
    // names of channels may contain `=`
    let parts = text.rsplit_once('=').map(|(name, limit)| (name.trim(), limit.trim()));
    let Some((name, limit)) = parts.filter(|(name, limit)| !name.is_empty() && !limit.is_empty()) else {
        return Err("write the channel, `=` and the limit, e.g. `angle=8[Hz]`".to_owned());
    };
    Ok((name.to_owned(), smoothness(name, limit)?))
}

/// Parses the limit of a channel: a frequency, the distance of knots in s, or `auto`.
///
/// # Errors
/// A text of another form, with what to write instead.
pub fn smoothness(name: &str, limit: &str) -> Result<Smoothing, String> {
    if limit == "auto" {
        return Ok(Smoothing::CrossValidated);
    }
    let amount: Amount = limit.parse()?;
    let in_unit = |unit: &str| amount.in_unit(name, unit).map_err(|error| error.to_string());
    let distance = match amount.unit.as_deref() {
        // a spline follows periods of two distances of its knots
        Some(unit) if conversion(unit, "Hz").is_ok() => 0.5 / in_unit("Hz")?,
        _ => in_unit("s")?,
    };
    if distance > 0.0 && distance.is_finite() {
        return Ok(Smoothing::Knots(distance));
    }
    Err(format!("`{}` is no limit; write a positive frequency or distance, e.g. `8[Hz]` or `0.05`", plain(limit)))
}
