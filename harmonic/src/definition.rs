//! The builder of a response, and its definition without the type of the model.

use std::marker::PhantomData;

use costate_scalar::out_of_range::require;
use costate_simulation::{RunDescription, Simulation};
use costate_system::identifiers::{Dynamic, Input, Output, Parameter};

use crate::error::HarmonicError;
use crate::response::{Axis, Response};
use crate::solve;

/// Periodic responses of a model to an input u = mean + A cos(omega t), or to one that moves an output in this way.
///
/// Parameters, tables and the other inputs, constant with their values at the time 0, are those of a simulation. The mean of the motion is
/// part of the balance, which begins at the initial values of the model.
#[derive(Debug)]
pub struct HarmonicBalance<M = Dynamic> {
    definition: Definition,
    model: PhantomData<fn() -> M>,
}

impl<M> Clone for HarmonicBalance<M> {
    fn clone(&self) -> Self {
        Self { definition: self.definition.clone(), model: PhantomData }
    }
}

/// A [`HarmonicBalance`] without the type of its model.
#[derive(Debug, Clone)]
pub(crate) struct Definition {
    pub run: RunDescription,
    pub drive: Option<Input>,
    pub controlled: Option<Output>,
    pub amplitudes: Vec<f64>,
    pub mean: Option<f64>,
    pub harmonics: usize,
    pub samples: Option<usize>,
    pub parameters: Vec<Parameter>,
    pub judges_stability: bool,
    pub error_limit: Option<f64>,
}

impl<M> HarmonicBalance<M> {
    /// Creates a balance of 7 harmonics without excitation. Step and end of the simulation have no meaning.
    pub fn new(simulation: &Simulation<M>) -> Self {
        let definition = Definition {
            run: simulation.description().clone(),
            drive: None,
            controlled: None,
            amplitudes: Vec::new(),
            mean: None,
            harmonics: 7,
            samples: None,
            parameters: Vec::new(),
            judges_stability: true,
            error_limit: Some(0.01),
        };
        Self { definition, model: PhantomData }
    }

    /// Sets the input that drives, and its amplitudes A in its unit.
    #[must_use]
    pub fn input(mut self, input: Input<M>, amplitudes: impl IntoIterator<Item = f64>) -> Self {
        (self.definition.drive, self.definition.controlled) = (Some(input.erased()), None);
        self.definition.amplitudes = amplitudes.into_iter().collect();
        self
    }

    /// Sets the output that moves as mean + A cos(omega t), without higher harmonics, with its amplitudes A in its unit, and the input that
    /// moves it, whose harmonics are unknown: so a test rig measures dynamic stiffness.
    #[must_use]
    pub fn controlled(
        mut self,
        output: Output<M>,
        input: Input<M>,
        amplitudes: impl IntoIterator<Item = f64>,
    ) -> Self {
        (self.definition.drive, self.definition.controlled) = (Some(input.erased()), Some(output.erased()));
        self.definition.amplitudes = amplitudes.into_iter().collect();
        self
    }

    /// Sets the mean of the input that drives, in place of the value of its signal at the time 0 (0 without a signal), or the mean of the
    /// controlled output, which is free by default: the input then keeps its mean.
    #[must_use]
    pub fn mean(mut self, mean: f64) -> Self {
        self.definition.mean = Some(mean);
        self
    }

    /// Sets the number of harmonics H besides the mean, 1 to 200.
    #[must_use]
    pub fn harmonics(mut self, harmonics: usize) -> Self {
        self.definition.harmonics = harmonics;
        self
    }

    /// Sets the number of samples per period, at least 4 H + 1; by default the power of two from 8 H on.
    #[must_use]
    pub fn samples(mut self, samples: usize) -> Self {
        self.definition.samples = Some(samples);
        self
    }

    /// Sets the parameters by which all results are differentiated.
    #[must_use]
    pub fn sensitivities(mut self, parameters: impl IntoIterator<Item = Parameter<M>>) -> Self {
        self.definition.parameters = parameters.into_iter().map(Parameter::erased).collect();
        self
    }

    /// Sets whether motions are judged by their Floquet multipliers; by default they are.
    #[must_use]
    pub fn stability(mut self, judged: bool) -> Self {
        self.definition.judges_stability = judged;
        self
    }

    /// Sets the largest estimated error of outputs, relative to their largest harmonic, that a response may have; 0.01 by default. With
    /// `None` errors are said, and not judged.
    #[must_use]
    pub fn error_limit(mut self, limit: impl Into<Option<f64>>) -> Self {
        self.definition.error_limit = limit.into();
        self
    }

    /// Finds the response at frequencies in Hz: one curve over them for each amplitude.
    ///
    /// A curve begins at the lowest frequency with the motion to which the path from rest leads, goes through turning points, and ends
    /// where it leaves the frequencies. Where the path from rest at the highest frequency leads to another motion, its curve is followed
    /// back. Curves that are connected with neither are not found.
    ///
    /// # Errors
    /// [`HarmonicError`].
    pub fn response(&self, frequencies: &[f64]) -> Result<Response, HarmonicError> {
        solve::response(&self.definition, frequencies, Axis::Frequency)
    }

    /// Finds the response at frequencies in Hz: one curve over the amplitudes for each frequency, from rest through turning points.
    ///
    /// # Errors
    /// [`HarmonicError`].
    pub fn amplitude_response(&self, frequencies: &[f64]) -> Result<Response, HarmonicError> {
        solve::response(&self.definition, frequencies, Axis::Amplitude)
    }
}

impl Definition {
    /// Checks all numbers.
    pub fn check(&self, frequencies: &[f64]) -> Result<(), HarmonicError> {
        let harmonics = self.harmonics;
        require("harmonics", harmonics as f64, (1..=200).contains(&harmonics), "from 1 to 200")?;
        if let Some(samples) = self.samples {
            let is_enough = samples > 4 * harmonics && samples <= 1 << 16;
            require("samples", samples as f64, is_enough, "at least 4 harmonics + 1, and at most 65536")?;
        }
        if let Some(limit) = self.error_limit {
            require("error_limit", limit, limit > 0.0 && limit <= 1.0, "positive and at most 1")?;
        }
        if let Some(mean) = self.mean {
            require("mean", mean, mean.is_finite(), "finite")?;
        }
        list("frequency", frequencies)?;
        list("amplitude", &self.amplitudes)
    }

    /// Number of samples per period.
    pub fn samples(&self) -> usize {
        self.samples.unwrap_or((8 * self.harmonics).next_power_of_two())
    }
}

/// Checks that numbers are positive, finite and different.
fn list(what: &'static str, values: &[f64]) -> Result<(), HarmonicError> {
    if values.is_empty() {
        return Err(HarmonicError::Empty { what });
    }
    for &value in values {
        require(what, value, value.is_finite() && value > 0.0, "positive and finite")?;
    }
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    match sorted.windows(2).find(|pair| pair.first() == pair.last()) {
        Some(pair) => Err(HarmonicError::Repeated { what, value: pair.first().copied().unwrap_or(0.0) }),
        None => Ok(()),
    }
}
