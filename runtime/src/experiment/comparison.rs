//! Which sensors tell most.

use crate::model::Model;

use super::criterion::Criterion;
use super::error::InformationError;
use super::information::Information;
use super::noise::Noise;

/// A set of sensors with what it learns.
#[derive(Debug, Clone, PartialEq)]
pub struct ComparedSensors<M: Model> {
    /// Name of the set.
    pub name: String,
    /// The sensors.
    pub noise: Noise<M>,
    /// What they learn.
    pub information: Information<M>,
    /// Phi of the relative information; infinite where the criterion needs every parameter to be determined, and the
    /// sensors do not determine all.
    pub cost: f64,
}

/// Several sets of sensors in the same experiment, lowest cost first; [`Display`](std::fmt::Display) prints a table.
#[derive(Debug, Clone, PartialEq)]
pub struct SensorComparison<M: Model> {
    criterion: Criterion,
    sets: Vec<ComparedSensors<M>>,
}

impl<M: Model> SensorComparison<M> {
    pub(super) fn new(
        sets: Vec<(String, Noise<M>, Information<M>)>,
        criterion: Criterion,
    ) -> Result<Self, InformationError> {
        if sets.is_empty() {
            return Err(InformationError::NothingToCompare);
        }
        let mut compared = Vec::new();
        for (name, noise, information) in sets {
            let cost = match information.criterion(criterion) {
                Err(InformationError::Singular { .. }) => f64::INFINITY,
                cost => cost?,
            };
            compared.push(ComparedSensors { name, noise, information, cost });
        }
        compared
            .sort_by(|a, b| a.cost.total_cmp(&b.cost).then(b.information.rank().cmp(&a.information.rank())));
        Ok(Self { criterion, sets: compared })
    }

    /// What the sets are sorted by.
    pub fn criterion(&self) -> Criterion {
        self.criterion
    }

    /// The sets, lowest cost first; those that do not determine all parameters by falling rank, sets that are equal in
    /// the order in which they were given.
    pub fn sets(&self) -> &[ComparedSensors<M>] {
        &self.sets
    }
}
