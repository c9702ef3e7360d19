//! Numbers that a model predicts without a run in time, such as natural frequencies or a frequency response.

use std::fmt;

use nalgebra::{Complex, DMatrix};

pub use crate::problem::PredictionError;

/// Numbers that a model predicts without a run in time, such as natural frequencies or a frequency response, with their
/// derivatives by parameters.
///
/// The numbers come in groups, and stand one after the other in the order of the groups. Their number and order are
/// the same at all parameters.
pub trait Prediction: fmt::Debug + Send + Sync {
    /// Returns the name by which messages, state files and results call the prediction.
    fn name(&self) -> &str;

    /// Returns the name of the model whose parameters the prediction takes.
    fn model(&self) -> &str;

    /// Returns the groups of numbers.
    fn groups(&self) -> &[PredictedGroup];

    /// Returns the numbers at these parameters: all parameters of the model, in their order.
    ///
    /// # Errors
    /// [`PredictionError`].
    fn values(&self, parameters: &[f64]) -> Result<Vec<f64>, PredictionError>;

    /// Returns the numbers, and their derivatives by the parameters at the positions `unknown`: one row for each
    /// number, one column for each position.
    ///
    /// # Errors
    /// [`PredictionError`].
    fn derivatives(&self, parameters: &[f64], unknown: &[usize]) -> Result<(Vec<f64>, DMatrix<f64>), PredictionError>;
}

/// Predicted numbers of one kind and unit that are judged together, such as the real part of a frequency response.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct PredictedGroup {
    /// The name, which no other group of the prediction has: `curve of 0.5 mm: real part`.
    pub name: String,
    /// Unit of the numbers; `1` for plain numbers, `rad` for [angles](Part::Angle).
    pub unit: String,
    /// Meaning of the numbers.
    pub part: Part,
    /// Name of what the numbers are given over, such as `frequency` or `mode`.
    pub abscissa: String,
    /// Unit of the abscissa.
    pub abscissa_unit: String,
    /// Value of the abscissa for each number, strictly increasing.
    pub places: Vec<f64>,
    /// Decay `d` in 1/s of numbers that are responses at `s = d + 2 pi i f`, as an exponential window makes them; 0 for
    /// all others.
    pub added_decay: f64,
}

/// Meaning of the numbers of a group.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Part {
    /// Numbers that stand for themselves.
    Number,
    /// Real parts of complex numbers, whose [imaginary](Self::Imaginary) parts are the next group.
    Real,
    /// Imaginary parts of the complex numbers whose real parts are the group before.
    Imaginary,
    /// Angles in rad, of which two are equal if they differ by a multiple of 2 pi.
    Angle,
}

impl PredictedGroup {
    /// Creates a group of numbers of this unit over the abscissa of this name and unit.
    pub fn new(
        name: impl Into<String>,
        unit: impl Into<String>,
        (abscissa, abscissa_unit): (impl Into<String>, impl Into<String>),
        places: Vec<f64>,
    ) -> Self {
        Self {
            name: name.into(),
            unit: unit.into(),
            part: Part::Number,
            abscissa: abscissa.into(),
            abscissa_unit: abscissa_unit.into(),
            places,
            added_decay: 0.0,
        }
    }

    /// Creates the groups of the real and of the imaginary parts of complex numbers, with the name `name: real part`
    /// and `name: imaginary part`, over frequencies in Hz.
    pub fn of_complex(name: &str, unit: &str, frequencies: &[f64]) -> [Self; 2] {
        [(Part::Real, "real part"), (Part::Imaginary, "imaginary part")].map(|(part, text)| {
            Self::new(format!("{name}: {text}"), unit, ("frequency", "Hz"), frequencies.to_vec()).part(part)
        })
    }

    /// Sets the decay in 1/s at which responses are predicted.
    #[must_use]
    pub fn added_decay(mut self, decay: f64) -> Self {
        self.added_decay = decay;
        self
    }

    /// Sets the meaning of the numbers.
    #[must_use]
    pub fn part(mut self, part: Part) -> Self {
        self.part = part;
        self
    }
}

/// Returns the numbers of the groups of [`PredictedGroup::of_complex`]: real parts, then imaginary parts.
pub fn complex_parts(values: &[Complex<f64>]) -> impl Iterator<Item = f64> {
    values.iter().map(|value| value.re).chain(values.iter().map(|value| value.im))
}
