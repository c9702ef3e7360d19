//! The residuals of one measured channel.

use crate::residuals::absent::Absent;
use crate::residuals::error::{ResidualError, check_times, check_values};
use crate::residuals::sampling::{EQUIDISTANCE, Sampling};

/// The residuals r_j = s(tau_j) - y_j of one channel: fitted minus measured values at the times tau_j, with the
/// inputs that acted during the measurement.
///
/// Times increase strictly; samples may be missing, and times need not be equidistant: tests that compare
/// neighbouring samples take [irregular](Residuals::irregular) ones in their order. Residuals are not assumed to
/// have a zero mean; where they are compared with each other the mean is not subtracted, since an offset is
/// something that the model does not explain.
#[derive(Debug, Clone, PartialEq)]
pub struct Residuals<'a> {
    channel: String,
    experiment: Option<String>,
    times: &'a [f64],
    residuals: &'a [f64],
    measured: &'a [f64],
    inputs: Vec<Input<'a>>,
    sampling: Result<Sampling, Absent>,
}

/// An input of the model, sampled at the times of the residuals.
#[derive(Debug, Clone, PartialEq)]
pub struct Input<'a> {
    name: String,
    values: &'a [f64],
}

impl Input<'_> {
    /// Returns the name of the input.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Returns the values of the input, in its unit.
    pub fn values(&self) -> &[f64] {
        self.values
    }
}

impl<'a> Residuals<'a> {
    /// Makes the residuals of `channel`, fitted minus measured, with the measured values, both in the channel's
    /// unit, at `times` in s.
    ///
    /// # Errors
    /// [`ResidualError`]: no samples, another number of values than of times, values that are not finite or larger than
    /// 1e140, times that do not increase.
    pub fn new(
        channel: impl Into<String>,
        times: &'a [f64],
        residuals: &'a [f64],
        measured: &'a [f64],
    ) -> Result<Self, ResidualError> {
        for (field, values) in [("residuals", residuals), ("measured values", measured)] {
            check_length(field, values, times)?;
            check_values(field, values)?;
        }
        check_times(times)?;
        Ok(Self {
            channel: channel.into(),
            experiment: None,
            times,
            residuals,
            measured,
            inputs: Vec::new(),
            sampling: Sampling::new(times),
        })
    }

    /// Names the experiment in which the channel was measured.
    #[must_use]
    pub fn in_experiment(mut self, experiment: impl Into<String>) -> Self {
        self.experiment = Some(experiment.into());
        self
    }

    /// Adds an input of the model, in its unit, with one value per time.
    ///
    /// # Errors
    /// [`ResidualError`]: another number of values than of times, values that are not finite or larger than 1e140.
    pub fn with_input(mut self, name: impl Into<String>, values: &'a [f64]) -> Result<Self, ResidualError> {
        let name = name.into();
        let field = format!("values of the input `{name}`");
        check_length(&field, values, self.times)?;
        check_values(&field, values)?;
        self.inputs.push(Input { name, values });
        Ok(self)
    }

    /// Returns the name of the channel.
    pub fn channel(&self) -> &str {
        &self.channel
    }

    /// Returns the name of the experiment; `None` if it was not given.
    pub fn experiment(&self) -> Option<&str> {
        self.experiment.as_deref()
    }

    /// Times tau_j in s.
    pub fn times(&self) -> &[f64] {
        self.times
    }

    /// Residuals r_j, in the channel's unit.
    pub fn values(&self) -> &[f64] {
        self.residuals
    }

    /// Measured values y_j, in the channel's unit.
    pub fn measured(&self) -> &[f64] {
        self.measured
    }

    /// Returns the inputs that acted during the measurement.
    pub fn inputs(&self) -> &[Input<'a>] {
        &self.inputs
    }

    /// Returns the equidistant parts between gaps.
    ///
    /// # Errors
    /// [`Absent`]: fewer samples than [`FEWEST_SAMPLES`](crate::residuals::FEWEST_SAMPLES).
    pub fn sampling(&self) -> Result<&Sampling, Absent> {
        self.sampling.as_ref().map_err(Clone::clone)
    }

    /// Returns the deviation from equidistant times, relative to their interval, if it is larger than accepted.
    pub fn irregular(&self) -> Option<f64> {
        let deviation = self.sampling.as_ref().ok()?.deviation;
        (deviation > EQUIDISTANCE).then_some(deviation)
    }

    /// Returns the residuals over the largest of their magnitudes, and that magnitude: squares of these do not
    /// underflow.
    pub(crate) fn normalised(&self) -> Result<(Vec<f64>, f64), Absent> {
        normalised(self.residuals).ok_or(Absent::ZeroResiduals)
    }
}

/// Returns the values over the largest of their magnitudes, and that magnitude; `None` where all are zero.
pub(crate) fn normalised(values: &[f64]) -> Option<(Vec<f64>, f64)> {
    let scale = values.iter().fold(0.0_f64, |largest, value| largest.max(value.abs()));
    (scale > 0.0).then(|| (values.iter().map(|value| value / scale).collect(), scale))
}

/// Returns the values without their mean, over the largest magnitude; `None` where they are constant up to rounding.
pub(crate) fn centred(values: &[f64]) -> Option<Vec<f64>> {
    let (mut values, _) = normalised(values)?;
    let mean = values.iter().sum::<f64>() / values.len() as f64;
    values.iter_mut().for_each(|value| *value -= mean);
    let (values, scale) = normalised(&values)?;
    (scale > 1e-12).then_some(values)
}

/// Checks an input that does not come with the residuals.
pub(crate) fn check_input(input: &[f64], samples: usize) -> Result<(), Absent> {
    if input.len() != samples {
        return Err(Absent::InputLength { values: input.len(), samples });
    }
    match check_values("input", input) {
        Err(ResidualError::NotFinite { index, value, .. } | ResidualError::TooLarge { index, value, .. }) => {
            Err(Absent::InputValue { index, value })
        }
        _ => Ok(()),
    }
}

fn check_length(field: &str, values: &[f64], times: &[f64]) -> Result<(), ResidualError> {
    if values.len() == times.len() {
        return Ok(());
    }
    Err(ResidualError::Length { field: field.to_owned(), values: values.len(), times: times.len() })
}
