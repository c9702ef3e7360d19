//! Messages about experiments before these are prepared, on which the layout of the unknowns depends.

use serde::{Deserialize, Serialize};

use costate_system::identifiers::Parameter;
use costate_system::model::Description;

use crate::definition::experiment::ExperimentDefinition;

/// Message of one process about one of its experiments.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct Head {
    name: String,
    group: Option<String>,
    validates: bool,
    /// Parameters by index, with the bits of their values.
    known: Vec<(usize, u64)>,
}

impl Head {
    pub fn of(experiment: &ExperimentDefinition) -> Self {
        let known = experiment.known.iter().map(|(parameter, value)| (parameter.index(), value.to_bits()));
        Self {
            name: experiment.name.clone(),
            group: experiment.group.clone(),
            validates: experiment.validates,
            known: known.collect(),
        }
    }

    /// Creates an experiment without data that represents this one.
    pub fn stand_in(&self, model: &'static Description) -> ExperimentDefinition {
        let known = self.known.iter().map(|&(index, bits)| (Parameter::of(model, index), f64::from_bits(bits)));
        ExperimentDefinition {
            name: self.name.clone(),
            group: self.group.clone(),
            validates: self.validates,
            known: known.collect(),
            ..ExperimentDefinition::default()
        }
    }
}
