//! Deformation, rate and acceleration of an element, of which all or one are measured.

use std::f64::consts::TAU;

use costate_numerics::fourier::Complex;

use super::spectral::{filtered, rise};
use costate_filter::restoring_force::RestoringForceError;
use costate_numerics::scalar::out_of_range::OutOfRange;

/// The frequencies that integrals and derivatives keep.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Band {
    /// Lowest frequency in Hz; what is below half of it is gone. Integrals need it: the smallest offset of an
    /// accelerometer would become a parabola.
    pub low: f64,
    /// Highest frequency in Hz; what is above 1.25 times that is gone. Derivatives need it, as they raise noise with
    /// the frequency. Infinity keeps all.
    pub high: f64,
}

impl Band {
    /// Width of the upper transition, as a part of `high`.
    const UPPER: f64 = 0.25;
    /// Oscillations at the width of a transition after which a signal has forgotten its end.
    const MEMORY: f64 = 3.0;
    /// Samples that are lost at each end at least.
    const FEWEST: usize = 16;

    /// From `low` to `high` in Hz.
    pub fn new(low: f64, high: f64) -> Self {
        Self { low, high }
    }

    fn check(self, integrates: bool) -> Result<(), RestoringForceError> {
        let out_of_range = |field, value, limit| Err(OutOfRange { field, value, limit }.into());
        if !(self.low >= 0.0 && self.low.is_finite()) || (integrates && self.low == 0.0) {
            let limit = "finite, and positive where something is integrated: about a third of the slowest oscillation";
            return out_of_range("low frequency of the band", self.low, limit);
        }
        if self.high.is_nan() || self.high <= self.low {
            return out_of_range("high frequency of the band", self.high, "above the low one");
        }
        Ok(())
    }

    /// Samples at each end that say more of the filter than of the motion.
    fn edge(self, interval: f64) -> usize {
        let samples = |width: f64| {
            if width > 0.0 && width.is_finite() { Self::MEMORY / (width * interval) } else { 0.0 }
        };
        (samples(0.5 * self.low).max(samples(Self::UPPER * self.high)).ceil() as usize).max(Self::FEWEST)
    }

    fn gain(self, frequency: f64) -> f64 {
        let lower = if self.low > 0.0 { rise(frequency, 0.5 * self.low, self.low) } else { 1.0 };
        let upper =
            if self.high.is_finite() { 1.0 - rise(frequency, self.high, (1.0 + Self::UPPER) * self.high) } else { 1.0 };
        lower * upper
    }
}

/// The motion of an element: equidistant samples of deformation z, rate v and acceleration v', all relative to a moving
/// base.
#[derive(Debug, Clone, PartialEq)]
pub struct Motion {
    interval: f64,
    deformations: Vec<f64>,
    rates: Vec<f64>,
    accelerations: Vec<f64>,
    edge: usize,
}

impl Motion {
    /// The motion from measurements of all its signals, every `interval` s: z in m, v in m/s and v' in m/s^2. An
    /// accelerometer on the structure measures v' - B u, so that the acceleration B u of the base has to be added.
    ///
    /// # Errors
    /// [`RestoringForceError::OutOfRange`] for the interval, [`RestoringForceError::Size`] for signals of different
    /// lengths, [`RestoringForceError::TooFewSamples`] for fewer than 100, [`RestoringForceError::Signal`] for one with
    /// a gap.
    pub fn measured(
        interval: f64,
        deformations: Vec<f64>,
        rates: Vec<f64>,
        accelerations: Vec<f64>,
    ) -> Result<Self, RestoringForceError> {
        check_interval(interval)?;
        let expected = deformations.len();
        for (field, signal) in [("deformations", &deformations), ("rates", &rates), ("accelerations", &accelerations)] {
            if signal.len() != expected {
                return Err(RestoringForceError::Size { field, given: signal.len(), expected });
            }
            check_signal(field, signal, 0)?;
        }
        Ok(Self { interval, deformations, rates, accelerations, edge: 0 })
    }

    /// Deformations and rates as integrals of accelerations v' in m/s^2, in a band of frequencies. Slower motions and a
    /// mean deformation are lost.
    ///
    /// # Errors
    /// [`RestoringForceError::OutOfRange`] for the interval or a band that does not begin above 0,
    /// [`RestoringForceError::TooFewSamples`] where nothing is left between the [edges](Self::edge),
    /// [`RestoringForceError::Signal`].
    pub fn from_accelerations(interval: f64, accelerations: &[f64], band: Band) -> Result<Self, RestoringForceError> {
        Self::derived(interval, ("accelerations", accelerations), band, 2)
    }

    /// Deformations as integrals, accelerations as derivatives of rates v in m/s.
    ///
    /// # Errors
    /// As [`from_accelerations`](Self::from_accelerations).
    pub fn from_rates(interval: f64, rates: &[f64], band: Band) -> Result<Self, RestoringForceError> {
        Self::derived(interval, ("rates", rates), band, 1)
    }

    /// Rates and accelerations as derivatives of deformations z in m. The band may begin at 0, which keeps a mean
    /// deformation.
    ///
    /// # Errors
    /// As [`from_accelerations`](Self::from_accelerations), without the one for 0.
    pub fn from_deformations(interval: f64, deformations: &[f64], band: Band) -> Result<Self, RestoringForceError> {
        Self::derived(interval, ("deformations", deformations), band, 0)
    }

    /// All three from a signal that is the `order`-th derivative of the deformation.
    fn derived(
        interval: f64,
        (field, values): (&'static str, &[f64]),
        band: Band,
        order: i32,
    ) -> Result<Self, RestoringForceError> {
        check_interval(interval)?;
        band.check(order > 0)?;
        let edge = band.edge(interval);
        check_signal(field, values, 2 * edge)?;
        let derivative = |by: i32| -> Vec<f64> {
            let gain = |frequency: f64| {
                let kept = band.gain(frequency.abs());
                if kept > 0.0 { Complex::new(0.0, TAU * frequency).powi(by) * kept } else { Complex::default() }
            };
            filtered(values, interval, edge, gain).iter().map(|value| value.re).collect()
        };
        Ok(Self {
            interval,
            deformations: derivative(-order),
            rates: derivative(1 - order),
            accelerations: derivative(2 - order),
            edge,
        })
    }

    /// Time between two samples in s.
    pub fn interval(&self) -> f64 {
        self.interval
    }

    /// Number of samples, edges included.
    pub fn samples(&self) -> usize {
        self.deformations.len()
    }

    /// z in m.
    pub fn deformations(&self) -> &[f64] {
        &self.deformations
    }

    /// v in m/s.
    pub fn rates(&self) -> &[f64] {
        &self.rates
    }

    /// v' in m/s^2.
    pub fn accelerations(&self) -> &[f64] {
        &self.accelerations
    }

    /// Samples at each end that are not used: integrals and derivatives there depend on what was before and after the
    /// record. 0 where everything was measured.
    pub fn edge(&self) -> usize {
        self.edge
    }
}

fn check_interval(interval: f64) -> Result<(), RestoringForceError> {
    if interval > 0.0 && interval.is_finite() {
        return Ok(());
    }
    let (field, limit) = ("interval", "positive and finite");
    Err(OutOfRange { field, value: interval, limit }.into())
}

/// A signal without gaps that is longer than its edges.
pub(super) fn check_signal(field: &'static str, values: &[f64], edges: usize) -> Result<(), RestoringForceError> {
    const FEWEST: usize = 100;
    if let Some(sample) = values.iter().position(|value| !value.is_finite()) {
        return Err(RestoringForceError::Signal {
            field: field.to_owned(),
            sample,
            value: values[sample],
            remedy: "these methods need every sample; interpolate it, or cut the record there",
        });
    }
    let (samples, needed) = (values.len(), FEWEST + edges);
    if samples >= needed {
        return Ok(());
    }
    let (what, remedy) = ("motion", "Record for longer, or take a band that begins at a higher frequency.");
    Err(RestoringForceError::TooFewSamples { what, samples, needed, remedy })
}

#[cfg(test)]
mod tests {
    use super::*;

    const INTERVAL: f64 = 1e-3;

    /// 40 Hz with an amplitude that grows slowly.
    fn exact(t: f64) -> [f64; 3] {
        let (omega, rate) = (TAU * 40.0, 0.5);
        let (sine, cosine, size) = ((omega * t).sin(), (omega * t).cos(), 1e-3 * (rate * t).exp());
        [
            size * sine,
            size * (rate * sine + omega * cosine),
            size * ((rate * rate - omega * omega) * sine + 2.0 * rate * omega * cosine),
        ]
    }

    #[test]
    fn integrals_and_derivatives_are_exact_between_the_edges() {
        let signals: Vec<_> = (0..3000).map(|i| exact(f64::from(i) * INTERVAL)).collect();
        let of = |k: usize| -> Vec<f64> { signals.iter().map(|signal| signal[k]).collect() };
        let band = Band::new(15.0, 200.0);
        let motions = [
            Motion::from_deformations(INTERVAL, &of(0), band).unwrap(),
            Motion::from_rates(INTERVAL, &of(1), band).unwrap(),
            Motion::from_accelerations(INTERVAL, &of(2), band).unwrap(),
        ];
        for motion in motions {
            assert_eq!(motion.edge(), 400);
            let found = [motion.deformations(), motion.rates(), motion.accelerations()];
            for (k, found) in found.into_iter().enumerate() {
                let largest = of(k).iter().fold(0.0_f64, |largest, value| largest.max(value.abs()));
                for i in motion.edge()..motion.samples() - motion.edge() {
                    let error = (found[i] - signals[i][k]).abs() / largest;
                    assert!(error < 4e-3, "derivative {k}, sample {i}: {error}");
                }
            }
        }
    }

    #[test]
    fn records_that_do_not_serve_are_refused() {
        let values = vec![0.0; 1000];
        let from =
            |values: &[f64], low, high| Motion::from_accelerations(INTERVAL, values, Band::new(low, high)).unwrap_err();
        let out_of_range = |error| matches!(error, RestoringForceError::OutOfRange(..));
        assert!(out_of_range(from(&values, 0.0, 100.0)));
        assert!(out_of_range(from(&values, 50.0, 40.0)));
        assert!(out_of_range(from(&values, f64::NAN, 40.0)));
        assert!(matches!(from(&values, 1.0, 100.0), RestoringForceError::TooFewSamples { needed: 12_100, .. }));
        let mut gap = values.clone();
        gap[7] = f64::NAN;
        assert!(matches!(from(&gap, 10.0, 100.0), RestoringForceError::Signal { sample: 7, .. }));
        let uneven = Motion::measured(INTERVAL, values.clone(), values[1..].to_vec(), values.clone());
        assert!(matches!(uneven, Err(RestoringForceError::Size { field: "rates", given: 999, .. })));
        assert!(Motion::measured(0.0, values.clone(), values.clone(), values).is_err());
    }
}
