//! The builder of a response.

use std::marker::PhantomData;

use costate_system::identifiers::{Dynamic, Input, Output, Parameter};
use costate_system::simulation::Simulation;

use crate::harmonic::definition::Definition;
use crate::harmonic::error::HarmonicError;
use crate::harmonic::prediction::RatioPrediction;
use crate::harmonic::response::Response;
use crate::harmonic::solve;

/// Periodic responses of a model to an input u = mean + A cos(omega t), or to one that moves an output in this way.
///
/// Parameters, tables and the other inputs, constant with their values at the time 0, are those of a simulation. The
/// mean of the motion is part of the balance, which begins at the initial values of the model.
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

    /// Sets the output that moves as mean + A cos(omega t), without higher harmonics, with its amplitudes A in its
    /// unit, and the input that moves it, whose harmonics are unknown: so a test rig measures dynamic stiffness.
    #[must_use]
    pub fn controlled(mut self, output: Output<M>, input: Input<M>, amplitudes: impl IntoIterator<Item = f64>) -> Self {
        (self.definition.drive, self.definition.controlled) = (Some(input.erased()), Some(output.erased()));
        self.definition.amplitudes = amplitudes.into_iter().collect();
        self
    }

    /// Sets the mean of the input that drives, in place of the value of its signal at the time 0 (0 without a signal),
    /// or the mean of the controlled output, which is free by default: the input then keeps its mean.
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

    /// Sets the largest estimated error of outputs, relative to their largest harmonic, that a response may have; 0.01
    /// by default. With `None` errors are said, and not judged.
    #[must_use]
    pub fn error_limit(mut self, limit: impl Into<Option<f64>>) -> Self {
        self.definition.error_limit = limit.into();
        self
    }

    /// Finds the response at frequencies in Hz: one curve over them for each amplitude.
    ///
    /// A curve begins at the lowest frequency with the motion to which the path from rest leads, goes through turning
    /// points, and ends where it leaves the frequencies. Where a path from rest at the highest frequency leads to
    /// another motion, its curve is followed back. Curves that are connected with neither are not found.
    ///
    /// # Errors
    /// [`HarmonicError`].
    pub fn response(&self, frequencies: &[f64]) -> Result<Response, HarmonicError> {
        solve::response(&self.definition, frequencies)
    }

    /// Creates the prediction of curves over these frequencies in Hz, for identifications.
    /// [`stiffness`](RatioPrediction::stiffness) and [`ratio`](RatioPrediction::ratio) say which.
    ///
    /// The parameters are those of each evaluation; derivatives are those that it asks for, whatever the
    /// [`sensitivities`](Self::sensitivities) are.
    ///
    /// # Errors
    /// [`HarmonicError::NoDrive`], [`HarmonicError::OtherModel`], [`HarmonicError::Setting`], [`HarmonicError::Empty`],
    /// [`HarmonicError::Repeated`], [`HarmonicError::Order`].
    pub fn predict(&self, name: impl Into<String>, frequencies: &[f64]) -> Result<RatioPrediction, HarmonicError> {
        RatioPrediction::of(name.into(), &self.definition, frequencies)
    }
}
