//! Comparison of sets of sensors by their information.

use costate_system::identifiers::Dynamic;

use super::criterion::Criterion;
use super::error::InformationError;
use super::information::{Fisher, Information};
use super::noise::{Noise, Sensors};

/// A set of sensors with its information.
#[derive(Debug, Clone, PartialEq)]
pub struct ComparedSensors<M = Dynamic> {
    /// Name of the set.
    pub name: String,
    /// The sensors.
    pub noise: Noise<M>,
    /// Information of the sensors about the parameters.
    pub information: Information<M>,
    /// Phi of the relative information; infinite where the criterion needs every parameter to be determined, and the
    /// sensors do not determine all.
    pub cost: f64,
}

/// Several sets of sensors in the same experiment, lowest cost first; [`Display`](std::fmt::Display) prints a table.
#[derive(Debug, Clone, PartialEq)]
pub struct SensorComparison<M = Dynamic> {
    criterion: Criterion,
    sets: Vec<ComparedSensors<M>>,
}

impl SensorComparison {
    pub(super) fn new(sets: Vec<(&str, &Sensors, Fisher)>, criterion: Criterion) -> Result<Self, InformationError> {
        if sets.is_empty() {
            return Err(InformationError::NothingToCompare);
        }
        let mut compared = Vec::new();
        for (name, sensors, fisher) in sets {
            let cost = match fisher.criterion(criterion) {
                Err(InformationError::Singular { .. }) => f64::INFINITY,
                cost => cost?,
            };
            let (noise, information) = (Noise::of(sensors.clone()), Information::of(fisher));
            compared.push(ComparedSensors { name: name.to_owned(), noise, information, cost });
        }
        compared.sort_by(|a, b| a.cost.total_cmp(&b.cost).then(b.information.rank().cmp(&a.information.rank())));
        Ok(Self { criterion, sets: compared })
    }

    /// Adds the type of the model.
    pub(super) fn tagged<N>(self) -> SensorComparison<N> {
        let tagged = |set: ComparedSensors| {
            let ComparedSensors { name, noise, information, cost } = set;
            ComparedSensors { name, noise: noise.tagged(), information: information.tagged(), cost }
        };
        SensorComparison { criterion: self.criterion, sets: self.sets.into_iter().map(tagged).collect() }
    }
}

impl<M> SensorComparison<M> {
    /// Returns the criterion by which the sets are sorted.
    pub fn criterion(&self) -> Criterion {
        self.criterion
    }

    /// Returns the sets, lowest cost first; sets that do not determine all parameters by decreasing rank, equal sets
    /// in the order in which they were given.
    pub fn sets(&self) -> &[ComparedSensors<M>] {
        &self.sets
    }
}
