//! Segments at which a shaft passes speeds.

use crate::signal::SignalError;
use crate::signal::error::limited;

/// Speeds, and the first samples of the segments that have each.
pub(super) struct Passages {
    /// In 1/min, increasing.
    pub speeds: Vec<f64>,
    pub starts: Vec<Vec<usize>>,
}

/// Finds segments with `count` speeds between the lowest and the highest mean speed of segments: `found` has the first
/// sample and the mean speed in 1/min of segments of `length` samples. Speeds that are passed several times have
/// several segments, which do not overlap by more than half.
pub(super) fn passages(
    record: &str,
    found: &[(usize, f64)],
    count: usize,
    length: usize,
) -> Result<Passages, SignalError> {
    /// Least relative change of the speed of a map over speeds.
    const MIN_SPEED_CHANGE: f64 = 0.05;
    let speeds = found.iter().map(|(_, speed)| *speed);
    let (low, high) =
        speeds.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), speed| (low.min(speed), high.max(speed)));
    if !(low > 0.0 && high >= low * (1.0 + MIN_SPEED_CHANGE)) {
        return Err(SignalError::Steady { record: record.to_owned(), low, high, segments: found.len() });
    }
    limited(
        (2..=100_000).contains(&count),
        ("the number of speeds", count as f64),
        "from 2 to 100000",
        "give as many as the picture has columns, such as 100",
    )?;
    let wanted: Vec<f64> = (0..count).map(|k| low + (high - low) * k as f64 / (count - 1) as f64).collect();
    let starts = wanted.iter().map(|speed| starts(found, *speed, length)).collect();
    Ok(Passages { speeds: wanted, starts })
}

fn starts(found: &[(usize, f64)], speed: f64, length: usize) -> Vec<usize> {
    let mut all: Vec<usize> = Vec::new();
    for pair in found.windows(2) {
        let [(from, a), (to, b)] = pair else { continue };
        let part = if a == b { 0.0 } else { (speed - a) / (b - a) };
        // rounding of the highest speed
        if !(-1e-9..=1.0 + 1e-9).contains(&part) || (a == b && speed != *a) {
            continue;
        }
        let start = (*from as f64 + part.clamp(0.0, 1.0) * (*to as f64 - *from as f64)).round() as usize;
        if all.last().is_none_or(|last| start >= last + length / 2) {
            all.push(start);
        }
    }
    all
}
