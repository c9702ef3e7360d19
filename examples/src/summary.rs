//! The result of an identification as a file and as a table.

use std::collections::BTreeMap;

use costate::identify::FittedParameter;
use costate::model::UnknownName;
use costate::{Fit, Model, Parameter};
use serde::Serialize;

use crate::Table;

/// The result of an identification.
#[derive(Debug, Serialize)]
pub struct Summary {
    parameters: BTreeMap<String, FoundParameter>,
    cost: CostSummary,
    iterations: usize,
    forward_seconds: f64,
    gradient_seconds: f64,
}

/// The result for a parameter.
#[derive(Debug, Serialize)]
pub struct FoundParameter {
    #[serde(rename = "true")]
    truth: Option<f64>,
    start: f64,
    found: f64,
    std: f64,
}

impl FoundParameter {
    /// The result for a fitted parameter, with the true value where it is known.
    pub fn new(fitted: &FittedParameter, truth: Option<f64>) -> Self {
        let FittedParameter { start, found, standard_deviation: std, .. } = *fitted;
        Self { truth, start, found, std }
    }
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
            let truth = truth.map(|truth| true_value(parameter, truth)).transpose()?;
            parameters.insert(parameter.name.clone(), FoundParameter::new(parameter, truth));
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

/// Lists the found parameters and their distances from the true ones; with noise, also in standard deviations.
///
/// # Errors
/// A fitted parameter is not one of the model's.
pub fn comparison<M: Model>(fit: &Fit<M>, truth: &M, noisy: bool) -> Result<Table, UnknownName> {
    let columns = if noisy { 7 } else { 6 };
    let headings = ["parameter", "unit", "true value", "start", "found", "found/true - 1", "error/std. deviation"];
    let mut table = Table::new(&headings[..columns]);
    for fitted in &fit.summary().parameters {
        let value = true_value(fitted, truth)?;
        let error = fitted.found - value;
        let cells = [
            fitted.name.clone(),
            fitted.unit.to_owned(),
            short(value),
            short(fitted.start),
            format!("{:.8}", fitted.found),
            format!("{:.1e}", error / value),
            format!("{:.2}", error / fitted.standard_deviation),
        ];
        table = table.row(&cells[..columns]);
    }
    Ok(table)
}

fn short(value: f64) -> String {
    if value.abs() < 1e7 { value.to_string() } else { format!("{value:e}") }
}

/// The true value of a fitted parameter.
///
/// # Errors
/// It is not a parameter of the model.
pub fn true_value<M: Model>(fitted: &FittedParameter, truth: &M) -> Result<f64, UnknownName> {
    let parameter = Parameter::<M>::named(&fitted.quantity)?;
    Ok(truth.parameters().as_ref()[parameter.index()])
}
