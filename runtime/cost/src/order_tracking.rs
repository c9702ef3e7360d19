//! Engine orders over the crank angle itself.

use super::Window;
use super::fourier::{FourierCoefficients, check_samples};
use super::spectrum_error::SpectrumError;
use crate::PLACE_ROUNDING;
use costate_measure::record::{Channel, Gap, Record, Wanted};
use costate_numerics::scalar::{Dual, Scalar};

/// An order of a signal over an angle theta, between two fixed angles that are whole working cycles apart:
///
/// ```text
/// A = (2 g/Theta) integral eta y cos(order theta) dtheta,   B with sin,   Theta = theta_u - theta_l
/// ```
///
/// by the trapezoidal rule over the steps, with the angle at each of them: the share of a step is
/// (theta_{i+1} - theta_i)/2 times the sum of the integrands at both ends. Where theta_l or theta_u is inside
/// a step, the signal there is linear in the angle between the steps, and only the part inside counts. A and
/// B are therefore continuous functions of all samples of the angle and of the signal, and have exact
/// derivatives; only where an end of the interval falls on a step do the derivatives jump, by a share of
/// order h^2. Speed fluctuations and slow run-ups do not smear the order, unlike over time.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct OrderLine {
    order: f64,
    from: f64,
    to: f64,
    window: Window,
}

impl OrderLine {
    /// Creates the order between `from` in rad and `cycles` working cycles of `cycle` rad later; a
    /// four-stroke engine has a cycle of 4 pi, a two-stroke engine one of 2 pi.
    ///
    /// # Errors
    /// [`SpectrumError::NotPositive`], [`SpectrumError::EmptyInterval`] for no cycles or a start that is not finite.
    pub fn new(order: f64, from: f64, cycles: usize, cycle: f64, window: Window) -> Result<Self, SpectrumError> {
        for (what, value) in [("order", order), ("working cycle", cycle)] {
            if !(value > 0.0 && value.is_finite()) {
                return Err(SpectrumError::NotPositive { what, value });
            }
        }
        let to = from + cycles as f64 * cycle;
        if !(to > from && to.is_finite()) {
            return Err(SpectrumError::EmptyInterval { from, to });
        }
        Ok(Self { order, from, to, window })
    }

    /// Creates the order between whole working cycles around `center` in rad: the interval begins at the
    /// multiple of `cycle` that is closest to half of `cycles` before `center`.
    ///
    /// # Errors
    /// As [`new`](Self::new).
    pub fn around(order: f64, center: f64, cycles: usize, cycle: f64, window: Window) -> Result<Self, SpectrumError> {
        let first = (center / cycle - 0.5 * cycles as f64).round();
        Self::new(order, first * cycle, cycles, cycle, window)
    }

    /// Returns the order: periods per revolution.
    pub fn order(&self) -> f64 {
        self.order
    }

    /// Returns theta_l in rad.
    pub fn from(&self) -> f64 {
        self.from
    }

    /// Returns theta_u in rad.
    pub fn to(&self) -> f64 {
        self.to
    }

    /// Returns eta.
    pub fn window(&self) -> Window {
        self.window
    }

    /// Computes A and B of samples; `None` if the angle does not pass from theta_l to theta_u.
    pub(super) fn coefficients<S: Scalar>(
        &self,
        samples: usize,
        angle: impl Fn(usize) -> S,
        value: impl Fn(usize) -> S,
    ) -> Option<[S; 2]> {
        let last = samples.checked_sub(1)?;
        if !self.is_covered(angle(0).real(), angle(last).real()) {
            return None;
        }
        let (mut a, mut b) = (S::default(), S::default());
        for i in (0..last).filter(|&i| self.touches(angle(i).real(), angle(i + 1).real())) {
            let [cosine, sine] = self.share([angle(i), angle(i + 1)], [value(i), value(i + 1)]);
            a += cosine;
            b += sine;
        }
        Some([a, b])
    }

    /// Calls `add` with sample i and the derivatives of `derivatives[0]` A + `derivatives[1]` B with respect
    /// to the angle and the value of that sample; several times per sample.
    pub(super) fn add_transposed(
        &self,
        samples: usize,
        angle: impl Fn(usize) -> f64,
        value: impl Fn(usize) -> f64,
        derivatives: [f64; 2],
        mut add: impl FnMut(usize, f64, f64),
    ) {
        for i in (0..samples.saturating_sub(1)).filter(|&i| self.touches(angle(i), angle(i + 1))) {
            let numbers = [angle(i), angle(i + 1), value(i), value(i + 1)];
            let by = |varied: usize| {
                let mut dual = numbers.map(Dual::constant);
                dual[varied].derivative = 1.0;
                let [a, b] = self.share([dual[0], dual[1]], [dual[2], dual[3]]);
                derivatives[0] * a.derivative + derivatives[1] * b.derivative
            };
            add(i, by(0), by(2));
            add(i + 1, by(1), by(3));
        }
    }

    /// Computes the mean speed in rad/s with which an angle passes through the interval, from samples that
    /// are `step` in s apart; `None` if the angle does not pass.
    pub(super) fn mean_speed(&self, step: f64, samples: usize, angle: impl Fn(usize) -> f64) -> Option<f64> {
        let passes = |wanted: f64| {
            let i = (1..samples).find(|&i| angle(i) >= wanted)?;
            let (before, after) = (angle(i - 1), angle(i));
            let part = if after > before { (wanted - before) / (after - before) } else { 1.0 };
            Some((i as f64 - 1.0 + part) * step)
        };
        let last = samples.checked_sub(1)?;
        let (from, to) = (self.from.max(angle(0)), self.to.min(angle(last)));
        let time = passes(to)? - passes(from)?;
        (time > 0.0).then(|| (to - from) / time)
    }

    fn is_covered(&self, first: f64, last: f64) -> bool {
        let tolerance = PLACE_ROUNDING * (self.to - self.from);
        first <= self.from + tolerance && last >= self.to - tolerance
    }

    /// Checks whether a step between these angles has a part inside the interval.
    fn touches(&self, first: f64, second: f64) -> bool {
        first != second && first.min(second) < self.to && first.max(second) > self.from
    }

    /// Computes the share of one step.
    fn share<S: Scalar>(&self, angles: [S; 2], values: [S; 2]) -> [S; 2] {
        let slope = |angle: S| (angle - angles[0]) / (angles[1] - angles[0]);
        let inside = |k: usize| {
            let real = angles[k].real();
            let end = if real < self.from {
                self.from
            } else if real > self.to {
                self.to
            } else {
                return (angles[k], values[k]);
            };
            let angle = S::constant(end);
            (angle, values[0] + slope(angle) * (values[1] - values[0]))
        };
        let ((first, y), (second, z)) = (inside(0), inside(1));
        let length = self.to - self.from;
        let half = (second - first) * (self.window.amplitude_correction() / length);
        let y = y * self.window.at((first - self.from) / length);
        let z = z * self.window.at((second - self.from) / length);
        let ((sine, cosine), (next_sine, next_cosine)) =
            ((first * self.order).sin_cos(), (second * self.order).sin_cos());
        [half * (y * cosine + z * next_cosine), half * (y * sine + z * next_sine)]
    }
}

impl FourierCoefficients {
    /// Computes the coefficients of a channel of a measured `record` over another channel that is an angle in
    /// any unit, as [`order_coefficients`] does, from the times at which both have a sample.
    ///
    /// # Errors
    /// As [`order_coefficients`], [`SpectrumError::Unit`] if the second channel is no angle, and
    /// [`SpectrumError::Gap`] where samples are missing while the angle passes through an interval.
    pub fn over_angle(
        record: &Record,
        angle: &Channel,
        channel: &Channel,
        lines: &[OrderLine],
    ) -> Result<Vec<Self>, SpectrumError> {
        let angle = angle.in_unit_of(record.name(), &Wanted::new("the angle", "rad"))?;
        let (mut times, mut angles, mut values) = (Vec::new(), Vec::new(), Vec::new());
        let pairs = angle.values().iter().zip(channel.values());
        for (&time, (&angle, &value)) in record.times().iter().zip(pairs) {
            if !angle.is_nan() && !value.is_nan() {
                times.push(time);
                angles.push(angle);
                values.push(value);
            }
        }
        for gap in record.gaps_among(&times) {
            let (before, after) = (gap.after, gap.after + 1);
            if lines.iter().any(|line| line.touches(angles[before], angles[after])) {
                let gap = Gap { from: times[before], to: times[after] };
                return Err(SpectrumError::Gap { channel: Some(channel.name().to_owned()), gap });
            }
        }
        order_coefficients(&angles, &values, lines)
    }
}

/// Computes the coefficients of a measured signal over a measured angle in rad, one value per angle, at every
/// line, by the sums of [`SpectrumCost`](crate::SpectrumCost). Without times, missing samples only show as a
/// step of the angle, which has to be below half a period of the order; [`FourierCoefficients::over_angle`]
/// detects them.
///
/// # Errors
/// [`SpectrumError`]: the samples are not a signal, the angle does not pass through an interval, or it changes by half
/// a period of the order or more between two samples.
pub fn order_coefficients(
    angles: &[f64],
    values: &[f64],
    lines: &[OrderLine],
) -> Result<Vec<FourierCoefficients>, SpectrumError> {
    check_samples(angles, values)?;
    let (Some(&start), Some(&end)) = (angles.first(), angles.last()) else {
        return Err(SpectrumError::Samples { samples: 0 });
    };
    let coefficients = |line: &OrderLine| {
        let inside = angles.windows(2).filter(|pair| line.touches(pair[0], pair[1]));
        let largest = inside.map(|pair| (pair[1] - pair[0]).abs()).fold(0.0, f64::max);
        let limit = std::f64::consts::PI / largest;
        if line.order >= limit {
            return Err(SpectrumError::OrderNyquist { order: line.order, limit });
        }
        let found = line.coefficients(angles.len(), |i| angles[i], |i| values[i]);
        let [cosine, sine] = found.ok_or(SpectrumError::OutsideAngle { from: line.from, to: line.to, start, end })?;
        Ok(FourierCoefficients { cosine, sine })
    };
    lines.iter().map(coefficients).collect()
}
