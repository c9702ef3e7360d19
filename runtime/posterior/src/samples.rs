//! The draws of all chains.

use std::path::Path;

use serde::Serialize;
use serde_json::{Map, Value, json};

use crate::chain::{Chain, FailedEvaluations};
use crate::error::SamplingError;

/// The draws of all chains; [`Display`](std::fmt::Display) prints their [`Summary`](crate::Summary).
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Samples {
    names: Vec<String>,
    chains: Vec<Chain>,
    seconds: Vec<f64>,
    failed_chains: Vec<String>,
    doubts: Vec<String>,
}

impl Samples {
    pub(crate) fn new(
        names: Vec<String>,
        (chains, seconds): (Vec<Chain>, Vec<f64>),
        failed_chains: Vec<String>,
        doubts: Vec<String>,
    ) -> Self {
        Self { names, chains, seconds, failed_chains, doubts }
    }

    /// Returns the names of the unknowns, in the order of every draw.
    pub fn names(&self) -> &[String] {
        &self.names
    }

    /// Returns the chains that have ended well, in their order.
    pub fn chains(&self) -> &[Chain] {
        &self.chains
    }

    /// Returns the times in s that these chains took.
    pub fn seconds(&self) -> &[f64] {
        &self.seconds
    }

    /// Returns the reasons why other chains have failed.
    pub fn failed_chains(&self) -> &[String] {
        &self.failed_chains
    }

    /// Returns the doubts about the density that were known before sampling.
    pub fn doubts(&self) -> &[String] {
        &self.doubts
    }

    /// Returns the draws of one unknown, chain by chain; `None` for an unknown name.
    pub fn of(&self, name: &str) -> Option<Vec<Vec<f64>>> {
        self.names.iter().position(|own| own == name).map(|index| self.at(index))
    }

    /// Returns the draws of the unknown with this index.
    pub(crate) fn at(&self, index: usize) -> Vec<Vec<f64>> {
        let of_chain =
            |chain: &Chain| chain.draws.iter().map(|draw| draw.get(index).copied().unwrap_or(f64::NAN)).collect();
        self.chains.iter().map(of_chain).collect()
    }

    /// Iterates over all draws, one chain after the other, to evaluate functions of the unknowns.
    pub fn draws(&self) -> impl Iterator<Item = &[f64]> {
        self.chains.iter().flat_map(|chain| &chain.draws).map(Vec::as_slice)
    }

    /// Sums up the points without a density of all chains, including the warm-ups; `None` if there are none.
    pub fn failed(&self) -> Option<FailedEvaluations> {
        let failed = self.chains.iter().filter_map(|chain| chain.failed.as_ref());
        failed.cloned().reduce(|a, b| FailedEvaluations { count: a.count + b.count, last: b.last })
    }

    /// Returns the draws and the statistics of the trajectories as JSON, in the groups of ArviZ.
    ///
    /// ```python
    /// import arviz, json
    /// data = arviz.from_dict(**json.load(open("posterior.json")))  # ArviZ 1: arviz.from_dict(json.load(..))
    /// print(arviz.summary(data))
    /// arviz.plot_energy(data)
    /// arviz.plot_pair(data, divergences=True)
    /// ```
    pub fn to_json(&self) -> String {
        let mut posterior = Map::new();
        for (index, name) in self.names.iter().enumerate() {
            posterior.insert(name.clone(), json!(self.at(index)));
        }
        let of = |values: &dyn Fn(&Chain) -> Value| -> Value { self.chains.iter().map(values).collect() };
        let statistics = json!({
            "lp": of(&|chain| json!(chain.statistics.log_density)),
            "energy": of(&|chain| json!(chain.statistics.energy)),
            "acceptance_rate": of(&|chain| json!(chain.statistics.acceptance)),
            "step_size": of(&|chain| json!(chain.statistics.step_size)),
            "tree_depth": of(&|chain| json!(chain.statistics.depth)),
            "n_steps": of(&|chain| json!(chain.statistics.gradients)),
            "reached_max_treedepth": of(&|chain| json!(chain.statistics.reached_maximum_depth)),
            "diverging": of(&|chain| json!(chain.statistics.diverged)),
        });
        json!({ "posterior": posterior, "sample_stats": statistics }).to_string()
    }

    /// Writes [`to_json`](Self::to_json) to a file.
    ///
    /// # Errors
    /// [`SamplingError::Write`].
    pub fn write(&self, path: impl AsRef<Path>) -> Result<(), SamplingError> {
        let path = path.as_ref();
        costate_contract::files::write(path, self.to_json() + "\n")
            .map_err(|source| SamplingError::Write { path: path.to_owned(), source })
    }
}
