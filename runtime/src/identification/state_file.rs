//! The file that an interrupted identification continues from.

use std::path::Path;

use serde::{Deserialize, Serialize};

use crate::cost::Quadrature;
use crate::gradient::GradientMethod;
use crate::integrator::Settings;
use crate::memory::Checkpoints;
use crate::model::Model;
use crate::optimize::{OptimizerState, Variable};
use crate::problem::Problem;
use crate::state_file::{StateFileError, fingerprint, fingerprint_of};

use super::WeightedCost;
use super::parameter_set::ParameterSet;

/// Changes when the content of the file changes.
const FORMAT: u32 = 3;

/// What the file holds: the optimizer's state, and what it belongs to.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(super) struct Stored {
    format: u32,
    model: String,
    start: ParameterSet,
    simulation: Settings,
    /// Fingerprints, in hexadecimal digits.
    inputs: String,
    tables: String,
    measurements: Vec<(String, String)>,
    quadrature: Quadrature,
    /// Weight and fingerprint of each further cost.
    #[serde(default)]
    costs: Vec<(f64, String)>,
    /// Files of versions without a choice have none.
    #[serde(default)]
    gradient_method: GradientMethod,
    pub optimizer: OptimizerState,
}

impl Stored {
    /// `measurements`: output, weight, times and values of each.
    pub fn new<'a, M: Model>(
        model: &M,
        problem: &Problem<M>,
        measurements: impl Iterator<Item = (&'static str, f64, &'a [f64], &'a [f64])>,
        quadrature: Quadrature,
        costs: &[WeightedCost<'_>],
        gradient_method: GradientMethod,
        optimizer: OptimizerState,
    ) -> Self {
        let print = |(output, weight, times, values): (&str, f64, &[f64], &[f64])| {
            let all = std::iter::once(&weight).chain(times).chain(values);
            (output.to_owned(), fingerprint(all))
        };
        Self {
            format: FORMAT,
            model: M::DESCRIPTION.name.to_owned(),
            start: ParameterSet::of(model),
            simulation: Settings {
                // neither changes a bit of the results
                memory_limit: None,
                checkpoints: Checkpoints::Off,
                ..problem.settings().clone()
            },
            inputs: fingerprint(problem.inputs().iter().flat_map(|row| row.as_ref())),
            tables: fingerprint(problem.tables().numbers().iter()),
            measurements: measurements.map(print).collect(),
            quadrature,
            costs: costs.iter().map(|(weight, cost)| (*weight, fingerprint_of(cost))).collect(),
            gradient_method,
            optimizer,
        }
    }

    /// Checks that this state, from `file`, continues the identification that begins with `given`.
    pub fn check(&self, given: &Self, file: &Path) -> Result<(), StateFileError> {
        if !self.optimizer.is_consistent() {
            return Err(StateFileError::Damaged { file: file.to_owned() });
        }
        let same = |what, stored: String, given: String| {
            if stored == given {
                return Ok(());
            }
            Err(StateFileError::Differs { file: file.to_owned(), what, stored, given })
        };
        let names = |stored: &Self| {
            stored.optimizer.variables().iter().map(Variable::name).collect::<Vec<_>>().join(", ")
        };
        same("the formats", self.format.to_string(), given.format.to_string())?;
        same("the models", self.model.clone(), given.model.clone())?;
        same("the unknown parameters", names(self), names(given))?;
        for (stored, given) in self.optimizer.variables().iter().zip(given.optimizer.variables()) {
            let text = |v: &Variable| format!("{} in {:?}, {:?}", v.name(), v.bounds(), v.scaling());
            same("the bounds and scalings", text(stored), text(given))?;
        }
        let values = |stored: &Self| {
            let values = stored.start.iter().map(|(name, value)| format!("{name} = {value:?}"));
            values.collect::<Vec<_>>().join(", ")
        };
        same("the start values", values(self), values(given))?;
        let text = |stored: &Self| format!("{:?}", stored.simulation);
        same("the settings of the simulation", text(self), text(given))?;
        same("the inputs", self.inputs.clone(), given.inputs.clone())?;
        same("the tables", self.tables.clone(), given.tables.clone())?;
        let text = |stored: &Self| format!("{:?}, {:?}", stored.measurements, stored.quadrature);
        same("the measurements", text(self), text(given))?;
        let text = |stored: &Self| format!("{:?}", stored.costs);
        same("the further costs", text(self), text(given))?;
        let text = |stored: &Self| stored.gradient_method.to_string();
        same("the gradient methods", text(self), text(given))?;
        let mut settings = self.optimizer.settings().clone();
        settings.maximum_iterations = given.optimizer.settings().maximum_iterations;
        let text = |settings| format!("{settings:?}");
        same("the settings of the optimizer", text(&settings), text(given.optimizer.settings()))
    }
}
