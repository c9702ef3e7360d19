//! What is identified from what: unknown parameters and measurements.

use crate::identifiers::{Output, Parameter};
use crate::model::Model;
use crate::optimize::{Scaling, Variable};
use crate::record::{AssumedUnit, Channel, Record, RecordError, Samples};

use super::error::IdentificationError;

/// A parameter to be identified, with bounds and scaling; made from a [`Parameter`].
///
/// ```text
/// UnknownParameter::from(EngineMount::C_E1).within(1e3, 1e6)
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct UnknownParameter<M: Model> {
    parameter: Parameter<M>,
    bounds: Option<(f64, f64)>,
    scaling: Option<Scaling>,
}

impl<M: Model> UnknownParameter<M> {
    /// Bounds in the parameter's unit, which no simulation ever leaves; infinite ones are none.
    #[must_use]
    pub fn within(mut self, lower: f64, upper: f64) -> Self {
        self.bounds = Some((lower, upper));
        self
    }

    /// Varies the logarithm, so that the sign cannot change; see [`Variable::new`] for the default.
    #[must_use]
    pub fn logarithmic(mut self) -> Self {
        self.scaling = Some(Scaling::Logarithmic);
        self
    }

    /// Varies the value itself; `typical` is a typical change in the parameter's unit.
    #[must_use]
    pub fn linear(mut self, typical: f64) -> Self {
        self.scaling = Some(Scaling::Linear { typical });
        self
    }

    /// The parameter.
    pub fn parameter(&self) -> Parameter<M> {
        self.parameter
    }

    pub(crate) fn variable(&self, start: f64) -> Variable {
        let mut variable = Variable::new(self.parameter.name(), start);
        if let Some(scaling) = self.scaling {
            variable = variable.scaled(scaling);
        }
        match self.bounds {
            Some((lower, upper)) => variable.within(lower, upper),
            None => variable,
        }
    }
}

impl<M: Model> From<Parameter<M>> for UnknownParameter<M> {
    fn from(parameter: Parameter<M>) -> Self {
        Self { parameter, bounds: None, scaling: None }
    }
}

/// The samples of a channel in the unit of the output that it measures.
pub(super) struct Taken<'a> {
    pub name: &'a str,
    pub samples: Samples,
    /// How many others are missing.
    pub missing: usize,
    /// What there is to say of a channel without a unit.
    pub assumed: Option<AssumedUnit>,
}

/// An output that was measured.
#[derive(Debug, Clone)]
pub struct Measurement<'a, M: Model> {
    pub(super) output: Output<M>,
    pub(super) record: &'a Record,
    pub(super) channel: Option<String>,
    pub(super) weight: f64,
    pub(super) deviation: Option<f64>,
}

impl<'a, M: Model> Measurement<'a, M> {
    /// The record's channel with the output's name, or its only channel, with weight 1. A channel in another unit than the
    /// output's is converted, one without a unit taken to be in the output's. Samples that are missing are left out, and none
    /// stands for a gap, see [`Quadrature`](crate::cost::Quadrature).
    pub fn new(output: Output<M>, record: &'a Record) -> Self {
        Self { output, record, channel: None, weight: 1.0, deviation: None }
    }

    /// Takes the channel with this name.
    #[must_use]
    pub fn channel(mut self, name: impl Into<String>) -> Self {
        self.channel = Some(name.into());
        self
    }

    /// Weight w_c in the cost, which compares values in the output's unit; outputs of different units need one, such as the
    /// reciprocal of the square of the standard deviation.
    #[must_use]
    pub fn weight(mut self, weight: f64) -> Self {
        self.weight = weight;
        self
    }

    /// Standard deviation of the measured values' error in the output's unit, where it is known. It does not
    /// change the found parameters, only their deviations; without it the residuals tell.
    #[must_use]
    pub fn standard_deviation(mut self, deviation: f64) -> Self {
        self.deviation = Some(deviation);
        self
    }

    /// The samples of the chosen channel in the output's unit.
    pub(super) fn taken(&self) -> Result<Taken<'a>, IdentificationError> {
        let (channel, record, wanted) = (self.chosen()?, self.record, self.output.into());
        let converted = channel.in_unit_of(record.name(), &wanted).map_err(RecordError::from)?;
        Ok(Taken {
            name: channel.name(),
            samples: record.known_samples(&converted)?,
            missing: channel.missing(),
            assumed: channel.assumed(record.name(), &wanted),
        })
    }

    pub(super) fn chosen(&self) -> Result<&'a Channel, IdentificationError> {
        if let Some(name) = &self.channel {
            return Ok(self.record.channel(name)?);
        }
        match self.record.channels() {
            [only] => Ok(only),
            channels => {
                let named = channels.iter().find(|channel| channel.name() == self.output.name());
                named.ok_or_else(|| IdentificationError::Channel {
                    output: self.output.name(),
                    record: self.record.name().to_owned(),
                    available: channels.iter().map(|channel| channel.name().to_owned()).collect(),
                })
            }
        }
    }
}
