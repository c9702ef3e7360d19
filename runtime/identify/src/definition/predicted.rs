//! Measured numbers that are compared with a prediction: frequencies, frequency responses, stiffness over amplitude.

use std::sync::Arc;

use costate_system::prediction::Prediction;

use super::curve::CurveChange;

/// Measured numbers of one group of a [`Prediction`], with their errors.
///
/// Errors of different numbers are taken as independent of each other, unless they are said to be
/// [dependent](Self::dependent).
///
/// ```
/// use costate::identify::MeasuredNumbers;
///
/// let frequencies = MeasuredNumbers::new("natural frequencies", [3.18, 9.71]).unit("Hz").deviations([0.01, 0.02]);
/// # let _ = frequencies;
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct MeasuredNumbers {
    pub(crate) group: String,
    pub(crate) values: Vec<f64>,
    pub(crate) unit: Option<String>,
    pub(crate) errors: Errors,
    /// Abscissa of the values with its unit, to be compared with that of the prediction.
    pub(crate) places: Option<(Vec<f64>, String)>,
    pub(crate) source: String,
    pub(crate) are_independent: bool,
    /// Unit of a curve from which the values have been converted; `None` for that of the values.
    pub(crate) heading: Option<String>,
}

/// Errors of measured numbers.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Errors {
    /// One standard deviation that follows from the residuals.
    Estimated,
    /// One standard deviation for all numbers.
    Common(f64),
    /// A standard deviation for each number.
    Each(Vec<f64>),
    /// A standard deviation for each number, up to a common factor that follows from the residuals.
    Relative(Vec<f64>),
}

impl MeasuredNumbers {
    /// Creates the measured numbers of the group with this name: as many as are predicted, in their order.
    pub fn new(group: impl Into<String>, values: impl Into<Vec<f64>>) -> Self {
        Self {
            group: group.into(),
            values: values.into(),
            unit: None,
            errors: Errors::Estimated,
            places: None,
            source: String::new(),
            are_independent: true,
            heading: None,
        }
    }

    /// Sets the unit of values and deviations, from which they are converted; by default that of the prediction.
    #[must_use]
    pub fn unit(mut self, unit: impl Into<String>) -> Self {
        self.unit = Some(unit.into());
        self
    }

    /// Sets the standard deviation of all numbers, in their unit. Without deviations, one follows from the residuals of
    /// the group.
    #[must_use]
    pub fn deviation(mut self, deviation: f64) -> Self {
        self.errors = Errors::Common(deviation);
        self
    }

    /// Sets the standard deviation of each number, in their unit.
    #[must_use]
    pub fn deviations(mut self, deviations: impl Into<Vec<f64>>) -> Self {
        self.errors = Errors::Each(deviations.into());
        self
    }

    /// Sets standard deviations of the numbers that are right up to a common factor, which follows from the residuals.
    #[must_use]
    pub fn relative_deviations(mut self, deviations: impl Into<Vec<f64>>) -> Self {
        self.errors = Errors::Relative(deviations.into());
        self
    }

    /// Sets the abscissa of the numbers with its unit: the fit is refused where it is not that of the prediction.
    #[must_use]
    pub fn over(mut self, places: impl Into<Vec<f64>>, unit: impl Into<String>) -> Self {
        self.places = Some((places.into(), unit.into()));
        self
    }

    /// Names what the numbers come from, such as a file; results repeat the name.
    #[must_use]
    pub fn source(mut self, source: impl Into<String>) -> Self {
        self.source = source.into();
        self
    }

    /// Says that errors of neighbouring numbers depend on each other, as those of spectral lines after a window do.
    /// Their residuals are then not tested for whiteness. Standard deviations of the unknowns still take errors as
    /// independent, and are too small.
    #[must_use]
    pub fn dependent(mut self) -> Self {
        self.are_independent = false;
        self
    }
}

/// A prediction and what was measured of it.
#[derive(Debug, Clone)]
pub(crate) struct MeasuredPrediction {
    pub prediction: Arc<dyn Prediction>,
    pub measured: Vec<MeasuredNumbers>,
    /// Changes that a further fit tries.
    pub changes: Vec<CurveChange>,
}

impl MeasuredPrediction {
    pub fn new(prediction: impl Prediction + 'static, measured: impl IntoIterator<Item = MeasuredNumbers>) -> Self {
        let measured = measured.into_iter().collect();
        Self { prediction: Arc::new(prediction), measured, changes: Vec::new() }
    }
}
