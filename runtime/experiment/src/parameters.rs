//! The unknown parameters of an experiment, with values and scales.

use costate_identify::UnknownParameter;
use costate_system::identifiers::{Dynamic, Parameter};
use costate_system::model::{Description, SelectedParameters};

use super::error::InformationError;

/// An unknown parameter with the value at which the information is taken.
#[derive(Debug, Clone)]
pub struct InformedParameter<M = Dynamic> {
    /// The parameter.
    pub parameter: Parameter<M>,
    /// Value of the parameter, in its unit.
    pub value: f64,
    /// Change that counts as a relative change of 1, in the unit of the parameter: the magnitude of the value, or the
    /// typical change of an `UnknownParameter` with linear scaling.
    pub scale: f64,
}

impl<M> InformedParameter<M> {
    /// Returns the name of the parameter.
    pub fn name(&self) -> &'static str {
        self.parameter.name()
    }
}

impl<M> PartialEq for InformedParameter<M> {
    fn eq(&self, other: &Self) -> bool {
        self.parameter == other.parameter && (self.value, self.scale) == (other.value, other.scale)
    }
}

/// Adds the type of the model to parameters.
pub fn tagged<N>(parameters: &[InformedParameter]) -> Vec<InformedParameter<N>> {
    let tagged = |known: &InformedParameter| InformedParameter {
        parameter: known.parameter.tagged(),
        value: known.value,
        scale: known.scale,
    };
    parameters.iter().map(tagged).collect()
}

/// Removes the type of the model from unknown parameters.
pub fn erased<M>(unknowns: impl IntoIterator<Item = impl Into<UnknownParameter<M>>>) -> Vec<UnknownParameter> {
    unknowns.into_iter().map(|unknown| unknown.into().erased()).collect()
}

/// Returns the unknown parameters of a model with their values and scales; `values` are those of all parameters.
pub fn informed(
    description: &'static Description,
    values: &[f64],
    unknowns: &[UnknownParameter],
) -> Result<Vec<InformedParameter>, InformationError> {
    let selected: Vec<_> = unknowns.iter().map(UnknownParameter::parameter).collect();
    SelectedParameters::of(description, &Parameter::indices(&selected))?;
    let mut parameters: Vec<InformedParameter> = Vec::new();
    for unknown in unknowns {
        let parameter = unknown.parameter();
        let value = values[parameter.index()];
        let variable = unknown.variable(parameter.name(), value);
        variable.check()?;
        parameters.push(InformedParameter { parameter, value, scale: variable.slope(value).abs() });
    }
    if parameters.is_empty() {
        return Err(InformationError::NoUnknowns { model: description.name });
    }
    Ok(parameters)
}

/// Returns the name of the model of the parameters.
pub fn model_of(parameters: &[InformedParameter]) -> &'static str {
    parameters.first().map_or("", |known| known.parameter.description().name)
}

/// Returns the indices of the parameters.
pub fn indices(parameters: &[InformedParameter]) -> Vec<usize> {
    parameters.iter().map(|known| known.parameter.index()).collect()
}
