//! The noise of a fit by prediction errors.

use std::marker::PhantomData;

use costate_system::identifiers::{Coordinate, Dynamic, Input, Output};

/// A standard deviation that is known, or that is estimated from this start value.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum NoiseDeviation {
    /// A known deviation.
    Known(f64),
    /// An unknown deviation, with its start value.
    Unknown(f64),
}

impl NoiseDeviation {
    /// Returns the given number.
    pub(super) fn value(self) -> f64 {
        let (Self::Known(value) | Self::Unknown(value)) = self;
        value
    }
}

impl From<f64> for NoiseDeviation {
    fn from(known: f64) -> Self {
        Self::Known(known)
    }
}

/// Influences that the model does not know: the noise that drives it, that of its measured inputs and outputs, drifts
/// of sensors, and how well the start is known. Noise that is not named is zero; that of measured outputs without a
/// deviation is estimated.
///
/// ```text
/// let noise = ProcessNoise::new()
///     .on_velocity(Pendulum::PHI, NoiseDeviation::Unknown(0.1))
///     .on_input(Pendulum::FORCE, 0.2);
/// let fit = identification.prediction_error(&noise)?;
/// ```
#[derive(Debug, Clone)]
pub struct ProcessNoise<M = Dynamic> {
    pub(crate) settings: NoiseSettings,
    model: PhantomData<fn() -> M>,
}

/// The settings of [`ProcessNoise`], without the type of the model.
#[derive(Debug, Clone, Default)]
pub(crate) struct NoiseSettings {
    pub velocities: Vec<(Coordinate, NoiseDeviation)>,
    pub inputs: Vec<(Input, NoiseDeviation)>,
    pub outputs: Vec<(Output, NoiseDeviation)>,
    pub drifts: Vec<(Output, NoiseDeviation)>,
    pub start: Vec<(Coordinate, [f64; 2])>,
    pub vanishes: bool,
}

impl<M> Default for ProcessNoise<M> {
    fn default() -> Self {
        Self { settings: NoiseSettings::default(), model: PhantomData }
    }
}

impl<M> ProcessNoise<M> {
    /// Creates a process without noise, whose start is known for given parameters.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Drives the velocity of a coordinate by white noise of its acceleration: the velocity is a random walk beside its
    /// motion, of this deviation after a second, in the unit of the velocity over the root of a second. Constraints
    /// keep the part that they admit.
    #[must_use]
    pub fn on_velocity(mut self, coordinate: Coordinate<M>, deviation: impl Into<NoiseDeviation>) -> Self {
        self.settings.velocities.push((coordinate.erased(), deviation.into()));
        self
    }

    /// Adds independent errors of this deviation to the samples of a measured input, in its unit. An output that
    /// depends on the input directly has an error of its own, which [`of_output`](Self::of_output) states.
    #[must_use]
    pub fn on_input(mut self, input: Input<M>, deviation: impl Into<NoiseDeviation>) -> Self {
        self.settings.inputs.push((input.erased(), deviation.into()));
        self
    }

    /// Sets the deviation of the independent errors of a measured output, in the unit of the output, in all
    /// experiments. By default it is that of the measurement, or estimated where the measurement has none.
    #[must_use]
    pub fn of_output(mut self, output: Output<M>, deviation: impl Into<NoiseDeviation>) -> Self {
        self.settings.outputs.push((output.erased(), deviation.into()));
        self
    }

    /// Lets the offset of a measured output drift in all experiments: a random walk of this deviation after a second,
    /// in the unit of the output over the root of a second, that begins at the offset of the measurement, which may be
    /// unknown.
    #[must_use]
    pub fn drift_of(mut self, output: Output<M>, deviation: impl Into<NoiseDeviation>) -> Self {
        self.settings.drifts.push((output.erased(), deviation.into()));
        self
    }

    /// Sets the deviations of a coordinate and of its velocity at the start about the initial values of the model, in
    /// their units.
    #[must_use]
    pub fn on_start(mut self, coordinate: Coordinate<M>, position: f64, velocity: f64) -> Self {
        self.settings.start.push((coordinate.erased(), [position, velocity]));
        self
    }

    /// Lets the process noise and drifts vanish in stages, each beginning with the values found by the one before: from
    /// one-step predictions to a simulation (KE 1.14), so that the end is the fit of output errors, begun where
    /// predictions have led. For models whose simulation follows the record; an unstable one needs the noise.
    #[must_use]
    pub fn vanishing(mut self) -> Self {
        self.settings.vanishes = true;
        self
    }
}
