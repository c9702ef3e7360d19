//! Single lines of a spectrum: Fourier coefficients over an interval of time.

use super::Window;
use super::span::{Grid, Span};
use super::spectrum_error::SpectrumError;
use crate::PLACE_ROUNDING;
use costate_contract::machine::Room;
use costate_measure::record::{Channel, Gap, Record, Samples, inner_gaps};

/// A line of a spectrum: a frequency, and the windowed interval over which its coefficients are taken.
///
/// ```text
/// A = (2 g/T) sum' w_i eta(t_i) y_i cos(2 pi f t_i),   B with sin,   T = to - from
/// ```
///
/// by the trapezoidal rule with the window eta and its amplitude correction g (FD 3, 4 and 5.2). The phase counts from
/// t = 0, whatever the interval. Where an end falls between two samples, the value there is linear between them.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct FourierLine {
    /// f in Hz.
    pub frequency: f64,
    /// t_l in s.
    pub from: f64,
    /// t_u in s.
    pub to: f64,
    /// eta.
    pub window: Window,
}

impl FourierLine {
    /// A line at `frequency` in Hz over [from, to] in s.
    pub fn new(frequency: f64, from: f64, to: f64, window: Window) -> Self {
        Self { frequency, from, to, window }
    }

    /// The lines k/T, k = 1, 2, ..., with T = to - from, that are in the band from `low` to `high` in Hz, its ends
    /// included.
    ///
    /// # Errors
    /// [`SpectrumError::EmptyInterval`], [`SpectrumError::EmptyBand`]; [`SpectrumError::OutOfMemory`] for more lines
    /// than the machine can hold.
    pub fn band((low, high): (f64, f64), from: f64, to: f64, window: Window) -> Result<Vec<Self>, SpectrumError> {
        let length = to - from;
        if !(length > 0.0 && length.is_finite()) {
            return Err(SpectrumError::EmptyInterval { from, to });
        }
        let first = (low * length - PLACE_ROUNDING).ceil().max(1.0);
        let last = (high * length + PLACE_ROUNDING).floor();
        // Too many lines to count are above any sampling rate.
        if !(low <= high && first <= last && last <= f64::from(u32::MAX)) {
            return Err(SpectrumError::EmptyBand { low, high, spacing: 1.0 / length });
        }
        let line = |k: u64| Self::new(k as f64 / length, from, to, window);
        let count = ((last - first) as usize).saturating_add(1);
        let mut lines = room_of_lines(count).take(count)?;
        lines.extend((first as u64..=last as u64).map(line));
        Ok(lines)
    }
}

/// Lines of a spectrum, as messages name them.
pub(super) fn room_of_lines(count: usize) -> Room {
    let remedy = "take a narrower band, a shorter interval or fewer speeds";
    Room { what: "the spectrum", count, counted: "lines", remedy }
}

/// A and B of a line, in the unit of the signal: y contains A cos(2 pi f t) + B sin(2 pi f t), FD (2).
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct FourierCoefficients {
    /// A.
    pub cosine: f64,
    /// B.
    pub sine: f64,
}

impl FourierCoefficients {
    /// The coefficients of a channel of a measured `record` at every line, as [`fourier_coefficients`].
    ///
    /// # Errors
    /// As [`fourier_coefficients`]; [`SpectrumError::Gap`] names the channel.
    pub fn of(record: &Record, channel: &Channel, lines: &[FourierLine]) -> Result<Vec<Self>, SpectrumError> {
        let Samples { times, values, gaps, .. } = record.samples_of(channel);
        check_samples(&times, &values)?;
        coefficients(&times, &values, lines, &gaps, Some(channel.name()))
    }

    /// sqrt(A^2 + B^2)
    pub fn amplitude(&self) -> f64 {
        self.cosine.hypot(self.sine)
    }

    /// atan2(B, A) in rad: y contains amplitude cos(2 pi f t - phase).
    pub fn phase(&self) -> f64 {
        self.sine.atan2(self.cosine)
    }
}

/// The coefficients of a measured signal, one value per time in s, at every line; the same sums as in
/// [`SpectrumCost`](crate::SpectrumCost), so that a measurement is windowed like the model. The times need not be
/// equidistant.
///
/// # Errors
/// [`SpectrumError`]: the samples are not a signal, an interval is not inside it or has a gap, or a frequency is not
/// below half of the mean sampling rate in its interval.
pub fn fourier_coefficients(
    times: &[f64],
    values: &[f64],
    lines: &[FourierLine],
) -> Result<Vec<FourierCoefficients>, SpectrumError> {
    check_samples(times, values)?;
    if let Some(i) =
        times.windows(2).position(|pair| pair[1].partial_cmp(&pair[0]) != Some(std::cmp::Ordering::Greater))
    {
        return Err(SpectrumError::Order { sample: i + 1, time: times[i + 1] });
    }
    let gap = |after: usize| Gap { from: times[after], to: times[after + 1] };
    let gaps: Vec<_> = inner_gaps(times).iter().map(|inner| gap(inner.after)).collect();
    coefficients(times, values, lines, &gaps, None)
}

/// The coefficients of samples that are a signal with these gaps.
fn coefficients(
    times: &[f64],
    values: &[f64],
    lines: &[FourierLine],
    gaps: &[Gap],
    channel: Option<&str>,
) -> Result<Vec<FourierCoefficients>, SpectrumError> {
    let mut span: Option<Span> = None;
    let mut result = Vec::with_capacity(lines.len());
    for line in lines {
        let kept = span.take().filter(|span| span.is(line.from, line.to, line.window));
        let kept = match kept {
            Some(kept) => kept,
            None => {
                if let Some(gap) = gaps.iter().find(|gap| gap.is_between(line.from, line.to)) {
                    return Err(SpectrumError::Gap { channel: channel.map(str::to_owned), gap: *gap });
                }
                Span::new(Grid::Times(times), line.from, line.to, line.window)?
            }
        };
        kept.check(line.frequency)?;
        let [cosine, sine] = kept.coefficients(line.frequency, |i| values[i]);
        result.push(FourierCoefficients { cosine, sine });
        span = Some(kept);
    }
    Ok(result)
}

/// Checks that there is one finite value per sample.
pub(super) fn check_samples(times: &[f64], values: &[f64]) -> Result<(), SpectrumError> {
    if times.len() != values.len() {
        return Err(SpectrumError::Length { times: times.len(), values: values.len() });
    }
    if let Some(sample) = values.iter().position(|value| !value.is_finite()) {
        return Err(SpectrumError::Value { sample, value: values[sample] });
    }
    match times.iter().position(|time| !time.is_finite()) {
        Some(sample) => Err(SpectrumError::Value { sample, value: times[sample] }),
        None => Ok(()),
    }
}
