//! The smoothness of channels, on the command line and in campaigns: `8[Hz]`, `0.05` or `auto`.

use costate_contract::shown::plain;
use costate_contract::units::conversion;
use costate_measure::record::{Channel, Record};
use costate_measure::signal::{SignalError, Smoothing, smoothed};

use crate::amount::Amount;
use crate::seen::{Observe, Seen};

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

/// Smooths a channel that drives an input, and tells `observe` where that takes most of it off.
///
/// # Errors
/// [`SignalError`].
pub fn smooth_input(
    record: &Record,
    name: &str,
    limit: Smoothing,
    observe: Observe<'_>,
) -> Result<Record, SignalError> {
    /// Part of a signal about its mean that is more than noise.
    const MAX_PART: f64 = 0.5;
    let made = smoothed(record, name, limit)?;
    let before = record.channel(name)?;
    let finite = || before.values().iter().filter(|value| value.is_finite());
    let mean = finite().sum::<f64>() / finite().count() as f64;
    let whole = root_mean_square(finite().map(|value| value - mean));
    let part = taken_off(before, made.record.channel(name)?) / whole;
    if part > MAX_PART {
        observe(Seen::Smoothed { record, channel: name, knots: made.knots, part });
    }
    Ok(made.record)
}

/// Returns the root mean square of what smoothing has taken off a channel.
pub fn taken_off(before: &Channel, after: &Channel) -> f64 {
    let pairs = before.values().iter().zip(after.values());
    root_mean_square(pairs.map(|(before, after)| before - after).filter(|off| off.is_finite()))
}

fn root_mean_square(values: impl Iterator<Item = f64>) -> f64 {
    let (sum, count) = values.fold((0.0, 0_usize), |(sum, count), value| (sum + value * value, count + 1));
    (sum / count as f64).sqrt()
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
