//! Numbers that a model predicts without a run in time, such as natural frequencies or a frequency response.

use std::error::Error;
use std::fmt;
use std::sync::Arc;

use nalgebra::DMatrix;

use crate::interrupt::Interrupted;
use crate::problem::SimulationError;

/// Numbers that a model predicts without a run in time, such as natural frequencies or a frequency response, with their
/// derivatives by parameters.
///
/// The numbers come in groups, and stand one behind the other in the order of the groups. Their number and order are
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

/// A prediction that several identifications share.
impl<P: Prediction + ?Sized> Prediction for Arc<P> {
    fn name(&self) -> &str {
        (**self).name()
    }

    fn model(&self) -> &str {
        (**self).model()
    }

    fn groups(&self) -> &[PredictedGroup] {
        (**self).groups()
    }

    fn values(&self, parameters: &[f64]) -> Result<Vec<f64>, PredictionError> {
        (**self).values(parameters)
    }

    fn derivatives(&self, parameters: &[f64], unknown: &[usize]) -> Result<(Vec<f64>, DMatrix<f64>), PredictionError> {
        (**self).derivatives(parameters, unknown)
    }
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

/// The reason why a model does not predict numbers at some parameters, or at any.
///
/// In a search, the parameters are a failed trial, from which it takes a shorter step, unless the prediction fails
/// [anywhere](Self::anywhere).
#[derive(Debug, Clone)]
pub struct PredictionError {
    source: Arc<dyn Error + Send + Sync>,
    anywhere: bool,
}

impl PredictionError {
    /// Creates the error of a prediction that fails at these parameters, such as one without an equilibrium.
    pub fn here(source: impl Error + Send + Sync + 'static) -> Self {
        Self { source: Arc::new(source), anywhere: false }
    }

    /// Creates the error of a prediction that fails at any parameters, or that was interrupted.
    pub fn anywhere(source: impl Error + Send + Sync + 'static) -> Self {
        Self { source: Arc::new(source), anywhere: true }
    }

    /// Returns the interruption that has ended the prediction, if one has.
    pub fn interruption(&self) -> Option<&Interrupted> {
        match self.source.downcast_ref::<SimulationError>() {
            Some(SimulationError::Interrupted(interrupted)) => Some(interrupted),
            _ => self.source.downcast_ref::<Interrupted>(),
        }
    }

    /// Returns true if the prediction would fail at any parameters, or was interrupted.
    pub fn fails_anywhere(&self) -> bool {
        self.anywhere
    }
}

impl From<SimulationError> for PredictionError {
    fn from(error: SimulationError) -> Self {
        if error.fails_anywhere() { Self::anywhere(error) } else { Self::here(error) }
    }
}

impl fmt::Display for PredictionError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.source.fmt(f)
    }
}

impl Error for PredictionError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        self.source.source()
    }
}

impl PartialEq for PredictionError {
    fn eq(&self, other: &Self) -> bool {
        self.anywhere == other.anywhere && self.to_string() == other.to_string()
    }
}
