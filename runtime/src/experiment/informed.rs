//! The unknown parameters of an experiment, with values and scales.

use crate::identification::UnknownParameter;
use crate::identifiers::Parameter;
use crate::model::{Model, SelectedParameters};

use super::error::InformationError;

/// An unknown parameter with the value at which the information is taken.
#[derive(Debug, Clone)]
pub struct InformedParameter<M: Model> {
    /// The parameter.
    pub parameter: Parameter<M>,
    /// Its value, in its unit.
    pub value: f64,
    /// What a relative change of 1 is, in its unit: the magnitude of the value, or the typical change of an
    /// [`UnknownParameter`](crate::identify::UnknownParameter) with linear scaling.
    pub scale: f64,
}

impl<M: Model> InformedParameter<M> {
    /// The parameter's name.
    pub fn name(&self) -> &'static str {
        self.parameter.name()
    }
}

impl<M: Model> PartialEq for InformedParameter<M> {
    fn eq(&self, other: &Self) -> bool {
        self.parameter == other.parameter && (self.value, self.scale) == (other.value, other.scale)
    }
}

/// The unknown parameters with their values and scales.
pub(super) fn informed<M: Model>(
    model: &M,
    unknowns: impl IntoIterator<Item = impl Into<UnknownParameter<M>>>,
) -> Result<Vec<InformedParameter<M>>, InformationError> {
    let values = model.parameters();
    let unknowns: Vec<UnknownParameter<M>> = unknowns.into_iter().map(Into::into).collect();
    let selected: Vec<_> = unknowns.iter().map(UnknownParameter::parameter).collect();
    SelectedParameters::of(&M::DESCRIPTION, &Parameter::indices(&selected))?;
    let mut parameters: Vec<InformedParameter<M>> = Vec::new();
    for unknown in unknowns {
        let parameter = unknown.parameter();
        let value = values.as_ref()[parameter.index()];
        let variable = unknown.variable(unknown.parameter().name(), value);
        variable.check()?;
        parameters.push(InformedParameter { parameter, value, scale: variable.slope(value).abs() });
    }
    if parameters.is_empty() {
        return Err(InformationError::NoUnknowns { model: M::DESCRIPTION.name });
    }
    Ok(parameters)
}

/// The parameters alone.
pub(super) fn alone<M: Model>(parameters: &[InformedParameter<M>]) -> Vec<Parameter<M>> {
    parameters.iter().map(|known| known.parameter).collect()
}
