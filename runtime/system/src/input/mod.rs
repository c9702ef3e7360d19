//! Input signals u(t): functions of time, constants and sampled records.

mod error;
mod sampled;

use std::fmt;
use std::sync::Arc;

use costate_measure::record::{AssumedUnit, Wanted};

pub use error::InputError;
pub use sampled::Sampled;

/// One input as a function of time.
#[derive(Clone)]
pub enum InputSignal {
    /// One value at all times.
    Constant(f64),
    /// A function of the time in s.
    Function(Arc<dyn Fn(f64) -> f64 + Send + Sync>),
    /// A record.
    Sampled(Arc<Sampled>),
}

impl InputSignal {
    /// Creates a signal from a function of the time in s.
    pub fn function(signal: impl Fn(f64) -> f64 + Send + Sync + 'static) -> Self {
        Self::Function(Arc::new(signal))
    }

    /// Returns the signal in the unit of the input that it drives, and the assumption about a channel without
    /// a unit.
    #[doc(hidden)]
    pub fn in_unit_of(&self, input: &Wanted) -> Result<(Self, Option<AssumedUnit>), InputError> {
        let Self::Sampled(sampled) = self else { return Ok((self.clone(), None)) };
        Ok(match sampled.in_unit_of(input)? {
            Some((sampled, assumed)) => (sampled.into(), assumed),
            None => (self.clone(), None),
        })
    }

    /// Evaluates the signal at `time` in s, in the input's unit, or in that of the record it is sampled from;
    /// errors name the input `name`.
    ///
    /// # Errors
    /// [`InputError::Range`] and [`InputError::NotFinite`].
    pub fn at(&self, name: &'static str, time: f64) -> Result<f64, InputError> {
        let value = match self {
            Self::Constant(value) => *value,
            Self::Function(signal) => signal(time),
            Self::Sampled(record) => {
                let (first, last) = record.range();
                record.at(time).ok_or(InputError::Range { name, time, first, last })?
            }
        };
        if value.is_finite() { Ok(value) } else { Err(InputError::NotFinite { name, time, value }) }
    }

    /// Evaluates the signal for the end of a step at `time` in s, with half a step before and after it: a signal that
    /// is held has its mean there, so that its impulse is exact.
    pub(crate) fn at_step(&self, name: &'static str, time: f64, half: [f64; 2]) -> Result<f64, InputError> {
        let value = self.at(name, time)?;
        match self {
            Self::Sampled(record) if record.is_held() => {
                Ok(record.mean(time - half[0], time + half[1]).unwrap_or(value))
            }
            _ => Ok(value),
        }
    }
}

impl From<f64> for InputSignal {
    fn from(value: f64) -> Self {
        Self::Constant(value)
    }
}

impl From<Sampled> for InputSignal {
    fn from(record: Sampled) -> Self {
        Self::Sampled(Arc::new(record))
    }
}

impl From<Arc<Sampled>> for InputSignal {
    fn from(record: Arc<Sampled>) -> Self {
        Self::Sampled(record)
    }
}

/// Converts a function of the time in s.
impl<F: Fn(f64) -> f64 + Send + Sync + 'static> From<F> for InputSignal {
    fn from(signal: F) -> Self {
        Self::function(signal)
    }
}

impl fmt::Debug for InputSignal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Constant(value) => write!(f, "Constant({value})"),
            Self::Function(_) => f.write_str("Function"),
            Self::Sampled(record) => write!(f, "Sampled({} samples)", record.samples().0.len()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_record_is_interpolated_and_not_extrapolated() {
        let record = Sampled::new(vec![0.0, 1.0, 3.0], vec![2.0, 4.0, 0.0]).unwrap();
        assert_eq!(record.at(0.0), Some(2.0));
        assert_eq!(record.at(0.5), Some(3.0));
        assert_eq!(record.at(2.0), Some(2.0));
        assert_eq!(record.at(3.0 + 1e-9), Some(0.0));
        assert_eq!(record.at(3.1), None);
        let error = InputSignal::from(record).at("drive", -0.1).unwrap_err();
        assert_eq!(error, InputError::Range { name: "drive", time: -0.1, first: 0.0, last: 3.0 });
    }

    #[test]
    fn a_held_signal_keeps_its_impulse_and_a_cubic_one_its_curvature() {
        let held = Sampled::new(vec![0.0, 1.0, 3.0], vec![2.0, 4.0, 0.0]).unwrap().held();
        assert_eq!([0.0, 0.999, 1.0 - 1e-9, 2.9].map(|time| held.at(time)), [2.0, 2.0, 4.0, 4.0].map(Some));
        assert_eq!(held.at(3.1), None);
        // a jump inside, and the ends
        assert!((held.mean(0.5, 1.5).unwrap() - 3.0).abs() < 1e-15);
        assert!((held.mean(0.9, 1.4).unwrap() - (0.1 * 2.0 + 0.4 * 4.0) / 0.5).abs() < 1e-14);
        assert_eq!(held.mean(-1.0, 0.5), Some(2.0));
        assert_eq!(held.mean(2.5, 9.0), Some(4.0));
        assert_eq!(held.mean(3.5, 9.0), None);
        // all steps together have the integral of the signal
        let signal = InputSignal::from(held);
        for steps in [7_u32, 30, 100] {
            let h = 3.0 / f64::from(steps);
            let end = |i: u32| if i == 0 || i == steps { 0.5 * h } else { h };
            let share = |i: u32| end(i) * signal.at_step("drive", f64::from(i) * h, [0.5 * h; 2]).unwrap();
            let sum: f64 = (0..=steps).map(share).sum();
            assert!((sum - 10.0).abs() < 1e-12, "{steps}: {sum}");
        }
        let times: Vec<f64> = (0..=20).map(|i| 0.1 * f64::from(i)).collect();
        let values = times.iter().map(|t| (std::f64::consts::PI * t).sin()).collect();
        let smooth = Sampled::new(times, values).unwrap().cubic().unwrap();
        for i in 0..200 {
            let time = 0.01 * f64::from(i);
            assert!((smooth.at(time).unwrap() - (std::f64::consts::PI * time).sin()).abs() < 1e-4, "{time}");
        }
        assert_eq!(smooth.at(2.1), None);
        // a shift moves the spline, and its end goes on with the last slope
        let later = smooth.clone().counted_from(-1.0);
        assert!((later.at(1.25).unwrap() - smooth.at(0.25).unwrap()).abs() < 1e-14);
        let extended = later.held_to(3.1);
        let slope = (smooth.at(2.0).unwrap() - smooth.at(2.0 - 1e-6).unwrap()) / 1e-6;
        assert!((extended.at(3.1).unwrap() - 0.1 * slope).abs() < 1e-6);
        assert_eq!(extended.at(3.2), None);
        let nan = Sampled::new(vec![0.0, 1.0, 2.0], vec![0.0, f64::NAN, 1.0]).unwrap().cubic();
        assert!(matches!(nan, Err(InputError::Spline { .. })));
    }

    #[test]
    fn records_that_are_none_are_refused() {
        assert!(matches!(Sampled::new(vec![0.0], vec![0.0]), Err(InputError::Length { .. })));
        let disorder = Sampled::new(vec![0.0, 1.0, 1.0], vec![0.0; 3]);
        assert_eq!(disorder, Err(InputError::Order { index: 2, time: 1.0, previous: 1.0 }));
        let gap = InputSignal::from(Sampled::new(vec![0.0, 1.0], vec![f64::NAN, 0.0]).unwrap());
        assert!(matches!(gap.at("drive", 0.5), Err(InputError::NotFinite { time: 0.5, .. })));
    }
}
