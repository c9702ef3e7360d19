//! Messages about experiments before these are prepared, on which the layout of the unknowns depends.

use serde::{Deserialize, Serialize};

use costate_system::identifiers::Parameter;
use costate_system::model::Description;

use crate::definition::experiment::Experiment;

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
    pub fn of(experiment: &Experiment) -> Self {
        let known = experiment.known.iter().map(|(parameter, value)| (parameter.index(), value.to_bits()));
        Self {
            name: experiment.name.clone(),
            group: experiment.group.clone(),
            validates: experiment.validates,
            known: known.collect(),
        }
    }

    /// Creates an experiment without data that represents this one.
    pub fn stand_in(&self, model: &'static Description) -> Experiment {
        let mut experiment = Experiment::new(&self.name);
        experiment.group.clone_from(&self.group);
        experiment.validates = self.validates;
        let known = self.known.iter().map(|&(index, bits)| (Parameter::of(model, index), f64::from_bits(bits)));
        experiment.known = known.collect();
        experiment
    }
}
