//! The result of an identification as a file.

use std::collections::BTreeMap;

use costate::identify::FittedParameter;
use costate::model::UnknownName;
use costate::{Fit, Model, Parameter};
use serde::Serialize;

/// The result of an identification.
#[derive(Debug, Serialize)]
pub struct Summary {
    parameters: BTreeMap<String, ParameterSummary>,
    cost: CostSummary,
    iterations: usize,
    forward_seconds: f64,
    gradient_seconds: f64,
}

#[derive(Debug, Serialize)]
struct ParameterSummary {
    #[serde(rename = "true")]
    truth: Option<f64>,
    start: f64,
    found: f64,
    std: f64,
}

#[derive(Debug, Serialize)]
struct CostSummary {
    start: f64,
    end: f64,
}

impl Summary {
    /// The result of `fit`, with the true parameters where they are known.
    ///
    /// # Errors
    /// A fitted parameter is not one of the model's.
    pub fn new<M: Model>(fit: &Fit<M>, truth: Option<&M>) -> Result<Self, UnknownName> {
        let fitted = fit.summary();
        let mut parameters = BTreeMap::new();
        for parameter in &fitted.parameters {
            let entry = ParameterSummary {
                truth: truth.map(|truth| true_value(parameter, truth)).transpose()?,
                start: parameter.start,
                found: parameter.found,
                std: parameter.standard_deviation,
            };
            parameters.insert(parameter.name.clone(), entry);
        }
        Ok(Self {
            parameters,
            cost: CostSummary { start: fitted.cost_start, end: fitted.cost_end },
            iterations: fitted.iterations,
            forward_seconds: fitted.seconds_forward,
            gradient_seconds: fitted.seconds_gradient,
        })
    }
}

/// The true value of a fitted parameter.
///
/// # Errors
/// It is not a parameter of the model.
pub fn true_value<M: Model>(fitted: &FittedParameter, truth: &M) -> Result<f64, UnknownName> {
    let parameter = Parameter::<M>::named(&fitted.quantity)?;
    Ok(truth.parameters().as_ref()[parameter.index()])
}
